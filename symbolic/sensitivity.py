"""How far one record moves the ideal denoiser: the deletion formula and the two-record theorem."""

from __future__ import annotations

from sympy import Add, Expr, IndexedBase, Integer, Sum, Symbol, symbols

from symbolic.identity import (
    Cancel,
    Identity,
    LinearSum,
    NonnegativeForm,
    Relation,
)

w_k, w_i, w_x, w_y, S = symbols("w_k w_i w_x w_y S", positive=True)
rest = Symbol("rest", nonnegative=True)
T, x_k, x_i, x, y, m, m_minus = symbols("T x_k x_i x y m m_minus", real=True)
r_k, r_i, c_i = symbols("r_k r_i c_i", positive=True)

# The other records are indexed 1..n; a dataset has n + 1 records, and n is arbitrary.
n = Symbol("n", integer=True, positive=True)
i = Symbol("i", integer=True, positive=True)
weights, values, others = (
    IndexedBase("r", positive=True),
    IndexedBase("x", real=True),
    IndexedBase("e", nonnegative=True),
)
some_others = IndexedBase("e", positive=True)


def over_others(summand: Expr) -> Expr:
    """Return the sum over the records other than k."""
    return Sum(summand, (i, 1, n))


NORMALISED = ((m, r_k * x_k + over_others(weights[i] * values[i])), (r_k, 1 - over_others(weights[i])))
COEFFICIENT = weights[i] * (weights[i] + r_k) / (1 - r_k)

# One dataset: the weight of record k, the total weight S and the weighted value T of all others.
ONE_AGAINST_OTHERS = ((m, (w_k * x_k + T) / (w_k + S)), (m_minus, T / S), (r_k, w_k / (w_k + S)))

DELETION = (
    Identity(
        "deletion formula",
        "paper section III-A",
        m - m_minus,
        r_k * (x_k - m_minus),
        Cancel(),
        where=ONE_AGAINST_OTHERS,
    ),
    Identity(
        "deletion formula, second form",
        "paper section III-A",
        r_k * (x_k - m_minus),
        r_k / (1 - r_k) * (x_k - m),
        Cancel(),
        where=ONE_AGAINST_OTHERS,
    ),
    Identity(
        "deviation from the mean as a sum over the others",
        "paper section III-C",
        x_k - m,
        over_others(weights[i] * (x_k - values[i])),
        LinearSum(),
        where=NORMALISED,
    ),
    Identity(
        "deletion in a dataset of two records is t_g",
        "paper section III-C",
        (w_x * x + w_y * y) / (w_x + w_y) - y,
        w_x / (w_x + w_y) * (x - y),
        Cancel(),
    ),
)

TWO_RECORDS = (
    Identity(
        "one term of the two-record decomposition",
        "paper section III-C",
        r_i * r_k / (1 - r_k) * (x_k - x_i),
        c_i * w_k / (w_k + w_i) * (x_k - x_i),
        Cancel(),
        where=(
            (c_i, r_i * (r_i + r_k) / (1 - r_k)),
            (r_i, w_i / (w_k + w_i + rest)),
            (r_k, w_k / (w_k + w_i + rest)),
        ),
    ),
    Identity(
        "two-record decomposition, any number of records",
        "paper section III-C",
        r_k / (1 - r_k) * (x_k - m),
        over_others(COEFFICIENT * r_k / (r_k + weights[i]) * (x_k - values[i])),
        LinearSum(),
        where=NORMALISED,
    ),
    Identity(
        "what the coefficients leave, any number of records",
        "theory.md section 2",
        1 - over_others(COEFFICIENT),
        over_others(weights[i] * (1 - r_k - weights[i])) / (1 - r_k),
        LinearSum(),
        where=NORMALISED,
    ),
    Identity(
        "coefficients sum to at most 1, any number of records",
        "theory.md section 2",
        Integer(1),
        over_others(COEFFICIENT),
        NonnegativeForm(over_others(weights[i] * others[i]) / (1 - r_k)),
        Relation.AT_LEAST,
        where=NORMALISED,
        assuming=((others[i], 1 - r_k - weights[i]),),
    ),
    Identity(
        "coefficients sum to less than 1 when every other record has company",
        "theory.md section 2",
        Integer(1),
        over_others(COEFFICIENT),
        NonnegativeForm(over_others(weights[i] * some_others[i]) / (1 - r_k)),
        Relation.GREATER,
        where=NORMALISED,
        assuming=((some_others[i], 1 - r_k - weights[i]),),
    ),
    Identity(
        "the coefficient is 1 for two records",
        "theory.md section 2",
        r_i * (r_i + r_k) / (1 - r_k),
        Integer(1),
        Cancel(),
        where=((r_i, w_i / (w_k + w_i)), (r_k, w_k / (w_k + w_i))),
    ),
)


def two_record_instance(size: int) -> tuple[Identity, ...]:
    """Return the decomposition and the coefficient sum for a dataset of ``size`` records, in weights and values."""
    weight = symbols(f"w1:{size + 1}", positive=True)
    value = symbols(f"x1:{size + 1}", real=True)
    total = Add(*weight)
    mean = Add(*(a * b for a, b in zip(weight, value, strict=True))) / total
    first = weight[0] / total
    coefficients = [a / total * (a + weight[0]) / total / (1 - first) for a in weight[1:]]
    shifts = [weight[0] / (weight[0] + a) * (value[0] - b) for a, b in zip(weight[1:], value[1:], strict=True)]
    decomposition = Identity(
        f"two-record decomposition, {size} records",
        "paper section III-C",
        first / (1 - first) * (value[0] - mean),
        Add(*(c * t for c, t in zip(coefficients, shifts, strict=True))),
        Cancel(),
    )
    if size == 2:
        return (decomposition,)
    strict = Identity(
        f"coefficients sum to less than 1, {size} records",
        "theory.md section 2",
        Integer(1),
        Add(*coefficients),
        NonnegativeForm(),
        Relation.GREATER,
    )
    return (decomposition, strict)


INSTANCES = tuple(identity for size in range(2, 7) for identity in two_record_instance(size))

IDENTITIES = (*DELETION, *TWO_RECORDS, *INSTANCES)
