"""Noncommutative words in matrices and vectors of unspecified size, with transposition, traces and sums.

A word is a product of letters whose shapes chain, such as ``s^T P s``; an identity between words is one
between matrices of every size d. A factor of shape 1 x 1 commutes and equals its transpose, a trace is
invariant under rotation and transposition, and mutually inverse letters cancel. These rules end, and what
they reach is a normal form (reduced words of a free group, up to rotation and reversal inside traces).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from sympy import Expr, Integer, expand, sympify

Word = tuple["Letter", ...]
ONE = "1"


@dataclass(frozen=True, slots=True, order=True)
class Letter:
    """A matrix of shape ``rows`` x ``columns``, named by letters such as "d"; vectors have one column, "1".

    ``indexed`` marks a member of a family over j, to be summed by ``Words.total``.
    """

    name: str
    rows: str
    columns: str
    symmetric: bool = False
    indexed: bool = False
    transposed: bool = False

    def transpose(self) -> Letter:
        """Return the transposed letter: itself when symmetric."""
        if self.symmetric:
            return self
        return replace(self, rows=self.columns, columns=self.rows, transposed=not self.transposed)

    def described(self) -> str:
        """Return the letter with its shape, in words."""
        plain = self.transpose() if self.transposed else self
        marks = [mark for mark, present in (("symmetric", plain.symmetric), ("for each j", plain.indexed)) if present]
        return ", ".join([f"{plain.name} {plain.rows} x {plain.columns}", *marks])

    def __str__(self) -> str:
        return f"{self.name}^T" if self.transposed else self.name


@dataclass(frozen=True, slots=True, order=True)
class Trace:
    """The trace of a product of letters that ends where it begins; of the identity of ``size`` when empty."""

    size: str
    letters: Word

    def __str__(self) -> str:
        return f"tr({' '.join(map(str, self.letters)) or 'I_' + self.size})"


@dataclass(frozen=True, slots=True, order=True)
class Monomial:
    """Commuting traces times one open word; ``summed`` marks a term under the sum over j."""

    traces: tuple[Trace, ...]
    word: Word
    summed: bool = False

    def letters(self) -> Word:
        """Return all letters, those of the traces included."""
        return (*self.word, *(letter for trace in self.traces for letter in trace.letters))

    def is_indexed(self) -> bool:
        """Whether a letter of the family over j occurs and is not yet summed."""
        return not self.summed and any(letter.indexed for letter in self.letters())

    def __str__(self) -> str:
        factors = " ".join([*map(str, self.traces), *map(str, self.word)]) or "I"
        return f"sum_j[{factors}]" if self.summed else factors


@dataclass(frozen=True, slots=True)
class Words:
    """A linear combination of words of one shape, with commutative coefficients."""

    rows: str
    columns: str
    terms: tuple[tuple[Monomial, Expr], ...]

    def __add__(self, other: Words) -> Words:
        if (self.rows, self.columns) != (other.rows, other.columns):
            raise ValueError(f"cannot add {self.rows} x {self.columns} and {other.rows} x {other.columns}")
        return Words(self.rows, self.columns, collect([*self.terms, *other.terms]))

    def __neg__(self) -> Words:
        return self.scale(-1)

    def __sub__(self, other: Words) -> Words:
        return self + (-other)

    def __mul__(self, other: Words) -> Words:
        if self.rows == self.columns == ONE and other.rows != ONE:
            return _multiply(self.trace(), other, other.rows, other.columns)
        if self.columns != other.rows:
            raise ValueError(f"cannot multiply {self.rows} x {self.columns} by {other.rows} x {other.columns}")
        return _multiply(self, other, self.rows, other.columns)

    def scale(self, factor: Expr | int) -> Words:
        """Return the product with a commutative factor."""
        return Words(self.rows, self.columns, collect((m, c * factor) for m, c in self.terms))

    @property
    def T(self) -> Words:
        """The transpose: each word reversed, each letter transposed."""
        terms = ((replace(m, word=reverse(m.word)), c) for m, c in self.terms)
        return Words(self.columns, self.rows, collect(terms))

    def trace(self) -> Words:
        """Return the trace, a 1 x 1 combination of traces.

        Raises:
            ValueError: If the words are not square.
        """
        if self.rows != self.columns:
            raise ValueError(f"the trace of a {self.rows} x {self.columns} matrix")
        return Words(ONE, ONE, collect((_close(m, self.rows), c) for m, c in self.terms))

    def total(self) -> Words:
        """Return the sum over j of words that each contain a letter of the family over j.

        Raises:
            ValueError: If a word does not depend on j, or is a sum already.
        """
        if not all(m.is_indexed() for m, _ in self.terms):
            raise ValueError("only words that depend on j are summed over j")
        return Words(self.rows, self.columns, collect((replace(m, summed=True), c) for m, c in self.terms))

    def __str__(self) -> str:
        return " + ".join(f"({c}) {m}" for m, c in self.terms) or "0"


@dataclass(frozen=True, slots=True)
class Blocks:
    """A matrix of blocks, row by row, each a combination of words."""

    rows: tuple[tuple[Words, ...], ...]

    def __mul__(self, other: Blocks) -> Blocks:
        columns = tuple(zip(*other.rows, strict=True))
        return Blocks(tuple(tuple(_dot(row, column) for column in columns) for row in self.rows))

    def __sub__(self, other: Blocks) -> Blocks:
        pairs = zip(self.rows, other.rows, strict=True)
        return Blocks(tuple(tuple(a - b for a, b in zip(p, q, strict=True)) for p, q in pairs))

    @property
    def T(self) -> Blocks:
        """The transpose, block by block."""
        return Blocks(tuple(tuple(block.T for block in column) for column in zip(*self.rows, strict=True)))

    def trace(self) -> Words:
        """Return the sum of the traces of the diagonal blocks."""
        return reduce(Words.__add__, (row[k].trace() for k, row in enumerate(self.rows)))

    def __str__(self) -> str:
        return "; ".join(" | ".join(map(str, row)) for row in self.rows)


def letters_of(side: Words | Blocks) -> frozenset[Letter]:
    """Return the letters that occur."""
    return frozenset(letter for monomial, _ in terms_of(side) for letter in monomial.letters())


def terms_of(side: Words | Blocks) -> list[tuple[Monomial, Expr]]:
    """Return all terms, block after block."""
    blocks = [block for row in side.rows for block in row] if isinstance(side, Blocks) else [side]
    return [term for block in blocks for term in block.terms]


def _dot(row: Sequence[Words], column: Sequence[Words]) -> Words:
    return reduce(Words.__add__, (a * b for a, b in zip(row, column, strict=True)))


def collect(terms: Iterable[tuple[Monomial, Expr]]) -> tuple[tuple[Monomial, Expr], ...]:
    """Add the coefficients of equal monomials, drop zeros, and sort."""
    total: dict[Monomial, Expr] = {}
    for monomial, coefficient in terms:
        total[monomial] = expand(total.get(monomial, Integer(0)) + coefficient)
    return tuple(sorted(((m, c) for m, c in total.items() if c != 0), key=lambda term: term[0]))


def reverse(word: Word) -> Word:
    """Return the transpose of a word."""
    return tuple(letter.transpose() for letter in reversed(word))


def _multiply(left: Words, right: Words, rows: str, columns: str) -> Words:
    return Words(rows, columns, collect((_join(m, n), c * e) for m, c in left.terms for n, e in right.terms))


def _join(left: Monomial, right: Monomial) -> Monomial:
    """Multiply two monomials; a sum over j may not meet another, nor a free j, for the index would be captured."""
    if (left.summed and (right.summed or right.is_indexed())) or (right.summed and left.is_indexed()):
        raise ValueError(f"the index j of {left} and of {right} are different")
    traces = tuple(sorted((*left.traces, *right.traces)))
    return Monomial(traces, left.word + right.word, left.summed or right.summed)


def _close(monomial: Monomial, size: str) -> Monomial:
    traces = (*monomial.traces, Trace(size, monomial.word))
    return replace(monomial, traces=tuple(sorted(traces)), word=())


def letter(name: str, rows: str = "d", columns: str = "d", *, symmetric: bool = False, indexed: bool = False) -> Words:
    """Return a single letter as words."""
    single = Letter(name, rows, columns, symmetric, indexed)
    return Words(rows, columns, ((Monomial((), (single,)), Integer(1)),))


def letter_of(words: Words) -> Letter:
    """Return the letter that ``letter`` made words of."""
    ((monomial, _),) = words.terms
    (single,) = monomial.word
    return single


def identity_matrix(size: str = "d") -> Words:
    """Return the identity of the given size."""
    return Words(size, size, ((Monomial((), ()), Integer(1)),))


def zero(rows: str = "d", columns: str = "d") -> Words:
    """Return the zero matrix of the given shape."""
    return Words(rows, columns, ())


def number(value: Expr | int) -> Words:
    """Return a commutative quantity as a 1 x 1 matrix."""
    return identity_matrix(ONE).scale(sympify(value))
