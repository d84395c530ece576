"""The card game told: sentences, status, pictures, the end in figures, questions; and hands that stay hidden."""

from __future__ import annotations

import re

import pytest

from companion.app.app import App
from companion.demo.generals_player import GeneralsPlayer
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.generals.questions import PickScene
from companion.scenes.generals.score import DuelFigures, DuelScoreScene, duel_figures
from companion.scenes.generals.table import DuelTable
from companion.scenes.review.log import LogScene
from companion.text.generals import named_sides, spoken_names, step_question
from companion.ui.screen import Grid, Intent
from companion.ui.table_pictures import DuelPicture, turn_picture
from engine.generals.position import SIDES, Position
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from tests.companion.gallery.rooms.generals import OPENING, agreed
from tests.companion.generals.conftest import Begin
from tests.companion.touching import Hand

LINES: dict[Step, tuple[str, str]] = {
    Deploy("wolf_rider"): ("Bo deploys Wolf Rider, inside its city.", "Can Wolf Rider be deployed?"),
    Equip("great_axe", "pine_wall"): (
        "Bo equips Pine Wall with Great Axe.", "Can Pine Wall be equipped with Great Axe?",
    ),
    Use("snare", "black", "pine_wall", "crane_captain"): (
        "Bo plays Snare: Pine Wall, Crane Captain.", "Can Snare be played?",
    ),
    Use("false_orders", "red", target="pine_wall"): (
        "Ana answers with False Orders: Pine Wall.", "Can False Orders be played?",
    ),
    Activate("pine_wall"): ("Bo: Pine Wall uses its special effect.", "Can Pine Wall use its effect?"),
    Move("pine_wall", "city"): ("Bo: Pine Wall moves; now inside its city.", "Can Pine Wall go into its city?"),
    Attack("pine_wall", "crane_captain"): (
        "Bo: Pine Wall attacks Crane Captain.", "Can Pine Wall attack Crane Captain?",
    ),
    Attack("pine_wall"): ("Bo: Pine Wall attacks Ana's castle.", "Can Pine Wall attack the castle?"),
    End(): ("Bo ends the turn.", "Can the turn end?"),
    Agreed("red", {"hand": 3}, {"crane_captain": None}, ("crane_captain",), "red", "so be it"): (
        "Agreed for Ana: Hand 3, Crane Captain removed, 1 card in the Defeated zone and Ana wins. (so be it)",
        "Can you agree on that?",
    ),
    Agreed("black", generals={"pine_wall": {"acted": True}}): ("Agreed for Bo: Pine Wall.", "Can you agree on that?"),
}  # fmt: skip


@pytest.mark.parametrize("step", LINES, ids=str)
def test_every_step_has_a_sentence_and_a_question(begin: Begin, step: Step) -> None:
    table = begin(*OPENING)
    line, question = LINES[step]
    assert GENERALS.line(step, table.position, table.people) == line
    assert step_question(step, table.position) == question
    assert isinstance(GENERALS.picture(table.position, step), DuelPicture)


def test_how_it_stands_what_is_against_a_step_and_what_would_help(begin: Begin) -> None:
    table = begin(*OPENING)
    position = table.position
    said = "pine_wall already has long_spear, says red's owner"
    assert spoken_names(said, position) == "Pine Wall already has Long Spear, says red's owner"
    assert named_sides("red: it is black's turn", table.people) == "Ana: it is Bo's turn"
    assert GENERALS.message_text("it is not red's turn", position) == "It is not Red's turn."
    assert GENERALS.facts(position, table.people) == "Ana: 41 resources, 2 generals; Bo: 42 resources, 1 general"
    assert GENERALS.start_line(table.match.positions[0]).endswith("Red goes first.")
    assert GENERALS.title(position) == "Generals Order (practice cards)"
    for step, help_ in (
        (Move("pine_wall", "siege"), "You need 1 more general outside your city."),
        (Attack("pine_wall", "crane_scout"), "Move to Crane Scout's zone first."),
        (Deploy("wolf_lord"), "You need 1 more card."),
    ):
        assert GENERALS.remedies(position, step, table.match.judge(step)) == (help_,)


def test_the_battlefield_from_the_other_side(begin: Begin) -> None:
    picture = GENERALS.picture(begin(*OPENING).position)
    other = turn_picture(picture)
    assert [zone.name for zone in other.zones] == ["red/city", "red/outside", "black/outside", "black/city"]
    assert (other.seats, other.piles[0]) == (("black", "red"), picture.piles[1])
    assert turn_picture(other) == picture


def test_generals_show_what_they_have_done(begin: Begin) -> None:
    picture = GENERALS.picture(begin(*OPENING[:-1]).position)
    cards = {card.label: card for zone in picture.zones for card in zone.cards}
    assert cards["crane_captain"].states == ("acted",)
    assert cards["crane_captain"].worn == ("item",)
    assert cards["crane_scout"].states == ()  # it is swift
    assert cards["pine_wall"].more == (1, 0)
    for general, told in (("red/crane_captain", "already moved or attacked"), ("red/crane_scout", "can act")):
        meaning = GENERALS.meaning(f"general:{general}", picture)
        assert meaning is not None
        assert meaning.text.endswith(f"This turn: {told}.")


# ---- hidden hands -----------------------------------------------------------------------------------------


def shown(position: Position) -> set[str]:
    """Titles of the cards that everybody has seen."""
    return {side.deck.cards[name].title for side in position.sides for name in side.known()}


def hidden(position: Position) -> set[str]:
    """Titles of cards that nobody has seen yet."""
    return {card.title for side in position.sides for card in side.deck.cards.values()} - shown(position)


def texts(table: DuelTable) -> str:
    """All that the table, its log and its pictures tell."""
    log = [
        GENERALS.line(step, before, table.people)
        for step, before in zip(table.match.steps, table.match.positions, strict=False)
    ]
    screens = [table.show(), *(table.show_to(seat) for seat in SIDES)]
    return "\n".join([*log, *(repr(screen) for screen in screens), GENERALS.facts(table.position, table.people)])


def test_no_card_is_named_before_it_is_played_nor_kept_in_the_saved_game(begin: Begin) -> None:
    table, player = begin(), GeneralsPlayer(3)
    for _turn in range(24):
        step = player.step(table.position)
        if step is None:
            break
        table.offer(step)
        table.refresh()
        told = texts(table)
        assert [title for title in hidden(table.position) if re.search(rf"\b{title}\b", told)] == []
    assert len(shown(table.position)) > 3
    table.match.close()
    saved = table.match.path.read_text(encoding="utf-8")
    unseen = {name for side in table.position.sides for name in side.deck.cards if not side.known()[name]}
    assert unseen
    assert [name for name in unseen if f'"{name}"' in saved] == []


# ---- the end, questions, the log --------------------------------------------------------------------------


def test_the_end_says_who_and_why(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    app.touch(Intent("score"))
    assert isinstance(app.scene, DuelScoreScene)
    assert "Bo to move" in hand.text()
    hand.press("Back")
    table.offer(agreed(table.position, "black", 0))
    app.scene = table.offer(End()) or table
    app.touch(Intent("score"))
    assert "Bo: too few resource cards for the upkeep (Winning Criteria 3)." in hand.text()
    hand.press("Score", "Statistics")
    (grid,) = hand.blocks(Grid)
    assert ("Generals deployed", "2", "1") in grid.rows
    hand.press("Back", "Home")
    assert app.scene is app.home
    table = begin(*OPENING)
    table.match.offer(Agreed("red", winner="black", note=""))
    app.scene = table.score()
    assert "Agreed by the players." in hand.text()


def test_the_game_in_figures(begin: Begin) -> None:
    match = begin(*OPENING, Attack("pine_wall", "crane_captain"), End(), Attack("crane_captain"), End()).match
    assert duel_figures(match.steps, match.positions, 0) == DuelFigures(
        deployed=2, moves=1, attacks=1, used=0, defeated=0, damage=6, upkeep=5, most=2
    )
    assert duel_figures(match.steps, match.positions, 1).attacks == 1


def test_questions_are_answered_by_the_rules(app: App, hand: Hand, begin: Begin) -> None:
    begin(*OPENING)
    app.touch(Intent("dispute"))
    hand.press("What can this general do?")
    assert isinstance(app.scene, PickScene)
    hand.press("Pine Wall").press("Can Pine Wall attack the castle?")
    assert isinstance(app.scene, RulingScene)
    for _back in range(3):
        hand.press("Back")
    hand.press("How strong is this general?", "Crane Captain")
    assert "6 military, 2 intelligence." in str(app.screen().blocks)
    hand.press("Back").press("Back").press("What does this card cost?", "Wolf Rider")
    assert "Wolf Rider costs 2 now." in str(app.screen().blocks)
    hand.press("Rules")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (0, "4 against 6: Pine Wall is defeated."),
        (2, "6 against 6: Both are defeated."),
        (3, "7 against 6: Crane Captain is defeated."),
    ],
)
def test_who_wins_a_fight(app: App, hand: Hand, begin: Begin, more: int, told: str) -> None:
    begin(*OPENING, Agreed("black", generals={"pine_wall": {"military": more}}))
    app.touch(Intent("dispute"))
    hand.press("Who wins this fight?").press("Pine Wall").press("Crane Captain")
    assert isinstance(app.scene, RulingScene)
    assert told in str(app.screen().blocks)
    assert "Crane Captain: +4, Crane Captain" in str(app.screen().blocks)


def test_questions_before_anybody_stands_there_and_the_log_after(app: App, hand: Hand, begin: Begin) -> None:
    begin()
    app.touch(Intent("dispute"))
    assert [button.label for button in hand.all_buttons() if "general" in button.label] == []
    hand.press("What does this card cost?")
    app.touch(Intent("pick", "", 99))
    assert isinstance(app.scene, PickScene)
    begin(*OPENING)
    app.touch(Intent("log"))
    assert isinstance(app.scene, LogScene)
    assert "Ana equips Crane Captain with Long Spear." in repr(app.screen().blocks)
