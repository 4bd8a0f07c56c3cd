"""The file that says what to audit: release, covariance and claims, in TOML, read exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from flint import fmpq

from certify.certificates.audit import AuditTask
from certify.certificates.inverses import asymmetry
from certify.certificates.toml_tables import (
    Node,
    choice,
    items,
    number,
    one_of,
    read_toml,
    row,
    rows,
    table,
    text,
    whole,
)
from certify.checker.claims import ReleasePrivacy
from certify.checker.domains import BallDomain, BoxDomain, Domain, FiniteDomain, SimplexDomain
from certify.checker.exact import Matrix, diagonal, identity
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.queries import (
    DiffusionQuery,
    FixedQuery,
    PointQuery,
    Query,
    QueryBall,
    QueryBox,
    QueryList,
    UniformQuery,
)
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release
from certify.checker.statements.records import read_records
from certify.checker.statements.tables import read_table

T = TypeVar("T")
Load = Callable[[str], bytes]
"""Returns the bytes of a file that a specification names, relative to the specification."""

NEIGHBOURS = {"add-remove": Neighbours.ADD_OR_REMOVE_ONE, "replace": Neighbours.REPLACE_ONE}
STATISTICS = ("denoiser", "sum", "mean", "vectors")
KEYS = ("records", "domain", "vectors", "neighbours", "count", "query")


def read_specification(data: bytes, name: str, load: Load) -> AuditTask:
    """Return what the bytes of an audit specification ask for.

    Numbers are exact: decimals are the decimals they spell, fractions are written as texts such as ``"1/3"``.

    Args:
        data: The bytes of the file.
        name: Its name, for messages.
        load: Reads the files it names.

    Raises:
        MalformedStatement: If it is no specification; the exception names the key and what to do.
    """
    entries = table(read_toml(data, name), ("statistic", "covariance", "claims"), KEYS)
    release = _release(entries, load)
    covariance = _covariance(entries["covariance"], release.dimension, load)
    guarantees = tuple(_guarantee(item, release, covariance) for item in items(entries["claims"]))
    return AuditTask(release, covariance, guarantees)


def _release(entries: Mapping[str, Node], load: Load) -> Release:
    statistic = entries["statistic"]
    match one_of(statistic, STATISTICS):
        case "denoiser":
            _only(entries, statistic, "query", "neighbours", "records", "domain")
            domain, neighbours = _domain(entries, load), _neighbours(entries)
            query = _query(_need(entries, statistic, "query"), load)
            return _built(entries["query"], lambda: IdealDenoiser(domain, query, neighbours))
        case "sum":
            _only(entries, statistic, "neighbours", "records", "domain")
            domain, neighbours = _domain(entries, load), _neighbours(entries)
            return _built(statistic, lambda: RecordSum(domain, neighbours))
        case "mean":
            _only(entries, statistic, "neighbours", "count", "records", "domain")
            domain, count = _domain(entries, load), whole(_need(entries, statistic, "count"))
            if _neighbours(entries) is not Neighbours.REPLACE_ONE:
                raise entries["neighbours"].error("the number of records of a mean is public; use 'replace'")
            return _built(entries["count"], lambda: RecordMean(domain, count))
        case _:
            _only(entries, statistic, "vectors")
            vectors = _need(entries, statistic, "vectors")
            return _built(vectors, lambda: ExplicitVectors(_matrix(vectors, load)))


def _need(entries: Mapping[str, Node], statistic: Node, key: str) -> Node:
    if key not in entries:
        raise Node(statistic.name, "", None).error(f"the statistic {statistic.value!r} needs the key {key!r}")
    return entries[key]


def _only(entries: Mapping[str, Node], statistic: Node, *allowed: str) -> None:
    for key in KEYS:
        if key in entries and key not in allowed:
            raise entries[key].error(f"the statistic {statistic.value!r} has no {key}; remove it")


def _built(node: Node, build: Callable[[], T]) -> T:
    try:
        return build()
    except ValueError as error:
        raise node.error(str(error)) from None


def _neighbours(entries: Mapping[str, Node]) -> Neighbours:
    if "neighbours" not in entries:
        statistic = entries["statistic"]
        words = " or ".join(map(repr, NEIGHBOURS))
        raise Node(statistic.name, "", None).error(
            f"the key 'neighbours' is missing: say {words}, for the same noise has other guarantees under the other"
        )
    return NEIGHBOURS[one_of(entries["neighbours"], tuple(NEIGHBOURS))]


def _domain(entries: Mapping[str, Node], load: Load) -> Domain:
    given = [key for key in ("records", "domain") if key in entries]
    if len(given) != 1:
        found = "neither" if not given else "both"
        statistic = entries["statistic"]
        raise Node(statistic.name, "", None).error(f"give either the key 'records' or the key 'domain', not {found}")
    return _records(entries["records"], load) if given == ["records"] else _inline_domain(entries["domain"])


def _records(node: Node, load: Load) -> FiniteDomain:
    if isinstance(node.value, dict) and "rows" in node.value:
        return FiniteDomain(rows(table(node, ("rows",))["rows"]), None)
    entries = table(node, ("file",), ("scale",))
    scale = number(entries["scale"]) if "scale" in entries else fmpq(1)
    if scale <= 0:
        raise entries["scale"].error(f"a scale is positive, not {scale}")
    file = text(entries["file"])
    return read_records(load(file), file, scale)


def _inline_domain(node: Node) -> Domain:
    kind, shape = choice(node, ("box", "ball", "simplex"))
    match kind:
        case "box":
            ends = table(shape, ("lower", "upper"))
            return _built(shape, lambda: BoxDomain(row(ends["lower"]), row(ends["upper"])))
        case "ball":
            ball = table(shape, ("centre", "radius"))
            return _built(shape, lambda: BallDomain(row(ball["centre"]), number(ball["radius"])))
        case _:
            simplex = table(shape, ("dimension",), ("scale",))
            scale = number(simplex["scale"]) if "scale" in simplex else fmpq(1)
            return _built(shape, lambda: SimplexDomain(whole(simplex["dimension"]), scale))


def _query(node: Node, load: Load) -> Query:
    if isinstance(node.value, str):
        one_of(node, ("uniform",))
        return UniformQuery()
    kind, inner = choice(node, ("fixed", "diffusion", "list", "ball", "box"))
    match kind:
        case "fixed" | "diffusion":
            return _point_query(kind, inner, load)
        case "list":
            found = [_point_query(*choice(item, ("fixed", "diffusion")), load) for item in items(inner)]
            return _built(inner, lambda: QueryList(tuple(found)))
        case "ball":
            ball = table(inner, ("centre", "radius"), ("sigma", "variance"))
            ends = _row(ball["centre"], load), number(ball["radius"]), _variance(inner, ball)
            return _built(inner, lambda: QueryBall(*ends))
        case _:
            box = table(inner, ("lower", "upper"), ("sigma", "variance"))
            corners = _row(box["lower"], load), _row(box["upper"], load), _variance(inner, box)
            return _built(inner, lambda: QueryBox(*corners))


def _point_query(kind: str, node: Node, load: Load) -> PointQuery:
    if kind == "fixed":
        fixed = table(node, ("point",), ("sigma", "variance"))
        point, variance = _row(fixed["point"], load), _variance(node, fixed)
        return _built(node, lambda: FixedQuery(point, variance))
    diffusion = table(node, ("state", "signal"))
    state, signal = _row(diffusion["state"], load), number(diffusion["signal"])
    return _built(node, lambda: DiffusionQuery(state, signal))


def _variance(node: Node, entries: Mapping[str, Node]) -> fmpq:
    given = [key for key in ("sigma", "variance") if key in entries]
    if len(given) != 1:
        raise node.error("give exactly one of sigma and variance (sigma^2), the noise level of the query")
    value = number(entries[given[0]])
    if value <= 0:
        raise entries[given[0]].error(f"a noise level is positive, not {value}")
    return value**2 if given == ["sigma"] else value


def _row(node: Node, load: Load) -> Matrix:
    """Return a row given inline or as a file with one row."""
    if not isinstance(node.value, dict):
        return row(node)
    found = _matrix(node, load)
    if found.rows != 1:
        raise node.error(f"{found.rows} rows where one is expected")
    return found


def _matrix(node: Node, load: Load) -> Matrix:
    kind, inner = choice(node, ("file", "rows"))
    return rows(inner) if kind == "rows" else read_table(load(text(inner)), text(inner)).values


def _covariance(node: Node, dimension: int, load: Load) -> Matrix:
    kind, inner = choice(node, ("file", "rows", "diagonal", "isotropic"))
    match kind:
        case "isotropic":
            return identity(dimension).scaled(_not_negative(inner, number(inner)))
        case "diagonal":
            entries = row(inner)
            found = diagonal(entries.numerators.entries()).scaled(fmpq(1, entries.denominator))
        case _:
            found = _matrix(node, load)
    if (found.rows, found.columns) != (dimension, dimension):
        size = f"{found.rows} x {found.columns}"
        raise node.error(f"the covariance is {size} but the release has {dimension} columns")
    problem = asymmetry(found)
    if problem is not None:
        raise node.error(problem)
    return found


def _not_negative(node: Node, value: fmpq) -> fmpq:
    if value < 0:
        raise node.error(f"a variance is not negative, not {value}")
    return value


def _guarantee(node: Node, release: Release, covariance: Matrix) -> BinaryGuarantee:
    def build() -> BinaryGuarantee:
        found = _notion(node)
        ReleasePrivacy(release, covariance, found)
        return found

    return _built(node, build)


def _notion(node: Node) -> BinaryGuarantee:
    keys = ("epsilon", "delta", "zcdp", "gdp", "renyi", "total_variation", "mutual_information")
    entries = table(node, (), keys)
    if set(entries) == {"epsilon", "delta"}:
        return ApproxDP(number(entries["epsilon"]), number(entries["delta"]))
    if len(entries) != 1 or set(entries) & {"epsilon", "delta"}:
        found = " and ".join(entries) or "nothing"
        raise node.error(f"a claim is epsilon with delta, or one of {', '.join(keys[2:])}, not {found}")
    ((kind, value),) = entries.items()
    match kind:
        case "zcdp":
            return ZCDP(number(value))
        case "gdp":
            return GDP(number(value))
        case "renyi":
            order = table(value, ("alpha", "epsilon"))
            return RenyiDP(number(order["alpha"]), number(order["epsilon"]))
        case "total_variation":
            return TotalVariation(number(value))
        case _:
            return MutualInformationDP(number(value))
