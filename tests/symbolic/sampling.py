"""Evaluate the sides of a statement at a random rational point, sharing no code with the proofs.

Scalars are walked by a small interpreter on mpmath numbers, which takes displayed derivatives by differences and
integrals by quadrature. Words are evaluated with exact rational matrices of FLINT.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import mpmath
from flint import fmpq, fmpq_mat
from sympy import (
    Add,
    Derivative,
    E,
    Expr,
    Indexed,
    Integral,
    Mul,
    Pow,
    Rational,
    Subs,
    Sum,
    Symbol,
    cosh,
    erf,
    erfc,
    exp,
    log,
    oo,
    pi,
    tanh,
)
from sympy.core.function import AppliedUndef

from symbolic.identity import WordRewriting
from symbolic.words import Letter, Monomial, Word, Words

RECORDS = 3
FUNCTIONS: dict[type, Callable[[Any], Any]] = {
    exp: mpmath.exp,
    log: mpmath.log,
    tanh: mpmath.tanh,
    cosh: mpmath.cosh,
    erf: mpmath.erf,
    erfc: mpmath.erfc,
}


def source_for(name: str) -> random.Random:
    """Return a source of random numbers that is the same in every run."""
    return random.Random(name)  # noqa: S311 nothing here is secret


def draw(symbol: Expr, source: random.Random) -> fmpq:
    """Return a random rational in the declared domain: a square when positive, so that its root is rational too."""
    root = fmpq(source.randint(2, 6), source.randint(4, 9))
    return root * root if symbol.is_nonnegative else root * source.choice((1, -1))


@dataclass(slots=True)
class ScalarPoint:
    """Values of symbols, drawn when first met; n is three, and the function without a formula is the sine."""

    source: random.Random
    values: dict[Any, Any] = field(default_factory=dict)

    def at(self, symbol: Expr) -> Any:
        """Return the value of a symbol, or of an indexed symbol at the present index."""
        key = (symbol.base.label, self.values[symbol.indices[0]]) if isinstance(symbol, Indexed) else symbol
        if key not in self.values:
            drawn = draw(symbol, self.source)
            self.values[key] = mpmath.mpf(int(drawn.p)) / int(drawn.q) if not symbol.is_integer else RECORDS
        return self.values[key]

    def bind(self, symbol: Expr, number: Any, expr: Expr) -> Any:
        """Evaluate an expression with one symbol bound to a number."""
        outer = dict(self.values)
        self.values[symbol] = number
        result = self.evaluate(expr)
        fresh = {key: drawn for key, drawn in self.values.items() if key != symbol}
        self.values = fresh | ({symbol: outer[symbol]} if symbol in outer else {})
        return result

    def evaluate(self, expr: Expr) -> Any:
        """Return the value of an expression."""
        match expr:
            case Add():
                return mpmath.fsum(self.evaluate(term) for term in expr.args)
            case Mul():
                return mpmath.fprod(self.evaluate(factor) for factor in expr.args)
            case Pow():
                return mpmath.power(self.evaluate(expr.base), self.evaluate(expr.exp))
            case Sum() | Integral() | Derivative() | Subs() | AppliedUndef():
                return self.evaluate_operator(expr)
            case _:
                return self.evaluate_leaf(expr)

    def evaluate_leaf(self, expr: Expr) -> Any:
        """Return the value of a number, a symbol or an elementary function."""
        match expr:
            case Rational():
                return mpmath.mpf(expr.p) / expr.q
            case Symbol() | Indexed():
                return self.at(expr)
            case _:
                constants = {pi: mpmath.pi, E: mpmath.e}
                return +constants[expr] if expr in constants else FUNCTIONS[type(expr)](self.evaluate(expr.args[0]))

    def evaluate_operator(self, expr: Expr) -> Any:
        """Return the value of a sum, an integral, a derivative, or the sine and its derivatives."""
        match expr:
            case Sum():
                ((index, _, last),) = expr.limits
                count = int(self.evaluate(last))
                return mpmath.fsum(self.bind(index, k, expr.function) for k in range(1, count + 1))
            case Integral():
                ((variable, _, _),) = expr.limits
                pieces = range(-16, 17, 4)
                integrand = partial(self.bind, variable, expr=expr.function)
                return mpmath.quad(integrand, pieces, method="gauss-legendre", maxdegree=4)
            case Derivative(expr=AppliedUndef()):
                return self.evaluate_jet(expr, expr.expr.args[0])
            case Derivative():
                ((variable, order),) = expr.variable_count
                here = self.at(variable)
                return mpmath.diff(lambda x: self.bind(variable, x, expr.expr), here, int(order))
            case Subs():
                return self.evaluate_jet(expr.expr, expr.point[0])
            case _:
                return mpmath.sin(self.evaluate(expr.args[0]))

    def evaluate_jet(self, derivative: Derivative, point: Expr) -> Any:
        """Return a derivative of the sine at a point."""
        ((_, order),) = derivative.variable_count
        return mpmath.sin(self.evaluate(point) + int(order) * mpmath.pi() / 2)


SIZES = {"1": 1, "d": 2, "e": 3, "p": 2, "q": 3, "k": 4, "l": 2}
FAMILY = (1, 2)


@dataclass(slots=True)
class MatrixPoint:
    """Values of letters as rational matrices, for each j of a family of two, obeying the rules of a method."""

    source: random.Random
    method: WordRewriting
    scalars: dict[Symbol, fmpq] = field(default_factory=dict)
    matrices: dict[tuple[Letter, int], fmpq_mat] = field(default_factory=dict)

    def evaluate(self, words: Words, j: int = 1) -> fmpq_mat:
        """Return the value of words at one member of the family."""
        total = fmpq_mat(SIZES[words.rows], SIZES[words.columns])
        for monomial, coefficient in words.terms:
            family = FAMILY if monomial.summed else (j,)
            for member in family:
                total += self.monomial(monomial, words.rows, member) * self.coefficient(coefficient)
        return total

    def monomial(self, monomial: Monomial, rows: str, j: int) -> fmpq_mat:
        """Return the traces times the open word."""
        result = self.product(monomial.word, rows, j)
        for trace in monomial.traces:
            closed = self.product(trace.letters, trace.size, j)
            result *= sum((closed[k, k] for k in range(closed.nrows())), fmpq(0))
        return result

    def product(self, word: Word, rows: str, j: int) -> fmpq_mat:
        """Return the product of the letters of a word."""
        result = identity(SIZES[rows])
        for letter in word:
            matrix = self.letter(letter.transpose() if letter.transposed else letter, j)
            result *= matrix.transpose() if letter.transposed else matrix
        return result

    def letter(self, letter: Letter, j: int) -> fmpq_mat:
        """Return the value of a letter that is not transposed: by definition, as an inverse, or drawn."""
        key = (letter, j if letter.indexed else 0)
        if key not in self.matrices:
            self.matrices[key] = self.fresh(letter, j)
        return self.matrices[key]

    def fresh(self, letter: Letter, j: int) -> fmpq_mat:
        """Make a value that obeys the rules."""
        for defined, words in self.method.definitions:
            if defined == letter:
                return self.evaluate(words, j)
        for first, second in self.method.inverses:
            if letter == second and first == letter.transpose() and letter.columns == "1":
                return fmpq_mat([[fmpq(3, 5)], [fmpq(-4, 5)]])
            if letter == second:
                return self.letter(first, j).inv()
        return self.drawn(letter)

    def drawn(self, letter: Letter) -> fmpq_mat:
        """Draw a matrix, with a diagonal large enough to be invertible when it is symmetric."""
        rows, columns = SIZES[letter.rows], SIZES[letter.columns]
        entries = [
            [fmpq(self.source.randint(-5, 5), self.source.randint(1, 4)) for _ in range(columns)] for _ in range(rows)
        ]
        matrix = fmpq_mat(entries)
        if letter.symmetric:
            return matrix + matrix.transpose() + identity(rows) * 40
        return matrix

    def coefficient(self, expr: Expr) -> fmpq:
        """Return the value of a commutative coefficient; symbols are drawn so that their roots are rational."""
        for symbol in sorted(expr.free_symbols, key=str):
            self.scalars.setdefault(symbol, draw(symbol, self.source))
        number = expr.subs({symbol: Rational(int(drawn.p), int(drawn.q)) for symbol, drawn in self.scalars.items()})
        return fmpq(int(number.p), int(number.q))


def identity(size: int) -> fmpq_mat:
    """Return the identity matrix."""
    return fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def large_or_small(point: Expr) -> Any:
    """Return a number close to where a limit is taken."""
    return mpmath.mpf(10) ** 6 if point == oo else mpmath.mpf(int(point)) + mpmath.mpf(10) ** -14
