"""Against the app before a camera: what is done ticks itself, and what is laid otherwise is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.language import use_language
from companion.perception.sync.state import TurnLaid
from companion.scenes.orders.announced import AnnouncedPanel, laid_otherwise
from companion.scenes.orders.notices import TakenBackPanel
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.solo_table import as_announced
from companion.ui import screen as scr
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.player import LEVELS, answer
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Play, Remove, Roll
from engine.orders.turn import ready
from tests.companion.orders.solo.playing import ADVANCE, GUARDS, RAID, Alone, SoloHand
from tests.companion.perception.seeing import reading_of


def announcing(hand: SoloHand, step: Deploy) -> SoloHand:
    """Let the app announce this step, which the test then knows."""
    found = hand.table._choice()
    assert found is not None
    assert hand.table._thought is not None
    hand.table._thought[1].chosen = replace(found, turn=step, candidates=(replace(found.candidates[0], turn=step),))
    hand.table.refresh()
    assert hand.announced.step == step
    return hand.wait()


def watched(alone: Alone, side: str = "red") -> SoloHand:
    """Return a table before a camera that sees the board as it is."""
    hand = alone(side, watched=True)
    return hand.wait().wait()


def ticked(hand: SoloHand) -> list[str]:
    """Return what the list has ticked."""
    return [check.text for block in hand.screen.blocks if isinstance(block, scr.Checks) for check in block.checks]


def test_the_turn_that_was_announced_is_seen_and_taken_with_one_touch(alone: Alone) -> None:
    hand = watched(alone)
    step = hand.announced.step
    hand.lay(game.apply(hand.match.position, step))
    assert isinstance(hand.panel, ProposalPanel)
    assert "Seen on the board. Is that right?" in hand.text()
    assert not hand.match.steps, "not before the touch"
    hand.press("Yes, that's right")
    assert hand.match.steps == (step,)
    hand.wait()
    assert isinstance(hand.panel, TurnPanel)
    assert not hand.table.hands.todo.open


def test_what_is_done_of_it_ticks_itself_and_the_rest_is_still_to_do(alone: Alone) -> None:
    hand = announcing(watched(alone), ADVANCE)
    hand.lay(game.apply(hand.match.position, Agreed(spaces=(("advance:c4", ("red",)),))))
    assert isinstance(hand.panel, AnnouncedPanel)
    assert "belong" not in hand.text(), "before hands have moved units the list is enough"
    assert ticked(hand) == ["Commander to Advance c4"]
    assert "2 troops from d5 to c4" in hand.text()
    hand.lay(game.apply(hand.match.position, ADVANCE))
    assert isinstance(hand.panel, ProposalPanel)


def test_nothing_ticks_itself_where_that_is_switched_off(alone: Alone) -> None:
    hand = announcing(watched(alone), ADVANCE)
    hand.app.stage.change(tick_by_camera=False, propose_turns=False)
    hand.lay(game.apply(hand.match.position, ADVANCE))
    assert isinstance(hand.panel, AnnouncedPanel)
    assert not ticked(hand)
    hand.press("Done")
    assert hand.match.steps == (ADVANCE,)


def test_another_turn_than_the_announced_one_is_not_taken_for_it(alone: Alone) -> None:
    hand = announcing(watched(alone), ADVANCE)
    hand.lay(game.apply(hand.match.position, Deploy("advance:c4", moves=(("d5", "troop", 1),))))
    assert hand.app.stage.sense.sign == "proposal", "the camera has seen a turn"
    assert isinstance(hand.panel, AnnouncedPanel)
    assert ticked(hand) == ["Commander to Advance c4"]


def assaulting(alone: Alone) -> SoloHand:
    """Let the app attack b5, where the person's two troops stand."""
    return announcing(watched(alone).forced(ADVANCE, GUARDS), RAID)


def test_a_turn_with_dice_is_taken_whole(alone: Alone) -> None:
    hand = assaulting(alone)
    after = game.fold(hand.match.position, (RAID, Roll((1,), "black")))
    hand.lay(after)
    assert isinstance(hand.panel, ProposalPanel)
    hand.press("Yes, that's right")
    assert hand.match.steps[2] == RAID
    assert isinstance(hand.match.steps[3], Roll)
    assert hand.match.position.units == after.units


def test_something_else_leads_back_to_the_announcement(alone: Alone) -> None:
    hand = announcing(watched(alone), ADVANCE)
    hand.lay(game.apply(hand.match.position, ADVANCE))
    hand.press("Something else")
    assert isinstance(hand.panel, AnnouncedPanel)
    hand.wait()
    assert isinstance(hand.panel, AnnouncedPanel), "nobody did it, people said"
    hand.press("Done")
    assert hand.match.steps == (ADVANCE,)


def test_a_turn_of_ones_own_is_proposed_as_ever_and_the_app_chooses_its_losses(alone: Alone) -> None:
    hand = alone("black", board="sengoku-fortress", watched=True)
    hand.forced(Agreed(areas=(("c4", (("black", "troop", 2), ("black", "siege", 1))),))).wait().wait()
    shot = Deploy("siege:d5", target="c4")
    begun = game.fold(hand.match.position, (shot, Roll((1,), "red")))
    seen = [game.apply(begun, Remove(((kind, 1),), "black", "c4")) for kind in ("troop", "siege")]
    hand.lay(seen[0])
    assert isinstance(hand.panel, ProposalPanel)
    hand.press("Yes, that's right")
    assert isinstance(hand.match.steps[-1], Remove)
    own = hand.table._view(begun)
    assert hand.match.steps[-1] == answer(own, "black", LEVELS["child"])


def test_a_card_of_its_own_comes_before_the_dice_that_were_seen(alone: Alone) -> None:
    hand = alone("black", watched=True)
    hands = Agreed(other=OtherCorrections(hands=(("red", 0), ("black", 1))))
    hand.forced(hands, ADVANCE, Pass(), Deploy("reinforce:1", place=(("c4", "troop", 3),)), Pass())
    hand.table.stage.services.private.put(hand.match, hand.match.position, "black", "ambush")
    hand.table.refresh()
    hand.wait().wait()
    raid = Deploy("advance:b5", moves=(("c4", "troop", 4),))
    hand.lay(game.fold(hand.match.position, (raid, Roll((1,), "black"), Accept())))
    assert isinstance(hand.panel, ProposalPanel)
    hand.press("Yes, that's right")
    assert hand.match.steps[-1] == raid, "what was rolled doesn't count"
    assert hand.announced.step == Play("ambush", "black")


def test_the_announced_turn_may_be_a_little_less_likely_than_another(alone: Alone) -> None:
    position = alone("red").match.position
    seen = Explanation((ADVANCE,), game.apply(position, ADVANCE), "", 0.5)
    assert as_announced(seen, ADVANCE, position) == seen
    assert as_announced(replace(seen, likelihood=0.01), ADVANCE, position) is None
    assert as_announced(replace(seen, steps=()), ADVANCE, position) is None
    assert as_announced(seen, Pass(), position) is None


def test_the_space_that_was_announced_is_taken_where_another_reads_the_same(alone: Alone) -> None:
    position = ready(alone("red").match.position, Pass())
    one, other = (Deploy(f"reinforce:{n}", place=(("d3", "troop", 2),)) for n in (1, 2))
    seen = Explanation((other,), game.apply(position, other), "", 0.5)
    meant = as_announced(seen, one, position)
    assert meant is not None
    assert meant.steps == (one,)


AT_ONCE_S = 3
REINFORCE = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 2)))


# ---- what hands left out or laid elsewhere -------------------------------------------------------


def with_troops(position: Position, **troops: int) -> Position:
    """Return the position with so many more red troops in these areas."""
    counts = {area: position.units_in(area).get("red", {}).get("troop", 0) + n for area, n in troops.items()}
    return game.apply(position, Agreed(areas=tuple((area, (("red", "troop", n),)) for area, n in counts.items())))


def seen(hand: SoloHand, position: Position) -> SoloHand:
    """Let the camera see this position, and three seconds go by."""
    hand.eye.lay(position)
    for _second in range(AT_ONCE_S):
        hand.wait()
    return hand


@pytest.mark.parametrize(
    ("placed", "told", "language"),
    [
        ({"d3": 2, "e1": 2}, "d3 still needs 1 troop.", "en"),
        ({"d3": 1, "e1": 2}, "d3 still needs 2 troops.", "en"),
        ({"d3": 3}, "e1 still needs 2 troops.", "en"),
        ({"d3": 3, "d5": 2}, "2 troops in d5 belong in e1.", "en"),
        ({"d3": 3, "d5": 1, "e1": 1}, "1 troop in d5 belongs in e1.", "en"),
        ({"d3": 2, "d5": 2}, "2 troops in d5 belong in e1.\nd3 still needs 1 troop.", "en"),
        ({"d3": 4, "e1": 2}, "1 red troop too many in d3.", "en"),
        ({"d3": 2, "e1": 2}, "Ainda falta 1 tropa em d3.", "pt_BR"),
        ({"d3": 1, "e1": 2}, "Ainda faltam 2 tropas em d3.", "pt_BR"),
        ({"d3": 3, "d5": 2}, "2 tropas em d5 deveriam estar em e1.", "pt_BR"),
    ],
)
def test_what_is_missing_or_misplaced_is_said_until_it_is_put_right(
    alone: Alone, placed: dict[str, int], told: str, language: str
) -> None:
    hand = announcing(watched(alone), REINFORCE)
    use_language(language)
    before = hand.match.position
    assert told in seen(hand, with_troops(before, **placed)).text()
    assert told in hand.wait(60.0).text()
    assert not hand.screen.banner, "no banner names what isn't there"
    assert told not in seen(hand, with_troops(before, d3=3, e1=2)).text()


def test_a_commander_that_is_surely_missing_is_said_and_whose_a_unit_is(alone: Alone) -> None:
    position = alone("red").match.position
    after = game.apply(position, ADVANCE)
    moved = game.apply(position, Agreed(areas=(("c4", (("red", "troop", 2),)), ("d5", (("red", "troop", 1),)))))
    assert laid_otherwise(position, after, reading_of(moved)) == ("1 red commander missing from “Advance to c4”.",)
    doubtful = reading_of(moved)
    doubtful = replace(doubtful, leaders={**doubtful.leaders, "advance:c4": {"red": 0.3}})
    assert laid_otherwise(position, after, doubtful) == ()
    fewer = game.apply(with_troops(position, d3=1), Agreed(areas=(("b3", (("black", "troop", 1),)),)))
    told = laid_otherwise(position, position, reading_of(fewer))
    assert "b3 still needs 1 black troop." in told, "units of the other side are named by their colour"


def test_forgotten_losses_are_told_as_what_is_missing_and_no_roll_is_made_up(alone: Alone) -> None:
    hand = assaulting(alone)
    before, after = hand.match.position, game.apply(hand.match.position, RAID)
    lost = game.apply(after, Roll((1,), "black"))
    assert laid_otherwise(before, after, reading_of(lost)) == (), "what the dice may have cost is not missing"
    seen(hand, after)
    for _minute in range(2):
        assert isinstance(hand.panel, AnnouncedPanel)
        assert "Both sides seem to be in b5. Touch “Done”, then roll the dice." in hand.text()
        assert "Seen on the board" not in hand.text()
        hand.wait(60.0)
    seen(hand, lost)
    assert isinstance(hand.panel, ProposalPanel), "the losses were taken off"


def test_done_with_a_troop_missing_is_no_count(alone: Alone) -> None:
    hand = announcing(watched(alone), REINFORCE)
    seen(hand, with_troops(hand.match.position, d3=2, e1=2)).press("Done")
    for _minute in range(2):
        hand.wait()
        assert isinstance(hand.panel, TurnPanel)
        assert hand.app.stage.sense.sign == "behind"
        assert "But: 1 red troop missing from d3" in hand.text()
        hand.wait(60.0)
    hand.eye.follow()
    hand.wait()
    assert hand.app.stage.sense.sign == "sync"
    assert "But:" not in hand.text()


def test_what_stands_against_ones_own_turn_is_told_beside_the_apps_and_may_be_counted(alone: Alone) -> None:
    hand = watched(alone, "black")
    seen(hand, with_troops(hand.match.position, d3=2, e1=2)).play(REINFORCE)
    hand.app.stage.senses.monitor.advance(TurnLaid())
    hand.wait()
    assert isinstance(hand.panel, AnnouncedPanel)
    assert "But: 1 red troop missing from d3" in hand.text()
    hand.press("Count d3", "That's right").wait()
    assert isinstance(hand.panel, AnnouncedPanel)
    assert "But:" not in hand.text()


def test_a_turn_of_ones_own_that_is_taken_back_on_the_board_is_undone(alone: Alone) -> None:
    hand = watched(alone, "black")
    before = hand.match.position
    hand.lay(game.apply(before, ADVANCE)).press("Yes, that's right").wait()
    assert isinstance(hand.panel, AnnouncedPanel)
    seen(hand, before)
    assert isinstance(hand.panel, TakenBackPanel)
    hand.press("No, it counts")
    assert isinstance(hand.panel, AnnouncedPanel)
    assert isinstance(hand.wait(60.0).panel, AnnouncedPanel)


def test_beside_ones_own_turn_a_board_that_differs_is_said_with_the_way_to_put_it_right(alone: Alone) -> None:
    hand = watched(alone, "black")
    hand.lay(game.apply(hand.match.position, Agreed(areas=(("b3", (("black", "troop", 4),)),))))
    assert isinstance(hand.panel, TurnPanel)
    assert "“Fix it” walks you through" in hand.screen.banner
    assert "Fix it" in hand.labels
    hand.eye.follow()
    assert not hand.wait().screen.banner
