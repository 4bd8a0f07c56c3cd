"""The ideal denoiser, what a deletion or a replacement does to it, and the DDPM noise prediction, enclosed.

With r_k the normalised weight of x_k in D, theory.md section 2 gives
``m(D) - m(D without x_k) = r_k / (1 - r_k) (x_k - m(D)) = r_k (x_k - m(D without x_k))``; the last form has no
cancellation. A replacement is a difference of two such terms with the same rest. Source: theory.md sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb, fmpq, fmpz

from certify.checker.adaptive import at_precision
from certify.checker.enclosure import Enclosure, exact_fraction
from certify.checker.exact import Matrix
from certify.checker.exponents import LogWeights, log_weights
from certify.checker.factors import GRID_BITS, GUARD_BITS, TINY_BITS
from certify.checker.hulls import stacked
from certify.checker.queries import DiffusionQuery, PointQuery


def denoise(dataset: Matrix, query: PointQuery, bits: int = GRID_BITS) -> tuple[Enclosure, ...]:
    """Return the ideal denoiser m_g(D) of the rows of ``dataset`` (n x d), d enclosures about ``bits`` bits wide.

    Raises:
        ValueError: If the dataset is empty or the query has another dimension.
    """
    _require_dataset(dataset, query)
    weights, members = log_weights(dataset, query), range(dataset.rows)
    return _columnwise(dataset, weights, bits, lambda values: posterior_mean(weights, members, values))


def deletion(dataset: Matrix, index: int, query: PointQuery, bits: int = GRID_BITS) -> tuple[Enclosure, ...]:
    """Return ``m_g(D) - m_g(D without x)`` for the row x = ``index`` of ``dataset`` (n x d), d enclosures.

    Raises:
        ValueError: If there are fewer than two records, no such row, or the query has another dimension.
    """
    _require_dataset(dataset, query)
    if dataset.rows < 2 or not 0 <= index < dataset.rows:
        raise ValueError(f"record {index} cannot be deleted from a dataset of {dataset.rows}")
    weights = log_weights(dataset, query)
    rest = [i for i in range(dataset.rows) if i != index]
    return _columnwise(dataset, weights, bits, lambda values: pull(weights, rest, index, values))


def replacement(
    rest: Matrix, first: Matrix, second: Matrix, query: PointQuery, bits: int = GRID_BITS
) -> tuple[Enclosure, ...]:
    """Return ``m_g(V + x) - m_g(V + x')`` for V = ``rest`` (n x d), x = ``first`` and x' = ``second`` (1 x d).

    Raises:
        ValueError: If ``rest`` is empty or the query has another dimension.
    """
    _require_dataset(rest, query)
    records, count = stacked([rest, first, second]), rest.rows
    weights = log_weights(records, query)

    def shift(values: Sequence[fmpq]) -> arb:
        return pull(weights, range(count), count, values) - pull(weights, range(count), count + 1, values)

    return _columnwise(records, weights, bits, shift)


def noise_prediction(dataset: Matrix, query: DiffusionQuery, bits: int = GRID_BITS) -> tuple[Enclosure, ...]:
    """Return the ideal noise prediction ``eps* = (G - sqrt(a) m) / sqrt(1 - a)`` of a dataset (n x d), d enclosures.

    Raises:
        ValueError: If the dataset is empty or the state has another dimension.
    """
    _require_dataset(dataset, query)
    weights, members = log_weights(dataset, query), range(dataset.rows)

    def predict(column: int) -> arb:
        mean = posterior_mean(weights, members, _column(dataset, column))
        return (query.state.entry(0, column) - arb(query.signal).sqrt() * mean) / arb(1 - query.signal).sqrt()

    return _enclosures(working_precision(weights, bits), dataset.columns, predict)


def denoised_by(noise: Matrix, query: DiffusionQuery, bits: int = GRID_BITS) -> tuple[Enclosure, ...]:
    """Return ``m = (G - sqrt(1 - a) eps) / sqrt(a)`` for a noise prediction eps = ``noise`` (1 x d), d enclosures.

    Raises:
        ValueError: If the noise has another dimension than the state.
    """
    if (noise.rows, noise.columns) != (1, query.dimension):
        raise ValueError(f"the noise must be 1 x {query.dimension}, not {noise.rows} x {noise.columns}")

    def convert(column: int) -> arb:
        scaled = arb(1 - query.signal).sqrt() * noise.entry(0, column)
        return (query.state.entry(0, column) - scaled) / arb(query.signal).sqrt()

    return _enclosures(bits + GUARD_BITS, query.dimension, convert)


def posterior_mean(weights: LogWeights, members: Sequence[int], values: Sequence[fmpq]) -> arb:
    """Return a ball around ``sum w_i v_i / sum w_i`` over the members, at the current precision."""
    heaviest = members[0]
    for member in members:
        heaviest = member if weights.ratio(member, heaviest).sign() > 0 else heaviest
    relative = [weights.ratio(member, heaviest).ball().exp() for member in members]
    total = sum((weight * values[member] for weight, member in zip(relative, members, strict=True)), arb(0))
    return total / sum(relative, arb(0))


def pull(weights: LogWeights, rest: Sequence[int], index: int, values: Sequence[fmpq]) -> arb:
    """Return a ball around ``m(V + x) - m(V) = r (x - m(V))``, V the rest and x = ``index``, for records ``values``.

    ``r = w(x) / (w(x) + sum of V)``, formed from ratios of weights.
    """
    others = sum((weights.ratio(member, index).ball().exp() for member in rest), arb(0))
    return (values[index] - posterior_mean(weights, rest, values)) / (1 + others)


def working_precision(weights: LogWeights, bits: int) -> int:
    """Return a precision at which every ratio of weights is known to about ``bits`` bits."""
    largest = max(weights.ratio(index, 0).magnitude_bits() for index in range(len(weights.rational)))
    return bits + GUARD_BITS + largest


def enclosed_ends(ball: arb) -> Enclosure:
    """Return rational ends that contain a ball; an end below ``2^-TINY_BITS`` in size is rounded outward to that or 0.

    Raises:
        ValueError: If the ball is not finite.
    """
    return Enclosure(_end(ball.lower(), upward=False), _end(ball.upper(), upward=True))


def _end(end: arb, *, upward: bool) -> fmpq:
    tiny = fmpq(1, fmpz(1) << TINY_BITS)
    if not abs(end) < tiny:
        return exact_fraction(end)
    outward = end > 0 if upward else end < 0
    return (tiny if upward else -tiny) if outward else fmpq(0)


def _columnwise(
    records: Matrix, weights: LogWeights, bits: int, evaluate: Callable[[Sequence[fmpq]], arb]
) -> tuple[Enclosure, ...]:
    precision = working_precision(weights, bits)
    return _enclosures(precision, records.columns, lambda column: evaluate(_column(records, column)))


def _enclosures(precision: int, count: int, evaluate: Callable[[int], arb]) -> tuple[Enclosure, ...]:
    return at_precision(precision, lambda: tuple(enclosed_ends(evaluate(column)) for column in range(count)))


def _column(records: Matrix, column: int) -> list[fmpq]:
    return [records.entry(row, column) for row in range(records.rows)]


def _require_dataset(dataset: Matrix, query: PointQuery) -> None:
    if dataset.rows == 0:
        raise ValueError("the ideal denoiser of no record means nothing; give at least one")
    if query.dimension != dataset.columns:
        raise ValueError(f"the query has {query.dimension} columns but the records have {dataset.columns}")
