"""The covariance program: gap formula, complementary slackness, Schur complement, support of the optimum.

Matrices of every size d and any number J of sensitivity vectors by words; entry by entry for d = 1, 2, 3.
"""

from __future__ import annotations

from sympy import Add, Expr, ImmutableMatrix, Rational, Symbol, symbols

from symbolic.identity import Expand, Identity, MatrixEntries, WordRewriting
from symbolic.words import Blocks, identity_matrix, letter, letter_of, number, zero

PRIMAL = "theory.md section 4"
PAPER = "paper section V"
DIMENSIONS = (1, 2, 3)

eta, rho = symbols("eta rho", nonnegative=True)


def symmetric(name: str, size: int) -> ImmutableMatrix:
    """Return a symmetric matrix of real symbols."""
    return ImmutableMatrix(size, size, lambda i, j: Symbol(f"{name}_{min(i, j) + 1}{max(i, j) + 1}", real=True))


def column(name: str, size: int) -> ImmutableMatrix:
    """Return a column of real symbols."""
    return ImmutableMatrix(symbols(f"{name}_1:{size + 1}", real=True))


def inner(first: ImmutableMatrix, second: ImmutableMatrix) -> Expr:
    """Return the trace inner product."""
    return (first.T * second).trace()


def bordered(matrix: ImmutableMatrix, vector: ImmutableMatrix, corner: Expr) -> ImmutableMatrix:
    """Return [matrix vector; vector^T corner]."""
    return ImmutableMatrix([[matrix, vector], [vector.T, ImmutableMatrix([[corner]])]])


def gap_identity(size: int) -> Identity:
    """Return the gap formula in coordinates, for J = 2 sensitivity vectors."""
    sigma, floor_multiplier = symmetric("Sigma", size), symmetric("H", size)
    blocks = [symmetric(f"A{j}", size) for j in (1, 2)]
    borders = [column(f"b{j}", size) for j in (1, 2)]
    corners = symbols("gamma_1 gamma_2", real=True)
    vectors = [column(f"s{j}", size) for j in (1, 2)]
    weight = blocks[0] + blocks[1] + floor_multiplier
    penalties = [2 * b.dot(s) + rho * c for b, s, c in zip(borders, vectors, corners, strict=True)]
    products = [
        inner(bordered(A, b, c), bordered(sigma, s, rho))
        for A, b, c, s in zip(blocks, borders, corners, vectors, strict=True)
    ]
    return Identity(
        f"gap formula, d = {size}, J = 2",
        PAPER,
        inner(weight, sigma) - (eta * floor_multiplier.trace() - Add(*penalties)),
        inner(floor_multiplier, sigma - eta * ImmutableMatrix.eye(size)) + Add(*products),
        Expand(),
    )


def product_identity(size: int) -> Identity:
    """Return the product Z F in coordinates."""
    sigma, A, b, s = symmetric("Sigma", size), symmetric("A", size), column("b", size), column("s", size)
    corner = Symbol("gamma", real=True)
    expected = [[A * sigma + b * s.T, A * s + rho * b], [b.T * sigma + corner * s.T, b.T * s + scalar(corner * rho)]]
    return Identity(
        f"product Z F of complementary slackness, d = {size}",
        PAPER,
        bordered(A, b, corner) * bordered(sigma, s, rho),
        ImmutableMatrix(expected),
        MatrixEntries(Expand()),
    )


def scalar(value: Expr) -> ImmutableMatrix:
    """Return a 1 x 1 matrix."""
    return ImmutableMatrix([[value]])


def determinant_identity(size: int) -> Identity:
    """Return the determinant of F, which is that of Sigma times the Schur complement."""
    sigma, s = symmetric("Sigma", size), column("s", size)
    return Identity(
        f"determinant of F by the Schur complement, d = {size}",
        PRIMAL,
        bordered(sigma, s, rho).det(method="berkowitz"),
        rho * sigma.det(method="berkowitz") - (s.T * sigma.adjugate() * s)[0],
        Expand(),
    )


# Words: A, b, gamma, s carry the index j; Sigma has inverse P.
Sigma, P, W, H = (letter(name, symmetric=True) for name in ("Sigma", "P", "W", "H"))
A = letter("A", symmetric=True, indexed=True)
b, s = letter("b", "d", "1", indexed=True), letter("s", "d", "1", indexed=True)
gamma = letter("gamma", "1", "1", symmetric=True, indexed=True)
I = identity_matrix()  # noqa: E741 the paper's letter
Z = Blocks(((A, b), (b.T, gamma)))
F = Blocks(((Sigma, s), (s.T, number(rho))))
INVERSE = ((letter_of(Sigma), letter_of(P)),)
C, E = letter("C", "k", "d"), letter("E", "d", "l")
x = letter("x", "d", "1")
t, J = symbols("t J", positive=True)

GAP = (
    *(gap_identity(size) for size in DIMENSIONS),
    Identity(
        "gap formula, any d and J",
        PAPER,
        (W * Sigma).trace() - H.trace().scale(eta) + ((b.T * s).scale(2) + gamma.scale(rho)).total(),
        (H * (Sigma - I.scale(eta))).trace() + (Z * F).trace().total(),
        WordRewriting(definitions=((letter_of(W), A.total() + H),)),
    ),
    Identity(
        "the inner product of two PSD matrices is a sum of squares, any d",
        PAPER,
        (C.T * C * E * E.T).trace(),
        ((C * E) * (C * E).T).trace(),
        WordRewriting(),
    ),
    Identity(
        "the strictly feasible dual point meets the equation for W, any d and J",
        PRIMAL,
        W.scale(1 / (2 * J)).scale(J) + W.scale(Rational(1, 2)),
        W,
        WordRewriting(),
    ),
)

SLACKNESS = (
    *(product_identity(size) for size in DIMENSIONS),
    Identity(
        "product Z F of complementary slackness, any d",
        PAPER,
        Z * F,
        Blocks(((A * Sigma + b * s.T, A * s + b.scale(rho)), (b.T * Sigma + gamma * s.T, b.T * s + gamma.scale(rho)))),
        WordRewriting(),
    ),
)

SCHUR = (
    Identity(
        "Schur complement of F, any d",
        PRIMAL,
        F,
        Blocks(((I, zero("d", "1")), (s.T * P, number(1))))
        * Blocks(((Sigma, zero("d", "1")), (zero("1", "d"), number(rho) - s.T * P * s)))
        * Blocks(((I, P * s), (zero("1", "d"), number(1)))),
        WordRewriting(inverses=INVERSE),
    ),
    Identity(
        "quadratic form of F by completing the square, any d",
        PRIMAL,
        x.T * Sigma * x + (s.T * x).scale(2 * t) + number(rho * t**2),
        (x + (P * s).scale(t)).T * Sigma * (x + (P * s).scale(t)) + (number(rho) - s.T * P * s).scale(t**2),
        WordRewriting(inverses=INVERSE),
    ),
    *(determinant_identity(size) for size in DIMENSIONS),
)

# Support: Sigma in blocks of sizes p and q, K the inverse of S22, Q the inverse of the Schur complement D.
S12 = letter("S12", "p", "q")
S22, K = letter("S22", "q", "q", symmetric=True), letter("K", "q", "q", symmetric=True)
D, Q = letter("D", "p", "p", symmetric=True), letter("Q", "p", "p", symmetric=True)
S11 = D + S12 * K * S12.T
s_1 = letter("s1", "p", "1")
WHOLE = Blocks(((S11, S12), (S12.T, S22)))
WHOLE_INVERSE = Blocks(((Q, -(Q * S12 * K)), (-(K * S12.T * Q), K + K * S12.T * Q * S12 * K)))
BORDER = Blocks(((S12,), (S22,)))
SUPPORT_INVERSES = ((letter_of(S22), letter_of(K)), (letter_of(D), letter_of(Q)))
VECTOR = Blocks(((s_1,), (zero("q", "1"),)))

SUPPORT = (
    Identity(
        "what the restriction to the span removes is PSD, any sizes",
        PRIMAL,
        WHOLE - Blocks(((D, zero("p", "q")), (zero("q", "p"), zero("q", "q")))),
        BORDER * Blocks(((K,),)) * BORDER.T,
        WordRewriting(inverses=SUPPORT_INVERSES),
    ),
    Identity(
        "inverse of the covariance by blocks, any sizes",
        PRIMAL,
        WHOLE * WHOLE_INVERSE,
        Blocks(((identity_matrix("p"), zero("p", "q")), (zero("q", "p"), identity_matrix("q")))),
        WordRewriting(inverses=SUPPORT_INVERSES),
    ),
    Identity(
        "the restriction keeps the squared sensitivity, any sizes",
        PRIMAL,
        VECTOR.T * WHOLE_INVERSE * VECTOR,
        Blocks(((s_1.T * Q * s_1,),)),
        WordRewriting(inverses=SUPPORT_INVERSES),
    ),
)

IDENTITIES = (*GAP, *SLACKNESS, *SCHUR, *SUPPORT)
