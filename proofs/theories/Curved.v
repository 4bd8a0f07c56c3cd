(** * Power and exponential cones (conic programs, theory.md section 7)

    What weak duality needs of them: elements of the cone and of the dual cone have a nonnegative
    inner product.  The exponential cone needs of exp only that exp (x + y) = exp x exp y and
    1 + x <= exp x; the ordered field is arbitrary, so exp is a parameter with these two laws. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd Conic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Power cones: the exponent is alpha = p / (p + q) *)

Section Power.

Variables (R : realFieldType) (p q : nat).
Hypotheses (p_gt0 : (0 < p)%N) (q_gt0 : (0 < q)%N).

(** x^alpha y^(1 - alpha) >= |z|, raised to the power p + q. *)
Definition in_power (x y z : R) : Prop := [/\ 0 <= x, 0 <= y & `|z| ^+ (p + q) <= x ^+ p * y ^+ q].

(** (u / alpha, v / (1 - alpha), w) in the power cone. *)
Definition in_dual_power (u v w : R) : Prop :=
  in_power (u * (p + q)%:R / p%:R) (v * (p + q)%:R / q%:R) w.

(** The weighted inequality of arithmetic and geometric means, as one of p + q numbers. *)
Lemma weighted_mean (a b : R) :
  0 <= a -> 0 <= b -> a ^+ p * b ^+ q <= ((a *+ p + b *+ q) / (p + q)%:R) ^+ (p + q).
Proof.
move=> a_ge0 b_ge0; pose E (i : 'I_(p + q)) := if (i < p)%N then a else b.
have E_ge0 : {in 'I_(p + q), forall i, 0 <= E i} by move=> i _; rewrite /E; case: ifP.
have := leif_AGM E_ge0; rewrite card_ord => -[+ _].
rewrite !big_split_ord /= /E.
have left_p (i : 'I_p) : (lshift q i < p)%N by rewrite /=.
have right_q (i : 'I_q) : (rshift p i < p)%N = false by rewrite /= ltnNge leq_addr.
rewrite (eq_bigr (fun=> a)) => [|i _]; last by rewrite left_p.
rewrite [X in _ * X](eq_bigr (fun=> b)) => [|i _]; last by rewrite right_q.
rewrite [X in X + _](eq_bigr (fun=> a)) => [|i _]; last by rewrite left_p.
rewrite [X in _ + X](eq_bigr (fun=> b)) => [|i _]; last by rewrite right_q.
by rewrite !prodr_const !sumr_const !card_ord.
Qed.

Lemma rescaled (a b n u x v y : R) :
  a != 0 -> b != 0 -> u * n / a * x * a + v * n / b * y * b = (u * x + v * y) * n.
Proof. by move=> a_nz b_nz; field; rewrite a_nz b_nz. Qed.

Theorem power_dual (x y z u v w : R) :
  in_power x y z -> in_dual_power u v w -> 0 <= u * x + v * y + w * z.
Proof.
case=> x_ge0 y_ge0 le_z [u_ge0 v_ge0 le_w]; set n := (p + q)%N.
have n_gt0 : (0 < n)%N by rewrite addn_gt0 p_gt0.
have p_nz : p%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have q_nz : q%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have n_nz : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
set u' := u * n%:R / p%:R in u_ge0 le_w; set v' := v * n%:R / q%:R in v_ge0 le_w.
have sum_eq : (u' * x) *+ p + (v' * y) *+ q = (u * x + v * y) * n%:R.
  by rewrite -(mulr_natr (u' * x)) -(mulr_natr (v' * y)); apply: rescaled.
have sum_ge0 : 0 <= u * x + v * y.
  have n_pos : 0 < n%:R :> R by rewrite ltr0n.
  by rewrite -(pmulr_lge0 _ n_pos) -sum_eq addr_ge0 // mulrn_wge0 // mulr_ge0.
have le_n : `|w * z| ^+ n <= (u * x + v * y) ^+ n.
  rewrite -[u * x + v * y](mulfK n_nz) -sum_eq.
  apply: le_trans (weighted_mean (mulr_ge0 u_ge0 x_ge0) (mulr_ge0 v_ge0 y_ge0)).
  by rewrite normrM (exprMn _ `|w|) (exprMn _ u') (exprMn _ v') mulrACA ler_pmul ?exprn_ge0 ?normr_ge0.
have le_1 : `|w * z| <= u * x + v * y by rewrite -(ler_pexpn2r n_gt0) ?nnegrE.
by rewrite -ler_subl_addl sub0r; apply: le_trans (lerNnormlW le_1).
Qed.

End Power.

(** ** The exponential cone *)

Section Exponential.

Variables (R : realFieldType) (expo : R -> R).
Hypothesis expo_add : forall x y, expo (x + y) = expo x * expo y.
Hypothesis expo_ge : forall x, 1 + x <= expo x.

(** The closure of y > 0, y exp (x / y) <= z, and of u < 0, -u exp (v / u) <= exp 1 w. *)
Definition in_exponential (x y z : R) : Prop :=
  0 < y /\ y * expo (x / y) <= z \/ [/\ y = 0, x <= 0 & 0 <= z].
Definition in_dual_exponential (u v w : R) : Prop :=
  u < 0 /\ - u * expo (v / u) <= expo 1 * w \/ [/\ u = 0, 0 <= v & 0 <= w].

Lemma expo_gt0 x : 0 < expo x.
Proof.
have expo0 : 0 < expo 0 by apply: lt_le_trans (expo_ge 0); rewrite addr0 ltr01.
have sq : expo x = expo (x / 2%:R) ^+ 2.
  by rewrite expr2 -expo_add; congr expo; field.
rewrite sq lt0r sqr_ge0 andbT sqrf_eq0; apply: contraTneq expo0 => e0.
by rewrite -[X in expo X](subrr (x / 2%:R)) expo_add e0 mul0r ltxx.
Qed.

Theorem exponential_dual (x y z u v w : R) :
  in_exponential x y z -> in_dual_exponential u v w -> 0 <= u * x + v * y + w * z.
Proof.
have e1_gt0 := expo_gt0 1; case=> [[y_gt0 le_z] | [-> x_le0 z_ge0]].
  have z_ge0 : 0 <= z by apply: le_trans le_z; rewrite mulr_ge0 // ltW ?expo_gt0.
  case=> [[u_lt0 le_w] | [-> v_ge0 w_ge0]]; last by rewrite mul0r add0r addr_ge0 // mulr_ge0 // ltW.
  have u_nz : u != 0 by rewrite lt_eqF.
  have y_nz : y != 0 by rewrite gt_eqF.
  have nuy_ge0 : 0 <= - u * y by rewrite mulr_ge0 ?oppr_ge0 // ltW.
  have lower : expo 1 * (v / u + x / y) <= expo (v / u) * expo (x / y).
    rewrite -expo_add -[v / u + x / y in leRHS](addrNK 1) [_ - 1 + 1]addrC expo_add.
    by rewrite ler_pmul2l // -[leLHS](subrK 1) [_ + 1]addrC.
  have product : - u * expo (v / u) * (y * expo (x / y)) <= expo 1 * w * z.
    by rewrite ler_pmul // ?mulr_ge0 ?oppr_ge0 // ltW ?expo_gt0.
  rewrite -(pmulr_rge0 _ e1_gt0).
  have -> : expo 1 * (u * x + v * y + w * z) =
            expo 1 * w * z - (- u * y) * (expo 1 * (v / u + x / y)) by field; rewrite u_nz y_nz.
  rewrite subr_ge0; apply: le_trans product.
  by rewrite [leRHS]mulrACA ler_wpmul2l.
have -> : v * 0 = 0 :> R by rewrite mulr0.
rewrite addr0; case=> [[u_lt0 le_w] | [-> v_ge0 w_ge0]]; last by rewrite mul0r add0r mulr_ge0.
have w_ge0 : 0 <= w.
  rewrite -(pmulr_rge0 _ e1_gt0); apply: le_trans le_w.
  by rewrite mulr_ge0 ?oppr_ge0 // ltW ?expo_gt0.
by apply: addr_ge0; [apply: mulr_le0 (ltW u_lt0) x_le0 | apply: mulr_ge0].
Qed.

End Exponential.

(** ** Convexity, and the margin of a curved cone *)

Section PowerConvex.

Variables (R : realFieldType) (p q : nat).
Hypotheses (p_gt0 : (0 < p)%N) (q_gt0 : (0 < q)%N).

Lemma in_powerZ (k x y z : R) : 0 <= k -> in_power p q x y z -> in_power p q (k * x) (k * y) (k * z).
Proof.
move=> k_ge0 [x_ge0 y_ge0 le_z]; split; rewrite ?mulr_ge0 //.
rewrite normrM (ger0_norm k_ge0) (exprMn _ k) (exprMn _ k x) (exprMn _ k y) mulrACA -exprD.
by rewrite ler_wpmul2l ?exprn_ge0.
Qed.

(** How the share of z falls short of the mean of the shares of x and y, when the whole lies outside. *)
Let mean_share (x y X Y : R) : R := ((x / X) *+ p + (y / Y) *+ q) / (p + q)%:R.

Lemma share_le (x y z X Y Z : R) :
  0 < X -> 0 < Y -> 0 < Z -> X ^+ p * Y ^+ q < Z ^+ (p + q) ->
  0 <= x -> 0 <= y -> `|z| ^+ (p + q) <= x ^+ p * y ^+ q ->
  `|z| / Z <= mean_share x y X Y /\ (`|z| / Z = mean_share x y X Y -> z = 0).
Proof.
move=> X_gt0 Y_gt0 Z_gt0 outside x_ge0 y_ge0 le_z; set n := (p + q)%N in outside le_z *.
have n_gt0 : (0 < n)%N by rewrite addn_gt0 p_gt0.
set c := `|z| / Z; set M := mean_share x y X Y.
have a_ge0 : 0 <= x / X by rewrite divr_ge0 // ltW.
have b_ge0 : 0 <= y / Y by rewrite divr_ge0 // ltW.
have c_ge0 : 0 <= c by rewrite divr_ge0 ?normr_ge0 // ltW.
have M_ge0 : 0 <= M by rewrite divr_ge0 ?ler0n ?addr_ge0 ?mulrn_wge0.
have Zn_gt0 : 0 < Z ^+ n by rewrite exprn_gt0.
have bound : c ^+ n * Z ^+ n <= M ^+ n * (X ^+ p * Y ^+ q).
  rewrite -exprMn divfK ?gt_eqF //; apply: le_trans le_z _.
  have scale (e E : R) k : 0 < E -> e ^+ k = (e / E) ^+ k * E ^+ k.
    by move=> E_gt0; rewrite -exprMn divfK // gt_eqF.
  rewrite (scale x X p X_gt0) (scale y Y q Y_gt0) mulrACA.
  have whole_ge0 : 0 <= X ^+ p * Y ^+ q by apply: mulr_ge0; apply/exprn_ge0/ltW.
  by apply: (ler_wpmul2r whole_ge0); apply: weighted_mean.
have c_le : c <= M.
  rewrite -(ler_pexpn2r n_gt0) ?nnegrE // -(ler_pmul2r Zn_gt0); apply: le_trans bound _.
  by rewrite ler_wpmul2l ?exprn_ge0 // ltW.
split=> // c_eq; apply/eqP; rewrite -normr_eq0; apply/negP => /negP z_nz.
have c_gt0 : 0 < c by rewrite divr_gt0 // lt0r z_nz normr_ge0.
by move: bound; rewrite -c_eq ler_pmul2l ?exprn_gt0 // leNgt outside.
Qed.

Lemma in_power_flat (x y z : R) : in_power p q x y z -> x * y = 0 -> z = 0.
Proof.
case=> _ _ le_z /eqP; rewrite mulf_eq0 => xy0; apply/eqP; rewrite -normr_eq0.
have : `|z| ^+ (p + q) == 0.
  rewrite eq_le exprn_ge0 ?normr_ge0 // andbT; apply: le_trans le_z _.
  by case/orP: xy0 => /eqP ->; rewrite expr0n eqn0Ngt ?p_gt0 ?q_gt0 ?mul0r ?mulr0.
by rewrite expf_eq0 => /andP [].
Qed.

(** The sum of two elements: were it outside, the shares of z would fall short of those of x and y. *)
Theorem in_powerD (x y z x' y' z' : R) :
  in_power p q x y z -> in_power p q x' y' z' -> in_power p q (x + x') (y + y') (z + z').
Proof.
move=> pow pow'; have [x_ge0 y_ge0 le_z] := pow; have [x'_ge0 y'_ge0 le_z'] := pow'.
split; rewrite ?addr_ge0 //; set n := (p + q)%N in le_z le_z' *; have n_gt0 : (0 < n)%N by rewrite addn_gt0 p_gt0.
apply: (@le_trans _ _ ((`|z| + `|z'|) ^+ n)).
  by rewrite ler_expn2r ?nnegrE ?addr_ge0 ?normr_ge0 ?ler_norm_add.
set Z := `|z| + `|z'|; set X := x + x'; set Y := y + y'.
rewrite leNgt; apply/negP => outside.
have Z_gt0 : 0 < Z.
  rewrite lt0r addr_ge0 ?normr_ge0 // andbT; apply: contraTneq outside => ->.
  by rewrite expr0n eqn0Ngt n_gt0 -leNgt mulr_ge0 ?exprn_ge0 ?addr_ge0.
have [X_gt0 Y_gt0] : 0 < X /\ 0 < Y.
  rewrite !lt0r !addr_ge0 // !andbT; split; apply: contraTneq Z_gt0 => /eqP; rewrite paddr_eq0 //.
    move=> /andP [/eqP x0 /eqP x'0]; rewrite /Z (in_power_flat pow) ?(in_power_flat pow') ?x0 ?x'0 ?mul0r //.
    by rewrite normr0 addr0 ltxx.
  move=> /andP [/eqP y0 /eqP y'0]; rewrite /Z (in_power_flat pow) ?(in_power_flat pow') ?y0 ?y'0 ?mulr0 //.
  by rewrite normr0 addr0 ltxx.
have [c_le c_eq] := share_le X_gt0 Y_gt0 Z_gt0 outside x_ge0 y_ge0 le_z.
have [c'_le c'_eq] := share_le X_gt0 Y_gt0 Z_gt0 outside x'_ge0 y'_ge0 le_z'.
have sum_c : `|z| / Z + `|z'| / Z = 1 by rewrite -mulrDl divff // gt_eqF.
have sum_M : mean_share x y X Y + mean_share x' y' X Y = 1.
  rewrite /mean_share -mulrDl addrACA -!mulrnDl -!mulrDl !divff ?gt_eqF //.
  by rewrite -mulrnDr divff // pnatr_eq0 -lt0n.
have eq_c : `|z| / Z = mean_share x y X Y.
  apply/eqP; rewrite eq_le c_le -(ler_add2r (`|z'| / Z)) sum_c -sum_M.
  by rewrite ler_add2l.
have eq_c' : `|z'| / Z = mean_share x' y' X Y.
  by apply: (addrI (`|z| / Z)); rewrite sum_c eq_c sum_M.
by move: Z_gt0; rewrite /Z (c_eq eq_c) (c'_eq eq_c') normr0 addr0 ltxx.
Qed.

End PowerConvex.

Section ExponentialConvex.

Variables (R : realFieldType) (expo : R -> R).
Hypothesis expo_add : forall x y, expo (x + y) = expo x * expo y.
Hypothesis expo_ge : forall x, 1 + x <= expo x.

Let expo_pos := expo_gt0 expo_add expo_ge.

(** The tangent at m lies below exp. *)
Lemma expo_tangent m x : expo m * (1 + (x - m)) <= expo x.
Proof.
have -> : expo x = expo m * expo (x - m) by rewrite -expo_add addrC subrK.
by rewrite ler_pmul2l.
Qed.

Lemma expo_le x y : x <= y -> expo x <= expo y.
Proof.
move=> le_xy; apply: le_trans (expo_tangent x y).
by apply: ler_pemulr; [exact: ltW | rewrite ler_addl subr_ge0].
Qed.

Lemma in_exponentialZ (k x y z : R) :
  0 <= k -> in_exponential expo x y z -> in_exponential expo (k * x) (k * y) (k * z).
Proof.
rewrite le_eqVlt => /orP [/eqP <- _ | k_gt0]; first by right; rewrite !mul0r.
case=> [[y_gt0 le_z] | [-> x_le0 z_ge0]]; [left | right].
  rewrite mulr_gt0 // -mulf_div divff ?gt_eqF // mul1r -mulrA.
  by rewrite ler_pmul2l.
by rewrite mulr0 pmulr_rle0 // pmulr_rge0.
Qed.

Lemma in_exponential_flat (x y z x' z' : R) :
  0 < y -> y * expo (x / y) <= z -> x' <= 0 -> 0 <= z' -> in_exponential expo (x + x') y (z + z').
Proof.
move=> y_gt0 le_z x'_le0 z'_ge0; left; split=> //.
apply: (@le_trans _ _ (y * expo (x / y))); last by rewrite (le_trans le_z) // ler_addl.
by rewrite ler_pmul2l // expo_le // ler_pmul2r ?invr_gt0 // ger_addl.
Qed.

Theorem in_exponentialD (x y z x' y' z' : R) :
  in_exponential expo x y z -> in_exponential expo x' y' z' ->
  in_exponential expo (x + x') (y + y') (z + z').
Proof.
have slope (e f m : R) : 0 < f -> expo m * (f + (e - m * f)) <= f * expo (e / f).
  move=> f_gt0; have := ler_wpmul2l (ltW f_gt0) (expo_tangent m (e / f)).
  congr (_ <= _); field; exact: lt0r_neq0.
case=> [[y_gt0 le_z] | [-> x_le0 z_ge0]] [[y'_gt0 le_z'] | [-> x'_le0 z'_ge0]].
- left; split; first exact: addr_gt0.
  set m := (x + x') / (y + y').
  have sum_m : m * (y + y') = x + x' by rewrite divfK // gt_eqF // addr_gt0.
  apply: le_trans (ler_add le_z le_z').
  apply: le_trans (ler_add (slope x y m y_gt0) (slope x' y' m y'_gt0)).
  have -> : expo m * (y + (x - m * y)) + expo m * (y' + (x' - m * y')) =
            (y + y' + ((x + x') - m * (y + y'))) * expo m by ring.
  by rewrite sum_m subrr addr0.
- by rewrite addr0; apply: in_exponential_flat.
- by rewrite add0r [x + x']addrC [z + z']addrC; apply: in_exponential_flat.
by right; rewrite addr0 addr_ge0 // -oppr_ge0 opprD addr_ge0 ?oppr_ge0.
Qed.

(** The dual cone is a linear image of the cone, so it is convex too. *)
Lemma in_dual_exponentialE (u v w : R) :
  in_dual_exponential expo u v w <-> in_exponential expo (- v) (- u) (expo 1 * w).
Proof.
rewrite /in_dual_exponential /in_exponential oppr_gt0 invrN mulrNN oppr_le0 pmulr_rge0 //.
split=> [[|[-> v_ge0 w_ge0]] | [|[/eqP u0 v_ge0 w_ge0]]]; try by left.
  by right; rewrite oppr0.
by right; split=> //; apply/eqP; rewrite -oppr_eq0.
Qed.

End ExponentialConvex.

(** A ball of radius rho in three dimensions lies in the hull of the six points at 2 rho along the
    axes, so a convex cone that contains these points contains the ball. *)
Section Octahedron.

Variables (R : realFieldType) (K : R -> R -> R -> Prop).
Hypothesis K_add : forall x y z x' y' z', K x y z -> K x' y' z' -> K (x + x') (y + y') (z + z').
Hypothesis K_scale : forall k x y z, 0 <= k -> K x y z -> K (k * x) (k * y) (k * z).

(** A move along one axis, weighed by the share k of the point. *)
Lemma axis_move (x y z e f g r k a : R) :
  0 < r -> `|a| <= k * r -> K (x + r * e) (y + r * f) (z + r * g) ->
  K (x - r * e) (y - r * f) (z - r * g) -> K (k * x + a * e) (k * y + a * f) (k * z + a * g).
Proof.
move=> r_gt0; rewrite ler_norml => /andP [a_ge a_le] plus minus.
have r_nz : r != 0 by rewrite gt_eqF.
have weight (c : R) : 0 <= k * r + c -> 0 <= (k * r + c) / (2%:R * r).
  by move=> c_ge0; rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
have a_ge0 : 0 <= k * r + a by rewrite addrC -[k * r]opprK subr_ge0.
have a_le0 : 0 <= k * r + - a by rewrite subr_ge0.
have := K_add (K_scale (weight a a_ge0) plus) (K_scale (weight (- a) a_le0) minus).
by congr (K _ _ _); field.
Qed.

Theorem octahedron (x y z a b c radius : R) :
  0 <= radius ->
  let r := 2%:R * radius in
  K (x + r) y z -> K (x - r) y z -> K x (y + r) z -> K x (y - r) z -> K x y (z + r) -> K x y (z - r) ->
  a ^+ 2 + b ^+ 2 + c ^+ 2 <= radius ^+ 2 -> K (x + a) (y + b) (z + c).
Proof.
rewrite le_eqVlt => /orP [/eqP <- | radius_gt0] r.
  rewrite /r mulr0 !addr0 => Kx _ _ _ _ _; rewrite expr0n /= => le0.
  have sum0 : a ^+ 2 + b ^+ 2 + c ^+ 2 == 0 by rewrite eq_le le0 !addr_ge0 ?sqr_ge0.
  move: sum0; rewrite !paddr_eq0 ?addr_ge0 ?sqr_ge0 // !sqrf_eq0.
  by move=> /andP [/andP [/eqP -> /eqP ->] /eqP ->]; rewrite !addr0.
have r_gt0 : 0 < r by rewrite mulr_gt0 ?ltr0n.
move=> x_plus x_minus y_plus y_minus z_plus z_minus ball.
have within : `|a| + `|b| + `|c| <= r.
  rewrite -subr_ge0; apply: sqr_le_add_ge0; first exact: ltW.
  rewrite sqrrN; rewrite -[a ^+ 2]real_normK ?num_real // -[b ^+ 2]real_normK ?num_real // in ball.
  rewrite -[c ^+ 2]real_normK ?num_real // in ball.
  move: `|a| `|b| `|c| ball => e f g ball.
  have le4 : 4%:R * (e ^+ 2 + f ^+ 2 + g ^+ 2) <= r ^+ 2.
    by rewrite /r exprMn -natrX ler_pmul2l ?ltr0n.
  apply: le_trans le4; rewrite -subr_ge0.
  rewrite (_ : _ - _ = (e - f) ^+ 2 + (f - g) ^+ 2 + (e - g) ^+ 2 + (e ^+ 2 + f ^+ 2 + g ^+ 2)); last by ring.
  by rewrite !addr_ge0 ?sqr_ge0.
pose k := `|a| / r; pose l := `|b| / r.
have a_le : `|a| <= k * r by rewrite divfK // gt_eqF.
have b_le : `|b| <= l * r by rewrite divfK // gt_eqF.
have c_le : `|c| <= (1 - k - l) * r.
  by rewrite !mulrBl mul1r !divfK ?gt_eqF // -addrA -opprD ler_subr_addl.
clearbody k l.
have Ka : K (k * x + a) (k * y) (k * z).
  have := @axis_move x y z 1 0 0 r k a r_gt0 a_le; rewrite !mulr1 !mulr0 !subr0 !addr0; exact.
have Kb : K (l * x) (l * y + b) (l * z).
  have := @axis_move x y z 0 1 0 r l b r_gt0 b_le; rewrite !mulr1 !mulr0 !subr0 !addr0; exact.
have Kc : K ((1 - k - l) * x) ((1 - k - l) * y) ((1 - k - l) * z + c).
  have := @axis_move x y z 0 0 1 r (1 - k - l) c r_gt0 c_le; rewrite !mulr1 !mulr0 !subr0 !addr0; exact.
by have := K_add (K_add Ka Kb) Kc; congr (K _ _ _); ring.
Qed.

End Octahedron.
