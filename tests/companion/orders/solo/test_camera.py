"""Against the app before a camera: what is done ticks itself, and the announced turn is taken as it was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.scenes.orders.announced import AnnouncedPanel
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.solo_table import as_announced
from companion.ui import screen as scr
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.player import LEVELS, answer
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Play, Remove, Roll
from engine.orders.turn import ready
from tests.companion.orders.solo.playing import SoloHand

Alone = Callable[..., SoloHand]
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
GUARDS = Deploy("reinforce:2", place=(("a3", "troop", 2), ("b3", "troop", 3)))
RAID = Deploy("advance:b5", moves=(("c4", "troop", 1),))


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


def test_a_turn_with_dice_is_taken_whole(alone: Alone) -> None:
    hand = watched(alone)
    for step in (ADVANCE, GUARDS):
        hand.match.offer(step)
    hand.table.refresh()
    announcing(hand, RAID)
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
    mixed = ("c4", (("black", "troop", 2), ("black", "siege", 1)))
    hand.match.offer(Agreed(areas=(mixed,)))
    hand.table.refresh()
    hand.wait().wait()
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
    for step in (
        Agreed(other=OtherCorrections(hands=(("red", 0), ("black", 1)))),
        ADVANCE,
        Pass(),
        Deploy("reinforce:1", place=(("c4", "troop", 3),)),
        Pass(),
    ):
        assert hand.match.offer(step).legal
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


def test_cards_are_drawn_from_the_space_that_was_announced(alone: Alone) -> None:
    position = ready(alone("red").match.position, Pass())
    one, other = Deploy("reinforce:1", place=(("d3", "troop", 2),)), Deploy("reinforce:2", place=(("d3", "troop", 2),))
    seen = Explanation((other,), game.apply(position, other), "", 0.5)
    meant = as_announced(seen, one, position)
    assert meant is not None
    assert meant.steps == (one,)
