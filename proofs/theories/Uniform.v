(** * The uniform query

    One covariance serves every query.  The differences of records support all shifts, whatever the
    positive weights, and when the weights can be as unequal as one likes they are approached as
    closely as one likes: a constraint holds for every query, every dataset size and every
    neighbouring pair exactly when it holds for the differences of records (theory.md section 2,
    Corollary 1 of the paper). *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd Hull.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section UniformQuery.

Variables (R : realFieldType) (n : nat) (T : eqType) (position : T -> 'cV[R]_n).
Implicit Types (queries : (T -> R) -> Prop) (K D : seq T) (rel : relation).

(** A query is its weight function.  The weights of a class of queries are admissible when they are
    positive and no bound on the ratio of two weights of different positions holds for all of them. *)
Record admissible queries : Prop := Admissible {
  admissible_query : exists weight, queries weight;
  admissible_positive : forall weight, queries weight -> forall x, 0 < weight x;
  admissible_ample : forall x y (bound : R), position x != position y ->
    exists2 weight, queries weight & bound * weight y <= weight x }.

(** All shifts of neighbouring datasets over the domain K, of every size, for every query. *)
Definition sensitivity_set queries rel K : 'cV[R]_n -> Prop := fun s =>
  exists weight D D', [/\ queries weight, D != [::] /\ {subset D <= K},
    D' != [::] /\ {subset D' <= K}, neighbours rel D D' &
    s = mean weight position D - mean weight position D'].

Definition difference_family K : 'cV[R]_n -> Prop :=
  fun u => exists x y, [/\ x \in K, y \in K & u = position x - position y].

Lemma mean_le_max (weight : T -> R) c D :
  (forall x, 0 < weight x) -> D != [::] ->
  exists2 x, x \in D & dot c (mean weight position D) <= dot c (position x).
Proof.
move=> w_gt0 D_nil; have [y yD max_y] := seq_argmax (fun x => dot c (position x)) D_nil.
exists y => //; rewrite dot_mean (mean_centered w_gt0 _ (dot c (position y))) //.
rewrite ger_addl mulr_le0_ge0 ?invr_ge0 ?total_ge0 // -oppr_ge0 -sumrN big_seq sumr_ge0 // => z zD.
by rewrite -mulrN opprB mulr_ge0 ?subr_ge0 ?max_y // ltW.
Qed.

(** Stronger than needed: the datasets need not be neighbours, nor the weights of the same query. *)
Theorem means_supported (weight weight' : T -> R) K D D' :
  (forall x, 0 < weight x) -> (forall x, 0 < weight' x) ->
  D != [::] -> {subset D <= K} -> D' != [::] -> {subset D' <= K} ->
  supported (difference_family K) (mean weight position D - mean weight' position D').
Proof.
move=> w_gt0 w'_gt0 D_nil sDK D'_nil sD'K c.
have [x xD le_x] := mean_le_max c w_gt0 D_nil; have [y yD' le_y] := mean_le_max (- c) w'_gt0 D'_nil.
exists (position x - position y); first by exists x, y; rewrite sDK ?sD'K.
by rewrite !dotB ler_add // -!dotNl.
Qed.

Theorem uniform_query_supported queries rel K s :
  (forall weight, queries weight -> forall x, 0 < weight x) ->
  sensitivity_set queries rel K s -> supported (difference_family K) s.
Proof.
move=> pos [weight [D [D' [/pos w_gt0 [D_nil sDK] [D'_nil sD'K] _ ->]]]].
exact: means_supported.
Qed.

(** The factor of a pair shift lies strictly between 0 and 1 ... *)
Lemma pair_factor_bounds (weight : T -> R) x y :
  (forall z, 0 < weight z) -> 0 < weight x / (weight x + weight y) < 1.
Proof.
move=> w_gt0; have w_gt0' : 0 < weight x + weight y by rewrite addr_gt0.
by rewrite divr_gt0 //= ltr_pdivr_mulr // mul1r ltr_addl.
Qed.

(** ... and the shift itself occurs under both relations. *)
Lemma pair_shift_sensitivity queries rel K (weight : T -> R) x y :
  (forall z, 0 < weight z) -> queries weight -> x \in K -> y \in K ->
  sensitivity_set queries rel K ((weight x / (weight x + weight y)) *: (position x - position y)).
Proof.
move=> w_gt0 qw xK yK; have [subx suby subyy] :
    [/\ {subset [:: x; y] <= K}, {subset [:: y] <= K} & {subset [:: y; y] <= K}].
  by split; apply/allP; rewrite /= ?xK ?yK.
have double_y : mean weight position [:: y; y] = position y.
  apply/eqP; rewrite -subr_eq0 -(mean1 position w_gt0 y) -/(pair_shift weight position y y).
  by rewrite pair_shiftE // subrr scaler0.
rewrite -pair_shiftE //; case: rel.
  by exists weight, [:: x; y], [:: y]; split=> //; exists x; left.
exists weight, [:: x; y], [:: y; y]; split=> //; first by exists x, y, [:: y].
by rewrite double_y /pair_shift mean1.
Qed.

Theorem uniform_query_approached queries rel K x y (e : R) :
  admissible queries -> x \in K -> y \in K -> position x != position y -> 0 < e ->
  exists2 f, 1 - e < f < 1 & sensitivity_set queries rel K (f *: (position x - position y)).
Proof.
move=> [_ pos ample] xK yK ne_xy e_gt0; have [weight qw le_w] := ample _ _ (e^-1) ne_xy.
have w_gt0 := pos _ qw; have [_ f_lt1] := andP (pair_factor_bounds x y w_gt0).
exists (weight x / (weight x + weight y)); last exact: pair_shift_sensitivity.
rewrite f_lt1 andbT ltr_pdivl_mulr ?addr_gt0 // mulrBl mul1r ltr_subl_addr ltr_add2l mulrDr.
rewrite -(@ler_pmul2l _ e) // mulrA mulfV ?gt_eqF // mul1r in le_w.
by apply: le_lt_trans le_w _; rewrite ltr_addl mulr_gt0.
Qed.

(** The constraint of the covariance program: all queries at once, or the differences of records. *)
Theorem uniform_query_bordered queries rel K (Sigma : 'M[R]_n) (rho : R) :
  admissible queries ->
  (forall s, sensitivity_set queries rel K s -> psd (bordered Sigma s rho)) <->
  (forall u, difference_family K u -> psd (bordered Sigma u rho)).
Proof.
move=> adm; split=> [psdS _ [x [y [xK yK ->]]] | psdK s sS]; last first.
  exact: supported_bordered (uniform_query_supported (admissible_positive adm) sS) psdK.
case: (altP (position x =P position y)) => [-> | ne_xy].
  have [weight qw] := admissible_query adm; have w_gt0 := admissible_positive adm qw.
  by have /psdS := pair_shift_sensitivity rel w_gt0 qw xK xK; rewrite !subrr scaler0.
apply: psd_bordered_limit => e /(uniform_query_approached rel adm xK yK ne_xy).
by case=> f /andP[/ltW f_ge _] /psdS; exists f.
Qed.

(** The same for the quadratic form of a PSD matrix, such as the inverse of a covariance. *)
Theorem uniform_query_qform queries rel K (Q : 'M[R]_n) (rho : R) :
  admissible queries -> psd Q ->
  (forall s, sensitivity_set queries rel K s -> qform Q s <= rho) <->
  (forall u, difference_family K u -> qform Q u <= rho).
Proof.
move=> adm pQ; split=> [leS _ [x [y [xK yK ->]]] | leK s sS]; last first.
  exact: supported_qform pQ (uniform_query_supported (admissible_positive adm) sS) leK.
set u := position x - position y; have [weight qw] := admissible_query adm.
have w_gt0 := admissible_positive adm qw.
have rho_ge0 : 0 <= rho.
  have := leS _ (pair_shift_sensitivity rel w_gt0 qw xK xK).
  by rewrite subrr scaler0 qform0.
case: (altP (position x =P position y)) => [eq_xy | ne_xy]; first by rewrite /u eq_xy subrr qform0.
rewrite leNgt; apply/negP => rho_lt; have q_gt0 := le_lt_trans rho_ge0 rho_lt.
have e_gt0 : 0 < (qform Q u - rho) / (2%:R * qform Q u).
  by rewrite divr_gt0 ?subr_gt0 // mulr_gt0 // ltr0n.
have [f /andP[f_gt _] /leS] := uniform_query_approached rel adm xK yK ne_xy e_gt0.
rewrite qformZ -/u => le_rho; have := psd_qform ((1 - f) *: u) pQ; rewrite qformZ leNgt => /negP[].
rewrite (_ : _ * _ = f ^+ 2 * qform Q u - (2%:R * f * qform Q u - qform Q u)); last by ring.
rewrite subr_lt0 (le_lt_trans le_rho) // ltr_subr_addr -mulrA mulrCA.
rewrite -ltr_pdivr_mulr ?mulr_gt0 ?ltr0n //; apply: le_lt_trans f_gt.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
Qed.

(** All positive weights together, over any ordered field. *)
Definition positive_queries (weight : T -> R) : Prop := forall x, 0 < weight x.

Lemma positive_admissible : admissible positive_queries.
Proof.
split=> [|//|x y bound ne_xy]; first by exists (fun=> 1) => x; apply: ltr01.
exists (fun z => if z == x then `|bound| + 1 else 1).
  by move=> z; case: ifP => _; rewrite ?ltr_spaddr ?ltr01 ?normr_ge0.
rewrite eqxx ifN; last by apply: contra ne_xy => /eqP->.
by rewrite mulr1 (le_trans (ler_norm _)) // ler_addl ler01.
Qed.

End UniformQuery.

(** ** Gaussian weights are admissible

    The exponential enters through three properties: it is positive, turns sums into products and
    is unbounded.  That the real exponential has them is all that is left unformalised here. *)

Section GaussianWeights.

Variables (R : realFieldType) (n : nat) (T : eqType) (position : T -> 'cV[R]_n).
Variable exponential : R -> R.

Hypothesis exponential_gt0 : forall a, 0 < exponential a.
Hypothesis exponentialD : forall a b, exponential (a + b) = exponential a * exponential b.
Hypothesis exponential_unbounded : forall bound, exists a, bound <= exponential a.
Definition gaussian_weight (variance : R) (g : 'cV[R]_n) (x : T) : R :=
  exponential (- (dot (g - position x) (g - position x) / (2%:R * variance))).

(** Every query point, at one noise level or at every one. *)
Definition gaussian_queries (variance : R) (weight : T -> R) : Prop :=
  exists g, weight =1 gaussian_weight variance g.
Definition all_gaussian_queries (weight : T -> R) : Prop :=
  exists2 variance, 0 < variance & gaussian_queries variance weight.

Theorem gaussian_admissible variance : 0 < variance -> admissible position (gaussian_queries variance).
Proof.
move=> variance_gt0.
split=> [|weight [g eqw] x|x y bound ne_xy]; first by exists (gaussian_weight variance 0), 0.
  by rewrite eqw exponential_gt0.
have [a le_a] := exponential_unbounded bound; set u := position x - position y.
have u_gt0 : 0 < dot u u by rewrite dot_gt0 // subr_eq0.
pose t := (a * (2%:R * variance) / dot u u - 1) / 2%:R.
exists (gaussian_weight variance (position x + t *: u)); first by exists (position x + t *: u).
have gx : position x + t *: u - position x = t *: u by rewrite addrAC subrr add0r.
have gy : position x + t *: u - position y = (1 + t) *: u by rewrite addrAC scalerDl scale1r.
rewrite /gaussian_weight gx gy !dotZl !dotZr.
have -> : - (t * (t * dot u u) / (2%:R * variance)) =
    a - (1 + t) * ((1 + t) * dot u u) / (2%:R * variance).
  by rewrite /t; field; rewrite !gt_eqF.
by rewrite exponentialD ler_pmul2r.
Qed.

Corollary all_gaussian_admissible : admissible position all_gaussian_queries.
Proof.
have [some _ ample] := gaussian_admissible ltr01.
split=> [|weight [variance _ [g eqw]] x|x y bound ne_xy].
- by have [weight qw] := some; exists weight, 1; rewrite ?ltr01.
- by rewrite eqw exponential_gt0.
by have [weight qw le_w] := ample x y bound ne_xy; exists weight => //; exists 1; rewrite ?ltr01.
Qed.

End GaussianWeights.
