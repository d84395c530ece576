"""Each finding is cited from the section that prints its rule for the action at hand, in every mode and edition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine.errors import BadStep
from engine.orders.game import apply, examine
from engine.orders.mode import rules_of
from engine.orders.position import Next, Position, Stage
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Play, Step
from engine.orders.turn import ready
from engine.ruling import EDITIONS, Citation, Finding, citing
from engine.system import form_finding
from tests import play
from tests.boards.practice import BOARDS
from tests.engine.orders.test_book import PRINTED
from tests.engine.orders.test_spoiled import spoiled
from tests.rulebook import cases_sengoku, cases_wwii
from tests.rulebook.cited import TABLES, Asked, sections

CASES = {"sengoku": cases_sengoku.CASES, "wwii": cases_wwii.CASES}
GAMES = 12


def action_of(position: Position, step: Step) -> str:
    """Return the action that a step is about: the one deployed to, or that of the turn in progress."""
    board = position.board
    if isinstance(step, Deploy):
        return board.space(step.space).action.name if step.space in board.space_index else ""
    turn = ready(position, step).turn
    if turn is None:
        return ""
    if turn.stage is Stage.LOSSES and turn.then is Next.END:
        return "limits"
    return "return" if turn.stage is Stage.RETURN else board.spaces[turn.space].action.name


def asked(position: Position, step: Step, finding: Finding) -> Asked:
    """Return the rule and detail that a finding is about.

    The cards that the players agree on are looked at by copies and as a whole.
    """
    if finding.rule == "agreed.cards":
        return Asked(finding.rule, "" if "all cards" in finding.message else "copies")
    turn = ready(position, step).turn
    if finding.rule == "roll.dice" and turn is not None and turn.again:
        return Asked(finding.rule, "reroll")
    return Asked(finding.rule, action_of(position, step))


def citations(position: Position, step: Step) -> set[tuple[Asked, Citation]]:
    """Where the findings on a step are cited from."""
    return {(asked(position, step, finding), finding.citation) for finding in examine(position, step).findings}


def wrong(book: str, cited: set[tuple[Asked, Citation]]) -> set[tuple[Asked, str]]:
    """Return the citations of a wrong section, in any edition of the book."""
    return {(about, cite) for about, place in cited for cite in unlike(book, about, place)}


def unlike(book: str, about: Asked, place: Citation) -> Iterator[str]:
    (section,) = sections(book, about)
    for edition in EDITIONS:
        with citing(edition):
            if str(place) != printed(book, edition, section):
                yield str(place)


def printed(book: str, edition: str, section: str) -> str:
    """Return a section's heading in an edition; a book of one edition is cited from that one."""
    english = PRINTED[book, "en"]
    return dict(zip(english, PRINTED.get((book, edition), english), strict=True)).get(section, section)


# --- the table --------------------------------------------------------------------------


@pytest.mark.parametrize("book", TABLES)
def test_the_table_has_every_rule_in_one_section_and_sections_that_are_printed(book: str) -> None:
    entries = [entry for line in TABLES[book].values() for entry in line.split()]
    assert len(entries) == len(set(entries))
    assert set(TABLES[book]) <= {*PRINTED[book, "en"], "not printed"}
    names = {entry.partition("@")[0] for entry in entries}
    rules = {*rules_of(book), "step.form"}
    assert {name for name in names if not name.endswith(".*")} <= rules
    alone = {
        "roll.by",
        "roll.dice",
        "roll.both",
        "roll.zone",
        "remove.number",
        "remove.units",
        "place.whole",
    }  # only in an action
    assert {rule for rule in rules if not sections(book, Asked(rule, ""))} == alone & rules


@pytest.mark.parametrize(("book", "rule"), [(book, rule) for book, rules in CASES.items() for rule in rules])
def test_a_rule_is_cited_from_its_section_where_it_is_broken_and_where_it_is_kept(book: str, rule: str) -> None:
    case = CASES[book][rule]
    assert not wrong(book, citations(case.position, case.spoiled))
    if case.sound is not None:
        assert not wrong(book, citations(case.instead or case.position, case.sound))


def test_no_section_is_cited_for_a_step_of_no_form() -> None:
    finding = form_finding(BadStep("x"))
    assert not finding.holds
    assert not wrong("wwii", {(Asked("step.form", ""), finding.citation)})


# --- whole games ------------------------------------------------------------------------


@cache
def walked(board: str) -> set[tuple[Asked, Citation]]:
    """All that is cited in a few games: in their steps, in wrong ones, and in what might be agreed."""
    rng, found = Random(board), set[tuple[Asked, Citation]]()
    for _ in range(GAMES):
        moments = list(play.moments(rng, opening(rng, board)))
        for position, step in moments:
            tried = (other for _, other in (*spoiled(position, step), *rng.sample(moments, 2)))
            for attempt in (step, *tried, *recalled(rng, position, step), *agreed(rng, position)):
                found |= citations(position, attempt)
        found |= citations(apply(*moments[-1]), Pass())
    return found


def opening(rng: Random, board: str) -> Position:
    """Return a random start.

    Now and then most of the deck is spent, or each side has two commanders and a bonus that brings more.
    """
    start = play.opening(rng, BOARDS[board]())
    mode = start.board.mode
    if rng.random() < 0.3:
        deck = [card for card, copies in mode.deck.items() for _ in range(copies)]
        start = replace(start, discard=tuple(deck[2:]))
    if rng.random() < 0.3:
        brings = [token for token in mode.tokens if mode.bonuses[token].verb == "commander"]
        lying = (*brings, *(token for token in start.bonuses if token not in brings))[: len(start.bonuses)]
        start = replace(start, bonuses=lying, commanders_left=(2, 2), standby=(mode.commanders - 2,) * 2)
    return start


def recalled(rng: Random, position: Position, step: Step) -> Iterator[Step]:
    """Yield the same step with units from elsewhere: recalled, needed or not, or moved by a card."""
    area, unit = rng.choice(position.board.areas).name, rng.choice(position.board.mode.units).name
    load = (area, unit, rng.randint(1, 3))
    if isinstance(step, Deploy | Play):
        yield replace(step, recall=(load,))
    if isinstance(step, Play):
        yield replace(step, moves=(load,))


def agreed(rng: Random, position: Position) -> Iterator[Agreed]:
    """Now and then something that the players might agree on, whether the box can hold it or not."""
    board, mode = position.board, position.board.mode
    if rng.random() < 0.1:
        who, unit, card = rng.choice(mode.factions), rng.choice(mode.units).name, rng.choice(sorted(mode.cards))
        yield Agreed(areas=((rng.choice(board.areas).name, ((who, unit, rng.randint(1, 30)),)),))
        yield Agreed(spaces=((rng.choice(board.spaces).name, (who,)),))
        yield Agreed(readings=((rng.choice(sorted(mode.readings)), rng.choice(["other", "default", "third"])),))
        yield Agreed(other=OtherCorrections(discard=(card,) * rng.randint(0, 9)))
        yield Agreed(other=OtherCorrections(dice=rng.randint(0, 20)))
        yield Agreed(other=OtherCorrections(round=rng.randint(0, 6), passed=(who,)))
        yield Agreed(
            other=OtherCorrections(bonuses=tuple((slot, rng.choice([*mode.tokens, "x"])) for slot in board.slots))
        )


EMPTY = "a game that is played ends as a headquarters falls: only a position handed in stands with an empty one"
SELDOM_MET = {
    "sengoku": {
        "extra.standby": "no card of these decks brings an extra commander",
        "card.late": "a second card that joins has to be left in hand when the defender answers",
        "bonus.moment": "an empty area has to bring a token of the right kind back into supply",
        "recall.beyond": "the reserve has to be just short of what a bonus or a card adds, and a unit free elsewhere",
        **dict.fromkeys(("game.headquarters", "game.both-hqs"), EMPTY),
    },
    "wwii": {
        **dict.fromkeys(("game.headquarters", "game.both-hqs"), EMPTY),
        "commander.extra": "the other player has to have passed, and the last card in hand has to be a Blitz",
        "counterattack.space": "the one card that might open a space that is held has no known text",
        "recall.beyond": "the reserve has to be just short of what a bonus or a card adds, and a unit free elsewhere",
        "return.own": "a Signal Unit has to be lost with an empty reserve and two commanders to choose from",
    },
}
"""The rules that a few games may not ask for, with the reason; each is held by its own case above."""


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS)
def test_whatever_comes_up_in_a_game_is_cited_from_its_section(board: str) -> None:
    assert not wrong(BOARDS[board]().mode.rulebook, walked(board))


@pytest.mark.long
@pytest.mark.parametrize("book", TABLES)
def test_every_rule_comes_up_in_these_games_or_cannot(book: str) -> None:
    played = [board for board in BOARDS if BOARDS[board]().mode.rulebook == book]
    met = {about.rule for board in played for about, _ in walked(board)}
    assert set(rules_of(book)) - met <= set(SELDOM_MET[book])


@pytest.mark.long
@pytest.mark.parametrize(
    ("book", "rule", "actions"),
    [
        ("sengoku", "roll.by", "advance sail embark bombard shell siege"),
        ("sengoku", "remove.number", "advance bombard siege limits"),
        ("sengoku", "place.whole", "reinforce embark"),
        ("wwii", "roll.dice", "advance paradrop fly barrage bomb"),
        ("wwii", "roll.by", "advance paradrop fly take_off barrage bomb"),
        ("wwii", "recall.control", "advance paradrop reinforce fly take_off"),
        ("wwii", "reserve.short", "advance reinforce take_off"),
    ],
)
def test_the_games_ask_for_a_rule_in_every_action_that_decides_its_section(book: str, rule: str, actions: str) -> None:
    played = [board for board in BOARDS if BOARDS[board]().mode.rulebook == book]
    assert set(actions.split()) <= {
        about.action for board in played for about, _ in walked(board) if about.rule == rule
    }
