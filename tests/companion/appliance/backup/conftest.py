"""A household whose games are copied."""

from pathlib import Path

import pytest

from companion.settings import layers
from tests.companion.appliance.backup.copying import NEW, PASS
from tests.companion.appliance.household import put


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder with a game, the files beside it, a board, a table, tags and choices."""
    folder = tmp_path / "data"
    monkeypatch.setenv("GUNBAI_DATA", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    for name, text in {
        "games/a.jsonl": NEW + PASS,
        "games/a.jsonl.undone": b"{}\n",
        "games/a.jsonl.clock.json": b"{}",
        "games/trash/b.jsonl": NEW,
        "games/labels.json": b"{}",
        "boards/own.text": b"x",
        "decks/foxes.text": b"d",
        "decks/drafts/owls.json": b"{}",
        "scenarios/ford.text": b"s",
        "tables/sengoku-rivers.table": b"\x00table",
        "tags/sengoku.toml": b"",
    }.items():
        put(folder / name, text)
    put(layers.chosen_file(), b'language = "pt_BR"\n')
    return folder
