"""Word rewriting: definitions, inverse pairs, commuting 1 x 1 factors, traces up to rotation and transposition."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import pairwise

from sympy import Integer, cancel

from symbolic.identity import Failed, OutsideClass, Proved, Result, WordRewriting
from symbolic.methods.signs import require_defined
from symbolic.words import (
    ONE,
    Blocks,
    Letter,
    Monomial,
    Trace,
    Word,
    Words,
    collect,
    identity_matrix,
    reverse,
    terms_of,
)


def prove_words(left: Words | Blocks, right: Words | Blocks, method: WordRewriting) -> Result:
    """Rewrite the difference of the two sides, block by block, to its normal form.

    Sound because every rule is an equation between matrices of arbitrary size, so a difference that rewrites to
    zero is zero.
    """
    for defined, value in method.definitions:
        require_definition(defined, value, method)
    differences = [block for row in blocks_of(left, right) for block in row]
    for _, coefficient in (*terms_of(left), *terms_of(right)):
        require_defined(coefficient)
    residuals = [normal_form(block, method) for block in differences]
    remaining = [residual for residual in residuals if residual.terms]
    if remaining:
        return Failed("; ".join(map(str, remaining)))
    subject = "the difference rewrites" if len(differences) == 1 else f"all {len(differences)} blocks rewrite"
    return Proved(
        method.title, (*map(_describe_rule, method.inverses), f"{subject} to zero, for matrices of every size")
    )


def require_definition(defined: Letter, value: Words, method: WordRewriting) -> None:
    """Check that a letter declared symmetric is defined by a symmetric value, of its shape.

    Raises:
        OutsideClass: If it is not.
    """
    rest = WordRewriting(method.inverses, tuple(pair for pair in method.definitions if pair[0] != defined))
    if (defined.rows, defined.columns) != (value.rows, value.columns):
        raise OutsideClass(f"{defined} is {defined.rows} x {defined.columns}, its definition is not")
    if defined.symmetric and normal_form(value - value.T, rest).terms:
        raise OutsideClass(f"{defined} is declared symmetric, its definition {value} is not")


def _describe_rule(pair: tuple[Letter, Letter]) -> str:
    return f"{pair[0]} {pair[1]} = I"


def blocks_of(left: Words | Blocks, right: Words | Blocks) -> tuple[tuple[Words, ...], ...]:
    """Return the blocks of left - right.

    Raises:
        TypeError: If one side has blocks and the other has not.
    """
    match left, right:
        case Blocks(), Blocks():
            return (left - right).rows
        case Words(), Words():
            return ((left - right,),)
        case _:
            raise TypeError("blocks can be compared with blocks only")


def normal_form(words: Words, method: WordRewriting) -> Words:
    """Return the normal form: definitions substituted, every monomial reduced, equal monomials collected."""
    for defined, value in method.definitions:
        words = substitute(words, defined, value)
    inverses = inverse_pairs(method)
    reduced = collect((reduce_monomial(m, words.rows, inverses), c) for m, c in words.terms)
    return Words(words.rows, words.columns, tuple((m, c) for m, c in reduced if cancel(c) != 0))


def inverse_pairs(method: WordRewriting) -> frozenset[tuple[Letter, Letter]]:
    """Return every ordered pair of letters whose product is the identity: transposed, and both orders if square."""
    pairs = set(method.inverses) | {(b, a) for a, b in method.inverses if a.rows == a.columns}
    return frozenset(pairs | {(b.transpose(), a.transpose()) for a, b in pairs})


def substitute(words: Words, defined: Letter, value: Words) -> Words:
    """Replace a letter, and its transpose, by words of the same shape.

    Raises:
        ValueError: If an index of a sum would be captured.
    """
    images = {defined: value, defined.transpose(): value.T}
    total = Words(words.rows, words.columns, ())
    for monomial, coefficient in words.terms:
        total = total + _image(monomial, words, images).scale(coefficient)
    return total


def _image(monomial: Monomial, words: Words, images: Mapping[Letter, Words]) -> Words:
    traces = [_product(trace.letters, trace.size, images).trace() for trace in monomial.traces]
    word = _product(monomial.word, words.rows, images)
    if not monomial.word and words.rows != words.columns:
        raise ValueError(f"an empty word cannot be {words.rows} x {words.columns}")
    image = reduce(lambda product, factor: factor * product, traces, word)
    return image.total() if monomial.summed else image


def _product(word: Word, size: str, images: Mapping[Letter, Words]) -> Words:
    return reduce(lambda product, factor: product * images.get(factor, single(factor)), word, identity_matrix(size))


def single(factor: Letter) -> Words:
    """Return one letter as words."""
    return Words(factor.rows, factor.columns, ((Monomial((), (factor,)), Integer(1)),))


def reduce_monomial(monomial: Monomial, rows: str, inverses: frozenset[tuple[Letter, Letter]]) -> Monomial:
    """Cancel inverse neighbours, move every 1 x 1 factor out of the word, and bring each trace to its least form."""
    word = cancel_inverses(monomial.word, inverses)
    head, scalars, tail = split_at_scalars(word, rows)
    traces = [least_scalar(scalar) for scalar in scalars]
    for trace in monomial.traces:
        traces.extend(reduce_trace(trace, inverses))
    kept = sorted(trace for trace in traces if trace != Trace(ONE, ()))
    return Monomial(tuple(kept), head + tail, monomial.summed)


def cancel_inverses(word: Word, inverses: frozenset[tuple[Letter, Letter]]) -> Word:
    """Remove neighbours whose product is the identity, as often as they appear."""
    stack: list[Letter] = []
    for factor in word:
        if stack and (stack[-1], factor) in inverses:
            stack.pop()
        else:
            stack.append(factor)
    return tuple(stack)


def split_at_scalars(word: Word, rows: str) -> tuple[Word, list[Word], Word]:
    """Split a word where its shape passes through 1: what is before, the 1 x 1 factors, what is after."""
    sizes = [rows, *(factor.columns for factor in word)]
    cuts = [place for place, size in enumerate(sizes) if size == ONE]
    if not cuts:
        return word, [], ()
    scalars = [word[start:end] for start, end in pairwise(cuts)]
    return word[: cuts[0]], scalars, word[cuts[-1] :]


def least_scalar(word: Word) -> Trace:
    """Return a 1 x 1 word as a trace, in the smaller of its two readings."""
    return Trace(ONE, min(word, reverse(word)))


def reduce_trace(trace: Trace, inverses: frozenset[tuple[Letter, Letter]]) -> list[Trace]:
    """Cancel inverses around the circle, cut it where it passes through 1, or take its least rotation."""
    circle, size = cancel_inverses(trace.letters, inverses), trace.size
    while len(circle) > 1 and (circle[-1], circle[0]) in inverses:
        circle, size = circle[1:-1], circle[-1].rows
    cuts = [place for place, factor in enumerate(circle) if factor.rows == ONE]
    if cuts:
        opened = circle[cuts[0] :] + circle[: cuts[0]]
        _, scalars, _ = split_at_scalars(opened, ONE)
        return [least_scalar(scalar) for scalar in scalars]
    rotations = [turn[k:] + turn[:k] for turn in (circle, reverse(circle)) for k in range(max(1, len(circle)))]
    least = min(rotations)
    return [Trace(least[0].rows if least else size, least)]
