"""The log of any system, its chapters, looking back, and taking back."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.games.match import AnyMatch, Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.by_hand import StillByHand
from companion.scenes.review.log import MOST, LogScene, MomentScene, UndoScene
from companion.scenes.story.game_log import (
    MatchLog,
    chosen_lines,
    needs_both,
    redo_lines,
    step_lines,
    steps_left_by_undo,
    take_back,
    visible_count,
    visible_number,
    visible_numbers,
)
from companion.scenes.story.outline import MOST_CARDS, Outline
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui.screen import Choice, Intent, LogTurn, Options, Screen, Text
from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Step
from tests.companion.desk.desk import DeskOf
from tests.companion.plain_tables import PRESENTERS
from tests.companion.play.conftest import Desk
from tests.companion.sample_games import played


def texts(screen: Screen) -> list[str]:
    return [block.text for block in screen.blocks if isinstance(block, Text)]


def test_every_step_that_is_told_stands_once_in_chapters_of_a_turn_or_a_few_short_ones(desk: Desk) -> None:
    game_log = desk.table.game_log
    chapters = game_log.chapters()
    turns = [turn for chapter in chapters for turn in chapter.turns]
    numbers = [entry.number for turn in turns for entry in turn.entries]
    assert numbers == sorted(set(numbers))
    assert set(numbers) >= set(visible_numbers(game_log))
    most = desk.table.presenter.lines_on_card
    assert most is not None
    assert all(turn.faction in desk.table.sides and len(turn.entries) <= most for turn in turns)
    for chapter in chapters:
        places = [(turn.round, turn.number) for turn in chapter.turns]
        assert places == sorted(places)
        assert chapter.title.split()[1] == str(places[0][0])
    assert len(list(step_lines(game_log))) >= len(visible_numbers(game_log))
    by_will, steps = game_log.presenter.by_will, desk.table.match.steps
    assert all(by_will(steps[number - 1]) for number, _text in chosen_lines(game_log))


def test_the_log_leads_to_every_chapter_and_moment(desk: Desk) -> None:
    desk.touch("log")
    chapters = desk.table.game_log.chapters()
    buttons = [button for block in desk.screen.blocks if isinstance(block, Choice) for button in block.buttons]
    chosen = [button.label for button in buttons if button.look == "chosen"]
    assert chosen == ([chapters[-1].title] if len(chapters) > 1 else []), "a single chapter needs no choice"
    desk.touch("page", n=1).touch("round", n=1)
    cards = desk.blocks(LogTurn)
    assert len(cards) == len(chapters[0].turns)
    assert texts(desk.screen) == [desk.table.game_log.start_words()]
    assert desk.screen.page == 0
    desk.app.touch(cards[-1].intent)
    scene = desk.app.scene
    assert isinstance(scene, MomentScene)
    assert scene.number == chapters[0].turns[0].last
    desk.press("Back")
    assert isinstance(desk.app.scene, LogScene)
    desk.press("Undo and redo")
    assert isinstance(desk.app.scene, UndoScene)
    desk.press("Back")
    assert isinstance(desk.app.scene, LogScene)
    assert desk.touch("nothing").app.scene.touch(desk.button("Back").intent) is desk.table


def test_an_empty_log_says_how_the_game_began(at: Callable[[int], Desk]) -> None:
    desk = at(0).touch("log")
    assert texts(desk.screen) == ["Nothing has happened yet.", desk.table.game_log.start_words()]
    assert desk.table.game_log.start_words()


def test_what_is_agreed_and_what_stood_there_before_is_marked(desk: Desk) -> None:
    table = desk.table
    table.match.undo(1)
    agreed = table.presenter.settling_step(table.position, None, "as we said")
    table.match.offer(agreed)
    last = table.game_log.chapters()[-1].turns[-1].entries[-1]
    assert last.number == len(table.match.steps)
    assert last.marks[0] == "agreed"
    assert last.marks[1].startswith("(undone: ")
    assert "as we said" in last.text


# ---- looking back --------------------------------------------------------------------------------


def test_a_moment_is_looked_at_step_by_step(desk: Desk) -> None:
    table = desk.table
    desk.app.scene = MomentScene(table, 3, table)
    assert desk.screen.board == table.presenter.picture(table.match.positions[3])
    assert texts(desk.screen)[0].startswith("Turn 1 – step 3 of ")
    desk.press("Later", "Earlier", "Earlier")
    assert isinstance(desk.app.scene, MomentScene)
    assert desk.app.scene.number < 3
    while desk.button("Earlier").look != "off":
        desk.press("Earlier")
    assert texts(desk.screen)[1:3] == ["The start of the game.", table.game_log.start_words()]
    assert "Why was that allowed?" not in desk.labels
    desk.touch("why").touch("page", n=1)
    assert isinstance(desk.app.scene, MomentScene)
    assert desk.app.scene.page == 1
    desk.app.scene = MomentScene(table, 20, table)
    table.match.undo(len(table.match.steps) - 5)
    assert "step 5 of 5" in texts(desk.screen)[0], "of a game that got shorter, its end"
    desk.press("Back")
    assert desk.at_table


def test_why_a_step_was_allowed_is_shown_where_it_was_taken(desk: Desk) -> None:
    table = desk.table
    desk.app.scene = MomentScene(table, 4, table)
    desk.press("Why was that allowed?")
    scene = desk.app.scene
    assert isinstance(scene, RulingScene)
    assert scene.ruling == table.match.system.examine(table.match.positions[3], table.match.steps[3])
    assert scene.ruling.legal
    assert not scene.may_settle(), "it is about the past"
    desk.press("Back")
    assert isinstance(desk.app.scene, MomentScene)


def test_going_on_from_a_moment_takes_the_rest_back(desk: Desk) -> None:
    table, system = desk.table, desk.system
    desk.app.scene = MomentScene(table, 3, table)
    desk.press("Resume here")
    if PRESENTERS[system].by_chance(table.match.steps[-1], table.match.positions[-2]) or needs_both(table.game_log, 3):
        assert isinstance(desk.app.scene, ConsentScene), "chance had spoken"
        desk.agree()
    assert len(table.match.steps) == 3
    assert desk.at_table


# ---- taking back ---------------------------------------------------------------------------------


def test_steps_are_taken_back_and_done_again_by_name(desk: Desk) -> None:
    table = desk.table
    desk.touch("undo-list")
    before = table.match.steps
    to = visible_numbers(table.game_log)[1] - 1
    asked = needs_both(table.game_log, to)
    desk.touch("undo-to", n=to)
    if asked:
        desk.agree()
        desk.touch("undo-list")
    assert isinstance(desk.app.scene, UndoScene)
    assert len(table.match.steps) == to
    again = redo_lines(table.game_log)
    lists = desk.screen.blocks[1]
    shown = [block for block in getattr(lists, "right", ()) if isinstance(block, Options)]
    assert [block.options[0].text for block in shown] == [text for _n, text in again[:MOST]]
    desk.touch("redo", n=again[-1][0])
    assert table.match.steps == before[: to + again[-1][0]]
    desk.press("All steps")
    assert isinstance(desk.app.scene, LogScene)


def test_dice_are_taken_back_by_both(at: Callable[[int], Desk], system: str) -> None:
    desk = at(44)
    table = desk.table
    asked = take_back(table, 10, table)
    assert isinstance(asked, ConsentScene) == needs_both(table.game_log, 10)
    assert needs_both(table.game_log, 10) == (system == "sonae")
    assert take_back(table, len(table.match.steps), table) is table, "nothing goes"


def test_the_last_step_is_taken_back_at_the_table(at: Callable[[int], Desk]) -> None:
    desk = at(12)
    table = desk.table
    to = steps_left_by_undo(table.game_log)
    asked = needs_both(table.game_log, to)
    desk.touch("undo")
    assert isinstance(desk.app.scene, ConsentScene) == asked
    if asked:
        desk.agree()
    assert len(table.match.steps) == to


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
            assert visible_count(game_log) == len(visible_numbers(MatchLog(match, ORDERS)))
    assert told(game_log) == told(MatchLog(match, ORDERS))
    shown = sorted(visible_numbers(game_log))
    counted = [visible_number(game_log, n) for n in shown]
    assert counted == list(range(1, len(shown) + 1)), "a silent step is counted nowhere"


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


def test_the_log_puts_only_one_chapter_into_words(monkeypatch: pytest.MonkeyPatch, desk_of: DeskOf) -> None:
    desk = desk_of(0)
    for n in range(200):
        desk.match.offer(agreed(n))
    desk.table.refresh()
    worded: list[Step] = []
    real = MatchLog.line_with_effects

    def wording(game_log: MatchLog, step: Step, before: Position, after: Position) -> str:
        worded.append(step)
        return real(game_log, step, before, after)

    monkeypatch.setattr(MatchLog, "line_with_effects", wording)
    desk.touch(Intent("log"))
    assert isinstance(desk.app.scene, LogScene)
    for _look in range(3):
        assert len(desk.blocks(LogTurn)) == 200 % MOST_CARDS
    assert len(worded) <= 2 * MOST_CARDS, "what the table told, and a chapter"
    [choice] = desk.blocks(Choice)
    assert [button.label for button in choice.buttons] == ["Round 1 (5)", "Round 1 (6)", "Round 1 (7)"]


def test_a_battle_or_duel_is_followed_the_same_way(desk: Desk) -> None:
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


def test_what_one_side_does_at_length_is_told_in_parts(desk: Desk) -> None:
    match = desk.table.match
    for n in range(70):
        assert match.offer(desk.table.presenter.settling_step(match.position, None, f"word {n}")).legal
    chapters = desk.table.game_log.chapters()
    assert all(sum(len(turn.entries) for turn in chapter.turns) <= 3 * MOST_CARDS for chapter in chapters)
    assert all(len(chapter.turns) <= MOST_CARDS for chapter in chapters)
    numbers = [entry.number for chapter in chapters for turn in chapter.turns for entry in turn.entries]
    assert numbers == list(range(1, len(match.steps) + 1))
