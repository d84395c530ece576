"""Presses out of levels: one for each, whatever the contact and the clock do."""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from hardware.debounce import USUAL, Debouncer, Timing
from hardware.events import Ailing, Chord, Event, Press

QUICK_S, SLOW_S = 0.004, 0.015
"""Between samples: the fastest and the slowest that our thread does while it is in time."""
CERTAIN_S = USUAL.settle_s + 2 * SLOW_S
"""A level that lasts so long is always noticed."""


@dataclass(frozen=True)
class Signal:
    """A contact's levels in time: it changes at these moments, beginning open."""

    changes_s: tuple[float, ...]

    def closed(self, at_s: float) -> bool:
        return bisect_right(self.changes_s, at_s) % 2 == 1


@st.composite
def bounces(draw: st.DrawFn) -> list[float]:
    """Draw times between changes of a bouncing contact: an even number, in all shorter than the settling time."""
    raw = draw(st.lists(st.floats(0.0001, 0.01), max_size=8).filter(lambda times: len(times) % 2 == 0))
    most_s = USUAL.settle_s * 0.95
    return [time_s * min(1.0, most_s / sum(raw)) for time_s in raw] if raw else []


@st.composite
def pressed(draw: st.DrawFn) -> tuple[Signal, int, int]:
    """Draw a contact pressed several times, and the numbers of its short and long presses."""
    changes_s: list[float] = []
    now_s, short, long = 0.5, 0, 0
    for _ in range(draw(st.integers(1, 5))):
        is_long = draw(st.booleans())
        held_s = draw(st.floats(1.5, 3.0) if is_long else st.floats(CERTAIN_S, 0.5))
        short, long = short + (not is_long), long + is_long
        for steady_s in (held_s, draw(st.floats(CERTAIN_S, 0.4))):
            changes_s.append(now_s)
            for bounce_s in draw(bounces()):
                now_s += bounce_s
                changes_s.append(now_s)
            now_s += steady_s
    return Signal(tuple(changes_s)), short, long


def sampled(signal: Signal, moments_s: list[float], debouncer: Debouncer | None = None) -> list[Event]:
    """Return the events of the control "choose" when its signal is sampled at these moments."""
    debouncer = debouncer or Debouncer("pins", ("choose", "next"))
    told: list[Event] = []
    for now_s in moments_s:
        told += debouncer.sample(frozenset({"choose"} if signal.closed(now_s) else ()), now_s)
    return told


def moments(until_s: float, seed: int) -> list[float]:
    """Return moments of a thread that runs more or less on time."""
    chance, times_s = random.Random(seed), [0.0]
    while times_s[-1] < until_s:
        times_s.append(times_s[-1] + chance.uniform(QUICK_S, SLOW_S))
    return times_s


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events if isinstance(event, Press)]


@given(pressed(), st.integers(0, 999))
def test_a_press_is_one_press_however_it_bounces(pressing: tuple[Signal, int, int], seed: int) -> None:
    signal, short, long = pressing
    told = sampled(signal, moments(signal.changes_s[-1] + 1.0, seed))
    assert (kinds(told).count("short"), kinds(told).count("long"), len(told)) == (short, long, short + long)


@given(pressed(), st.integers(0, 999), st.lists(st.tuples(st.floats(0, 20), st.floats(0.05, 8.0)), max_size=4))
@example((Signal((1.0, 6.0)), 0, 1), 0, [(1.2, 3.0)])
def test_a_late_thread_neither_invents_nor_doubles(
    pressing: tuple[Signal, int, int], seed: int, gaps_s: list[tuple[float, float]]
) -> None:
    signal, short, long = pressing
    late = [
        now_s
        for now_s in moments(signal.changes_s[-1] + 1.0, seed)
        if not any(gap_s < now_s < gap_s + length_s for gap_s, length_s in gaps_s)
    ]
    told = sampled(signal, late)
    assert len(told) <= short + long
    assert kinds(told).count("long") <= long


@given(st.lists(st.floats(0.05, 30.0), min_size=2, max_size=40), st.randoms(use_true_random=False))
def test_glances_that_are_far_apart_settle_nothing(gaps_s: list[float], chance: random.Random) -> None:
    debouncer = Debouncer("pins", ("choose",))
    now_s, told, levels = 0.0, list(debouncer.sample(frozenset(), 0.0)), [False, False]
    for gap_s in gaps_s:
        now_s += gap_s
        levels.append(chance.random() < 0.5 and not (levels[-1] and levels[-2]))
        told += debouncer.sample(frozenset({"choose"} if levels[-1] else ()), now_s)
    assert told == []


@given(st.lists(st.tuples(st.floats(0.0005, 0.02), st.floats(0.006, 0.1)), max_size=60))
def test_spikes_of_noise_make_no_press(spikes_s: list[tuple[float, float]]) -> None:
    ends_s = [1.0, *(1.0 + end_s for end_s in accumulate(chain.from_iterable(spikes_s)))]
    signal = Signal(tuple(ends_s[: 2 * len(spikes_s)]))
    assert kinds(sampled(signal, [n * 0.005 for n in range(round(ends_s[-1] / 0.005) + 100)])) == []


def steady(seconds: float, begin_s: float = 0.0) -> list[float]:
    return [begin_s + n * 0.01 for n in range(round(seconds * 100))]


def test_a_contact_that_flickers_is_noise_and_told_once() -> None:
    flicker = Signal(tuple(1.0 + n * 0.009 for n in range(1000)))
    told = sampled(flicker, [n * 0.005 for n in range(2000)])
    assert told == [Ailing("pins", "noise", "choose", told[0].at_s)]
    assert told[0].at_s < 2.0


def test_so_is_one_that_presses_faster_than_anybody_can() -> None:
    mad = Signal(tuple(1.0 + n * 0.04 for n in range(200)))
    told = sampled(mad, steady(12))
    assert [event for event in told if isinstance(event, Ailing)] == [
        Ailing("pins", "noise", "choose", next(event.at_s for event in told if isinstance(event, Ailing)))
    ]
    assert len(kinds(told)) <= USUAL.presses


def test_a_noisy_control_is_well_again_after_two_calm_seconds() -> None:
    flicker = Signal((*(1.0 + n * 0.009 for n in range(200)), 3.5, 3.6, 6.5, 6.6))
    debouncer = Debouncer("pins", ("choose",))
    told = sampled(flicker, [n * 0.005 for n in range(1000)], debouncer)
    assert (kinds(told), debouncer.ails()) == ([], ("choose",))
    told = sampled(flicker, [n * 0.005 for n in range(1001, 1500)], debouncer)
    assert (kinds(told), debouncer.ails()) == (["short"], ())


def test_the_first_press_counts_after_a_control_that_pressed_too_fast_has_been_calm() -> None:
    mad = Signal((*(1.0 + n * 0.04 for n in range(30)), 6.0, 6.1))
    debouncer = Debouncer("pins", ("choose",))
    told = sampled(mad, [n * 0.005 for n in range(1100)], debouncer)
    assert [event.kind for event in told if isinstance(event, Ailing)] == ["noise"]
    told = sampled(mad, [n * 0.005 for n in range(1101, 1500)], debouncer)
    assert (kinds(told), debouncer.ails()) == (["short"], ())


def test_nobody_presses_ten_times_a_second_for_long_but_five_times_is_no_fault() -> None:
    told = sampled(Signal(tuple(1.0 + n * 0.1 for n in range(40))), steady(7))
    assert kinds(told) == ["short"] * 20


def test_quick_presses_under_a_slow_thread_are_no_noise() -> None:
    quick = Signal(tuple(1.0 + n * 0.12 for n in range(160)))
    told = sampled(quick, [n * 0.1 for n in range(250)])
    assert not any(isinstance(event, Ailing) for event in told)


def held(spans_s: dict[str, tuple[float, float]], how: Timing = USUAL) -> list[Event]:
    """Return what is told of controls that are held from and until these moments, and looked at for 14 seconds."""
    debouncer = Debouncer("pins", tuple(spans_s), how)
    return [
        event
        for now_s in steady(14)
        for event in debouncer.sample(
            frozenset(name for name, (begin_s, end_s) in spans_s.items() if begin_s < now_s < end_s), now_s
        )
    ]


def presses(told: list[Event]) -> list[tuple[str, str]]:
    return [(event.control, event.kind) for event in told if isinstance(event, Press)]


def test_an_ailing_control_leaves_the_others_well() -> None:
    assert presses(held({"choose": (0.5, 99.0), "next": (12.0, 12.2)})) == [("choose", "long"), ("next", "short")]


def test_an_ailing_control_is_no_part_of_a_chord() -> None:
    debouncer = Debouncer("pins", ("choose", "next"))
    flicker = Signal(tuple(1.0 + n * 0.012 for n in range(121)))
    told: list[Event] = []
    for now_s in steady(5):
        closed = {"choose"} if flicker.closed(now_s) else set()
        told += debouncer.sample(frozenset(closed | ({"next"} if 2.5 < now_s < 4.5 else set())), now_s)
    assert [(type(event), event.kind) for event in told if isinstance(event, Ailing | Press)] == [
        (Ailing, "noise"),
        (Press, "long"),
    ]
    assert len(told) == 2


def test_three_held_together_are_one_chord_and_one_let_go_early_is_none_of_it() -> None:
    told = held({"choose": (1.0, 2.0), "next": (1.0, 2.0), "previous": (1.0, 1.25)})
    assert [type(event) for event in told] == [Press, Chord]
    assert (told[0].control, told[1].controls) == ("previous", {"choose", "next"})  # type: ignore[union-attr]


def test_a_second_button_much_later_is_no_chord() -> None:
    assert presses(held({"choose": (1.0, 3.5), "next": (1.5, 3.5)})) == [("choose", "long"), ("next", "long")]


def test_a_quick_long_press_still_waits_for_a_chord() -> None:
    told = held({"choose": (1.0, 2.5), "next": (1.15, 2.5)}, replace(USUAL, long_s=0.3))
    assert [type(event) for event in told] == [Chord]


def test_a_clock_that_stands_still_or_goes_back_moves_nothing() -> None:
    debouncer = Debouncer("pins", ("choose",))
    debouncer.sample(frozenset(), 5.0)
    later_s = (*[5.0] * 200, *(5.0 - n * 0.01 for n in range(200)))
    told = [event for now_s in later_s for event in debouncer.sample(frozenset({"choose"}), now_s)]
    assert told == []


def test_times_of_events_are_the_clocks_own() -> None:
    told = sampled(Signal((1.0, 1.2)), steady(2))
    assert all(later > earlier for earlier, later in pairwise([1.2, *(event.at_s for event in told), 1.26]))
