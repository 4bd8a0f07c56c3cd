"""Replacing a record: the three-record theorem, case by case, for one direction c and values v = c . x.

Record x (weight w, value a) is replaced by x' (weight w', value a'); the rest V has total weight S >= w_y and weighted
value T, where y is the record of V with the extreme value v_y. The shift in direction c is f(S, T), and every case of
the proof bounds it by the shift of a three-record dataset. In the sign-constrained form, w' >= w reads w' = w + gain,
S >= w_y reads S = w_y + rest, T <= S v_y reads T = S v_y - loss.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Sum, symbols

from symbolic.identity import Cancel, Identity, NonnegativeForm, Relation

SECTION = "theory.md section 2"

w, w_y, S_total, w_new = symbols("w w_y S w'", positive=True)
gain, rest, loss, b_up, b_down = symbols("gain rest loss b_up b_down", nonnegative=True)
T, a, a_new, v_y, b, b_new = symbols("T a a' v_y b b'", real=True)
x, x_new, z, m, m_new = symbols("x x' z m m'", real=True)
w_z = symbols("w_z", positive=True)

# The records of the rest, for the weighted value T = sum of weights times values.
n, i = symbols("n i", integer=True, positive=True)
weights, values, below = (
    IndexedBase("w", positive=True),
    IndexedBase("v", real=True),
    IndexedBase("d", nonnegative=True),
)


def shift(weighted_value: Expr) -> Expr:
    """Return f: the shift when x' takes the place of x, given the weighted value T of the rest."""
    return (w * a + weighted_value) / (w + S_total) - (w_new * a_new + weighted_value) / (w_new + S_total)


def pair_mean(weight: Expr, value: Expr) -> Expr:
    """Return the mean of {y, x} in direction c."""
    return (w_y * v_y + weight * value) / (w_y + weight)


REDUCED = w * b / (w + S_total) - w_new * b_new / (w_new + S_total)
RELATIVE = ((b, a - v_y), (b_new, a_new - v_y))
AT_LEAST_Y = (S_total, w_y + rest)

REDUCTION = (
    Identity(
        "the rest weighs at most what it would weigh at y, any number of records",
        SECTION,
        v_y * Sum(weights[i], (i, 1, n)),
        Sum(weights[i] * values[i], (i, 1, n)),
        NonnegativeForm(Sum(weights[i] * below[i], (i, 1, n))),
        Relation.AT_LEAST,
        where=((values[i], v_y - below[i]),),
    ),
    Identity(
        "the shift grows with the weighted value of the rest when w' >= w",
        SECTION,
        shift(S_total * v_y),
        shift(T),
        NonnegativeForm(loss * gain / ((w + S_total) * (w + gain + S_total))),
        Relation.AT_LEAST,
        where=((w_new, w + gain), (T, S_total * v_y - loss)),
    ),
    Identity("all value at y: the reduced shift", SECTION, shift(S_total * v_y), REDUCED, Cancel(), where=RELATIVE),
    Identity(
        "the reduced shift at S = w_y is the three-record shift",
        SECTION,
        w * b / (w + w_y) - w_new * b_new / (w_new + w_y),
        pair_mean(w, a) - pair_mean(w_new, a_new),
        Cancel(),
        where=RELATIVE,
    ),
)

SWAP = {w: w_new, w_new: w, a: -a_new, a_new: -a}

CASES = (
    Identity(
        "case b >= 0 >= b': at most the three-record shift",
        SECTION,
        w * b / (w + w_y) - w_new * b_new / (w_new + w_y),
        REDUCED,
        NonnegativeForm(
            w * b_up * rest / ((w + w_y) * (w + w_y + rest))
            + w_new * b_down * rest / ((w_new + w_y) * (w_new + w_y + rest))
        ),
        Relation.AT_LEAST,
        where=((b, b_up), (b_new, -b_down), AT_LEAST_Y),
    ),
    Identity(
        "case b, b' >= 0: at most t(x, y)",
        SECTION,
        w * b / (w + w_y),
        REDUCED,
        NonnegativeForm(w * b_up * rest / ((w + w_y) * (w + w_y + rest)) + w_new * b_down / (w_new + w_y + rest)),
        Relation.AT_LEAST,
        where=((b, b_up), (b_new, b_down), AT_LEAST_Y),
    ),
    Identity(
        "t(x, y) is a three-record shift",
        SECTION,
        w * b / (w + w_y),
        pair_mean(w, a) - pair_mean(w_y, v_y),
        Cancel(),
        where=RELATIVE,
    ),
    Identity(
        "case b, b' <= 0: at most -t(x', y)",
        SECTION,
        -w_new * b_new / (w_new + w_y),
        REDUCED,
        NonnegativeForm(w_new * b_down * rest / ((w_new + w_y) * (w_new + w_y + rest)) + w * b_up / (w + w_y + rest)),
        Relation.AT_LEAST,
        where=((b, -b_up), (b_new, -b_down), AT_LEAST_Y),
    ),
    Identity(
        "-t(x', y) is a three-record shift",
        SECTION,
        -w_new * b_new / (w_new + w_y),
        pair_mean(w_y, v_y) - pair_mean(w_new, a_new),
        Cancel(),
        where=RELATIVE,
    ),
    Identity(
        "case b <= 0 <= b': at most 0",
        SECTION,
        Integer(0),
        REDUCED,
        NonnegativeForm(w * b_up / (w + S_total) + w_new * b_down / (w_new + S_total)),
        Relation.AT_LEAST,
        where=((b, -b_up), (b_new, b_down)),
    ),
    Identity(
        "case w' <= w is the case w' >= w with x and x' exchanged and c reversed",
        SECTION,
        shift(T),
        shift(-T).xreplace(SWAP),
        Cancel(),
    ),
)

DECOMPOSITION = (
    Identity(
        "u is a sum of two t",
        "paper section III-B",
        (w_z * z + w * x) / (w_z + w) - (w_z * z + w_new * x_new) / (w_z + w_new),
        w / (w + w_z) * (x - z) - w_new / (w_new + w_z) * (x_new - z),
        Cancel(),
    ),
    Identity(
        "replacement is a deletion and an addition, any rest",
        "paper section III-B",
        shift(T),
        w / S_total * (a - m) - w_new / S_total * (a_new - m_new),
        Cancel(),
        where=((m, (w * a + T) / (w + S_total)), (m_new, (w_new * a_new + T) / (w_new + S_total))),
    ),
    Identity(
        "fixed query of a binary domain, z = x",
        "theory.md section 6",
        (w * x + w * x) / (w + w) - (w * x + w_new * x_new) / (w + w_new),
        w_new / (w + w_new) * (x - x_new),
        Cancel(),
    ),
    Identity(
        "fixed query of a binary domain, z = y",
        "theory.md section 6",
        (w_new * x_new + w * x) / (w + w_new) - (w_new * x_new + w_new * x_new) / (w_new + w_new),
        w / (w + w_new) * (x - x_new),
        Cancel(),
    ),
)

IDENTITIES = (*REDUCTION, *CASES, *DECOMPOSITION)
