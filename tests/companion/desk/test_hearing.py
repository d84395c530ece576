"""Cards on readers, dice in a tray, devices that come and go: what the app makes of them; nothing plays itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.desk_events import NOTICE_S
from companion.core.storage import games_dir
from companion.desk.tags import file_of
from companion.games.match import Match
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.card_panels import CardForm, CardsPanel, PlayPanel, RerollPanel, TableCardPanel
from companion.scenes.orders.cards import HandScene
from companion.scenes.orders.forms import DeployForm
from companion.scenes.orders.placing import PlanForm
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.game import Owed
from engine.orders.steps import Deploy, Pass, Play, Reroll, Roll, Step
from hardware.events import Ailing, CodeRead, Plugged, Press, Thrown
from tests.companion.desk.desk import Desk
from tests.companion.gallery.rooms.desk import READER, heard
from tests.companion.gallery.rooms.turn import drawn
from tests.companion.touching import Hand

WINDOW_FOR_RED, WINDOW_FOR_BLACK = 49, 55  # of the recorded game: before a roll, and with nothing else owed
CODE, OTHER = "0F00A1B2C3", "0F00A1B2C4"
NOW_S = 1.0


def read(hand: Hand, code: str = CODE) -> None:
    heard(hand, CodeRead(READER, code, NOW_S))


def bound(hand: Hand, card: str, *codes: str) -> None:
    for code in codes or (CODE,):
        hand.app.stage.desk.tags.bind(table(hand).match.board.mode, code, card)


def side(hand: Hand, side: str) -> None:
    stage = hand.app.stage
    stage.apply(replace(stage.settings, reader_sides={READER: side}))


def table(hand: Hand) -> BoardTable:
    assert isinstance(hand.app.table, BoardTable)
    return hand.app.table


def refreshed(hand: Hand, *steps: Step) -> None:
    for step in steps:
        assert table(hand).match.offer(step).legal, table(hand).match.offer(step)
    table(hand).refresh()


def conflict(hand: Hand) -> Owed:
    """Let red advance into b5, where black stands, both hands hidden; return the roll that black owes."""
    hand.start()
    table(hand).match.offer(Deploy("plan:2", draw=2))
    table(hand).match.offer(Deploy("plan:1", draw=1))
    into = Deploy("advance:c4", moves=(("d5", "troop", 2),)), Pass(), Deploy("advance:b5", moves=(("c4", "troop", 1),))
    refreshed(hand, *into)
    due = game.owed(table(hand).match.position)
    assert due is not None
    return due


# ---- cards at the table ---------------------------------------------------------------------------


@pytest.mark.usefixtures("app")
def test_a_card_that_may_be_played_opens_its_panel_and_one_confirm_plays_it() -> None:
    desk = Desk(WINDOW_FOR_RED)
    bound(desk, "ground_assault")
    before = len(desk.match.steps)
    read(desk)
    panel = table(desk).panel
    assert isinstance(panel, CardForm)
    assert panel.faction == "red"
    assert len(desk.match.steps) == before, "nothing plays itself"
    desk.press("Play it")
    assert isinstance(desk.match.steps[before], Play)


@pytest.mark.usefixtures("app")
def test_in_a_window_too() -> None:
    desk = Desk(WINDOW_FOR_BLACK)
    assert isinstance(table(desk).panel, WindowPanel)
    bound(desk, "mobilise")
    side(desk, "two")
    read(desk)
    assert isinstance(table(desk).panel, CardForm | PlayPanel)
    desk.press("Cancel")
    assert isinstance(table(desk).panel, WindowPanel)
    side(desk, "one")
    read(desk)
    assert isinstance(desk.app.scene, RulingScene), "on red's reader it is no card of black's"


def test_a_card_that_only_adds_dice_is_asked_about_before_it_is_played(hand: Hand) -> None:
    owed = conflict(hand)
    mode = table(hand).match.board.mode
    cards = [(who, card) for who, card in owed.cards if mode.cards[card].verb == "dice"]
    who, card = cards[0]
    bound(hand, card)
    before = len(table(hand).match.steps)
    read(hand)
    assert isinstance(table(hand).panel, PlayPanel)
    hand.app.touch(Intent("nothing"))
    hand.press("Cancel")
    assert isinstance(table(hand).panel, RollPanel)
    read(hand)
    other = next(faction for faction in table(hand).match.board.factions if faction != who)
    hand.app.touch(Intent("confirm", seat=other))
    assert len(table(hand).match.steps) == before, "nobody plays the other's card"
    hand.press("Play it")
    assert table(hand).match.steps[before] == Play(card, who)


def test_a_card_that_may_not_be_played_now_gets_its_ruling(hand: Hand) -> None:
    drawn(hand)
    refreshed(hand)
    bound(hand, "ambush")
    read(hand)
    scene = hand.app.scene
    assert isinstance(scene, RulingScene)
    assert not scene.ruling.legal
    assert scene.ruling.objections[0].citation


def test_a_card_that_goes_with_the_open_deployment_is_switched_on(hand: Hand) -> None:
    drawn(hand)
    refreshed(hand)
    for space in game.legal(table(hand).match.position).spaces:
        hand.app.touch(Intent("space", space))
        form = table(hand).panel
        if isinstance(form, DeployForm) and not isinstance(form, PlanForm) and form.addable_cards():
            break
        hand.app.touch(Intent("cancel"))
    assert isinstance(form, DeployForm)
    card = form.addable_cards()[0].name
    bound(hand, card)
    read(hand)
    read(hand)
    assert form.cards == (card,)


def test_a_reroll_is_spent_by_the_tag_of_its_card(hand: Hand) -> None:
    owed = conflict(hand)
    bound(hand, "mobilise")
    hand.dice(*[1] * owed.dice)
    hand.press("Reroll with a card")
    assert isinstance(table(hand).panel, RerollPanel)
    read(hand)
    assert isinstance(table(hand).panel, PlayPanel)
    hand.press("Spend it")
    assert table(hand).match.steps[-1] == Reroll("mobilise", owed.by)


def test_drawn_cards_are_counted_and_never_named_where_hands_are_hidden(hand: Hand) -> None:
    hand.start()
    bound(hand, "ambush", CODE, OTHER)
    hand.app.touch(Intent("space", "plan:2"))
    form = table(hand).panel
    assert isinstance(form, PlanForm)
    due = form.cards_due()
    read(hand)
    assert f"1 of {due} cards on the reader" in hand.text()
    assert "Ambush" not in hand.text() + hand.screen.banner
    read(hand)
    assert hand.screen.banner == "That card is already counted."
    read(hand, OTHER)
    bound(hand, "ambush", "THIRD")
    read(hand, "THIRD")
    assert len(form.laid_cards) == due
    hand.press("Deploy")
    step = table(hand).match.steps[-1]
    assert isinstance(step, Deploy)
    assert step.draw == due


def test_drawn_cards_are_named_where_hands_are_open(hand: Hand) -> None:
    hand.start()
    bound(hand, "ambush")
    hand.app.touch(Intent("space", "plan:1"))
    hand.press("Name the cards (open hands)")
    read(hand)
    form = table(hand).panel
    assert isinstance(form, PlanForm)
    assert form.named == ["ambush"]


def test_where_both_may_play_a_card_they_are_asked_who(hand: Hand) -> None:
    board = load_board("wwii-alpine")
    tokens = dict(zip(board.slots, board.mode.tokens, strict=False))
    match = Match.start(games_dir() / "alpine.jsonl", board.name, "blue", tokens)
    hand.app.scene = hand.app.table = BoardTable(hand.app.stage, match, hand.app.home)
    refreshed(hand, Deploy("plan:2", draw=2), Deploy("plan:1", draw=1))
    card = board.mode.table_cards[0].name
    bound(hand, card)
    read(hand)
    assert isinstance(table(hand).panel, CardsPanel)
    hand.app.touch(Intent("play", f"yellow/{card}"))
    hand.press("Announce")
    assert match.steps[-1] == Play(card, "yellow")
    side(hand, "one")
    read(hand)
    panel = table(hand).panel
    assert isinstance(panel, TableCardPanel), "on a reader of its own nobody is asked"
    assert panel.faction == "blue"


def test_an_unknown_tag_says_how_to_bind_it(hand: Hand) -> None:
    hand.start()
    read(hand)
    assert (
        hand.screen.banner == f"This tag ({CODE}) isn't linked to a card yet: Settings, Buttons and readers, Card tags."
    )


def test_elsewhere_a_card_is_not_named(hand: Hand) -> None:
    hand.app.stage.desk.tags.bind(hand.app.stage.board.mode, CODE, "ambush")
    read(hand)
    assert hand.screen.banner == "Card read, but no game is open."
    hand.start()
    hand.app.touch(Intent("menu"))
    read(hand)
    assert hand.screen.banner == "Card read. Go back to the table to play it."


def test_a_damaged_file_of_tags_is_told_at_the_table(hand: Hand) -> None:
    hand.start()
    path = file_of(table(hand).match.board.mode)
    path.parent.mkdir(parents=True)
    path.write_text("nonsense")
    read(hand)
    assert "set aside as" in hand.screen.banner
    read(hand)
    assert "isn't linked to a card yet" in hand.screen.banner


def test_a_private_hand_notes_what_is_laid_on_the_reader(hand: Hand) -> None:
    drawn(hand)
    refreshed(hand)
    bound(hand, "ambush", CODE, OTHER)
    hand.app.touch(Intent("cards"))
    hand.app.touch(Intent("hand", "red"))
    hand.press("Show")
    assert isinstance(hand.app.scene, HandScene)
    for code in (CODE, CODE, OTHER):
        read(hand, code)
    match = table(hand).match
    assert hand.app.stage.services.private.of(match, match.position, "red") == {"ambush": 2}
    heard(hand, Plugged(READER, False, NOW_S))
    assert isinstance(hand.app.scene, HandScene)


# ---- dice -------------------------------------------------------------------------------------------


def test_a_throw_fills_in_the_roll_that_is_owed_and_is_confirmed_by_hand(hand: Hand) -> None:
    owed = conflict(hand)
    dice = tuple(n % 3 for n in range(owed.dice))
    before = len(table(hand).match.steps)
    hand.app.touch(Intent("window"))
    heard(hand, Thrown(dice, NOW_S))
    panel = table(hand).panel
    assert isinstance(panel, RollPanel)
    assert (tuple(panel.faces), len(table(hand).match.steps)) == (dice, before)
    hand.press("Confirm")
    assert table(hand).match.steps[before] == Roll(dice, owed.by)


@pytest.mark.parametrize("dice", [(0,) * 9, (7,)])
def test_a_throw_that_is_no_roll_of_these_dice_is_told(hand: Hand, dice: tuple[int, ...]) -> None:
    conflict(hand)
    heard(hand, Thrown(dice, NOW_S))
    assert "but you need 1 die. Roll again, or touch it." in hand.screen.banner
    heard(hand, Thrown((), NOW_S))
    assert hand.screen.banner == "The dice have landed: touch what they show."


def test_a_throw_that_nobody_waits_for(hand: Hand) -> None:
    heard(hand, Thrown((1,), NOW_S))
    assert hand.screen.banner == ""
    hand.start()
    heard(hand, Thrown((1,), NOW_S))
    assert hand.screen.banner == "The tray sees dice, but there's nothing to roll for."
    hand.app.hearing.hush()
    heard(hand, Thrown((), NOW_S))
    assert hand.screen.banner == ""


# ---- devices ----------------------------------------------------------------------------------------


def test_devices_that_come_go_and_ail_are_quiet_notices_that_pass(hand: Hand) -> None:
    hand.start()
    heard(hand, Plugged(READER, False, NOW_S))
    assert "usb-1a86_USB_Serial-if00-port0: not connected." in hand.screen.banner
    hand.app.tick(100.0)
    hand.app.tick(100.0 + NOTICE_S / 2)
    assert hand.screen.banner
    hand.app.tick(100.0 + NOTICE_S)
    assert hand.screen.banner == ""
    heard(hand, Plugged("pins", True, NOW_S))
    assert hand.screen.banner == "The buttons: connected."
    hand.app.touch(Intent("hush"))
    assert hand.screen.banner == ""


def test_a_cable_that_comes_and_goes_is_not_told_each_time(hand: Hand) -> None:
    for at_s, told in ((1.0, True), (2.0, False), (30.0, False), (95.0, True)):
        heard(hand, Plugged(READER, False, at_s))
        assert bool(hand.screen.banner) is told
        hand.app.hearing.hush()


@pytest.mark.parametrize(
    ("ailing", "told"),
    [
        (Ailing("pins", "stuck", "pass-two", NOW_S), "The buttons: Pass, side two is stuck"),
        (Ailing("pins", "noise", "choose", NOW_S), "Knob push flickers"),
        (Ailing(READER, "noise", READER, NOW_S), "check its cable"),
        (Ailing("controller", "silent", "", NOW_S), "The table controller doesn't respond"),
        (Ailing("controller", "version", "older", NOW_S), "an older version: load this Gunbai's sketch"),
        (Ailing("controller", "version", "newer", NOW_S), "a newer version: update Gunbai"),
        (Ailing("pins", "refused", "no permission", NOW_S), "can't be opened: no permission"),
        (Ailing("desk", "broken", "it fell", NOW_S), "Buttons and readers: it fell"),
    ],
)
def test_what_ails_is_said_with_what_to_do(hand: Hand, ailing: Ailing, told: str) -> None:
    heard(hand, ailing)
    assert told in hand.screen.banner


def test_presses_are_left_to_the_window(hand: Hand) -> None:
    assert not hand.app.hearing.hear(Press("choose", "short", NOW_S))
    hand.start()
    assert hand.app.hearing.faction_of("two") == "black"
    assert hand.app.hearing.faction_of("") == ""


def test_each_player_is_told_what_is_theirs_face_to_face(hand: Hand) -> None:
    hand.start()
    hand.app.stage.apply(replace(hand.app.stage.settings, layout="two"))
    hand.app.hearing.say("Only black", "black")
    banners = {face.seat: face.screen.banner for face in hand.app.faces().faces}
    assert banners == {"red": "", "black": "Only black"}
