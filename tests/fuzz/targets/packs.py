"""What comes in packs: kept pictures, bundles of bug reports, copies of saved games, updates with their signatures."""

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from companion.appliance import archive, copies, restoring, signing
from companion.appliance.archive import MANIFEST, manifest_bytes, read_manifest
from companion.appliance.backing_up import back_up
from companion.appliance.layout import Layout
from companion.appliance.tree import name_of
from companion.core import storage
from companion.core.errors import ApplianceError, BundleError
from companion.evidence import pictures
from companion.evidence.bundle_file import Bundle, BundleFrame, bundle_bytes, parse_bundle
from companion.games.journal import parse_journal
from companion.games.match import Match
from companion.games.saved import shelf
from companion.settings import layers
from engine.systems import SYSTEMS
from tests.companion.appliance.machines import make_tree, make_update
from tests.companion.owned import own_rivers
from tests.companion.sample_games import BOARD, BONUSES, played, saved
from tests.fuzz import packs
from tests.fuzz.images import as_picture
from tests.fuzz.spoil import as_text, then
from tests.fuzz.target import Target, Work, hold, hold_again, hold_line, hold_same, named
from tests.fuzz.targets.eye import encoded, table_file
from tests.fuzz.targets.games import game_file
from tests.fuzz.trees import as_json

RESTORING = tuple(f"companion.appliance.{name}" for name in ("copies", "restoring", "kinds", "backing_up"))
READING: dict[str, Any] = {
    "units": {"c4": {"red": {"troop": 2}}},
    "commanders": {"advance:c4": "red"},
    "confidence": {"c4": 0.99},
    "unreadable": ["a1"],
}


def _evidence(folder: Path) -> Work:
    """Pictures beside a game: one that is damaged is passed over."""
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)
    for step in played()[0][:3]:
        hold(match.offer(step).legal, "the recorded game is legal")
    match.close()
    journal: Any = parse_journal(match.path.read_bytes(), "game.jsonl")
    place, name = pictures.folder_of(match.path), pictures.Name("frame", 2, match.mark(2))
    pictures.keep(place, name, encoded(".jpg"), {"first": 1, "areas": {"c4": "differs"}, "reading": READING})
    path = place / name.text

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        found = pictures.frames_beside(match.path, journal)
        for picture in (*found, *pictures.kept_pictures(match, "frame")):
            hold(0 < picture.first <= picture.name.step and min(picture.size_px) >= 0, "a picture of some steps")
            hold(all(isinstance(state, str) for state in picture.areas.values()), "areas with how they looked")
        hold(not pictures.stale(match), "nothing of it is stale")
        return bool(found)

    return Work((path.read_bytes(),), read)


def _bundle(folder: Path) -> Work:
    """Prepare to check that a bundle that is read can be packed again."""
    table, picture = table_file(folder / "home.table").read_bytes(), encoded(".png")
    frames = (BundleFrame(picture, READING), BundleFrame(encoded(".jpg"), READING, READING, 2, READING["units"]))
    own = own_rivers("sengoku-rivers-ana")
    seeds = (
        bundle_bytes(Bundle(BOARD, table, frames, saved(steps=4))),
        bundle_bytes(Bundle(BOARD, table, frames[:1])),
        bundle_bytes(Bundle("sengoku-rivers-ana", table, frames[:1], None, own.encode())),
    )

    def read(data: bytes) -> bool:
        found = parse_bundle(data, "report.zip")
        if len(data) % 3 == 0:
            hold_again(found, lambda: parse_bundle(bundle_bytes(found), "again.zip"), "a bundle packed and read again")
        return True

    return Work(tuple(map(packs.undated, seeds)), read)


# ---- copies -----------------------------------------------------------------------------------


def _retold(data: bytes) -> bytes:
    """Return a copy whose manifest gives the current check value of every file."""
    plain = packs.unpacked(data)
    files = packs.tar_members(plain) if plain is not None else []
    told = next((_object(content) for name, _mode, content in files if name == copies.MANIFEST), {})
    if "files" not in told:
        return data
    others = [file for file in files if file[0] != copies.MANIFEST]
    told["files"] = {name: hashlib.sha256(content).hexdigest() for name, _mode, content in others}
    return packs.packed(packs.tar_of([(copies.MANIFEST, 0o644, json.dumps(told).encode()), *others]))


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _fill(data: Path) -> None:
    """Fill a data folder with one of everything that is copied."""
    (data / "games").mkdir(parents=True, exist_ok=True)
    for system in SYSTEMS:
        game_file(data / "games" / f"{system}.jsonl", system)
    texts = {
        "games/orders.jsonl.undone": "",
        "games/orders.jsonl.clock.json": '{"spent_s": {"red": 3.0}}',
        "games/labels.json": '{"orders.jsonl": "Friday"}',
        "decks/foxes.toml": 'title = "Foxes"\nknown = "owner"\n[cards]\n',
        "tags/sengoku-rivers.toml": "[tags]\n",
    }
    for name, text in texts.items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(text)
    layers.chosen_file().parent.mkdir(parents=True, exist_ok=True)
    layers.chosen_file().write_text('language = "pt_BR"\n')


@cache
def copied() -> bytes:
    """Return a copy of a data folder filled in this way."""
    _fill(storage.data_dir())
    path = back_up(Path("copies"), today=date(2026, 11, 21)).path
    assert path is not None
    return path.read_bytes()


def _put_back(path: Path) -> restoring.Survey:
    """Put a copy back as `gunbai restore` does."""
    with copies.open_copy(path) as file:
        surveyed = restoring.survey(file)
        for line in surveyed.lines:
            hold_line(line, "what is told of a file")
        restoring.restore(file, surveyed)
    return surveyed


def _restore(folder: Path) -> Work:
    """Prepare to check a restored copy: it leaves only known names below the data folder, and the shelf opens."""
    honest = copied()
    path, around = folder / "copy.tar.gz", {entry.name for entry in storage.data_dir().parent.iterdir()}

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        for place in (storage.data_dir(), layers.chosen_file().parent):
            shutil.rmtree(place, ignore_errors=True)
        first, again = _put_back(path), _put_back(path)
        hold(len(first.plans) == len(again.plans), "what was put back is there")
        shelf.saved_games()
        layers.load_sound()
        found = {path.name for path in storage.data_dir().parent.iterdir()}
        hold(found <= around, f"nothing comes to lie beside the data folder: {found - around}")
        return True

    return Work((honest,), read)


# ---- updates ----------------------------------------------------------------------------------


def _renamed(data: bytes) -> bytes:
    """Return an update whose manifest describes every file as it is now, under the name that follows from them."""
    files = packs.tar_members(data)
    told = next((_object(content) for name, _mode, content in files if name == MANIFEST), {})
    if not isinstance(told.get("files"), dict) or not isinstance(told.get("release"), str):
        return data
    contents = {name: (mode, content) for name, mode, content in files}
    told["files"] = {name: _entry(*contents[name], row) for name, row in told["files"].items() if name in contents}
    try:
        manifest = read_manifest(json.dumps(_named(told)).encode())
    except ApplianceError:
        manifest = None
    head = json.dumps(told).encode() if manifest is None else manifest_bytes(manifest)
    return packs.tar_of([(name, mode, head if name == MANIFEST else content) for name, mode, content in files])


def _entry(mode: int, content: bytes, row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    return {
        **row,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "executable": bool(mode & 0o100),
    }


def _named(told: dict[str, Any]) -> dict[str, Any]:
    from companion.appliance.tree import FileEntry

    tree = {
        name.removeprefix("tree/"): FileEntry(row["sha256"], row["size"])
        for name, row in told["files"].items()
        if name.startswith("tree/") and isinstance(row, dict)
    }
    return {**told, "release": name_of(told["release"].partition("-")[0], tree)}


@cache
def update_file(folder: Path) -> Path:
    """Make an update of a small tree and return its path."""
    path = folder / "gunbai.update"
    make_update(make_tree(folder / "tree"), path)
    return path


def _update(folder: Path) -> Work:
    """Prepare to check an update: all is checked before anything is written, and no more is written than it names."""
    honest = update_file(folder).read_bytes()
    path, laid = folder / "given.update", folder / "laid"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        head = archive.verify(path)
        hold_same(archive.read_head(path), head, "the head")
        shutil.rmtree(laid, ignore_errors=True)
        archive.unpack(path, head.manifest, laid / "tree", laid / "wheels")
        written = {str(path.relative_to(laid)) for path in laid.rglob("*") if path.is_file()}
        hold_same(written, set(head.manifest.files), "what was written")
        return True

    return Work((honest,), read)


def _manifest(folder: Path) -> Work:
    honest = archive.read_head(update_file(folder)).data

    def read(data: bytes) -> bool:
        found = read_manifest(data)
        hold_again(found, lambda: read_manifest(manifest_bytes(found)), "a manifest written and read again")
        return True

    return Work((honest,), read)


def _signers(folder: Path) -> Work:
    """Prepare to check the file of update signers: whatever it holds, signatures are always asked for."""
    layout = Layout(folder / "root")
    path = layout.settings / signing.SIGNERS
    path.parent.mkdir(parents=True)

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        hold_same(signing.signers_of(layout), data, "the signers")
        return True

    key = b'gunbai namespaces="gunbai-update" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC8 owner@home\n'
    return Work((key, b"# mine\n\n" + key), read)


TARGETS = named(
    (
        Target("evidence", _evidence, as_picture, (), ("companion.evidence.pictures", "intake.jpeg"), share=0.4),
        Target(
            "bundle",
            _bundle,
            packs.as_zip,
            (BundleError,),
            ("companion.evidence.bundle_file", "companion.evidence.bundle"),
            share=0.15,
        ),
        Target(
            "restore",
            _restore,
            then(packs.as_tar_gz, _retold, 0.7),
            (ApplianceError,),
            RESTORING,
            share=0.15,
            cpu_s=4.0,
        ),
        Target(
            "update",
            _update,
            then(packs.as_tar, _renamed),
            (ApplianceError,),
            ("companion.appliance.archive",),
            share=0.3,
        ),
        Target("signers", _signers, as_text, (ApplianceError,), ("companion.appliance.signing",), share=0.2),
        Target("manifest", _manifest, as_json, (ApplianceError,), ("companion.appliance.archive",)),
    )
)
