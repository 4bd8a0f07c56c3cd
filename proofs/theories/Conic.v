(** * Conic programs: weak duality, Farkas rays, dual cones, facial reduction (theory.md section 7)

    (P)  min <C, X>   subject to  <A_i, X> = b_i,  X in K
    (D)  max b'y      subject to  C - sum_i y_i A_i in K*

    First for an arbitrary set K and its dual K* under an inner product, then for the cones of the
    checker and their products. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Spaces with an inner product *)

Record innerSpace (R : realFieldType) := InnerSpace {
  points :> lmodType R;
  ip : points -> points -> R;
  ipC : forall x y, ip x y = ip y x;
  ipDl : forall x y z, ip (x + y) z = ip x z + ip y z;
  ipZl : forall a x y, ip (a *: x) y = a * ip x y;
  ip_ge0 : forall x, 0 <= ip x x
}.

Section InnerSpace.

Variables (R : realFieldType) (V : innerSpace R).
Implicit Types x y z : V.

Lemma ipDr x y z : ip x (y + z) = ip x y + ip x z.
Proof. by rewrite ipC ipDl !(ipC x). Qed.

Lemma ipZr a x y : ip x (a *: y) = a * ip x y.
Proof. by rewrite ipC ipZl (ipC x). Qed.

Lemma ip0l y : ip 0 y = 0.
Proof. by rewrite -(scale0r y) ipZl mul0r. Qed.

Lemma ip0r y : ip y 0 = 0.
Proof. by rewrite ipC ip0l. Qed.

Lemma ipNl x y : ip (- x) y = - ip x y.
Proof. by rewrite -scaleN1r ipZl mulN1r. Qed.

Lemma ipNr x y : ip x (- y) = - ip x y.
Proof. by rewrite ipC ipNl ipC. Qed.

Lemma ipBl x y z : ip (x - y) z = ip x z - ip y z.
Proof. by rewrite ipDl ipNl. Qed.

Lemma ip_cauchy_schwarz x y : ip x y ^+ 2 <= ip x x * ip y y.
Proof.
apply: quadratic_nonneg => [|t]; first exact: ip_ge0.
have := ip_ge0 (x + t *: y); rewrite ipDl !ipDr !ipZl !ipZr (ipC y x).
by congr (0 <= _); ring.
Qed.

Lemma ip_suml (I : Type) (r : seq I) (p : pred I) (f : I -> V) y :
  ip (\sum_(i <- r | p i) f i) y = \sum_(i <- r | p i) ip (f i) y.
Proof. by elim/big_rec2: _ => [|i b x _ <-]; rewrite ?ip0l // ipDl. Qed.

(** The dual of any set of points. *)
Definition dual_of (K : V -> Prop) : V -> Prop := fun y => forall x, K x -> 0 <= ip y x.

Lemma dual_of_antimono (K F : V -> Prop) : (forall x, F x -> K x) -> forall y, dual_of K y -> dual_of F y.
Proof. by move=> sub y dK x /sub/dK. Qed.

Lemma dual_ofD (K : V -> Prop) x y : dual_of K x -> dual_of K y -> dual_of K (x + y).
Proof. by move=> dx dy z Kz; rewrite ipDl addr_ge0 ?dx ?dy. Qed.

Lemma bidual (K : V -> Prop) x : K x -> dual_of (dual_of K) x.
Proof. by move=> Kx y dy; rewrite ipC dy. Qed.

End InnerSpace.

(** ** Weak duality and Farkas rays, for any set K *)

Section Program.

Variables (R : realFieldType) (V : innerSpace R) (m : nat).
Variables (C : V) (A : 'I_m -> V) (b : 'I_m -> R) (K : V -> Prop).
Implicit Types (X : V) (y : 'I_m -> R).

Definition combination y : V := \sum_i y i *: A i.
Definition slack y : V := C - combination y.
Definition dual_objective y : R := \sum_i y i * b i.

(** L is K* in (D) as written above; it is left free, because the checker also proves bounds with the
    dual of a face. *)
Definition equations X : Prop := forall i, ip (A i) X = b i.
Definition primal_point X : Prop := K X /\ equations X.
Definition dual_point y : Prop := dual_of K (slack y).

Lemma ip_combination y X : equations X -> ip (combination y) X = dual_objective y.
Proof. by move=> eqs; rewrite ip_suml; apply: eq_bigr => i _; rewrite ipZl eqs. Qed.

(** <C, X> - b'y = <C - sum_i y_i A_i, X>, for every X with <A_i, X> = b_i. *)
Theorem conic_gap X y : equations X -> ip C X - dual_objective y = ip (slack y) X.
Proof. by move=> /ip_combination eqX; rewrite ipBl eqX. Qed.

(** Rule "bracket": a dual point is a lower bound for every primal point, and the other way round. *)
Theorem conic_weak_duality X y : primal_point X -> dual_point y -> dual_objective y <= ip C X.
Proof. by case=> KX /conic_gap gap dy; rewrite -subr_ge0 gap dy. Qed.

(** A feasible X is also worth an upper bound of (D) when X is only known to lie in K**. *)
Theorem conic_weak_duality_bidual X y :
  dual_of (dual_of K) X -> equations X -> dual_point y -> dual_objective y <= ip C X.
Proof. by move=> KX /conic_gap gap dy; rewrite -subr_ge0 gap ipC KX. Qed.

(** Rule "infeasible, primal": a Farkas ray y has b'y > 0 and - sum_i y_i A_i in K*. *)
Theorem farkas_primal y :
  0 < dual_objective y -> dual_of K (- combination y) -> forall X, ~ primal_point X.
Proof.
move=> pos ray X [/ray]; rewrite ipNl oppr_ge0 => le0 /ip_combination eqX.
by move: pos; rewrite ltNge -eqX le0.
Qed.

(** Rule "infeasible, dual": a recession ray X has <A_i, X> = 0, <C, X> < 0 and lies in K. *)
Theorem farkas_dual X :
  (forall i, ip (A i) X = 0) -> ip C X < 0 -> dual_of (dual_of K) X -> forall y, ~ dual_point y.
Proof.
move=> orth neg KX y /KX; rewrite ipC ipBl ip_suml big1 ?subr0 => [|i _]; last by rewrite ipZl orth mulr0.
by rewrite leNgt neg.
Qed.

(** Equal values close the bracket: both points are optimal. *)
Theorem conic_optimal X y :
  primal_point X -> dual_point y -> ip C X = dual_objective y ->
  (forall X', primal_point X' -> ip C X <= ip C X') /\
  (forall y', dual_point y' -> dual_objective y' <= dual_objective y).
Proof.
move=> pX dy eq_values; split=> [X' pX' | y' dy']; first by rewrite eq_values conic_weak_duality.
by rewrite -eq_values conic_weak_duality.
Qed.

(** ** Facial reduction

    Where a program has no interior, an exposing vector replaces K by the part of K that every
    feasible point lies in; the dual of that part is larger, so more bounds can be proved. *)

(** Sets that exposing vectors y of (P) leave of K, one after the other.  Any set that contains what
    is orthogonal to the exposing vector will do. *)
Inductive primal_face : (V -> Prop) -> Prop :=
  | PrimalFaceWhole : primal_face K
  | PrimalFaceExposed (F F' : V -> Prop) y of
      primal_face F & dual_objective y = 0 & dual_of F (combination y)
      & (forall X, F X -> ip (combination y) X = 0 -> F' X) : primal_face F'.

(** The set that every X with <A_i, X> = b_i in K lies in. *)
Theorem primal_face_sound F : primal_face F -> forall X, primal_point X -> F X.
Proof.
elim=> [X [] // | {}F F' y _ IH zero _ sub X pX]; apply: sub; first exact: IH.
by case: pX => _ /ip_combination ->.
Qed.

(** Rule "bracket" after facial reduction of (P). *)
Theorem facial_weak_duality F X y :
  primal_face F -> dual_of F (slack y) -> primal_point X -> dual_objective y <= ip C X.
Proof.
move=> face dy pX; have FX := primal_face_sound face pX.
by case: pX => _ /conic_gap gap; rewrite -subr_ge0 gap dy.
Qed.

(** Rule "infeasible, primal" after facial reduction. *)
Theorem facial_farkas_primal F y :
  primal_face F -> 0 < dual_objective y -> dual_of F (- combination y) -> forall X, ~ primal_point X.
Proof.
move=> face pos ray X pX; have := ray _ (primal_face_sound face pX); rewrite ipNl oppr_ge0.
by case: pX => _ /ip_combination ->; rewrite leNgt pos.
Qed.

(** Sets that exposing points X of (D) leave of K*. *)
Inductive dual_face : (V -> Prop) -> Prop :=
  | DualFaceWhole : dual_face (dual_of K)
  | DualFaceExposed (F F' : V -> Prop) X of
      dual_face F & (forall i, ip (A i) X = 0) & ip C X = 0 & dual_of F X
      & (forall S, F S -> ip X S = 0 -> F' S) : dual_face F'.

Theorem dual_face_sound F : dual_face F -> forall y, dual_point y -> F (slack y).
Proof.
elim=> [y // | {}F F' X _ IH orth zero _ sub y dy]; apply: sub; first exact: IH.
rewrite ipC ipBl zero ip_suml big1 ?subr0 // => i _; by rewrite ipZl orth mulr0.
Qed.

(** An upper bound of (D) after facial reduction of (D). *)
Theorem facial_upper_bound F X y :
  dual_face F -> equations X -> dual_of F X -> dual_point y -> dual_objective y <= ip C X.
Proof.
move=> face /conic_gap gap dX dy; rewrite -subr_ge0 gap ipC dX //.
exact: dual_face_sound dy.
Qed.

(** Rule "infeasible, dual" after facial reduction. *)
Theorem facial_farkas_dual F X :
  dual_face F -> (forall i, ip (A i) X = 0) -> ip C X < 0 -> dual_of F X -> forall y, ~ dual_point y.
Proof.
move=> face orth neg dX y dy; have := dX _ (dual_face_sound face dy).
rewrite ipC ipBl ip_suml big1 ?subr0 => [|i _]; last by rewrite ipZl orth mulr0.
by rewrite leNgt neg.
Qed.

End Program.

(** ** The inequality form: min c'x with A x + s = b, s in K *)

Section InequalityForm.

Variables (R : realFieldType) (V : innerSpace R) (n : nat).
Variables (c : 'I_n -> R) (A : 'I_n -> V) (b : V) (K : V -> Prop).
Implicit Types (x : 'I_n -> R) (s y : V).

Definition cost x : R := \sum_i c i * x i.
Definition inequality_point x s : Prop := \sum_i x i *: A i + s = b /\ K s.
Definition inequality_dual y : Prop := dual_of K y /\ forall i, ip y (A i) = - c i.

Theorem inequality_gap x s y :
  \sum_i x i *: A i + s = b -> (forall i, ip y (A i) = - c i) -> cost x - - ip y b = ip y s.
Proof.
move=> <- eqs; rewrite opprK ipDr addrA ipC ip_suml -[RHS]add0r; congr (_ + _).
rewrite -big_split big1 // => i _ /=.
by rewrite ipZl ipC eqs mulrN mulrC subrr.
Qed.

(** Any dual-feasible y gives the lower bound -<b, y>. *)
Theorem inequality_weak_duality x s y :
  inequality_point x s -> inequality_dual y -> - ip y b <= cost x.
Proof. by case=> eq_b Ks [dy eqs]; rewrite -subr_ge0 (inequality_gap eq_b eqs) dy. Qed.

(** A Farkas ray: y in K*, A'y = 0, <b, y> < 0. *)
Theorem inequality_farkas y :
  dual_of K y -> (forall i, ip y (A i) = 0) -> ip y b < 0 -> forall x s, ~ inequality_point x s.
Proof.
move=> dy orth neg x s [eq_b Ks]; have := dy s Ks; rewrite leNgt; case/negP.
suff <- : ip y b = ip y s by [].
by rewrite -eq_b ipDr ipC ip_suml big1 ?add0r // => i _; rewrite ipZl ipC orth mulr0.
Qed.

(** A ray of unbounded descent refutes dual feasibility: A x + s = 0, s in K, c'x < 0. *)
Theorem inequality_dual_infeasible x s :
  \sum_i x i *: A i + s = 0 -> K s -> cost x < 0 -> forall y, ~ inequality_dual y.
Proof.
move=> eq0 Ks neg y [dy eqs]; have := dy s Ks; rewrite leNgt; case/negP.
have /eqP := ip0r y; rewrite -eq0 ipDr ipC ip_suml addrC addr_eq0 => /eqP ->.
rewrite -sumrN (_ : \sum_i _ = cost x) //; apply: eq_bigr => i _.
by rewrite ipZl ipC eqs mulrN opprK mulrC.
Qed.

End InequalityForm.

(** ** The cones of the checker and their duals *)

Section Cones.

Variable R : realFieldType.

Definition vector_space n : innerSpace R :=
  @InnerSpace R [lmodType R of 'cV[R]_n] (@dot R n) (@dotC R n) (@dotDl R n) (@dotZl R n)
    (@dot_ge0 R n).

Lemma inner_ge0 m n (X : 'M[R]_(m, n)) : 0 <= inner X X.
Proof. by rewrite innerE !sumr_ge0 // => i _; rewrite sumr_ge0 // => j _; rewrite -expr2 sqr_ge0. Qed.

Definition matrix_space n : innerSpace R :=
  @InnerSpace R [lmodType R of 'M[R]_n] (@inner R n n) (@innerC R n n) (@innerDl R n n) (@innerZl R n n)
    (@inner_ge0 n n).

Section ProductSpace.

Variables V W : innerSpace R.

Definition pair_ip (x y : V * W) : R := ip x.1 y.1 + ip x.2 y.2.

Lemma pair_ipC x y : pair_ip x y = pair_ip y x.
Proof. by congr (_ + _); apply: ipC. Qed.

Lemma pair_ipD x y z : pair_ip (x + y) z = pair_ip x z + pair_ip y z.
Proof. by rewrite /pair_ip !ipDl addrACA. Qed.

Lemma pair_ipZ a x y : pair_ip (a *: x) y = a * pair_ip x y.
Proof. by rewrite /pair_ip !ipZl mulrDr. Qed.

Lemma pair_ip_ge0 x : 0 <= pair_ip x x.
Proof. by rewrite addr_ge0 ?ip_ge0. Qed.

Definition product_space : innerSpace R :=
  @InnerSpace R [lmodType R of V * W] pair_ip pair_ipC pair_ipD pair_ipZ pair_ip_ge0.

End ProductSpace.

Lemma scalar_ipD (x y z : R^o) : (x + y) * z = x * z + y * z.
Proof. exact: mulrDl. Qed.

Lemma scalar_ipZ a (x y : R^o) : (a *: x) * y = a * (x * y).
Proof. by rewrite -mulrA. Qed.

Lemma scalar_ip_ge0 (x : R^o) : 0 <= x * x.
Proof. by rewrite -expr2 sqr_ge0. Qed.

Definition scalar_space : innerSpace R :=
  @InnerSpace R [lmodType R of R^o] (fun x y => x * y) (@mulrC R) scalar_ipD scalar_ipZ scalar_ip_ge0.

(** Nonnegative orthant. *)
Definition nonnegative n (x : 'cV[R]_n) : Prop := forall i, 0 <= x i 0.

Theorem nonnegative_self_dual n (y : vector_space n) : dual_of (V := vector_space n) (@nonnegative n) y <-> nonnegative y.
Proof.
split=> [dy i | y_ge0 x x_ge0].
  have := dy (delta_mx i 0); rewrite /= dotC dot_delta; apply=> j; rewrite mxE.
  by case: (_ && _); rewrite ?ler01.
by rewrite /= dotE sumr_ge0 // => i _; rewrite mulr_ge0.
Qed.

(** The origin, and everything. *)
Definition origin (V : innerSpace R) (x : V) : Prop := x = 0.
Definition everything (V : innerSpace R) (x : V) : Prop := True.

Theorem origin_dual (V : innerSpace R) (y : V) : dual_of (@origin V) y <-> everything y.
Proof. by split=> // _ x ->; rewrite ip0r. Qed.

Theorem everything_dual (V : innerSpace R) (y : V) :
  dual_of (@everything V) y -> forall x, ip y x = 0.
Proof.
by move=> dy x; apply/eqP; rewrite eq_le -oppr_ge0 -ipNr !dy.
Qed.

(** Second-order cone, without a square root: t >= 0 and |x|^2 <= t^2. *)
Definition second_order n (p : R * 'cV[R]_n) : Prop := 0 <= p.1 /\ dot p.2 p.2 <= p.1 ^+ 2.

Lemma dot_cauchy_schwarz n (u v : 'cV[R]_n) : dot u v ^+ 2 <= dot u u * dot v v.
Proof.
have := psd_cauchy_schwarz u v (psd1 R n).
by rewrite formE mul1mx !qform_mx1.
Qed.

(** The only place where a root would be taken: a^2 <= b^2 with b >= 0 gives -b <= a. *)
Lemma sqr_le_add_ge0 (a b : R) : 0 <= b -> a ^+ 2 <= b ^+ 2 -> 0 <= b + a.
Proof.
move=> b_ge0 le_sqr; rewrite leNgt; apply/negP => neg.
have diff_gt0 : 0 < b - a.
  by rewrite subr_gt0 (lt_le_trans _ b_ge0) // -(ltr_add2l b) addr0 (lt_le_trans neg).
move: le_sqr; rewrite -subr_ge0 subr_sqr leNgt; case/negP.
by rewrite pmulr_rlt0.
Qed.

Definition second_order_space n := product_space scalar_space (vector_space n).

(** With u^2 < q, a member (t, -y) of the cone that (u, y), |y|^2 = q, pairs with negatively. *)
Lemma second_order_separator (u q : R) :
  0 <= u -> u ^+ 2 < q -> exists t, [/\ 0 <= t, q <= t ^+ 2 & u * t < q].
Proof.
rewrite le_eqVlt => /orP [/eqP <- | u_gt0] lt_q.
  have q_gt0 : 0 < q by rewrite (le_lt_trans _ lt_q) ?sqr_ge0.
  exists (q + 1); split; [by rewrite addr_ge0 ?ler01 // ltW | | by rewrite mul0r].
  rewrite -subr_ge0 (_ : _ - _ = q ^+ 2 + q + 1); last by ring.
  by rewrite !addr_ge0 ?sqr_ge0 ?ler01 // ltW.
have u_nz : u != 0 by rewrite gt_eqF.
exists ((u ^+ 2 + q) / (2%:R * u)); split.
- by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?addr_ge0 ?sqr_ge0 // ltW // (le_lt_trans _ lt_q) ?sqr_ge0.
- rewrite -subr_ge0 (_ : _ - _ = ((u ^+ 2 - q) / (2%:R * u)) ^+ 2) ?sqr_ge0 //.
  by field.
rewrite (_ : u * _ = (u ^+ 2 + q) / 2%:R); last by field.
by rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_add2r.
Qed.

Theorem second_order_self_dual n (q : second_order_space n) :
  dual_of (V := second_order_space n) (@second_order n) q <-> second_order q.
Proof.
case: q => u y; split=> [dq | [/= u_ge0 y_le] [t x] [/= t_ge0 x_le]]; last first.
  apply: sqr_le_add_ge0; first exact: mulr_ge0.
  apply: le_trans (dot_cauchy_schwarz _ _) _.
  by rewrite exprMn ler_pmul ?dot_ge0.
have u_ge0 : 0 <= u.
  have := dq (1, 0); rewrite /= /pair_ip /= dot0r addr0 mulr1; apply; split=> /=; first exact: ler01.
  by rewrite dot0r sqr_ge0.
split=> //=; rewrite leNgt; apply/negP => /(second_order_separator u_ge0) [t [t_ge0 le_t lt_q]].
have := dq (t, - y); rewrite /= /pair_ip /= dotNr subr_ge0 leNgt lt_q => bad.
by apply: notF; apply: bad; split=> //=; rewrite dotNr dotNl opprK.
Qed.

(** Rotated second-order cone: a, b >= 0 and |x|^2 <= 2 a b. *)
Definition rotated n (p : R * (R * 'cV[R]_n)) : Prop :=
  [/\ 0 <= p.1, 0 <= p.2.1 & dot p.2.2 p.2.2 <= 2%:R * (p.1 * p.2.1)].

Definition rotated_space n := product_space scalar_space (second_order_space n).

Lemma rotated_separator (a b q : R) :
  0 <= a -> 0 <= b -> 2%:R * (a * b) < q ->
  exists a' b', [/\ 0 <= a', 0 <= b', q <= 2%:R * (a' * b') & a * a' + b * b' < q].
Proof.
move=> a_ge0 b_ge0 lt_q; set p := 2%:R * (a * b) in lt_q.
have p_ge0 : 0 <= p by rewrite !mulr_ge0 ?ler0n.
have q_gt0 : 0 < q := le_lt_trans p_ge0 lt_q.
have [p0 | p_nz] := eqVneq p 0.
  pose k := q / (2%:R * (a + b + 1)); have den_gt0 : 0 < a + b + 1 by rewrite ltr_paddl ?addr_ge0 ?ltr01.
  have k_gt0 : 0 < k by rewrite divr_gt0 ?mulr_gt0 ?ltr0n.
  have half : k * (a + b) < q.
    rewrite /k mulrAC ltr_pdivr_mulr ?mulr_gt0 ?ltr0n // ltr_pmul2l // -subr_gt0.
    by rewrite (_ : _ - _ = a + b + 2%:R); [rewrite ltr_paddl ?addr_ge0 ?ltr0n | ring].
  have full : 2%:R * ((a + b + 1) * k) = q by rewrite /k; field; rewrite gt_eqF.
  move: p0; rewrite /p => /eqP; rewrite !mulf_eq0 pnatr_eq0 /= => /orP [] /eqP z0.
    exists (a + b + 1), k; split; [exact: ltW | exact: ltW | by rewrite full |].
    by move: half; rewrite z0 mul0r !add0r mulrC.
  exists k, (a + b + 1); split; [exact: ltW | exact: ltW | by rewrite [k * _]mulrC full |].
  by move: half; rewrite z0 mul0r !addr0 mulrC.
have p_gt0 : 0 < p by rewrite lt0r p_nz.
pose k := (p + q) / (2%:R * p); have k_ge0 : 0 <= k.
  by apply: divr_ge0; [exact: addr_ge0 (ltW _) | exact: mulr_ge0 (ler0n _ _) _].
exists (b * k), (a * k).
have -> : 2%:R * (b * k * (a * k)) = p * k ^+ 2 by rewrite /p; ring.
have -> : a * (b * k) + b * (a * k) = p * k by rewrite /p; ring.
split; [exact: mulr_ge0 | exact: mulr_ge0 | |]; rewrite /k {k k_ge0}; clearbody p.
  rewrite -subr_ge0 (_ : _ - _ = (p - q) ^+ 2 / (2%:R ^+ 2 * p)); last by field.
  by rewrite divr_ge0 ?sqr_ge0 // mulr_ge0 ?sqr_ge0.
rewrite (_ : p * _ = (p + q) / 2%:R); last by field.
by rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_add2r.
Qed.

Theorem rotated_self_dual n (q : rotated_space n) : dual_of (V := rotated_space n) (@rotated n) q <-> rotated q.
Proof.
case: q => a [b y]; split=> [dq | [/= a_ge0 b_ge0 y_le] [a' [b' x]] [/= a'_ge0 b'_ge0 x_le]]; last first.
  rewrite /= /pair_ip /= /pair_ip /= addrA; apply: sqr_le_add_ge0; first by rewrite addr_ge0 ?mulr_ge0.
  apply: le_trans (dot_cauchy_schwarz _ _) _.
  apply: (@le_trans _ _ ((2%:R * (a * b)) * (2%:R * (a' * b')))); first by rewrite ler_pmul ?dot_ge0.
  by rewrite -subr_ge0 (_ : _ - _ = (a * a' - b * b') ^+ 2) ?sqr_ge0 //; ring.
have a_ge0 : 0 <= a.
  have := dq (1, (0, 0)); rewrite /= /pair_ip /= /pair_ip /= dot0r mulr0 !addr0 mulr1; apply; split=> /=.
  - exact: ler01.
  - exact: lexx.
  by rewrite dot0r !mulr0.
have b_ge0 : 0 <= b.
  have := dq (0, (1, 0)); rewrite /= /pair_ip /= /pair_ip /= dot0r mulr0 addr0 add0r mulr1; apply; split=> /=.
  - exact: lexx.
  - exact: ler01.
  by rewrite dot0r mul0r mulr0.
split=> //=; rewrite leNgt; apply/negP => /(rotated_separator a_ge0 b_ge0) [a' [b' [a'_ge0 b'_ge0 le_ab lt_q]]].
have := dq (a', (b', - y)); rewrite /= /pair_ip /= /pair_ip /= dotNr addrA subr_ge0 leNgt lt_q => bad.
by apply: notF; apply: bad; split=> //=; rewrite dotNr dotNl opprK.
Qed.

(** PSD matrices under the trace inner product. *)
Theorem psd_cone_self_dual n (S : matrix_space n) : S^T = S -> dual_of (V := matrix_space n) (@psd R n) S <-> psd S.
Proof.
move=> symS; split=> [dS | pS X pX]; last exact: psd_inner_ge0.
by apply: psd_self_dual => // B pB; rewrite innerC; apply: dS.
Qed.

(** Products: the dual of a product is the product of the duals. *)
Definition product (V W : innerSpace R) (K : V -> Prop) (L : W -> Prop) (p : V * W) : Prop :=
  K p.1 /\ L p.2.

(** The direction that the checker uses holds for any two sets. *)
Lemma product_dual_sound (V W : innerSpace R) (K : V -> Prop) (L : W -> Prop) (q : product_space V W) :
  product (dual_of K) (dual_of L) q -> dual_of (V := product_space V W) (product K L) q.
Proof. by move=> [dK dL] x [Kx Lx]; rewrite /= addr_ge0 ?dK ?dL. Qed.

Theorem product_dual (V W : innerSpace R) (K : V -> Prop) (L : W -> Prop) (q : product_space V W) :
  K 0 -> L 0 -> dual_of (V := product_space V W) (product K L) q <-> product (dual_of K) (dual_of L) q.
Proof.
move=> K0 L0; split=> [dq | ]; last exact: product_dual_sound.
split=> x mem_x.
  by have := dq (x, 0) (conj mem_x L0); rewrite /= /pair_ip /= ip0r addr0.
by have := dq (0, x) (conj K0 mem_x); rewrite /= /pair_ip /= ip0r add0r.
Qed.

(** On a product an exposing vector exposes each block. *)
Theorem product_exposed (V W : innerSpace R) (K : V -> Prop) (L : W -> Prop) (z x : product_space V W) :
  product (dual_of K) (dual_of L) z -> product K L x -> ip z x = 0 -> ip z.1 x.1 = 0 /\ ip z.2 x.2 = 0.
Proof.
move=> [dK dL] [Kx Lx] /eqP; rewrite paddr_eq0 ?dK ?dL //.
by case/andP=> /eqP -> /eqP ->.
Qed.

(** ** Products of any number of cones *)

Inductive cone :=
  | Free of nat
  | Zero of nat
  | Nonnegative of nat
  | SecondOrder of nat
  | Rotated of nat
  | PositiveSemidefinite of nat
  | Product of cone & cone.

Fixpoint space (c : cone) : innerSpace R :=
  match c with
  | Free n | Zero n | Nonnegative n => vector_space n
  | SecondOrder n => second_order_space n
  | Rotated n => rotated_space n
  | PositiveSemidefinite n => matrix_space n
  | Product c1 c2 => product_space (space c1) (space c2)
  end.

Fixpoint in_cone (c : cone) : space c -> Prop :=
  match c with
  | Free n => @everything (vector_space n)
  | Zero n => @origin (vector_space n)
  | Nonnegative n => @nonnegative n
  | SecondOrder n => @second_order n
  | Rotated n => @rotated n
  | PositiveSemidefinite n => @psd R n
  | Product c1 c2 => fun p => in_cone p.1 /\ in_cone p.2
  end.

(** What the checker tests of a dual slack: free and zero blocks change places, the rest stay. *)
Fixpoint in_dual_cone (c : cone) : space c -> Prop :=
  match c with
  | Free n => @origin (vector_space n)
  | Zero n => @everything (vector_space n)
  | Nonnegative n => @nonnegative n
  | SecondOrder n => @second_order n
  | Rotated n => @rotated n
  | PositiveSemidefinite n => @psd R n
  | Product c1 c2 => fun p => in_dual_cone p.1 /\ in_dual_cone p.2
  end.

(** PSD blocks of the data are symmetric. *)
Fixpoint symmetric_blocks (c : cone) : space c -> Prop :=
  match c with
  | PositiveSemidefinite n => fun S => S^T = S
  | Product c1 c2 => fun p => symmetric_blocks p.1 /\ symmetric_blocks p.2
  | _ => fun _ => True
  end.

Lemma in_cone0 c : in_cone (0 : space c).
Proof.
elim: c => [n | n | n | n | n | n | c1 IH1 c2 IH2] //=.
- by move=> i; rewrite mxE.
- by split=> //=; rewrite dot0r expr0n.
- by split=> //=; rewrite dot0r mulr0 mulr0.
- exact: psd0.
Qed.

(** Membership in the dual cone, block by block, is exactly nonnegativity against the whole cone. *)
Theorem dual_cone_sound c (y : space c) : in_dual_cone y -> dual_of (@in_cone c) y.
Proof.
elim: c y => [n | n | n | n | n | n | c1 IH1 c2 IH2] y /=.
- by move=> -> x _; rewrite ip0l.
- by move=> _ x ->; rewrite ip0r.
- by move/nonnegative_self_dual.
- by move/second_order_self_dual.
- by move/rotated_self_dual.
- by move=> pS X; apply: psd_inner_ge0.
- by case=> /IH1 dy1 /IH2 dy2 x [/dy1 ge1 /dy2 ge2]; apply: addr_ge0.
Qed.

Theorem dual_cone_complete c (y : space c) :
  symmetric_blocks y -> dual_of (@in_cone c) y -> in_dual_cone y.
Proof.
elim: c y => [n | n | n | n | n | n | c1 IH1 c2 IH2] y /=.
- by move=> _ /everything_dual dy; apply: dot_eq0; apply: dy.
- by [].
- by move=> _ /nonnegative_self_dual.
- by move=> _ /second_order_self_dual.
- by move=> _ /rotated_self_dual.
- by move=> symS /psd_cone_self_dual; apply.
- case=> sym1 sym2 /product_dual; case; [exact: in_cone0 | exact: in_cone0 |].
  by move=> d1 d2; split; [apply: IH1 | apply: IH2].
Qed.

End Cones.

(** ** Rules "bracket" and "infeasible" for the products of cones above *)

Section ConicRules.

Variables (R : realFieldType) (c : cone) (m : nat).
Variables (C : space R c) (A : 'I_m -> space R c) (b : 'I_m -> R).

Definition conic_primal (X : space R c) : Prop := in_cone X /\ equations A b X.
Definition conic_dual (y : 'I_m -> R) : Prop := in_dual_cone (slack C A y).

Theorem conic_rule_bracket X y : conic_primal X -> conic_dual y -> dual_objective b y <= ip C X.
Proof. by move=> pX /dual_cone_sound; apply: conic_weak_duality. Qed.

Theorem conic_rule_primal_infeasible y :
  0 < dual_objective b y -> in_dual_cone (- combination A y) -> forall X, ~ conic_primal X.
Proof. by move=> pos /dual_cone_sound; apply: farkas_primal. Qed.

Theorem conic_rule_dual_infeasible X :
  in_cone X -> (forall i, ip (A i) X = 0) -> ip C X < 0 -> forall y, ~ conic_dual y.
Proof.
by move=> KX orth neg y /dual_cone_sound; apply: (farkas_dual orth neg); apply: bidual.
Qed.

End ConicRules.
