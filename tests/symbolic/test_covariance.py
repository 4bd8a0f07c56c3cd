"""Complementary slackness: the product Z F as printed in the paper, against the product that holds."""

from __future__ import annotations

import pytest
from sympy import ImmutableMatrix, symbols

from symbolic.covariance import PAPER, A, F, Sigma, Z, b, bordered, gamma, rho, s
from symbolic.identity import Expand, Failed, Identity, MatrixEntries
from symbolic.prove import prove


def test_the_printed_right_column_is_not_even_of_the_right_shape() -> None:
    """Section V prints A_j s_j + b_j s_j^T and b_j^T + gamma_j rho; the factors there are rho and s_j."""
    with pytest.raises(ValueError, match="cannot add d x 1 and d x d"):
        A * s + b * s.T
    with pytest.raises(ValueError, match="cannot add 1 x d and 1 x 1"):
        b.T + gamma.scale(rho)
    assert (Z * F).rows[0][0] == A * Sigma + b * s.T


def test_the_printed_right_column_fails_in_one_dimension() -> None:
    block, border, corner, sigma, shift = (
        ImmutableMatrix([[entry]]) for entry in symbols("A b gamma Sigma s", real=True)
    )
    printed = ImmutableMatrix(
        [
            [block * sigma + border * shift.T, block * shift + border * shift.T],
            [border.T * sigma + corner * shift.T, border.T + corner * rho],
        ]
    )
    product = bordered(block, border, corner[0]) * bordered(sigma, shift, rho)
    result = prove(Identity("as printed", PAPER, product, printed, MatrixEntries(Expand())))
    assert isinstance(result, Failed)
    assert result.residual.startswith("entry (1, 2)")
