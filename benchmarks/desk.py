"""What polling the desk costs: a poll at rest and under a finger, and the thread's share of a core at its real rate.

    python -m benchmarks.desk [--seconds 10] [--slower 14]

A poll is timed on gpiozero's mock pins, the library's whole code above the chip; the seven calls of the kernel that a
chip would need stand beside it as seven calls of another kind (ioctl). Everything is told as a ratio to reading a step
of a saved game as JSON in the same run, so that machines can be compared. The last lines are an estimate for a Pi Zero
2 W, which is taken to be `--slower` times as slow as this core.
"""

from __future__ import annotations

import argparse
import array
import fcntl
import json
import os
import termios
import time
from collections.abc import Callable
from threading import Event, Thread
from timeit import timeit

from gpiozero.pins.mock import MockFactory

from hardware.desk import PERIOD_S, Desk
from hardware.pins import GpioPins, PinDevice
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring

ROUNDS, CALLS = 7, 5000
STEP = json.dumps({"deploy": "advance:b2", "moves": {"b1": {"troop": 2}}, "cards": ["ground_assault"]})


def best_us(deed: Callable[[], object]) -> float:
    """Return the least time that a call takes over several rounds, in µs: its cost when nothing else runs."""
    return min(timeit(deed, number=CALLS) for _ in range(ROUNDS)) / CALLS * 1e6


def poller(device: PinDevice) -> Callable[[], object]:
    """Return a function that polls the device 10 ms after the last poll."""
    now_s = 0.0

    def poll() -> object:
        nonlocal now_s
        now_s += PERIOD_S
        return device.poll(now_s)

    return poll


def polls_us() -> dict[str, float]:
    """Return the cost of a poll on several pins, in µs."""
    factory = MockFactory()
    mock = PinDevice(Wiring(), lambda wiring: GpioPins(wiring, factory))
    found = {"a poll of gpiozero's mock pins, nobody there": best_us(poller(mock))}
    factory.pin(Wiring().confirm_one).drive_low()
    found["the same with a button held"] = best_us(poller(mock))
    mock.close()
    found["a poll of simulated pins"] = best_us(poller(PinDevice(Wiring(), SimulatedPins)))
    return found


def kernel_us() -> float:
    """Return the cost of seven small system calls, as many as reading seven pins takes, in µs."""
    inner, outer = os.openpty()
    room = array.array("H", [0] * 4)

    def calls() -> None:
        for _ in range(7):
            fcntl.ioctl(outer, termios.TIOCGWINSZ, room)

    try:
        return best_us(calls)
    finally:
        os.close(inner)
        os.close(outer)


def share(seconds: float) -> float:
    """Return the per cent of a core that this process's other threads use in so many seconds."""
    began, used = time.monotonic(), time.process_time()
    time.sleep(seconds)
    return 100 * (time.process_time() - used) / (time.monotonic() - began)


def desk_at_work(seconds: float) -> float:
    """Return the per cent of a core that a desk's thread uses, on gpiozero's mock pins."""
    desk = Desk((PinDevice(Wiring(), lambda wiring: GpioPins(wiring, MockFactory())),))
    desk.start(lambda event: None)
    try:
        return share(seconds)
    finally:
        desk.close()


def bare_thread(seconds: float) -> float:
    """Return the per cent of a core used by a thread that wakes as often as the desk's and does nothing."""
    stopped = Event()

    def wake() -> None:
        while not stopped.is_set():
            time.sleep(PERIOD_S)

    thread = Thread(target=wake)
    thread.start()
    try:
        return share(seconds)
    finally:
        stopped.set()
        thread.join()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long the thread is watched (default: 10)")
    parser.add_argument("--slower", type=float, default=14.0, help="how much slower a Pi Zero 2 W is (default: 14)")
    options = parser.parse_args()
    step_us = best_us(lambda: json.loads(STEP))
    found = {**polls_us(), "seven calls of the kernel": kernel_us()}
    print(f"reading a step as JSON: {step_us:.2f} µs")
    for what, cost_us in found.items():
        print(f"{what}: {cost_us:.2f} µs, {cost_us / step_us:.2f} of a step")
    desk, bare = desk_at_work(options.seconds), bare_thread(options.seconds)
    print(f"the desk's thread, every {1000 * PERIOD_S:.0f} ms: {desk:.2f} % of a core; only waking up: {bare:.2f} %")
    there = options.slower * (desk + found["seven calls of the kernel"] / PERIOD_S / 1e4)
    print(f"estimate for a Pi Zero 2 W, {options.slower:g} times as slow: {there:.0f} % of one of its four cores")


if __name__ == "__main__":
    main()
