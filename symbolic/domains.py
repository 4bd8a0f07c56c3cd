"""Domains that are not finite, convexity, and the bounds they are compared with: box, ball, naive baseline."""

from __future__ import annotations

from sympy import Add, Expr, ImmutableMatrix, IndexedBase, Rational, Sum, Symbol, diag, symbols

from symbolic.covariance import symmetric
from symbolic.identity import (
    Cancel,
    Expand,
    Identity,
    LinearSum,
    MatrixEntries,
    NonnegativeForm,
    Relation,
    WordRewriting,
)
from symbolic.words import Words, identity_matrix, letter, letter_of, number

SECTION = "theory.md section 2"

mix, radius, rho, level, top = symbols("lambda R rho c lambda_max", positive=True)

x, y, s = (letter(name, "d", "1") for name in "xys")
P, Sigma, K, D = (letter(name, symmetric=True) for name in ("P", "Sigma", "K", "D"))
C, E = letter("C", "k", "d"), letter("E", "d", "l")
I = identity_matrix()  # noqa: E741 the paper's letter


def form(matrix: Words, vector: Words) -> Words:
    """Return the quadratic form of a matrix at a vector."""
    return vector.T * matrix * vector


CONVEXITY = (
    Identity(
        "what convexity leaves of a quadratic form, any d",
        "paper section III-C",
        form(P, x).scale(mix) + form(P, y).scale(1 - mix) - form(P, x.scale(mix) + y.scale(1 - mix)),
        form(P, x - y).scale(mix * (1 - mix)),
        WordRewriting(),
    ),
    Identity("a quadratic form is even, any d", SECTION, form(P, -x), form(P, x), WordRewriting()),
    Identity(
        "the naive bound exceeds a sensitivity by a quadratic form of lambda_max I - P, any d",
        SECTION,
        (s.T * s).scale(top) - form(P, s),
        form(I.scale(top) - P, s),
        WordRewriting(),
    ),
)

BALL = (
    Identity(
        "two points of a ball are at most its diameter apart, any d",
        SECTION,
        number(4 * radius**2) - form(I, x - y),
        (number(radius**2) - form(I, x)).scale(2) + (number(radius**2) - form(I, y)).scale(2) + form(I, x + y),
        WordRewriting(),
    ),
    Identity(
        "ball: every feasible covariance costs more than the isotropic one, any d and W",
        SECTION,
        (C.T * C * Sigma).trace() - (C.T * C).trace().scale(level),
        ((C * E) * (C * E).T).trace(),
        WordRewriting(definitions=((letter_of(Sigma), I.scale(level) + E * E.T),)),
    ),
)

# Box: widths L, standard deviations w of the task weight (W = w^2), variances z; coordinates are indexed 1..n.
n, i = symbols("n i", integer=True, positive=True)
widths, roots, precisions = (IndexedBase(name, positive=True) for name in ("L", "w", "q"))
variances = IndexedBase("z", positive=True)
shifts, below, above = (
    IndexedBase("s", real=True),
    IndexedBase("b", nonnegative=True),
    IndexedBase("a", nonnegative=True),
)
L, w, z, multiplier = symbols("L w z c", positive=True)
shift = Symbol("s", real=True)
to_lower, to_upper, y_bound = symbols("a b y", nonnegative=True)


def over_coordinates(summand: Expr) -> Expr:
    """Return the sum over the coordinates."""
    return Sum(summand, (i, 1, n))


OPTIMAL = (
    (variances[i], widths[i] * multiplier / roots[i]),
    (multiplier, over_coordinates(widths[i] * roots[i]) / rho),
)
LAGRANGIAN = w**2 * z + multiplier**2 * L**2 / z


def sign_flip_average(size: int) -> Identity:
    """Return the average of D Sigma D over all diagonal sign matrices D."""
    sigma = symmetric("Sigma", size)
    flips = [diag(*((-1) ** (pattern >> k & 1) for k in range(size))) for pattern in range(2**size)]
    average = sum((flip * sigma * flip for flip in flips), ImmutableMatrix.zeros(size)) * Rational(1, 2**size)
    return Identity(
        f"averaging over sign flips leaves the diagonal, d = {size}",
        SECTION,
        ImmutableMatrix(average),
        ImmutableMatrix(diag(*(sigma[k, k] for k in range(size)))),
        MatrixEntries(Expand()),
    )


def cauchy_for_box(size: int) -> Identity:
    """Return the lower bound of the loss for a diagonal covariance, in coordinates."""
    width, root, variance = (symbols(f"{name}1:{size + 1}", positive=True) for name in ("L", "w", "z"))
    indices = range(size)
    loss = Add(*(root[k] ** 2 * variance[k] for k in indices))
    sensitivity = Add(*(width[k] ** 2 / variance[k] for k in indices))
    squares = [
        (root[j] * variance[j] * width[k] - root[k] * variance[k] * width[j]) ** 2 / (variance[j] * variance[k])
        for k in indices
        for j in range(k)
    ]
    return Identity(
        f"box, diagonal covariance: loss times sensitivity is bounded below, d = {size}",
        SECTION,
        loss * sensitivity,
        Add(*(width[k] * root[k] for k in indices)) ** 2,
        NonnegativeForm(Add(*squares)),
        Relation.AT_LEAST,
    )


BOX = (
    Identity(
        "box, diagonal covariance: no shift exceeds the widths, any d",
        SECTION,
        over_coordinates(widths[i] ** 2 * precisions[i]),
        over_coordinates(shifts[i] ** 2 * precisions[i]),
        NonnegativeForm(over_coordinates(below[i] * above[i] * precisions[i])),
        Relation.AT_LEAST,
        where=((widths[i], (below[i] + above[i]) / 2), (shifts[i], (above[i] - below[i]) / 2)),
    ),
    Identity(
        "box: a diagonal bound of the precision bounds every sensitivity, any d",
        SECTION,
        form(D, s) - form(K, s),
        (C * s).T * (C * s),
        WordRewriting(definitions=((letter_of(D), K + C.T * C),)),
    ),
    Identity(
        "box: the diagonal bound is largest at the widths",
        SECTION,
        y_bound * L**2,
        y_bound * shift**2,
        NonnegativeForm(y_bound * to_lower * to_upper),
        Relation.AT_LEAST,
        where=((L, (to_lower + to_upper) / 2), (shift, (to_upper - to_lower) / 2)),
    ),
    *(sign_flip_average(size) for size in (1, 2, 3)),
    Identity(
        "box, Lagrange condition at the closed form",
        SECTION,
        LAGRANGIAN.diff(z),
        w * 0,
        Cancel(),
        where=((z, L * multiplier / w),),
    ),
    Identity(
        "box, Lagrangian: every other variance is worse",
        SECTION,
        LAGRANGIAN,
        2 * multiplier * L * w,
        NonnegativeForm((w * z - multiplier * L) ** 2 / z),
        Relation.AT_LEAST,
    ),
    Identity(
        "box, closed form: the budget is used up, any d",
        SECTION,
        over_coordinates(widths[i] ** 2 / variances[i]),
        rho,
        LinearSum(),
        where=OPTIMAL,
    ),
    Identity(
        "box, closed form: the loss, any d",
        SECTION,
        over_coordinates(roots[i] ** 2 * variances[i]),
        over_coordinates(widths[i] * roots[i]) ** 2 / rho,
        LinearSum(),
        where=OPTIMAL,
    ),
    Identity(
        "box, closed form: the loss meets the Lagrangian bound, any d",
        SECTION,
        over_coordinates(roots[i] ** 2 * variances[i]),
        over_coordinates(2 * multiplier * widths[i] * roots[i]) - multiplier**2 * rho,
        LinearSum(),
        where=OPTIMAL,
    ),
    *(cauchy_for_box(size) for size in (2, 3)),
)

# A sum over records: T is the total of the other n - 1 records, and the size n is public.
total, first, second = symbols("T x y", real=True)
count = Symbol("n", positive=True)

LINEAR = (
    Identity(
        "mean of n records: the shift of a replacement",
        SECTION,
        (total + first) / count - (total + second) / count,
        (first - second) / count,
        Cancel(),
    ),
)

IDENTITIES = (*CONVEXITY, *BALL, *BOX, *LINEAR)
