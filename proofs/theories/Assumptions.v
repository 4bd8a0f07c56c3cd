(** * What the main theorems assume

    Compiling this file prints, for each main theorem, "Closed under the global context": it rests on
    no axiom and no unproved lemma. *)

From Certify Require Import Psd Covariance Conic Faces Nearby Curved Hull Uniform Integers Rationals Checker.

(** PSD *)
Print Assumptions psd_ldl_sound.
Print Assumptions psd_ldl_complete.
Print Assumptions psd_ldlP.
Print Assumptions refuting_vector.
Print Assumptions psd_gram.
Print Assumptions psd_dominant.
Print Assumptions psd_cholesky_witness.
Print Assumptions pd_ldl_sound.
Print Assumptions pd_cholesky_witness.
Print Assumptions psd_schur.
Print Assumptions psd_schur_scalar.
Print Assumptions psd_inner_ge0.
Print Assumptions psd_self_dual.
Print Assumptions psd_borderedP.
Print Assumptions psd_bordered_inv.
Print Assumptions psd_bordered_hull.
Print Assumptions psd_bordered_limit.
Print Assumptions psd_bordered_support.
Print Assumptions precision_block_bound.
Print Assumptions precision_congruence_budget.

(** Covariance program *)
Print Assumptions gap_formula.
Print Assumptions weak_duality.
Print Assumptions complementary_slackness.
Print Assumptions compact_weak_duality.
Print Assumptions primal_rule_sound.
Print Assumptions dual_rule_sound.
Print Assumptions covariance_rule_sound.

(** Sensitivity sets, the uniform query, the checker over integers.  A tuple is closed exactly when
    every theorem in it is; grouped, these take seconds, not a minute. *)
Definition sensitivity_sets :=
  (@deletion_with, @deletion_without, @two_record, @pair_coefficient_sum, @two_record_hull,
   @two_record_qform, @three_record_value, @add_or_remove_supported, @replace_supported,
   @supported_qform, @supported_bordered).
Print Assumptions sensitivity_sets.

Definition uniform_query :=
  (@uniform_query_supported, @uniform_query_approached, @uniform_query_bordered, @uniform_query_qform,
   @positive_admissible, @gaussian_admissible, @all_gaussian_admissible).
Print Assumptions uniform_query.

Definition integer_checker := (@check_psd_sound, @check_pd_sound, @check_sound, @check_private).
Print Assumptions integer_checker.

(** Conic programs *)
Print Assumptions conic_rule_bracket.
Print Assumptions conic_rule_primal_infeasible.
Print Assumptions conic_rule_dual_infeasible.
Print Assumptions dual_cone_sound.
Print Assumptions dual_cone_complete.

Definition psd_extras := (@psd_lower_rank, @psd_eliminate, @psd_box_bound, @psd_bordered_along).
Print Assumptions psd_extras.

Definition conic_forms :=
  (@conic_gap, @inequality_weak_duality, @inequality_farkas, @inequality_dual_infeasible).
Print Assumptions conic_forms.

Definition facial_reduction :=
  (@facial_weak_duality, @facial_farkas_primal, @facial_upper_bound, @facial_farkas_dual).
Print Assumptions facial_reduction.

Definition face_rules :=
  (@congruence_face_dual, @congruence_face_exposed, @generated_face_dual, @generated_face_exposed,
   @second_order_exposed, @second_order_exposed_inside, @rotated_exposed, @rotated_exposed_inside).
Print Assumptions face_rules.

Definition nearby_rules :=
  (@nearby_point, @dropped_equation, @psd_margin, @nonnegative_margin, @second_order_margin, @rotated_margin).
Print Assumptions nearby_rules.

Definition curved_cones := (@power_dual, @exponential_dual, @in_powerD, @in_exponentialD, @octahedron).
Print Assumptions curved_cones.
