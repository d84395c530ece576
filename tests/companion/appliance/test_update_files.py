"""Update files that are damaged, cut, for others, or mean harm: each ends in one line, and nothing has changed."""

import io
import json
import os
import random
import tarfile
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.appliance import archive
from companion.core.errors import ApplianceError
from tests.companion.appliance.machines import (
    HERE,
    Rehearsed,
    make_update,
    refused,
    state_of,
)
from tests.companion.commands.terminal import Capture, fault

Edit = Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]


def changed(path: Path, edit: Edit) -> Path:
    """Write a copy of the update with its members edited; return its path."""
    with tarfile.open(path) as tar:
        members = [(member, _bytes(tar, member)) for member in tar]
    edit(members)
    target = path.with_name("changed.update")
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        for member, data in members:
            member.size = len(data) if member.isreg() else 0
            tar.addfile(member, io.BytesIO(data))
    return target


def _bytes(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None
    return file.read()


def retold(path: Path, edit: Callable[[dict[str, Any]], None]) -> Path:
    """Write a copy of the update with its manifest edited; return its path."""

    def rewrite(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        value = json.loads(members[0][1])
        edit(value)
        members[0] = (members[0][0], json.dumps(value).encode())

    return changed(path, rewrite)


def add(name: str, kind: bytes = tarfile.REGTYPE, mode: int = 0o644, link: str = "") -> Edit:
    def edit(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.mode, member.linkname = kind, mode, link
        members.append((member, b"" if kind != tarfile.REGTYPE else b"evil"))

    return edit


def turn(kind: bytes, link: str = "/etc/passwd", mode: int = 0o755) -> Edit:
    """Turn the program itself into something else."""

    def edit(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member, data = next(member for member in members if member[0].name == "tree/gunbai")
        member.type, member.linkname, member.mode = kind, link, mode
        assert data

    return edit


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (add("tree/extra.py"), "doesn't list: 'tree/extra.py'"),
        (add("../evil"), "doesn't list: '../evil'"),
        (add("/etc/evil"), "doesn't list"),
        (add("tree/evil", tarfile.SYMTYPE, link="/etc"), "doesn't list"),
        (turn(tarfile.SYMTYPE), "isn't a plain file: 'tree/gunbai'"),
        (turn(tarfile.LNKTYPE, "tree/LICENSE"), "isn't a plain file"),
        (turn(tarfile.CHRTYPE), "isn't a plain file"),
        (turn(tarfile.FIFOTYPE), "isn't a plain file"),
        (turn(tarfile.DIRTYPE), "isn't a plain file"),
        (turn(tarfile.REGTYPE, "", 0o4755), "more rights"),
        (turn(tarfile.REGTYPE, "", 0o777), "more rights"),
        (lambda members: members.append(members[-1]), "doesn't list"),
        (lambda members: members.__delitem__(-1), r"cut off: .* is missing \(1 in all\)"),
        (lambda members: members.__delitem__(0), "not a Gunbai update"),
        (lambda members: members.__delitem__(1), "not a Gunbai update"),
        (lambda members: members.__setitem__(-1, (members[-1][0], b"other")), "damaged: .* isn't the size"),
        (
            lambda members: members.__setitem__(-1, (members[-1][0], bytes(reversed(members[-1][1])))),
            "damaged: .* not as it was packed",
        ),
    ],
)
def test_a_malicious_or_damaged_file_is_refused(installed: Rehearsed, newer: Path, edit: Edit, why: str) -> None:
    refused(installed, changed(newer, edit), why)


def rename_file(old: str, new: str) -> Callable[[dict[str, Any]], None]:
    def edit(value: dict[str, Any]) -> None:
        value["files"][new] = value["files"].pop(old)

    return edit


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda value: value.update(what="cake"), "not a Gunbai update"),
        (lambda value: value.update(format=2), "another form"),
        (lambda value: value.update(release="../../etc"), "names no release"),
        (lambda value: value.update(release=7), "names no release"),
        (lambda value: value.update(release="1.1.0-0123456789"), "its name doesn't match its files"),
        (lambda value: value.update(runs_on="x"), "what it runs on"),
        (lambda value: value.update(files={}), "names no files"),
        (lambda value: value["files"].update({"tree/gunbai": {}}), "nothing sensible about tree/gunbai"),
        (lambda value: value["files"]["tree/gunbai"].update(size=-1), "nothing sensible"),
        (lambda value: value["files"]["tree/gunbai"].update(sha256="0" * 63), "nothing sensible"),
        (lambda value: value["files"]["tree/gunbai"].update(size=2_000_000_000), "too large for"),
        (rename_file("tree/LICENSE", "tree/../../LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "/etc/LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "tree//LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "tree/a\nb"), "a path that no update has"),
        (rename_file("tree/LICENSE", "else/LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "tree/gunbai/x"), "both as a file and as a folder"),
    ],
)
def test_a_manifest_is_read_strictly(
    installed: Rehearsed, newer: Path, edit: Callable[[dict[str, Any]], None], why: str, tmp_path: Path
) -> None:
    tree = tmp_path / "newer"
    (tree / "LICENSE").write_text("free")
    newer.unlink()
    make_update(tree, newer)
    refused(installed, retold(newer, edit), why)


def test_whatever_is_cut_or_changed_is_refused(installed: Rehearsed, newer: Path, tmp_path: Path) -> None:
    data, chance = newer.read_bytes(), random.Random(6)
    whole = archive.verify(newer)
    for number in range(150):
        broken = bytearray(data)
        if number % 3 == 0:
            broken = broken[: chance.randrange(len(broken))]
        else:
            for _byte in range(chance.choice((1, 20, 500))):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
        path = tmp_path / "broken.update"
        path.write_bytes(broken)
        with suppress(ApplianceError):  # a byte between the members, or of a time, is one that nothing depends on
            assert archive.verify(path) == whole


def test_a_bomb_in_the_manifest_is_refused(installed: Rehearsed, tmp_path: Path) -> None:
    for text in (b"[" * 100_000, b"{}", b"null", b'{"what": "gunbai update"}', b"\xff\xfe"):
        path = tmp_path / "bomb.update"
        with tarfile.open(path, "w") as tar:
            member = tarfile.TarInfo("manifest.json")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
        refused(installed, path, ".")


def test_a_manifest_is_read_as_it_was_written(newer: Path) -> None:
    head = archive.read_head(newer)
    assert archive.read_manifest(archive.manifest_bytes(head.manifest)) == head.manifest
    assert head.data == archive.manifest_bytes(head.manifest)


# ---- that mean harm -------------------------------------------------------------------------------------------------

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
def as_root(installed: Rehearsed, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Path:
    """Return the root of a machine with 1.0.0 on it, on which commands run as root."""
    capsys.readouterr()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return installed.layout.root


def refused_in_one_line(root: Path, name: str, capsys: Capture) -> str:
    before = state_of(root)
    tracemalloc.start()
    try:
        told = fault(capsys, "update", "--yes", "--root", str(root), name)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert told.isprintable()
    assert len(told) < 400
    assert state_of(root) == before
    return told


@pytest.mark.long
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_update_ends_in_one_line(as_root: Path, case: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "hostile.update"
    path.write_bytes(HOSTILE[case]())
    assert str(path) in refused_in_one_line(as_root, str(path), capsys)


def test_what_is_no_file_is_not_waited_for(as_root: Path, tmp_path: Path, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text").write_text("hello\n" * 1000)
    for path in (*(tmp_path / name for name in ("pipe", "text", "missing")), tmp_path, Path("/dev/zero")):
        refused_in_one_line(as_root, str(path), capsys)


def test_a_file_of_a_terabyte_is_not_read(as_root: Path, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "large.update"
    path.write_bytes(told())
    os.truncate(path, 10**12)
    assert "1.1.0" not in refused_in_one_line(as_root, str(path), capsys)


def test_members_without_end_are_not_collected(as_root: Path, tmp_path: Path, capsys: Capture) -> None:
    out = io.BytesIO()
    out.write(told()[:-1024])
    out.write(head("tree/a") * 100_000)
    path = tmp_path / "many.update"
    path.write_bytes(out.getvalue())
    refused_in_one_line(as_root, str(path), capsys)
