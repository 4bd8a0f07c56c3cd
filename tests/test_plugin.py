"""The pytest plugin, run as a user runs it."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import cvxpy  # noqa: F401  (loaded once: a run inside this process may not load numpy again)
import pytest
from flint import fmpq

from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.claims import CovarianceOptimum, ReleasePrivacy
from certify.checker.guarantees import GDP
from certify.checker.kernel import check
from certify.checker.verdict import Obligation, Status, Verdict
from certify.reports.places import certificate_path
from certify.reports.stored import Action, Policy, Settlement, settle
from tests.checker.examples import claim_of, claim_with, one_hot, square
from tests.reports.examples import malformed, refuted, rejected

pytest_plugins = ["pytester"]

ACTIVE = any(each.value == "certify.pytest_plugin" for each in entry_points(group="pytest11"))
PLUGIN = () if ACTIVE else ("-p", "certify.pytest_plugin")

STRICT = Policy(update=False, allow_weaker=False)
UPDATE = Policy(update=True, allow_weaker=False)
WEAKER = Policy(update=True, allow_weaker=True)

GOOD = write_certificate(square())
LOOSE = claim_with(square(), lower=fmpq(3), upper=fmpq(5))


def _settle(stored: bytes | None, fresh: object = None, policy: Policy = STRICT) -> Settlement:
    certificate = square() if fresh is None else fresh
    return settle(stored, "s.cert.json", certificate, check(certificate), policy)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stored", "fresh", "policy", "action", "words"),
    [
        (None, None, STRICT, Action.FAILED, "s.cert.json is missing; run pytest --certify-update"),
        (None, None, UPDATE, Action.WRITTEN, ""),
        (GOOD, None, STRICT, Action.KEPT, ""),
        (GOOD, None, WEAKER, Action.KEPT, ""),
        (GOOD, LOOSE, STRICT, Action.KEPT, "this run is weaker"),
        (GOOD, LOOSE, UPDATE, Action.FAILED, "would weaken s.cert.json; add --certify-allow-weaker"),
        (GOOD, LOOSE, WEAKER, Action.REPLACED, "weaker\n  least cost: stored [4, 4], this run [3, 5]"),
        (write_certificate(LOOSE), None, STRICT, Action.KEPT, "this run is stronger"),
        (write_certificate(LOOSE), None, UPDATE, Action.REPLACED, "stronger"),
        (write_certificate(one_hot()), None, STRICT, Action.FAILED, "is about another claim (different claim)"),
        (write_certificate(one_hot()), None, UPDATE, Action.REPLACED, "different claim"),
        (malformed().data, None, STRICT, Action.FAILED, "is no proof: MALFORMED"),
        (rejected().data, None, STRICT, Action.FAILED, "is no proof: REJECTED"),
        (rejected().data, None, UPDATE, Action.REPLACED, "the stored one was no proof"),
        (None, read_certificate(rejected().data), WEAKER, Action.FAILED, "REJECTED: "),
        (None, read_certificate(refuted().data), WEAKER, Action.FAILED, "guarantee fails along the direction"),
    ],
)
def test_what_becomes_of_a_stored_certificate(
    stored: bytes | None, fresh: object, policy: Policy, action: Action, words: str
) -> None:
    settlement = _settle(stored, fresh, policy)
    assert settlement.action is action
    assert words in settlement.message
    written = settlement.data is not None
    assert written == (action in (Action.WRITTEN, Action.REPLACED))
    if settlement.data is not None:
        assert check(read_certificate(settlement.data)).status is Status.PROVED


@pytest.mark.parametrize(("guarantee", "action"), [(GDP(fmpq(2)), Action.FAILED), (GDP(fmpq(1)), Action.KEPT)])
def test_a_guarantee_that_allows_more_is_weaker(guarantee: GDP, action: Action) -> None:
    half = claim_of(square()).covariance.scaled(fmpq(1, 4))
    dual = claim_with(square(), guarantee=guarantee)
    fresh = dual if guarantee.mu == 1 else claim_with(dual, covariance=half, lower=fmpq(1, 2), upper=fmpq(1))
    verdict = Verdict(Status.PROVED, fresh.claim, (Obligation("taken for granted", True, ""),))
    settlement = settle(GOOD, "s.cert.json", fresh, verdict, UPDATE)
    assert settlement.action is action
    if action is Action.FAILED:
        assert "guarantee: stored (rho = 0.5)-zero-concentrated" in settlement.message


def test_disjoint_brackets_fail_with_both_whatever_is_allowed() -> None:
    fresh = claim_with(square(), lower=fmpq(5), upper=fmpq(6))
    verdict = Verdict(Status.PROVED, fresh.claim, (Obligation("taken for granted", True, ""),))
    for policy in (STRICT, UPDATE, WEAKER):
        settlement = settle(GOOD, "s.cert.json", fresh, verdict, policy)
        assert settlement.action is Action.FAILED
        assert "cannot both be right" in settlement.message
        assert "least cost: stored [4, 4], this run [5, 6]" in settlement.message


def test_every_call_of_every_test_has_its_own_file() -> None:
    tests = [
        "test_a",
        "test_a[1/2]",
        "test_a[1_2]",
        "T.test_a",
        "test_a[" + "x" * 200 + "]",
        "test_a[" + "x" * 201 + "]",
    ]
    paths = {certificate_path(Path("t/test_m.py"), test, call) for test in tests for call in (1, 2)}
    assert len(paths) == 2 * len(tests)
    assert Path("t/__certificates__/test_m/test_a.cert.json") in paths
    assert all(len(path.name) < 140 and path.parent == Path("t/__certificates__/test_m") for path in paths)


SUITE = """
import certify, numpy as np, pytest
from flint import fmpq

RECORDS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])

def release():
    from certify.checker.domains import FiniteDomain
    from certify.certificates.floats import from_floats
    from certify.checker.queries import UniformQuery
    from certify.checker.releases import IdealDenoiser, Neighbours
    return IdealDenoiser(FiniteDomain(from_floats(RECORDS), None), UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)

def test_covariance(certified):
    proof = certified.covariance(RECORDS, certify.ZCDP(fmpq(1, 2)))
    assert proof.lower <= 4 <= proof.upper

@pytest.mark.parametrize("mu", [1, 2])
def test_privacy(certified, mu):
    certified.privacy(release(), 2 * np.eye(2), certify.GDP(fmpq(mu)))
"""


def _run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*PLUGIN, "-p", "no:randomly", "-p", "no:cacheprovider", *arguments)


def test_the_life_of_a_certificate(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_noise=SUITE)
    first = _run(pytester)
    first.assert_outcomes(failed=3)
    first.stdout.fnmatch_lines(
        [
            "*AssertionError: __certificates__/test_noise/test_covariance.cert.json is missing; run pytest --certify*",
            "*certificates: 3 failed*",
        ]
    )
    written = _run(pytester, "--certify-update")
    written.assert_outcomes(passed=3)
    written.stdout.fnmatch_lines(["*certificates: 3 written*", "written __certificates__/test_noise/test_covariance*"])
    stored = sorted((pytester.path / "__certificates__" / "test_noise").iterdir())
    kinds = [type(read_certificate(path.read_bytes()).claim) for path in stored]
    assert kinds == [CovarianceOptimum, ReleasePrivacy, ReleasePrivacy]
    kept = _run(pytester)
    kept.assert_outcomes(passed=3)
    kept.stdout.fnmatch_lines(["*certificates: 3 kept*"])
    assert "line" not in kept.stdout.str().split("certificates: 3 kept")[1]
    stored[0].write_bytes(stored[0].read_bytes().replace(b'"lower": "', b'"lower": "1'))
    tampered = _run(pytester, "-k", "covariance")
    tampered.assert_outcomes(failed=1)
    tampered.stdout.fnmatch_lines(["*is no proof: *"])


def test_a_refuted_claim_fails_with_its_counterexample(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_noise=SUITE.replace("[1, 2]", "[fmpq(1, 2)]"))
    result = _run(pytester, "--certify-update", "-k", "privacy")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: REFUTED: *-Gaussian differential privacy*"])
    assert not (pytester.path / "__certificates__").exists()


CVXPY = """
import certify, cvxpy as cp
from flint import fmpq

def solved(bound):
    x = cp.Variable(2)
    problem = cp.Problem(cp.Minimize(cp.sum(x)), [x >= bound, x[0] >= 2])
    problem.solve(solver=cp.SCS)
    return problem

def test_two_problems(certified):
    for bound in (0, 1):
        proof = certified(solved(bound))
        assert proof.lower <= 2 + bound <= proof.upper
        assert proof.value_error <= certify.rational("1e-3")
"""


def test_solved_cvxpy_problems(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_solver=CVXPY)
    _run(pytester, "--certify-update").assert_outcomes(passed=1)
    names = sorted(path.name for path in (pytester.path / "__certificates__" / "test_solver").iterdir())
    assert names == ["test_two_problems-2.cert.json", "test_two_problems.cert.json"]
    _run(pytester).assert_outcomes(passed=1)
    changed = CVXPY.replace("x[0] >= 2", "x[0] >= 3").replace("2 + bound", "3 + bound")
    pytester.makepyfile(test_solver=changed)
    result = _run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_two_problems.cert.json is about another claim (different claim)*"])


PARALLEL = """
import certify, pytest
from pathlib import Path

@pytest.mark.parametrize("number", range(4))
def test_stored(certified, number):
    certified.certificate(certify.read_certificate(Path("square.json").read_bytes()))
"""


def test_workers_of_xdist_write_and_report(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_many=PARALLEL)
    (pytester.path / "square.json").write_bytes(GOOD)
    result = pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider", "-n", "2", "--certify-update")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*certificates: 4 written*"])
    assert len(list((pytester.path / "__certificates__" / "test_many").iterdir())) == 4


def test_allowing_weaker_ones_alone_is_wrong_usage(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(*PLUGIN, "--certify-allow-weaker")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_run_without_the_fixture_says_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    result = _run(pytester)
    result.assert_outcomes(passed=1)
    assert "certificates" not in result.stdout.str()


def _shelf(pytester: pytest.Pytester, *names: str) -> None:
    (pytester.path / "square.json").write_bytes(GOOD)
    for name in names:
        path = pytester.path / "__certificates__" / f"{name}.cert.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(GOOD)


MORE = """
import certify
from pathlib import Path

def test_kept(certified):
    certified.certificate(certify.read_certificate(Path("square.json").read_bytes()))

def test_plain():
    assert PLAIN
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_stored_certificates_that_no_test_uses_are_named(pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    pytester.makepyfile(test_more=MORE.replace("PLAIN", "True"), test_other="def test_nothing(): pass")
    _shelf(pytester, "test_more/test_kept", "test_more/test_gone", "test_other/test_old", "test_deleted/test_x")
    run = pytester.runpytest_subprocess if workers else pytester.runpytest_inprocess
    shown = run(*PLUGIN, "-p", "no:cacheprovider", *workers).stdout.str()
    assert "certificates: 1 kept, 3 unused" in shown
    for name in ("test_more/test_gone", "test_other/test_old", "test_deleted/test_x"):
        assert f"unused __certificates__/{name}.cert.json: no test uses it any more; delete it" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ("-k", "kept"),
        ("-m", "not slow"),
        ("--deselect", "test_more.py::test_plain"),
        ("test_more.py::test_kept",),
        ("--maxfail", "5", "test_more.py", "test_bad.py"),
    ],
)
def test_a_partial_run_calls_nothing_unused(pytester: pytest.Pytester, arguments: tuple[str, ...]) -> None:
    pytester.makepyfile(test_more=MORE.replace("PLAIN", "True"), test_bad="def test_bad(): assert False")
    pytester.makeini("[pytest]\nmarkers = slow")
    _shelf(pytester, "test_more/test_kept", "test_more/test_gone")
    assert "unused __cert" not in _run(pytester, *arguments).stdout.str()


def test_a_file_with_a_failed_test_has_no_unused_certificates(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_more=MORE.replace("PLAIN", "False"))
    _shelf(pytester, "test_more/test_kept", "test_more/test_gone")
    assert "unused __cert" not in _run(pytester).stdout.str()
