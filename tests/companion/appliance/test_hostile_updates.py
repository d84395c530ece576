"""Update files that mean harm: each ends in one line, soon and in little memory, and nothing has changed."""

import io
import json
import os
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.appliance import archive
from companion.cli import main
from tests.companion.appliance.installing.rehearsal import install, state_of
from tests.companion.appliance.machines import HERE, Rehearsed

MOST_MEMORY = 100_000_000


def head(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def member(name: str, data: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    return head(name, len(data), kind) + data + bytes(-len(data) % 512)


def with_manifest(text: bytes) -> bytes:
    return member("manifest.json", text) + member("manifest.json.sig", b"") + bytes(1024)


def told(**changed: object) -> bytes:
    """Build a manifest in which almost nothing is wrong."""
    files = {"tree/a": {"sha256": "0" * 64, "size": 1, "executable": False}}
    value = {"what": archive.WHAT, "format": 1, "release": "1.1.0-0123456789", "runs_on": [HERE], "files": files}
    return with_manifest(json.dumps({**value, **changed}).encode())


def many(count: int) -> dict[str, object]:
    return {f"tree/{number}": {"sha256": "0" * 64, "size": 0, "executable": False} for number in range(count)}


def with_number(digits: str) -> bytes:
    return told(build=-7).replace(b"-7", digits.encode())


PARTICULARS = member("x", b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n", tarfile.XHDTYPE)
HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "noughts": lambda: bytes(100_000),
    "a member of more than any disk": lambda: head("manifest.json", 2**62),
    "a member of less than nothing": lambda: head("manifest.json")[:124] + b"\xff" * 12 + head("manifest.json")[136:],
    "particulars of 8 GB": lambda: head("x", 2**33, tarfile.XHDTYPE) + bytes(10_000),
    "common particulars of 8 GB": lambda: head("x", 2**33, tarfile.XGLTYPE) + bytes(10_000),
    "a name of 8 GB": lambda: head("x", 2**33, tarfile.GNUTYPE_LONGNAME) + bytes(10_000),
    "heads before heads": lambda: member("x", b"10 a=bcde\n", tarfile.XHDTYPE) * 5000,
    "names before names": lambda: member("x", b"a", tarfile.GNUTYPE_LONGNAME) * 5000,
    "endless holes": lambda: PARTICULARS + member("manifest.json", b"900000\n" + b"1\n" * 1_800_000),
    "a manifest of 9 MB": lambda: with_manifest(b"[" + b"0," * 4_500_000 + b"0]"),
    "a manifest of noughts": lambda: with_manifest(b"[" + b"0," * 400_000 + b"0]"),
    "a manifest of words": lambda: with_manifest(b"[" + b'"a",' * 1_900_000 + b"0]"),
    "a manifest of fractions": lambda: with_manifest(b"[" + b"0.1," * 1_900_000 + b"0]"),
    "a manifest of lists": lambda: with_manifest(b"[" + b"[]," * 2_600_000 + b"0]"),
    "a deep manifest": lambda: with_manifest(b"[" * 100_000),
    "a manifest deep in objects": lambda: with_manifest(b'{"a":' * 100_000),
    "a number of 5,000 digits": lambda: with_number("9" * 5000),
    "a number beyond any": lambda: with_number("1e400"),
    "no number": lambda: with_number("NaN"),
    "a build below nothing": lambda: told(build=-1),
    "a build in words": lambda: told(build="now"),
    "a true build": lambda: told(build=True),
    "a version of 5,000 digits": lambda: told(release=f"{'9' * 5000}.0.0-0123456789"),
    "a version in other digits": lambda: told(release="١.٠.٠-0123456789"),
    "half a character": lambda: told(release="\ud800"),
    "a form that goes on and on": lambda: told(format="9" * 1_000_000),
    "escapes in what it runs on": lambda: told(runs_on=["\x1b]0;gone\x07 3.11"]),
    "endlessly much to run on": lambda: told(runs_on=[HERE] * 100_000),
    "a long path": lambda: told(files={"tree/" + "a" * 100_000: {}}),
    "an odd path": lambda: told(files={"tree/\x1b[2J\n": {}}),
    "a deep path": lambda: told(files={"tree" + "/a" * 100_000: {}}),
    "many files": lambda: told(files=many(20_001)),
    "a file of a sum": lambda: told(files={"tree/a": {"sha256": "0" * 64, "size": 10**30, "executable": False}}),
    "not text": lambda: with_manifest(b"\xff\xfe\x00"),
    "a signature of 9 MB": lambda: member("manifest.json", b"{}") + member("manifest.json.sig", bytes(9_000_000)),
}


@pytest.fixture
def installed(host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the root of a machine with 1.0.0 on it, on which commands run as root."""
    install(host)
    capsys.readouterr()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return host.layout.root


def refused_in_one_line(root: Path, name: str, capsys: pytest.CaptureFixture[str]) -> str:
    before = state_of(root)
    tracemalloc.start()
    try:
        assert main(["update", "--yes", "--root", str(root), name]) == 2
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[:8]) == ("", 1, "gunbai: ")
    assert err.rstrip("\n").isprintable()
    assert len(err) < 400
    assert state_of(root) == before
    return err


@pytest.mark.long
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_update_ends_in_one_line(
    installed: Path, case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hostile.update"
    path.write_bytes(HOSTILE[case]())
    assert str(path) in refused_in_one_line(installed, str(path), capsys)


def test_what_is_no_file_is_not_waited_for(installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero"), tmp_path / "missing"):
        refused_in_one_line(installed, str(path), capsys)


def test_a_file_of_a_terabyte_is_not_read(installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large.update"
    path.write_bytes(told())
    os.truncate(path, 10**12)
    assert "1.1.0" not in refused_in_one_line(installed, str(path), capsys)


def test_members_without_end_are_not_collected(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.BytesIO()
    out.write(told()[:-1024])
    out.write(head("tree/a") * 100_000)
    path = tmp_path / "many.update"
    path.write_bytes(out.getvalue())
    refused_in_one_line(installed, str(path), capsys)
