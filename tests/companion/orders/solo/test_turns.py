"""The app's turns: announced, done at a touch, its dice, answers and cards, what undo takes back."""

from __future__ import annotations

from companion.games.opponent import NAME
from companion.perception.sync.status import TableView
from companion.scenes.base.consent import ConsentScene
from companion.scenes.orders.announced import AnnouncedPanel, AppRollPanel
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.cards import ToldHandScene
from companion.scenes.orders.turn import TurnPanel
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Play, Remove, Roll, Step
from hardware.events import CodeRead
from tests.companion.orders.solo.playing import ADVANCE, GUARDS, RAID, Alone, SoloHand
from tests.companion.perception.seeing import reading_of
from vision.live.printed import LaidCard

# ---- what it announces ---------------------------------------------------------------------------------


def test_it_announces_its_turn_in_a_sentence_a_list_and_arrows_and_a_touch_takes_it(alone: Alone) -> None:
    hand = alone("red")
    step = hand.announced.step
    hand.match.close()
    hand = alone("red")
    assert hand.announced.step == step, "after a restart the same again"
    assert isinstance(step, Deploy)
    assert isinstance(hand.screen.blocks[0], scr.Prompt)
    assert "Please do this for Gunbai:" in hand.text()
    assert hand.picture.traces or any(stack.change for area in hand.picture.areas for stack in area.stacks)
    assert not hand.match.steps, "not before the touch"
    hand.press("Done")
    assert hand.match.steps == (step,)
    assert isinstance(hand.panel, TurnPanel), "it is the person's turn"
    assert not hand.table.hands.todo.open, "hands have done it before"


def test_what_it_may_not_see_changes_nothing_of_what_it_does(alone: Alone) -> None:
    def chosen(*cards: str) -> Step:
        hand = alone()
        hand.forced(Deploy("plan:2", draw=cards), Pass(), Pass())
        found = hand.announced.step
        hand.table.stage.services.private.put(hand.match, hand.match.position, "red", "ambush")
        hand.table.refresh()
        assert hand.announced.step == found, "what a person has noted behind the cover is theirs alone"
        hand.match.close()
        hand.match.path.unlink()
        return found

    assert chosen("ambush", "mobilise") == chosen("shore_strike", "ground_assault")


def test_ones_own_pieces_come_first_where_they_still_have_to_be_moved(alone: Alone) -> None:
    hand = alone().play(ADVANCE)
    lists = hand.blocks(scr.Checklist)
    assert [line.text for line in lists[0].lines] == ["Commander to Advance c4", "2 troops from d5 to c4"]
    assert hand.announced.seat == "black"
    hand.app.touch(Intent("did"))
    assert not hand.blocks(scr.Checklist)


# ---- its dice ------------------------------------------------------------------------------------------


def raided(alone: Alone) -> SoloHand:
    """Red, the person, attacks b5 where the app defends."""
    return alone().forced(ADVANCE, GUARDS, RAID)


def test_its_dice_are_rolled_by_the_app_at_one_touch_and_told(alone: Alone) -> None:
    hand = raided(alone)
    assert isinstance(hand.panel, AppRollPanel)
    hand.press("Roll for Gunbai")
    roll = hand.match.steps[3]
    assert isinstance(roll, Roll)
    assert roll.by == "black"
    assert hand.screen.banner.startswith("Black rolls")
    hand.match.close()
    hand.match.path.unlink()
    assert raided(alone).press("Roll for Gunbai").match.steps[3] == roll, "by the same chance the same"


def test_its_dice_are_rolled_by_hand_as_anybodys(alone: Alone) -> None:
    hand = raided(alone).dice(1)
    assert [action.label for action in hand.screen.actions if action.intent.verb == "app-roll"] == []
    hand.press("Confirm")
    assert hand.match.steps[3] == Roll((1,), "black")
    assert not hand.screen.banner
    hand.match.close()
    hand.match.path.unlink()
    hand = alone("red").forced(ADVANCE, GUARDS, RAID)
    assert type(hand.panel) is RollPanel, "the person's own dice are the person's"
    assert not any(button.intent.verb == "app-roll" for button in hand.all_buttons())


# ---- what it answers -----------------------------------------------------------------------------------


def with_hands(hand: SoloHand, red: int, black: int) -> SoloHand:
    return hand.forced(Agreed(other=OtherCorrections(hands=(("red", red), ("black", black)))))


def tell(hand: SoloHand, *cards: str) -> SoloHand:
    for card in cards:
        hand.table.stage.services.private.put(hand.match, hand.match.position, hand.table.opponent.side, card)
    hand.table.refresh()
    return hand


def test_a_window_that_only_it_could_use_is_passed_without_a_word(alone: Alone) -> None:
    hand = with_hands(alone(), 0, 2)
    hand.forced(ADVANCE, GUARDS)
    hand.play(RAID)
    assert isinstance(hand.panel, AppRollPanel), "cards that it wasn't told it doesn't play"
    assert not hand.panel.owed.cards
    hand.press("Roll for Gunbai")
    assert hand.match.steps[-1] == Accept()
    assert isinstance(hand.panel, AnnouncedPanel), "and its next turn is announced"


def test_a_card_that_it_was_told_it_plays_where_that_helps(alone: Alone) -> None:
    hand = tell(with_hands(alone(), 0, 1), "ambush")
    hand.forced(ADVANCE, Pass(), Deploy("reinforce:1", place=(("c4", "troop", 3),)), Pass())
    hand.play(Deploy("advance:b5", moves=(("c4", "troop", 4),)))
    card = hand.announced.step
    assert card == Play("ambush", "black")
    assert "Discard Ambush" in hand.text()
    hand.press("Done")
    assert hand.match.steps[-1] == card
    assert isinstance(hand.panel, AppRollPanel)


def test_the_person_is_asked_for_own_cards_alone_and_the_app_knows_its_own(alone: Alone) -> None:
    hand = tell(with_hands(alone(), 2, 2), "mobilise")
    assert hand.table._view(hand.match.position).hands == (2, ("mobilise",)), "and how many the person has"
    hand.forced(ADVANCE, GUARDS)
    hand.play(RAID)
    owed = hand.table.owed(hand.match.position)
    assert owed is not None
    assert {side for side, _card in owed.cards} <= {"red"}
    hand.press("Roll for Gunbai")
    assert not isinstance(hand.panel, WindowPanel) or not hand.panel.owed.may_reroll


def under_fire(alone: Alone) -> SoloHand:
    """Give the app troops and a siege weapon in c4, and hit one of them."""
    hand = alone(board="sengoku-fortress")
    mixed = ("c4", (("black", "troop", 2), ("black", "siege", 1)))
    hand.forced(Agreed(areas=(mixed,)), Deploy("siege:d5", target="c4"))
    return hand.dice(1).press("Confirm")


def test_it_chooses_its_losses_with_the_dice_and_hands_are_told(alone: Alone) -> None:
    hand = under_fire(alone)
    *_others, roll, loss = hand.match.steps
    assert (roll, type(loss)) == (Roll((1,), "red"), Remove)
    tasks = [task.text for task in hand.table.hands.todo.tasks]
    assert tasks[-1].startswith("Remove 1 black")
    assert isinstance(hand.panel, AnnouncedPanel), "the turn that follows"
    hand.press("Undo").app.touch(Intent("agree", "red"))
    assert type(hand.table.panel) is RollPanel, "its losses are taken back with the dice"
    assert isinstance(hand.match.steps[-1], Deploy)


def test_a_game_that_was_cut_short_before_its_losses_has_them_announced(alone: Alone) -> None:
    hand = under_fire(alone)
    loss = hand.match.steps[-1]
    hand.match.undo()
    hand.table.refresh()
    assert hand.announced.step == loss
    hand.press("Done")
    assert hand.match.steps[-1] == loss
    hand.match.undo()
    hand.match.close()
    assert alone().announced.step == loss, "after a power cut too"


def test_undo_takes_back_a_step_of_ones_own_and_what_it_answered_to_it(alone: Alone) -> None:
    hand = raided(alone).press("Roll for Gunbai")
    assert isinstance(hand.panel, AnnouncedPanel)
    hand.press("Undo")
    assert isinstance(hand.app.scene, ConsentScene), "dice have spoken"
    assert "Each player touches" not in hand.text()
    hand.app.touch(Intent("agree", "red"))
    assert isinstance(hand.panel, AppRollPanel), "one person's word is enough"


def test_undo_from_ones_own_turn_leads_over_its_turn_to_the_own_one(alone: Alone) -> None:
    hand = alone().play(ADVANCE)
    step = hand.announced.step
    hand.press("Done")
    steps = hand.match.steps
    assert isinstance(hand.panel, TurnPanel)
    hand.press("Undo")
    assert hand.announced.step == step, "it would do the same again"
    hand.press("Undo")
    assert isinstance(hand.panel, TurnPanel)
    assert not hand.match.steps
    assert "Nothing to undo." in hand.press("Undo").screen.banner
    hand.press("Redo", "Redo")
    assert hand.match.steps == steps, "and redo has both again"


# ---- its hand ------------------------------------------------------------------------------------------


def told_to(hand: SoloHand) -> dict[str, int]:
    """Return the cards that the app was told it holds."""
    return hand.table.stage.services.private.of(hand.match, hand.match.position, "black")


def drawn(alone: Alone) -> SoloHand:
    """Let the app draw two cards."""
    hand = alone().forced(Pass())
    plan = Deploy("plan:2", draw=2)
    hand.table._announced = AnnouncedPanel(hand.match.position, plan, "black")
    hand.table.panel = hand.table._announced
    return hand.press("Done")


def test_cards_that_it_draws_are_told_to_it_by_touch(alone: Alone) -> None:
    hand = drawn(alone).press("Ambush")
    assert "1 card left to enter." in hand.text()
    hand.press("Start over", "Mobilise", "Ambush")
    assert hand.app.scene is hand.table
    assert told_to(hand) == {"mobilise": 1, "ambush": 1}
    hand.match.close()
    assert told_to(alone()) == {"mobilise": 1, "ambush": 1}, "after a restart too"


def test_cards_are_told_by_their_codes_on_a_reader(alone: Alone) -> None:
    hand = drawn(alone)
    hand.app.stage.desk.tags.bind(hand.match.board.mode, "04A1B2C3D4", "ambush")
    hand.app.stage.desk.tags.bind(hand.match.board.mode, "04A1B2C3D5", "mobilise")
    for code in ("04A1B2C3D4", "04A1B2C3D4", "04A1B2C3FF", "04A1B2C3D5"):
        hand.app.hearing.hear(CodeRead("tags", code, 0.0))
        hand.wait()
    assert hand.app.scene is hand.table
    assert told_to(hand) == {"ambush": 1, "mobilise": 1}, "each tag is a card"


def test_cards_are_told_by_their_codes_before_the_camera(alone: Alone) -> None:
    hand = drawn(lambda: alone(watched=True)).wait().wait()
    names = list(hand.match.board.mode.cards)
    cards = tuple(LaidCard(names.index(name), (0.0, 90.0 * n)) for n, name in enumerate(("ambush", "mobilise")))
    hand.eye.laid = TableView("settled", reading_of(hand.match.position), cards=cards)
    hand.wait().wait()
    assert hand.app.scene is hand.table
    assert hand.app.stage.senses.monitor.state.cards.fresh(hand.match.board.mode) == (), "they help to tell no turn"
    assert told_to(hand) == {"ambush": 1, "mobilise": 1}


def test_cards_may_stay_face_down_and_be_told_later(alone: Alone) -> None:
    hand = drawn(alone).press("Leave them face down")
    assert isinstance(hand.panel, TurnPanel)
    hand.press("Cards", f"{NAME}'s hand")
    assert isinstance(hand.app.scene, ToldHandScene)
    assert f"{NAME}'s hand" == hand.screen.title


def test_no_more_copies_are_told_than_there_are_and_none_that_has_left_the_deck_is_held(alone: Alone) -> None:
    hand = with_hands(alone(), 0, 5)
    hand.press("Cards", f"{NAME}'s hand")
    copies = hand.match.board.mode.cards["ambush"].copies
    for _n in range(copies + 1):
        hand.press("Ambush")
    assert told_to(hand) == {"ambush": copies}
    hand.forced(Agreed(other=OtherCorrections(discard=("ambush",) * copies)))
    assert hand.table._view(hand.match.position).hands[1] == ()


def test_who_is_not_asked_for_cards_may_play_one_before_its_turn(alone: Alone) -> None:
    hand = with_hands(alone(), 1, 0)
    hand.app.stage.change(ask_cards=False)
    hand.play(Deploy("reinforce:1", place=(("d3", "troop", 3),)))
    assert isinstance(hand.panel, AnnouncedPanel)
    hand.press("Play a card")
    assert isinstance(hand.panel, WindowPanel)
    hand.press("No card")
    assert isinstance(hand.panel, AnnouncedPanel)
    assert not any(button.intent.verb == "window" for button in hand.all_buttons())
