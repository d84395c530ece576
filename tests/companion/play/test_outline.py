"""How a log falls into chapters without a word, and how that keeps up with a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.match import AnyMatch, Match
from companion.scenes.orders.by_hand import StillByHand
from companion.scenes.review.log import LogScene
from companion.scenes.story.game_log import MatchLog, visible, visible_count, visible_number
from companion.scenes.story.outline import MOST_CARDS, Outline
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui.screen import Choice, Intent, LogTurn
from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Step
from tests.companion.desk.desk import Desk, desk_at
from tests.companion.plain_tables import PRESENTERS
from tests.companion.play.conftest import Desk as PlainDesk
from tests.companion.sample_games import played

STEPS = played()[0]


def agreed(n: int) -> Step:
    return Agreed(to_move=("red", "black")[n % 2], note=f"number {n}")


def shape(outline: Outline) -> tuple[object, ...]:
    return tuple(outline.parts), tuple(outline.sections)


def told(game_log: MatchLog) -> list[tuple[str, object]]:
    return [(chapter.title, chapter.turns) for chapter in game_log.chapters()]


def test_an_outline_that_followed_a_game_is_the_one_of_a_fresh_look(match: Match) -> None:
    """Through steps, taking back, doing again and corrections."""
    rng, game_log, by_hand = random.Random(5), MatchLog(match, ORDERS), StillByHand(match)
    for n in range(140):
        if rng.random() < 0.75 or len(match.steps) < 4:
            step = STEPS[len(match.steps)] if len(match.steps) < len(STEPS) else agreed(n)
            if not match.offer(step).legal:
                match.offer(Agreed(other=OtherCorrections(round=rng.randint(1, 4))))
        elif rng.random() < 0.7:
            match.undo(rng.randint(1, min(3, len(match.steps))))
        else:
            match.redo(1)
        if rng.random() < 0.6:
            assert shape(game_log._outline) == shape(MatchLog(match, ORDERS)._outline)
            assert by_hand.names() == StillByHand(match).names()
            assert visible_count(game_log) == len(visible(MatchLog(match, ORDERS)))
    assert told(game_log) == told(MatchLog(match, ORDERS))


def test_a_silent_step_is_counted_nowhere(match: Match) -> None:
    for step in STEPS:
        match.offer(step)
    game_log = MatchLog(match, ORDERS)
    shown = sorted(visible(game_log))
    assert [visible_number(game_log, n) for n in shown] == list(range(1, len(shown) + 1))
    match.undo(len(STEPS) - 5)
    assert visible_count(game_log) == len(visible(game_log))


def test_a_long_round_is_read_in_several_chapters(match: Match) -> None:
    for n in range(2 * MOST_CARDS + 5):
        match.offer(agreed(n))
    game_log = MatchLog(match, ORDERS)
    chapters = game_log.chapters()
    assert [chapter.title for chapter in chapters] == ["Round 1", "Round 1 (2)", "Round 1 (3)"]
    assert [len(chapter.turns) for chapter in chapters] == [MOST_CARDS, MOST_CARDS, 5]
    assert [turn.number for chapter in chapters for turn in chapter.turns] == list(range(1, 2 * MOST_CARDS + 6))
    match.offer(Agreed(other=OtherCorrections(round=2)))
    match.offer(agreed(0))
    assert [chapter.title for chapter in game_log.chapters()][2:] == ["Round 1 (3)", "Round 2"]


def test_the_log_puts_only_one_chapter_into_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk_of: Callable[[int], Desk]
) -> None:
    desk = desk_of(0)
    for n in range(200):
        desk.match.offer(agreed(n))
    desk.table.refresh()
    worded: list[Step] = []
    real = MatchLog.whole

    def wording(game_log: MatchLog, step: Step, before: Position, after: Position) -> str:
        worded.append(step)
        return real(game_log, step, before, after)

    monkeypatch.setattr(MatchLog, "whole", wording)
    desk.touch(Intent("log"))
    assert isinstance(desk.app.scene, LogScene)
    for _look in range(3):
        assert len([block for block in desk.screen.blocks if isinstance(block, LogTurn)]) == 200 % MOST_CARDS
    assert len(worded) <= 2 * MOST_CARDS, "what the table told, and a chapter"
    [choice] = [block for block in desk.screen.blocks if isinstance(block, Choice)]
    assert [button.label for button in choice.buttons] == ["Round 1 (5)", "Round 1 (6)", "Round 1 (7)"]


@pytest.fixture
def desk_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Desk]:
    return lambda steps: desk_at(tmp_path, monkeypatch, steps)


def test_a_battle_or_duel_is_followed_the_same_way(desk: PlainDesk) -> None:
    match: AnyMatch = desk.table.match
    game_log, presenter = desk.table.game_log, PRESENTERS[desk.system]
    steps = list(match.steps)
    for back in (1, 7, 3):
        match.undo(back)
        assert told(game_log) == told(MatchLog(match, presenter))
        for step in steps[len(match.steps) :]:
            match.offer(step)
            assert shape(game_log._outline) == shape(MatchLog(match, presenter)._outline)
    assert told(game_log) == told(MatchLog(match, presenter))


def test_what_one_side_does_at_length_is_told_in_parts(desk: PlainDesk) -> None:
    match = desk.table.match
    for n in range(70):
        assert match.offer(desk.table.presenter.settling_step(match.position, None, f"word {n}")).legal
    chapters = desk.table.game_log.chapters()
    assert all(sum(len(turn.entries) for turn in chapter.turns) <= 3 * MOST_CARDS for chapter in chapters)
    assert all(len(chapter.turns) <= MOST_CARDS for chapter in chapters)
    numbers = [entry.number for chapter in chapters for turn in chapter.turns for entry in turn.entries]
    assert numbers == list(range(1, len(match.steps) + 1))
