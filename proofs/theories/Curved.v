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
