"""The precision form: compact dual blocks, the congruence behind the compact certificate, the tr(M^1/2) dual."""

from __future__ import annotations

from sympy import Expr, ImmutableMatrix, Integer, sqrt, symbols

from symbolic.identity import Cancel, Expand, Identity, MatrixEntries, NonnegativeForm, Relation, WordRewriting
from symbolic.words import Blocks, identity_matrix, letter, letter_of, number, zero

FORM = "theory.md section 4"
CERTIFICATE = "theory.md section 5"
RANK_ONE = "theory.md section 6"

eta, rho, scale, total, loss = symbols("eta rho t tau q", positive=True)

# Sigma and P are independent unless a rule says that they are inverse; mu and s carry the index j.
Sigma, P, W, H, M = (letter(name, symmetric=True) for name in ("Sigma", "P", "W", "H", "M"))
s = letter("s", "d", "1", indexed=True)
mu = letter("mu", "1", "1", symmetric=True, indexed=True)
one, I = number(1), identity_matrix()  # noqa: E741 the paper's letter
F = Blocks(((Sigma, s), (s.T, number(rho))))
FACTOR = Blocks(((P * s,), (-one,)))
Z = Blocks(((P * s * mu * s.T * P, -(P * s * mu)), (-(mu * s.T * P), mu)))
PENALTIES = (letter_of(M), (s * mu * s.T).total())

COMPACT = (
    Identity(
        "compact dual block Z is a Gram matrix times a multiplier, any d",
        FORM,
        Z,
        FACTOR * Blocks(((mu,),)) * FACTOR.T,
        WordRewriting(),
    ),
    Identity(
        "H = W - P M P completes the equation for W, any d and J",
        FORM,
        (P * s * mu * s.T * P).total() + (W - P * M * P),
        W,
        WordRewriting(definitions=(PENALTIES,)),
    ),
    Identity(
        "compact dual value, any d and J",
        FORM,
        H.trace().scale(eta) - ((-(P * s * mu)).T * s).scale(2).total() - mu.scale(rho).total(),
        H.trace().scale(eta) + (mu * ((s.T * P * s).scale(2) - number(rho))).total(),
        WordRewriting(),
    ),
    Identity(
        "compact gap formula, any d and J",
        FORM,
        (W * Sigma).trace() - H.trace().scale(eta) - (mu * ((s.T * P * s).scale(2) - number(rho))).total(),
        (H * (Sigma - I.scale(eta))).trace() + (Z * F).trace().total(),
        WordRewriting(definitions=((letter_of(H), W - P * M * P), PENALTIES)),
    ),
    Identity(
        "compact slackness as a quadratic form, any d",
        FORM,
        FACTOR.T * F * FACTOR,
        Blocks(((s.T * (P * Sigma * P - P) * s + (number(rho) - s.T * P * s),),)),
        WordRewriting(),
    ),
)

# Q is the inverse of P and K the inverse of Sigma; R is a square root of P with inverse R_inv.
Q, K, R, R_inv = (letter(name, symmetric=True) for name in ("Q", "K", "R", "R_inv"))
COUPLED = Blocks(((Sigma, I), (I, P)))
ELIMINATION = Blocks(((P, zero()), (-I, I)))
TEST_VECTOR = Blocks(((-(K * s),), (s,)))
ROOT = ((letter_of(R), letter_of(R_inv)),)

CONGRUENCE = (
    Identity(
        "E = P Sigma P - P is Sigma - P^-1 under congruence, any d",
        CERTIFICATE,
        P * Sigma * P - P,
        P * (Sigma - Q) * P,
        WordRewriting(inverses=((letter_of(P), letter_of(Q)),)),
    ),
    Identity(
        "[Sigma I; I P] is E and P under congruence, any d",
        CERTIFICATE,
        ELIMINATION.T * COUPLED * ELIMINATION,
        Blocks(((P * Sigma * P - P, zero()), (zero(), P))),
        WordRewriting(),
    ),
    Identity(
        "s^T P s exceeds s^T Sigma^-1 s by a quadratic form of [Sigma I; I P], any d",
        CERTIFICATE,
        Blocks(((s.T * P * s - s.T * K * s,),)),
        TEST_VECTOR.T * COUPLED * TEST_VECTOR,
        WordRewriting(inverses=((letter_of(Sigma), letter_of(K)),)),
    ),
    Identity(
        "the same excess from Sigma - P^-1, any d",
        CERTIFICATE,
        P - K,
        K * ((Sigma - Q) * P * (Sigma - Q) + (Sigma - Q)) * K,
        WordRewriting(inverses=((letter_of(Sigma), letter_of(K)), (letter_of(P), letter_of(Q)))),
    ),
    Identity(
        "noise floor on the precision side, any d",
        FORM,
        (R * (Sigma - I.scale(eta)) * R).scale(1 / eta),
        I.scale(1 / eta) - P,
        WordRewriting(inverses=ROOT, definitions=((letter_of(P), R * R), (letter_of(Sigma), R_inv * R_inv))),
    ),
)

# R is the square root of W, N that of R M R, X = R Sigma R; each with its inverse.
N, N_inv, X, X_inv = (letter(name, symmetric=True) for name in ("N", "N_inv", "X", "X_inv"))
ROOTS = (*ROOT, (letter_of(N), letter_of(N_inv)), (letter_of(X), letter_of(X_inv)))
OF_ROOTS = ((letter_of(W), R * R), (letter_of(M), R_inv * N * N * R_inv))
BEST = ((letter_of(P), R * N_inv * R), (letter_of(Sigma), R_inv * N * R_inv))
ANY = ((letter_of(Sigma), R_inv * X * R_inv), (letter_of(K), R * X_inv * R))

FIDELITY = (
    Identity(
        "the geometric mean of M^-1 and W leaves H = 0, any d",
        CERTIFICATE,
        W - P * M * P,
        zero(),
        WordRewriting(inverses=ROOTS, definitions=(*OF_ROOTS, *BEST)),
    ),
    Identity(
        "its covariance is its inverse, any d",
        CERTIFICATE,
        Sigma * P,
        I,
        WordRewriting(inverses=ROOTS, definitions=BEST),
    ),
    Identity(
        "its loss is tr N, any d",
        FORM,
        (W * Sigma).trace(),
        N.trace(),
        WordRewriting(inverses=ROOTS, definitions=(*OF_ROOTS, *BEST)),
    ),
    Identity(
        "its weighted constraint is tr N, any d",
        FORM,
        (M * P).trace(),
        N.trace(),
        WordRewriting(inverses=ROOTS, definitions=(*OF_ROOTS, *BEST)),
    ),
    Identity(
        "every other covariance is worse by a Gram trace, any d",
        FORM,
        (W * Sigma).trace() + (M * K).trace().scale(scale**2) - N.trace().scale(2 * scale),
        ((X - N.scale(scale)) * X_inv * (X - N.scale(scale))).trace(),
        WordRewriting(inverses=ROOTS, definitions=(*OF_ROOTS, *ANY)),
    ),
    Identity(
        "the weighted constraints add up to tr(M Sigma^-1), any d and J",
        FORM,
        (mu * (number(rho) - s.T * K * s)).total(),
        mu.scale(rho).total() - (M * K).trace(),
        WordRewriting(definitions=(PENALTIES,)),
    ),
    Identity(
        "the best scale of the multipliers gives (tr N)^2 / rho",
        FORM,
        total**2 / rho,
        2 * scale * total - rho * scale**2,
        NonnegativeForm((rho * scale - total) ** 2 / rho),
        Relation.AT_LEAST,
    ),
)

# Coordinates. N is positive definite with determinant delta, X = L L^T, and K = N^2 stands for W^1/2 M W^1/2.
p, q_diagonal, k_first, delta, weight, variance = symbols("p q k11 delta w v", positive=True)
skew, k_mixed, n_mixed, shift = symbols("l k12 n12 s", real=True)
n_first, n_last = symbols("n11 n22", positive=True)
slack = symbols("slack", nonnegative=True)
k_last = (delta**2 + k_mixed**2) / k_first
SQUARE = ImmutableMatrix([[k_first, k_mixed], [k_mixed, k_last]])
LOWER = ImmutableMatrix([[p, 0], [skew, q_diagonal]])
LOWER_INVERSE = ImmutableMatrix([[1 / p, 0], [-skew / (p * q_diagonal), 1 / q_diagonal]])
GRAM = LOWER * LOWER.T
ROOT_MATRIX = ImmutableMatrix([[n_first, n_mixed], [n_mixed, n_last]])


def gram_excess() -> tuple[Expr, Expr]:
    """Return tr X + tr(N^2 X^-1) - 2 tr N for 2 x 2 matrices, and the sum of squares that it is."""
    inverse = LOWER_INVERSE.T * LOWER_INVERSE
    excess = GRAM.trace() + (ROOT_MATRIX**2 * inverse).trace() - 2 * ROOT_MATRIX.trace()
    residual = LOWER_INVERSE * (GRAM - ROOT_MATRIX)
    return excess, sum((entry**2 for entry in residual), Integer(0))


SMALL = (
    Identity(
        "tr(M^1/2) dual, d = 1: no variance does better",
        FORM,
        weight * variance,
        weight * shift**2 / rho,
        NonnegativeForm(weight * slack / rho),
        Relation.AT_LEAST,
        where=((variance, (shift**2 + slack) / rho),),
    ),
    Identity(
        "square root of a 2 x 2 matrix by Cayley and Hamilton",
        FORM,
        (SQUARE + delta * ImmutableMatrix.eye(2)) ** 2,
        (SQUARE.trace() + 2 * delta) * SQUARE,
        MatrixEntries(Cancel()),
    ),
    Identity(
        "(tr N)^2 from trace and determinant, d = 2",
        FORM,
        ROOT_MATRIX.trace() ** 2,
        (ROOT_MATRIX**2).trace() + 2 * ROOT_MATRIX.det(),
        Expand(),
    ),
    Identity(
        "the determinant of N is the root of that of N^2, d = 2",
        FORM,
        (ROOT_MATRIX**2).det(),
        ROOT_MATRIX.det() ** 2,
        Expand(),
    ),
    Identity(
        "tr(M^1/2) dual, d = 2: no covariance does better",
        FORM,
        gram_excess()[0],
        Integer(0),
        NonnegativeForm(gram_excess()[1]),
        Relation.AT_LEAST,
    ),
)

# One vector s, written as W^-1/2 e times the root of q = s^T W s, with e of length 1.
e = letter("e", "d", "1")
ALONG = letter("s", "d", "1")
ONE_VECTOR = (
    (letter_of(W), R * R),
    (letter_of(ALONG), (R_inv * e).scale(sqrt(loss))),
)
UNIT = (*ROOT, (letter_of(e).transpose(), letter_of(e)))
DIRECTION = Blocks((((R * e),), (number(-sqrt(loss) / rho),)))
SINGULAR = (ALONG * ALONG.T).scale(1 / rho)

SINGLE = (
    Identity(
        "one direction: the singular covariance s s^T / rho is feasible, any d",
        RANK_ONE,
        Blocks(((SINGULAR, ALONG), (ALONG.T, number(rho)))),
        (Blocks(((ALONG,), (number(rho),))) * Blocks(((number(1 / rho),),))) * Blocks(((ALONG.T, number(rho)),)),
        WordRewriting(),
    ),
    Identity(
        "one direction: its loss is s^T W s / rho, any d",
        RANK_ONE,
        (W * SINGULAR).trace(),
        (ALONG.T * W * ALONG).scale(1 / rho),
        WordRewriting(),
    ),
    Identity(
        "one direction: a dual block of rank one, any d",
        RANK_ONE,
        Blocks(
            (
                ((W * ALONG * ALONG.T * W).scale(1 / loss), (W * ALONG).scale(-1 / rho)),
                ((ALONG.T * W).scale(-1 / rho), number(loss / rho**2)),
            )
        ),
        DIRECTION * DIRECTION.T,
        WordRewriting(inverses=UNIT, definitions=ONE_VECTOR),
    ),
    Identity(
        "one direction: H is W under a projection, any d",
        RANK_ONE,
        W - (W * ALONG * ALONG.T * W).scale(1 / loss),
        (R * (I - e * e.T)) * (R * (I - e * e.T)).T,
        WordRewriting(inverses=UNIT, definitions=ONE_VECTOR),
    ),
    Identity(
        "one direction: the dual value meets the loss, any d",
        RANK_ONE,
        ((ALONG.T * W * ALONG).scale(2 / rho)) - number(loss / rho),
        (ALONG.T * W * ALONG).scale(1 / rho),
        WordRewriting(inverses=UNIT, definitions=ONE_VECTOR),
    ),
)

IDENTITIES = (*COMPACT, *CONGRUENCE, *FIDELITY, *SMALL, *SINGLE)
