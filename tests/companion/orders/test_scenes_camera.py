"""The camera at the table, by touches: turns taken as seen, questions answered, the board put right, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.match import Match
from companion.perception.amiss import Item
from companion.perception.area_questions import AreaQuestion
from companion.perception.dice import DiceFollower, DiceOffer
from companion.perception.rerolls import most_rerolls
from companion.perception.sync_monitor import SyncMonitor, TableView
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.proposal import (
    AlternativesPanel,
    ChoicePanel,
    ProposalPanel,
    QuestionPanel,
    ThrowPanel,
    proposal_words,
)
from companion.scenes.orders.repair import RepairScene, correction
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.scenes.table.game_menu import MenuScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from companion.ui.table_pictures import BoardPicture
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Agreed, Besides, Deploy, Pass, Play, Reroll, Roll, Step
from engine.orders.turn import ready, standing
from tests.companion.equip import equip
from tests.companion.gallery.rooms.camera import Sights
from tests.companion.perception.dice_looks import look
from tests.companion.perception.seeing import Exact, Eye, reading_of
from tests.companion.sample_games import BOARD, BONUSES, up_to_a_window
from tests.companion.touching import Hand, buttons, words
from vision.dice.reader import DiceReading
from vision.reading.read import Reading

ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
FAR_S = 60.0


class Desk(Hand):
    """A hand at a table that is watched."""

    def __init__(self, path: Path) -> None:
        self.eye = Eye()
        self.match = Match.start(path, BOARD, "red", BONUSES)
        super().__init__(App(watcher=self.eye.glimpse, match=self.match))
        self.now_s = 0.0
        self.wait()

    def wait(self, for_s: float = 1.0) -> Desk:
        self.now_s += for_s
        self.app.tick(self.now_s)
        return self

    def lay(self, position: Position) -> Desk:
        self.eye.lay(position)
        return self.wait().wait(FAR_S)

    def wrong(self) -> Position:
        """A black piece too many in b3, one red missing from d5, a commander that nobody may have placed."""
        areas = (("b3", (("black", "troop", 3),)), ("d5", (("red", "troop", 2),)))
        return game.apply(self.match.position, Agreed(areas=areas, spaces=(("sail:c2", ("red",)),), to_move="red"))

    @property
    def sign(self) -> str:
        status = self.app.screen().status
        assert status is not None
        return status.live

    @property
    def panel(self) -> object:
        assert isinstance(self.app.scene, BoardTable)
        self.app.screen()
        return self.app.scene.panel

    def all_text(self) -> str:
        screen = self.screen
        columns = [block for block in screen.blocks if isinstance(block, scr.Columns)]
        inner = tuple(block for one in columns for block in (*one.left, *one.right))
        return f"{screen.title}\n{words((*screen.blocks, *inner))}"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Desk(tmp_path / "game.jsonl")


def cards(screen: scr.Screen) -> list[scr.Option]:
    return [one for block in screen.blocks if isinstance(block, scr.Options) for one in block.options]


def several(desk: Desk, n: int) -> None:
    """As if several turns fitted what is seen: Reinforce, Pass and others, the likeliest first."""
    desk.lay(game.apply(desk.match.position, ADVANCE))
    understanding = desk.app.stage.senses.monitor
    assert understanding is not None
    first = understanding.sense.explanations[0]
    turns = [first]
    for moved in range(1, n):
        step = Pass() if moved == 1 else Deploy("plan:2", draw=2)
        turns.append(replace(first, steps=(step,), position=game.apply(desk.match.position, step)))
    understanding.sense = replace(understanding.sense, explanations=tuple(turns))


# ---- a turn that was seen ----------------------------------------------------------------------------


def test_a_turn_seen_on_the_board_is_taken_with_one_touch(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert desk.sign == "proposal"
    assert "Red advances to c4 with 2 troops from d5." in desk.text()
    assert not desk.match.steps, "not before the touch"
    desk.press("Yes, that's right")
    assert isinstance(desk.panel, TurnPanel), "it is offered no more, though the camera has not been asked since"
    desk.wait()
    assert desk.match.steps[0] == ADVANCE
    assert desk.sign == "sync"
    assert isinstance(desk.panel, TurnPanel)


def test_what_the_turn_changes_is_marked_on_the_map(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert desk.screen.map is not None
    marks = {area.name: area.mark for area in desk.screen.map.areas if area.mark}
    assert marks == {"c4": "target", "d5": "chosen"}
    assert not any(area.check for area in desk.screen.map.areas), "and nothing else"
    changes = {(area.name, one.change) for area in desk.screen.map.areas for one in area.stacks if one.change}
    assert changes == {("c4", 2), ("d5", -2)}


def test_the_runner_up_is_one_touch_away(desk: Desk) -> None:
    several(desk, 2)
    [second] = cards(desk.screen)
    assert second.text == "Red passes."
    desk.app.touch(second.intent)
    assert desk.match.steps == (Pass(),)


def test_more_that_fit_are_listed(desk: Desk) -> None:
    several(desk, 3)
    desk.press("1 more possible turn")
    assert [one.text.split()[1] for one in cards(desk.screen)] == ["advances", "passes.", "plans"]
    desk.press("Back")
    assert isinstance(desk.panel, ProposalPanel)
    desk.press("1 more possible turn")
    desk.app.touch(cards(desk.screen)[2].intent)
    assert desk.match.steps == (Deploy("plan:2", draw=2),)


def test_turns_that_read_the_same_say_which_space_was_used(desk: Desk) -> None:
    start = desk.match.position
    steps: tuple[Step, ...] = (*(Deploy(f"embark:{n}", place=(("d4", "ship", 1),)) for n in (1, 2)), ADVANCE, Pass())
    turns = tuple(Explanation((step,), game.apply(start, step), "", 0.25) for step in steps)
    panel = ProposalPanel(start, turns)
    assert [proposal_words(panel.turns, number, start) for number in range(4)] == [
        "Red embarks with 1 ship in d4. The commander is on “Embark 1”.",
        "Red embarks with 1 ship in d4. The commander is on “Embark 2”.",
        "Red advances to c4 with 2 troops from d5.",
        "Red passes.",
    ]
    prompt = next(block for block in panel.show().blocks if isinstance(block, scr.Prompt))
    assert prompt.hint == "The commander is on “Embark 1”."


def test_the_same_from_another_space_of_the_support_board_is_the_runner_up(desk: Desk) -> None:
    place = (("d3", "troop", 3), ("e1", "troop", 2))
    desk.lay(game.apply(desk.match.position, Deploy("reinforce:2", place=place)))
    assert "The commander is on “Reinforce 2”." in desk.text()
    [runner_up] = cards(desk.screen)
    assert "The commander is on “Reinforce 1”." in runner_up.text
    desk.app.touch(runner_up.intent)
    assert desk.match.steps[0] == Deploy("reinforce:1", place=place)


def test_a_rival_that_inference_has_dropped_is_the_runner_up_all_the_same(desk: Desk) -> None:
    position = desk.match.position
    steps = (Deploy("embark:2", place=(("d4", "ship", 1),)), ADVANCE)
    first, other = (Explanation((step,), game.apply(position, step), "", 0.5) for step in steps)
    panel = ProposalPanel(position, (first, other))
    assert [turn.steps[0] for turn in panel.turns] == [steps[0], replace(steps[0], space="embark:1"), ADVANCE]


def test_a_space_that_could_not_be_used_is_not_named(desk: Desk) -> None:
    """Five troops may come from Reinforce 2, six from Reinforce 1 alone."""
    place = (("d3", "troop", 3), ("e1", "troop", 3))
    desk.lay(game.apply(desk.match.position, Deploy("reinforce:1", place=place)))
    assert "The commander is on" not in desk.text()


def test_two_turns_played_before_the_first_was_confirmed_are_taken_with_one_touch(desk: Desk) -> None:
    answer = Deploy("advance:c5", moves=(("b5", "troop", 2),))
    desk.lay(game.apply(game.apply(desk.match.position, ADVANCE), answer))
    assert desk.sign == "proposal"
    assert "Red advances to c4 with 2 troops from d5." in desk.text()
    assert "Black advances to c5 with 2 troops from b5." in desk.text()
    desk.press("Yes, that's right")
    assert desk.match.steps == (ADVANCE, answer)
    desk.wait()
    assert desk.sign == "sync"


def test_what_is_hardly_possible_is_not_listed_but_for_the_runner_up(desk: Desk) -> None:
    start = desk.match.position
    turns = tuple(
        Explanation((Pass(),), game.apply(start, Pass()), "", chance) for chance in (0.9, 0.0001, 0.0001, 0.002)
    )
    assert [turn.likelihood for turn in ProposalPanel(start, turns).turns] == [0.9, 0.0001, 0.002]


@pytest.mark.parametrize("way", [("Something else",), ("1 more possible turn", "Something else")])
def test_none_of_them_leaves_the_turn_to_the_players(desk: Desk, way: tuple[str, ...]) -> None:
    several(desk, 3)
    desk.press(*way)
    assert isinstance(desk.panel, TurnPanel)
    assert desk.match.steps == ()


def test_a_touch_that_the_rules_refuse_meanwhile_shows_the_ruling(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert isinstance(desk.panel, ProposalPanel)
    desk.match.offer(ADVANCE)
    desk.app.touch(Intent("take"))
    assert isinstance(desk.app.scene, RulingScene)
    assert desk.match.steps == (ADVANCE,)


def test_a_game_that_is_closed_takes_no_step_and_that_is_told(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    desk.match.close()
    desk.press("Yes, that's right")
    assert "couldn't save the step (the game is closed)" in desk.screen.banner


def test_a_form_that_is_being_filled_in_is_left_alone(desk: Desk) -> None:
    desk.area("c5")
    before = desk.panel
    desk.lay(game.apply(desk.match.position, ADVANCE))
    assert desk.panel is before
    desk.press("Cancel")
    assert isinstance(desk.panel, ProposalPanel)


def test_a_touch_on_the_map_opens_the_area_and_back_is_the_offer(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    desk.area("b3").press("Back")
    assert isinstance(desk.panel, ProposalPanel)


def test_taken_back_it_is_offered_again(desk: Desk) -> None:
    desk.lay(game.apply(desk.match.position, ADVANCE))
    desk.press("Yes, that's right").wait().press("Undo").wait()
    assert isinstance(desk.panel, ProposalPanel)


def test_a_turn_that_ends_the_game_leads_to_the_score(desk: Desk) -> None:
    several(desk, 2)
    while desk.match.position.winner is None:
        last = desk.match.position
        desk.match.offer(Pass())
    desk.match.undo()
    understanding = desk.app.stage.senses.monitor
    assert understanding is not None
    turn = replace(understanding.sense.explanations[0], steps=(Pass(),))
    understanding.sense = replace(understanding.sense, explanations=(turn,))
    understanding.position = last
    assert desk.match.position is last
    desk.press("Yes, that's right")
    assert isinstance(desk.app.scene, EndScene)


def test_what_was_offered_is_no_offer_once_a_turn_is_entered_by_touch(desk: Desk) -> None:
    desk.match.offer(Agreed(areas=(("c4", (("black", "troop", 1),)),)))
    desk.lay(game.apply(desk.match.position, Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3)))))
    assert isinstance(desk.panel, ProposalPanel)
    desk.press("Something else")
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.try_step(ADVANCE)
    desk.app.scene.refresh()
    assert isinstance(desk.panel, RollPanel), "though the camera has not been asked since"


def test_what_is_odd_beside_the_turn_stands_with_it(desk: Desk) -> None:
    after = game.apply(desk.match.position, ADVANCE)
    desk.lay(game.apply(after, Agreed(areas=(("b3", (("black", "troop", 3),)),))))
    assert "But: 1 black troop too many in b3" in desk.text()


def test_a_shot_that_hit_nothing_takes_one_touch_and_nothing_is_proposed(desk: Desk) -> None:
    black = (("black", "ship", 2),)
    desk.match.offer(Agreed(areas=(("c2", black), ("c3", black))))
    desk.lay(replace(desk.match.position, commanders=standing(desk.match.position, Deploy("shell:d3"))))
    assert desk.sign == "dice"
    assert isinstance(desk.panel, ThrowPanel)
    assert "Red: Shell from d3?" in desk.text()
    desk.press("Something else").wait()
    assert isinstance(desk.panel, TurnPanel)
    desk.app.stage.senses.monitor.reconsider()
    desk.wait()
    desk.press("c3")
    assert [type(step) for step in desk.match.steps] == [Agreed, Deploy, Roll]
    shot = next(step for step in desk.match.steps if isinstance(step, Deploy))
    assert shot.target == "c3"
    desk.wait()
    assert desk.sign == "sync"


def shelled(desk: Desk, *hand: str) -> Desk:
    """A shell that hit, fired by a side with these cards."""
    besides = Besides(hands=(("red", hand),))
    desk.match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),), besides=besides))
    hit = game.fold(desk.match.position, (Deploy("shell:d3", target="c2"), Roll((1, 1), "red")))
    return desk.lay(ready(hit, Pass()))


def numbers(desk: Desk) -> list[str]:
    """The numbers of cards that may have been spent, as they are offered."""
    return [one.note for one in buttons(desk.screen.blocks) if one.intent.verb == "rerolled"]


def spent(desk: Desk) -> list[str]:
    return [step.card for step in desk.match.steps if isinstance(step, Reroll)]


def test_cards_that_were_spent_to_roll_again_take_a_touch_each_and_one_to_say_how_many(desk: Desk) -> None:
    shelled(desk, "ambush", "mobilise", "mobilise")
    assert numbers(desk) == ["1 card", "2 cards", "3 cards"]
    desk.app.touch(Intent("rerolled", "", 2))
    assert "Which 2 cards did Red spend to reroll?" in desk.text()
    desk.press("Mobilise", "Mobilise")
    assert spent(desk) == ["mobilise", "mobilise"]
    assert desk.match.position.hands[0] == ("ambush",)
    desk.wait()
    assert desk.sign == "sync"


def test_whoever_spends_the_last_card_is_asked_about_none_afterwards(desk: Desk) -> None:
    shelled(desk, "ambush").press("Rerolled", "Ambush")
    assert spent(desk) == ["ambush"]
    assert desk.match.position.hands[0] == ()
    assert [type(step) for step in desk.match.steps[-2:]] == [Reroll, Roll]


def test_one_more_card_as_far_as_the_hand_goes(desk: Desk) -> None:
    shelled(desk, "ambush", "mobilise").press("Rerolled")
    assert [one.label for one in desk.screen.actions if one.intent.verb == "one-more"] == ["One more card"]
    desk.press("One more card")
    assert not [one for one in desk.screen.actions if one.intent.verb == "one-more"]
    desk.press("Ambush", "Ambush")
    assert desk.button("Ambush").look == "plain", "the hand has one of them: a second touch takes it back"
    desk.press("Mobilise", "Ambush")
    assert spent(desk) == ["mobilise", "ambush"]


def test_no_more_cards_are_offered_than_a_hand_has_and_there_is_a_way_back(desk: Desk) -> None:
    shelled(desk, "ambush", "mobilise", "mobilise", "shore_strike", "ship_strike")
    assert len(numbers(desk)) == 3
    desk.press("Rerolled", "Cancel")
    assert isinstance(desk.panel, ProposalPanel)
    desk.match.undo()
    shelled(desk)
    assert numbers(desk) == []


def test_a_card_played_for_its_effect_is_not_spent_to_roll_again(desk: Desk) -> None:
    """Black defends c4 with Ambush and one die more than without, and has another card left."""
    here = game.apply(desk.match.position, Agreed(besides=Besides(hands=(("black", ("ambush", "mobilise")),))))
    steps = (Deploy("advance:c5", moves=(("d5", "troop", 1),)), Play("ambush", "black"), Roll((1, 1, 1), "black"))
    turn = Explanation(steps, here, "", 0.9)
    assert most_rerolls(turn, here) == 1
    assert most_rerolls(replace(turn, steps=(steps[0], steps[2])), here) == 2
    assert most_rerolls(replace(turn, steps=steps[:1]), here) == 0


def rethrown(desk: Desk, *throws: DiceReading) -> Desk:
    """After these throws in sight, the table as it is then."""
    for reading in (DiceReading(()), *throws):
        desk.app.stage.senses.dice.follow(desk.match, reading)
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.refresh()
    return desk


def test_dice_that_were_seen_to_be_thrown_again_ask_for_the_card_in_one_touch(desk: Desk) -> None:
    rethrown(shelled(desk, "ambush", "mobilise"), look(0, 0), look(1, 1, move=20))
    assert "The dice were rerolled. Which card was spent?" in desk.text()
    desk.press("Mobilise")
    assert spent(desk) == ["mobilise"]
    assert desk.match.position.hands[0] == ("ambush",)
    assert [step.dice for step in desk.match.steps if isinstance(step, Roll)] == [(0, 0), (1, 1)], "as they fell"


@pytest.mark.parametrize("ways", [("No card",), ("Rerolled", "Ambush")])
def test_dice_that_fell_twice_may_have_been_rolled_again_for_no_card_or_more_of_them(
    desk: Desk, ways: tuple[str, ...]
) -> None:
    rethrown(shelled(desk, "ambush", "mobilise"), look(0, 0), look(1, 0, move=20), look(1, 1, move=40))
    assert "The dice were rerolled 2 times. Which cards?" in desk.text()
    desk.press(*ways)
    assert spent(desk) == (["ambush"] if len(ways) > 1 else [])
    assert Roll((1, 1), "red") in desk.match.steps


def test_no_card_is_asked_for_where_none_can_have_been_spent(desk: Desk) -> None:
    shelled(desk, "ambush")
    for throws in ((look(1, 1),), (look(1, 1), look(1, move=20)), (look(1), look(0, move=20))):
        equip(desk.app.stage, dice=DiceFollower())
        assert "Is that right?" in rethrown(desk, *throws).text()
    desk.app.stage.apply(replace(desk.app.stage.settings, camera_dice=False))
    assert "Is that right?" in rethrown(desk, look(0, 0), look(1, 1, move=20)).text()
    desk.match.undo()
    assert "Is that right?" in rethrown(shelled(desk), look(0, 0), look(1, 1, move=20)).text()


def test_a_shot_that_hit_nothing_though_cards_were_spent(desk: Desk) -> None:
    black, besides = (("black", "ship", 2),), Besides(hands=(("red", ("ambush", "mobilise")),))
    desk.match.offer(Agreed(areas=(("c2", black), ("c3", black)), besides=besides))
    desk.lay(replace(desk.match.position, commanders=standing(desk.match.position, Deploy("shell:d3"))))
    assert isinstance(desk.panel, ThrowPanel)
    assert numbers(desk) == ["1 card", "2 cards"]
    desk.press("Rerolled", "Mobilise")
    assert not spent(desk), "not before the target is touched"
    assert "Which area was the target?" in desk.text()
    desk.press("c3")
    assert spent(desk) == ["mobilise"]
    shot = next(step for step in desk.match.steps if isinstance(step, Deploy))
    assert shot.target == "c3"
    assert desk.match.position.hands[0] == ("ambush",)


def test_beside_a_camera_planning_takes_one_touch(desk: Desk) -> None:
    desk.press("Plan 2")
    assert desk.match.steps == (Deploy("plan:2", draw=2),)
    desk.wait()
    assert desk.sign == "sync"


# ---- questions ----------------------------------------------------------------------------------------


def asked(desk: Desk, *answers: tuple[tuple[str, str, int], ...]) -> None:
    several(desk, 2)
    understanding = desk.app.stage.senses.monitor
    assert understanding is not None
    understanding.sense = replace(understanding.sense, question=AreaQuestion("c4", answers))


def test_it_asks_how_many_and_an_answer_is_certain(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    assert "How many red troops are in c4?" in desk.text()
    doubt = {"c4": (((("red", "troop", 3),), 0.6), ((("red", "troop", 2),), 0.4))}
    desk.press("2")
    desk.eye.lay(game.apply(desk.match.position, ADVANCE), doubt)
    assert isinstance(desk.panel, TurnPanel)


def test_of_several_kinds_it_asks_what_stands_there(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("black", "troop", 1), ("red", "troop", 1)), ())
    assert "What's in c4?" in desk.text()
    assert [desk.button(label).intent.n for label in ("Red: 2 troops", "Black: 1 troop, Red: 1 troop", "Nothing")] == [
        0,
        1,
        2,
    ]


def choosing(desk: Desk, few: int, of: int = 2) -> None:
    several(desk, of)
    understanding = desk.app.stage.senses.monitor
    understanding.sense = replace(understanding.sense, choice=few)


def test_of_a_few_turns_each_takes_one_touch_and_none_is_said_to_be_the_one(desk: Desk) -> None:
    choosing(desk, 2)
    assert isinstance(desk.panel, ChoicePanel)
    assert "Which of these was it?" in desk.text()
    assert "The camera can't tell" in desk.text()
    assert "Yes" not in desk.text()
    desk.app.touch(Intent("take", "", 1))
    assert desk.match.steps == (Pass(),)


def test_beside_a_few_turns_there_is_the_way_to_the_others(desk: Desk) -> None:
    choosing(desk, 2, of=3)
    assert "draw" not in desk.text()
    desk.press("1 more possible turn")
    assert isinstance(desk.panel, AlternativesPanel)
    desk.app.touch(Intent("take", "", 2))
    assert desk.match.steps == (Deploy("plan:2", draw=2),)


def test_it_may_have_been_none_of_a_few_turns(desk: Desk) -> None:
    choosing(desk, 2)
    desk.press("Something else")
    assert not desk.match.steps
    assert isinstance(desk.panel, TurnPanel)


def test_a_question_may_be_left_alone_or_counted(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    desk.press("Don't ask")
    assert isinstance(desk.panel, ProposalPanel)
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.refresh()
    desk.press("Something else").count("Red troops", 4).count("Red troops", -1).press("That's right")
    assert desk.app.stage.senses.monitor._answers._of["c4"].units == (("red", "troop", 3),)
    desk.app.scene.refresh()
    assert isinstance(desk.panel, QuestionPanel)
    desk.press("Something else", "Cancel")
    assert isinstance(desk.panel, QuestionPanel)


# ---- out of sync ----------------------------------------------------------------------------------------


def test_out_of_sync_is_said_once_and_the_game_goes_on(desk: Desk) -> None:
    desk.lay(desk.wrong())
    assert desk.sign == "out"
    assert "doesn't match" in desk.screen.banner
    desk.app.touch(Intent("hush"))
    desk.lay(desk.wrong()).wait(FAR_S)
    assert not desk.screen.banner, "once is enough"
    desk.press("Pass")
    assert desk.match.steps == (Pass(),)


def test_once_in_sync_again_it_may_be_said_again(desk: Desk) -> None:
    desk.lay(desk.wrong())
    desk.app.touch(Intent("hush"))
    desk.eye.follow()
    desk.wait()
    assert desk.sign == "sync"
    desk.lay(desk.wrong())
    assert desk.screen.banner


def repairing(desk: Desk) -> RepairScene:
    desk.lay(desk.wrong()).press("Fix it")
    assert isinstance(desk.app.scene, RepairScene)
    return desk.app.scene


def test_the_repair_goes_from_one_thing_to_the_next(desk: Desk) -> None:
    repairing(desk)
    assert "0 of 3 fixed" in desk.text()
    assert "1 black troop too many in b3" in desk.text()
    assert "Take it off the board." in desk.text()
    desk.press("Done")
    assert "1 of 3 fixed" in desk.text()
    assert "1 red troop missing from d5" in desk.text()
    assert "Put it back." in desk.text()
    desk.press("Done")
    assert "1 red commander too many on “Sail to c2”" in desk.text()
    desk.press("Done")
    assert "matches again" in desk.text()
    desk.press("Back to the table")
    assert isinstance(desk.app.scene, BoardTable)
    assert desk.match.steps == ()


def test_the_camera_ticks_off_what_hands_put_right(desk: Desk) -> None:
    repairing(desk)
    half = game.apply(desk.wrong(), Agreed(areas=(("b3", (("black", "troop", 2),)),), to_move="red"))
    desk.lay(half)
    assert "1 of 3 fixed" in desk.text()
    desk.lay(desk.wrong())
    assert "0 of 3 fixed" in desk.text(), "and sees it where it comes back"
    desk.eye.follow()
    desk.wait()
    assert "matches again" in desk.text()


def test_while_a_hand_is_there_nothing_is_ticked(desk: Desk) -> None:
    repairing(desk)
    desk.eye.lay(desk.match.position, state="hand")
    desk.wait()
    assert "0 of 3 fixed" in desk.text()


def test_what_was_really_there_corrects_the_record(desk: Desk) -> None:
    repairing(desk)
    desk.press("The board is right", "Done", "Done")
    assert "b3 · Black: 3 troops" in desk.text()
    assert desk.button("Red").look == "chosen"
    desk.press("Black", "Correct the game")
    assert isinstance(desk.app.scene, BoardTable)
    assert desk.position.units_in("b3") == {"black": {"troop": 3}}
    assert desk.position.units_in("d5") == {"red": {"troop": 3}}
    assert desk.position.to_move_name == "black"
    assert "Agreed (as seen on the board)" in desk.text()
    desk.press("Undo")
    assert desk.position.units_in("b3") == {"black": {"troop": 2}}


def test_all_as_on_the_board_and_the_other_one_is_to_move_after_a_commander(desk: Desk) -> None:
    repairing(desk)
    desk.press("Use the board as it is")
    assert desk.button("Black").look == "chosen", "red has placed a commander"
    assert "Sail to c2 · Red" in desk.text()
    desk.press("Correct the game").wait()
    assert desk.position.commanders_on("sail:c2") == ("red",)
    assert desk.sign == "sync"


def test_what_the_box_cannot_hold_is_told(desk: Desk) -> None:
    scene = repairing(desk)
    scene.kept = set(scene.items)
    scene.items = (*scene.items, Item("b3", "black", "troop", 90))
    scene.kept.add(scene.items[-1])
    scene.done.discard(scene.items[-1])
    equip(desk.app.stage, monitor=SyncMonitor(Exact()))
    desk.press("Correct the game")
    assert "the box only has" in desk.screen.banner
    assert desk.match.steps == ()


def test_the_camera_may_be_ignored_and_used_again(desk: Desk) -> None:
    repairing(desk)
    desk.press("Ignore the camera").wait()
    assert desk.sign == "ignored"
    desk.app.touch(Intent("live"))
    desk.press("Use the camera").press("Back").wait()
    assert desk.sign == "waiting"
    desk.wait(FAR_S)
    assert desk.sign == "out"


class Hands:
    """Simulated hands that note what they are asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def do_turn(self, match: Match) -> None:
        self.asked.append(f"turn {len(match.steps)}")

    def put_right(self, match: Match) -> None:
        self.asked.append(f"right {len(match.steps)}")


def test_at_a_simulated_table_hands_play_and_put_right(desk: Desk) -> None:
    hands = Hands()
    equip(desk.app.stage, hands=hands)
    desk.press("Play on the board")
    repairing(desk)
    desk.press("Move the pieces for me")
    assert hands.asked == ["turn 0", "right 0"]


def test_a_correction_of_commanders_alone_says_no_areas(desk: Desk) -> None:
    step = correction(desk.match.position, [Item("sail:c2", "red", "commander", 1)], "black")
    assert (step.areas, step.spaces, step.to_move) == ((), (("sail:c2", ("red",)),), "black")


# ---- why: the diagnostic view -----------------------------------------------------------------------------


def test_one_touch_shows_what_the_camera_sees(desk: Desk) -> None:
    reading = reading_of(desk.wrong(), {"c5": (((("red", "troop", 2),), 0.7), ((), 0.3))}, ("a1",), picture=True)
    desk.eye.laid = TableView("settled", reading)
    desk.wait().wait(FAR_S)
    desk.app.touch(Intent("live"))
    picture = desk.screen.board
    assert isinstance(picture, BoardPicture)
    states = {area.name: area.state for area in picture.areas}
    assert (states["b3"], states["c5"], states["a1"], states["e3"]) == ("differs", "unsure", "covered", "agrees")
    assert {area.label for area in picture.areas if area.name in ("a1", "c5")} == {"", "70 %"}
    assert any(piece.score < 0.95 for piece in picture.pieces)
    text = desk.all_text()
    assert "Hidden: a1" in text
    assert "c5 · 70 % sure · Red: 2 troops" in text
    assert "Board found (90 %)" in text
    assert isinstance(desk.press("Fix it").app.scene, RepairScene)


def photo_of(screen: scr.Screen) -> scr.Photo:
    return next(block for block in screen.blocks if isinstance(block, scr.Photo))


def test_an_area_shows_its_numbers_beside_the_empty_board(desk: Desk) -> None:
    desk.match.offer(Agreed(areas=(("c5", (("red", "troop", 2),)),)))
    doubt = {"c5": (((("red", "troop", 2),), 0.7), ((("red", "troop", 1),), 0.297), ((), 0.003))}
    desk.eye.laid = TableView("settled", reading_of(desk.match.position, doubt, picture=True))
    sights = Sights()
    equip(desk.app.stage, sight=sights)
    desk.wait().app.touch(Intent("live"))
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "c5 · 70 % sure"
    assert "70 % · Red: 2 troops\n29 % · Red: 1 troop" in desk.all_text()
    assert "Pieces found\n99 % · Red: 1 troop\n60 % · Red: 1 troop" in desk.all_text()
    assert "In the game: Red: 2 troops" in desk.text()
    scene = desk.app.scene
    assert isinstance(scene, DiagnosisScene)
    scene.wait()
    drawn, before = desk.app.version, desk.screen
    desk.wait()
    assert desk.app.version > drawn, "what is taken for pieces is shown as soon as it is found"
    assert photo_of(desk.screen).data != photo_of(before).data
    assert "looks like pieces" in photo_of(desk.screen).caption
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "What the camera sees"
    desk.app.touch(Intent("area", "c6"))
    assert desk.all_text().endswith("Pieces found")
    equip(desk.app.stage, sight=None)
    assert photo_of(desk.screen).caption == "now"
    desk.press("All areas", "Back")
    assert isinstance(desk.app.scene, BoardTable)


def test_frozen_it_stays_and_live_it_follows(desk: Desk) -> None:
    desk.app.touch(Intent("live"))
    scene = desk.app.scene
    assert isinstance(scene, DiagnosisScene)
    desk.press("Freeze")
    held = scene.reading
    desk.lay(desk.wrong())
    assert scene.reading is held
    desk.press("Live")
    assert scene.reading is not held
    drawn = desk.app.version
    desk.eye.follow()
    desk.wait()
    assert desk.app.version > drawn
    desk.app.touch(Intent("page", "", 1))
    assert scene.page == 1


def test_without_a_board_in_the_picture_it_says_so(desk: Desk) -> None:
    desk.app.touch(Intent("live"))
    assert desk.screen.board is None
    assert "The board isn't in the picture" in desk.text()
    desk.app.touch(Intent("area", "c5"))
    assert desk.screen.title == "c5 · 99 % sure"
    desk.eye.laid = TableView("settled", reading_of(desk.match.position, covered=("c5",)))
    desk.wait()
    assert desk.screen.title == "c5 · hidden"


def test_before_the_first_picture_there_is_none(desk: Desk) -> None:
    desk.eye.laid = TableView("waiting")
    desk.wait().app.touch(Intent("live"))
    assert "No steady picture yet." in desk.text()


# ---- dice, pictures, reports ---------------------------------------------------------------------------------


def rolling(desk: Desk) -> RollPanel:
    desk.match.offer(ADVANCE)
    desk.match.offer(Pass())
    desk.match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    desk.app.screen()
    assert isinstance(desk.panel, RollPanel)
    return desk.panel


def test_dice_that_were_read_stand_there_to_be_confirmed(desk: Desk) -> None:
    rolling(desk)
    desk.app.stage.senses.dice.offer = DiceOffer((1,))
    assert "Seen on the table" in desk.text()
    assert len(desk.match.steps) == 3, "nothing is taken by itself"
    desk.press("Confirm")
    assert len(desk.match.steps) > 3


def test_once_touched_the_dice_are_the_hand_s(desk: Desk) -> None:
    panel = rolling(desk)
    desk.dice(2)
    desk.app.stage.senses.dice.offer = DiceOffer((0,))
    desk.app.screen()
    assert panel.faces == [2]
    assert "Seen on the table" not in desk.text()


def test_the_menu_leads_to_the_pictures_and_to_a_report(desk: Desk) -> None:
    told: list[tuple[bool, bool]] = []

    def export(match: Match, stands: bool, *, names: bool = False) -> str:
        told.append((stands, names))
        return f"in {match.path.name}"

    desk.app.touch(Intent("menu"))
    assert isinstance(desk.app.scene, MenuScene)
    assert isinstance(desk.press("More", "Photos of the last turns").app.scene, EvidenceScene)
    desk.press("Back")
    equip(desk.app.stage, export=export)
    assert isinstance(desk.press("Export for a bug report").app.scene, ExportScene)
    desk.press("Yes, export")
    desk.app.touch(Intent("flip", "names"))
    desk.press("No, export")
    assert told == [(True, False), (False, True)]


def test_settled_readings_between_turns_are_recorded_once(desk: Desk) -> None:
    seen: list[int] = []

    class Note:
        def see(self, match: Match, reading: object, frame: bytes | None = None) -> None:
            seen.append(len(match.steps))

    equip(desk.app.stage, recorder=Note())
    desk.wait().wait()
    desk.match.offer(ADVANCE)
    desk.wait().wait()
    desk.eye.lay(desk.match.position, state="moving")
    desk.wait()
    desk.match.offer(Pass())
    desk.match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    desk.eye.follow()
    desk.wait()
    assert seen == [0, 1]


def test_what_is_confirmed_teaches_and_what_was_learned_is_believed(desk: Desk) -> None:
    doubt = {"c4": (((("red", "troop", 2),), 0.6), ((("red", "troop", 1),), 0.4))}
    after = game.apply(desk.match.position, ADVANCE)
    sure, told = reading_of(after), []

    class Wise:
        def refined(self, reading: Reading) -> Reading:
            return sure

        def confirmed(self, position: Position) -> bool:
            told.append(position)
            return True

    equip(desk.app.stage, learner=Wise())
    desk.eye.lay(after, doubt)
    desk.wait().press("Yes, that's right")
    assert told == [desk.match.position]
    desk.lay(desk.wrong())
    assert told == [desk.match.position], "what the camera sees by itself teaches nothing"


def test_a_turn_with_a_mistake_is_put_right_and_then_taken(desk: Desk) -> None:
    after = game.apply(desk.match.position, ADVANCE)
    wrong = Agreed(areas=(("b3", (("black", "troop", 3),)),))
    equip(desk.app.stage, monitor=SyncMonitor(Exact()))
    desk.lay(game.apply(after, wrong)).press("Fix it")
    assert "Closest legal turn: Red advances to c4 with 2 troops from d5. But:" in desk.text()
    assert "0 of 1 fixed" in desk.text()
    desk.lay(after)
    assert "What's left is a legal turn" in desk.text()
    desk.press("Back to the table", "Yes, that's right")
    assert desk.match.steps[0] == ADVANCE


def test_a_turn_with_what_was_really_there_is_recorded_with_it(desk: Desk) -> None:
    after = game.apply(desk.match.position, ADVANCE)
    wrong = Agreed(areas=(("b3", (("black", "troop", 3),)),))
    equip(desk.app.stage, monitor=SyncMonitor(Exact()))
    desk.lay(game.apply(after, wrong)).press("Fix it", "The board is right")
    assert desk.button("Black").look == "chosen", "red's turn is over"
    desk.press("Correct the game").wait()
    assert desk.match.steps[0] == ADVANCE
    assert isinstance(desk.match.steps[-1], Agreed)
    assert desk.position.units_in("b3") == {"black": {"troop": 3}}
    assert desk.position.to_move_name == "black"


def test_a_turn_played_on_the_board_takes_the_place_of_the_question_about_cards(desk: Desk) -> None:
    turn = up_to_a_window(desk.match)
    assert desk.app.table is not None
    desk.app.table.refresh()
    desk.wait()
    assert isinstance(desk.panel, WindowPanel)
    after = game.apply(desk.match.position, turn)
    desk.lay(after)
    assert isinstance(desk.panel, ProposalPanel)
    desk.app.touch(Intent("take"))
    assert desk.match.position.units == after.units
