"""certify design."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from flint import fmpq

from certify.checker.certificate import write_certificate
from certify.checker.exact import identity, parse_rational
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, RenyiDP
from certify.checker.kernel import check
from certify.checker.pairs import PairSearch, largest_over_pairs
from certify.checker.sensitivity import Neighbours
from certify.checker.statements.records import read_records, read_weight
from certify.cli.cluster import on_workers, scheduler_option
from certify.cli.files import InputError, leave, read_bytes, require_folder, statement_errors, write_atomically
from certify.cli.progress import checking
from certify.reports.results import Result, exit_code, to_json

if TYPE_CHECKING:
    from certify.solvers.workers import Workers

NEIGHBOURS = {"add-remove": Neighbours.ADD_OR_REMOVE_ONE, "replace": Neighbours.REPLACE_ONE}


class Rational(click.ParamType[fmpq]):
    """An exact rational: a decimal or a fraction p/q."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> fmpq:
        """Return the exact number a text spells, or fail as wrong usage."""
        if isinstance(value, fmpq):
            return value
        try:
            return parse_rational(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


RATIONAL = Rational()


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """The options that say which guarantee is wanted; exactly one notion must be given."""

    epsilon: fmpq | None
    delta: fmpq | None
    rho: fmpq | None
    zcdp: fmpq | None
    gdp: fmpq | None
    renyi: tuple[fmpq, fmpq] | None


@click.command(name="design")
@click.argument("records", metavar="RECORDS")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the certificate.")
@click.option("--epsilon", type=RATIONAL, help="Epsilon of (epsilon, delta)-differential privacy; needs --delta.")
@click.option("--delta", type=RATIONAL, help="Delta of (epsilon, delta)-differential privacy; needs --epsilon.")
@click.option("--rho", type=RATIONAL, help="The budget rho itself: every s^T Sigma^-1 s at most rho.")
@click.option("--zcdp", type=RATIONAL, help="Zero-concentrated differential privacy with this rho (budget twice it).")
@click.option("--gdp", type=RATIONAL, help="Gaussian differential privacy with this mu.")
@click.option("--renyi", type=RATIONAL, nargs=2, metavar="ALPHA EPS", help="Renyi differential privacy of one order.")
@click.option(
    "--weight", metavar="FILE", help="Task weight W (CSV or NPY), symmetric positive definite. Default: identity."
)
@click.option("--floor", type=RATIONAL, default="0", help="Public noise floor eta: Sigma >= eta I. Default: 0.")
@click.option("--scale", type=RATIONAL, default="1", metavar="P/Q", help="Multiply every record by this. Default: 1.")
@click.option("--solver", default="auto", metavar="NAME", help="auto, precision, scs or clarabel. Default: auto.")
@click.option("--gap", type=float, default=1e-9, help="Relative gap to reach. Default: 1e-9.")
@click.option("--neighbours", type=click.Choice(list(NEIGHBOURS)), default="add-remove", help="Default: add-remove.")
@scheduler_option
@click.option("--report", metavar="FILE", help="Also write an HTML page, with the bracket round by round.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(
    records: str,
    output: str,
    epsilon: fmpq | None,
    delta: fmpq | None,
    rho: fmpq | None,
    zcdp: fmpq | None,
    gdp: fmpq | None,
    renyi: tuple[fmpq, fmpq] | None,
    weight: str | None,
    floor: fmpq,
    scale: fmpq,
    solver: str,
    gap: float,
    neighbours: str,
    scheduler: str | None,
    report: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Design the least Gaussian noise for a denoiser on the records of a CSV or NPY file, with a certificate.

    Numbers are exact: decimals or fractions p/q. The certificate is checked before it is written.
    """
    guarantee = _guarantee(BudgetOptions(epsilon, delta, rho, zcdp, gdp, renyi))
    _require(floor >= 0, f"--floor {floor}: a noise floor is not negative")
    _require(scale > 0, f"--scale {scale}: a scale is positive")
    _require(0 < gap < 1, f"--gap {gap}: a relative gap lies between 0 and 1")
    require_folder(output)
    if report is not None:
        require_folder(report)
    with statement_errors():
        domain = read_records(read_bytes(records), records, scale)
        w = identity(domain.dimension) if weight is None else read_weight(read_bytes(weight), weight, domain.dimension)
    from certify.cli.designing import run_design

    with nullcontext() if scheduler is None else on_workers(scheduler) as workers:
        found = run_design(domain, NEIGHBOURS[neighbours], guarantee, w, floor, solver, gap, workers, quiet=quiet)
        certificate = found.certificate
        with checking(output, quiet=quiet) as progress:
            result = Result(output, check(certificate, progress, _search(workers)))
    code = exit_code([result])
    data = write_certificate(certificate)
    if code == 0:
        write_atomically(output, data)
    if report is not None:
        from certify.cli.report import page_about

        rounds = () if found.solution is None else found.solution.history
        write_atomically(report, page_about([result], [data], [certificate], None, rounds, quiet=quiet).encode())
    _print(result, as_json=as_json, quiet=quiet)
    leave(code)


def _search(workers: Workers | None) -> PairSearch:
    if workers is None:
        return largest_over_pairs
    from certify.cluster.checking import InBlocks

    return InBlocks(workers)


def _guarantee(options: BudgetOptions) -> Guarantee:
    """Return the one guarantee the options ask for."""
    given = [name for name in ("rho", "zcdp", "gdp", "renyi") if getattr(options, name) is not None]
    if options.epsilon is not None or options.delta is not None:
        given.append("epsilon")
    if len(given) != 1:
        found = "none" if not given else " and ".join(f"--{name}" for name in given)
        raise click.UsageError(
            f"give exactly one budget, not {found}: --epsilon with --delta, --rho, --zcdp, --gdp or --renyi"
        )
    return _build_guarantee(options, given[0])


def _build_guarantee(options: BudgetOptions, name: str) -> Guarantee:
    try:
        if name == "epsilon":
            return _approximate(options)
        value = getattr(options, name)
        if name == "renyi":
            _require(
                value[1] > 0, f"--renyi {value[0]} {value[1]}: no finite noise meets a budget that is not positive"
            )
            return RenyiDP(*value)
        _require(value > 0, f"--{name} {value}: no finite noise meets a budget that is not positive")
        match name:
            case "rho":
                return ZCDP(value / 2)
            case "zcdp":
                return ZCDP(value)
            case _:
                return GDP(value)
    except ValueError as error:
        raise InputError(str(error)) from None


def _approximate(options: BudgetOptions) -> ApproxDP:
    epsilon, delta = options.epsilon, options.delta
    if epsilon is None or delta is None:
        raise click.UsageError("--epsilon and --delta are given together")
    _require(epsilon > 0, f"--epsilon {epsilon}: epsilon is positive")
    _require(
        0 < delta < 1, f"--delta {delta}: delta lies strictly between 0 and 1; pure privacy needs another mechanism"
    )
    return ApproxDP(epsilon, delta)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InputError(message)


def _print(result: Result, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        click.echo(to_json([result]))
        return
    from certify.reports.terminal import isotropic_line, open_console, print_indented, print_result

    console = open_console()
    print_result(console, result)
    with checking("isotropic noise", quiet=quiet) as progress:
        line = isotropic_line(result, progress)
    if line:
        print_indented(console, f"{line}\n")
