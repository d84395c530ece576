"""Owners' battles of Sonae: their shelf, its command, files of strangers; and games that bring such files along."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import SavedGames
from companion.cli import main
from companion.content.decks import DECKS, save_deck
from companion.content.shelves import BATTLES, with_texts
from companion.games.match import open_game
from engine.errors import BadPosition
from engine.sonae.scenario import load_scenario, scenario_names
from engine.systems import system_named
from tests.companion.commands.terminal import Capture
from tests.engine.generals.case import deck
from tests.engine.sonae.case import scenario_text

TEXT = scenario_text().replace('known = "practice"', 'known = "owner"')


def test_a_shelf_that_is_not_there_is_empty() -> None:
    assert BATTLES.register().things == ()


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


def test_the_command(data: Path, capsys: Capture) -> None:
    mine = data / "hills.toml"
    mine.write_text(TEXT)
    assert main(["battles", "--check", str(mine)]) == 0
    assert main(["battles", "--add", str(mine)]) == 0
    assert main(["battles", "--add", str(mine)]) == 2
    assert main(["battles", "--share", "hills", "-o", str(data / "copy.toml")]) == 0
    assert (data / "copy.toml").read_text() == TEXT
    assert main(["battles", "--share", "hills"]) == 2
    assert main(["battles", "--remove", "hills"]) == 0
    assert main(["battles", "--remove", "hills"]) == 2
    assert not BATTLES.path_of("hills").exists()
    mine.write_text(TEXT.replace('kind = "hill"', 'kind = "moat"').replace("[types.normal]\n", ""))
    assert main(["battles", "--check", str(mine)]) == 2
    assert "ground.hill.kind: 'moat' is none of" in capsys.readouterr().err


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
