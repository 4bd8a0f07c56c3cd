(** * Positive semidefinite matrices

    Every statement holds over an arbitrary ordered field, so in particular over the rationals that
    the checker computes with: no square root, no limit and no axiom is used.  The heading of each
    section names the rule of the checker that rests on it. *)

From mathcomp Require Import all_ssreflect all_algebra ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Definitions: inner products, quadratic forms, what PSD means *)

Section Definitions.

Variable R : realFieldType.

(** The inner product of two column vectors. *)
Definition dot n (u v : 'cV[R]_n) : R := (u^T *m v) 0 0.

(** u^T A v, and the quadratic form v^T A v. *)
Definition form m n (A : 'M[R]_(m, n)) (u : 'cV_m) (v : 'cV_n) : R := (u^T *m A *m v) 0 0.
Definition qform n (A : 'M[R]_n) (v : 'cV_n) : R := form A v v.

(** The checker's PSD: symmetric, and no vector on which the form is negative. *)
Definition psd n (A : 'M[R]_n) : Prop := A^T = A /\ forall v : 'cV_n, 0 <= (v^T *m A *m v) 0 0.

(** Positive definite: PSD, and zero only at zero. *)
Definition pd n (A : 'M[R]_n) : Prop :=
  A^T = A /\ forall v : 'cV_n, v != 0 -> 0 < (v^T *m A *m v) 0 0.

(** The trace inner product, for matrices of any shape. *)
Definition inner m n (A B : 'M[R]_(m, n)) : R := \tr (A^T *m B).

End Definitions.

Section Psd.

Variable R : realFieldType.

(** ** The inner product of vectors *)

Section Dot.

Variable n : nat.
Implicit Types u v w : 'cV[R]_n.

Lemma dotE u v : dot u v = \sum_i u i 0 * v i 0.
Proof. by rewrite /dot mxE; apply: eq_bigr => i _; rewrite mxE. Qed.

Lemma dotC u v : dot u v = dot v u.
Proof. by rewrite !dotE; apply: eq_bigr => i _; rewrite mulrC. Qed.

Lemma dotDl u v w : dot (u + v) w = dot u w + dot v w.
Proof. by rewrite /dot linearD mulmxDl mxE. Qed.

Lemma dotDr u v w : dot u (v + w) = dot u v + dot u w.
Proof. by rewrite dotC dotDl !(dotC _ u). Qed.

Lemma dotZl a u v : dot (a *: u) v = a * dot u v.
Proof. by rewrite /dot linearZ -scalemxAl mxE. Qed.

Lemma dotZr a u v : dot u (a *: v) = a * dot u v.
Proof. by rewrite dotC dotZl dotC. Qed.

Lemma dotNl u v : dot (- u) v = - dot u v.
Proof. by rewrite -scaleN1r dotZl mulN1r. Qed.

Lemma dotNr u v : dot u (- v) = - dot u v.
Proof. by rewrite dotC dotNl dotC. Qed.

Lemma dot0l v : dot 0 v = 0.
Proof. by rewrite -(scale0r v) dotZl mul0r. Qed.

Lemma dot0r v : dot v 0 = 0.
Proof. by rewrite dotC dot0l. Qed.

Lemma dot_suml (I : Type) (r : seq I) (p : pred I) (f : I -> 'cV[R]_n) v :
  dot (\sum_(i <- r | p i) f i) v = \sum_(i <- r | p i) dot (f i) v.
Proof.
by elim/big_rec2: _ => [|i y x _ <-]; rewrite ?dot0l // dotDl.
Qed.

Lemma dot_sumr (I : Type) (r : seq I) (p : pred I) (f : I -> 'cV[R]_n) v :
  dot v (\sum_(i <- r | p i) f i) = \sum_(i <- r | p i) dot v (f i).
Proof. by rewrite dotC dot_suml; apply: eq_bigr => i _; rewrite dotC. Qed.

Lemma dot_ge0 v : 0 <= dot v v.
Proof. by rewrite dotE sumr_ge0 // => i _; rewrite -expr2 sqr_ge0. Qed.

Lemma dot_eq0 v : dot v v = 0 -> v = 0.
Proof.
rewrite dotE => /eqP; rewrite psumr_eq0 => [/allP h|i _]; last by rewrite -expr2 sqr_ge0.
apply/colP => i; rewrite mxE; apply/eqP.
by move: (h i (mem_index_enum _)) => /=; rewrite mulf_eq0 orbb.
Qed.

Lemma dot_gt0 v : v != 0 -> 0 < dot v v.
Proof. by move=> nz; rewrite lt0r dot_ge0 andbT; apply: contra nz => /eqP/dot_eq0->. Qed.

Lemma dot_delta v i : dot (delta_mx i 0) v = v i 0.
Proof.
rewrite dotE (bigD1 i) //= mxE !eqxx mul1r big1 ?addr0 // => j /negbTE ne.
by rewrite mxE ne mul0r.
Qed.

End Dot.

Lemma dot_mulmx m n (A : 'M[R]_(m, n)) (u : 'cV_m) (v : 'cV_n) : dot u (A *m v) = dot (A^T *m u) v.
Proof. by rewrite /dot trmx_mul trmxK mulmxA. Qed.

Lemma dot_col_mx m n (u1 v1 : 'cV[R]_m) (u2 v2 : 'cV[R]_n) :
  dot (col_mx u1 u2) (col_mx v1 v2) = dot u1 v1 + dot u2 v2.
Proof. by rewrite /dot tr_col_mx mul_row_col mxE. Qed.

Lemma dot_scalar (a b : R) : dot (a%:M : 'cV_1) (b%:M : 'cV_1) = a * b.
Proof. by rewrite dotE big_ord1 !mxE !eqxx !mulr1n. Qed.

(** ** Quadratic forms *)

Lemma formE m n (A : 'M[R]_(m, n)) u v : form A u v = dot u (A *m v).
Proof. by rewrite /form /dot mulmxA. Qed.

Lemma form_tr m n (A : 'M[R]_(m, n)) u v : form A^T v u = form A u v.
Proof. by rewrite !formE dot_mulmx trmxK dotC. Qed.

Lemma formDl m n (A : 'M[R]_(m, n)) u u' v : form A (u + u') v = form A u v + form A u' v.
Proof. by rewrite !formE dotDl. Qed.

Lemma formDr m n (A : 'M[R]_(m, n)) u v v' : form A u (v + v') = form A u v + form A u v'.
Proof. by rewrite !formE mulmxDr dotDr. Qed.

Lemma formZl m n (A : 'M[R]_(m, n)) a u v : form A (a *: u) v = a * form A u v.
Proof. by rewrite !formE dotZl. Qed.

Lemma formZr m n (A : 'M[R]_(m, n)) a u v : form A u (a *: v) = a * form A u v.
Proof. by rewrite !formE -scalemxAr dotZr. Qed.

Lemma qformE n (A : 'M[R]_n) v : (v^T *m A *m v) 0 0 = qform A v.
Proof. by []. Qed.

Lemma qform_sum n (A : 'M[R]_n) v : qform A v = \sum_i \sum_j A i j * v i 0 * v j 0.
Proof.
rewrite /qform formE dotE; apply: eq_bigr => i _; rewrite mxE mulr_sumr.
by apply: eq_bigr => j _; rewrite mulrA (mulrC (v i 0)).
Qed.

Lemma qform_mxD n (A B : 'M[R]_n) v : qform (A + B) v = qform A v + qform B v.
Proof. by rewrite /qform !formE mulmxDl dotDr. Qed.

Lemma qform_mxZ n a (A : 'M[R]_n) v : qform (a *: A) v = a * qform A v.
Proof. by rewrite /qform !formE -scalemxAl dotZr. Qed.

Lemma qform_mxN n (A : 'M[R]_n) v : qform (- A) v = - qform A v.
Proof. by rewrite -scaleN1r qform_mxZ mulN1r. Qed.

Lemma qform_mxB n (A B : 'M[R]_n) v : qform (A - B) v = qform A v - qform B v.
Proof. by rewrite qform_mxD qform_mxN. Qed.

Lemma qform_mx0 n (v : 'cV[R]_n) : qform 0 v = 0.
Proof. by rewrite /qform formE mul0mx dot0r. Qed.

Lemma qform_mx1 n (v : 'cV[R]_n) : qform 1%:M v = dot v v.
Proof. by rewrite /qform formE mul1mx. Qed.

Lemma qform_scalar n a (v : 'cV[R]_n) : qform a%:M v = a * dot v v.
Proof. by rewrite /qform formE mul_scalar_mx dotZr. Qed.

Lemma qformZ n (A : 'M[R]_n) a v : qform A (a *: v) = a ^+ 2 * qform A v.
Proof. by rewrite /qform formZl formZr mulrA expr2. Qed.

Lemma qformN n (A : 'M[R]_n) v : qform A (- v) = qform A v.
Proof. by rewrite -scaleN1r qformZ sqrrN expr1n mul1r. Qed.

Lemma qform0 n (A : 'M[R]_n) : qform A 0 = 0.
Proof. by rewrite /qform formE dot0l. Qed.

Lemma qform_congr m n (B : 'M[R]_(m, n)) (A : 'M[R]_n) v : qform (B *m A *m B^T) v = qform A (B^T *m v).
Proof. by rewrite /qform /form trmx_mul trmxK !mulmxA. Qed.

Lemma qform_gram m n (B : 'M[R]_(m, n)) v : qform (B *m B^T) v = dot (B^T *m v) (B^T *m v).
Proof. by rewrite -{1}(mulmx1 B) qform_congr qform_mx1. Qed.

Lemma qformD n (A : 'M[R]_n) u v :
  A^T = A -> qform A (u + v) = qform A u + 2%:R * form A u v + qform A v.
Proof.
move=> symA; rewrite /qform formDl !formDr -(form_tr A v u) symA.
ring.
Qed.

Lemma qform_rank1 n (s v : 'cV[R]_n) : qform (s *m s^T) v = dot s v ^+ 2.
Proof.
by rewrite qform_gram expr2 dotE big_ord1 -/(dot s v).
Qed.

Lemma qform_delta n (A : 'M[R]_n) i : qform A (delta_mx i 0) = A i i.
Proof. by rewrite /qform formE dot_delta -colE mxE. Qed.

Lemma qform_block m n (A : 'M[R]_m) (B : 'M_(m, n)) (C : 'M_n) u v :
  qform (block_mx A B B^T C) (col_mx u v) = qform A u + 2%:R * form B u v + qform C v.
Proof.
rewrite /qform formE mul_block_col dot_col_mx !dotDr -!formE form_tr.
ring.
Qed.

(** ** Rule "PSD": elementary constructions *)

Lemma psdP n (A : 'M[R]_n) : psd A <-> A^T = A /\ forall v, 0 <= qform A v.
Proof. by []. Qed.

Lemma psd_sym n (A : 'M[R]_n) : psd A -> A^T = A.
Proof. by case. Qed.

Lemma psd_qform n (A : 'M[R]_n) v : psd A -> 0 <= qform A v.
Proof. by case=> _; apply. Qed.

(** A vector with a negative form refutes PSD: what a REFUTED verdict shows. *)
Theorem refuting_vector n (A : 'M[R]_n) v : qform A v < 0 -> ~ psd A.
Proof. by rewrite ltNge => /negP neg /psd_qform. Qed.

Lemma psd0 n : psd (0 : 'M[R]_n).
Proof. by split=> [|v]; rewrite ?trmx0 // qformE qform_mx0. Qed.

Lemma psdD n (A B : 'M[R]_n) : psd A -> psd B -> psd (A + B).
Proof.
move=> pA pB; split=> [|v]; first by rewrite linearD /= !psd_sym.
by rewrite qformE qform_mxD addr_ge0 // psd_qform.
Qed.

Lemma psdZ n a (A : 'M[R]_n) : 0 <= a -> psd A -> psd (a *: A).
Proof.
move=> a_ge0 pA; split=> [|v]; first by rewrite linearZ /= psd_sym.
by rewrite qformE qform_mxZ mulr_ge0 // psd_qform.
Qed.

Lemma psd_sum (I : Type) (r : seq I) (p : pred I) n (f : I -> 'M[R]_n) :
  (forall i, p i -> psd (f i)) -> psd (\sum_(i <- r | p i) f i).
Proof.
move=> pf; elim/big_rec: _ => [|i A pi pA]; first exact: psd0.
by apply: psdD => //; apply: pf.
Qed.

(** Congruence: B A B^T is PSD for every B of any shape. *)
Theorem psd_congr m n (B : 'M[R]_(m, n)) (A : 'M[R]_n) : psd A -> psd (B *m A *m B^T).
Proof.
move=> pA; split=> [|v]; first by rewrite !trmx_mul trmxK psd_sym // mulmxA.
by rewrite qformE qform_congr psd_qform.
Qed.

Lemma psd_congr_tr m n (B : 'M[R]_(n, m)) (A : 'M[R]_n) : psd A -> psd (B^T *m A *m B).
Proof. by move=> /(psd_congr B^T); rewrite trmxK. Qed.

(** Congruence by an invertible matrix loses nothing. *)
Theorem psd_congr_unit n (B A : 'M[R]_n) : B \in unitmx -> psd (B *m A *m B^T) <-> psd A.
Proof.
move=> uB; split; last exact: psd_congr.
move=> /(psd_congr (invmx B)); rewrite trmx_inv !mulmxA mulVmx // mul1mx.
by rewrite -mulmxA mulmxV ?unitmx_tr // mulmx1.
Qed.

Lemma psd_scalar n a : 0 <= a -> psd (a%:M : 'M[R]_n).
Proof.
move=> a_ge0; split=> [|v]; first by rewrite tr_scalar_mx.
by rewrite qformE qform_scalar mulr_ge0 // dot_ge0.
Qed.

Lemma psd1 n : psd (1%:M : 'M[R]_n).
Proof. exact: psd_scalar ler01. Qed.

(** Gram matrices. *)
Theorem psd_gram m n (G : 'M[R]_(m, n)) : psd (G *m G^T).
Proof. by have := psd_congr G (psd1 n); rewrite mulmx1. Qed.

Lemma psd_rank1 n (s : 'cV[R]_n) : psd (s *m s^T).
Proof. exact: psd_gram. Qed.

Lemma psd_diag_entry n (A : 'M[R]_n) i : psd A -> 0 <= A i i.
Proof. by move=> /(psd_qform (delta_mx i 0)); rewrite qform_delta. Qed.

Lemma qform_diag n (d : 'rV[R]_n) v : qform (diag_mx d) v = \sum_i d 0 i * v i 0 ^+ 2.
Proof.
rewrite /qform formE dotE; apply: eq_bigr => i _.
by rewrite mul_diag_mx mxE mulrCA expr2.
Qed.

Theorem psd_diag n (d : 'rV[R]_n) : psd (diag_mx d) <-> forall i, 0 <= d 0 i.
Proof.
split=> [pD i|d_ge0]; first by have := psd_diag_entry i pD; rewrite mxE eqxx mulr1n.
split=> [|v]; first by rewrite tr_diag_mx.
by rewrite qformE qform_diag sumr_ge0 // => i _; rewrite mulr_ge0 ?sqr_ge0.
Qed.

Lemma psd_scalar1 (a : R) : psd (a%:M : 'M_1) <-> 0 <= a.
Proof.
split; last exact: psd_scalar.
by move=> /(psd_diag_entry 0); rewrite mxE eqxx mulr1n.
Qed.

(** ** Rule "PSD by LDL^T" *)

Definition unit_lower n (L : 'M[R]_n) : Prop := forall i j : 'I_n, (i <= j)%N -> L i j = (i == j)%:R.

(** The zero-pivot rule: below a zero pivot the column of L is zero. *)
Definition zero_pivot n (L : 'M[R]_n) (d : 'rV[R]_n) : Prop :=
  forall i j : 'I_n, d 0 j = 0 -> (j < i)%N -> L i j = 0.

(** Soundness: no condition on L is needed, not even that it is triangular or square. *)
Theorem psd_ldl_sound m n (A : 'M[R]_m) (L : 'M[R]_(m, n)) (d : 'rV[R]_n) :
  (forall i, 0 <= d 0 i) -> A = L *m diag_mx d *m L^T -> psd A.
Proof. by move=> d_ge0 ->; apply/psd_congr/psd_diag. Qed.

(** What the elimination returns: a factorisation or a refuting vector, never "I do not know". *)
Variant ldl_result n (A : 'M[R]_n) : Type :=
  | LdlFactor (L : 'M[R]_n) (d : 'rV[R]_n) of
      unit_lower L & zero_pivot L d & (forall i, 0 <= d 0 i) & A = L *m diag_mx d *m L^T
  | LdlRefuted (v : 'cV[R]_n) of qform A v < 0.

Section LdlStep.

Variable n : nat.
Implicit Types (a : R) (b : 'cV[R]_n) (C : 'M[R]_n).

Lemma unit_lower_block b (L : 'M[R]_n) : unit_lower L -> unit_lower (block_mx 1%:M 0 b L : 'M_(1 + n)).
Proof.
move=> uL i j; case: (split_ordP i) => i' ->; case: (split_ordP j) => j' ->.
- by rewrite block_mxEul (ord1 i') (ord1 j') mxE !eqxx.
- by rewrite block_mxEur mxE eq_lrshift.
- by rewrite /= (ord1 j') => /(leq_trans (leq_addr _ _)).
- by rewrite block_mxEdr eq_rshift /= leq_add2l; apply: uL.
Qed.

Lemma zero_pivot_block a b (L : 'M[R]_n) (d : 'rV[R]_n) :
  (a = 0 -> b = 0) -> zero_pivot L d ->
  zero_pivot (block_mx 1%:M 0 b L : 'M_(1 + n)) (row_mx a%:M d : 'rV_(1 + n)).
Proof.
move=> ab zL i j; case: (split_ordP i) => i' ->; case: (split_ordP j) => j' ->.
- by rewrite (ord1 i') (ord1 j') ltnn.
- by rewrite /= (ord1 i').
- by rewrite block_mxEdl row_mxEl (ord1 j') mxE eqxx mulr1n => /ab->; rewrite mxE.
- by rewrite block_mxEdr row_mxEr /= ltn_add2l; apply: zL.
Qed.

Lemma pivots_ge0_block a (d : 'rV[R]_n) :
  0 <= a -> (forall i, 0 <= d 0 i) -> forall i, 0 <= (row_mx a%:M d : 'rV_(1 + n)) 0 i.
Proof.
move=> a_ge0 d_ge0 i; case: (split_ordP i) => i' ->; last by rewrite row_mxEr.
by rewrite row_mxEl (ord1 i') mxE eqxx mulr1n.
Qed.

Lemma ldl_block a b (L : 'M[R]_n) (d : 'rV[R]_n) :
  block_mx 1%:M 0 b L *m diag_mx (row_mx a%:M d) *m (block_mx 1%:M 0 b L)^T =
  block_mx a%:M (a *: b)^T (a *: b) (a *: (b *m b^T) + L *m diag_mx d *m L^T) :> 'M_(1 + n).
Proof.
rewrite diag_mx_row tr_block_mx !mulmx_block !(mulmx0, mul0mx, addr0, add0r, trmx0, trmx1).
have -> : diag_mx (a%:M : 'rV_1) = a%:M by apply/matrixP => i j; rewrite !mxE !ord1 !eqxx.
rewrite !(mul1mx, mulmx1) mul_mx_scalar mul_scalar_mx -scalemxAl.
by rewrite linearZ.
Qed.

Lemma form_row b t v : form b^T (t%:M : 'cV_1) v = t * dot b v.
Proof. by rewrite formE dotE big_ord1 -/(dot b v) mxE eqxx mulr1n. Qed.

(** A zero pivot with a nonzero entry b_i below it: the refuting vector (t, e_i) with t chosen so
    that the form is -1. *)
Lemma zero_pivot_refutes b C i :
  b i 0 != 0 ->
  qform (block_mx 0 b^T b C : 'M_(1 + n))
        (col_mx (- (C i i + 1) / (2%:R * b i 0))%:M (delta_mx i 0)) < 0.
Proof.
move=> bi_nz; set t := _ / _.
rewrite -{2}(trmxK b) qform_block qform_mx0 qform_delta form_row dotC dot_delta add0r.
have -> : 2%:R * (t * b i 0) = - (C i i + 1).
  by rewrite /t; field; rewrite bi_nz.
by rewrite opprD addrAC addNr add0r oppr_lt0 ltr01.
Qed.

(** A positive pivot: a refuting vector of the Schur complement lifts. *)
Lemma positive_pivot_lifts a b C v :
  a != 0 ->
  qform (block_mx a%:M b^T b C : 'M_(1 + n)) (col_mx (- dot b v / a)%:M v) =
  qform (C - a^-1 *: (b *m b^T)) v.
Proof.
move=> a_nz; rewrite -{2}(trmxK b) qform_block qform_scalar dot_scalar.
rewrite qform_mxB qform_mxZ qform_rank1 form_row.
by field.
Qed.

End LdlStep.

(** Completeness: on a symmetric matrix the elimination always decides. *)
Theorem psd_ldl_complete n (A : 'M[R]_n) : A^T = A -> ldl_result A.
Proof.
elim: n A => [|n IHn] A symA.
  apply: (@LdlFactor _ _ 0 0); [by case | by move=> ? [] | by case |].
  by rewrite [LHS]flatmx0 [RHS]flatmx0.
pose a := A 0 0; pose b : 'cV_n := dlsubmx (A : 'M_(1 + n)).
pose C : 'M_n := drsubmx (A : 'M_(1 + n)).
have symC : C^T = C by rewrite /C trmx_drsub symA.
have defA : A = block_mx a%:M b^T b C :> 'M_(1 + n).
  rewrite -[A in LHS](@submxK _ 1 n 1 n) /b trmx_dlsub symA; congr block_mx.
  rewrite [LHS]mx11_scalar !mxE; congr (_ %:M); congr (A _ _); exact/val_inj.
rewrite defA; clearbody a b C; case: (ltrgt0P a) => [a_gt0 | a_lt0 | ->].
- have a_nz : a != 0 by rewrite gt_eqF.
  have symS : (C - a^-1 *: (b *m b^T))^T = C - a^-1 *: (b *m b^T).
    by rewrite linearB linearZ /= trmx_mul trmxK symC.
  case: (IHn _ symS) => [L d uL zL d_ge0 defS | v v_neg]; last first.
    by apply: (LdlRefuted (v := col_mx (- dot b v / a)%:M v)); rewrite positive_pivot_lifts.
  apply: (LdlFactor (L := block_mx 1%:M 0 (a^-1 *: b) L) (d := row_mx a%:M d)).
  + exact: unit_lower_block.
  + by apply: zero_pivot_block => // /eqP; rewrite (negbTE a_nz).
  + by apply: pivots_ge0_block => //; apply: ltW.
  rewrite ldl_block -defS scalerA mulfV // scale1r; congr block_mx.
  rewrite linearZ /= -scalemxAl -scalemxAr !scalerA mulfV // mul1r.
  by rewrite addrC subrK.
- apply: (LdlRefuted (v := col_mx 1%:M 0)).
  by rewrite -{2}(trmxK b) qform_block qform_scalar dot_scalar !mulr1 formE mulmx0 dot0r qform0 mulr0 !addr0.
case: (pickP (fun i => b i 0 != 0)) => [i bi_nz | b0].
  apply: LdlRefuted; rewrite -scalemx1 scale0r; exact: (zero_pivot_refutes C bi_nz).
have {b0} -> : b = 0 by apply/colP => i; have /negbFE/eqP := b0 i; rewrite mxE.
case: (IHn _ symC) => [L d uL zL d_ge0 defC | v v_neg]; last first.
  apply: (LdlRefuted (v := col_mx (0 : 'cV_1) v)).
  by rewrite -{2}(trmxK 0) qform_block qform0 trmx0 formE mul0mx dot0r mulr0 !add0r.
apply: (LdlFactor (L := block_mx 1%:M 0 0 L) (d := row_mx 0%:M d)).
- exact: unit_lower_block.
- exact: zero_pivot_block.
- exact: pivots_ge0_block.
by rewrite ldl_block -defC !scale0r add0r.
Qed.

(** The decision in one line: PSD exactly when the factorisation with nonnegative pivots exists. *)
Theorem psd_ldlP n (A : 'M[R]_n) :
  psd A <-> A^T = A /\ exists L d, [/\ unit_lower L, zero_pivot L d, forall i, 0 <= d 0 i
                                     & A = L *m diag_mx d *m L^T].
Proof.
split=> [pA | [_ [L [d [_ _ d_ge0 defA]]]]]; last exact: psd_ldl_sound defA.
split; first exact: psd_sym.
case: (psd_ldl_complete (psd_sym pA)) => [L d uL zL d_ge0 defA | v]; first by exists L, d.
by rewrite ltNge psd_qform.
Qed.

(** On a symmetric matrix: PSD, or a vector that shows it is not. *)
Theorem psd_decide n (A : 'M[R]_n) : A^T = A -> {psd A} + {exists v, qform A v < 0}.
Proof.
move=> /psd_ldl_complete [L d _ _ d_ge0 defA | v v_neg]; last by right; exists v.
by left; apply: psd_ldl_sound defA.
Qed.

(** ** Cauchy-Schwarz for a PSD form, kernels, positive definiteness *)

Lemma quadratic_nonneg (a b c : R) :
  0 <= c -> (forall t, 0 <= a + 2%:R * (t * b) + t ^+ 2 * c) -> b ^+ 2 <= a * c.
Proof.
rewrite le_eqVlt => /orP [/eqP <- | c_gt0] pos.
  rewrite mulr0; case: (eqVneq b 0) => [-> | b_nz]; first by rewrite expr0n.
  have := pos (- (a + 1) / (2%:R * b)); rewrite mulr0 addr0.
  suff -> : a + 2%:R * (- (a + 1) / (2%:R * b) * b) = -1 by rewrite ler0N1.
  by field; rewrite b_nz.
have c_nz : c != 0 by rewrite gt_eqF.
have := pos (- b / c); have -> : a + 2%:R * (- b / c * b) + (- b / c) ^+ 2 * c = (a * c - b ^+ 2) / c.
  by field.
by rewrite pmulr_lge0 ?invr_gt0 // subr_ge0.
Qed.

Theorem psd_cauchy_schwarz n (A : 'M[R]_n) u v :
  psd A -> form A u v ^+ 2 <= qform A u * qform A v.
Proof.
move=> pA; apply: quadratic_nonneg => [|t]; first exact: psd_qform.
have := psd_qform (u + t *: v) pA.
by rewrite (qformD _ _ (psd_sym pA)) formZr qformZ.
Qed.

Theorem psd_ker n (A : 'M[R]_n) v : psd A -> qform A v = 0 -> A *m v = 0.
Proof.
move=> pA v0; have := psd_cauchy_schwarz (A *m v) v pA.
rewrite v0 mulr0 formE => le0; apply: dot_eq0.
by apply/eqP; rewrite -sqrf_eq0 eq_le le0 sqr_ge0.
Qed.

Lemma unitmx_ker n (A : 'M[R]_n) : (forall v, A *m v = 0 -> v = 0 :> 'cV_n) -> A \in unitmx.
Proof.
move=> ker0; rewrite -unitmx_tr -row_free_unit -kermx_eq0; apply/eqP/row_matrixP => i.
rewrite row0; apply: trmx_inj; rewrite trmx0; apply: ker0.
by apply: trmx_inj; rewrite trmx_mul trmxK trmx0 -row_mul mulmx_ker row0.
Qed.

Lemma unitmx_inj n (A : 'M[R]_n) v : A \in unitmx -> A *m v = 0 -> v = 0 :> 'cV_n.
Proof. by move=> uA Av0; rewrite -(mulKmx uA v) Av0 mulmx0. Qed.

Lemma pd_psd n (A : 'M[R]_n) : pd A -> psd A.
Proof.
case=> symA pos; split=> // v; case: (eqVneq v 0) => [-> | /pos/ltW //].
by rewrite qformE qform0.
Qed.

(** Positive definite is PSD and invertible. *)
Theorem pdP n (A : 'M[R]_n) : pd A <-> psd A /\ A \in unitmx.
Proof.
split=> [pA | [pA uA]].
  split; first exact: pd_psd.
  apply: unitmx_ker => v Av0; apply/eqP/negP => /negP /(proj2 pA).
  by rewrite -mulmxA Av0 mulmx0 mxE ltxx.
split=> [|v v_nz]; first exact: psd_sym.
rewrite lt0r qformE psd_qform // andbT; apply: contra v_nz => /eqP /(psd_ker pA).
by move=> /(unitmx_inj uA) ->.
Qed.

(** A positive floor makes a matrix positive definite. *)
Lemma psd_floor_pd n (A : 'M[R]_n) eta : 0 < eta -> psd (A - eta%:M) -> pd A.
Proof.
move=> eta_gt0 pA; split=> [|v v_nz].
  by have := psd_sym pA; rewrite linearB /= tr_scalar_mx => /addIr.
have := psd_qform v pA; rewrite qform_mxB qform_scalar subr_ge0.
by apply: lt_le_trans; rewrite mulr_gt0 // dot_gt0.
Qed.

Lemma psd_floor_psd n (A : 'M[R]_n) eta : 0 <= eta -> psd (A - eta%:M) -> psd A.
Proof. by move=> eta_ge0 pA; rewrite -(subrK eta%:M A); apply: psdD (psd_scalar _ _). Qed.

Theorem psd_inv n (A : 'M[R]_n) : A \in unitmx -> psd A -> psd (invmx A).
Proof.
move=> uA pA; have := psd_congr (invmx A) pA.
by rewrite mulVmx // mul1mx trmx_inv psd_sym.
Qed.

(** ** Rule "PSD by Cholesky witness" *)

(** Symmetric, every row slack nonnegative: diagonal at least the absolute rest of its row. *)
Definition dominant n (A : 'M[R]_n) : Prop :=
  A^T = A /\ forall i, \sum_(j | j != i) `|A i j| <= A i i.

Lemma product_ge (a x y : R) : - (`|a| * (x ^+ 2 + y ^+ 2)) <= 2%:R * (a * x * y).
Proof.
rewrite ler_oppl -subr_ge0; case: (ger0P a) => [a_ge0 | a_lt0].
  rewrite (_ : _ - _ = a * (x + y) ^+ 2); last by ring.
  by rewrite mulr_ge0 ?sqr_ge0.
rewrite (_ : _ - _ = - a * (x - y) ^+ 2); last by ring.
by rewrite mulr_ge0 ?sqr_ge0 // oppr_ge0 ltW.
Qed.

Theorem psd_dominant n (A : 'M[R]_n) : dominant A -> psd A.
Proof.
case=> symA slack; split=> // v; rewrite qformE.
have symE i j : A i j = A j i by rewrite -[in LHS]symA mxE.
pose E := \sum_i \sum_(j | j != i) `|A i j| * v i 0 ^+ 2.
have swapE : E = \sum_i \sum_(j | j != i) `|A i j| * v j 0 ^+ 2.
  rewrite /E (exchange_big_dep predT) //=; apply: eq_bigr => i _.
  by apply: eq_big => [j | j _]; [rewrite eq_sym | rewrite symE].
have diag_ge : E <= \sum_i A i i * v i 0 ^+ 2.
  by apply: ler_sum => i _; rewrite -mulr_suml ler_wpmul2r ?sqr_ge0.
have two_gt0 : (0 : R) < 2%:R by rewrite ltr0n.
rewrite -(pmulr_rge0 _ two_gt0) qform_sum mulr_sumr.
have -> : \sum_i 2%:R * (\sum_j A i j * v i 0 * v j 0) =
          2%:R * (\sum_i A i i * v i 0 ^+ 2) +
          \sum_i \sum_(j | j != i) 2%:R * (A i j * v i 0 * v j 0).
  rewrite [in RHS]mulr_sumr -big_split; apply: eq_bigr => i _ /=.
  by rewrite (bigD1 i) //= mulrDr -mulr_sumr expr2 !mulrA.
have off_ge : - (E + E) <= \sum_i \sum_(j | j != i) 2%:R * (A i j * v i 0 * v j 0).
  rewrite {2}swapE /E -big_split -sumrN; apply: ler_sum => i _.
  rewrite -big_split -sumrN; apply: ler_sum => j _.
  by rewrite /= -mulrDr product_ge.
rewrite -ler_subl_addl sub0r; apply: le_trans off_ge.
by rewrite ler_opp2 mulr_natl mulr2n ler_add.
Qed.

(** A = L L^T + remainder, exactly, with a diagonally dominant remainder.  L is arbitrary: the
    floating-point factor it was read from plays no part. *)
Theorem psd_cholesky_witness m n (A E : 'M[R]_n) (L : 'M[R]_(n, m)) :
  dominant E -> A = L *m L^T + E -> psd A.
Proof. by move=> /psd_dominant pR ->; apply: psdD => //; apply: psd_gram. Qed.

(** ** Rule "positive definite": strict versions of both rules *)

Lemma psd_pos_scale n c (A : 'M[R]_n) : 0 < c -> psd (c *: A) <-> psd A.
Proof.
move=> c_gt0; split; last exact: psdZ (ltW c_gt0).
have cV_ge0 : 0 <= c^-1 by rewrite invr_ge0 ltW.
by move=> /(psdZ cV_ge0); rewrite scalerA mulVf ?scale1r // gt_eqF.
Qed.

Lemma pdD n (A B : 'M[R]_n) : pd A -> psd B -> pd (A + B).
Proof.
move=> [symA pos] pB; split=> [|v v_nz]; first by rewrite linearD /= symA psd_sym.
by rewrite qformE qform_mxD ltr_paddr ?psd_qform //; apply: pos.
Qed.

Theorem pd_congr_unit n (B A : 'M[R]_n) : B \in unitmx -> pd (B *m A *m B^T) <-> pd A.
Proof.
move=> uB; have [lr rl] := psd_congr_unit A uB.
have unitE : (B *m A *m B^T \in unitmx) = (A \in unitmx).
  by rewrite !unitmx_mul unitmx_tr uB andbT.
by split=> /pdP [pA uA]; apply/pdP; [rewrite -unitE | rewrite unitE]; split; auto.
Qed.

Theorem pd_diag n (d : 'rV[R]_n) : pd (diag_mx d) <-> forall i, 0 < d 0 i.
Proof.
split=> [/pdP [pD uD] i | d_gt0].
  rewrite lt0r ((psd_diag d).1 pD) andbT; apply/negP => /eqP d0.
  have /(unitmx_inj uD) : diag_mx d *m delta_mx i 0 = 0 :> 'cV_n.
    apply/colP => k; rewrite mul_diag_mx !mxE.
    by case: (k =P i) => [-> | _]; rewrite ?d0 ?mul0r // mulr0.
  by move/colP/(_ i)/eqP; rewrite !mxE !eqxx oner_eq0.
apply/pdP; split; first by apply/psd_diag => i; apply: ltW.
by rewrite unitmxE det_diag unitfE; apply/prodf_neq0 => i _; rewrite gt_eqF.
Qed.

Lemma unit_lower_unitmx n (L : 'M[R]_n) : unit_lower L -> L \in unitmx.
Proof.
move=> uL; have trigL : is_trig_mx L.
  by apply/is_trig_mxP => i j lt_ij; rewrite uL ?(ltnW lt_ij) // lt_eqF.
by rewrite unitmxE det_trig // big1 ?unitr1 // => i _; rewrite uL // eqxx.
Qed.

(** LDL^T with positive pivots, that is of full rank. *)
Theorem pd_ldl_sound n (A L : 'M[R]_n) (d : 'rV[R]_n) :
  unit_lower L -> (forall i, 0 < d 0 i) -> A = L *m diag_mx d *m L^T -> pd A.
Proof.
by move=> /unit_lower_unitmx uL d_gt0 ->; apply/pd_congr_unit/pd_diag.
Qed.

(** Every row slack positive: the strict Cholesky witness. *)
Definition strictly_dominant n (A : 'M[R]_n) : Prop :=
  A^T = A /\ forall i, \sum_(j | j != i) `|A i j| < A i i.

Theorem pd_strictly_dominant n (A : 'M[R]_n) : strictly_dominant A -> pd A.
Proof.
case=> symA slack; pose d : 'rV_n := \row_i (A i i - \sum_(j | j != i) `|A i j|).
rewrite -(subrK (diag_mx d) A) addrC; apply: pdD.
  by apply/pd_diag => i; rewrite mxE subr_gt0.
apply: psd_dominant; split=> [|i]; first by rewrite linearB /= tr_diag_mx symA.
have -> : (A - diag_mx d) i i = \sum_(j | j != i) `|A i j|.
  by rewrite !mxE eqxx mulr1n subKr.
by apply: ler_sum => j; rewrite eq_sym !mxE => /negbTE ->; rewrite subr0.
Qed.

Theorem pd_cholesky_witness m n (A E : 'M[R]_n) (L : 'M[R]_(n, m)) :
  strictly_dominant E -> A = L *m L^T + E -> pd A.
Proof. by move=> /pd_strictly_dominant pE ->; rewrite addrC; apply: pdD => //; apply: psd_gram. Qed.

(** ** Block matrices and Schur complements *)

Lemma psd_block_ul m n (A : 'M[R]_m) (B : 'M_(m, n)) B' (C : 'M_n) :
  psd (block_mx A B B' C) -> psd A.
Proof.
move=> /(psd_congr (row_mx 1%:M 0)); rewrite tr_row_mx trmx1 trmx0.
by rewrite mul_row_block mul_row_col !(mul1mx, mul0mx, mulmx1, mulmx0, addr0).
Qed.

Lemma psd_block_dr m n (A : 'M[R]_m) (B : 'M_(m, n)) B' (C : 'M_n) :
  psd (block_mx A B B' C) -> psd C.
Proof.
move=> /(psd_congr (row_mx 0 1%:M)); rewrite tr_row_mx trmx1 trmx0.
by rewrite mul_row_block mul_row_col !(mul1mx, mul0mx, mulmx1, mulmx0, add0r).
Qed.

Lemma psd_block_sym m n (A : 'M[R]_m) (B : 'M_(m, n)) B' (C : 'M_n) :
  psd (block_mx A B B' C) -> B' = B^T.
Proof. by move=> /psd_sym; rewrite tr_block_mx => /eq_block_mx []. Qed.

Theorem psd_block_diag m n (A : 'M[R]_m) (C : 'M[R]_n) :
  psd (block_mx A 0 0 C) <-> psd A /\ psd C.
Proof.
split=> [pAC | [pA pC]]; first by split; [apply: psd_block_ul pAC | apply: psd_block_dr pAC].
split=> [|v]; first by rewrite tr_block_mx !trmx0 !psd_sym.
rewrite qformE -(vsubmxK v) -(trmx0 _ m n) qform_block formE mul0mx dot0r mulr0 addr0.
by rewrite addr_ge0 // psd_qform.
Qed.

Lemma psd_block_swap m n (A : 'M[R]_m) (B : 'M_(m, n)) B' (C : 'M_n) :
  psd (block_mx A B B' C) -> psd (block_mx C B' B A).
Proof.
move=> /(psd_congr (block_mx 0 1%:M 1%:M 0)); rewrite tr_block_mx !trmx0 !trmx1.
by rewrite !mulmx_block !(mul1mx, mul0mx, mulmx1, mulmx0, add0r, addr0).
Qed.

Theorem psd_schur m n (A : 'M[R]_m) (B : 'M_(m, n)) (C : 'M_n) :
  C \in unitmx -> psd (block_mx A B B^T C) <-> psd C /\ psd (A - B *m invmx C *m B^T).
Proof.
move=> uC; pose T : 'M_(m + n) := block_mx 1%:M (B *m invmx C) 0 1%:M.
have uT : T \in unitmx by rewrite unitmxE det_ublock !det1 mulr1 unitr1.
have split_T : C^T = C -> T *m block_mx (A - B *m invmx C *m B^T) 0 0 C *m T^T = block_mx A B B^T C.
  move=> symC; rewrite /T tr_block_mx !trmx1 trmx0 !mulmx_block.
  rewrite !(mul1mx, mul0mx, mulmx1, mulmx0, add0r, addr0).
  rewrite -[B *m _ *m C]mulmxA mulVmx // mulmx1 trmx_mul trmx_inv symC.
  by rewrite [C *m _]mulmxA mulmxV // mul1mx mulmxA subrK.
split=> [pAC | [pC pS]].
  have pC : psd C := psd_block_dr pAC.
  split=> //; rewrite -(split_T (psd_sym pC)) in pAC.
  by have /psd_block_diag [] := (psd_congr_unit _ uT).1 pAC.
by rewrite -(split_T (psd_sym pC)); apply/psd_congr/psd_block_diag.
Qed.

Theorem psd_schur_ul m n (A : 'M[R]_m) (B : 'M_(m, n)) (C : 'M_n) :
  A \in unitmx -> psd (block_mx A B B^T C) <-> psd A /\ psd (C - B^T *m invmx A *m B).
Proof.
move=> uA; have := psd_schur C B^T uA; rewrite trmxK => -[lr rl].
by split=> [/psd_block_swap /lr | /rl /psd_block_swap].
Qed.

(** Scalar corner: [A b; b^T c] with c > 0. *)
Theorem psd_schur_scalar n (A : 'M[R]_n) (b : 'cV_n) (c : R) :
  0 < c -> psd (block_mx A b b^T c%:M) <-> psd (A - c^-1 *: (b *m b^T)).
Proof.
move=> c_gt0; have uc : (c%:M : 'M_1) \in unitmx by rewrite unitmxE det_scalar1 unitfE gt_eqF.
have := psd_schur A b uc; rewrite invmx_scalar mul_mx_scalar -scalemxAl => -[lr rl].
split=> [/lr [] // | pS]; apply: rl; split=> //.
by apply: psd_scalar; apply: ltW.
Qed.

(** Rule "PSD of lower rank": the rows beside a PSD core are combinations of those of the core. *)
Theorem psd_lower_rank m n (A : 'M[R]_m) (B X : 'M_(m, n)) (C : 'M_n) :
  psd A -> A *m X = B -> B^T *m X = C -> psd (block_mx A B B^T C).
Proof.
move=> pA <- <-; have := psd_congr (col_mx 1%:M X^T) pA.
rewrite tr_col_mx trmx1 trmxK mul_col_mx mul_col_row !mul1mx mulmx1.
by rewrite trmx_mul (psd_sym pA) mulmx1.
Qed.

(** Rule "PSD by sparse elimination": a pivot column is eliminated, and what is left may be replaced by
    a matrix that is lower by a diagonally dominant one. *)
Theorem psd_eliminate n (c : R) (b : 'cV[R]_n) (A T : 'M[R]_n) :
  0 < c -> dominant (A - c^-1 *: (b *m b^T) - T) -> psd T -> psd (block_mx A b b^T c%:M).
Proof.
move=> c_gt0 /psd_dominant pD pT; apply/psd_schur_scalar => //.
by rewrite -(subrK T (A - _)); apply: psdD.
Qed.

(** Rule "box bound": Diag(y) - Q PSD bounds the form of Q on the unit box by the sum of y. *)
Theorem psd_box_bound n (Q : 'M[R]_n) (y : 'rV[R]_n) (v : 'cV[R]_n) :
  psd Q -> psd (diag_mx y - Q) -> (forall i, v i 0 ^+ 2 <= 1) -> qform Q v <= \sum_i y 0 i.
Proof.
move=> pQ pD v_le1; have y_ge0 i : 0 <= y 0 i.
  have := psd_diag_entry i (psdD pD pQ).
  by rewrite subrK mxE eqxx mulr1n.
apply: (@le_trans _ _ (qform (diag_mx y) v)).
  by rewrite -subr_ge0 -qform_mxB psd_qform.
by rewrite qform_diag; apply: ler_sum => i _; rewrite -[leRHS]mulr1 ler_wpmul2l.
Qed.

(** ** The trace inner product *)

Section Inner.

Variables m n : nat.
Implicit Types A B C : 'M[R]_(m, n).

Lemma innerE A B : inner A B = \sum_i \sum_j A i j * B i j.
Proof.
rewrite /inner /mxtrace exchange_big; apply: eq_bigr => j _.
by rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
Qed.

Lemma innerC A B : inner A B = inner B A.
Proof. by rewrite !innerE; do 2!apply: eq_bigr => ? _; rewrite mulrC. Qed.

Lemma innerDr A B C : inner A (B + C) = inner A B + inner A C.
Proof. by rewrite /inner mulmxDr linearD. Qed.

Lemma innerDl A B C : inner (A + B) C = inner A C + inner B C.
Proof. by rewrite innerC innerDr !(innerC C). Qed.

Lemma innerZr a A B : inner A (a *: B) = a * inner A B.
Proof. by rewrite /inner -scalemxAr linearZ. Qed.

Lemma innerZl a A B : inner (a *: A) B = a * inner A B.
Proof. by rewrite innerC innerZr innerC. Qed.

Lemma innerNr A B : inner A (- B) = - inner A B.
Proof. by rewrite -scaleN1r innerZr mulN1r. Qed.

Lemma innerBr A B C : inner A (B - C) = inner A B - inner A C.
Proof. by rewrite innerDr innerNr. Qed.

Lemma inner0l B : inner 0 B = 0.
Proof. by rewrite -(scale0r B) innerZl mul0r. Qed.

Lemma inner_suml (I : Type) (r : seq I) (p : pred I) (f : I -> 'M[R]_(m, n)) B :
  inner (\sum_(i <- r | p i) f i) B = \sum_(i <- r | p i) inner (f i) B.
Proof. by elim/big_rec2: _ => [|i y x _ <-]; rewrite ?inner0l // innerDl. Qed.

End Inner.

Lemma inner_cV n (u v : 'cV[R]_n) : inner u v = dot u v.
Proof. by rewrite /inner /dot /mxtrace big_ord1. Qed.

Lemma inner_scalar (a b : R) : inner (a%:M : 'M_1) b%:M = a * b.
Proof. by rewrite inner_cV dot_scalar. Qed.

Lemma inner_scalar_mx n (A : 'M[R]_n) a : inner A a%:M = a * \tr A.
Proof. by rewrite /inner mul_mx_scalar linearZ /= mxtrace_tr. Qed.

Lemma inner_tr m n (A B : 'M[R]_(m, n)) : inner A^T B^T = inner A B.
Proof. by rewrite /inner trmxK mxtrace_mulC -mxtrace_tr trmx_mul trmxK. Qed.

Lemma inner_rank1 n (A : 'M[R]_n) v : inner (v *m v^T) A = qform A v.
Proof. by rewrite /inner trmx_mul trmxK -mulmxA mxtrace_mulC /mxtrace big_ord1. Qed.

Lemma inner_block m n p q (A A' : 'M[R]_(m, p)) (B B' : 'M[R]_(m, q)) (C C' : 'M[R]_(n, p))
      (D D' : 'M[R]_(n, q)) :
  inner (block_mx A B C D) (block_mx A' B' C' D') = inner A A' + inner B B' + inner C C' + inner D D'.
Proof.
rewrite /inner tr_block_mx mulmx_block mxtrace_block !linearD /=.
by rewrite addrA -!addrA; congr (_ + _); rewrite addrCA.
Qed.

(** <A, B> >= 0 for PSD A and B: the inequality behind every dual bound. *)
Theorem psd_inner_ge0 n (A B : 'M[R]_n) : psd A -> psd B -> 0 <= inner A B.
Proof.
move=> pA pB; have [_ [L [d [_ _ d_ge0 ->]]]] := (psd_ldlP B).1 pB.
rewrite /inner (psd_sym pA) mulmxA mxtrace_mulC !mulmxA.
have pLAL : psd (L^T *m A *m L) := psd_congr_tr L pA.
rewrite /mxtrace sumr_ge0 // => i _.
by rewrite mul_mx_diag mxE mulr_ge0 // psd_diag_entry.
Qed.

Lemma qform_col n k (A : 'M[R]_n) (L : 'M[R]_(n, k)) i : qform A (col i L) = (L^T *m A *m L) i i.
Proof.
by rewrite colE -(trmxK L) -qform_congr trmxK qform_delta.
Qed.

(** Equality only in the complementary case: the optimality condition, and facial reduction. *)
Theorem psd_inner_eq0 n (A B : 'M[R]_n) : psd A -> psd B -> inner A B = 0 -> A *m B = 0.
Proof.
move=> pA pB; have [_ [L [d [_ _ d_ge0 ->]]]] := (psd_ldlP B).1 pB.
rewrite /inner (psd_sym pA) mulmxA mxtrace_mulC !mulmxA => /eqP.
rewrite /mxtrace psumr_eq0 => [|i _]; last first.
  by rewrite mul_mx_diag mxE mulr_ge0 // -qform_col psd_qform.
move=> /allP zero; suff -> : A *m L *m diag_mx d = 0 by rewrite mul0mx.
apply/matrixP => k i; rewrite mul_mx_diag [LHS]mxE [RHS]mxE.
have /= := zero i (mem_index_enum _); rewrite mul_mx_diag mxE -qform_col mulf_eq0.
case/orP=> [/eqP /(psd_ker pA) Av0 | /eqP ->]; last by rewrite mulr0.
suff -> : (A *m L) k i = 0 by rewrite mul0r.
by have := congr1 (fun v : 'cV_n => v k 0) Av0; rewrite colE mulmxA -colE !mxE.
Qed.

(** The PSD cone is its own dual. *)
Theorem psd_self_dual n (A : 'M[R]_n) :
  A^T = A -> (forall B, psd B -> 0 <= inner B A) -> psd A.
Proof. by move=> symA dual; split=> // v; rewrite qformE -inner_rank1; apply/dual/psd_rank1. Qed.

(** ** The budget block [Sigma s; s^T rho] *)

Definition bordered n (S : 'M[R]_n) (s : 'cV_n) (rho : R) : 'M_(n + 1) := block_mx S s s^T rho%:M.

Section Bordered.

Variable n : nat.
Implicit Types (S P : 'M[R]_n) (s u v : 'cV[R]_n) (rho t : R).

Lemma bordered_sym S s rho : S^T = S -> (bordered S s rho)^T = bordered S s rho.
Proof. by move=> symS; rewrite /bordered tr_block_mx trmxK tr_scalar_mx symS. Qed.

Lemma qform_bordered S s rho v t :
  qform (bordered S s rho) (col_mx v t%:M) = qform S v + 2%:R * (t * dot s v) + rho * t ^+ 2.
Proof.
rewrite qform_block qform_scalar dot_scalar -expr2 formE mul_mx_scalar dotZr.
by rewrite dotC.
Qed.

Lemma inner_bordered S S' s s' rho rho' :
  inner (bordered S s rho) (bordered S' s' rho') = inner S S' + 2%:R * dot s s' + rho * rho'.
Proof. by rewrite inner_block inner_tr inner_scalar inner_cV mulr_natl mulr2n !addrA. Qed.

(** The block is PSD when |2 t s.v| <= v^T S v + rho t^2 for every v and t: from this form the
    budget constraint is seen to be even, convex and closed in s. *)
Lemma psd_bordered_absP S s rho :
  S^T = S ->
  psd (bordered S s rho) <-> forall v t, `|2%:R * (t * dot s v)| <= qform S v + rho * t ^+ 2.
Proof.
move=> symS; split=> [pB v t | bound].
  have pos := psd_qform (col_mx v t%:M) pB; have neg := psd_qform (col_mx v (- t)%:M) pB.
  rewrite ler_norml -subr_ge0 opprK -[X in _ && X]subr_ge0; apply/andP; split.
    by move: pos; rewrite qform_bordered; congr (0 <= _); ring.
  by move: neg; rewrite qform_bordered; congr (0 <= _); ring.
split=> [|w]; first exact: bordered_sym.
rewrite qformE -(vsubmxK w) [dsubmx w]mx11_scalar qform_bordered addrAC.
rewrite -ler_subl_addr sub0r; apply: le_trans (bound _ _).
by rewrite -normrN ler_norm.
Qed.

Lemma psd_bordered_cov S s rho : psd (bordered S s rho) -> psd S.
Proof. exact: psd_block_ul. Qed.

Lemma psd_bordered_budget S s rho : psd (bordered S s rho) -> 0 <= rho.
Proof. by move=> /psd_block_dr /psd_scalar1. Qed.

(** Rule "refuted by a vector": along any direction v, (s.v)^2 <= rho v^T S v. *)
Theorem psd_bordered_along S s rho v : psd (bordered S s rho) -> dot s v ^+ 2 <= rho * qform S v.
Proof.
move=> pB; have := psd_cauchy_schwarz (col_mx 0 1%:M) (col_mx v 0) pB.
have qform1 : qform (bordered S s rho) (col_mx 0 1%:M) = rho.
  by rewrite qform_bordered qform0 dot0r !mulr0 !add0r expr1n mulr1.
have qformv : qform (bordered S s rho) (col_mx v 0) = qform S v.
  rewrite (_ : 0 = 0%:M :> 'cV_1); last by rewrite raddf0.
  by rewrite qform_bordered mul0r expr0n !mulr0 !addr0.
have formv : form (bordered S s rho) (col_mx 0 1%:M) (col_mx v 0) = dot s v.
  rewrite formE mul_block_col !mulmx0 !addr0 dot_col_mx dot0l add0r.
  by rewrite -formE -[1%:M]trmx1 /form trmx1 trmx1 mul1mx.
by rewrite qform1 qformv formv.
Qed.

Lemma psd_bordered0 S rho : psd S -> 0 <= rho -> psd (bordered S 0 rho).
Proof.
by move=> pS rho_ge0; rewrite /bordered trmx0; apply/psd_block_diag; split=> //; apply: psd_scalar.
Qed.

(** A larger budget and a larger covariance keep the constraint. *)
Lemma psd_bordered_rho S s rho rho' :
  rho <= rho' -> psd (bordered S s rho) -> psd (bordered S s rho').
Proof.
move=> le_rho pB; have pD : psd (bordered (0 : 'M_n) 0 (rho' - rho)).
  by apply: psd_bordered0 (psd0 _) _; rewrite subr_ge0.
have := psdD pB pD; rewrite /bordered add_block_mx trmx0 !addr0 -raddfD /=.
by rewrite addrC subrK.
Qed.

Lemma psd_bordered_mono S S' s rho :
  psd (S' - S) -> psd (bordered S s rho) -> psd (bordered S' s rho).
Proof.
move=> pD pB; have := psdD pB (psd_bordered0 pD (lexx 0)).
by rewrite /bordered add_block_mx trmx0 !addr0 addrC subrK raddf0 addr0.
Qed.

(** Invertible covariance: the block says s^T S^-1 s <= rho. *)
Theorem psd_bordered_inv S s rho :
  psd S -> S \in unitmx -> psd (bordered S s rho) <-> qform (invmx S) s <= rho.
Proof.
move=> pS uS; have [lr rl] := psd_schur_ul s rho%:M uS.
have corner : rho%:M - s^T *m invmx S *m s = (rho - qform (invmx S) s)%:M.
  by rewrite [s^T *m _ *m s]mx11_scalar raddfB.
split=> [/lr [_] | le_rho]; first by rewrite corner => /psd_scalar1; rewrite subr_ge0.
by apply: rl; split=> //; rewrite corner; apply/psd_scalar1; rewrite subr_ge0.
Qed.

(** Any covariance, singular or not: s lies in the range of S, s = S u, and u^T S u <= rho.
    This is s^T S^+ s <= rho with the pseudo-inverse, and no pseudo-inverse is needed. *)
Theorem psd_borderedP S s rho :
  psd (bordered S s rho) <-> psd S /\ exists u, s = S *m u /\ qform S u <= rho.
Proof.
split=> [pB | [pS [u [-> le_rho]]]].
  have pS := psd_bordered_cov pB; split=> //; have rho_ge0 := psd_bordered_budget pB.
  have range : (s^T <= S)%MS.
    rewrite submxE; apply/eqP/rowP => j; rewrite [RHS]mxE.
    have Sv0 : S *m col j (cokermx S) = 0 by rewrite colE mulmxA mulmx_coker mul0mx.
    suff : dot s (col j (cokermx S)) = 0 by rewrite /dot colE mulmxA -colE mxE.
    set v := col j _ in Sv0 *; apply/eqP; have [//|nz] := eqVneq (dot s v) 0.
    have := (psd_bordered_absP s rho (psd_sym pS)).1 pB ((rho + 1) / (2%:R * dot s v) *: v) 1.
    rewrite dotZr qformZ /qform formE Sv0 dot0r mulr0 add0r mul1r expr1n mulr1.
    rewrite (_ : 2%:R * _ = rho + 1); last by field.
    by rewrite ger0_norm ?addr_ge0 ?ler01 // ger_addl ler10.
  have [w def_s] := submxP range; exists w^T.
  have def_s' : s = S *m w^T by rewrite -(psd_sym pS) -trmx_mul -def_s trmxK.
  split=> //; have [abs _] := psd_bordered_absP s rho (psd_sym pS).
  have := abs pB w^T 1; rewrite def_s' dotC -formE mul1r expr1n mulr1.
  rewrite ger0_norm ?mulr_ge0 ?psd_qform ?ler0n // -/(qform S w^T).
  by rewrite mulr_natl mulr2n ler_add2l.
have pG := psd_congr (col_mx 1%:M u^T) pS.
rewrite tr_col_mx trmx1 trmxK mul_col_mx mul_col_row !mul1mx mulmx1 in pG.
have -> : bordered S (S *m u) rho = bordered S (S *m u) (qform S u) + bordered 0 0 (rho - qform S u).
  by rewrite /bordered add_block_mx trmx0 !addr0 -raddfD /= addrC subrK.
apply: psdD; last by apply: psd_bordered0 (psd0 _) _; rewrite subr_ge0.
move: pG; rewrite /bordered trmx_mul (psd_sym pS) [u^T *m S *m u]mx11_scalar.
by rewrite mulmx1.
Qed.

(** Symmetric convex combinations of vectors within budget are within budget. *)
Theorem psd_bordered_hull (I : finType) S (f : I -> 'cV[R]_n) (c : I -> R) rho :
  psd S -> 0 <= rho -> \sum_i `|c i| <= 1 -> (forall i, psd (bordered S (f i) rho)) ->
  psd (bordered S (\sum_i c i *: f i) rho).
Proof.
move=> pS rho_ge0 c_le1 pf; apply/psd_bordered_absP => [|v t]; first exact: psd_sym.
set K := qform S v + _.
have K_ge0 : 0 <= K by rewrite addr_ge0 ?psd_qform // mulr_ge0 ?sqr_ge0.
have -> : 2%:R * (t * dot (\sum_i c i *: f i) v) = \sum_i c i * (2%:R * (t * dot (f i) v)).
  rewrite dot_suml !mulr_sumr; apply: eq_bigr => i _; rewrite dotZl; ring.
apply: le_trans (ler_norm_sum _ _ _) _; apply: (@le_trans _ _ (\sum_i `|c i| * K)).
  apply: ler_sum => i _; rewrite normrM ler_wpmul2l ?normr_ge0 //.
  exact: (psd_bordered_absP _ _ (psd_sym pS)).1 (pf i) v t.
by rewrite -mulr_suml -[leRHS]mul1r ler_wpmul2r.
Qed.

(** A vector shrunk by a factor of absolute value at most 1 stays within budget. *)
Theorem psd_bordered_shrink S s c rho :
  `|c| <= 1 -> psd (bordered S s rho) -> psd (bordered S (c *: s) rho).
Proof.
move=> c_le1 pB; have := @psd_bordered_hull _ S (fun _ : 'I_1 => s) (fun _ => c) rho.
rewrite !big_ord1; apply=> //; [exact: psd_bordered_cov pB | exact: psd_bordered_budget pB].
Qed.

Lemma psd_borderedN S s rho : psd (bordered S s rho) -> psd (bordered S (- s) rho).
Proof. by rewrite -scaleN1r; apply: psd_bordered_shrink; rewrite normrN normr1. Qed.

(** A limit of vectors within budget: factors arbitrarily close to 1 suffice. *)
Theorem psd_bordered_limit S s rho :
  (forall eps, 0 < eps -> exists2 c, 1 - eps <= c & psd (bordered S (c *: s) rho)) ->
  psd (bordered S s rho).
Proof.
move=> near; have [c _ /psd_bordered_cov pS] := near 1 ltr01.
have abs := psd_bordered_absP _ rho (psd_sym pS).
apply/abs => v t; set x := `|_|; set K := qform S v + _; rewrite leNgt; apply/negP => K_lt.
have bound d : psd (bordered S (d *: s) rho) -> `|d| * x <= K.
  by move=> /abs /(_ v t); rewrite -normrM dotZl; congr (`|_| <= _); ring.
have K_ge0 : 0 <= K by have [d _ /bound] := near 1 ltr01; apply: le_trans; rewrite mulr_ge0 ?normr_ge0.
have x_gt0 : 0 < x := le_lt_trans K_ge0 K_lt.
have eps_gt0 : 0 < (x - K) / (2%:R * x) by rewrite divr_gt0 ?subr_gt0 // mulr_gt0 // ltr0n.
have [d d_ge /bound] := near _ eps_gt0.
apply/negP; rewrite -ltNge; apply: (@lt_le_trans _ _ ((1 - (x - K) / (2%:R * x)) * x)); last first.
  by apply: (ler_wpmul2r (ltW x_gt0)); apply: le_trans d_ge (ler_norm _).
rewrite (_ : _ * x = (x + K) / 2%:R); last by field; rewrite gt_eqF.
by rewrite ltr_pdivl_mulr ?ltr0n // mulr_natr mulr2n ltr_add2r.
Qed.

(** ** Rule "budget by precision": one PSD check serves every sensitivity vector *)

(** [Sigma I; I P] PSD: Sigma and P are positive definite and Sigma^-1 <= P. *)
Theorem precision_block S P :
  psd (block_mx S 1%:M 1%:M P) ->
  [/\ psd S, S \in unitmx, psd P, P \in unitmx & psd (P - invmx S)].
Proof.
have unit_ul (A B : 'M[R]_n) : psd (block_mx A 1%:M 1%:M B) -> A \in unitmx.
  move=> pAB; apply: unitmx_ker => v Av0.
  have /(psd_ker pAB) : qform (block_mx A 1%:M 1%:M B) (col_mx v 0) = 0.
    rewrite -{2}(trmx1 R n) qform_block qform0 formE mulmx0 dot0r mulr0 !addr0.
    by rewrite /qform formE Av0 dot0r.
  rewrite mul_block_col !mulmx0 !addr0 mul1mx -[0 in RHS]vsubmxK linear0.
  by case/eq_col_mx => _ ->; rewrite linear0.
move=> pB; have uS := unit_ul _ _ pB; have uP := unit_ul _ _ (psd_block_swap pB).
split=> //; [exact: psd_block_ul pB | exact: psd_block_dr pB |].
have [+ _] := psd_schur_ul 1%:M P uS; rewrite trmx1 => /(_ pB) [_].
by rewrite mul1mx mulmx1.
Qed.

Corollary precision_block_bound S P s :
  psd (block_mx S 1%:M 1%:M P) -> qform (invmx S) s <= qform P s.
Proof. by case/precision_block=> _ _ _ _ /(psd_qform s); rewrite qform_mxB subr_ge0. Qed.

Corollary precision_block_budget S P s rho :
  psd (block_mx S 1%:M 1%:M P) -> qform P s <= rho -> psd (bordered S s rho).
Proof.
move=> pB le_rho; have [pS uS _ _ _] := precision_block pB.
by apply/psd_bordered_inv => //; apply: le_trans le_rho; apply: precision_block_bound.
Qed.

(** The cheapest form: P positive definite and P Sigma P - P PSD, the same after congruence by P. *)
Theorem precision_congruence S P :
  psd P -> P \in unitmx -> psd (P *m S *m P - P) -> psd (S - invmx P).
Proof.
move=> pP uP; have -> : P *m S *m P - P = P *m (S - invmx P) *m P^T.
  by rewrite psd_sym // mulmxBr mulmxBl mulmxV // mul1mx.
by move/psd_congr_unit; apply.
Qed.

Theorem precision_congruence_budget S P s rho :
  psd P -> P \in unitmx -> psd (P *m S *m P - P) -> qform P s <= rho -> psd (bordered S s rho).
Proof.
move=> pP uP pE le_rho; apply: psd_bordered_mono (precision_congruence pP uP pE) _.
by apply/psd_bordered_inv; rewrite ?unitmx_inv ?invmxK //; apply: psd_inv.
Qed.

(** The two forms prove exactly the same. *)
Theorem precision_congruenceP S P :
  psd P -> P \in unitmx -> psd (P *m S *m P - P) <-> psd (block_mx S 1%:M 1%:M P).
Proof.
move=> pP uP; have [lr rl] := psd_schur S 1%:M uP.
rewrite trmx1 mul1mx mulmx1 in lr rl; split=> [pE | /lr [_] pD].
  by apply: rl; split=> //; apply: precision_congruence.
have := psd_congr P pD; rewrite psd_sym // mulmxBr mulmxBl mulmxV // mul1mx.
by [].
Qed.

End Bordered.

(** ** Rule "budget by support": Sigma = B K B^T and s = B t *)

Theorem psd_bordered_support m n (B : 'M[R]_(m, n)) (K : 'M_n) (t : 'cV_n) rho :
  psd (bordered K t rho) -> psd (bordered (B *m K *m B^T) (B *m t) rho).
Proof.
move=> /(psd_congr (block_mx B 0 0 1%:M)); rewrite /bordered tr_block_mx !trmx0 trmx1 !mulmx_block.
by rewrite !(mul1mx, mul0mx, mulmx1, mulmx0, add0r, addr0) trmx_mul.
Qed.

End Psd.
