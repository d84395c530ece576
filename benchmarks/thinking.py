"""What a thought costs the screen: touches of a turn while nobody thinks, beside a process, and beside a thread.

    python -m benchmarks.thinking [--touches 120] [--size 800x480]

The thought is a strong player's choice of a turn, over and over. Touches go through the app's window on pygame's dummy
display, and are told by the clock, from the finger to the shown picture. Also: from the start of a process to its
answer, its CPU time and memory at most, and how long ending one takes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from statistics import median, quantiles
from threading import Event, Thread

from benchmarks.measuring import children_cpu_s, memory_mb, size_px
from benchmarks.window import Hand, print_row, separate_place
from companion.app.app import App
from companion.games.match import Match
from companion.scenes.table.board_table import BoardTable
from companion.thinking.player import TurnWanted, choice
from companion.thinking.thought import ProcessThinking, ProcessThought
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.thinking.works import over_and_over

SECONDS = 60.0
ROUNDS = 5
TOUCHES = (("area", "d5"), ("cancel", ""), ("area", "c4"), ("cancel", ""))


@contextmanager
def process(wanted: TurnWanted) -> Iterator[None]:
    """Let a process think meanwhile, as in the app."""
    thinking = ProcessThinking()
    thought = thinking.begin(partial(over_and_over, wanted))
    while not thought.news():
        time.sleep(0.01)
    yield
    thinking.close()


@contextmanager
def thread(wanted: TurnWanted) -> Iterator[None]:
    """Let a thread of this process think meanwhile."""
    over = Event()

    def think() -> None:
        for _choice in over_and_over(wanted):
            if over.is_set():
                return

    thinking = Thread(target=think)
    thinking.start()
    yield
    over.set()
    thinking.join()


def touched(hand: Hand, touches: int) -> list[float]:
    """Return how long each of so many touches takes, in ms."""
    return [hand.touch(*TOUCHES[n % len(TOUCHES)])[1] for n in range(touches)]


def print_touches(what: str, found: list[float]) -> None:
    """Print the touches' times as a line of the table."""
    print_row(
        what, f"{median(found):6.1f} median {quantiles(found, n=20)[-1]:6.1f} of 95 % {max(found):6.1f} worst, ms"
    )


def print_process(wanted: TurnWanted) -> None:
    """Print what a process takes for one choice."""
    whole, ended, most_mb, cpu_s = [], [], 0.0, children_cpu_s()
    for _round in range(ROUNDS):
        begun_s = time.perf_counter()
        thought = ProcessThinking().begin(partial(choice, wanted))
        while not thought.news():
            time.sleep(0.005)
        whole.append(time.perf_counter() - begun_s)
        thought.stop()
        thought = ProcessThinking().begin(partial(over_and_over, wanted))
        while not thought.news():
            time.sleep(0.005)
        assert isinstance(thought, ProcessThought)
        most_mb = max(most_mb, memory_mb("VmHWM", thought.pid))
        begun_s = time.perf_counter()
        thought.stop()
        ended.append(1000 * (time.perf_counter() - begun_s))
    print_row("a choice, with the start of its process", f"{median(whole):6.2f} s")
    print_row("CPU time of a process", f"{(children_cpu_s() - cpu_s) / (2 * ROUNDS):6.2f} s, {most_mb:.0f} MB at most")
    print_row("ending one while it thinks", f"{max(ended):6.1f} ms at worst")


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--touches", type=int, default=120)
    parser.add_argument("--size", type=size_px, default=(800, 480))
    options = parser.parse_args()
    with separate_place() as folder:
        match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)
        hand = Hand(App(match=match), options.size)
        assert isinstance(hand.app.scene, BoardTable)
        wanted = TurnWanted(match.position, "red", "strong", 0, SECONDS)
        touched(hand, 20)
        thoughts: dict[str, AbstractContextManager[None]] = {
            "nobody thinks": nullcontext(),
            "a process thinks": process(wanted),
            "a thread thinks": thread(wanted),
        }
        for what, thinks in thoughts.items():
            with thinks:
                print_touches(what, touched(hand, options.touches))
        print_process(wanted)


if __name__ == "__main__":
    main()
