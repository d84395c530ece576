"""Which lamps are lit, and when the buzzer sounds."""

from __future__ import annotations

import pytest

from hardware.lights import OFF, Buzzer, Colour, Lights, levels
from hardware.wiring import LAMPS


def lit(lights: Lights) -> set[str]:
    return {name for name, on in levels(lights).items() if on}


def test_every_lamp_is_always_told() -> None:
    assert set(levels(OFF)) == set(LAMPS)
    assert lit(OFF) == set()


@pytest.mark.parametrize(
    ("colour", "parts"),
    [((1, 0, 0), "red"), ((0.9, 0.5, 0.49), "red green"), ((0, 0, 1), "blue"), ((1, 1, 1), "red green blue")],
)
def test_each_part_of_a_colour_is_lit_from_one_half_on(colour: Colour, parts: str) -> None:
    assert lit(Lights(turn=colour)) == {f"turn_{part}" for part in parts.split()}
    assert lit(Lights(initiative=colour)) == {f"initiative_{part}" for part in parts.split()}


def test_the_two_warnings_are_lamps_of_their_own() -> None:
    assert lit(Lights(unsure=True)) == {"unsure"}
    assert lit(Lights(out_of_sync=True)) == {"out_of_sync"}


def test_a_pattern_begins_when_it_is_first_looked_at() -> None:
    buzzer = Buzzer()
    buzzer.begin(((1.0, 1.0), (2.0, 0.0)))
    assert [buzzer.sounds(50.0 + after_s) for after_s in (0, 0.9, 1.0, 1.9, 2.0, 3.9, 4.0, 9.0)] == [
        *(True, True, False, False, True, True, False, False),
    ]


def test_without_a_pattern_there_is_silence() -> None:
    assert not Buzzer().sounds(1.0)
