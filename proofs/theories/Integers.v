(** * Matrices of binary integers

    The executable part of the proof checker: vectors and matrices as lists of binary integers, fast
    under vm_compute, and for each operation the matrix over an arbitrary ordered field that its
    result stands for.  A missing entry is zero, so every operation is total. *)

(* In this order the keys Z and Q mean binary integers and their fractions, and N natural numbers. *)
From mathcomp Require Import all_ssreflect all_algebra ssrZ.
From Coq Require Import ZArith Lia.
From mathcomp Require Import ssrnat ring.
From Certify Require Import Psd.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

(** ** Operations *)

Definition vector := seq Z.
Definition rows := seq vector.

Definition entry (A : rows) (i j : nat) : Z := nth 0%Z (nth [::] A i) j.

(** Exactly m rows of exactly n entries. *)
Definition shape (m n : nat) (A : rows) : bool := (size A == m) && all (fun r => size r == n) A.

Fixpoint product (u v : vector) : Z :=
  match u, v with
  | a :: u', b :: v' => (a * b + product u' v')%Z
  | _, _ => 0%Z
  end.

Fixpoint combine (f : Z -> Z -> Z) (u v : vector) : vector :=
  match u, v with
  | a :: u', b :: v' => f a b :: combine f u' v'
  | _, _ => [::]
  end.

Fixpoint combine_rows (f : Z -> Z -> Z) (A B : rows) : rows :=
  match A, B with
  | u :: A', v :: B' => combine f u v :: combine_rows f A' B'
  | _, _ => [::]
  end.

(** A B^T. *)
Definition times_transpose (A B : rows) : rows := [seq [seq product u v | v <- B] | u <- A].

(** A diag(w) B^T. *)
Definition weighted_product (w : vector) (A B : rows) : rows :=
  times_transpose [seq combine Z.mul w u | u <- A] B.

Definition transpose (n : nat) (A : rows) : rows := mkseq (fun j => [seq nth 0%Z u j | u <- A]) n.

Definition scalar_rows (n : nat) (a : Z) : rows :=
  mkseq (fun i => mkseq (fun j => if i == j then a else 0%Z) n) n.

Definition equal_rows (A B : rows) : bool := all2 (all2 Z.eqb) A B.

(** The leading bits: each entry divided by 2^bits, rounded down. *)
Definition shift_right (bits : N) (u : vector) : vector := [seq Z.shiftr a (Z.of_N bits) | a <- u].

Definition sum_abs (u : vector) : Z := foldr (fun a s => (Z.abs a + s)%Z) 0%Z u.

(** The absolute sum of each row is below twice its diagonal entry. *)
Fixpoint dominant_from (below : Z -> Z -> bool) (i : nat) (A : rows) : bool :=
  if A is u :: A' then below (sum_abs u) (2 * nth 0 u i)%Z && dominant_from below i.+1 A' else true.

Definition trace_product (A B : rows) : Z := foldr Z.add 0%Z [seq product u.1 u.2 | u <- zip A B].

(** ** PSD witness *)

(** scale A = factor diag(weights) factor^T + rest, with a diagonally dominant rest. *)
Record psd_witness := PsdWitness { scale : Z; weights : vector; factor : rows }.

Definition psd_rest (A : rows) (w : psd_witness) : rows :=
  combine_rows (fun a b => scale w * a - b)%Z A (weighted_product (weights w) (factor w) (factor w)).

Definition check_squares (below : Z -> Z -> bool) (n : nat) (A : rows) (w : psd_witness) : bool :=
  [&& shape n n A, equal_rows A (transpose n A), shape n (size (weights w)) (factor w),
      (0 <? scale w)%Z, all (Z.leb 0) (weights w) & dominant_from below 0 (psd_rest A w)].

Definition check_psd := check_squares Z.leb.

(** Positive definite: the dominance is strict. *)
Definition check_pd := check_squares Z.ltb.

(** *** A product is bounded below by the product of the leading bits *)

Section LeadingBits.

Local Open Scope Z_scope.

Lemma product_remainder u v w : 0 <= v -> v < w -> - (Z.abs u * w) <= u * v.
Proof. by nia. Qed.

Lemma product_shift_entry A B a b :
  0 < A -> 0 < B ->
  A * B * (a / A * (b / B) - (Z.abs (a / A) + Z.abs (b / B))) <= a * b.
Proof.
move=> A_gt0 B_gt0.
have [[s_ge0 s_lt] [t_ge0 t_lt]] := (Z.mod_pos_bound a A A_gt0, Z.mod_pos_bound b B B_gt0).
have eq_a : a = A * (a / A) + a mod A by apply: Z.div_mod; lia.
have eq_b : b = B * (b / B) + b mod B by apply: Z.div_mod; lia.
move: (a / A) (b / B) (a mod A) (b mod B) s_ge0 s_lt t_ge0 t_lt eq_a eq_b.
move=> x y s t s_ge0 s_lt t_ge0 t_lt -> ->.
have := @product_remainder x t B t_ge0 t_lt; have := @product_remainder y s A s_ge0 s_lt.
move=> /(Z.mul_le_mono_nonneg_l _ _ B (Z.lt_le_incl _ _ B_gt0)) le_y.
move=> /(Z.mul_le_mono_nonneg_l _ _ A (Z.lt_le_incl _ _ A_gt0)) le_x.
have := Z.mul_nonneg_nonneg _ _ s_ge0 t_ge0; lia.
Qed.

Lemma sum_abs_ge0 u : 0 <= sum_abs u.
Proof. by elim: u => [|a u IHu] /=; lia. Qed.

Lemma product_shift i j u v :
  2 ^ Z.of_N (i + j) *
    (product (shift_right i u) (shift_right j v) - (sum_abs (shift_right i u) + sum_abs (shift_right j v)))
  <= product u v.
Proof.
rewrite N2Z.inj_add Z.pow_add_r; try lia.
have [A_gt0 B_gt0] : 0 < 2 ^ Z.of_N i /\ 0 < 2 ^ Z.of_N j by split; apply: Z.pow_pos_nonneg; lia.
elim: u v => [|a u IHu] [|b v].
- by rewrite /= Z.mul_0_r.
- apply: Z.mul_nonneg_nonpos; first by apply/Z.lt_le_incl/Z.mul_pos_pos.
  by have := @sum_abs_ge0 (shift_right j (b :: v)); rewrite /=; lia.
- apply: Z.mul_nonneg_nonpos; first by apply/Z.lt_le_incl/Z.mul_pos_pos.
  by have := @sum_abs_ge0 (shift_right i (a :: u)); rewrite /=; lia.
have := IHu v; have := @product_shift_entry _ _ a b A_gt0 B_gt0.
rewrite -!Z.shiftr_div_pow2 /=; try exact: N2Z.is_nonneg.
by move: (Z.shiftr _ _) (Z.shiftr _ _) => x y; lia.
Qed.

End LeadingBits.

(** ** What the operations compute *)

Section Meaning.

Local Open Scope ring_scope.

Variable R : realFieldType.

(** The integer, and the matrix of integers, inside the ordered field R. *)
Definition ofZ (a : Z) : R := (int_of_Z a)%:~R.
Definition mx (m n : nat) (A : rows) : 'M[R]_(m, n) := \matrix_(i, j) ofZ (entry A i j).

Lemma ofZD a b : ofZ (a + b)%Z = ofZ a + ofZ b.
Proof. by rewrite /ofZ -rmorphD -rmorphD. Qed.

Lemma ofZM a b : ofZ (a * b)%Z = ofZ a * ofZ b.
Proof. by rewrite /ofZ -rmorphM -rmorphM. Qed.

Lemma ofZN a : ofZ (- a)%Z = - ofZ a.
Proof. by rewrite /ofZ -rmorphN -rmorphN. Qed.

Lemma ofZB a b : ofZ (a - b)%Z = ofZ a - ofZ b.
Proof. by rewrite -Z.add_opp_r ofZD ofZN. Qed.

Lemma ofZ0 : ofZ 0%Z = 0. Proof. by []. Qed.
Lemma ofZ1 : ofZ 1%Z = 1. Proof. by []. Qed.

Lemma ofZ_pos p : 0 < ofZ (Zpos p).
Proof. by rewrite /ofZ ltr0z ltz_nat; apply/ssrnat.ltP/Pos2Nat.is_pos. Qed.

Lemma ofZ_ge0 a : (0 <=? a)%Z -> 0 <= ofZ a.
Proof. by case: a => // p _; rewrite ltW ?ofZ_pos. Qed.

Lemma ofZ_gt0 a : (0 <? a)%Z -> 0 < ofZ a.
Proof. by case: a => // p _; apply: ofZ_pos. Qed.

Lemma ofZ_le a b : (a <=? b)%Z -> ofZ a <= ofZ b.
Proof.
by move=> /Z.leb_le/Z.le_0_sub le_ab; rewrite -subr_ge0 -ofZB; apply/ofZ_ge0/Z.leb_le.
Qed.

Lemma ofZ_lt a b : (a <? b)%Z -> ofZ a < ofZ b.
Proof. by move=> /Z.ltb_lt/Z.lt_0_sub lt_ab; rewrite -subr_gt0 -ofZB; apply/ofZ_gt0/Z.ltb_lt. Qed.

Lemma ofZ_abs a : ofZ (Z.abs a) = `|ofZ a|.
Proof.
case: a => [|p|p] /=; first by rewrite normr0.
  by rewrite gtr0_norm ?ofZ_pos.
by rewrite (ofZN (Zpos p)) normrN gtr0_norm ?ofZ_pos.
Qed.

(** *** Vectors *)

Lemma product_nil u : product u [::] = 0%Z.
Proof. by case: u. Qed.

Lemma productE n u v :
  (size u <= n)%N -> ofZ (product u v) = \sum_(k < n) ofZ (nth 0%Z u k) * ofZ (nth 0%Z v k).
Proof.
elim: u v n => [|a u IHu] [|b v] n le_n; rewrite ?product_nil /=.
- by rewrite big1 // => k _; rewrite nth_nil ofZ0 mul0r.
- by rewrite big1 // => k _; rewrite nth_nil ofZ0 mul0r.
- by rewrite big1 // => k _; rewrite [X in _ * ofZ X]nth_nil ofZ0 mulr0.
case: n le_n => // n le_n; rewrite big_ord_recl ofZD ofZM (IHu v n) //.
Qed.

Lemma nth_combine f u v k :
  (k < size u)%N -> (k < size v)%N -> nth 0%Z (combine f u v) k = f (nth 0%Z u k) (nth 0%Z v k).
Proof. by elim: u v k => [|a u IHu] [|b v] [|k] //=; apply: IHu. Qed.

Lemma size_combine f u v : size (combine f u v) = minn (size u) (size v).
Proof. by elim: u v => [|a u IHu] [|b v] //=; rewrite IHu minnSS. Qed.

Lemma sum_absE n u : size u = n -> ofZ (sum_abs u) = \sum_(k < n) `|ofZ (nth 0%Z u k)|.
Proof.
elim: u n => [|a u IHu] [|n] //= => [_|[size_u]]; first by rewrite big_ord0.
by rewrite big_ord_recl ofZD ofZ_abs (IHu n).
Qed.

(** *** Shapes *)

Lemma shape_size m n A : shape m n A -> size A = m.
Proof. by case/andP=> /eqP. Qed.

Lemma shape_row m n A i : shape m n A -> (i < m)%N -> size (nth [::] A i) = n.
Proof. by case/andP=> /eqP <- /all_nthP h /(h [::]) /eqP. Qed.

Lemma shape_row_le m n A i : shape m n A -> (size (nth [::] A i) <= n)%N.
Proof.
move=> sA; case: (ltnP i m) => [/(shape_row sA)->//|le_m].
by rewrite nth_default // (shape_size sA).
Qed.

Lemma shape_map f m n p A : (forall u, size u = n -> size (f u) = p) -> shape m n A -> shape m p (map f A).
Proof.
move=> size_f /andP[/eqP sA /allP rowsA]; rewrite /shape size_map sA eqxx /= all_map.
by apply/allP => u /rowsA /eqP /size_f /= ->.
Qed.

Lemma shape_mkseq m n f : (forall i, size (f i) = n) -> shape m n (mkseq f m).
Proof.
by move=> size_f; rewrite /shape size_mkseq eqxx all_map; apply/allP => i _ /=; rewrite size_f.
Qed.

Lemma shape_times_transpose m n p A B : shape m n A -> shape p n B -> shape m p (times_transpose A B).
Proof. by move=> sA sB; apply: shape_map sA => u _; rewrite size_map (shape_size sB). Qed.

Lemma shape_combine_rows f m n A B : shape m n A -> shape m n B -> shape m n (combine_rows f A B).
Proof.
elim: A B m => [|u A IHA] [|v B] [|m] //= /andP[eqA /andP[/eqP su sA]] /andP[eqB /andP[/eqP sv sB]].
have /andP[/eqP sAB rAB] : shape m n (combine_rows f A B).
  by apply: IHA; apply/andP; split.
by rewrite /shape /= sAB rAB size_combine su sv minnn !eqxx.
Qed.

Lemma shape_transpose m n A : shape m n A -> shape n m (transpose n A).
Proof. by move=> sA; apply: shape_mkseq => j; rewrite size_map (shape_size sA). Qed.

Lemma shape_scalar n a : shape n n (scalar_rows n a).
Proof. by apply: shape_mkseq => i; rewrite size_mkseq. Qed.

(** *** Matrices *)

Lemma mx_times_transpose m n p A B :
  shape m n A -> mx m p (times_transpose A B) = mx m n A *m (mx p n B)^T.
Proof.
move=> sA; apply/matrixP => i j; rewrite !mxE.
have -> : entry (times_transpose A B) i j = product (nth [::] A i) (nth [::] B j).
  rewrite /entry /times_transpose; case: (ltnP i (size A)) => [lt_i|le_i]; last first.
    by rewrite [X in nth _ X _]nth_default ?size_map // nth_nil [nth _ A i]nth_default.
  rewrite (nth_map [::]) //; case: (ltnP j (size B)) => [lt_j|le_j]; first by rewrite (nth_map [::]).
  by rewrite nth_default ?size_map // [nth _ B j]nth_default // product_nil.
rewrite (productE _ (shape_row_le i sA)); apply: eq_bigr => k _.
by rewrite !mxE.
Qed.

Lemma entry_combine_rows f m n A B (i : 'I_m) (j : 'I_n) :
  shape m n A -> shape m n B -> entry (combine_rows f A B) i j = f (entry A i j) (entry B i j).
Proof.
move=> sA sB; rewrite /entry -nth_combine ?(shape_row sA) ?(shape_row sB) //; congr (nth _ _ _).
have : (i < size A)%N /\ (i < size B)%N by rewrite (shape_size sA) (shape_size sB).
move: (i : nat) => {sA sB} k; elim: A B k => [|u A IHA] [|v B] [|k] //= [] // lt_A lt_B.
exact: IHA.
Qed.

Lemma mx_transpose m n A : shape m n A -> mx n m (transpose n A) = (mx m n A)^T.
Proof.
move=> sA; apply/matrixP => i j; rewrite !mxE /entry /transpose nth_mkseq //.
by rewrite (nth_map [::]) // (shape_size sA).
Qed.

Lemma mx_scalar n a : mx n n (scalar_rows n a) = (ofZ a)%:M.
Proof.
apply/matrixP => i j; rewrite !mxE /entry /scalar_rows !nth_mkseq //.
by rewrite -val_eqE; case: eqP => //= _; rewrite mulr0n.
Qed.

Lemma mx_weight w A n r :
  shape n r A -> size w = r ->
  mx n r [seq combine Z.mul w u | u <- A] = mx n r A *m diag_mx (\row_k ofZ (nth 0%Z w k)).
Proof.
move=> sA size_w; apply/matrixP => i j; rewrite mul_mx_diag !mxE /entry.
by rewrite (nth_map [::]) ?(shape_size sA) // nth_combine ?size_w ?(shape_row sA) // ofZM mulrC.
Qed.

Lemma equal_rowsP A B : equal_rows A B -> A = B.
Proof.
have eq_vec u v : all2 Z.eqb u v -> u = v.
  by elim: u v => [|a u IHu] [|b v] //= /andP[/Z.eqb_spec -> /IHu ->].
by elim: A B => [|u A IHA] [|v B] //= /andP[/eq_vec -> /IHA ->].
Qed.

Lemma dominant_row below k A i :
  dominant_from below k A -> (i < size A)%N ->
  below (sum_abs (nth [::] A i)) (2 * entry A i (k + i))%Z.
Proof.
elim: A k i => //= u A IHA k [|i] /andP[dom_u dom_A] lt_i; first by rewrite addn0.
by have := IHA k.+1 i dom_A lt_i; rewrite addSnnS.
Qed.

(** ** Soundness of the PSD witness *)

Lemma psd_restE n r A w :
  shape n n A -> shape n r (factor w) -> size (weights w) = r ->
  mx n n (psd_rest A w) =
    ofZ (scale w) *: mx n n A
    - mx n r (factor w) *m diag_mx (\row_k ofZ (nth 0%Z (weights w) k)) *m (mx n r (factor w))^T.
Proof.
move=> sA sF size_w.
have sW : shape n r [seq combine Z.mul (weights w) u | u <- factor w].
  by apply: shape_map sF => u su; rewrite size_combine size_w su minnn.
rewrite -mx_weight // -mx_times_transpose //; apply/matrixP => i j; rewrite !mxE.
by rewrite (entry_combine_rows _ i j sA (shape_times_transpose sW sF)) ofZB ofZM.
Qed.

(** Off the diagonal, from the absolute sum of the whole row. *)
Lemma rest_of_row n (A : 'M[R]_n) i :
  \sum_(j | j != i) `|A i j| <= \sum_j `|A i j| - A i i.
Proof. by rewrite [\sum_j _](bigD1 i) //= addrAC ler_addr subr_ge0 ler_norm. Qed.

Lemma squares_sound below n A w :
  check_squares below n A w ->
  exists2 S : 'M[R]_n, psd S & exists2 E : 'M[R]_n,
    E^T = E /\ (forall i, exists2 u, ofZ (sum_abs u) = \sum_j `|E i j| &
                 exists2 a, ofZ a = E i i & below (sum_abs u) (2 * a)%Z)
    & exists2 c, 0 < c & mx n n A = c *: (E + S).
Proof.
case/and5P=> sA /equal_rowsP symA sF scale_gt0 /andP[weights_ge0 dom]; set r := size (weights w) in sF.
have restE := psd_restE sA sF (erefl r).
set F := mx n r _ in restE; set D := diag_mx _ in restE; set c := ofZ (scale w) in restE.
have c_gt0 : 0 < c by apply: ofZ_gt0.
have symM : (mx n n A)^T = mx n n A by rewrite -mx_transpose // -symA.
have sR : shape n n (psd_rest A w).
  apply: shape_combine_rows => //; apply: (shape_times_transpose _ sF).
  by apply: shape_map sF => u su; rewrite size_combine su minnn.
exists (F *m D *m F^T).
  by apply/psd_congr/psd_diag => i; rewrite mxE ofZ_ge0 //; apply: (all_nthP _ weights_ge0).
exists (mx n n (psd_rest A w)); last first.
  exists c^-1; first by rewrite invr_gt0.
  by rewrite restE subrK scalerA mulVf ?scale1r // gt_eqF.
split=> [|i].
  by rewrite restE linearB /= linearZ /= symM !trmx_mul trmxK mulmxA tr_diag_mx.
exists (nth [::] (psd_rest A w) i).
  by rewrite (sum_absE (shape_row sR (ltn_ord i))); apply: eq_bigr => j _; rewrite mxE.
exists (entry (psd_rest A w) i i); first by rewrite mxE.
by have := dominant_row (i := i) dom; rewrite (shape_size sR) => /(_ (ltn_ord i)).
Qed.

Theorem check_psd_sound n A w : check_psd n A w -> psd (mx n n A).
Proof.
case/squares_sound=> S pS [E [symE row_le] [c c_gt0 ->]].
apply: psdZ (ltW c_gt0) _; apply: psdD pS; apply: psd_dominant; split=> // i.
have [u sumE [a aE /ofZ_le]] := row_le i; rewrite ofZM sumE aE => le_i.
by apply: le_trans (rest_of_row E i) _; rewrite ler_subl_addr -[X in _ <= X]mulr2n -mulr_natl.
Qed.

Theorem check_pd_sound n A w : check_pd n A w -> pd (mx n n A).
Proof.
case/squares_sound=> S pS [E [symE row_lt] [c c_gt0 ->]].
have pE : pd E.
  apply: pd_strictly_dominant; split=> // i.
  have [u sumE [a aE /ofZ_lt]] := row_lt i; rewrite ofZM sumE aE => lt_i.
  by apply: le_lt_trans (rest_of_row E i) _; rewrite ltr_subl_addr -[X in _ < X]mulr2n -mulr_natl.
have [symES pos] := pdD pE pS; split=> [|v v_nz]; first by rewrite linearZ /= symES.
by rewrite qformE qform_mxZ mulr_gt0 //; apply: pos.
Qed.

End Meaning.
