(** * Rational matrices and rational numbers

    A matrix of binary integers over one positive denominator, as certificates store them, and the
    rationals of the standard library, with their meaning in an arbitrary ordered field. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import ZArith QArith.
From mathcomp Require Import ssrnat ring.
From Certify Require Import Psd Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

(** ** Operations *)

Record qmatrix := QMatrix { numerators : rows; denominator : positive }.

Definition qshape (m n : nat) (A : qmatrix) : bool := shape m n (numerators A).

(** A B^T. *)
Definition qtimes_transpose (A B : qmatrix) : qmatrix :=
  QMatrix (times_transpose (numerators A) (numerators B)) (denominator A * denominator B)%positive.

Definition qsub (A B : qmatrix) : qmatrix :=
  let (a, b) := (Zpos (denominator A), Zpos (denominator B)) in
  QMatrix (combine_rows (fun x y => x * b - y * a)%Z (numerators A) (numerators B))
          (denominator A * denominator B)%positive.

Definition qscalar (n : nat) (q : Q) : qmatrix := QMatrix (scalar_rows n (Qnum q)) (Qden q).

(** Some columns, in the given order. *)
Definition qselect (columns : seq nat) (A : qmatrix) : qmatrix :=
  QMatrix [seq [seq nth 0%Z u j | j <- columns] | u <- numerators A] (denominator A).

Definition qzero (A : qmatrix) : bool := all (all (Z.eqb 0)) (numerators A).

(** The sum of the products of the entries. *)
Definition qinner (A B : qmatrix) : Q :=
  Qmake (trace_product (numerators A) (numerators B)) (denominator A * denominator B).

Definition check_qpsd (n : nat) (A : qmatrix) (w : psd_witness) : bool := check_psd n (numerators A) w.
Definition check_qpd (n : nat) (A : qmatrix) (w : psd_witness) : bool := check_pd n (numerators A) w.

(** ** What the operations compute *)

Section Meaning.

Local Open Scope ring_scope.

Variable R : realFieldType.

Local Notation ofZ := (ofZ R).
Local Notation mx := (mx R).

Definition ofQ (q : Q) : R := ofZ (Qnum q) / ofZ (Zpos (Qden q)).
Definition qmx (m n : nat) (A : qmatrix) : 'M[R]_(m, n) :=
  (ofZ (Zpos (denominator A)))^-1 *: mx m n (numerators A).

Lemma ofZ_pos_neq0 p : ofZ (Zpos p) != 0.
Proof. by rewrite gt_eqF ?ofZ_pos. Qed.

Lemma ofZ_posM p q : ofZ (Zpos (p * q)) = ofZ (Zpos p) * ofZ (Zpos q).
Proof. exact: (ofZM R (Zpos p) (Zpos q)). Qed.

(** *** Rational numbers *)

Lemma ofQD a b : ofQ (a + b)%Q = ofQ a + ofQ b.
Proof.
by rewrite /ofQ /= ofZD !ofZM ofZ_posM; field; rewrite !ofZ_pos_neq0.
Qed.

Lemma ofQM a b : ofQ (a * b)%Q = ofQ a * ofQ b.
Proof. by rewrite /ofQ /= ofZM ofZ_posM; field; rewrite !ofZ_pos_neq0. Qed.

Lemma ofQN a : ofQ (- a)%Q = - ofQ a.
Proof. by rewrite /ofQ /= ofZN mulNr. Qed.

Lemma ofQB a b : ofQ (a - b)%Q = ofQ a - ofQ b.
Proof. by rewrite /Qminus ofQD ofQN. Qed.

Lemma ofQ_le a b : Qle_bool a b -> ofQ a <= ofQ b.
Proof.
move=> /(ofZ_le R); rewrite !ofZM => le_ab.
by rewrite ler_pdivr_mulr ?ofZ_pos // mulrAC ler_pdivl_mulr ?ofZ_pos.
Qed.

Lemma ofQ_ge0 a : Qle_bool 0 a -> 0 <= ofQ a.
Proof. by move=> /ofQ_le; rewrite {1}/ofQ /= mul0r. Qed.

Lemma ofQ0 a : Qeq_bool a 0 -> ofQ a = 0.
Proof.
move=> /Qeq_bool_iff; rewrite /Qeq /= Z.mul_1_r => num0.
by rewrite /ofQ num0 mul0r.
Qed.

(** *** Rational matrices *)

Lemma qmx_times_transpose m n p A B :
  qshape m n A -> qmx m p (qtimes_transpose A B) = qmx m n A *m (qmx p n B)^T.
Proof.
move=> sA; rewrite /qmx (mx_times_transpose _ _ _ sA) linearZ /= -scalemxAl -scalemxAr scalerA.
by rewrite ofZ_posM invfM.
Qed.

Lemma qshape_times_transpose m n p A B :
  qshape m n A -> qshape p n B -> qshape m p (qtimes_transpose A B).
Proof. exact: shape_times_transpose. Qed.

Lemma qmx_sub m n A B :
  qshape m n A -> qshape m n B -> qmx m n (qsub A B) = qmx m n A - qmx m n B.
Proof.
move=> sA sB; apply/matrixP => i j; rewrite !mxE (entry_combine_rows _ _ _ sA sB) ofZB !ofZM ofZ_posM.
by field; rewrite !ofZ_pos_neq0.
Qed.

Lemma qshape_sub m n A B : qshape m n A -> qshape m n B -> qshape m n (qsub A B).
Proof. exact: shape_combine_rows. Qed.

Lemma qmx_scalar n q : qmx n n (qscalar n q) = (ofQ q)%:M.
Proof. by rewrite /qmx mx_scalar scale_scalar_mx mulrC. Qed.

Lemma qshape_scalar n q : qshape n n (qscalar n q).
Proof. exact: shape_scalar. Qed.

Lemma qmx_zero m n A : qzero A -> qmx m n A = 0.
Proof.
move=> /all_nthP zeroA; apply/matrixP => i j; rewrite !mxE /entry.
suff -> : nth 0%Z (nth [::] (numerators A) i) j = 0%Z by rewrite mulr0.
case: (ltnP i (size (numerators A))) => [lt_i | le_i]; last by rewrite [nth [::] _ _]nth_default // nth_nil.
case: (ltnP j (size (nth [::] (numerators A) i))) => [lt_j | le_j]; last by rewrite nth_default.
by have /(all_nthP 0%Z)/(_ j lt_j)/Z.eqb_spec := zeroA [::] i lt_i.
Qed.

Lemma qmx_eq m n A B : qshape m n A -> qshape m n B -> qzero (qsub A B) -> qmx m n A = qmx m n B.
Proof. by move=> sA sB zero; apply/subr0_eq; rewrite -qmx_sub // qmx_zero. Qed.

Lemma trace_productE m n A B :
  shape m n A -> shape m n B ->
  ofZ (trace_product A B) = \sum_(i < m) \sum_(j < n) ofZ (entry A i j) * ofZ (entry B i j).
Proof.
rewrite /trace_product /entry.
elim: m A B => [|m IHm] [|u A] [|v B] //= => [_ _|]; first by rewrite big_ord0.
case/andP=> size_A /andP[size_u rows_A] /andP[size_B /andP[size_v rows_B]].
have le_u : (size u <= n)%N by rewrite (eqP size_u).
by rewrite ofZD big_ord_recl (productE R v le_u) IHm //; apply/andP; split.
Qed.

Lemma inner_qmx m n A B : qshape m n A -> qshape m n B -> inner (qmx m n A) (qmx m n B) = ofQ (qinner A B).
Proof.
move=> sA sB; rewrite /qmx innerZl innerZr innerE /ofQ /= ofZ_posM invfM mulrA mulrC; congr (_ * _).
rewrite (trace_productE sA sB); apply: eq_bigr => i _; apply: eq_bigr => j _.
by rewrite !mxE.
Qed.

Lemma check_qpsd_sound n A w : check_qpsd n A w -> psd (qmx n n A).
Proof.
by move=> /(check_psd_sound R) pA; apply: psdZ => //; rewrite invr_ge0 ltW ?ofZ_pos.
Qed.

Lemma check_qpd_sound n A w : check_qpd n A w -> pd (qmx n n A).
Proof.
move=> /(check_pd_sound R)[symA pos]; split=> [|v v_nz]; first by rewrite linearZ /= symA.
by rewrite qformE qform_mxZ mulr_gt0 ?invr_gt0 ?ofZ_pos //; apply: pos.
Qed.

End Meaning.
