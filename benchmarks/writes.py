"""What is written to the disk, and how often: a turn, a whole game, an hour in which nobody touches anything.

    python -m benchmarks.writes [--turns 12] [--minutes 1]

A game of the demonstration is played in a process of its own under `strace`, which tells every call that writes,
whoever makes it (Python, SDL, OpenCV); each turn is looked at with the real eye and takes 90 seconds of simulated time.
The idle hour is simulated too. The last table is the real program, `gunbai play` with a table and a camera process on a
folder of pictures, looked at for so many real minutes. Needs strace.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

CALLS = "write,pwrite64,writev,pwritev,fsync,fdatasync,rename,renameat,renameat2,openat,open,mkdir,ftruncate"
CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
PATH = re.compile(r"<([^>]+)>")
SEED = 3
TURN_S, HOUR_S, TICK_S = 90.0, 3600.0, 0.1
FRAME_QUALITY = 90
KINDS = (
    (r"\.jsonl\.undone", "what was taken back"),
    (r"\.clock\.json", "thinking time"),
    (r"\.evidence/turn-", "pictures of turns"),
    (r"\.evidence/frame-", "whole frames"),
    (r"\.experience\.json", "what the eye learned"),
    (r"(index|counted|labels)\.json", "lists of games"),
    (r"chosen\.toml", "settings"),
    (r"\.jsonl", "the game"),
)
PLACES = re.compile(r"^/(dev|proc|sys|memfd:)|^(pipe|socket|anon_inode):|^/memfd")


@dataclass
class Written:
    """What was written of one kind of file."""

    bytes: int = 0
    writes: int = 0
    syncs: int = 0


FilesWritten = dict[str, Written]


def kind_of(path: str) -> str:
    """Return what a path is to Gunbai."""
    if Path(path).suffix in ("", ".evidence") and "chosen" not in path:
        return "folders"
    named = next((kind for form, kind in KINDS if re.search(form, path)), "")
    return named or f"other: {Path(path).name}"


def files_written(trace: Path, home: Path) -> tuple[FilesWritten, set[str]]:
    """Return {kind: written} of the files below `home`, and every other file that was opened for writing."""
    found: FilesWritten = defaultdict(Written)
    strange: set[str] = set()
    begun: dict[str, str] = {}
    for piece in trace.read_text(errors="replace").splitlines():
        line = _whole(piece, begun)
        call = CALL.match(line)
        if call is None or call[3].startswith("-"):
            continue
        name, arguments, done = call[1], call[2], int(call[3])
        if name in ("openat", "open"):
            strange |= _file_opened(line, home)
            continue
        path = PATH.search(arguments)
        if path is None or not path[1].startswith(str(home)):
            continue
        written = found[kind_of(path[1])]
        if "write" in name:
            written.bytes += done
            written.writes += 1
        elif "sync" in name:
            written.syncs += 1
    return found, strange


def _whole(line: str, begun: dict[str, str]) -> str:
    """Return the line of a call; if another thread came between its beginning and its end, both put together."""
    process, _blank, rest = line.partition(" ")
    if line.endswith("<unfinished ...>"):
        begun[process] = line.removesuffix("<unfinished ...>").rstrip()
        return ""
    if "resumed>" in rest:
        return begun.pop(process, "") + rest.partition("resumed>")[2]
    return line


def _file_opened(line: str, home: Path) -> set[str]:
    """Return the file that was opened for writing outside of `home`."""
    if not re.search(r"O_WRONLY|O_RDWR|O_CREAT", line):
        return set()
    path = PATH.findall(line)[-1] if PATH.search(line) else ""
    return set() if not path or PLACES.match(path) or path.startswith(str(home)) else {path}


# ---- what is looked at -----------------------------------------------------------------------------


def play(home: Path, turns: int, evidence: bool, clock: bool) -> None:
    """Play a game of so many turns, each seen by the eye; with no turns, let an hour pass without anybody there."""
    from companion.app.app import App
    from companion.content.board_choice import board_of
    from companion.core.storage import games_dir
    from companion.demo.player import DemoPlayer, SimulatedEye, set_up
    from companion.evidence.recorder import Recorder
    from companion.games.match import Match
    from companion.perception.sync.status import TableView
    from companion.settings.layers import Settings
    from engine.orders.game import owed
    from vision.frame import jpeg_of

    settings = Settings(evidence=evidence, clock_minutes=60 if clock else 0)
    board = board_of(settings)
    initiative, bonuses = set_up(board, SEED)
    match = Match.start(games_dir() / "game.jsonl", board.name, initiative, bonuses)
    eye, views = SimulatedEye(SEED), [TableView("waiting")]
    app = App(watcher=lambda _match: views[0], match=match)
    app.stage.apply(settings)
    recorder = Recorder()
    player, now_s = DemoPlayer(SEED, turns or 1), 0.0
    while player.act(match):
        if owed(match.position) is None:
            look = eye.look(match.position)
            views[0] = TableView("settled", look.reading, "", jpeg_of(look.picture, FRAME_QUALITY))
            for _ in range(9):
                now_s += TURN_S / 9
                app.tick(now_s)
            recorder.wait()
    if not turns:
        os.write(2, b"IDLE\n")
        app.stage.services.clock.go_on()
        for n in range(int(HOUR_S / TICK_S)):
            app.tick(now_s + n * TICK_S)
        os.write(2, b"OVER\n")
        os._exit(0)
    recorder.close()
    match.close()


def real(home: Path, seconds: float) -> None:
    """Run the program itself at a table with its camera process for some seconds; then ask it to end."""
    from companion.content.board_choice import board_of
    from companion.demo.player import SimulatedEye, set_up
    from companion.demo.show import save_picture
    from companion.games.match import Match
    from companion.settings.layers import Settings

    board = board_of(Settings())
    initiative, bonuses = set_up(board, SEED)
    game, pictures, table = home / "game.jsonl", home / "camera", home / "table"
    match = Match.start(game, board.name, initiative, bonuses)
    pictures.mkdir()
    eye = SimulatedEye(SEED)
    save_picture(pictures / "1.png", eye.look(match.position).picture)
    eye.table_for(board)[1].save(table)
    match.close()
    os.write(2, b"IDLE\n")
    command = [sys.executable, "-m", "companion", "play", "--game", str(game), "--table", str(table)]
    child = subprocess.Popen([*command, "--camera", str(pictures)], stdout=subprocess.DEVNULL)
    time.sleep(seconds)
    os.write(2, b"OVER\n")
    child.send_signal(signal.SIGTERM)
    child.wait()


# ---- the report --------------------------------------------------------------------------------------


def trace_run(folder: Path, *child: str) -> tuple[FilesWritten, set[str]]:
    """Return what a run of this module as a child writes, between its marks if it makes any."""
    home, trace = folder / "home", folder / "trace"
    home.mkdir(parents=True)
    environment = {
        **os.environ,
        "GUNBAI_DATA": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "HOME": str(home),
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    watched = ["strace", "-f", "-y", "-qq", "-s", "12", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(trace)]
    command = [*watched, sys.executable, "-m", "benchmarks.writes", "--child", str(home), *child]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not trace.stat().st_size:
        raise SystemExit("strace saw nothing of what was run")
    _between_marks(trace)
    files = files_written(trace, home)
    shutil.rmtree(folder)
    return files


def _between_marks(trace: Path) -> None:
    lines = trace.read_text(errors="replace").splitlines(keepends=True)
    marks = [n for n, line in enumerate(lines) if '"IDLE\\n"' in line or '"OVER\\n"' in line]
    if len(marks) == 2:
        trace.write_text("".join(lines[marks[0] + 1 : marks[1]]))


def report(title: str, files: FilesWritten, per: float, unit: str) -> None:
    """Print a table: bytes, writes and syncs of each kind, divided by `per`."""
    print(f"\n{title}")
    print(f"{'':26}{'bytes ' + unit:>16}{'writes ' + unit:>16}{'syncs ' + unit:>16}")
    for kind, written in sorted(files.items(), key=lambda pair: -pair[1].bytes):
        print(f"{kind:26}{written.bytes / per:16.0f}{written.writes / per:16.2f}{written.syncs / per:16.2f}")
    every = files.values()
    sums = (
        sum(written.bytes for written in every),
        sum(written.writes for written in every),
        sum(written.syncs for written in every),
    )
    print(f"{'all':26}{sums[0] / per:16.0f}{sums[1] / per:16.2f}{sums[2] / per:16.2f}")


def main() -> int:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writes", description="what is written, and how often")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        home, what, *rest = options.child
        if what == "real":
            real(Path(home), float(rest[0]))
        else:
            play(Path(home), int(rest[0]), rest[1] == "evidence", rest[2] == "clock")
        return 0
    if shutil.which("strace") is None:
        print("strace is not there: apt install strace", file=sys.stderr)
        return 2
    everywhere: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        for evidence, clock in (("evidence", "clock"), ("none", "clock"), ("none", "none")):
            files, strange = trace_run(Path(name) / f"{evidence}-{clock}", "play", str(options.turns), evidence, clock)
            on = [
                f"{what} {'off' if choice == 'none' else 'on'}"
                for what, choice in (("pictures", evidence), ("clock", clock))
            ]
            report(f"a turn, {', '.join(on)}", files, options.turns, "a turn")
            everywhere |= strange
        for clock in ("clock", "none"):
            files, strange = trace_run(Path(name) / f"idle-{clock}", "play", "0", "evidence", clock)
            report(f"an idle hour (simulated), clock {'running' if clock == 'clock' else 'off'}", files, 1, "an hour")
            everywhere |= strange
        files, strange = trace_run(Path(name) / "real", "real", str(60 * options.minutes))
        report(
            f"the program with its camera process, {options.minutes:g} idle minutes", files, options.minutes, "a minute"
        )
        everywhere |= strange
    print("\nwritten elsewhere: " + (", ".join(sorted(everywhere)) or "nothing"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
