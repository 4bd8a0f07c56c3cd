(** * A checker for the covariance certificate, and its soundness

    [check] is a program over binary integers; [check_sound] says that a certificate it accepts is
    true.  The claim is the one of Covariance.v for the sensitivity set of Uniform.v: all queries,
    datasets of every size, both neighbouring relations, over every ordered field, so in particular
    over the reals. *)

From mathcomp Require Import all_ssreflect all_algebra ssrZ.
From Coq Require Import ZArith QArith Lia.
From mathcomp Require Import ssrnat ring.
From Certify Require Import Psd Covariance Hull Uniform Integers Rationals.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.

(** ** The claim *)

(** Row i of [records] is the record x_i.  The budget is known as an enclosure. *)
Record claim := Claim {
  dimension : nat;
  records : qmatrix;
  weight : qmatrix;
  floor : Q;
  covariance : qmatrix;
  rho_lower : Q;
  rho_upper : Q;
  lower : Q;
  upper : Q
}.

Section Claim.

Local Open Scope ring_scope.

Variable R : realFieldType.

(** Row i of a matrix, as a column vector; all of them. *)
Definition point (d : nat) (A : qmatrix) (i : nat) : 'cV[R]_d :=
  \col_j (ofZ R (entry (numerators A) i j) / ofZ R (Zpos (denominator A))).
Definition points (d : nat) (A : qmatrix) : seq 'cV[R]_d :=
  mkseq (point d A) (size (numerators A)).

(** The covariance suits every budget in the enclosure and costs at most [upper]; no covariance that
    suits it costs less than [lower].  To suit a budget is [primal_feasible]: Sigma - eta I is PSD,
    and [Sigma s; s^T rho] is PSD for the shift s of the mean between any two neighbouring datasets
    over the records, of any size, for any query. *)
Definition holds (c : claim) : Prop :=
  forall (rel : relation) (queries : ('cV[R]_(dimension c) -> R) -> Prop) (rho : R),
  admissible id queries -> ofQ R (rho_lower c) <= rho <= ofQ R (rho_upper c) ->
  covariance_optimum
    (sensitivity_set id queries rel (points (dimension c) (records c))) rho (ofQ R (floor c))
    (qmx R (dimension c) (dimension c) (weight c)) (qmx R (dimension c) (dimension c) (covariance c))
    (ofQ R (lower c)) (ofQ R (upper c)).

End Claim.

(** ** The witness *)

(** Sigma = B K^T B^T for the basis B and the core K, and x_i - x_0 = B (t_i - t_0) for the
    coordinates t_i: with B = I, K = Sigma and t_i = x_i when Sigma is invertible.  P bounds the
    inverse of K.  The multiplier of the records i and k is an integer over [multiplier_unit]. *)
Record witness := Witness {
  rank : nat;
  basis : qmatrix;
  core : qmatrix;
  coordinates : qmatrix;
  coordinate_shift : N;
  image_shift : N;
  floor_psd : psd_witness;
  precision : qmatrix;
  precision_pd : psd_witness;
  dominance_psd : psd_witness;
  multipliers : seq (nat * nat * Z);
  multiplier_unit : positive;
  dual_precision : qmatrix;
  dual_psd : psd_witness
}.

(** Multipliers with the row indices in binary, as certificates write them. *)
Definition indexed (pairs : seq (Z * Z * Z)) : seq (nat * nat * Z) :=
  [seq (Z.to_nat j.1.1, Z.to_nat j.1.2, j.2) | j <- pairs].

(** ** Obligations *)

Definition difference (A : rows) (i k : nat) : vector :=
  combine Z.sub (nth [::] A i) (nth [::] A k).

(** x_i - x_0 *)
Definition centered (A : qmatrix) : qmatrix :=
  QMatrix [seq difference (numerators A) i 0 | i <- iota 0 (size (numerators A))] (denominator A).

Definition check_shapes (c : claim) (w : witness) : bool :=
  let (d, r) := (dimension c, rank w) in
  let m := size (numerators (records c)) in
  [&& qshape m d (records c), qshape d d (weight c) & qshape d d (covariance c)] &&
  [&& qshape d r (basis w), qshape r r (core w), qshape m r (coordinates w), qshape r r (precision w)
    & qshape d d (dual_precision w)].

Definition check_support (c : claim) (w : witness) : bool :=
  let B := basis w in
  qzero (qsub (qtimes_transpose (qtimes_transpose B (core w)) B) (covariance c)) &&
  qzero (qsub (qtimes_transpose (centered (coordinates w)) B) (centered (records c))).

(** With eta = 0 nothing is left to show: Sigma = B K^T B^T, and K >= P^-1 is PSD. *)
Definition check_floor (c : claim) (w : witness) : bool :=
  Qle_bool 0 (floor c) &&
  (Qeq_bool (floor c) 0 ||
   check_qpsd (dimension c) (qsub (covariance c) (qscalar (dimension c) (floor c))) (floor_psd w)).

(** P is positive definite and P K^T P - P is PSD. *)
Definition check_precision (w : witness) : bool :=
  let (r, P) := (rank w, precision w) in
  check_qpd r P (precision_pd w) &&
  check_qpsd r (qsub (qtimes_transpose (qtimes_transpose P (core w)) P) P) (dominance_psd w).

(** A point t with the numerators of P t and t^T P t, and the leading bits of t and P t with their
    absolute sums: what a pair needs, computed once for each record. *)
Record measured := Measured {
  exact_point : vector; exact_image : vector; own_form : Z;
  rough_point : vector; rough_image : vector; rough_weight : Z
}.

Definition measure (w : witness) (t : vector) : measured :=
  let image := [seq product t u | u <- numerators (precision w)] in
  let point' := shift_right (coordinate_shift w) t in
  let image' := shift_right (image_shift w) image in
  Measured t image (product t image) point' image' (sum_abs point' + sum_abs image').

(** (t - t')^T P (t - t'), exactly, and an upper bound of it from the leading bits: the product of
    t and P t' is at least that of the leading bits, less the sums of their absolute values. *)
Definition pair_form (a b : measured) : Z :=
  (own_form a + own_form b - 2 * product (exact_point b) (exact_image a))%Z.
Definition pair_form_upper (unit : Z) (a b : measured) : Z :=
  (own_form a + own_form b -
   2 * (unit * (product (rough_point b) (rough_image a) - (rough_weight a + rough_weight b))))%Z.

(** Every pair: the numerators are compared with the budget in their unit, rounded down.  Most pairs
    are far from the budget, and their leading bits show it. *)
Definition check_pairs (c : claim) (w : witness) : bool :=
  let (T, P) := (coordinates w, precision w) in
  let unit := Zpos (denominator T * denominator T * denominator P) in
  let budget := (Qnum (rho_lower c) * unit / Zpos (Qden (rho_lower c)))%Z in
  let rough_unit := (2 ^ Z.of_N (coordinate_shift w + image_shift w))%Z in
  let within a b :=
    if (pair_form_upper rough_unit a b <=? budget)%Z then true else (pair_form a b <=? budget)%Z in
  Qle_bool 0 (rho_lower c) && pairwise within [seq measure w t | t <- numerators T].

Definition check_cost (c : claim) : bool := Qle_bool (qinner (weight c) (covariance c)) (upper c).

(** sum_j mu_j s_j s_j^T over the pairs with multipliers. *)
Definition moment (c : claim) (w : witness) : qmatrix :=
  let A := numerators (records c) in
  let vectors := transpose (dimension c) [seq difference A j.1.1 j.1.2 | j <- multipliers w] in
  QMatrix (weighted_product [seq j.2 | j <- multipliers w] vectors vectors)
          (multiplier_unit w * (denominator (records c) * denominator (records c))).

Definition multiplier_sum (w : witness) : Q :=
  Qmake (foldr Z.add 0%Z [seq j.2 | j <- multipliers w]) (multiplier_unit w).

(** H = W - P' M P'^T is PSD and eta tr H + 2 <P', M> - rho sum_j mu_j is at least the lower bound. *)
Definition check_dual (c : claim) (w : witness) : bool :=
  let (m, P) := (size (numerators (records c)), dual_precision w) in
  let M := moment c w in
  let H := qsub (weight c) (qtimes_transpose (qtimes_transpose P M) P) in
  let gain := (qinner P M + qinner P M - rho_upper c * multiplier_sum w)%Q in
  let value := (qinner H (qscalar (dimension c) (floor c)) + gain)%Q in
  [&& all (fun j => (j.1.1 < m)%N && (j.1.2 < m)%N && (0 <=? j.2)%Z) (multipliers w),
      check_qpsd (dimension c) H (dual_psd w) & Qle_bool (lower c) value].

Definition check (c : claim) (w : witness) : bool :=
  [&& check_shapes c w, check_support c w, check_floor c w, check_precision w, check_pairs c w,
      check_cost c & check_dual c w].

(** ** Soundness *)

Section Soundness.

Local Open Scope ring_scope.

Variables (R : realFieldType) (c : claim) (w : witness).

Local Notation d := (dimension c).
Local Notation r := (rank w).
Local Notation m := (size (numerators (records c))).
Local Notation x := (point R d (records c)).
Local Notation t := (point R r (coordinates w)).
Local Notation Sigma := (qmx R d d (covariance c)).
Local Notation B := (qmx R d r (basis w)).
Local Notation K := (qmx R r r (core w)).
Local Notation P := (qmx R r r (precision w)).

(** *** Points *)

Lemma point_row n k A i (lt_i : (i < n)%N) : point R k A i = (row (Ordinal lt_i) (qmx R n k A))^T.
Proof. by apply/colP => j; rewrite !mxE mulrC. Qed.

Definition column k (v : vector) : 'cV[R]_k := \col_j ofZ R (nth 0%Z v j).

Lemma pointE k A i :
  point R k A i = (ofZ R (Zpos (denominator A)))^-1 *: column k (nth [::] (numerators A) i).
Proof. by apply/colP => j; rewrite !mxE mulrC. Qed.

Lemma mem_points k A s : s \in points R k A -> exists2 i, (i < size (numerators A))%N & s = point R k A i.
Proof. by case/mapP=> i; rewrite mem_iota => /andP[_ lt_i] ->; exists i. Qed.

Lemma nth_difference n k A (i l j : nat) :
  shape n k A -> (i < n)%N -> (l < n)%N -> (j < k)%N ->
  ofZ R (nth 0%Z (difference A i l) j) = ofZ R (entry A i j) - ofZ R (entry A l j).
Proof. by move=> sA lt_i lt_l lt_j; rewrite nth_combine ?(shape_row sA) // ofZB. Qed.

Lemma size_difference n k A i l :
  shape n k A -> (i < n)%N -> (l < n)%N -> size (difference A i l) = k.
Proof. by move=> sA lt_i lt_l; rewrite size_combine !(shape_row sA) // minnn. Qed.

Lemma shape_centered n k A : qshape n k A -> qshape n k (centered A).
Proof.
move=> sA; rewrite /qshape /shape /= size_map size_iota (shape_size sA) eqxx all_map /=.
apply/allP => i; rewrite mem_iota => /andP[_ lt_i] /=.
by rewrite (size_difference sA) // (leq_ltn_trans (leq0n i)).
Qed.

Lemma point_centered n k A i :
  qshape n k A -> (i < n)%N -> point R k (centered A) i = point R k A i - point R k A 0.
Proof.
move=> sA lt_i; have lt_0 : (0 < n)%N := leq_ltn_trans (leq0n i) lt_i.
apply/colP => j; rewrite !mxE /= -mulrBl /entry (nth_map 0%N) ?size_iota ?(shape_size sA) //.
by rewrite nth_iota ?(shape_size sA) // (nth_difference sA).
Qed.

(** *** What the obligations give *)

Lemma support_sound :
  check_shapes c w -> check_support c w ->
  Sigma = B *m K^T *m B^T /\
  forall i k, (i < m)%N -> (k < m)%N -> x i - x k = B *m (t i - t k).
Proof.
case/andP=> /and3P[sX _ sS] /and5P[sB sK sT sP _] /andP[zeroS zeroX].
have sBK := qshape_times_transpose sB sK.
have eqS := qmx_eq R (qshape_times_transpose sBK sB) sS zeroS.
have sTB := qshape_times_transpose (shape_centered sT) sB.
have eqX := qmx_eq R sTB (shape_centered sX) zeroX.
split=> [|i k lt_i lt_k].
  by rewrite -eqS (qmx_times_transpose _ _ _ sBK) (qmx_times_transpose _ _ _ sB).
have from0 l : (l < m)%N -> x l - x 0 = B *m (t l - t 0).
  move=> lt_l; rewrite -(point_centered sX) // -(point_centered sT) // !(point_row _ _ lt_l).
  rewrite -eqX (qmx_times_transpose _ _ _ (shape_centered sT)) row_mul trmx_mul trmxK.
  by [].
have split0 (V : zmodType) (a b z : V) : a - b = (a - z) - (b - z) by rewrite opprB addrA subrK.
by rewrite (split0 _ (x i) _ (x 0)) (split0 _ (t i) _ (t 0)) mulmxBr !from0.
Qed.

Lemma precision_sound :
  check_shapes c w -> check_precision w ->
  [/\ psd P, P \in unitmx & psd (P *m K^T *m P - P)].
Proof.
case/andP=> _ /and5P[_ sK _ sP _] /andP[/(check_qpd_sound R)/pdP[pP uP] pDominance]; split=> //.
have sPK := qshape_times_transpose sP sK.
have := check_qpsd_sound R pDominance.
rewrite (qmx_sub _ (qshape_times_transpose sPK sP) sP) !(qmx_times_transpose _ _ _ sPK).
by rewrite (qmx_times_transpose _ _ _ sP) (psd_sym pP).
Qed.

Lemma floor_sound :
  check_shapes c w -> check_support c w -> check_precision w -> check_floor c w ->
  0 <= ofQ R (floor c) /\ psd (Sigma - (ofQ R (floor c))%:M).
Proof.
move=> shapes /(support_sound shapes)[eqS _] /(precision_sound shapes)[pP uP pE].
case/andP=> /(ofQ_ge0 R) floor_ge0 floored; split=> //; case/orP: floored => [/(ofQ0 R) -> | pFloor].
  rewrite -scalemx1 scale0r subr0 eqS; apply: psd_congr.
  rewrite -(subrK (invmx P) K^T); apply: psdD (psd_inv uP pP).
  exact: precision_congruence pP uP pE.
have := check_qpsd_sound R pFloor; case/andP: shapes => /and3P[_ _ sS] _.
by rewrite (qmx_sub _ sS (qshape_scalar _ _)) qmx_scalar.
Qed.

Lemma product_form n (N : rows) a b :
  shape n n N -> size a = n -> size b = n ->
  ofZ R (product a [seq product b u | u <- N]) = form (mx R n n N) (column n a) (column n b).
Proof.
move=> sN size_a size_b; have [le_a le_b] : (size a <= n)%N /\ (size b <= n)%N by rewrite size_a size_b.
rewrite formE dotE (productE _ _ le_a); apply: eq_bigr => i _; rewrite !mxE.
rewrite (nth_map [::]) ?(shape_size sN) // (productE _ _ le_b).
by congr (_ * _); apply: eq_bigr => j _; rewrite !mxE mulrC.
Qed.

Local Notation N := (numerators (precision w)).

Lemma pair_formE a b :
  qshape r r (precision w) -> P^T = P -> size a = r -> size b = r ->
  ofZ R (pair_form (measure w a) (measure w b)) =
    qform (mx R r r N) (column r a - column r b).
Proof.
move=> sN symP size_a size_b.
have symN : (mx R r r N)^T = mx R r r N.
  apply: (@scalerI _ _ (ofZ R (Zpos (denominator (precision w))))^-1); first by rewrite invr_eq0 ofZ_pos_neq0.
  by rewrite -[RHS]symP linearZ.
pose value u v := ofZ R (product u [seq product v row | row <- N]).
have -> : ofZ R (pair_form (measure w a) (measure w b)) = value a a + value b b - ofZ R 2 * value b a.
  by rewrite /pair_form ofZB ofZD ofZM.
rewrite /value !(product_form sN) //.
rewrite -(scaleN1r (column r b)) qformD // qformZ formZr -(form_tr _ (column r b) (column r a)) symN.
rewrite (_ : ofZ R 2 = 2%:R) // /qform; ring.
Qed.

Lemma pair_form_le_upper a b :
  (pair_form (measure w a) (measure w b) <=
   pair_form_upper (2 ^ Z.of_N (coordinate_shift w + image_shift w)) (measure w a) (measure w b))%Z.
Proof.
rewrite /pair_form /pair_form_upper; apply: (proj1 (Z.sub_le_mono_l _ _ _)).
apply: Z.mul_le_mono_nonneg_l => //.
apply: Z.le_trans (@product_shift (coordinate_shift w) (image_shift w) _ _).
apply: Z.mul_le_mono_nonneg_l; first exact: Z.pow_nonneg.
apply: (proj1 (Z.sub_le_mono_l _ _ _)) => /=.
have := @sum_abs_ge0 (shift_right (coordinate_shift w) a).
have := @sum_abs_ge0 (shift_right (image_shift w) [seq product b u | u <- N]).
lia.
Qed.

Lemma pairs_sound :
  check_shapes c w -> check_precision w -> check_pairs c w ->
  0 <= ofQ R (rho_lower c) /\
  forall i k, (i < m)%N -> (k < m)%N -> qform P (t i - t k) <= ofQ R (rho_lower c).
Proof.
move=> shapes /(precision_sound shapes)[/psd_sym symP _ _].
case/andP: shapes => _ /and5P[_ _ sT sP _] /andP[/(ofQ_ge0 R) rho_ge0 pairs]; split=> //.
set T := numerators (coordinates w) in sT pairs *.
set p := ofZ R (Zpos (denominator (precision w))); set s := ofZ R (Zpos (denominator (coordinates w))).
have [p_gt0 s_gt0] : 0 < p /\ 0 < s by split; apply: ofZ_pos.
have formE i k : (i < m)%N -> (k < m)%N -> qform P (t i - t k) =
    ofZ R (pair_form (measure w (nth [::] T i)) (measure w (nth [::] T k))) / (s * s * p).
  move=> lt_i lt_k; rewrite (pair_formE sP symP) ?(shape_row sT) // qform_mxZ !pointE -scalerBr qformZ.
  by rewrite -/p -/s -/T !invfM expr2; move: (p^-1) (s^-1) (qform _ _) => ? ? ?; ring.
have ordered i k : (i < k)%N -> (i < m)%N -> (k < m)%N -> qform P (t i - t k) <= ofQ R (rho_lower c).
  move=> lt_ik lt_i lt_k; rewrite formE //; set q := pair_form _ _.
  have le_q : (q <= Qnum (rho_lower c) * Zpos (denominator (coordinates w) *
      denominator (coordinates w) * denominator (precision w)) / Zpos (Qden (rho_lower c)))%Z.
    move/(pairwiseP (measure w [::])): pairs => /(_ i k).
    rewrite !inE size_map (shape_size sT) !(nth_map [::]) ?(shape_size sT) // => /(_ lt_i lt_k lt_ik).
    case: ifP => [/Z.leb_le upper_le _ | _ /Z.leb_le //].
    exact: Z.le_trans (@pair_form_le_upper _ _) upper_le.
  have den_pos := Pos2Z.is_pos (Qden (rho_lower c)).
  have := Zmult_le_compat_l _ _ _ le_q (Z.lt_le_incl _ _ den_pos).
  move/Z.le_trans/(_ (Z.mul_div_le _ _ den_pos))/Z.leb_le/(ofZ_le R).
  rewrite !ofZM !ofZ_posM -/s -/p => le_qd.
  by rewrite ler_pdivr_mulr ?mulr_gt0 // /ofQ mulrAC ler_pdivl_mulr ?ofZ_pos // [ofZ R q * _]mulrC.
move=> i k lt_i lt_k; case: (ltngtP i k) => [lt_ik | lt_ki | ->]; first exact: ordered.
  by rewrite -opprB qformN ordered.
by rewrite subrr qform0.
Qed.

(** *** The dual point *)

Local Notation J := (size (multipliers w)).
Local Notation W := (qmx R d d (weight c)).
Local Notation P' := (qmx R d d (dual_precision w)).
Local Notation pair j := (nth (0%N, 0%N, 0%Z) (multipliers w) j).

Definition multiplier (j : 'I_J) : R := ofZ R (pair j).2 / ofZ R (Zpos (multiplier_unit w)).
Definition pair_vector (j : 'I_J) : 'cV[R]_d := x (pair j).1.1 - x (pair j).1.2.

Local Notation M := (\sum_j multiplier j *: (pair_vector j *m (pair_vector j)^T)).

Lemma multipliers_valid (j : 'I_J) :
  all (fun j => (j.1.1 < m)%N && (j.1.2 < m)%N && (0 <=? j.2)%Z) (multipliers w) ->
  [/\ ((pair j).1.1 < m)%N, ((pair j).1.2 < m)%N & 0 <= multiplier j].
Proof.
move/all_nthP => /(_ (0%N, 0%N, 0%Z) j (ltn_ord j)) /andP[/andP[lt_i lt_k] mu_ge0]; split=> //.
by rewrite divr_ge0 ?(ltW (ofZ_pos _ _)) // ofZ_ge0.
Qed.

Lemma ofZ_sum (I : Type) (f : I -> Z) (s : seq I) :
  ofZ R (foldr Z.add 0%Z [seq f i | i <- s]) = \sum_(i <- s) ofZ R (f i).
Proof. by elim: s => [|i s IHs]; rewrite ?big_nil ?big_cons //= ofZD IHs. Qed.

Lemma multiplier_sumE : ofQ R (multiplier_sum w) = \sum_j multiplier j.
Proof.
rewrite /ofQ /= ofZ_sum (big_nth (0%N, 0%N, 0%Z)) big_mkord mulr_suml.
by apply: eq_bigr.
Qed.

Lemma point_difference n k A i l (j : 'I_k) :
  qshape n k A -> (i < n)%N -> (l < n)%N ->
  (point R k A i - point R k A l) j 0 =
    ofZ R (nth 0%Z (difference (numerators A) i l) j) / ofZ R (Zpos (denominator A)).
Proof. by move=> sA lt_i lt_l; rewrite !mxE -mulrBl (nth_difference sA). Qed.

Lemma moment_shape :
  qshape m d (records c) ->
  all (fun j => (j.1.1 < m)%N && (j.1.2 < m)%N && (0 <=? j.2)%Z) (multipliers w) ->
  shape J d [seq difference (numerators (records c)) j.1.1 j.1.2 | j <- multipliers w].
Proof.
move=> sX /allP valid; rewrite /shape size_map eqxx all_map; apply/allP => j /valid /=.
by case/andP=> /andP[lt_i lt_k] _; rewrite (size_difference sX).
Qed.

Lemma moment_sound :
  qshape m d (records c) ->
  all (fun j => (j.1.1 < m)%N && (j.1.2 < m)%N && (0 <=? j.2)%Z) (multipliers w) ->
  qshape d d (moment c w) /\ qmx R d d (moment c w) = M.
Proof.
move=> sX valid; have sV := moment_shape sX valid; have sVt := shape_transpose sV.
set V := map _ _ in sV sVt; set z := [seq j.2 | j <- multipliers w].
have size_z : size z = J by rewrite size_map.
have sZ : shape d J [seq combine Z.mul z u | u <- transpose d V].
  by apply: shape_map sVt => u su; rewrite size_combine size_z su minnn.
split; first exact: shape_times_transpose sZ sVt.
apply/matrixP => a b; rewrite mxE /= (mx_times_transpose R _ _ sZ) (mx_weight R sVt size_z).
rewrite (mx_transpose R sV) trmxK [in LHS]mxE summxE mulr_sumr; apply: eq_bigr => j _.
have [lt_i lt_k _] := multipliers_valid j valid.
have entryV (e : 'I_d) : pair_vector j e 0 = ofZ R (entry V j e) / ofZ R (Zpos (denominator (records c))).
  by rewrite (point_difference _ sX lt_i lt_k) /entry (nth_map (0%N, 0%N, 0%Z)).
move: (pair_vector j) entryV => v entryV.
rewrite mul_mx_diag !mxE big_ord1 [v^T _ _]mxE !entryV /multiplier /z (nth_map (0%N, 0%N, 0%Z)) //.
by rewrite !ofZ_posM; field; rewrite !ofZ_pos_neq0.
Qed.

Lemma dual_sound :
  check_shapes c w -> check_dual c w ->
  [/\ forall j : 'I_J, ((pair j).1.1 < m)%N /\ ((pair j).1.2 < m)%N, forall j, 0 <= multiplier j,
      psd (compact_H pair_vector multiplier P' W)
    & ofQ R (lower c) <= compact_value pair_vector multiplier P' W (ofQ R (rho_upper c)) (ofQ R (floor c))].
Proof.
case/andP=> /and3P[sX sW _] /and5P[_ _ _ _ sP] /and3P[valid pH le_value].
have [sM defM] := moment_sound sX valid.
have mu_ge0 j : 0 <= multiplier j by have [] := multipliers_valid j valid.
have symM : M^T = M.
  by apply/psd_sym/psd_sum => j _; apply: psdZ (mu_ge0 j) _; apply: psd_rank1.
have sPM := qshape_times_transpose sP sM; have sPMP := qshape_times_transpose sPM sP.
set H := qsub _ _ in pH le_value.
have sH : qshape d d H := qshape_sub sW sPMP.
have defH : qmx R d d H = compact_H pair_vector multiplier P' W.
  rewrite compact_HE (qmx_sub _ sW sPMP) (qmx_times_transpose _ _ _ sPM).
  by rewrite (qmx_times_transpose _ _ _ sP) defM symM.
have innerM : ofQ R (qinner (dual_precision w) (moment c w)) = \sum_j multiplier j * qform P' (pair_vector j).
  rewrite -(inner_qmx R sP sM) defM innerC inner_suml; apply: eq_bigr => j _.
  by rewrite innerZl inner_rank1.
split=> //; first by move=> j; have [] := multipliers_valid j valid.
  by rewrite -defH; apply: check_qpsd_sound pH.
apply: le_trans (ofQ_le R le_value) _.
rewrite ofQD ofQB ofQD ofQM innerM multiplier_sumE -(inner_qmx R sH (qshape_scalar _ _)).
rewrite qmx_scalar inner_scalar_mx defH /compact_value ler_add2l.
rewrite -big_split mulr_sumr -sumrB /= le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => j _; ring.
Qed.

(** *** The theorem *)

Lemma differences_within i k :
  check c w -> (i < m)%N -> (k < m)%N -> psd (bordered Sigma (x i - x k) (ofQ R (rho_lower c))).
Proof.
case/and5P=> shapes support _ precise /and3P[pairs _ _] lt_i lt_k.
have [-> pointsE] := support_sound shapes support.
have [pP uP pE] := precision_sound shapes precise.
have [_ within] := pairs_sound shapes precise pairs.
rewrite pointsE //; apply: psd_bordered_support.
exact: precision_congruence_budget pP uP pE (within i k lt_i lt_k).
Qed.

(** The certificate is true. *)
Theorem check_sound : check c w -> holds R c.
Proof.
move=> checked rel queries rho adm rho_in; have within := differences_within checked.
case/and5P: checked => shapes support floored precise /and3P[pairs cost dual].
have [floor_ge0 pFloor] := floor_sound shapes support precise floored.
have [rho_ge0 _] := pairs_sound shapes precise pairs.
have [in_domain mu_ge0 pH le_value] := dual_sound shapes dual.
have uniform := uniform_query_bordered rel (points R d (records c)) _ _ adm.
apply: (covariance_rule_sound floor_ge0 rho_ge0 pFloor _ _ _ rho_in).
- apply/ByBlocks/uniform => _ [_ [_ [/mem_points[i lt_i ->] /mem_points[k lt_k ->] ->]]].
  exact: within.
- case/andP: shapes => /and3P[_ sW sS] _.
  by rewrite (inner_qmx R sW sS); apply: ofQ_le.
apply: (ByCompactDual _ mu_ge0 pH le_value) => j Sigma' rho' _ _ /uniform; apply.
by have [lt_i lt_k] := in_domain j; exists (x (pair j).1.1), (x (pair j).1.2); rewrite !map_f ?mem_iota.
Qed.

(** Its privacy alone, for every positive weight function and any two datasets over the records, of
    any size; in particular for neighbours. *)
Theorem check_private (weight : 'cV[R]_d -> R) (D D' : seq 'cV[R]_d) :
  check c w -> (forall y, 0 < weight y) ->
  D != [::] -> {subset D <= points R d (records c)} ->
  D' != [::] -> {subset D' <= points R d (records c)} ->
  psd (bordered Sigma (mean weight id D - mean weight id D') (ofQ R (rho_lower c))).
Proof.
move=> checked w_gt0 D_nil sDK D'_nil sD'K.
have sup := @means_supported _ _ _ id _ _ _ _ _ w_gt0 w_gt0 D_nil sDK D'_nil sD'K.
apply: (supported_bordered sup).
move=> _ [_ [_ [/mem_points[i lt_i ->] /mem_points[k lt_k ->] ->]]].
exact: differences_within.
Qed.

End Soundness.
