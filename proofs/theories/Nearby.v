(** * A feasible point near an approximate one (conic programs, theory.md section 7)

    The checker never writes down the exact solution of the equations.  It proves that the least
    correction exists, bounds its length, and shows that a ball of that radius around the approximate
    point lies in the cone. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd Conic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The correction exists and is short *)

Section Correction.

Variables (R : realFieldType) (V : innerSpace R) (m : nat).
Variables (A : 'I_m -> V) (b : 'I_m -> R).

Definition gram : 'M[R]_m := \matrix_(i, j) ip (A i) (A j).
Definition residual (X : V) : 'cV[R]_m := \col_i (b i - ip (A i) X).

(** The length bound: sum_i r_i^2 / (t G_ii). *)
Definition correction_bound (share : R) (X : V) : R :=
  \sum_i residual X i 0 ^+ 2 / (share * gram i i).

(** A Gram matrix bounded below by a share of its diagonal: t > 0, G - t diag(G) PSD, G_ii > 0. *)
Definition bounded_below (share : R) : Prop :=
  [/\ 0 < share, forall i, 0 < gram i i & psd (gram - share *: diag_mx (\row_i gram i i))].

Lemma gram_combination (u : 'cV[R]_m) i :
  ip (A i) (\sum_j u j 0 *: A j) = (gram *m u) i 0.
Proof.
by rewrite ipC ip_suml !mxE; apply: eq_bigr => j _; rewrite ipZl !mxE ipC mulrC.
Qed.

Lemma ip_combination_self (u : 'cV[R]_m) :
  ip (\sum_j u j 0 *: A j) (\sum_j u j 0 *: A j) = qform gram u.
Proof.
rewrite {1}ip_suml /qform formE dotE; apply: eq_bigr => i _.
by rewrite ipZl gram_combination.
Qed.

Lemma square_over (r c : R) : c != 0 -> c * (r / c) ^+ 2 = r ^+ 2 / c.
Proof. by move=> c_nz; field. Qed.

Theorem correction_exists share X :
  bounded_below share ->
  exists D, equations A b (X + D) /\ ip D D <= correction_bound share X.
Proof.
case=> share_gt0 diag_gt0; set g : 'rV_m := \row_i gram i i => pG.
pose u : 'cV_m := \col_i (residual X i 0 / (share * g 0 i)).
have pivots_gt0 i : 0 < (share *: g) 0 i by rewrite mxE [g _ _]mxE mulr_gt0.
have defM : share *: diag_mx g = diag_mx (share *: g) by rewrite linearZ.
rewrite defM in pG; have pM : psd (diag_mx (share *: g)) by apply/psd_diag => i; apply: ltW.
have budget : psd (bordered gram (residual X) (correction_bound share X)).
  apply: psd_bordered_mono pG _; apply/psd_borderedP; split=> //; exists u; split.
    apply/colP => i; rewrite mul_diag_mx [RHS]mxE [u _ _]mxE [(share *: g) 0 i]mxE.
    by rewrite mulrC divfK //; have := pivots_gt0 i; rewrite mxE => /gt_eqF ->.
  rewrite qform_diag le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _.
  have nz : share * g 0 i != 0 by have := pivots_gt0 i; rewrite mxE => /gt_eqF ->.
  rewrite [u _ _]mxE [(share *: g) 0 i]mxE (_ : gram i i = g 0 i); last by rewrite [RHS]mxE.
  exact: square_over.
have [_ [v [def_r le_v]]] := (psd_borderedP _ _ _).1 budget.
exists (\sum_j v j 0 *: A j); rewrite ip_combination_self; split=> // i.
by rewrite ipDr gram_combination -def_r mxE addrC subrK.
Qed.

(** Equations that follow from the kept ones need no correction of their own. *)
Lemma dropped_equation (c : 'I_m -> R) (a : V) (beta : R) X :
  a = \sum_i c i *: A i -> beta = \sum_i c i * b i -> equations A b X -> ip a X = beta.
Proof. by move=> -> -> eqs; rewrite ip_suml; apply: eq_bigr => i _; rewrite ipZl eqs. Qed.

(** Rule "nearby point": when every point within radius of X0 lies in F, a feasible point exists, and
    its objective exceeds that of X0 by at most |C| radius. *)
Theorem nearby_point (F : V -> Prop) (C X : V) share radius norm :
  bounded_below share -> 0 <= radius -> 0 <= norm ->
  correction_bound share X <= radius ^+ 2 -> ip C C <= norm ^+ 2 ->
  (forall D, ip D D <= radius ^+ 2 -> F (X + D)) ->
  exists Y, [/\ F Y, equations A b Y & ip C Y <= ip C X + norm * radius].
Proof.
move=> below radius_ge0 norm_ge0 le_radius le_norm margin.
have [D [eqs le_D]] := correction_exists X below; have le_D2 := le_trans le_D le_radius.
exists (X + D); split=> //; first exact: margin.
rewrite ipDr ler_add2l -subr_ge0; apply: sqr_le_add_ge0; first exact: mulr_ge0.
by rewrite sqrrN exprMn (le_trans (ip_cauchy_schwarz _ _)) // ler_pmul ?ip_ge0.
Qed.

End Correction.

(** ** The interior absorbs the correction, cone by cone *)

Section Margin.

Variable R : realFieldType.

(** A symmetric D with |D|_F <= rho has D >= -rho I. *)
Theorem psd_margin n (X D : 'M[R]_n) radius :
  0 <= radius -> D^T = D -> psd (X - radius%:M) -> inner D D <= radius ^+ 2 -> psd (X + D).
Proof.
move=> radius_ge0 symD pX le_D; have -> : X + D = (X - radius%:M) + (radius%:M + D) by rewrite addrA subrK.
apply: psdD => //; split=> [|v]; first by rewrite linearD /= tr_scalar_mx symD.
rewrite qformE qform_mxD qform_scalar; apply: sqr_le_add_ge0; first by rewrite mulr_ge0 ?dot_ge0.
rewrite -inner_rank1; apply: le_trans (ip_cauchy_schwarz (V := matrix_space R n) _ _) _.
rewrite /= inner_rank1 qform_rank1 exprMn mulrC ler_pmul ?inner_ge0 ?sqr_ge0 //.
Qed.

Lemma dot_entry_le n (x : 'cV[R]_n) i : x i 0 ^+ 2 <= dot x x.
Proof.
rewrite dotE (bigD1 i) //= -expr2 ler_addl sumr_ge0 // => j _.
by rewrite -expr2 sqr_ge0.
Qed.

Theorem nonnegative_margin n (x z : 'cV[R]_n) radius :
  0 <= radius -> (forall i, radius <= x i 0) -> dot z z <= radius ^+ 2 -> nonnegative (x + z).
Proof.
move=> radius_ge0 x_ge le_z i; rewrite mxE.
have : 0 <= radius + z i 0 by apply: sqr_le_add_ge0 => //; apply: le_trans (dot_entry_le _ _) le_z.
by move/le_trans; apply; rewrite ler_add2r.
Qed.

Lemma second_orderD n (p q : R * 'cV[R]_n) : second_order p -> second_order q -> second_order (p + q).
Proof.
move=> /(@second_order_self_dual _ n) dp /(@second_order_self_dual _ n) dq.
exact/(@second_order_self_dual _ n)/dual_ofD.
Qed.

Lemma rotatedD n (p q : R * (R * 'cV[R]_n)) : rotated p -> rotated q -> rotated (p + q).
Proof.
move=> /(@rotated_self_dual _ n) dp /(@rotated_self_dual _ n) dq.
exact/(@rotated_self_dual _ n)/dual_ofD.
Qed.

(** Taking 3/2 rho off the head of a second-order vector leaves room for a ball of radius rho. *)
Theorem second_order_margin n (t tau : R) (x z : 'cV[R]_n) radius :
  0 <= radius -> second_order (t - 3%:R / 2%:R * radius, x) -> tau ^+ 2 + dot z z <= radius ^+ 2 ->
  second_order (t + tau, x + z).
Proof.
move=> radius_ge0 inside le_ball.
have ball : second_order (3%:R / 2%:R * radius + tau, z).
  have tau_le : tau ^+ 2 <= radius ^+ 2 by apply: le_trans le_ball; rewrite ler_addl dot_ge0.
  split=> /=.
    have := sqr_le_add_ge0 radius_ge0 tau_le; move/le_trans; apply; rewrite ler_add2r.
    by rewrite -subr_ge0 (_ : _ - _ = radius / 2%:R) ?divr_ge0 ?ler0n //; field.
  have le_z : dot z z <= radius ^+ 2 - tau ^+ 2 by rewrite ler_subr_addl.
  apply: le_trans le_z _; rewrite -subr_ge0.
  rewrite (_ : _ - _ = 2%:R * (tau + 3%:R / 4%:R * radius) ^+ 2 + radius ^+ 2 / 8%:R); last by field.
  by apply: addr_ge0; [apply: mulr_ge0 | apply: divr_ge0]; rewrite ?sqr_ge0 ?ler0n.
have := second_orderD inside ball; congr (second_order (_, _)); rewrite /=; ring.
Qed.

(** Taking rho off both heads of a rotated vector leaves room for a ball of radius rho. *)
Theorem rotated_margin n (u v a c : R) (x z : 'cV[R]_n) radius :
  0 <= radius -> rotated (u - radius, (v - radius, x)) ->
  a ^+ 2 + (c ^+ 2 + dot z z) <= radius ^+ 2 -> rotated (u + a, (v + c, x + z)).
Proof.
move=> radius_ge0 inside le_ball.
have head_ge0 e : e ^+ 2 <= radius ^+ 2 -> 0 <= radius + e by apply: sqr_le_add_ge0.
have ball : rotated (radius + a, (radius + c, z)).
  split=> /=.
  - by apply/head_ge0/(le_trans _ le_ball); rewrite ler_addl addr_ge0 ?sqr_ge0 ?dot_ge0.
  - by apply/head_ge0/(le_trans _ le_ball); rewrite addrCA ler_addl addr_ge0 ?sqr_ge0 ?dot_ge0.
  have le_z : dot z z <= radius ^+ 2 - a ^+ 2 - c ^+ 2 by rewrite -addrA -opprD ler_subr_addl -addrA.
  apply: le_trans le_z _; rewrite -subr_ge0 (_ : _ - _ = (radius + a + c) ^+ 2) ?sqr_ge0 //.
  ring.
have := rotatedD inside ball; rewrite /=; congr (rotated (_, (_, _))); rewrite /=; ring.
Qed.

End Margin.
