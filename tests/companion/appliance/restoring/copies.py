"""Backups as the tests make and change them, strangers' and those of version 0.2."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.appliance import copies, restoring
from companion.appliance.restoring import Survey
from companion.games.saved import shelf, statistics
from tests.companion.appliance.backup.conftest import NEW, PASS, state_of
from tests.companion.tracing.photos import rivers
from tests.engine.sonae.case import scenario_text

SCENARIO = scenario_text().replace('known = "practice"', 'known = "owner"')
NESTED = b"[" * 3000
DIGITS = b"9" * 5000
INDEXES = {f"games/{name}" for name in (shelf.INDEX, statistics.INDEX, f"{shelf.TRASH}/{shelf.INDEX}")}


def kept(folder: Path) -> dict[str, bytes]:
    """Return the files in the folder except pictures and those that are worked out anew."""
    return {name: text for name, text in state_of(folder).items() if name not in INDEXES and ".evidence/" not in name}


def survey(packed_copy: bytes) -> Survey:
    return restoring.survey(io.BytesIO(packed_copy))


def restored(packed_copy: bytes) -> Survey:
    file = io.BytesIO(packed_copy)
    surveyed = restoring.survey(file)
    restoring.restore(file, surveyed)
    return surveyed


def fates(surveyed: Survey) -> dict[str, str]:
    return {plan.name: plan.fate for plan in surveyed.plans}


GAMES = {"games/a.jsonl": NEW + PASS, "games/a.jsonl.undone": b"{}\n", "games/a-2.jsonl": NEW}

DEEP = "games/" + "/".join(["n" * 255] * 20) + ".jsonl"

ODD_NAMES = (
    "games/x.new-\u00b2",
    "games/y.jsonl.new-99999999999999999999",
    "games/x.jsonl.new-1",
    "games/.hidden.jsonl",
    "games/index.json",
    "games/a.jsonl.evidence/turn-0001-3f9a01c2d4e5.jpg",
    "games/sub/a.jsonl",
    "games/Labels.json",
    "games",
    "../evil.jsonl",
    "games/../../evil.jsonl",
    "/etc/evil.jsonl",
    "games//a.jsonl",
    "else/a.toml",
    "boards/Board.toml",
    "boards/a.text",
    "boards/drafts/../a.toml",
    "settings/settings.toml",
    "settings/../chosen.toml",
    "tables/other",
    "games/" + "n" * 240 + ".jsonl",
    DEEP,
)

BOARD = rivers().text().encode()

JUNK: dict[str, tuple[bytes, str]] = {
    "games/a.jsonl": (b"junk", "not JSON"),
    "games/b.jsonl": (b"", "not JSON"),
    "games/c.jsonl": (b'{"do": "odds"}\n', "a saved game starts with"),
    "games/d.jsonl": (b'{"do": ' + DIGITS + b"}\n", "a number beyond 64 bits"),
    "games/e.jsonl": (b'{"do": ' + NESTED, "nested too deeply"),
    "games/f.jsonl": (b"\xff\xfe", "not a text file"),
    "games/g.jsonl": (b'{"do": "new", "a": "' + b"a" * 1_000_000 + b'"}', "longer than"),
    "games/h.jsonl": (b'{"do": [' + b"[]," * 20_000 + b"1]}", "more than 20000 objects and lists on a line"),
    "games/x.jsonl.undone": (b"\x00", "not JSON"),
    "games/x.jsonl.clock.json": (b'{"spent_s": {"red": 1e400}}', "too large a number"),
    "games/y.jsonl.clock.json": (b'{"spent_s": {"red": "a"}}', "not the time that players have used"),
    "games/z.jsonl.clock.json": (b"{}", "not the time that players have used"),
    "games/z.jsonl.hand.json": (b'{"cards": {"ambush": -1}, "discard": []}', "not the cards of a hand"),
    "games/labels.json": (b'{"a.jsonl": ' + DIGITS + b"}", "a number beyond 64 bits"),
    "games/trash/labels.json": (b'{"a.jsonl": 1}', "not a list of game names"),
    "boards/a.toml": (b"a = " + NESTED, "the board: nested too deeply"),
    "boards/b.toml": (b"a = " + DIGITS, "the board: a number with too many digits"),
    "boards/c.toml": (b"a = 1", "the board: "),
    "boards/d.toml": (BOARD, "a file for the board sengoku-rivers-ana must be named sengoku-rivers-ana.toml"),
    "boards/e.toml": (b"a" * 900_000, "too large"),
    "boards/drafts/a/draft.toml": (b"a = 1", "the draft: "),
    "boards/drafts/a/photo.jpg": (b"GIF89a", "not a JPEG file"),
    "boards/drafts/b/photo.jpg": (
        b"\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00",
        "65535x65535 pixels",
    ),
    "decks/a.toml": (b"\xff\xfe", "not a text file"),
    "decks/b.toml": (b"a = 1", "the deck: "),
    "decks/drafts/a.json": (NESTED, "nested too deeply"),
    "decks/drafts/b.json": (b"{}", "not a deck draft"),
    "scenarios/a.toml": (SCENARIO.replace("owner", "practice").encode(), "the battle: known: "),
    "tables/a.table": (b"PK", "not a zip file"),
    "tables/a.table.experience.json": (b"{}", "not a table's experience"),
    "tables/b.table.experience.json": (b'{"table": "a", "experience": "["}', "not JSON"),
    "tables/camera": (b"/etc/passwd", "not a camera number or device"),
    "tags/a.toml": (b"[tags]\na = " + DIGITS, "a number with too many digits"),
    "tags/b.toml": (b"[other]", "not a list of card tags"),
    "tags/c.toml": (b"[tags]\na = 1", "not a list of card tags"),
}


# ---- of any files, with any heads, as strangers may make them --------------------------------------

Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE) -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, "/etc/passwd"
    return info, data


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}


def manifest(files: Mapping[str, bytes]) -> bytes:
    return json.dumps({"what": copies.WHAT, "format": copies.FORMAT, "version": "9", "files": digests(files)}).encode()


def packed(members: Iterable[Member]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), mtime=0)


def copy_of(files: Mapping[str, bytes], *more: Member, named: Mapping[str, bytes] | None = None) -> bytes:
    """Build a copy of these files; more: members behind them; named: what its manifest names besides."""
    whole = {**files, **(named or {})}
    members = [member(copies.MANIFEST, manifest(whole)), *(member(name, data) for name, data in files.items())]
    return packed([*members, *more])


# ---- as version 0.2 wrote and read them ---------------------------------------------------------

NAME = re.compile(r"(?:games|boards|decks|scenarios|tables|tags|settings)(?:/[^/\0.][^/\0]*)+")


def written_by_0_2(files: Mapping[str, bytes]) -> bytes:
    told = {"what": "gunbai backup", "format": 1, "version": "0.2.0", "files": digests(files)}
    whole = {"manifest.json": json.dumps(told, ensure_ascii=False).encode(), **dict(sorted(files.items()))}
    return packed((tarfile.TarInfo(name), data) for name, data in whole.items())


def read_by_0_2(data: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data)), mode="r:") as tar:
        for member in tar:
            assert member.type == tarfile.REGTYPE
            assert member.name == "manifest.json" or NAME.fullmatch(member.name)
            assert member.name not in found
            file = tar.extractfile(member)
            assert file is not None
            found[member.name] = file.read()
    told = json.loads(found.pop("manifest.json"))
    assert (told["what"], told["format"]) == ("gunbai backup", 1)
    assert told["files"] == digests(found)
    return found
