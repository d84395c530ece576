"""What very many saved games cost: the start, a page, a search, the first index and the statistics.

    python -m benchmarks.shelf [--games 10000] [--size 800x480]

The games are real: whole ones of all three systems played by themselves, lying there again and again under other names
and times. Starts are those of the real `gunbai play`; pages are drawn by the app's own window on pygame's dummy
display, and told in CPU time and by the clock. While the index is made a page is turned again and again; once it is cut
short.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from benchmarks.app import start_s
from benchmarks.measuring import Timed, size_px, time_work
from benchmarks.window import Hand, print_row, separate_place
from companion.app.app import App
from companion.content.shelves import with_texts
from companion.core import storage
from companion.demo import generals_player, sonae_player
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import set_up
from companion.games.match import GameSession
from companion.games.saved import shelf, statistics
from companion.games.saved.listing import FEW
from companion.scenes.home.statistics import StatisticsScene
from companion.ui.screen import Intent
from engine.orders.board import load_board

BOARDS = ("sengoku-rivers", "sengoku-fortress", "wwii-island")
PEOPLE = (("Ana", "Takeshi"), ("Bia", "Caio"), ("Zoé", "Ana"), ("Duda", "Edu"))
KINDS = ("orders",) * 33 + ("generals",) * 6 + ("sonae",)  # of forty games
JUNK = 40
TURNED = 10
TICK_S = 0.1
CUT_AT = 0.5


# ---- games ----------------------------------------------------------------------------------------


class Player(Protocol):
    """Who plays a whole game."""

    def step(self, position: Any) -> Any:
        """Return the next step; None once the game is over."""


def models(folder: Path) -> Mapping[str, list[bytes]]:
    """Play whole games of each system, and some that stop in the middle; return their files by system."""
    found: dict[str, list[bytes]] = {"orders": [], "generals": [], "sonae": []}
    for n, people in enumerate(PEOPLE):
        board = load_board(BOARDS[n % len(BOARDS)])
        initiative, bonuses = set_up(board, n)
        players = dict(zip(board.factions, people, strict=True))
        request = {"board": board.name, "initiative": initiative, "bonuses": dict(bonuses), "players": players}
        found["orders"].append(game(folder / f"orders-{n}.jsonl", request, Autoplayer(n), n % 2))
        sides = dict(zip(("red", "black"), people, strict=True))
        request = {**generals_player.set_up(n), "players": sides}
        found["generals"].append(
            game(folder / f"generals-{n}.jsonl", request, generals_player.GeneralsPlayer(n), n % 2)
        )
    request = {**sonae_player.DEMO.request(1, ""), "players": {"maru": "Ana", "shikaku": "Caio"}}
    found["sonae"].append(game(folder / "sonae.jsonl", request, sonae_player.SonaePlayer(1), 0))
    return found


def game(path: Path, request: Mapping[str, Any], player: Player, left: int) -> bytes:
    """Return a game's file; left: the game is left in the middle."""
    match: GameSession[Any, Any] = GameSession.begin(path, with_texts(request))
    while getattr(match.position, "winner_name", None) is None and not (left and len(match.steps) > 25):
        step = player.step(match.position)
        if step is None or not match.offer(step).legal:
            break
    match.close()
    return path.read_bytes()


def stock(folder: Path, found: Mapping[str, list[bytes]], games: int) -> None:
    """Put so many games in a folder, three on each day."""
    rng, day = random.Random(1), date(2016, 1, 1)
    for n in range(games):
        name = f"{day + timedelta(days=n // 3)}{f'-{n % 3 + 1}' if n % 3 else ''}"
        path = folder / f"{name}.jsonl"
        path.write_bytes(rng.choice(found[KINDS[n % len(KINDS)]]))
        os.utime(path, (1.45e9 + n * 28_800,) * 2)


def junk(folder: Path, found: Mapping[str, list[bytes]]) -> None:
    """Put files in a folder that are no games: damaged, other programs', or lacking a deck or a battle."""
    rng = random.Random(2)
    for n in range(JUNK):
        data = rng.choice(found["orders"])
        torn = bytes(byte ^ (rng.random() < 0.02) for byte in data)
        lacks = data.replace(b"sengoku", b"gone").replace(b"wwii", b"gone")
        (folder / f"junk-{n}.jsonl").write_bytes((torn, lacks, rng.randbytes(4000))[n % 3])


# ---- measuring --------------------------------------------------------------------------------------


class Desk(Hand):
    """A window, and a hand that touches what is on it."""

    def __init__(self, size: str) -> None:
        super().__init__(App(), size_px(size))

    def tick(self) -> None:
        """Do what the window's loop does ten times a second."""
        began = time.perf_counter()
        self.app.tick(began)
        self.window.refresh()
        time.sleep(max(0.0, TICK_S - (time.perf_counter() - began)))

    def read(self, until: Callable[[], bool]) -> list[Timed]:
        """Read on in the background, turning a page now and then; return how long each page took."""
        pages = []
        while not until():
            for _tick in range(TURNED):
                self.tick()
            pages.append(self.touch("page", "", 1))
        return pages


def times_text(times: Iterable[Timed]) -> str:
    """Return CPU and wall times in short."""
    cpu, wall = zip(*times, strict=True)
    return f"{median(cpu):6.1f} ms of CPU, {median(wall):6.1f} ms; worst {max(wall):6.1f} ms"


def first_index(size: str, games: int) -> None:
    """Measure the first look at all games, cut short once."""
    began, cpu = time.perf_counter(), time.process_time()
    desk = Desk(size)
    print_row("first home picture, nothing known", times_text([desk.touch("hush")]))
    desk.touch("saved")
    left = int(games * CUT_AT)
    pages = desk.read(lambda: shelf.shelf().whole or 0 < shelf.shelf().waiting < left)
    before = shelf.shelf().waiting
    shelf.forget()  # as if it had been cut short
    desk = Desk(size)
    desk.touch("saved")
    desk.tick()
    shelf.shelf().wait()
    desk.tick()
    print_row("cut short, read again", f"{max(shelf.shelf().waiting - before, 0)} of {games - before} games")
    pages += desk.read(lambda: shelf.shelf().whole)
    print_row(
        "first index",
        f"{time.process_time() - cpu:.0f} s of CPU, {time.perf_counter() - began:.0f} s beside the screen",
    )
    print_row("a page meanwhile", times_text(pages), "50 ms")
    index = storage.games_dir() / shelf.INDEX
    print_row("the index", f"{index.stat().st_size / 1e6:.1f} MB, {index.stat().st_size / games:.0f} bytes a game")


def pages(size: str) -> None:
    """Measure the screens that show saved games, all known."""
    shelf.forget()
    print_row("the newest games, from the end of the index", times_text([time_work(lambda: shelf.shelf().look())]))
    desk = Desk(size)
    while not shelf.shelf().whole:
        desk.tick()
    print_row("home", times_text(desk.touch("hush") for _ in range(TURNED)), "50 ms")
    print_row("the list", times_text([desk.touch("saved")]), "50 ms")
    print_row("a page of it", times_text(desk.touch("page", "", 1) for _ in range(TURNED)), "50 ms")
    print_row("to the search", times_text([desk.touch("search")]), "100 ms")
    print_row("its first letter", times_text([desk.touch("type", "a")]), "100 ms")
    print_row("each letter more", times_text(desk.touch("type", letter) for letter in "na 2016"), "100 ms")
    print_row("what was found", times_text([desk.touch("done")]), "50 ms")
    desk.touch("all")
    print_row("a new game is set up", times_text([desk.touch("back"), desk.touch("new")][1:]), "50 ms")


def looks(folder: Path) -> None:
    """Measure the first look at a folder of junk, and later ones."""
    os.environ["GUNBAI_DATA"] = str(folder)
    print_row(f"{JUNK} junk files, first look", times_text([time_work(shelf.saved_games)]))
    print_row(
        f"{JUNK} junk files, every later look",
        times_text(time_work(lambda: shelf.shelf().look()) for _ in range(TURNED)),
    )
    shelf.forget()
    print_row(f"{JUNK} junk files, after a start", times_text([time_work(lambda: shelf.shelf().look())]))


def count_statistics(games: Path) -> None:
    """Measure the statistics: the first time, and afterwards."""
    print_row("statistics, first time", times_text([time_work(lambda: statistics.gather(games))]))
    print_row("statistics, afterwards", times_text([time_work(lambda: statistics.gather(games))]))
    scene = StatisticsScene(games, App().home)
    scene.wait()

    def tab(name: str) -> None:
        scene.touch(Intent("tab", name))
        scene.show()

    print_row(
        "a page of them", times_text(time_work(partial(tab, name)) for name in ("players", "games", "play")), "50 ms"
    )


def starts(size: str, what: str) -> float:
    """Measure the start of the real program to its first screen, and return its CPU seconds."""
    wall, cpu = start_s(size)
    print_row(f"start to first screen, {what}", f"{wall:.2f} s, {cpu:.2f} s of CPU")
    return cpu


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shelf", description="what many saved games cost")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--size", default="800x480")
    options = parser.parse_args()
    with separate_place() as place:
        found = models(place)
        looked = place / "junk"
        (looked / "games").mkdir(parents=True)
        junk(looked / "games", found)
        none = starts(options.size, "no game")
        stock(storage.games_dir(), found, options.games)
        print(f"{options.games} games" + (", each look at all of them" if options.games <= FEW else ""))
        starts(options.size, "nothing known")
        first_index(options.size, options.games)
        many = starts(options.size, "all known")
        print_row("ratio of the starts", f"{many / none:.2f}", "1")
        pages(options.size)
        count_statistics(storage.games_dir())
        looks(looked)


if __name__ == "__main__":
    main()
