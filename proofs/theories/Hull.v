(** * Sensitivity sets and their hulls

    The release is a weighted mean of the records.  This file proves, for datasets of every size and
    for arbitrary positive weights, what a finite family of small datasets says about all of them:
    the deletion formula, the two-record theorem (add or remove one) and the three-record theorem
    (replace one) of theory.md section 2.

    The paper's weights are Gaussian, w_g(x) = exp(-|g - x|^2 / (2 sigma^2)).  Nothing is used of
    that formula here except that weights are positive. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Weighted means *)

Section Mean.

Variables (R : realFieldType) (V : lmodType R) (T : eqType).
Variables (weight : T -> R) (position : T -> V).

(** A dataset is a sequence of records; repeats are allowed and the order is irrelevant. *)
Implicit Types (x y : T) (D : seq T).

Definition total D : R := \sum_(x <- D) weight x.
Definition mean D : V := (total D)^-1 *: \sum_(x <- D) weight x *: position x.

(** The weight of one record as a share of the whole dataset: the paper's r_k. *)
Definition share D x : R := weight x / total D.

(** The shift of the mean when x is deleted from the dataset of the two records x and y. *)
Definition pair_shift x y : V := mean [:: x; y] - mean [:: y].

(** The shift of the mean when x is replaced by x' in the dataset of the two records x and z. *)
Definition triple_shift x x' z : V := mean [:: x; z] - mean [:: x'; z].

Lemma total_cons x D : total (x :: D) = weight x + total D.
Proof. by rewrite /total big_cons. Qed.

Lemma total1 x : total [:: x] = weight x.
Proof. by rewrite /total big_seq1. Qed.

Lemma total2 x y : total [:: x; y] = weight x + weight y.
Proof. by rewrite total_cons total1. Qed.

Lemma eq_mean D D' : perm_eq D D' -> mean D = mean D'.
Proof. by move=> eqD; rewrite /mean /total !(perm_big _ eqD). Qed.

Hypothesis weight_gt0 : forall x, 0 < weight x.

Lemma total_ge0 D : 0 <= total D.
Proof. by rewrite /total sumr_ge0 // => x _; apply: ltW. Qed.

Lemma total_gt0 D : D != [::] -> 0 < total D.
Proof. by case: D => // x D _; rewrite total_cons ltr_paddr ?total_ge0. Qed.

Lemma total_neq0 D : D != [::] -> total D != 0.
Proof. by move=> /total_gt0; rewrite lt0r => /andP[]. Qed.

Lemma weight_neq0 x : weight x != 0.
Proof. by rewrite gt_eqF. Qed.

Lemma weight_le_total x D : x \in D -> weight x <= total D.
Proof.
move=> xD; rewrite /total (perm_big _ (perm_to_rem xD)) big_cons.
by rewrite ler_addl total_ge0.
Qed.

Lemma total_mean D : total D *: mean D = \sum_(x <- D) weight x *: position x.
Proof.
case: (altP (D =P [::])) => [->|D_nil]; first by rewrite /mean /total !big_nil scale0r.
by rewrite scalerA mulfV ?scale1r // total_neq0.
Qed.

Lemma mean1 x : mean [:: x] = position x.
Proof. by rewrite /mean total1 big_seq1 scalerA mulVf ?scale1r ?weight_neq0. Qed.

Lemma mean_cons x D :
  total (x :: D) *: mean (x :: D) = weight x *: position x + total D *: mean D.
Proof. by rewrite !total_mean big_cons. Qed.

(** *** Deletion formula

    With r the share of x: the shift is r / (1 - r) times (x minus the mean with x), which is r
    times (x minus the mean without x). *)

Lemma share_lt1 x D : D != [::] -> share (x :: D) x < 1.
Proof.
move=> D_nil; rewrite /share ltr_pdivr_mulr ?total_gt0 // mul1r total_cons.
by rewrite ltr_addl total_gt0.
Qed.

Theorem deletion_without x D :
  D != [::] -> mean (x :: D) - mean D = share (x :: D) x *: (position x - mean D).
Proof.
move=> D_nil; have t_nz : total (x :: D) != 0 by rewrite total_neq0.
apply: (scalerI t_nz); rewrite scalerBr mean_cons [in RHS]scalerA /share mulrCA mulfV // mulr1.
by rewrite total_cons scalerDl scalerBr opprD addrA addrAC addrK.
Qed.

Theorem deletion_with x D :
  D != [::] ->
  mean (x :: D) - mean D =
    (share (x :: D) x / (1 - share (x :: D) x)) *: (position x - mean (x :: D)).
Proof.
move=> D_nil; set r := share _ _; have r_nz : 1 - r != 0.
  by rewrite gt_eqF // subr_gt0 share_lt1.
apply: (scalerI r_nz); rewrite [in RHS]scalerA mulrCA mulfV // mulr1.
rewrite scalerBl scale1r {1}deletion_without // -/r -scalerBr; congr (r *: _).
by rewrite opprB addrA subrK.
Qed.

Lemma pair_shiftE x y :
  pair_shift x y = (weight x / (weight x + weight y)) *: (position x - position y).
Proof. by rewrite /pair_shift deletion_without // mean1 /share total2. Qed.

(** *** Two-record theorem

    Every deletion shift is a combination of two-record shifts, with coefficients that are
    nonnegative and sum to at most one.  Nothing is assumed of the number of records. *)

Definition pair_coefficient x D y : R :=
  let r := share (x :: D) in r y * (r y + r x) / (1 - r x).

Lemma shareD x D : D != [::] -> 1 - share (x :: D) x = total D / total (x :: D).
Proof.
move=> D_nil; rewrite -[1](@mulfV _ (total (x :: D))) ?total_neq0 // /share -mulrBl.
by rewrite total_cons addrAC subrr add0r.
Qed.

Lemma pair_coefficientE x D y :
  D != [::] ->
  pair_coefficient x D y = weight y * (weight y + weight x) / (total (x :: D) * total D).
Proof.
move=> D_nil; rewrite /pair_coefficient shareD // /share.
by field; rewrite !total_neq0.
Qed.

Lemma pair_coefficient_ge0 x D y : D != [::] -> 0 <= pair_coefficient x D y.
Proof.
move=> D_nil; rewrite pair_coefficientE // divr_ge0 ?mulr_ge0 ?addr_ge0 ?total_ge0 //; exact: ltW.
Qed.

Lemma pair_coefficient_sum x D : D != [::] -> \sum_(y <- D) pair_coefficient x D y <= 1.
Proof.
move=> D_nil; under eq_bigr do rewrite pair_coefficientE //.
rewrite -mulr_suml ler_pdivr_mulr ?mulr_gt0 ?total_gt0 // mul1r.
have -> : total (x :: D) * total D = \sum_(y <- D) weight y * total (x :: D).
  by rewrite -mulr_suml mulrC.
rewrite big_seq [leRHS]big_seq.
apply: ler_sum => y yD; apply: ler_wpmul2l; first exact: ltW.
by rewrite total_cons addrC ler_add2l weight_le_total.
Qed.

Theorem two_record x D :
  D != [::] ->
  mean (x :: D) - mean D = \sum_(y <- D) pair_coefficient x D y *: pair_shift x y.
Proof.
move=> D_nil; have [tx_nz tD_nz] := (total_neq0 (isT : x :: D != [::]), total_neq0 D_nil).
transitivity (\sum_(y <- D) (weight x / (total (x :: D) * total D) * weight y) *:
                            (position x - position y)); last first.
  apply: eq_bigr => y _; rewrite pair_shiftE pair_coefficientE // scalerA.
  congr (_ *: _); field; rewrite tx_nz tD_nz /= gt_eqF // addr_gt0 //.
under eq_bigr do rewrite -scalerA; rewrite -scaler_sumr.
under eq_bigr do rewrite scalerBr; rewrite sumrB -scaler_suml -total_mean -/(total D) -scalerBr.
by rewrite scalerA deletion_without // /share; congr (_ *: _); field; rewrite tx_nz tD_nz.
Qed.

End Mean.

(** ** Convex symmetric sets

    A guarantee that depends on a set of shifts through a convex symmetric region of vectors holds
    for the whole set as soon as it holds for the pair shifts. *)

Section Convexity.

Variables (R : realFieldType) (V : lmodType R).
Implicit Types (u v : V) (A : V -> Prop).

Definition convex A : Prop :=
  forall (a : R) u v, 0 <= a <= 1 -> A u -> A v -> A (a *: u + (1 - a) *: v).

Definition symmetric A : Prop := forall v, A v -> A (- v).

Lemma convex_symmetric0 A v : convex A -> symmetric A -> A v -> A 0.
Proof.
move=> cA sA Av; have half : 0 <= (2%:R^-1 : R) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ltr0n ?ler1n.
have := cA _ _ _ half Av (sA _ Av); rewrite scalerN -scalerBl.
by rewrite (_ : _ - _ = 0) ?scale0r //; field.
Qed.

Lemma convex_sum A (I : eqType) (r : seq I) (c : I -> R) (f : I -> V) (C : R) :
  convex A -> A 0 -> (forall i, i \in r -> 0 <= c i) -> (forall i, i \in r -> A (f i)) ->
  \sum_(i <- r) c i <= C -> exists2 v, A v & \sum_(i <- r) c i *: f i = C *: v.
Proof.
move=> cA A0; elim: r C => [|i r IHr] C c_ge0 Af; rewrite !(big_nil, big_cons) => leC.
  by exists 0; rewrite ?scaler0.
have ci_ge0 : 0 <= c i by rewrite c_ge0 ?mem_head.
have sub_r j : j \in r -> j \in i :: r by rewrite inE => ->; rewrite orbT.
have [j /sub_r/c_ge0 | j /sub_r/Af | | v Av ->] // := IHr (C - c i); first by rewrite ler_subr_addl.
have rest_ge0 : 0 <= \sum_(j <- r) c j by rewrite big_seq sumr_ge0 // => j /sub_r/c_ge0.
have ci_le : c i <= C by apply: le_trans leC; rewrite ler_addl.
case: (eqVneq C 0) => [C0 | C_nz].
  have ci0 : c i = 0 by apply/le_anti; rewrite ci_ge0 andbT -C0.
  by exists 0; rewrite // C0 ci0 subr0 !scale0r addr0.
have C_gt0 : 0 < C by rewrite lt0r C_nz (le_trans ci_ge0).
exists ((c i / C) *: f i + (1 - c i / C) *: v).
  apply: cA; [|exact: Af (mem_head _ _) | exact: Av].
  by rewrite divr_ge0 ?(ltW C_gt0) // ler_pdivr_mulr // mul1r.
by rewrite scalerDr !scalerA mulrCA mulfV // mulr1 mulrBr mulr1 mulrCA mulfV // mulr1.
Qed.

(** The shifts of add-or-remove-one stay in every convex symmetric set that holds the pair shifts. *)
Theorem two_record_hull (T : eqType) (weight : T -> R) (position : T -> V) A x D :
  (forall y, 0 < weight y) -> convex A -> symmetric A -> D != [::] ->
  (forall y, y \in D -> A (pair_shift weight position x y)) ->
  A (mean weight position (x :: D) - mean weight position D).
Proof.
move=> w_gt0 cA sA D_nil Ap; rewrite two_record //.
have A0 : A 0.
  case: D D_nil Ap => // y D _ Ap; exact: convex_symmetric0 (Ap y (mem_head _ _)).
have c_ge0 y : y \in D -> 0 <= pair_coefficient weight x D y.
  by move=> _; apply: pair_coefficient_ge0.
have c_sum := pair_coefficient_sum w_gt0 x D_nil.
by have [v Av ->] := convex_sum cA A0 c_ge0 Ap c_sum; rewrite scale1r.
Qed.

End Convexity.

Section ConvexInstances.

Variable (R : realFieldType).

(** Sublevel sets of a convex even function, so that f(shift) <= B follows from f(pair shift) <= B. *)
Theorem sublevel_convex (V : lmodType R) (f : V -> R) (B : R) :
  (forall a u v, 0 <= a <= 1 -> f (a *: u + (1 - a) *: v) <= a * f u + (1 - a) * f v) ->
  convex (fun v => f v <= B).
Proof.
move=> cf a u v a01 fu fv; apply: le_trans (cf a u v a01) _; case/andP: a01 => a_ge0 a_le1.
have -> : B = a * B + (1 - a) * B by ring.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0.
Qed.

Lemma qform_convex n (Q : 'M[R]_n) a u v :
  psd Q -> 0 <= a <= 1 -> qform Q (a *: u + (1 - a) *: v) <= a * qform Q u + (1 - a) * qform Q v.
Proof.
move=> pQ /andP[a_ge0 a_le1]; rewrite -subr_ge0.
have -> : a * qform Q u + (1 - a) * qform Q v - qform Q (a *: u + (1 - a) *: v) =
          a * (1 - a) * qform Q (u - v).
  rewrite -(scaleN1r v) !qformD ?psd_sym // !qformZ !formZl !formZr; ring.
by rewrite mulr_ge0 ?psd_qform // mulr_ge0 ?subr_ge0.
Qed.

(** Two-record theorem for the quadratic form of a PSD matrix, such as the inverse of a covariance. *)
Theorem two_record_qform n (Q : 'M[R]_n) (T : eqType) (weight : T -> R) (position : T -> 'cV[R]_n)
    (B : R) x D :
  (forall y, 0 < weight y) -> psd Q -> D != [::] ->
  (forall y, y \in D -> qform Q (pair_shift weight position x y) <= B) ->
  qform Q (mean weight position (x :: D) - mean weight position D) <= B.
Proof.
move=> w_gt0 pQ D_nil; apply: (@two_record_hull _ _ _ _ _ (fun v => qform Q v <= B)) => //.
  by apply: sublevel_convex => a u v; apply: qform_convex.
by move=> v; rewrite qformN.
Qed.

End ConvexInstances.

(** ** Three-record theorem (replacement)

    Along every direction, the shift of a replacement in a dataset of any size is at most the shift
    of a replacement in a dataset of two records, all of them records that occur: three records are
    enough.  First for real values (the values along the direction), then for vectors. *)

Section ThreeRecordValues.

Variables (R : realFieldType) (T : eqType) (weight : T -> R).
Hypothesis weight_gt0 : forall x, 0 < weight x.
Implicit Types (v : T -> R) (x y z : T) (D : seq T).

Local Notation value v := (v : T -> R^o).
Local Notation mean_of v D := (mean weight (value v) D).
Local Notation shift_of v := (triple_shift weight (value v)).

Lemma mean_centered v c D :
  D != [::] -> mean_of v D = c + (\sum_(x <- D) weight x * (v x - c)) / total weight D.
Proof.
move=> D_nil; have t_nz := total_neq0 weight_gt0 D_nil.
apply: (mulfI t_nz); rewrite mulrDr [total _ _ * (_ / _)]mulrC divfK //.
under [X in _ = _ + X]eq_bigr do rewrite mulrBr.
rewrite sumrB -mulr_suml -/(total weight D) addrC subrK.
exact: (total_mean (value v) weight_gt0 D).
Qed.

Lemma triple_shiftE v x x' z :
  shift_of v x x' z =
    weight x * (v x - v z) / (weight x + weight z) - weight x' * (v x' - v z) / (weight x' + weight z).
Proof.
rewrite /triple_shift !(mean_centered v (v z)) // !big_cons !big_nil !total2.
by rewrite subrr mulr0 !addr0 opprD addrACA subrr add0r.
Qed.

Lemma mean_opp v D : mean_of (fun x => - v x) D = - mean_of v D.
Proof.
rewrite /mean -scalerN; congr (_ *: _); rewrite -sumrN; apply: eq_bigr => x _.
by rewrite scalerN.
Qed.

Lemma seq_argmax v D : D != [::] -> exists2 y, y \in D & forall z, z \in D -> v z <= v y.
Proof.
elim: D => // x [|x' D] IHD _; first by exists x; rewrite ?mem_head // => z; rewrite inE => /eqP->.
have [//|y yD max_y] := IHD; case: (lerP (v x) (v y)) => [le_xy | lt_yx].
  exists y; first by rewrite inE yD orbT.
  by move=> z; rewrite inE => /orP[/eqP->|/max_y].
exists x; first exact: mem_head.
by move=> z; rewrite inE => /orP[/eqP->//|/max_y le_zy]; rewrite (le_trans le_zy) // ltW.
Qed.

(** Moving every value of V to its largest one can only increase the shift, because x' weighs at
    least as much as x. *)
Lemma centered_shift_le v x x' y D :
  weight x <= weight x' -> D != [::] -> (forall z, z \in D -> v z <= v y) ->
  mean_of v (x :: D) - mean_of v (x' :: D) <=
    weight x * (v x - v y) / (weight x + total weight D)
    - weight x' * (v x' - v y) / (weight x' + total weight D).
Proof.
move=> le_w D_nil max_y; rewrite !(mean_centered v (v y)) // !big_cons !total_cons.
have t_gt0 := total_gt0 weight_gt0 D_nil; set t := total weight D in t_gt0 *.
set s := \sum_(z <- D) _; have s_le0 : s <= 0.
  rewrite /s -oppr_ge0 -sumrN big_seq sumr_ge0 // => z zD.
  by rewrite -mulrN opprB mulr_ge0 ?subr_ge0 ?max_y // ltW.
rewrite opprD addrACA subrr add0r !mulrDl opprD addrACA ger_addl -mulrBr mulr_le0_ge0 // subr_ge0.
by rewrite lef_pinv ?posrE ?addr_gt0 // ler_add2r.
Qed.

Lemma shrink_pos a b s t : 0 < a -> 0 <= b -> 0 < s -> s <= t -> a * b / (a + t) <= a * b / (a + s) :> R.
Proof.
move=> a_gt0 b_ge0 s_gt0 le_st; apply: ler_wpmul2l; first by rewrite mulr_ge0 // ltW.
have t_gt0 := lt_le_trans s_gt0 le_st.
by rewrite lef_pinv ?posrE ?ler_add2l ?addr_gt0.
Qed.

Lemma shrink_neg a b s t :
  0 < a -> b <= 0 -> 0 < s -> s <= t -> - (a * b / (a + t)) <= - (a * b / (a + s)) :> R.
Proof.
move=> a_gt0 b_le0 s_gt0 le_st; have opp u : - (a * b / u) = a * - b / u by rewrite mulrN mulNr.
by rewrite !opp; apply: shrink_pos; rewrite ?oppr_ge0.
Qed.

Lemma three_record_heavier v x x' D :
  weight x <= weight x' -> D != [::] ->
  exists y y' z, [/\ [/\ y \in [:: x, x' & D], y' \in [:: x, x' & D] & z \in D] &
    mean_of v (x :: D) - mean_of v (x' :: D) <= shift_of v y y' z].
Proof.
move=> le_w D_nil; have [y yD max_y] := seq_argmax v D_nil.
have yin : y \in [:: x, x' & D] by rewrite !inE yD !orbT.
have [xin x'in] : x \in [:: x, x' & D] /\ x' \in [:: x, x' & D] by rewrite !inE !eqxx orbT.
have {max_y} := centered_shift_le le_w D_nil max_y; set t := total _ _ => le_f.
have s_gt0 := weight_gt0 y; have le_st : weight y <= t by apply: weight_le_total.
have quotient_sign a : 0 < a -> 0 <= (a + t)^-1.
  by move=> a_gt0; rewrite invr_ge0 addr_ge0 // ltW // (lt_le_trans s_gt0).
case: (lerP 0 (v x - v y)) => [b_ge0 | /ltW b_le0]; case: (lerP 0 (v x' - v y)) => [b'_ge0 | /ltW b'_le0].
- exists x, y, y; split=> //; apply: le_trans le_f _; rewrite triple_shiftE subrr mulr0 mul0r subr0.
  apply: le_trans (shrink_pos (weight_gt0 x) b_ge0 s_gt0 le_st); rewrite ler_subl_addr ler_addl.
  by rewrite mulr_ge0 ?quotient_sign // mulr_ge0 // ltW.
- exists x, x', y; split=> //; apply: le_trans le_f _; rewrite triple_shiftE.
  by apply: ler_add; rewrite ?shrink_pos ?shrink_neg.
- exists x, x, y; split=> //; apply: le_trans le_f _; rewrite triple_shiftE subrr subr_le0.
  apply: (@le_trans _ _ 0); first by rewrite mulr_le0_ge0 ?quotient_sign // mulr_ge0_le0 // ltW.
  by rewrite mulr_ge0 ?quotient_sign // mulr_ge0 // ltW.
- exists y, x', y; split=> //; apply: le_trans le_f _; rewrite triple_shiftE subrr mulr0 mul0r sub0r.
  apply: le_trans (shrink_neg (weight_gt0 x') b'_le0 s_gt0 le_st); rewrite ger_addr.
  by rewrite mulr_le0_ge0 ?quotient_sign // mulr_ge0_le0 // ltW.
Qed.

Theorem three_record_value v x x' D :
  D != [::] ->
  exists y y' z, [/\ [/\ y \in [:: x, x' & D], y' \in [:: x, x' & D] & z \in D] &
    mean_of v (x :: D) - mean_of v (x' :: D) <= shift_of v y y' z].
Proof.
move=> D_nil; case: (lerP (weight x) (weight x')) => [le_w | /ltW le_w].
  exact: three_record_heavier.
have [y [y' [z [[yin y'in zD]]]]] := three_record_heavier (fun r => - v r) le_w D_nil.
rewrite /triple_shift !mean_opp -!opprD !opprB => le_f.
exists y', y, z; split=> //; split=> //.
  by move: y'in; rewrite !inE orbCA.
by move: yin; rewrite !inE orbCA.
Qed.

End ThreeRecordValues.

(** ** Supported vectors

    A vector is supported by a family when no linear functional is larger at the vector than at
    every member.  Over the reals this says that the vector lies in the closed convex hull; the two
    lemmas say that a family which meets a constraint of the covariance program passes it on. *)

Section Support.

Variables (R : realFieldType) (n : nat).
Implicit Types (c s u : 'cV[R]_n) (F : 'cV[R]_n -> Prop).

Definition supported F s : Prop := forall c, exists2 u, F u & dot c s <= dot c u.

Theorem supported_qform F (Q : 'M[R]_n) (B : R) s :
  psd Q -> supported F s -> (forall u, F u -> qform Q u <= B) -> qform Q s <= B.
Proof.
move=> pQ sF leB; have [u /leB le_uB le_su] := sF (Q *m s).
have toform v : dot (Q *m s) v = form Q s v by rewrite formE dot_mulmx psd_sym.
rewrite !toform -/(qform Q s) in le_su; have qs_ge0 := psd_qform s pQ.
have B_ge0 : 0 <= B by apply: le_trans le_uB; apply: psd_qform.
case: (eqVneq (qform Q s) 0) => [->//|qs_nz]; have qs_gt0 : 0 < qform Q s by rewrite lt0r qs_nz.
rewrite -(ler_pmul2l qs_gt0) -expr2; apply: le_trans (_ : form Q s u ^+ 2 <= _).
  by rewrite ler_sqr // nnegrE // (le_trans qs_ge0).
by apply: le_trans (psd_cauchy_schwarz _ _ pQ) _; apply: ler_wpmul2l.
Qed.

(** The constraint of one sensitivity vector in the covariance program (theory.md section 4). *)
Theorem supported_bordered F (Sigma : 'M[R]_n) (rho : R) s :
  supported F s -> (forall u, F u -> psd (bordered Sigma u rho)) -> psd (bordered Sigma s rho).
Proof.
move=> sF psdF; have [u0 /psdF /psd_bordered_cov/psd_sym symS _] := sF 0.
have bound u := psd_bordered_absP u rho symS; apply/bound => v t.
suff le_one a : 2%:R * (a * dot s v) <= qform Sigma v + rho * a ^+ 2.
  by rewrite ler_norml ler_oppl -mulrN -mulNr -{1}(sqrrN t) !le_one.
have [u /psdF/bound/(_ v a) le_u le_su] := sF (a *: v).
rewrite -dotZr dotC; apply: le_trans (le_trans (ler_norm _) le_u).
by rewrite ler_pmul2l ?ltr0n // (le_trans le_su) // dotZl dotC.
Qed.

End Support.

(** ** Neighbouring datasets, fixed query *)

Section Neighbours.

Variable T : eqType.
Implicit Types D : seq T.

(** One dataset is the other with one record more; the order of records is irrelevant. *)
Definition add_or_remove_one D D' : Prop :=
  exists x, perm_eq D (x :: D') \/ perm_eq D' (x :: D).

(** The datasets agree except for one record, and share at least one. *)
Definition replace_one D D' : Prop :=
  exists x x' V, [/\ V != [::], perm_eq D (x :: V) & perm_eq D' (x' :: V)].

End Neighbours.

Variant relation := AddOrRemoveOne | ReplaceOne.

Definition neighbours (rel : relation) (T : eqType) : seq T -> seq T -> Prop :=
  match rel with AddOrRemoveOne => @add_or_remove_one T | ReplaceOne => @replace_one T end.

Section FixedQuery.

Variables (R : realFieldType) (n : nat) (T : eqType).
Variables (weight : T -> R) (position : T -> 'cV[R]_n).
Hypothesis weight_gt0 : forall x, 0 < weight x.
Implicit Types (x y z : T) (D V : seq T) (c s u v : 'cV[R]_n).

Local Notation mean := (mean weight position).
Local Notation pair_shift := (pair_shift weight position).
Local Notation triple_shift := (triple_shift weight position).

(** The shifts of two records of D, with both signs. *)
Definition pair_family D : 'cV[R]_n -> Prop :=
  fun u => exists x y, [/\ x \in D, y \in D & u = pair_shift x y \/ u = - pair_shift x y].

(** The shifts of three records of D (which need not be different). *)
Definition triple_family D : 'cV[R]_n -> Prop :=
  fun u => exists x y z, [/\ x \in D, y \in D, z \in D & u = triple_shift x y z].

Lemma dot_mean c D : dot c (mean D) = Hull.mean weight (fun x => dot c (position x) : R^o) D.
Proof. by rewrite /Hull.mean dotZr dot_sumr; congr (_ * _); apply: eq_bigr => x _; rewrite dotZr. Qed.

Lemma dotB c u v : dot c (u - v) = dot c u - dot c v.
Proof. by rewrite dotDr dotNr. Qed.

Theorem deletion_supported x V :
  V != [::] -> supported (pair_family (x :: V)) (mean (x :: V) - mean V).
Proof.
move=> V_nil c; have [y yV max_y] := seq_argmax (fun y => `|dot c (pair_shift x y)|) V_nil.
pose A v := `|dot c v| <= `|dot c (pair_shift x y)|.
have: A (mean (x :: V) - mean V).
  apply: (@two_record_hull _ _ _ _ _ A) => // [|v]; last by rewrite /A dotNr normrN.
  apply: sublevel_convex => a u v /andP[a_ge0 a_le1]; rewrite dotDr !dotZr.
  apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm a_ge0).
  by rewrite (@ger0_norm _ (1 - a)) ?subr_ge0.
rewrite /A => /(le_trans (ler_norm _)); case: (ger0P (dot c (pair_shift x y))) => _ le_s.
  by exists (pair_shift x y) => //; exists x, y; rewrite mem_head inE yV orbT; split=> //; left.
exists (- pair_shift x y); rewrite ?dotNr //; exists x, y.
by rewrite mem_head inE yV orbT; split=> //; right.
Qed.

(** Two-record theorem for neighbours, in both directions. *)
Theorem add_or_remove_supported K D D' :
  {subset D <= K} -> {subset D' <= K} -> D != [::] -> D' != [::] -> add_or_remove_one D D' ->
  supported (pair_family K) (mean D - mean D').
Proof.
have widen V V' c s : {subset V <= V'} -> (exists2 u, pair_family V u & dot c s <= dot c u) ->
    exists2 u, pair_family V' u & dot c s <= dot c u.
  by move=> sub [u [x [y [xV yV defu]]] le_s]; exists u => //; exists x, y; split=> //; apply: sub.
move=> sDK sD'K D_nil D'_nil [x [eqD | eqD']] c.
  apply: (@widen (x :: D')); first by move=> y; rewrite -(perm_mem eqD); apply: sDK.
  by rewrite (eq_mean _ _ eqD); apply: deletion_supported.
apply: (@widen (x :: D)); first by move=> y; rewrite -(perm_mem eqD'); apply: sD'K.
have [u [y [z [yD zD defu]]] le_s] := deletion_supported x D_nil (- c).
exists (- u); last by rewrite (eq_mean _ _ eqD') -opprB !dotNr -!dotNl.
exists y, z; split=> //; case: defu => ->; [by right | by left; rewrite opprK].
Qed.

(** Three-record theorem: along every direction some member of the family is at least as long. *)
Theorem three_record_supported x x' V :
  V != [::] -> supported (triple_family [:: x, x' & V]) (mean (x :: V) - mean (x' :: V)).
Proof.
move=> V_nil c; pose v r := dot c (position r).
have [y [y' [z [[yin y'in zV]]]]] := three_record_value weight_gt0 v x x' V_nil.
rewrite /Hull.triple_shift -![Hull.mean _ (v : _ -> R^o) _]dot_mean -!dotB => le_s.
exists (triple_shift y y' z) => //; exists y, y', z; split=> //.
by rewrite !inE zV !orbT.
Qed.

Theorem replace_supported K D D' :
  {subset D <= K} -> {subset D' <= K} -> replace_one D D' ->
  supported (triple_family K) (mean D - mean D').
Proof.
move=> sDK sD'K [x [x' [V [V_nil eqD eqD']]]] c.
have [u [y [y' [z [yin y'in zin ->]]]]] := three_record_supported x x' V_nil c.
rewrite (eq_mean _ _ eqD) (eq_mean _ _ eqD') => le_s.
have sub : {subset [:: x, x' & V] <= K}.
  move=> r; rewrite inE => /orP[/eqP->|]; first by rewrite sDK // (perm_mem eqD) mem_head.
  by rewrite -(perm_mem eqD'); apply: sD'K.
by exists (triple_shift y y' z) => //; exists y, y', z; split=> //; apply: sub.
Qed.

End FixedQuery.
