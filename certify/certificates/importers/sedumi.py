"""SeDuMi .mat files: ``min c'x, A x = b, x in K``, which is side (P) as it stands, with X = x."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp
from flint import fmpq
from scipy.io.matlab import MatReadError

from certify.certificates.conic.given import GivenPoint
from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.points import block_part
from certify.certificates.importers.raw import Imported
from certify.certificates.importers.standard import ImportFailed, matrix_coefficients, require_finite, row_count
from certify.checker.conic.cones import Cone, Free, Nonnegative, PositiveSemidefinite, Rotated, SecondOrder
from certify.checker.conic.problem import Block, ConicProblem, SourceValue, block, row_vector
from certify.checker.domains import Reading
from certify.checker.exact import binary64_fraction
from certify.solvers.conic.arrays import FloatArray

_KNOWN = {"f", "l", "q", "r", "s"}


def read_sedumi(path: Path, convention: Convention) -> Imported:
    """Return the program in a SeDuMi .mat file (version 7 or older), with the solution it holds, if any.

    Args:
        path: The file, with ``A`` or ``At``, ``b``, ``c``, ``K`` and perhaps ``x`` and ``y``.
        convention: How PSD blocks are laid out; SeDuMi itself means full.

    Raises:
        ImportFailed: If the file is no such program, holds complex data or a matrix that is not symmetric.
    """
    try:
        content: Mapping[str, Any] = scipy.io.loadmat(path, simplify_cells=True)
    except (MatReadError, ValueError, NotImplementedError, TypeError, OSError, zlib.error) as error:
        raise ImportFailed(f"{path.name} is no .mat file of version 7 or older: {error}") from None
    return import_sedumi(content, convention)


def import_sedumi(content: Mapping[str, Any], convention: Convention) -> Imported:
    """Return the program in the variables of a SeDuMi problem; see ``read_sedumi``."""
    missing = [name for name in ("b", "c", "K") if name not in content]
    if missing or not {"A", "At"} & set(content):
        raise ImportFailed(f"there is no variable {(missing or ['A or At'])[0]}; SeDuMi problems have A, b, c and K")
    right, cost = _dense(content["b"]), _dense(content["c"])
    matrix = _constraints(content, len(right), len(cost))
    cones = _cones(content["K"])
    if sum(row_count(cone, convention) for cone in cones) != len(cost):
        raise ImportFailed(f"K takes other than the {len(cost)} entries of c")
    require_finite(matrix.data, right, cost)
    joined = sp.csc_matrix(sp.vstack([sp.csr_matrix(cost[None, :]), matrix]))
    blocks = tuple(_blocks(cones, joined, convention))
    rhs = row_vector([binary64_fraction(float(value)) for value in right])
    problem = ConicProblem(Reading.BINARY64, SourceValue.SAME, blocks, rhs, fmpq(0))
    return Imported(problem, _point(content, cones, convention))


def _blocks(cones: list[Cone], joined: sp.csc_matrix, convention: Convention) -> Iterator[Block]:
    start = 0
    for index, cone in enumerate(cones, 1):
        stop = start + row_count(cone, convention)
        part = sp.coo_matrix(joined[:, start:stop].T)
        start = stop
        if isinstance(cone, PositiveSemidefinite):
            yield block(cone, matrix_coefficients(cone.size, part, convention, index))
        else:
            entries = zip(part.col.tolist(), part.row.tolist(), part.data.tolist(), strict=True)
            yield block(cone, [(k, i, i, binary64_fraction(value)) for k, i, value in entries])


def _constraints(content: Mapping[str, Any], count: int, width: int) -> sp.csc_matrix:
    name = "A" if "A" in content else "At"
    matrix = sp.csc_matrix(np.atleast_2d(content[name]) if not sp.issparse(content[name]) else content[name])
    if np.iscomplexobj(matrix.data):
        raise ImportFailed(f"{name} is complex; state the real embedding with coefficients halved")
    if name == "At" and matrix.shape != (count, width):
        matrix = sp.csc_matrix(matrix.T)
    if matrix.shape == (width, count) != (count, width):
        matrix = sp.csc_matrix(matrix.T)
    if matrix.shape != (count, width):
        raise ImportFailed(f"{name} has shape {matrix.shape} where b and c ask for {(count, width)}")
    return matrix.astype(float)


def _cones(sizes: Mapping[str, Any]) -> list[Cone]:
    used = {name for name, value in sizes.items() if np.asarray(value).size and np.any(np.asarray(value))}
    unknown = sorted(used - _KNOWN)
    if unknown:
        raise ImportFailed(f"K.{unknown[0]} is not supported; state the real embedding with coefficients halved")
    found: list[Cone] = [Free(size) for size in _sizes(sizes.get("f"))[:1]]
    found += [Nonnegative(size) for size in _sizes(sizes.get("l"))[:1]]
    found += [SecondOrder(size) for size in _sizes(sizes.get("q"))]
    found += [Rotated(size) for size in _sizes(sizes.get("r"))]
    return [*found, *(PositiveSemidefinite(size) for size in _sizes(sizes.get("s")))]


def _sizes(value: Any) -> list[int]:
    return [] if value is None else [int(size) for size in np.atleast_1d(np.asarray(value)).ravel() if size]


def _point(content: Mapping[str, Any], cones: list[Cone], convention: Convention) -> GivenPoint:
    x = y = None
    if "x" in content and np.asarray(_dense(content["x"])).size:
        values, parts, start = _dense(content["x"]), [], 0
        if len(values) != sum(row_count(cone, convention) for cone in cones):
            raise ImportFailed(f"x has {len(values)} entries, other than c")
        for cone in cones:
            stop = start + row_count(cone, convention)
            parts.append(block_part(cone, values[start:stop], convention))
            start = stop
        x = tuple(parts)
    if "y" in content and _dense(content["y"]).size:
        y = row_vector([binary64_fraction(float(value)) for value in _dense(content["y"])])
    return GivenPoint(x, y)


def _dense(value: Any) -> FloatArray:
    dense = value.toarray() if sp.issparse(value) else value
    if np.iscomplexobj(dense):
        raise ImportFailed("the data are complex; state the real embedding with coefficients halved")
    return np.array(dense, dtype=float).ravel()
