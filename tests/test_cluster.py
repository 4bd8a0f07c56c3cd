"""On a cluster: the same verdicts and the same certificate bytes as here, and nothing lost when a worker dies."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
from flint import fmpq, fmpz_mat

from certify.certificates.covariance import DesignTask, bracket_gap, design_covariance
from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.codec import Malformed
from certify.checker.domains import FiniteDomain
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.guarantees import ZCDP
from certify.checker.kernel import check, silent
from certify.checker.pairs import PairMaximum, largest_over_every_pair, largest_over_pairs
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser, Neighbours
from certify.checker.verdict import Status, Verdict
from certify.cluster import workers
from certify.cluster.checking import InBlocks, check_all
from certify.cluster.workers import Cluster, connected
from certify.solvers import pair_search
from certify.solvers.problem import ignore_progress
from certify.solvers.select import backend_by_name
from certify.solvers.workers import HERE, Workers
from tests.checker.examples import claim_of, claim_with

pytestmark = pytest.mark.xdist_group("cluster")

GAP = 1e-9


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    pytest.importorskip("distributed")
    with connected(None, processes=2) as client:
        yield client


def cloud(rows: int, columns: int, seed: int) -> Matrix:
    source = random.Random(seed)  # noqa: S311 (reproducible test data)
    return matrix(fmpz_mat(rows, columns, [source.randrange(-99, 100) for _ in range(rows * columns)]), 16)


def told(outcome: Verdict | Malformed) -> Verdict | str:
    return str(outcome) if isinstance(outcome, Malformed) else outcome


def form_of(points: Matrix, form: Matrix, pair: tuple[int, int]) -> fmpq:
    every = range(points.columns)
    step = points.select([pair[0]], every) - points.select([pair[1]], every)
    return (step @ form @ step.transpose()).entry(0, 0)


def design_with(runner: Workers, records: Matrix) -> bytes:
    release = IdealDenoiser(FiniteDomain(records, None), UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)
    task = DesignTask(release, ZCDP(fmpq(1, 2)), identity(records.columns), fmpq(0))
    certificate = design_covariance(task, backend_by_name("auto", runner), GAP, ignore_progress).certificate
    assert check(certificate).status is Status.PROVED
    assert bracket_gap(certificate) <= fmpq(1, 10**9)
    return write_certificate(certificate)


def test_a_cluster_writes_the_same_certificate(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_search, "TILE", 20_000)
    done: list[int] = []
    records = cloud(1500, 4, 2)
    assert design_with(Cluster(client, done.append), records) == design_with(HERE, records)
    assert max(done) > 5


@pytest.mark.parametrize("block_rows", [3, 50, 1000])
def test_blocks_find_the_exact_maximum_over_all_pairs(block_rows: int) -> None:
    points, form = cloud(200, 3, 3), Matrix(fmpz_mat([[5, 2, 0], [2, 3, 1], [0, 1, 4]]), fmpq(7).p)
    found = largest_over_pairs(points, form, silent, exhaustive=True)
    assert found is not None
    spread = InBlocks(HERE, block_rows)(points, form, silent)
    assert spread is not None
    assert spread.value == found.value
    assert form_of(points, form, spread.pair) == found.value


def test_one_record_has_no_pair() -> None:
    assert InBlocks(HERE)(cloud(1, 3, 4), identity(3), silent) is None


def test_records_that_are_all_alike_have_a_pair_of_form_zero() -> None:
    points = matrix(fmpz_mat([[1, 2]] * 5))
    assert InBlocks(HERE, 2)(points, identity(2), silent) == PairMaximum(fmpq(0), (0, 1))


def test_a_cluster_finds_the_exact_maximum_over_all_pairs(client: Any) -> None:
    points = cloud(300, 3, 5)
    here, there = (InBlocks(each, 40)(points, identity(3), silent) for each in (HERE, Cluster(client)))
    assert here == there


def test_the_kernel_gives_the_same_verdict_with_the_pairs_on_a_cluster(client: Any) -> None:
    certificate = read_certificate(design_with(HERE, cloud(120, 3, 7)))
    assert check(certificate, silent, InBlocks(Cluster(client), 25)) == check(certificate)
    short = claim_with(certificate, covariance=claim_of(certificate).covariance.scaled(fmpq(99, 100)))
    for largest in (largest_over_pairs, largest_over_every_pair, InBlocks(Cluster(client), 25)):
        assert check(short, silent, largest).status is Status.REJECTED


def test_a_shared_value_is_sent_once_for_all_runs(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    scatter = client.scatter

    def counted(given: list[Any], **options: Any) -> Any:
        sent.append(given)
        return scatter(given, **options)

    monkeypatch.setattr(client, "scatter", counted)
    cluster = Cluster(client)
    assert InBlocks(cluster, 40)(cloud(300, 3, 5), identity(3), silent) is not None
    assert len(sent) == 1
    assert list(cluster.run(max, 3, [1, 5])) == [3, 5]
    assert len(sent) == 2


class Killer:
    """Kills one worker when a few tasks are done."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._victim: int = next(iter(client.run(os.getpid).values()))
        self._killed = False

    def __call__(self, finished: int) -> None:
        if finished == 3 and not self._killed:
            self._killed = True
            os.kill(self._victim, signal.SIGKILL)

    def require_death(self) -> None:
        assert self._killed
        self._client.wait_for_workers(2, timeout=30)
        assert self._victim not in self._client.run(os.getpid).values()


def test_a_worker_killed_in_the_middle_of_a_design_loses_nothing(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_search, "TILE", 20_000)
    records, killer = cloud(1500, 4, 8), Killer(client)
    assert design_with(Cluster(client, killer), records) == design_with(HERE, records)
    killer.require_death()


def test_a_worker_killed_in_the_middle_of_a_check_loses_nothing(client: Any) -> None:
    good, killer = design_with(HERE, cloud(160, 3, 6)), Killer(client)
    files = [good, b"{}", good.replace(b'"upper": "', b'"upper": "-', 1)] * 15
    outcomes = check_all(files, Cluster(client, killer))
    killer.require_death()
    assert list(map(told, outcomes)) == list(map(told, check_all(files, HERE)))
    proved, malformed, other = outcomes[:3]
    assert isinstance(proved, Verdict)
    assert proved == check(read_certificate(good))
    assert proved.status is Status.PROVED
    assert isinstance(malformed, Malformed)
    assert isinstance(other, Malformed) or other.status is Status.REJECTED


def test_workers_of_another_version_are_refused(client: Any) -> None:
    workers._require_workers(client, version("certify"))
    with pytest.raises(workers.SchedulerError, match=r"this is certify 0\.0\.0"):
        workers._require_workers(client, "0.0.0")
