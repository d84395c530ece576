"""The log of any system, looking back, and taking back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import MatchError
from companion.games.match import GameSession
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.moment import MomentScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.review.log import MOST, LogScene, UndoScene
from companion.scenes.story.game_log import (
    asks_both,
    chosen_lines,
    redo_lines,
    step_lines,
    steps_left_by_undo,
    take_back,
    visible,
)
from companion.ui.screen import Choice, LogTurn, Options, Screen, Text
from tests.companion.plain_tables import PRESENTERS
from tests.companion.play.conftest import Desk


def texts(screen: Screen) -> list[str]:
    return [block.text for block in screen.blocks if isinstance(block, Text)]


def test_every_step_that_is_told_stands_in_the_log_once(desk: Desk) -> None:
    game_log = desk.table.game_log
    turns = [turn for chapter in game_log.chapters() for turn in chapter.turns]
    numbers = [entry.number for turn in turns for entry in turn.entries]
    assert numbers == sorted(set(numbers))
    assert set(numbers) >= set(visible(game_log))
    most = desk.table.presenter.lines_on_card
    assert most is not None
    assert all(turn.faction in desk.table.sides and len(turn.entries) <= most for turn in turns)


def test_a_chapter_is_a_turn_or_a_few_short_ones(desk: Desk) -> None:
    chapters = desk.table.game_log.chapters()
    for chapter in chapters:
        rounds = [turn.round for turn in chapter.turns]
        assert rounds == sorted(rounds)
        assert chapter.title.split()[1] == str(rounds[0])
        numbers = [turn.number for turn in chapter.turns]
        assert numbers == sorted(numbers)


def test_the_log_leads_to_every_chapter_and_moment(desk: Desk) -> None:
    desk.touch("log")
    chapters = desk.table.game_log.chapters()
    buttons = [button for block in desk.screen.blocks if isinstance(block, Choice) for button in block.buttons]
    chosen = [button.label for button in buttons if button.look == "chosen"]
    assert chosen == ([chapters[-1].title] if len(chapters) > 1 else []), "a single chapter needs no choice"
    desk.touch("page", n=1).touch("round", n=1)
    cards = [block for block in desk.screen.blocks if isinstance(block, LogTurn)]
    assert len(cards) == len(chapters[0].turns)
    assert texts(desk.screen) == [desk.table.game_log.start()]
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
    assert texts(desk.screen) == ["Nothing has happened yet.", desk.table.game_log.start()]
    assert desk.table.game_log.start()


def test_steps_are_told_with_what_came_of_them(desk: Desk) -> None:
    game_log = desk.table.game_log
    assert len(list(step_lines(game_log))) >= len(visible(game_log))
    by_will, steps = game_log.presenter.by_will, desk.table.match.steps
    assert all(by_will(steps[number - 1]) for number, _text in chosen_lines(game_log))


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
    assert texts(desk.screen)[1:3] == ["The start of the game.", table.game_log.start()]
    assert "Why was that allowed?" not in [button.label for button in desk.all_buttons()]
    desk.touch("why").touch("page", n=1)
    assert isinstance(desk.app.scene, MomentScene)
    assert desk.app.scene.page == 1
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
    if PRESENTERS[system].by_chance(table.match.steps[-1], table.match.positions[-2]) or asks_both(table.game_log, 3):
        assert isinstance(desk.app.scene, ConsentScene), "chance had spoken"
        desk.agree()
    assert len(table.match.steps) == 3
    assert desk.at_table


def test_a_game_that_got_shorter_is_looked_at_at_its_end(desk: Desk) -> None:
    table = desk.table
    desk.app.scene = MomentScene(table, 20, table)
    table.match.undo(len(table.match.steps) - 5)
    assert "step 5 of 5" in texts(desk.screen)[0]


# ---- taking back ---------------------------------------------------------------------------------


def test_steps_are_taken_back_and_done_again_by_name(desk: Desk) -> None:
    table = desk.table
    desk.touch("undo-list")
    before = table.match.steps
    to = visible(table.game_log)[1] - 1
    asked = asks_both(table.game_log, to)
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
    assert isinstance(asked, ConsentScene) == asks_both(table.game_log, 10)
    assert asks_both(table.game_log, 10) == (system == "sonae")
    assert take_back(table, len(table.match.steps), table) is table, "nothing goes"


def test_the_last_step_is_taken_back_at_the_table(at: Callable[[int], Desk]) -> None:
    desk = at(12)
    table = desk.table
    to = steps_left_by_undo(table.game_log)
    asked = asks_both(table.game_log, to)
    desk.touch("undo")
    assert isinstance(desk.app.scene, ConsentScene) == asked
    if asked:
        desk.agree()
    assert len(table.match.steps) == to


def test_a_game_that_is_closed_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, steps: int = 1) -> bool:
        raise MatchError("evening.jsonl: couldn't undo the step (the game is closed)")

    monkeypatch.setattr(GameSession, "undo", refuse)
    monkeypatch.setattr(GameSession, "redo", refuse)
    table = desk.table
    desk.app.scene = UndoScene(table, table)
    desk.touch("redo", n=1)
    assert "closed" in desk.screen.banner
    monkeypatch.setattr("companion.scenes.story.game_log.asks_both", lambda game_log, to: False)
    desk.app.scene = MomentScene(table, 3, table)
    desk.press("Resume here")
    assert "closed" in desk.screen.banner


def test_a_game_goes_on_where_it_was_after_opening_it_again(desk: Desk, tmp_path: Path) -> None:
    match = desk.table.match
    match.undo(3)
    match.close()
    again: GameSession[object, object] = GameSession.open(match.path)
    assert again.positions == match.positions
    assert again.redoable_steps == match.redoable_steps
    again.close()
