"""Raw data and solutions of SCS, Clarabel and CVXOPT, and their npz dumps, as neutral programs and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from flint import fmpq

from certify.certificates.conic.given import GivenPoint
from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.points import point_from_rows
from certify.certificates.importers.standard import ImportFailed, StandardProgram, neutral_program
from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    SecondOrder,
    Zero,
)
from certify.checker.conic.problem import ConicProblem
from certify.checker.exact import binary64_fraction


@dataclass(frozen=True, slots=True)
class Imported:
    """A program with a solution of it from elsewhere."""

    problem: ConicProblem
    point: GivenPoint


def import_scs(
    data: Mapping[str, Any], cone: Mapping[str, Any], solution: Mapping[str, Any] | None, convention: Convention
) -> Imported:
    """Return the program in the arrays given to SCS 3, with what it returned.

    Args:
        data: ``A``, ``b``, ``c`` as for ``scs.SCS``; a quadratic ``P`` must be absent or zero.
        cone: The cones as for ``scs.SCS``: z, l, q, s, ep, ed, p.
        solution: Its ``x``, ``y`` and ``s``, or None.
        convention: How PSD rows are laid out; SCS itself means lower-sqrt2.

    Raises:
        ImportFailed: If the data are no conic program of these cones.
    """
    _require_linear(data.get("P"))
    return _imported(_program(data, cones_of_sizes(cone), convention), solution, ("x", "y", "s"))


def import_clarabel(data: Mapping[str, Any], cones: Sequence[Any], solution: Any, convention: Convention) -> Imported:
    """Return the program in the arrays given to Clarabel, with what it returned.

    Args:
        data: ``P``, ``q``, ``A``, ``b`` as for ``clarabel.DefaultSolver``; P must be zero.
        cones: Its cones, in the order of the rows.
        solution: Its solution with ``x``, ``z`` and ``s``, or None.
        convention: How PSD rows are laid out; Clarabel itself means upper-sqrt2.

    Raises:
        ImportFailed: If the data are no conic program of these cones.
    """
    _require_linear(data.get("P"))
    arrays = {"A": data["A"], "b": data["b"], "c": data["q"]}
    values = None if solution is None else {name: getattr(solution, name) for name in ("x", "z", "s")}
    return _imported(_program(arrays, tuple(map(_clarabel_cone, cones)), convention), values, ("x", "z", "s"))


def import_cvxopt(
    data: Mapping[str, Any], dims: Mapping[str, Any], solution: Mapping[str, Any] | None, convention: Convention
) -> Imported:
    """Return the program in the arrays given to CVXOPT's conelp, with what it returned.

    Args:
        data: ``c``, ``G``, ``h`` and, where there are equations, ``A`` and ``b``.
        dims: ``l``, ``q``, ``s``.
        solution: Its ``x``, ``z``, ``s`` and, with equations, ``y``, or None.
        convention: How PSD rows are laid out; CVXOPT itself means full, of which it reads the lower triangle only, so
            that a matrix that is not symmetric is refused.

    Raises:
        ImportFailed: If the data are no conic program of these cones.
    """
    equations = _matrix(data["A"]) if data.get("A") is not None else None
    rows = _matrix(data["G"])
    cones = cones_of_sizes({name: dims.get(name) for name in ("l", "q", "s")})
    constant = _vector(data["h"])
    if equations is not None and equations.shape[0]:
        rows = sp.csc_matrix(sp.vstack([equations, rows]))
        constant = np.concatenate([_vector(data["b"]), constant])
        cones = (Zero(equations.shape[0]), *cones)
    program = StandardProgram(rows, constant, _vector(data["c"]), cones, convention)
    values = None if solution is None else _cvxopt_values(solution, len(constant))
    return _imported(program, values, ("x", "z", "s"))


def import_arrays(arrays: Mapping[str, Any], convention: Convention) -> Imported:
    """Return the program in a dump of arrays, such as an npz file opened without pickles.

    Args:
        arrays: ``A`` as ``A_data``, ``A_indices``, ``A_indptr``, ``A_shape`` (compressed columns), or dense as ``A``;
            ``b``, ``c``; the cones as arrays ``z``, ``l``, ``q``, ``s``, ``ep``, ``ed``, ``p``; a solution as ``x``,
            ``y`` (or ``z_sol``) and ``s_sol`` where there is one.
        convention: How PSD rows are laid out.

    Raises:
        ImportFailed: If the arrays are no conic program.
    """
    missing = [name for name in ("b", "c") if name not in arrays]
    if missing:
        raise ImportFailed(f"the dump has no array {missing[0]!r}; it has {', '.join(sorted(arrays))}")
    data = {"A": _dumped_matrix(arrays), "b": arrays["b"], "c": arrays["c"]}
    cones = cones_of_sizes({name: arrays[name] for name in ("z", "l", "q", "s", "ep", "ed", "p") if name in arrays})
    names = ("x", "y" if "y" in arrays else "z_sol", "s_sol")
    return _imported(_program(data, cones, convention), arrays, names)


def _dumped_matrix(arrays: Mapping[str, Any]) -> sp.csc_matrix:
    if "A" in arrays:
        return _matrix(arrays["A"])
    parts = ("A_data", "A_indices", "A_indptr", "A_shape")
    missing = [name for name in parts if name not in arrays]
    if missing:
        raise ImportFailed(f"the dump has neither 'A' nor {missing[0]!r}; it has {', '.join(sorted(arrays))}")
    values, indices, starts, shape = (np.asarray(arrays[name]) for name in parts)
    try:
        return sp.csc_matrix((values, indices, starts), shape=tuple(int(size) for size in shape))
    except ValueError as error:
        raise ImportFailed(f"A_data, A_indices, A_indptr, A_shape make no matrix: {error}") from None


def _imported(program: StandardProgram, values: Mapping[str, Any] | None, names: tuple[str, str, str]) -> Imported:
    problem = neutral_program(program)
    if values is None:
        return Imported(problem, GivenPoint(None, None))
    found = [None if values.get(name) is None else _vector(values[name]) for name in names]
    if found[0] is not None and found[0].shape != (problem.constraint_count,):
        raise ImportFailed(f"x has shape {found[0].shape}; the problem has {problem.constraint_count} variables")
    return Imported(problem, point_from_rows(program.cones, program.convention, *found))


def _program(data: Mapping[str, Any], cones: tuple[Cone, ...], convention: Convention) -> StandardProgram:
    return StandardProgram(_matrix(data["A"]), _vector(data["b"]), _vector(data["c"]), cones, convention)


def _matrix(value: Any) -> sp.csc_matrix:
    if sp.issparse(value):
        return sp.csc_matrix(value, dtype=float)
    if hasattr(value, "CCS"):
        starts, indices, values = (np.array(part).ravel() for part in value.CCS)
        return sp.csc_matrix((values, indices, starts), shape=value.size)
    return sp.csc_matrix(np.atleast_2d(np.array(value, dtype=float)))


def _vector(value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    dense = value.toarray() if sp.issparse(value) else value
    return np.array(dense, dtype=float).ravel()


def _require_linear(quadratic: Any) -> None:
    if quadratic is not None and _matrix(quadratic).count_nonzero():
        raise ImportFailed("the objective has a quadratic part P; state it with a second-order cone instead")


def cones_of_sizes(cone: Mapping[str, Any]) -> tuple[Cone, ...]:
    """Return the cones in the order of SCS, from a dictionary of sizes as SCS takes it.

    Raises:
        ImportFailed: If a cone is not supported.
    """
    unknown = sorted(set(cone) - {"z", "f", "l", "q", "s", "ep", "ed", "p"})
    if unknown:
        raise ImportFailed(f"the cone {unknown[0]!r} is not supported; rewrite it with z, l, q, s, ep, ed, p")
    zero, linear = (_sizes(cone.get(name)) for name in ("z", "l"))
    found: list[Cone] = [Zero(sum(zero))] if sum(zero) else []
    found += [Nonnegative(sum(linear))] if sum(linear) else []
    found += [SecondOrder(size) for size in _sizes(cone.get("q")) if size]
    found += [PositiveSemidefinite(size) for size in _sizes(cone.get("s")) if size]
    found += [Exponential()] * sum(_sizes(cone.get("ep")))
    found += [DualExponential()] * sum(_sizes(cone.get("ed")))
    powers = [] if cone.get("p") is None else np.atleast_1d(np.asarray(cone["p"], dtype=float)).tolist()
    return (*found, *(_power(value) for value in powers))


def _sizes(value: Any) -> list[int]:
    return [] if value is None else [int(size) for size in np.atleast_1d(np.asarray(value)).ravel()]


def _power(value: float) -> Cone:
    alpha: fmpq = binary64_fraction(abs(value))
    return Power(alpha) if value > 0 else DualPower(alpha)


def _clarabel_cone(cone: Any) -> Cone:
    name = type(cone).__name__
    match name:
        case "ZeroConeT":
            return Zero(cone.dim)
        case "NonnegativeConeT":
            return Nonnegative(cone.dim)
        case "SecondOrderConeT":
            return SecondOrder(cone.dim)
        case "PSDTriangleConeT":
            return PositiveSemidefinite(cone.dim)
        case "ExponentialConeT":
            return Exponential()
        case _:
            return _clarabel_power(cone, name)


def _clarabel_power(cone: Any, name: str) -> Cone:
    if name != "PowerConeT":
        raise ImportFailed(f"the cone {name} is not supported; rewrite it with the other cones")
    return Power(binary64_fraction(float(cone.α)))


def _cvxopt_values(solution: Mapping[str, Any], rows: int) -> dict[str, Any]:
    """Return x, z and s with the multipliers of the equations in front; the slack of an equation is zero."""
    z, s = _vector(solution["z"]), _vector(solution["s"])
    extra = rows - len(z)
    y = _vector(solution["y"]) if extra else np.zeros(0)
    return {"x": solution["x"], "z": np.concatenate([y, z]), "s": np.concatenate([np.zeros(extra), s])}
