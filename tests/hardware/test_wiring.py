"""Pins that can be, and pins that cannot; the defaults leave other boards theirs."""

from __future__ import annotations

from dataclasses import fields

import pytest

from hardware.errors import WiringError
from hardware.events import CHOOSERS, CONTROLS
from hardware.wiring import LAMPS, NAMES, NOT_WIRED, Wiring

OTHERS = {2: "I2C", 3: "I2C", 8: "SPI0", 9: "SPI0", 10: "SPI0", 11: "SPI0", 14: "UART", 15: "UART"}
PULLED_UP_AT_START = range(9)


def test_the_fields_are_the_controls_the_encoder_and_what_is_lit() -> None:
    names = [control.replace("-", "_") for control in CONTROLS]
    wired = [*names, "encoder_a", "encoder_b", *LAMPS, "buzzer"]
    assert [field.name for field in fields(Wiring)] == [*wired, "inverted"]
    assert list(NAMES) == wired


def test_the_defaults_leave_others_their_pins() -> None:
    assert not set(Wiring().pins().values()) & OTHERS.keys()


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
