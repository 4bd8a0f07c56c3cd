(** * The covariance program

    Primal, dual, gap formula and weak duality of theory.md section 4, what the claim
    CovarianceOptimum asserts, and the proof that the obligations of its rule imply it.

    Sensitivity vectors are given by a predicate, so that the set may be infinite; dual points rest on
    finitely many vectors.  The budget rho is known to the checker only as an enclosure
    [rho_lower, rho_upper], and the claim is proved for every rho in it. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Covariance.

Variables (R : realFieldType) (d : nat).

Implicit Types (Sigma P W H : 'M[R]_d) (s t : 'cV[R]_d) (rho eta mu : R) (S : 'cV[R]_d -> Prop).

(** ** Primal *)

(** Sigma - eta I PSD, and [Sigma s; s^T rho] PSD for every sensitivity vector s. *)
Definition primal_feasible S rho eta Sigma : Prop :=
  psd (Sigma - eta%:M) /\ forall s, S s -> psd (bordered Sigma s rho).

Lemma primal_feasible_rho S rho rho' eta Sigma :
  rho <= rho' -> primal_feasible S rho eta Sigma -> primal_feasible S rho' eta Sigma.
Proof. by move=> le_rho [floor budget]; split=> // s /budget; apply: psd_bordered_rho. Qed.

(** For an invertible covariance feasibility is the bound s^T Sigma^-1 s <= rho of the paper. *)
Theorem primal_feasible_inv S rho eta Sigma :
  0 <= eta -> Sigma \in unitmx ->
  primal_feasible S rho eta Sigma <->
  psd (Sigma - eta%:M) /\ forall s, S s -> qform (invmx Sigma) s <= rho.
Proof.
move=> eta_ge0 uS; split=> -[floor bound]; split=> // s /bound.
  by move/psd_bordered_inv; apply => //; apply: psd_floor_psd floor.
by move=> le_rho; apply/psd_bordered_inv => //; apply: psd_floor_psd floor.
Qed.

(** ** Vectors that the sensitivity set implies

    A dual point may use any vector that every feasible covariance must serve: members of the set,
    symmetric convex combinations, shrunk members, limits. *)

Definition implied S t : Prop :=
  forall Sigma rho, psd Sigma -> 0 <= rho -> (forall s, S s -> psd (bordered Sigma s rho)) ->
  psd (bordered Sigma t rho).

Lemma implied_member S s : S s -> implied S s.
Proof. by move=> Ss Sigma rho _ _; apply. Qed.

Theorem implied_hull S (I : finType) (f : I -> 'cV[R]_d) (c : I -> R) :
  \sum_i `|c i| <= 1 -> (forall i, implied S (f i)) -> implied S (\sum_i c i *: f i).
Proof.
move=> c_le1 im Sigma rho pS rho_ge0 budget.
by apply: psd_bordered_hull => // i; apply: im.
Qed.

Theorem implied_shrink S c s : `|c| <= 1 -> implied S s -> implied S (c *: s).
Proof. by move=> c_le1 im Sigma rho pS rho_ge0 budget; apply/psd_bordered_shrink/im. Qed.

Theorem implied_limit S s :
  (forall eps, 0 < eps -> exists2 c, 1 - eps <= c & implied S (c *: s)) -> implied S s.
Proof.
move=> near Sigma rho pS rho_ge0 budget; apply: psd_bordered_limit => eps /near [c c_ge im].
by exists c => //; apply: im.
Qed.

(** A factor known by an enclosure: its lower end gives a vector for the dual, its upper end a vector
    for the primal (qform_factor below). *)
Theorem implied_factor S c c_lower x :
  0 <= c_lower <= c -> implied S (c *: x) -> implied S (c_lower *: x).
Proof.
case/andP=> lower_ge0 le_c; have c_ge0 := le_trans lower_ge0 le_c.
have [c0 | c_nz] := eqVneq c 0.
  by rewrite (_ : c_lower = c) //; apply/eqP; rewrite eq_le le_c c0.
have c_gt0 : 0 < c by rewrite lt0r c_nz.
rewrite -[c_lower](divfK c_nz) -scalerA; apply: implied_shrink.
by rewrite ger0_norm ?divr_ge0 // ler_pdivr_mulr // mul1r.
Qed.

Lemma qform_factor P c c_upper x :
  psd P -> 0 <= c <= c_upper -> qform P (c *: x) <= c_upper ^+ 2 * qform P x.
Proof.
move=> pP /andP [c_ge0 le_c]; rewrite qformZ ler_wpmul2r ?psd_qform //.
by rewrite ler_expn2r // nnegrE // (le_trans c_ge0).
Qed.

(** Equal hulls: if each set implies the other, the feasible covariances agree. *)
Theorem primal_feasible_implied S S' rho eta Sigma :
  0 <= eta -> 0 <= rho -> (forall s, S' s -> implied S s) ->
  primal_feasible S rho eta Sigma -> primal_feasible S' rho eta Sigma.
Proof.
move=> eta_ge0 rho_ge0 im [floor budget]; split=> // s /im; apply=> //.
exact: psd_floor_psd floor.
Qed.

(** ** Dual, gap formula, weak duality *)

Section Dual.

Variables (I : finType) (t : I -> 'cV[R]_d).
Variables (A : I -> 'M[R]_d) (b : I -> 'cV[R]_d) (gamma : I -> R) (H : 'M[R]_d).

Definition dual_feasible W : Prop :=
  [/\ forall j, psd (bordered (A j) (b j) (gamma j)), psd H & \sum_j A j + H = W].

Definition dual_value rho eta : R :=
  eta * \tr H - \sum_j (2%:R * dot (b j) (t j) + rho * gamma j).

(** <W, Sigma> - dual value = <H, Sigma - eta I> + sum_j <Z_j, F_j>: an identity, whatever the signs. *)
Theorem gap_formula W rho eta Sigma :
  \sum_j A j + H = W ->
  inner W Sigma - dual_value rho eta =
  inner H (Sigma - eta%:M) + \sum_j inner (bordered (A j) (b j) (gamma j)) (bordered Sigma (t j) rho).
Proof.
move=> <-; rewrite innerDl inner_suml innerBr inner_scalar_mx /dual_value.
have -> : \sum_j inner (bordered (A j) (b j) (gamma j)) (bordered Sigma (t j) rho) =
          \sum_j inner (A j) Sigma + \sum_j (2%:R * dot (b j) (t j) + rho * gamma j).
  by rewrite -big_split; apply: eq_bigr => j _; rewrite inner_bordered /= (mulrC rho) addrA.
ring.
Qed.

(** Every dual-feasible point bounds the cost of every feasible covariance from below. *)
Theorem weak_duality W rho eta Sigma :
  dual_feasible W -> psd (Sigma - eta%:M) -> (forall j, psd (bordered Sigma (t j) rho)) ->
  dual_value rho eta <= inner W Sigma.
Proof.
move=> [pZ pH sumA] floor budget; rewrite -subr_ge0 (gap_formula _ _ _ sumA).
by rewrite addr_ge0 ?psd_inner_ge0 // sumr_ge0 // => j _; apply: psd_inner_ge0.
Qed.

(** A gap of zero forces complementary slackness: Z_j F_j = 0 and H (Sigma - eta I) = 0. *)
Theorem complementary_slackness W rho eta Sigma :
  dual_feasible W -> psd (Sigma - eta%:M) -> (forall j, psd (bordered Sigma (t j) rho)) ->
  inner W Sigma = dual_value rho eta ->
  H *m (Sigma - eta%:M) = 0 /\
  forall j, bordered (A j) (b j) (gamma j) *m bordered Sigma (t j) rho = 0.
Proof.
move=> [pZ pH sumA] floor budget /eqP; rewrite -subr_eq0 (gap_formula _ _ _ sumA).
have terms_ge0 j : 0 <= inner (bordered (A j) (b j) (gamma j)) (bordered Sigma (t j) rho).
  exact: psd_inner_ge0.
rewrite paddr_eq0 ?psd_inner_ge0 ?sumr_ge0 // => /andP [/eqP H0].
rewrite psumr_eq0 // => /allP Z0; split=> [|j]; first exact: psd_inner_eq0.
by apply: psd_inner_eq0 => //; apply/eqP/(Z0 j (mem_index_enum _)).
Qed.

(** A larger budget lowers the dual value: the dual bound may be evaluated at rho_upper. *)
Theorem dual_value_rho W rho rho' eta :
  dual_feasible W -> rho <= rho' -> dual_value rho' eta <= dual_value rho eta.
Proof.
move=> [pZ _ _] le_rho; rewrite ler_add2l ler_opp2; apply: ler_sum => j _.
by rewrite ler_add2l ler_wpmul2r // (psd_bordered_budget (pZ j)).
Qed.

End Dual.

(** ** Compact dual: blocks that are PSD by construction *)

Section CompactDual.

Variables (I : finType) (t : I -> 'cV[R]_d) (mu : I -> R) (P : 'M[R]_d).

Definition compact_A j : 'M[R]_d := mu j *: (P *m t j *m (P *m t j)^T).
Definition compact_b j : 'cV[R]_d := - mu j *: (P *m t j).
Definition compact_H W : 'M[R]_d := W - \sum_j compact_A j.
Definition compact_value W rho eta : R :=
  eta * \tr (compact_H W) + \sum_j mu j * (2%:R * qform P (t j) - rho).

(** H = W - P M P^T with M = sum_j mu_j t_j t_j^T, for any P, symmetric or not. *)
Lemma compact_HE W : compact_H W = W - P *m (\sum_j mu j *: (t j *m (t j)^T)) *m P^T.
Proof.
congr (_ - _); rewrite mulmx_sumr mulmx_suml; apply: eq_bigr => j _.
by rewrite /compact_A trmx_mul -scalemxAr -scalemxAl !mulmxA.
Qed.

(** Z_j = mu_j (P t_j; -1)(P t_j; -1)^T. *)
Theorem compact_block_psd j : 0 <= mu j -> psd (bordered (compact_A j) (compact_b j) (mu j)).
Proof.
move=> mu_ge0; have := psdZ mu_ge0 (psd_rank1 (col_mx (P *m t j) (- 1%:M))).
rewrite tr_col_mx mul_col_row scale_block_mx /bordered /compact_A /compact_b.
rewrite linearN /= trmx1 !(mulmxN, mulNmx, mulmx1, mul1mx) opprK.
by rewrite !scalerN !scaleNr [(- (_ *: _))^T]linearN /= [(_ *: _)^T]linearZ /= scalemx1.
Qed.

Theorem compact_dual_feasible W :
  (forall j, 0 <= mu j) -> psd (compact_H W) ->
  dual_feasible compact_A compact_b mu (compact_H W) W.
Proof.
by move=> mu_ge0 pH; split=> // [j|]; [apply: compact_block_psd | rewrite addrC subrK].
Qed.

(** The value of the compact dual is eta tr H + sum_j mu_j (2 t_j^T P t_j - rho). *)
Theorem compact_dual_value W rho eta :
  dual_value t compact_b mu (compact_H W) rho eta = compact_value W rho eta.
Proof.
rewrite /dual_value /compact_value -sumrN; congr (_ + _); apply: eq_bigr => j _.
rewrite /compact_b dotZl dotC -formE -/(qform P (t j)); ring.
Qed.

Corollary compact_weak_duality W rho eta Sigma :
  (forall j, 0 <= mu j) -> psd (compact_H W) ->
  psd (Sigma - eta%:M) -> (forall j, psd (bordered Sigma (t j) rho)) ->
  compact_value W rho eta <= inner W Sigma.
Proof.
move=> mu_ge0 pH floor budget; rewrite -compact_dual_value.
exact: weak_duality (compact_dual_feasible mu_ge0 pH) floor budget.
Qed.

End CompactDual.

(** ** What the claim CovarianceOptimum asserts

    The covariance is feasible and costs at most upper, and no feasible covariance costs less than
    lower; so the least cost v, attained or not, lies in [lower, upper]. *)

Record covariance_optimum S rho eta W Sigma (lower upper : R) : Prop := CovarianceOptimum {
  optimum_feasible : primal_feasible S rho eta Sigma;
  optimum_lower : forall Sigma', primal_feasible S rho eta Sigma' -> lower <= inner W Sigma';
  optimum_upper : inner W Sigma <= upper
}.

(** ** The rule *)

(** Why every sensitivity vector is within the budget rho. *)
Variant primal_rule S rho Sigma : Prop :=
  | ByPrecision P of
      pd P & psd (P *m Sigma *m P - P) & (forall s, S s -> qform P s <= rho)
  | ByPrecisionBlock P of
      psd (block_mx Sigma 1%:M 1%:M P) & (forall s, S s -> qform P s <= rho)
  | BySupport r (B : 'M[R]_(d, r)) (K Q : 'M[R]_r) of
      Sigma = B *m K *m B^T & pd Q & psd (Q *m K *m Q - Q)
      & (forall s, S s -> exists2 t, s = B *m t & qform Q t <= rho)
  | ByBlocks of (forall s, S s -> psd (bordered Sigma s rho)).

Theorem primal_rule_sound S rho Sigma :
  primal_rule S rho Sigma -> forall s, S s -> psd (bordered Sigma s rho).
Proof.
case=> [P /pdP [pP uP] pE bound | P pB bound | r B K Q -> /pdP [pQ uQ] pE bound | //] s Ss.
- exact: precision_congruence_budget pP uP pE (bound s Ss).
- exact: precision_block_budget pB (bound s Ss).
have [t -> le_rho] := bound s Ss; apply: psd_bordered_support.
exact: precision_congruence_budget pQ uQ pE le_rho.
Qed.

(** Why no feasible covariance costs less than lower. *)
Variant dual_rule S rho eta W (lower : R) : Prop :=
  | ByCompactDual (I : finType) (t : I -> 'cV[R]_d) (mu : I -> R) (P : 'M[R]_d) of
      (forall j, implied S (t j)) & (forall j, 0 <= mu j) & psd (compact_H t mu P W)
      & lower <= compact_value t mu P W rho eta
  | ByFullDual (I : finType) (t : I -> 'cV[R]_d) A b gamma H of
      (forall j, implied S (t j)) & dual_feasible A b gamma H W
      & lower <= dual_value t b gamma H rho eta.

Theorem dual_rule_sound S rho eta W lower Sigma :
  0 <= eta -> 0 <= rho -> dual_rule S rho eta W lower -> primal_feasible S rho eta Sigma ->
  lower <= inner W Sigma.
Proof.
move=> eta_ge0 rho_ge0 rule [floor budget]; have pS := psd_floor_psd eta_ge0 floor.
case: rule => [I t mu P im mu_ge0 pH le | I t A b gamma H im feasible le]; apply: le_trans le _.
  by apply: compact_weak_duality => // j; apply: im.
by apply: weak_duality feasible floor _ => j; apply: im.
Qed.

Lemma dual_rule_rho S rho rho' eta W lower :
  rho <= rho' -> dual_rule S rho' eta W lower -> dual_rule S rho eta W lower.
Proof.
move=> le_rho [I t mu P im mu_ge0 pH le | I t A b gamma H im feasible le].
  apply: (ByCompactDual im mu_ge0 pH); apply: le_trans le _.
  rewrite -!compact_dual_value.
  exact: dual_value_rho (compact_dual_feasible mu_ge0 pH) le_rho.
by apply: (ByFullDual im feasible); apply: le_trans le _; apply: dual_value_rho feasible le_rho.
Qed.

(** Soundness: the obligations of the rule imply the claim, for every budget in the enclosure. *)
Theorem covariance_rule_sound S rho_lower rho_upper eta W Sigma lower upper :
  0 <= eta -> 0 <= rho_lower ->
  psd (Sigma - eta%:M) -> primal_rule S rho_lower Sigma -> inner W Sigma <= upper ->
  dual_rule S rho_upper eta W lower ->
  forall rho, rho_lower <= rho <= rho_upper -> covariance_optimum S rho eta W Sigma lower upper.
Proof.
move=> eta_ge0 lower_ge0 floor primal le_upper dual rho /andP [ge_rho le_rho].
split=> // [|Sigma' feasible].
  by apply: primal_feasible_rho ge_rho _; split=> //; apply: primal_rule_sound.
by apply: dual_rule_sound (dual_rule_rho le_rho dual) feasible; rewrite // (le_trans lower_ge0).
Qed.

(** The bracket is not empty, and two claims about one program agree: their brackets meet. *)
Lemma covariance_optimum_le S rho eta W Sigma Sigma' lower upper lower' upper' :
  covariance_optimum S rho eta W Sigma lower upper ->
  covariance_optimum S rho eta W Sigma' lower' upper' -> lower <= upper'.
Proof. by case=> _ bound _ [feasible _]; apply: le_trans (bound _ feasible). Qed.

End Covariance.
