(** * Faces of cones as images of smaller cones (facial reduction, theory.md section 7)

    The checker keeps, for each block, a set that contains every feasible point: the whole cone, the
    image of PSD(r) under Q -> V Q V^T, or the image of the nonnegative orthant under z -> G z.  Proved
    here: how to decide the dual of such an image, and what an exposing vector leaves of it. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From Certify Require Import Psd Conic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Faces.

Variable R : realFieldType.

(** ** Images of PSD cones *)

Section Congruence.

Variable n : nat.
Implicit Types (S E X : matrix_space R n).

Definition congruence_face r (V : 'M[R]_(n, r)) (X : 'M[R]_n) : Prop :=
  exists2 Q : 'M_r, psd Q & X = V *m Q *m V^T.

(** The image lies in the cone. *)
Lemma congruence_face_psd r (V : 'M[R]_(n, r)) X : congruence_face V X -> psd X.
Proof. by case=> Q pQ ->; apply: psd_congr. Qed.

Lemma congruence_face_whole X : psd X -> congruence_face 1%:M X.
Proof. by exists X; rewrite // trmx1 mulmx1 mul1mx. Qed.

Lemma inner_congr r (V : 'M[R]_(n, r)) (S : 'M_n) (Q : 'M_r) :
  inner S (V *m Q *m V^T) = inner (V^T *m S *m V) Q.
Proof. by rewrite /inner !trmx_mul trmxK !mulmxA mxtrace_mulC !mulmxA. Qed.

(** Rule "dual of a face": S is nonnegative on V PSD(r) V^T exactly when V^T S V is PSD. *)
Theorem congruence_face_dual r (V : 'M[R]_(n, r)) S :
  S^T = S -> dual_of (V := matrix_space R n) (congruence_face V) S <-> psd (V^T *m S *m V).
Proof.
move=> symS; split=> [dS | pS X [Q pQ ->]]; last by rewrite /= inner_congr psd_inner_ge0.
apply: psd_self_dual => [|Q pQ]; first by rewrite !trmx_mul trmxK symS mulmxA.
by rewrite innerC -inner_congr; apply: dS; exists Q.
Qed.

(** N spans the kernel of G. *)
Definition spans_kernel r k (G : 'M[R]_r) (N : 'M[R]_(r, k)) : Prop :=
  G *m N = 0 /\ forall v : 'cV_r, G *m v = 0 -> exists w, v = N *m w.

(** A PSD matrix whose range lies in the kernel of G is N Q' N^T with Q' PSD. *)
Lemma psd_in_kernel r k (G Q : 'M[R]_r) (N : 'M[R]_(r, k)) :
  spans_kernel G N -> psd Q -> G *m Q = 0 -> exists2 Q' : 'M_k, psd Q' & Q = N *m Q' *m N^T.
Proof.
move=> [_ span] pQ; have [_ [L [d [uL _ d_ge0 defQ]]]] := (psd_ldlP Q).1 pQ.
rewrite defQ !mulmxA => GL0; have {GL0} GLd0 : G *m L *m diag_mx d = 0.
  have uLT : L^T \in unitmx by rewrite unitmx_tr unit_lower_unitmx.
  by rewrite -[LHS](mulmxK uLT) GL0 mul0mx.
have col_span i : exists w : 'cV_k, d 0 i != 0 -> col i L = N *m w.
  have [d0 | d_nz] := eqVneq (d 0 i) 0; first by exists 0.
  suff /span [w ->] : G *m col i L = 0 by exists w.
  rewrite colE mulmxA -colE; apply/colP => a; apply: (mulIf d_nz).
  by have /matrixP /(_ a i) := GLd0; rewrite mul_mx_diag !mxE mul0r.
have {col_span} [f f_span] := fin_all_exists col_span.
pose W := \matrix_(a, i) f i a 0.
have colW i : col i W = f i by apply/colP => a; rewrite !mxE.
have defLD : L *m diag_mx d = N *m W *m diag_mx d.
  apply/matrixP => a i; rewrite !mul_mx_diag [LHS]mxE [RHS]mxE.
  have [-> | /f_span span_i] := eqVneq (d 0 i) 0; first by rewrite !mulr0.
  congr (_ * _); have /colP /(_ a) := span_i; rewrite -colW [col i W]colE mulmxA -colE.
  by rewrite [LHS]mxE [RHS]mxE.
exists (W *m diag_mx d *m W^T); first by apply/psd_congr/psd_diag.
have symD : (diag_mx d)^T = diag_mx d := tr_diag_mx d.
rewrite defLD -mulmxA -[diag_mx d *m L^T]trmxK trmx_mul trmxK symD defLD.
by rewrite !trmx_mul symD !mulmxA.
Qed.

(** What an exposing vector leaves of V PSD(r) V^T: with N a basis of the kernel of V^T E V, the
    image of PSD(k) under V N. *)
Theorem congruence_face_exposed r k (V : 'M[R]_(n, r)) (N : 'M[R]_(r, k)) E X :
  psd (V^T *m E *m V) -> spans_kernel (V^T *m E *m V) N ->
  congruence_face V X -> ip E X = 0 -> congruence_face (V *m N) X.
Proof.
move=> pE span [Q pQ ->]; rewrite /= inner_congr => /(psd_inner_eq0 pE pQ) /(psd_in_kernel span pQ).
by case=> Q' pQ' ->; exists Q'; rewrite // trmx_mul !mulmxA.
Qed.

(** Nothing more is left. *)
Theorem congruence_face_exposed_only r k (V : 'M[R]_(n, r)) (N : 'M[R]_(r, k)) E X :
  spans_kernel (V^T *m E *m V) N -> congruence_face (V *m N) X -> congruence_face V X /\ ip E X = 0.
Proof.
move=> [EN0 _] [Q pQ ->]; split.
  by exists (N *m Q *m N^T); [apply: psd_congr | rewrite trmx_mul !mulmxA].
rewrite /= inner_congr trmx_mul -!mulmxA (mulmxA V^T) (mulmxA _ V) EN0.
by rewrite !mulmx0 inner0l.
Qed.

End Congruence.

(** ** Images of nonnegative orthants *)

Section Generated.

Variables (n : nat).

Definition generated_face r (G : 'M[R]_(n, r)) (x : 'cV[R]_n) : Prop :=
  exists2 z : 'cV_r, nonnegative z & x = G *m z.

(** Rule "dual of a face": w is nonnegative on G R_+^r exactly when G^T w >= 0. *)
Theorem generated_face_dual r (G : 'M[R]_(n, r)) (w : vector_space R n) :
  dual_of (V := vector_space R n) (generated_face G) w <-> nonnegative (G^T *m w).
Proof.
rewrite -nonnegative_self_dual; split=> [dw z z_ge0 | dw x [z z_ge0 ->]].
  by rewrite /= -{1}(trmxK G) -dot_mulmx trmxK; apply: dw; exists z.
by rewrite /= dot_mulmx; apply: dw.
Qed.

(** What an exposing vector leaves: the generators that it vanishes on. *)
Theorem generated_face_exposed r k (G : 'M[R]_(n, r)) (kept : 'I_k -> 'I_r) (w x : vector_space R n) :
  nonnegative (G^T *m w) -> injective kept ->
  (forall j, (G^T *m w) j 0 = 0 -> exists i, j = kept i) ->
  generated_face G x -> ip w x = 0 -> generated_face (colsub kept G) x.
Proof.
move=> w_ge0 inj covers [z z_ge0 ->] /eqP; rewrite /= dot_mulmx dotE psumr_eq0 => [/allP zero | i _]; last first.
  exact: mulr_ge0.
have z0 j : j \notin [set kept i | i : 'I_k] -> z j 0 = 0.
  move=> out; have /= := zero j (mem_index_enum _); rewrite mulf_eq0 => /orP [/eqP /covers [i def_j] | /eqP //].
  by case/negP: out; rewrite def_j imset_f.
exists (\col_i z (kept i) 0) => [i|]; first by rewrite mxE.
apply/colP => a; rewrite !mxE (bigID (mem [set kept i | i : 'I_k])) /= [X in _ + X]big1 ?addr0.
  by rewrite big_imset /= => [|i j _ _ /inj //]; apply: eq_big => // i _; rewrite !mxE.
by move=> j /z0 ->; rewrite mulr0.
Qed.

End Generated.

(** ** What an exposing vector leaves of a quadratic cone: a ray, or the origin *)

Section Quadratic.

Variables (n : nat).

Lemma dot_scale_add (x y : 'cV[R]_n) k :
  dot (x + k *: y) (x + k *: y) = dot x x + 2%:R * (k * dot y x) + k ^+ 2 * dot y y.
Proof. by rewrite dotDl !dotDr !dotZl !dotZr (dotC x y); ring. Qed.

Lemma second_order_head0 (y : 'cV[R]_n) : second_order (0 : R, y) -> y = 0.
Proof.
case=> _ /= le0; apply: dot_eq0; apply/eqP; rewrite eq_le dot_ge0 andbT.
by rewrite expr0n in le0.
Qed.

(** A nonzero element (u, y) leaves multiples of (u, -y), and from inside the cone only the origin. *)
Theorem second_order_exposed (u t : R) (y x : 'cV[R]_n) :
  0 < u -> second_order (u, y) -> second_order (t, x) -> u * t + dot y x = 0 ->
  exists2 k, 0 <= k & (t = k * u) /\ (x = - (k *: y)).
Proof.
move=> u_gt0 [/= _ y_le] [/= t_ge0 x_le] /eqP; rewrite addrC addr_eq0 => /eqP yx.
have u_nz : u != 0 by rewrite gt_eqF.
exists (t / u); first by rewrite divr_ge0 // ltW.
split; first by rewrite divfK.
apply/eqP; rewrite -addr_eq0; apply/eqP/dot_eq0/eqP; rewrite eq_le dot_ge0 andbT dot_scale_add yx.
have le_y : (t / u) ^+ 2 * dot y y <= t ^+ 2.
  apply: le_trans (ler_wpmul2l (sqr_ge0 _) y_le) _.
  by rewrite -exprMn divfK.
rewrite (_ : 2%:R * _ = - t ^+ 2 - t ^+ 2); last by field.
apply: le_trans (ler_add (ler_add x_le (lexx _)) le_y) _.
by rewrite (_ : _ + _ = 0) //; ring.
Qed.

Theorem second_order_exposed_inside (u t : R) (y x : 'cV[R]_n) :
  dot y y < u ^+ 2 -> second_order (u, y) -> second_order (t, x) -> u * t + dot y x = 0 ->
  t = 0 /\ x = 0.
Proof.
move=> inside soc_u soc_t orth; have u_gt0 : 0 < u.
  rewrite lt0r; case: soc_u => /= -> _; rewrite andbT; apply: contraTneq inside => ->.
  by rewrite expr0n -leNgt dot_ge0.
have [k k_ge0 [def_t def_x]] := second_order_exposed u_gt0 soc_u soc_t orth.
suff k0 : k = 0 by rewrite def_t def_x k0 mul0r scale0r oppr0.
move: orth => /eqP; rewrite def_t def_x dotNr dotZr mulrCA -mulrBr mulf_eq0 => /orP [/eqP //|].
by rewrite -expr2 gt_eqF // subr_gt0.
Qed.

Lemma rotated_swap (a b : R) (y : 'cV[R]_n) : rotated (a, (b, y)) -> rotated (b, (a, y)).
Proof. by case=> /= a_ge0 b_ge0 y_le; split; rewrite //= mulrC [b * a]mulrC mulrC. Qed.

Lemma rotated_parallel (a b a' b' : R) (y x : 'cV[R]_n) :
  0 < a -> rotated (a, (b, y)) -> rotated (a', (b', x)) -> a * a' + b * b' + dot y x = 0 ->
  x = - ((b' / a) *: y).
Proof.
move=> a_gt0 [/= _ b_ge0 y_le] [/= a'_ge0 b'_ge0 x_le] /eqP; rewrite addrC addr_eq0 => /eqP yx.
have a_nz : a != 0 by rewrite gt_eqF.
apply/eqP; rewrite -addr_eq0; apply/eqP/dot_eq0/eqP; rewrite eq_le dot_ge0 andbT dot_scale_add yx.
apply: le_trans (ler_add (ler_add x_le (lexx _)) (ler_wpmul2l (sqr_ge0 _) y_le)) _.
by rewrite (_ : _ + _ = 0) //; field.
Qed.

(** A nonzero element (a, b, y) of the boundary leaves the multiples of (b, a, -y). *)
Theorem rotated_exposed (a b a' b' : R) (y x : 'cV[R]_n) :
  0 < a \/ 0 < b -> dot y y = 2%:R * (a * b) -> rotated (a, (b, y)) -> rotated (a', (b', x)) ->
  a * a' + b * b' + dot y x = 0 ->
  exists2 k, 0 <= k & [/\ a' = k * b, b' = k * a & x = - (k *: y)].
Proof.
wlog a_gt0 : a b a' b' / 0 < a => [wlog_a | _ boundary rot_q rot_x orth].
  case=> [a_gt0 | b_gt0] boundary rot_q rot_x orth; first by apply: wlog_a orth => //; left.
  have [||||| k k_ge0 [-> -> ->]] := wlog_a b a b' a' b_gt0.
  - by left.
  - by rewrite boundary [b * a]mulrC.
  - exact: rotated_swap.
  - exact: rotated_swap.
  - by rewrite [b * _ + _]addrC.
  by exists k.
have a_nz : a != 0 by rewrite gt_eqF.
have def_x := rotated_parallel a_gt0 rot_q rot_x orth; case: rot_x => /= _ b'_ge0 _.
exists (b' / a); first by rewrite divr_ge0 // ltW.
split=> //; last by rewrite divfK.
have eq_a : a * a' = b' / a * (2%:R * (a * b)) - b * b'.
  by apply/eqP; rewrite -subr_eq0 opprB addrA -[X in _ == X]orth def_x dotNr dotZr boundary.
by apply: (mulfI a_nz); rewrite eq_a; field.
Qed.

(** An element of the inside leaves the origin. *)
Theorem rotated_exposed_inside (a b a' b' : R) (y x : 'cV[R]_n) :
  dot y y < 2%:R * (a * b) -> rotated (a, (b, y)) -> rotated (a', (b', x)) ->
  a * a' + b * b' + dot y x = 0 -> [/\ a' = 0, b' = 0 & x = 0].
Proof.
move=> inside rot_q rot_x orth; have [/= a_ge0 b_ge0 _] := rot_q; have [/= a'_ge0 b'_ge0 x_le] := rot_x.
have ab_gt0 : 0 < a * b by rewrite -(@pmulr_rgt0 _ 2%:R) ?ltr0n // (le_lt_trans (dot_ge0 y)).
have a_nz : a != 0 by apply: contraTneq ab_gt0 => ->; rewrite mul0r ltxx.
have a_gt0 : 0 < a by rewrite lt0r a_nz.
have def_x := rotated_parallel a_gt0 rot_q rot_x orth.
have eq_a : a * a' = b' / a * dot y y - b * b'.
  by apply/eqP; rewrite -subr_eq0 opprB addrA -[X in _ == X]orth def_x dotNr dotZr.
have slack_gt0 : 0 < 2%:R * (a * b) - dot y y by rewrite subr_gt0.
have b'0 : b' = 0.
  apply/eqP; rewrite -sqrf_eq0 eq_le sqr_ge0 andbT -(pmulr_lle0 _ slack_gt0).
  rewrite def_x dotNl dotNr opprK dotZl dotZr -subr_ge0 in x_le.
  have := mulr_ge0 (sqr_ge0 a) x_le; rewrite -oppr_ge0; congr (0 <= _).
  have -> : a ^+ 2 * (2%:R * (a' * b') - b' / a * (b' / a * dot y y)) =
            2%:R * a * b' * (a * a') - b' ^+ 2 * dot y y by field.
  by rewrite eq_a; field.
have x0 : x = 0 by rewrite def_x b'0 mul0r scale0r oppr0.
split=> //; move/eqP: orth; rewrite b'0 x0 mulr0 dot0r !addr0 mulf_eq0 (negbTE a_nz).
by move/eqP.
Qed.

End Quadratic.

End Faces.
