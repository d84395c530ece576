"""The desk in the settings, the tags of the cards, and the desk at the table, for the gallery."""

from __future__ import annotations

from typing import Any

from companion.scenes.settings.desk import DeskScene
from companion.ui.screen import Intent
from companion.view.window.desk_presses import refusal_text
from hardware.device import Health
from hardware.events import Chord, CodeRead, Event, Press, Thrown, Turned
from hardware.lights import Buzz, Lights
from hardware.ports import PluggedPort
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand

READER = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
PICO = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e6614c775b4a-if00"
HEALTHS = (
    Health("pins", "pins", "present", "gpiochip0", ails=("pass-two",)),
    Health(READER, "reader", "present", READER, counts={"frames": 12, "skipped_bytes": 3}),
    Health(PICO, "controller", "absent", PICO, fault=f"there is no {PICO}"),
)
NOW_S = 1.0


class StillDesk:
    """A desk that is there and does nothing."""

    def start(self, put: Any) -> None:
        """Nothing happens at it."""

    def show(self, lights: Lights) -> None:
        """Ignore the lights, as this desk has no lamps."""

    def buzz(self, pattern: Buzz) -> None:
        """Ignore the buzz, as this desk is silent."""

    def health(self) -> tuple[Health, ...]:
        """How its devices stand."""
        return HEALTHS

    def close(self) -> None:
        """Nothing was open."""


def with_desk(hand: Hand) -> None:
    """Name a desk in the app's settings, and plug it in."""
    stage = hand.app.stage
    stage.desk.devices._opener = lambda plan: StillDesk()
    stage.desk.devices.ports = lambda: (PluggedPort(READER, "QinHeng USB Serial (ttyUSB0)", "/dev/ttyUSB0"),)
    stage.change(desk_pins=True, readers=(READER,), reader_sides={READER: "one"}, controller=PICO)
    stage.desk.devices.begin(stage.settings, lambda event: None)


def opened(hand: Hand, *labels: str) -> None:
    """Open the desk's settings on stage."""
    with_desk(hand)
    hand.app.scene = DeskScene(hand.app.stage, hand.app.scene)
    hand.press(*labels)


def heard(hand: Hand, *events: Event) -> None:
    """Something happens beside the board."""
    for event in events:
        hand.app.hearing.hear(event)


@scene
def desk_try(hand: Hand) -> None:
    opened(hand, "Test the buttons", "Initiative")
    controls = ("confirm-one", "pass-two", "choose")
    heard(
        hand,
        *(Press(control, "short", NOW_S) for control in controls),
        Press("pass-one", "long", NOW_S),
        Turned(-3, NOW_S),
    )
    heard(hand, CodeRead(READER, "0412345673", NOW_S), Thrown((0, 2, 1), NOW_S))
    heard(hand, Chord(frozenset({"confirm-one", "confirm-two"}), NOW_S))


@scene
def desk_tags(hand: Hand) -> None:
    opened(hand, "Card tags")
    mode = hand.app.stage.board.mode
    for n, card in enumerate(mode.cards):
        hand.app.stage.desk.tags.bind(mode, f"041234567{n}", card)
    heard(hand, CodeRead(READER, "0412345671", NOW_S))


@scene
def desk_tag(hand: Hand) -> None:
    opened(hand, "Card tags")
    names = list(hand.app.stage.board.mode.cards)
    hand.app.touch(Intent("card", names[0]))
    heard(hand, CodeRead(READER, "0412345673", NOW_S))


@scene
def desk_tag_taken(hand: Hand) -> None:
    opened(hand, "Card tags")
    mode = hand.app.stage.board.mode
    first, second, *_rest = mode.cards
    hand.app.stage.desk.tags.bind(mode, "0412345673", second)
    hand.app.touch(Intent("card", first))
    heard(hand, CodeRead(READER, "0412345674", NOW_S), CodeRead(READER, "0412345673", NOW_S))


@scene
def desk_card_unknown(hand: Hand) -> None:
    heard(hand.start(), CodeRead(READER, "0412345673", NOW_S))


@scene
def desk_refused(hand: Hand) -> None:
    hand.start()
    hand.app.hearing.say(refusal_text(hand.app.scene, Intent("confirm", seat="black")), "black")


scenes_after(
    __name__,
    {
        "desk": (opened,),
        "desk_devices": (lambda hand: opened(hand, "Devices"),),
        "desk_device": (lambda hand: opened(hand, "Devices"), Intent("device", "", 0)),
        "desk_help": (lambda hand: opened(hand, "What the buttons do"),),
        "desk_try_nothing": (lambda hand: opened(hand, "Test the buttons"),),
    },
)
