"""What can be claimed about a conic program. Every claim carries the whole program."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from flint import fmpq

from certify.checker.conic.problem import ConicProblem


class Side(StrEnum):
    """One program of the pair: (P), whose variable is X, or (D), whose variable is y.

    Example:
        >>> import certify
        >>> print(certify.claims.Side.PRIMAL)
        primal
    """

    PRIMAL = "primal"
    DUAL = "dual"


class Optimum(StrEnum):
    """Which optimal value a bracket is about: inf (P), sup (D), or both at once.

    Always ``sup (D) <= inf (P)``. The infimum of an infeasible (P) is +infinity, the supremum of an infeasible (D)
    is -infinity, and neither value need be attained.

    Example:
        >>> import certify
        >>> [str(optimum) for optimum in certify.claims.Optimum]
        ['primal', 'dual', 'both']
    """

    PRIMAL = "primal"
    DUAL = "dual"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class ConicBracket:
    r"""The optimal value of the program lies in ``[lower, upper]``; an end that is None is not claimed.

    With ``Optimum.BOTH`` it means ``lower <= sup (D)`` and ``inf (P) <= upper``, hence both values are in the bracket.

    Source: theory.md section 7.

    Raises:
        ValueError: If neither end is claimed.

    Example:
        >>> import certify
        >>> from certify.checker.statements.problems import read_problem_statement
        >>> text = b"1\n1\n-2\n1\n0 1 1 1 3\n0 1 2 2 5\n1 1 1 1 1\n1 1 2 2 1\n"
        >>> program = read_problem_statement(text, "least.dat-s").problem
        >>> value = certify.rational("-5")
        >>> claim = certify.claims.ConicBracket(program, certify.claims.Optimum.BOTH, value, value)
        >>> "is exactly 5." in certify.sentence(claim)
        True
    """

    problem: ConicProblem
    optimum: Optimum
    lower: fmpq | None
    upper: fmpq | None

    def __post_init__(self) -> None:
        if self.lower is None and self.upper is None:
            raise ValueError("a bracket needs a lower or an upper bound")


@dataclass(frozen=True, slots=True)
class ConicGap:
    r"""The two optimal values differ: ``sup (D) <= dual_upper < primal_lower <= inf (P)``.

    Source: theory.md section 7.

    Raises:
        ValueError: If the two bounds leave no gap.

    Example:
        >>> import certify
        >>> from certify.checker.statements.problems import read_problem_statement
        >>> text = b"1\n1\n-2\n1\n0 1 1 1 3\n0 1 2 2 5\n1 1 1 1 1\n1 1 2 2 1\n"
        >>> program = read_problem_statement(text, "least.dat-s").problem
        >>> claim = certify.claims.ConicGap(program, certify.rational("0"), certify.rational("1"))
        >>> claim.dual_upper < claim.primal_lower
        True
    """

    problem: ConicProblem
    dual_upper: fmpq
    primal_lower: fmpq

    def __post_init__(self) -> None:
        if self.dual_upper >= self.primal_lower:
            raise ValueError(f"there is no gap between {self.dual_upper} and {self.primal_lower}")


@dataclass(frozen=True, slots=True)
class ConicInfeasible:
    r"""No X (side PRIMAL) or no y (side DUAL) satisfies the constraints of the program.

    Source: theory.md section 7.

    Example:
        >>> import certify
        >>> from certify.checker.statements.problems import read_problem_statement
        >>> text = b"1\n1\n-2\n1\n0 1 1 1 3\n0 1 2 2 5\n1 1 1 1 1\n1 1 2 2 1\n"
        >>> program = read_problem_statement(text, "least.dat-s").problem
        >>> claim = certify.claims.ConicInfeasible(program, certify.claims.Side.DUAL)
        >>> "has no feasible point" in certify.sentence(claim)
        True
    """

    problem: ConicProblem
    side: Side


@dataclass(frozen=True, slots=True)
class ConicFeasible:
    r"""Some X (side PRIMAL) or some y (side DUAL) satisfies the constraints of the program.

    Source: theory.md section 7.

    Example:
        >>> import certify
        >>> from certify.checker.statements.problems import read_problem_statement
        >>> text = b"1\n1\n-2\n1\n0 1 1 1 3\n0 1 2 2 5\n1 1 1 1 1\n1 1 2 2 1\n"
        >>> program = read_problem_statement(text, "least.dat-s").problem
        >>> claim = certify.claims.ConicFeasible(program, certify.claims.Side.DUAL)
        >>> "has a feasible point" in certify.sentence(claim)
        True
    """

    problem: ConicProblem
    side: Side


ConicClaim: TypeAlias = ConicBracket | ConicGap | ConicInfeasible | ConicFeasible
