"""A PSD form over the box [-1, 1]^n: good vertices in floats, and a certified bound of its maximum."""

from __future__ import annotations

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from certify.certificates.floats import FloatArray, dyadic, to_floats
from certify.checker.exact import Matrix, diagonal, matrix
from certify.checker.psd import quickly_psd

ROUNDS = 2000
SETTLED = 1e-13
STARTS = 64
GRID_BITS = 40


def best_signs(form: FloatArray) -> FloatArray:
    """Return a vertex v in {-1, 1}^n with a large ``v^T form v``: the best of many roundings, each improved.

    The roundings are of unit vectors that maximise ``sum form_ij u_i.u_j``, the relaxation of the same problem.
    """
    vectors = relaxation(form)
    generator = np.random.default_rng(0)
    planes = generator.standard_normal((vectors.shape[1], STARTS))
    starts = np.hstack([np.ones((len(form), 1)), np.sign(vectors @ planes) + (vectors @ planes == 0)])
    improved = [_improve(form, column) for column in starts.T]
    return max(improved, key=lambda signs: float(signs @ form @ signs))


def _improve(form: FloatArray, signs: FloatArray) -> FloatArray:
    """Flip the sign that gains most until none gains."""
    signs = signs.copy()
    for _ in range(10 * len(form)):
        gains = np.diag(form) - signs * (form @ signs)
        index = int(np.argmax(gains))
        if gains[index] <= 1e-12 * abs(form[index, index]):
            break
        signs[index] = -signs[index]
    return signs


def relaxation(form: FloatArray) -> FloatArray:
    """Return unit vectors, n x k, that maximise ``sum form_ij u_i.u_j``, one vector at a time."""
    size = len(form)
    rank = int(np.sqrt(2 * size)) + 2
    vectors = np.random.default_rng(0).standard_normal((size, rank))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    value = -np.inf
    for _ in range(ROUNDS):
        for i in range(size):
            pull = form[i] @ vectors - form[i, i] * vectors[i]
            length = float(np.linalg.norm(pull))
            if length > 0:
                vectors[i] = pull / length
        previous, value = value, float(np.einsum("ij,ij->", form @ vectors, vectors))
        if value - previous <= SETTLED * abs(value):
            break
    return vectors


def box_bound(form: Matrix) -> Matrix | None:
    """Return y, 1 x n, with ``Diag(y) - form`` PSD and a small sum, None where none was found.

    At the optimum of the relaxation ``Diag(y) U = form U`` and y is its dual point; it is lifted until it is feasible
    exactly.
    """
    floats = to_floats(form)
    vectors = relaxation(floats)
    y = np.linalg.norm(floats @ vectors, axis=1)
    short = max(0.0, -float(np.linalg.eigvalsh(np.diag(y) - floats).min()))
    largest = float(np.abs(floats).max())
    for exponent in range(-46, -10, 4):
        lifted = y + short + largest * 2.0**exponent
        bound = _rounded_up(lifted, largest)
        if quickly_psd(diagonal(bound.numerators.entries()).scaled(fmpq(1, bound.denominator)) - form):
            return bound
    return None


def _rounded_up(values: FloatArray, largest: float) -> Matrix:
    """Return the row rounded up to a dyadic grid ``GRID_BITS`` bits below the largest entry of the form."""
    exponent = int(np.frexp(largest)[1]) - GRID_BITS
    integers = [int(np.ceil(value)) for value in np.ldexp(values, -exponent)]
    return matrix(fmpz_mat(1, len(integers), [fmpz(k) for k in integers])).scaled(dyadic(2.0**exponent))
