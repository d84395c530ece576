"""A ruling of any system, an argument, settling it, open questions and the rules."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.cues import Cues, Moment
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.base.typing import TypingScene
from companion.scenes.disputes.dispute import DisputeScene, SettleScene
from companion.scenes.disputes.ruling import ReadingScene, RulingScene, question_of, ruling_on
from companion.scenes.story.game_log import chosen_lines
from companion.scenes.story.presenter import RulesQuestion, SystemPresenter
from companion.scenes.table.table import TableScene
from companion.ui.screen import Checks, Intent, Options, Slip, Text, Verdict
from engine.ruling import Citation, Finding, Ruling
from tests.companion.plain_tables import RULES, refused
from tests.companion.play.conftest import Desk

HOLDS = Finding("a.rule", True, Citation("Movement", 3), "it may go there")
FAILS = Finding("a.limit", False, Citation("Movement", 3), "first, it is too far")


def verdict(desk: Desk) -> Verdict:
    found = desk.screen.blocks[0]
    assert isinstance(found, Verdict)
    return found


def asked(desk: Desk, *findings: Finding, own: Verdict | None = None) -> RulingScene:
    """Put the ruling on a question about no step on stage."""
    table = desk.table
    picture = table.presenter.picture(table.position)
    question: RulesQuestion[Any, Any] = RulesQuestion(
        "Far?", table.position, Ruling(findings), preface="It is far.", picture=picture, verdict=own
    )
    desk.app.scene = scene = RulingScene(table.presenter, question, table, table)
    return scene


# ---- the ruling ----------------------------------------------------------------------------------


def test_a_refused_step_says_why_with_every_criterion_and_leads_to_the_rules(desk: Desk) -> None:
    table = desk.table
    step = refused(table)
    cues = Cues()
    cues.cue_for(Moment())
    desk.app.scene = ruling_on(table, step, table)
    assert cues.cue_for(Moment(scenes=(desk.app.scene,))) == "objection", "it sounds like one"
    screen = desk.screen
    assert screen.title == table.presenter.question(step, table.position)
    assert screen.board == table.presenter.picture(table.position, step)
    ruling = table.match.system.examine(table.position, step)
    assert verdict(desk).holds is False
    assert verdict(desk).text.startswith("No. ")
    assert str(ruling.objections[0].citation) in verdict(desk).cite
    assert [block for block in screen.blocks if isinstance(block, Slip | Checks)] or len(ruling.findings) == 1
    desk.press("Rules")
    assert isinstance(desk.app.scene, RulesScene)
    slip = next(block for block in desk.screen.blocks if isinstance(block, Slip) and block.intent)
    assert slip.intent is not None
    desk.app.touch(slip.intent)
    assert isinstance(desk.app.scene, EntryScene)


def test_a_question_without_a_step_has_a_verdict_and_what_others_did_meanwhile_is_told(desk: Desk) -> None:
    asked(desk, HOLDS, FAILS, own=Verdict(None, "3.2 Movements apart."))
    assert desk.screen.blocks[:2] == (Verdict(None, "3.2 Movements apart."), Text("It is far.", "quiet"))
    asked(desk, HOLDS)
    assert verdict(desk).holds
    scene = asked(desk, HOLDS, FAILS)
    assert verdict(desk).text == "No. First, it is too far."
    assert desk.screen.banner == ""
    assert scene.may_settle()
    desk.table.match.undo(1)
    assert "Ask again" in desk.screen.banner
    assert not scene.may_settle()


def test_a_criterion_of_an_open_question_leads_to_its_answers(desk: Desk) -> None:
    name = next(name for name, reading in desk.table.presenter.readings(desk.table.position).items() if reading.other)
    asked(desk, Finding("a.b", True, Citation("Movement"), f"so it is (reading: {name})", name))
    slip = desk.blocks(Slip)[0]
    assert slip.title == "So it is."
    desk.touch("criterion", n=0)
    assert isinstance(desk.app.scene, ReadingScene)
    desk.press("Back").touch("page", n=1)
    assert desk.screen.page == 1


def test_what_a_system_need_not_say(desk: Desk) -> None:
    table = desk.table
    presenter, position, step = table.presenter, table.position, refused(table)
    assert SystemPresenter.message_text(presenter, "it is so", position) == "It is so."
    assert SystemPresenter.remedies(presenter, position, step, Ruling()) == ()
    assert SystemPresenter.changes(presenter, position, position) == ()
    assert SystemPresenter.facts(presenter, position, table.people) == ""
    assert SystemPresenter.settling_step(presenter, position, step, "") is None
    assert TableScene.questions(table, table, "") == ()
    assert SystemPresenter.begins(presenter, step) is False


# ---- settling it ---------------------------------------------------------------------------------


def test_a_refused_step_is_played_otherwise_by_both(desk: Desk) -> None:
    table = desk.table
    step = refused(table)
    wanted = table.presenter.settling_step(table.position, step, "")
    before = len(table.match.steps)
    desk.app.scene = ruling_on(table, step, table)
    desk.press("We play it differently")
    assert isinstance(desk.app.scene, SettleScene)
    assert (desk.button("We both agree").look == "primary") or wanted is None
    desk.press("We both agree")
    assert isinstance(desk.app.scene, ConsentScene)
    desk.agree()
    assert desk.at_table
    assert len(table.match.steps) == before + 1
    assert table.presenter.is_agreed(table.match.steps[-1])
    assert table.game_log.marks(table.match.steps[-1]) == ("agreed",)


def test_a_note_alone_is_kept_once_there_is_one(desk: Desk) -> None:
    table = desk.table
    desk.touch("dispute").press("We agreed on something")
    assert desk.button("We both agree").look == "off"
    desk.press("We both agree")
    assert isinstance(desk.app.scene, SettleScene)
    desk.touch("note")
    assert isinstance(desk.app.scene, TypingScene)
    for letter in "ok":
        desk.touch("type", letter)
    desk.app.touch(desk.screen.actions[-1].intent)
    assert isinstance(desk.app.scene, SettleScene)
    assert desk.app.scene.note.lower() == "ok"
    desk.press("We both agree")
    assert "ok" in desk.text().casefold(), "what they say yes to"
    desk.agree()
    assert desk.at_table
    assert table.match.steps[-1].note.lower() == "ok"
    assert not table.stage.services.clock.is_held, "the argument is over"


def test_it_is_set_by_hand_too(desk: Desk) -> None:
    desk.app.scene = SettleScene(desk.table, None, desk.table)
    settle = desk.app.scene
    desk.touch("page", n=1)
    assert desk.screen.page == 1
    desk.press("Set it by hand")
    assert desk.app.scene is not settle
    desk.app.scene = settle
    desk.press("Back")
    assert desk.at_table


def test_where_the_game_went_on_it_is_settled_anew(desk: Desk) -> None:
    desk.app.scene = SettleScene(desk.table, None, desk.table)
    settle = desk.app.scene
    settle.note = "as we said"
    desk.press("We both agree")
    desk.table.match.undo(1)
    before = desk.table.match.steps
    desk.agree()
    assert isinstance(desk.app.scene, SettleScene)
    assert desk.app.scene is not settle
    assert desk.table.match.steps == before


def test_a_system_without_a_step_for_it_is_set_by_hand_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(desk.table.presenter), "settling_step", lambda *_args: None)
    desk.app.scene = SettleScene(
        desk.table, question_of(desk.table, desk.table.position, refused(desk.table)), desk.table
    )
    assert [action.label for action in desk.screen.actions] == ["Back"]
    assert desk.touch("agree").app.scene.touch(Intent("nothing")) is None


# ---- an argument ---------------------------------------------------------------------------------


def test_the_last_deeds_say_why_they_were_allowed(desk: Desk) -> None:
    desk.touch("dispute")
    slips = desk.blocks(Slip)
    deeds = list(chosen_lines(desk.table.game_log))[:2]
    assert [slip.title for slip in slips] == [text for _number, text in deeds]
    assert slips[0].intent is not None
    desk.app.touch(slips[0].intent)
    scene = desk.app.scene
    assert isinstance(scene, RulingScene)
    assert scene.ruling.legal
    assert scene.question.step == desk.table.match.steps[deeds[0][0] - 1]
    desk.press("Back").touch("step", n=10_000).touch("page", n=1)
    assert isinstance(desk.app.scene, DisputeScene)


def test_a_system_asks_its_own_questions(desk: Desk) -> None:
    desk.touch("dispute")
    asked = desk.table.questions(desk.app.scene, "")
    assert asked
    for question in asked:
        desk.press(question.label)
        assert not isinstance(desk.app.scene, DisputeScene)
        desk.table.refresh()
        desk.app.scene = DisputeScene(desk.app.stage, desk.table)


def test_nothing_to_argue_about_yet(desk: Desk) -> None:
    desk.table.match.undo(len(desk.table.match.steps))
    desk.touch("dispute")
    assert "Nothing has happened yet." in desk.text()


# ---- open questions and rules ----------------------------------------------------------------------


def test_every_open_question_is_told_with_its_answers(desk: Desk) -> None:
    readings = desk.table.presenter.readings(desk.table.position)
    desk.touch("readings")
    slips = desk.blocks(Slip)
    assert len(slips) == len(readings)
    for name, reading in readings.items():
        desk.touch("reading", name)
        assert desk.screen.title == reading.question
        options = desk.blocks(Options)
        assert bool(options) == bool(reading.other)
        desk.touch("answer", "other").touch("page", n=1)
        assert isinstance(desk.app.scene, ReadingScene), "nothing changes in a game"
        desk.press("Back")
    desk.touch("page", n=1)
    assert desk.screen.page == 1


def test_the_contents_of_the_book_are_its_sections(desk: Desk) -> None:
    desk.touch("rules")
    sections = desk.table.library().contents()
    cited = {rule.citation.section for rule in RULES[desk.system]().values()}
    assert cited <= {section.citation.section for section in sections}
    for section in sections:
        desk.press(section.title)
        assert isinstance(desk.app.scene, EntryScene)
        assert desk.screen.title == section.title
        desk.press("Back")
