"""cvxpy problems as neutral programs, from the conic data that cvxpy itself hands to solvers.

The duals of a solution are recovered from those data, not from ``dual_value``: variables declared PSD or symmetric
have none, and its sign and scale depend on the solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cvxpy
import numpy as np
import scipy.sparse as sp
from flint import fmpq

from certify.certificates.conic.bounds import Options, Outcome
from certify.certificates.conic.given import GivenPoint
from certify.certificates.importers.bounding import bound_imported
from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.points import point_from_rows
from certify.certificates.importers.raw import Imported, cones_of_sizes
from certify.certificates.importers.standard import ImportFailed, StandardProgram, neutral_program
from certify.checker.conic.claims import ConicBracket
from certify.checker.conic.cones import Cone, Nonnegative
from certify.checker.conic.problem import source_ends
from certify.checker.exact import binary64_fraction


@dataclass(frozen=True, slots=True)
class CvxpyOutcome:
    """What was certified about a cvxpy problem, beside what the solver said.

    Attributes:
        outcome: The claims, in the neutral form, with their witnesses.
        status: The status that cvxpy reports: an opinion, evidence of nothing.
        value: The value that cvxpy reports, None where it has none.
        lower: A proved lower bound of the optimal value in the problem's own sense, None where there is none.
        upper: A proved upper bound, likewise.
    """

    outcome: Outcome
    status: str
    value: float | None
    lower: fmpq | None
    upper: fmpq | None

    @property
    def value_is_inside(self) -> bool | None:
        """Whether the reported value lies in the proved bracket; None where either is missing."""
        if self.value is None or not np.isfinite(self.value) or (self.lower is None and self.upper is None):
            return None
        value = binary64_fraction(self.value)
        return (self.lower is None or self.lower <= value) and (self.upper is None or value <= self.upper)


def certify_problem(problem: cvxpy.Problem, options: Options | None = None) -> CvxpyOutcome:
    """Certify the optimal value of a cvxpy problem, solved or not.

    What the solver left behind is used where it left its raw vectors; otherwise the conic data are solved afresh.

    Raises:
        ImportFailed: If the problem is not a convex conic program, or has integer variables.
    """
    imported = import_cvxpy(problem)
    outcome = bound_imported(imported, options or Options())
    lower, upper = _own_sense(outcome)
    value = None if problem.value is None else float(problem.value)
    return CvxpyOutcome(outcome, str(problem.status), value, lower, upper)


def import_cvxpy(problem: cvxpy.Problem) -> Imported:
    """Return the neutral program of a cvxpy problem with the raw solution of SCS, where SCS solved it.

    Raises:
        ImportFailed: If the problem is not a convex conic program, or has integer variables.
    """
    if problem.is_mixed_integer():
        raise ImportFailed("the problem has integer variables; certify a relaxation of it that has none")
    try:
        data, _, _ = problem.get_problem_data(cvxpy.SCS, solver_opts={"use_quad_obj": False})
    except (cvxpy.error.DCPError, cvxpy.error.SolverError, ValueError) as error:
        raise ImportFailed(f"cvxpy makes no conic program of this problem: {error}") from None
    offset = float(data["param_prob"].apply_parameters()[1])
    cones = _cones(data["dims"])
    matrix, constant, bounds = _with_bounds(data)
    maximise = isinstance(problem.objective, cvxpy.Maximize)
    program = StandardProgram(
        matrix,
        constant,
        np.asarray(data["c"], dtype=float),
        (*cones, *bounds),
        Convention.LOWER_SQRT2,
        offset,
        maximise,
    )
    return Imported(neutral_program(program), _raw_point(problem, program))


def _cones(dims: Any) -> tuple[Cone, ...]:
    if dims.pnd:
        raise ImportFailed("power cones of more than three dimensions are not supported")
    sizes = {
        "z": dims.zero,
        "l": dims.nonneg,
        "q": dims.soc,
        "s": dims.psd,
        "ep": dims.exp,
        "p": dims.p3d,
    }
    return cones_of_sizes(sizes)


def _with_bounds(data: Any) -> tuple[sp.csc_matrix, np.ndarray[Any, Any], tuple[Cone, ...]]:
    """Return A and b with the bounds of variables, where cvxpy passes them apart, appended as rows."""
    matrix, constant = sp.csc_matrix(data["A"]), np.asarray(data["b"], dtype=float)
    identity = sp.identity(matrix.shape[1], format="csr")
    rows, ends = [matrix], [constant]
    for name, sign in (("lower_bounds", -1.0), ("upper_bounds", 1.0)):
        bounds = data.get(name)
        if bounds is not None:
            finite = np.flatnonzero(np.isfinite(bounds))
            rows.append(sp.csc_matrix(sign * identity[finite]))
            ends.append(sign * np.asarray(bounds, dtype=float)[finite])
    extra = sum(part.shape[0] for part in rows[1:])
    cones: tuple[Cone, ...] = (Nonnegative(extra),) if extra else ()
    return sp.csc_matrix(sp.vstack(rows)), np.concatenate(ends), cones


def _raw_point(problem: cvxpy.Problem, program: StandardProgram) -> GivenPoint:
    """Return what SCS left in the solver statistics, if it fits the program."""
    extra = getattr(problem.solver_stats, "extra_stats", None)
    if not isinstance(extra, dict) or not {"x", "y", "s"} <= set(extra):
        return GivenPoint(None, None)
    x, y, s = (np.asarray(extra[name], dtype=float) for name in ("x", "y", "s"))
    fits = x.shape == program.linear.shape and y.shape == s.shape == program.constant.shape
    if not fits or not all(np.all(np.isfinite(part)) for part in (x, y, s)):
        return GivenPoint(None, None)
    return point_from_rows(program.cones, program.convention, x, y, s)


def _own_sense(outcome: Outcome) -> tuple[fmpq | None, fmpq | None]:
    """Return the bracket of the first bracket claim in the sense of the problem: side (D) is the cvxpy problem."""
    claims = (each.claim for each in outcome.certified)
    bracket = next((claim for claim in claims if isinstance(claim, ConicBracket)), None)
    return (None, None) if bracket is None else source_ends(bracket.problem, bracket.lower, bracket.upper)
