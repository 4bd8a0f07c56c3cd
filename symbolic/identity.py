"""What an identity is, by which method it is proved, and what a proof attempt answers.

Only data: the decision procedures are in ``symbolic.methods``, one module per kind, and ``symbolic.prove``
joins the two. A method is part of the identity because it is a claim of its own: it names the class of
expressions for which it decides, and every answer ``Proved`` it gives is a proof, never a numerical or
heuristic coincidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, TypeAlias

from sympy import Expr, Indexed, Matrix, S, Symbol

from symbolic.words import Blocks, Letter, Words, letters_of

Side: TypeAlias = Expr | Matrix | Words | Blocks


class Relation(Enum):
    """How the left side relates to the right side, for all values in the domains."""

    EQUAL = "="
    AT_LEAST = ">="
    GREATER = ">"


@dataclass(frozen=True, slots=True)
class Lemma:
    """A symbol that stands for ``left - right`` of an inequality proved elsewhere, and so has its sign."""

    symbol: Symbol
    identity: Identity


@dataclass(frozen=True, slots=True)
class Expand:
    """Polynomials over the rationals: expand the difference; it must be the zero polynomial.

    Decides, because two polynomials agree on a set with interior points iff their coefficients do.
    """

    title: ClassVar[str] = "expand polynomials"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Rational functions: bring the difference over one denominator; its numerator must be the zero polynomial.

    Decides wherever the denominators do not vanish, and that is proved too, by their signs.
    """

    title: ClassVar[str] = "cancel fractions"


@dataclass(frozen=True, slots=True)
class LinearSum:
    """Sums over the other records, for every number of records: expand each sum by linearity.

    Every summand is cancelled and expanded in the indexed symbols, what does not depend on the index moves in front,
    and each remaining sum of a monomial is a variable of its own. What is left is a rational function.
    """

    title: ClassVar[str] = "linearity of sums"


@dataclass(frozen=True, slots=True)
class ElementaryNormalForm:
    """Rational expressions in exp, tanh, cosh, roots, log and erf: rewrite over independent generators, then cancel.

    Exponents are split into rational multiples of monomials, so exponentials become integer powers of generators
    that are algebraically independent; log and erf of equal normal arguments become one generator each. The zero
    rational function stays zero whatever functions its variables stand for, so a zero normal form is a proof.
    """

    title: ClassVar[str] = "elementary normal form"


@dataclass(frozen=True, slots=True)
class DifferentiateAndCompare:
    """Functions on an interval: the derivatives agree by normal form, and the functions agree at one point.

    Two differentiable functions with equal derivatives on an interval differ by a constant, and it is zero.
    """

    title: ClassVar[str] = "differentiate, one point"
    variable: Symbol
    point: Expr


@dataclass(frozen=True, slots=True)
class AlgebraOfLimits:
    """A limit by the limit laws alone: sums, products, powers, leading terms, and exp, tanh, erf, log of limits.

    An indeterminate form that the laws do not settle is undecided, never guessed.
    """

    title: ClassVar[str] = "algebra of limits"
    variable: Symbol
    point: Expr


@dataclass(frozen=True, slots=True)
class GaussianMoments:
    """A Gaussian integral: by normal form, the integrand is a polynomial times the density of the named normal law.

    The polynomial is then replaced by its expectation, from the moments of that law.
    """

    title: ClassVar[str] = "complete the square, moments"
    variable: Symbol
    mean: Expr
    variance: Expr
    polynomial: Expr


@dataclass(frozen=True, slots=True)
class IntegrateByParts:
    """Equal integrals: the integrands differ by the derivative of ``boundary``, which vanishes at both ends.

    Derivatives in a parameter are taken under the integral sign; that is allowed because the differentiated
    integrand is dominated, locally uniformly, by a Gaussian times an exponential, which is checked by its structure.
    """

    title: ClassVar[str] = "under the integral, by parts"
    variable: Symbol
    boundary: Expr = S.Zero


@dataclass(frozen=True, slots=True)
class OddIntegrand:
    """Equal integrals: the difference of the integrands is odd about ``centre`` by normal form, and integrable."""

    title: ClassVar[str] = "odd integrand"
    variable: Symbol
    centre: Expr = S.Zero


@dataclass(frozen=True, slots=True)
class NonnegativeForm:
    """An inequality: left - right equals a sum of products of factors that are nonnegative by their domains.

    ``form`` displays the cofactors; without one, the difference over one denominator must have nonnegative
    coefficients. Equality with the form is decided by normal form, its sign by structure alone.
    """

    title: ClassVar[str] = "nonnegative form"
    form: Expr | None = None
    lemmas: tuple[Lemma, ...] = ()


@dataclass(frozen=True, slots=True)
class SignOfDerivative:
    """An inequality on a half-line: the sign at one end, and the sign of the derivative all along.

    With ``anchor`` 0 the derivative of left - right equals ``slope`` >= 0; with ``anchor`` infinity it equals
    ``-slope``, and the difference tends to a value >= 0.
    """

    title: ClassVar[str] = "sign of the derivative"
    variable: Symbol
    anchor: Expr
    slope: Expr
    lemmas: tuple[Lemma, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixEntries:
    """Matrices of equal shape: every entry by ``entry``."""

    title: ClassVar[str] = "entry by entry"
    entry: Expand | Cancel | ElementaryNormalForm


@dataclass(frozen=True, slots=True)
class WordRewriting:
    """Matrices of every size: noncommutative words, inverse pairs cancelled, traces up to rotation and transposition.

    ``definitions`` are substituted in their order. Words decide: identities between words with inverses and
    traces that hold for matrices of every size hold letter by letter.
    """

    title: ClassVar[str] = "word rewriting"
    inverses: tuple[tuple[Letter, Letter], ...] = ()
    definitions: tuple[tuple[Letter, Words], ...] = ()


Algebraic = Expand | Cancel | LinearSum | ElementaryNormalForm
Analytic = DifferentiateAndCompare | AlgebraOfLimits | GaussianMoments | IntegrateByParts | OddIntegrand
Ordered = NonnegativeForm | SignOfDerivative
Structured = MatrixEntries | WordRewriting
Method = Algebraic | Analytic | Ordered | Structured


@dataclass(frozen=True, slots=True)
class Identity:
    """One statement of the paper or of theory.md: ``left relation right`` for all values in the domains.

    Attributes:
        name: Unique, in words.
        reference: Paper section or theory.md section.
        left: Left side.
        right: Right side.
        method: The decision procedure that proves it.
        relation: Equality unless said otherwise.
        where: Symbols that abbreviate expressions, substituted in this order. A constraint such as S >= w is
            written as S = w + e with e >= 0, so that the remaining symbols range freely over their domains.
        assuming: Symbols of known sign that stand for expressions: the hypotheses of the statement.
    """

    name: str
    reference: str
    left: Side
    right: Side
    method: Method
    relation: Relation = Relation.EQUAL
    where: tuple[tuple[Symbol, Expr], ...] = ()
    assuming: tuple[tuple[Symbol, Expr], ...] = ()

    @property
    def domains(self) -> tuple[str, ...]:
        """The free symbols or letters of the statement, each with its domain, in the order of their names."""
        sides = (self.left, self.right)
        letters = {letter for side in sides if isinstance(side, Words | Blocks) for letter in letters_of(side)}
        if letters:
            return tuple(sorted({letter.described() for letter in letters}))
        symbols = set().union(*(hypotheses_replaced(self, side).free_symbols for side in sides))
        labels = {symbol.base.label for symbol in symbols if isinstance(symbol, Indexed)}
        return tuple(sorted(domain_of(symbol) for symbol in symbols - labels))


@dataclass(frozen=True, slots=True)
class Proved:
    """The statement is proved; ``steps`` say how, in words."""

    method: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The method ended in a normal form of left - right that is not zero: ``residual``, as text."""

    residual: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """The method does not apply, or one of its side conditions could not be established: ``reason``."""

    reason: str


Result = Proved | Failed | Undecided


class OutsideClass(Exception):
    """An expression is outside the class for which a method decides, or a side condition cannot be established."""


def abbreviations_replaced(identity: Identity, expr: Expr) -> Expr:
    """Return a scalar or matrix with the symbols of ``where`` replaced by what they abbreviate, in their order."""
    for symbol, value in identity.where:
        expr = expr.xreplace({symbol: value})
    return expr


def hypotheses_replaced(identity: Identity, expr: Expr) -> Expr:
    """Return a scalar or matrix with the symbols of ``assuming``, then those of ``where``, replaced."""
    return abbreviations_replaced(identity, expr.xreplace(dict(identity.assuming)))


def domain_of(symbol: Symbol) -> str:
    """Return the declared domain of a symbol, in mathematical notation."""
    if symbol.is_integer:
        return f"{symbol} in 1, 2, ..."
    if symbol.is_positive:
        return f"{symbol} > 0"
    return f"{symbol} >= 0" if symbol.is_nonnegative else f"{symbol} real"
