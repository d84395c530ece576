"""Pins that can be, and pins that cannot; the committed diagram is the Wiring's, and others can be drawn too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.errors import WiringError
from hardware.events import CHOOSERS, CONTROLS
from hardware.wiring import LAMPS, NAMES, NOT_WIRED, USABLE_PINS, Wiring
from hardware.wiring_picture import (
    BLUE_OHM,
    HEADER,
    OTHERS,
    PHYSICAL,
    RED_OHM,
    bands_of,
    is_left,
    main,
    ohms_of,
    parts_of,
    picture,
)

BUSES = {2, 3, 8, 9, 10, 11, 14, 15}  # of I2C, SPI0 and the UART
PULLED_UP_AT_START = range(9)


def test_the_fields_are_the_controls_the_encoder_and_what_is_lit() -> None:
    names = [control.replace("-", "_") for control in CONTROLS]
    wired = [*names, "encoder_a", "encoder_b", *LAMPS, "buzzer"]
    assert [field.name for field in fields(Wiring)] == [*wired, "inverted"]
    assert list(NAMES) == wired


def test_the_defaults_leave_others_their_pins() -> None:
    assert not set(Wiring().pins().values()) & BUSES


def test_no_lamp_glows_and_no_buzzer_sounds_while_a_pi_starts() -> None:
    assert all(pin not in PULLED_UP_AT_START for pin in Wiring().outputs().values())


def test_the_defaults_wire_everything_but_the_arrows() -> None:
    wiring = Wiring()
    assert set(wiring.controls()) == set(CONTROLS) - {"previous", "next"}
    assert set(wiring.outputs()) == {*LAMPS, "buzzer"}
    assert wiring.encoder() == (19, 26)
    assert len(wiring.pins()) == 18
    assert set(CHOOSERS) == {"choose", "previous", "next"}


def test_what_is_not_wired_is_left_out() -> None:
    wiring = Wiring(confirm_one=NOT_WIRED, encoder_a=NOT_WIRED, encoder_b=NOT_WIRED, buzzer=NOT_WIRED)
    assert "confirm-one" not in wiring.controls()
    assert wiring.encoder() is None
    assert "buzzer" not in wiring.outputs()


def test_settings_are_laid_over_the_defaults() -> None:
    wiring = Wiring.of({"confirm_one": 10, "buzzer": 0})
    assert (wiring.confirm_one, wiring.buzzer, wiring.pass_one) == (10, 0, 6)
    assert Wiring.of({}) == Wiring()


def test_one_pin_for_two_things_names_both() -> None:
    with pytest.raises(WiringError, match=r"^pass_two and unsure are both on pin 17$"):
        Wiring(unsure=17)


@pytest.mark.parametrize("pin", [1, 28, -1, 40])
def test_a_pin_that_does_not_exist_is_named_with_what_wants_it(pin: int) -> None:
    with pytest.raises(WiringError, match=f"^buzzer can't be on pin {pin}: "):
        Wiring(buzzer=pin)


@pytest.mark.parametrize(("wired", "missing"), [("encoder_a", "encoder_b"), ("encoder_b", "encoder_a")])
def test_half_an_encoder_is_none(wired: str, missing: str) -> None:
    with pytest.raises(WiringError, match=f"^{wired} is wired but {missing} isn't: an encoder needs both$"):
        Wiring.of({missing: NOT_WIRED})


def test_a_name_that_nothing_has_is_told_with_those_that_are() -> None:
    with pytest.raises(
        WiringError, match="nothing called confirm_red can be wired; choose from: confirm_one, pass_one"
    ):
        Wiring.of({"confirm_red": 5})


@pytest.mark.parametrize(
    ("inverted", "names"),
    [
        ((), []),
        (("turn",), ["turn_red", "turn_green", "turn_blue"]),
        (("buzzer", "undo_one"), ["undo_one", "buzzer"]),
        (("lamps",), list(LAMPS)),
        (("buttons",), [control.replace("-", "_") for control in CONTROLS]),
    ],
)
def test_what_is_inverted_is_named_alone_or_together(inverted: tuple[str, ...], names: list[str]) -> None:
    wiring = Wiring.of({}, inverted)
    assert [name for name in NAMES if wiring.is_inverted(name)] == names


@pytest.mark.parametrize("name", ["encoder_a", "confirm-one", "bell"])
def test_what_can_t_be_inverted_is_told_with_what_can(name: str) -> None:
    with pytest.raises(WiringError, match=f"^{name} can't be inverted; choose from: buttons, lamps, turn, initiative,"):
        Wiring(inverted=(name,))


ROOT = Path(__file__).parents[2]
RENEW = """python -m hardware.wiring_picture > docs/pictures/wiring.svg
rsvg-convert docs/pictures/wiring.svg -o docs/pictures/wiring.png"""
ELSEWHERE = Wiring(
    encoder_a=0,
    encoder_b=0,
    previous=2,
    next=3,
    turn_red=26,
    turn_blue=19,
    initiative_red=0,
    initiative_green=0,
    buzzer=11,
)
BARE = Wiring.of({name: 0 for name in Wiring().pins() if name != "confirm_one"})


def words(svg: str) -> Iterator[str]:
    return (element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


def test_the_header_is_that_of_a_pi() -> None:
    pins = MockFactory().board_info.headers["J8"].pins
    assert {number: pin.name.removeprefix("GPIO") for number, pin in pins.items()} == dict(HEADER)


def test_a_bcm_number_stands_where_it_does() -> None:
    assert [(PHYSICAL[bcm], is_left(PHYSICAL[bcm])) for bcm in ("2", "14", "21")] == [
        (3, True),
        (8, False),
        (40, False),
    ]
    assert all(str(bcm) in HEADER.values() for bcm in (*USABLE_PINS, *OTHERS))


def test_the_committed_diagram_is_what_the_wiring_gives() -> None:
    committed = (ROOT / "docs/pictures/wiring.svg").read_text(encoding="utf-8")
    assert committed == picture(Wiring()), RENEW


def test_the_owners_page_has_the_table_of_these_pins() -> None:
    page = (ROOT / "docs/hardware.md").read_text(encoding="utf-8")
    told: dict[str, tuple[str, str]] = {}
    for names, *numbers in re.findall(r"^\| (`.+`) \| ([\d, ]+) \| ([\d, –]+) \|", page, re.MULTILINE):
        cells = [re.findall(r"\d+|–", cell) for cell in numbers]
        told |= dict(zip(re.findall(r"`(\w+)`", names), zip(*cells, strict=False), strict=False))
    wired = {name: (str(pin), str(PHYSICAL[str(pin)])) for name, pin in Wiring().pins().items()}
    assert {name: places for name, places in told.items() if name in wired} == wired


@pytest.mark.parametrize("wiring", [Wiring(), ELSEWHERE, BARE])
def test_every_wired_pin_is_drawn_with_its_setting_once(wiring: Wiring) -> None:
    drawn = list(words(picture(wiring)))
    assert all(drawn.count(name) == 1 for name in wiring.pins())
    assert sum(word.startswith("GPIO") and " " not in word[5:] for word in drawn) >= len(wiring.pins())


def test_what_has_to_be_bought_follows_from_the_wiring() -> None:
    assert parts_of(Wiring())[:3] == [
        "6 × push buttons that close while pressed",
        "1 × rotary encoder with push (EC11, KY-040)",
        "2 × RGB LEDs, common cathode",
    ]
    assert parts_of(BARE) == ["1 × push buttons that close while pressed"]
    assert "9 × push buttons that close while pressed" in parts_of(ELSEWHERE)


def test_lamps_that_hang_from_3v3_are_drawn_so(capsys: pytest.CaptureFixture[str]) -> None:
    plain, anodes = Wiring(), Wiring(inverted=("turn", "unsure", "undo_one", "buzzer"))
    flags = [list(words(picture(wiring))).count("3V3") for wiring in (plain, anodes)]
    assert flags[1] - flags[0] == 4
    assert picture(plain).count("<circle") - picture(anodes).count("<circle") == 4, "and leave the rail"
    assert {
        "1 × RGB LEDs, common anode",
        "1 × RGB LEDs, common cathode",
        "1 × push buttons that open while pressed",
    } < {*parts_of(anodes)}
    assert parts_of(anodes)[-1].endswith("input low = sound")
    assert "never to 5 V" in picture(anodes)
    assert "never to 5 V" not in picture(plain)
    assert main(["inverted=turn,unsure,undo_one,buzzer"]) == 0
    assert capsys.readouterr().out == picture(anodes)
    assert main(["inverted=sun"]) == 2


def test_no_lamp_takes_more_than_a_pin_gives_and_all_together_stay_below_50_ma() -> None:
    least_volts = {RED_OHM: 1.9, BLUE_OHM: 2.8}  # that a lamp behind each resistor may need
    most_ma = [1000 * (3.3 - least_volts[ohms]) / ohms for ohms in map(ohms_of, LAMPS)]
    assert max(most_ma) < 8
    assert sum(most_ma) < 40


def test_pins_may_be_named_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["buzzer=11"]) == 0
    assert capsys.readouterr().out == picture(Wiring(buzzer=11))
    for wrong in (["buzzer=17"], ["buzer=11"], ["buzzer"]):
        assert main(wrong) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_resistors_wear_their_colour_code() -> None:
    assert [bands_of(ohms) for ohms in (330, 100, 4700)] == [("3", "3", "1"), ("1", "0", "1"), ("4", "7", "2")]
