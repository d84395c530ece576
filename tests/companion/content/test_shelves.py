"""The shelves of owners' boards, decks and battles, their commands, files of strangers, and games that need them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.app import SavedGames
from companion.cli import main
from companion.content.decks import DECKS, deck_toml, save_deck
from companion.content.own_files import OwnFiles
from companion.content.shelves import BATTLES, BOARDS, with_texts
from companion.core.errors import OutputError, OwnFileError
from companion.games.match import open_game
from engine.errors import BadPosition
from engine.sonae.scenario import load_scenario, scenario_names
from engine.systems import system_named
from tests.companion.commands.terminal import Capture, fault
from tests.companion.owned import shelves
from tests.companion.tracing.photos import rivers
from tests.engine.generals.case import deck
from tests.engine.sonae.case import scenario_text

TEXT = scenario_text().replace('known = "practice"', 'known = "owner"')


KINDS: dict[str, tuple[OwnFiles[Any], str, str]] = {
    "boards": (BOARDS, "sengoku-rivers-ana", rivers().text()),
    "decks": (DECKS, "hills", deck_toml(replace(deck(), known="owner"))),
    "battles": (BATTLES, "hills", TEXT),
}


@pytest.fixture(autouse=True)
def _shelves() -> Iterator[None]:
    with shelves():
        yield


@pytest.mark.parametrize("kind", KINDS)
def test_files_come_and_go(kind: str, data: Path) -> None:
    shelf, name, text = KINDS[kind]
    found = shelf.register()
    assert (found.things, found.broken) == ((), ()), "a shelf that is not there is empty"
    file = data / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    shelf.import_file(file)
    assert shelf.names() == (name,)
    with pytest.raises(OwnFileError, match="a file with that name already exists"):
        shelf.import_file(file)
    assert shelf.share(name).read_text(encoding="utf-8") == text
    with pytest.raises(OutputError, match="not a folder"):
        shelf.export(name, file / "inside")
    shelf.delete(name)
    assert shelf.names() == ()
    assert shelf.path_of(name).with_suffix(".toml.gone").is_file()
    with pytest.raises(OwnFileError, match="can't be deleted"):
        shelf.delete(name)


@pytest.mark.parametrize("kind", KINDS)
def test_the_commands(kind: str, data: Path, capsys: Capture) -> None:
    shelf, name, text = KINDS[kind]
    mine = data / f"{name}.toml"
    mine.write_text(text, encoding="utf-8")
    assert main([kind, "--check", str(mine)]) == 0
    assert main([kind, "--add", str(mine)]) == 0
    assert main([kind, "--share", name, "-o", str(data / "copy.toml")]) == 0
    assert (data / "copy.toml").read_text(encoding="utf-8") == text
    assert capsys.readouterr().err == ""
    for refused in (["--add", str(mine)], ["--share", name], ["--check", str(data / "none.toml")], ["--remove", ""]):
        fault(capsys, kind, *refused)
    assert main([kind, "--remove", name]) == 0
    assert not shelf.path_of(name).exists()
    capsys.readouterr()
    fault(capsys, kind, "--remove", name)


def test_battles_are_made_known_and_broken_files_are_told(data: Path, capsys: Capture) -> None:
    folder = data / "scenarios"
    folder.mkdir()
    (folder / "hills.toml").write_text(TEXT)
    (folder / "broken.toml").write_text(TEXT.replace("x = 28\n", "x = 31\n"))
    (folder / "claims.toml").write_text(scenario_text())
    (folder / "maru-shikaku.toml").write_text(TEXT)
    (folder / "noise.toml").write_bytes(b"\xff\xfe")
    known = BATTLES.register()
    assert [battle.name for battle in known.things] == ["hills"]
    assert load_scenario("hills").title == "A field for tests"
    told = {path.name: why for path, why in known.broken}
    assert set(told) == {"broken.toml", "claims.toml", "maru-shikaku.toml", "noise.toml"}
    assert "units.ito-gun: begins off the table, which is 30 by 30" in told["broken.toml"]
    assert told["claims.toml"].endswith('known: a battle of your own is "owner", not "practice"')
    assert "comes with Gunbai" in told["maru-shikaku.toml"]
    assert main(["battles"]) == 0
    out, err = capsys.readouterr()
    assert "hills (A field for tests): Ito (2 divisions) against Oda (2 divisions), 12 units; an owner's" in out
    assert out.count("not read:") == err.count("gunbai:") == 4
    (folder / "hills.toml").unlink()
    BATTLES.register()
    assert scenario_names() == ("maru-shikaku",)


def test_a_changed_deck_leaves_its_games_as_they_are() -> None:
    mine = replace(deck(), name="mine", known="owner")
    save_deck(mine)
    request = {"system": "generals", "decks": {"red": "mine", "black": "practice-wolves"}, "first": "red"}
    match = SavedGames().start(request)
    begun = match.position
    match.close()
    save_deck(replace(mine, title="Another"))
    assert open_game(match.path).position == begun
    DECKS.delete("mine")
    again = SavedGames().open(match.path)
    assert again.position.sides[0].deck.title == mine.title


def test_a_battle_that_is_gone_is_fought_on() -> None:
    BATTLES.save("hills", TEXT)
    match = SavedGames().start({"system": "sonae", "scenario": "hills"})
    match.close()
    BATTLES.delete("hills")
    assert SavedGames().open(match.path).position.scenario.title == "A field for tests"


def test_what_comes_with_gunbai_is_not_brought() -> None:
    request = {"system": "sonae", "scenario": "maru-shikaku"}
    assert with_texts(request) == request
    assert with_texts({"system": "generals", "decks": "none"}) == {"system": "generals", "decks": "none"}


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"system": "sonae", "scenario": "hills", "texts": {"hills": 3}}, "texts.hills: expected a name, not 3"),
        ({"system": "sonae", "scenario": "hills", "texts": {"hills": "title = 3"}}, "scenario: texts.hills: "),
        (
            {"system": "generals", "decks": {"red": "a", "black": "b"}, "first": "red", "texts": {"a": "x"}},
            "decks.red: texts.a: ",
        ),
    ],
)
def test_a_text_that_is_none_is_told(request_: dict[str, object], told: str) -> None:
    with pytest.raises(BadPosition) as caught:
        system_named(request_["system"]).new(request_)
    assert str(caught.value).startswith(told)
