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

End Psd.
