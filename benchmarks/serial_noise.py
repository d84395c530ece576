"""What a million random bytes do to readers and controllers: time, memory, false frames, and how many were expected.

    python -m benchmarks.serial_noise [--bytes N] [--seed N] [--hours H]

After that a bad line, on which bytes are lost, have a bit turned or a strange one before them: how many tags were read
wrong of those that were laid down (for 2 s each), and what a controller told in some hours in which nobody touched it.

Time is told as a share of the time that a line of 115200 baud, a controller's, takes to bring so many bytes.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from random import Random

from hardware.card_reader import CardReader
from hardware.controller import TableController
from hardware.device import Device
from hardware.events import Ailing, CodeRead, Event, Plugged
from hardware.frames import ENDS, SHORTEST_CODE
from hardware.simulated_ports import Cable, Faults, SimulatedController, SimulatedTags
from hardware.wire import BAUD

CHUNK_BYTES = 100
PRINTABLE, CODE_ENDS, LINE_ENDS, HEX = 95 / 256, len(ENDS) / 256, 2 / 256, 22 / 256


def expected_tags() -> float:
    """Return the chance that a random byte begins a tag's frame whose checksum holds.

    That is STX, twelve hex digits, ETX, 8 bits.
    """
    return 1 / 256 * HEX**12 / 256 / 256


def expected_codes() -> float:
    """Return the chance that a random byte ends a code line.

    That has four or more printable characters, and began at another's end.
    """
    return CODE_ENDS * CODE_ENDS * PRINTABLE**SHORTEST_CODE / (1 - PRINTABLE)


def expected_lines() -> float:
    """Return the chance that a random byte begins a line of a known kind, its fields sound and its checksum right.

    `$GBNOW,` is seven bytes that must be as they are, `,`, `,` and `*` three more, ten hex digits in capitals, two of
    checksum, and an end; HEL and THR are as long or ask for more.
    """
    return 3 * (1 / 256) ** 10 * (16 / 256) ** 10 * (1 / 256) ** 2 * LINE_ENDS


Make = Callable[[Cable], Device]


def feed(make: Make, options: argparse.Namespace) -> tuple[float, Device, list[Event]]:
    """Feed a device all the bytes; return the seconds that it took, the device, and the events it sent."""
    chance, now_s = Random(options.seed), 0.0
    cable = Cable(SimulatedTags(), lambda: now_s)
    device = make(cable)
    events = list(device.poll(now_s))
    spent_s = 0.0
    for _ in range(options.bytes // CHUNK_BYTES):
        cable.inject(chance.randbytes(CHUNK_BYTES))
        now_s += 0.01
        began_s = time.perf_counter()
        events += device.poll(now_s)
        spent_s += time.perf_counter() - began_s
    return spent_s, device, events


def report(name: str, expected: float, make: Make, options: argparse.Namespace) -> None:
    """Run one kind twice, for its time and for its memory, and print its line."""
    spent_s, device, events = feed(make, options)
    tracemalloc.start()
    feed(make, options)
    most_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    counts = device.health().counts
    ailing = [event.kind for event in events if isinstance(event, Ailing)]
    others = [event for event in events if not isinstance(event, Ailing | CodeRead | Plugged)]
    print(
        f"{name:10}  {spent_s:5.2f} s ({spent_s * BAUD / options.bytes / 10:.1%} of the line's time)"
        f"  memory {most_bytes / 1024:3.0f} KiB  false frames {counts['frames']} (expected {expected:.2g})"
        f"  skipped {counts['skipped_bytes']}  told {ailing}, other events {len(others)}"
    )


def bad_tags(bad: float, count: int, seed: int) -> str:
    """Read tags over a bad line, each kind of fault coming with chance `bad` a byte; return the figures."""
    chance, now_s = Random(seed), 0.0
    tags = SimulatedTags()
    cable = Cable(tags, lambda: now_s, seed)
    cable.faults = Faults(noise=bad, lost=bad, flipped=bad)
    reader = CardReader("reader", cable.open)
    right = wrong = 0
    for _ in range(count):
        tag = f"{chance.randrange(16**10):010X}"
        tags.lay(tag)
        read: list[str] = []
        for tick in range(160):
            now_s += 0.02
            read += [event.code for event in reader.poll(now_s) if isinstance(event, CodeRead)]
            if tick == 99:
                tags.lift()
        right += tag in read
        wrong += sum(code != tag for code in read)
    return f"{count} tags, {right} read right, {wrong} read wrong"


def bad_controller(bad: float, hours: float, seed: int) -> str:
    """Leave a controller alone on a bad line for some hours; return the figures."""
    now_s = 0.0
    cable = Cable(SimulatedController(), lambda: now_s, seed)
    cable.faults = Faults(noise=bad, lost=bad, flipped=bad)
    controller = TableController("controller", cable.open)
    events: Counter[str] = Counter()
    for _ in range(round(hours * 360_000)):
        now_s += 0.01
        events.update(getattr(event, "kind", type(event).__name__) for event in controller.poll(now_s))
    return f"{hours:g} h, bad checksums {controller.health().counts['bad_checksums']}, told {dict(events)}"


def main() -> None:
    """Print a line for each kind of device."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--hours", type=float, default=1.0)
    options = parser.parse_args()
    tags, codes, lines = (options.bytes * chance for chance in (expected_tags(), expected_codes(), expected_lines()))
    report("rdm6300", tags, lambda cable: CardReader("reader", cable.open, "rdm6300"), options)
    report("scanner", codes, lambda cable: CardReader("reader", cable.open, "scanner"), options)
    report("either", tags + codes, lambda cable: CardReader("reader", cable.open), options)
    report("controller", lines, lambda cable: TableController("controller", cable.open), options)
    for bad in (0.005, 0.02):
        print(f"{3 * bad:.1%} of the bytes bad: {bad_tags(bad, 2000, options.seed)}")
        print(f"{3 * bad:.1%} of the bytes bad: {bad_controller(bad, options.hours, options.seed)}")


if __name__ == "__main__":
    main()
