"""The demo of General Orders: a whole game, watched or printed turn by turn, and scored from its last picture.

Its pictures are kept as photographs of a table, so that the eye's commands can be tried without a board: beside them is
a folder as docs/photographs.md has it, with the truth; beside the game are its last whole frames, as the app keeps them
for bug reports.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.app.app import App, SavedGames
from companion.core import storage
from companion.core.errors import AdapterError
from companion.core.language import _, plural
from companion.core.log import tell
from companion.core.outputs import make_folder, write_output
from companion.core.printable import progress
from companion.demo.game_demo import GAME, PHOTOGRAPHS, DemoOptions, GameDemo
from companion.demo.hands import SimulatedWatch
from companion.demo.player import BlindEye, DemoPlayer, SimulatedEye, TableLook, set_up, turns_of
from companion.demo.telling import turn_words
from companion.evidence import pictures
from companion.evidence.recorder import units_of
from companion.games.match import Match
from companion.perception.adapters import Difference, reading_json
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage
from companion.settings.layers import Choices, Settings, chosen_file
from companion.terminal.eye import photo_score
from companion.terminal.orders import outcome_text
from companion.text.columns import force_text
from companion.text.percent import percent
from companion.text.score import BoardOutcome, board_outcome
from companion.view.layers.map import use_board_colours
from engine.orders.board import Board, load_board
from engine.orders.game import owed
from engine.orders.position import Position
from engine.words import count_words
from vision.frame import jpeg_of
from vision.geometry import Picture
from vision.reading.read import Reading
from vision.table import Table

BOARD = "sengoku-rivers"
TABLE, FINAL = "demo.table", "final-table.png"
PICTURE_EVERY, FRAME_EVERY = 10, 4
OWN_TABLE = "kitchen.table"
"""What people may call the table that they calibrate on the photographs."""
PHOTO_QUALITY = 92


@dataclass(frozen=True, slots=True, eq=False)
class SeenTurn:
    """One turn of a game, as it was played and as the eye saw its end."""

    number: int
    before: Position
    text: str
    look: TableLook


class BoardDemo(GameDemo):
    """The demo of General Orders on a simulated table, which the real eye reads."""

    def run(self, options: DemoOptions, settings: Settings) -> int:
        """Run the demo; return 0, or 1 if it could not be scored."""
        board = load_board(options.board or BOARD)
        use_board_colours(settings.colours)
        return _watch(options, board, settings) if options.is_watched else _headless(options, board)

    def demonstration(self, seed: int, board: Board) -> Demonstration:
        """Start a game on this board for the running app, with its table watched by the simulated eye."""
        match = _new_match(storage.new_game_path(f"demo-{seed}"), board, seed)
        return Demonstration(match, DemoPlayer(seed), SimulatedWatch(seed).glimpse)


DEMO = BoardDemo()


# ---- without a screen ---------------------------------------------------------------------------


def _headless(options: DemoOptions, board: Board) -> int:
    path = options.game_path()
    folder = path.parent
    with progress(board.name):
        eye = SimulatedEye(options.seed).ready_for(board)
        if not isinstance(eye, BlindEye):
            _save_table(folder, eye, board)
        match = _new_match(path, board, options.seed)
        last = eye.look(match.position)
    form = _("{board}, seed {n}, {who} begins")
    who = _(match.position.initiative_name)
    print(form.format(board=board.name, n=options.seed, who=who), flush=True)
    photographs, frame_every = None, 1 if options.practice else FRAME_EVERY
    if isinstance(eye, BlindEye):
        print(_("{why}; its pictures are drawn and not read").format(why=eye.fault), flush=True)
    else:
        photographs = DemoPhotographs(folder, eye.table_for(board)[1], match)
    for turn in play_turns(match, DemoPlayer(options.seed, options.turns), eye):
        print(turn_text(turn, last, verbose=options.verbose), flush=True)
        last = turn.look
        if not options.practice and (turn.number == 1 or turn.number % PICTURE_EVERY == 0):
            _save_pictures(folder, f"turn-{turn.number:02}", match, last)
        if photographs is not None and turn.number % frame_every == 0:
            photographs.add(last)
    if options.practice:
        save_picture(folder / FINAL, last.picture)
    else:
        _save_pictures(folder, "final", match, last)
    if photographs is not None and turns_of(match) % frame_every:
        photographs.add(last)
    status = _score_table(folder, match.position) if last.reading else _scored_unseen(folder, match.position)
    print(_("pictures, the game and its table are in {place}").format(place=folder))
    if options.practice and photographs is not None:
        print(_("To practise on them:"), *photographs.exercises(folder), sep="\n  ")
    match.close()
    return status


def _save_table(folder: Path, eye: SimulatedEye, board: Board) -> None:
    """Write the simulated table's file; OutputError if it can't be written."""
    write_output(folder / TABLE, eye.table_for(board)[1].to_bytes())


def _new_match(path: Path, board: Board, seed: int) -> Match:
    """Start a new match in this file, replacing the game that an earlier demo left there."""
    path.unlink(missing_ok=True)
    initiative, bonuses = set_up(board, seed)
    return Match.start(path, board.name, initiative, bonuses)


def play_turns(match: Match, player: DemoPlayer, eye: SimulatedEye | BlindEye) -> Iterator[SeenTurn]:
    """Play turn by turn until the player has done what was asked, yielding each turn with a look at its end."""
    while True:
        before, done = match.position, len(match.steps)
        if not player.act(match):
            return
        while owed(match.position) is not None and player.act(match):
            pass
        text = turn_words(before, match.steps[done:], match.position)
        yield SeenTurn(turns_of(match), before, text, eye.look(match.position))


def turn_text(turn: SeenTurn, last: TableLook, *, verbose: bool = False) -> str:
    """Describe a turn in one line, then in a line each the places where the eye and the game differ.

    What the last look showed already isn't repeated. verbose: also list what it sees rightly but isn't sure of.
    """
    wide = max(len(_(faction)) for faction in turn.before.board.factions)
    when = _("R{round} turn {n}").format(round=turn.before.round, n=f"{turn.number:>2}")
    who = _(turn.before.to_move_name)
    head = f"{when}  {who:<{wide}}  {turn.text}"
    if turn.look.reading is None:
        return head
    known = {_gist(difference) for difference in last.differences}
    told = (
        turn.look.differences
        if verbose
        else [difference for difference in turn.look.differences if difference.expected_force != difference.seen_force]
    )
    wrong = [difference for difference in told if difference.state != "agrees" and _gist(difference) not in known]
    seen = eye_text(turn.look.reading, turn.look.differences, verbose=verbose)
    return "\n".join(
        [f"{head} · {seen}", *(f"{'':{wide + len(when) + 4}}{difference_text(difference)}" for difference in wrong)]
    )


def _gist(difference: Difference) -> tuple[str, str, str, str]:
    """Return a difference without the eye's confidence, which varies from picture to picture."""
    return difference.area, difference.state, str(difference.expected_force), str(difference.seen_force)


def eye_text(reading: Reading, differences: Sequence[Difference], *, verbose: bool = False) -> str:
    """Say in how many areas the eye agrees with the game; a right count agrees even if the eye isn't sure of it.

    verbose: count every area that the eye isn't sure of as unsure instead.
    """
    areas = [difference for difference in differences if ":" not in difference.area]
    states = Counter(
        "agrees" if difference.expected_force == difference.seen_force and not verbose else difference.state
        for difference in areas
    )
    parts = [_("eye: {right} of {most} agree").format(right=states["agrees"], most=len(areas))]
    parts += [_("{n} unsure").format(n=states["hidden"])] if states["hidden"] else []
    parts += [plural("{n} wrong", "{n} wrong", states["differs"])] if states["differs"] else []
    return ", ".join([*parts, f"{reading.ms:.0f} ms"])


def difference_text(difference: Difference) -> str:
    """Describe what was expected in a place, and what was seen."""
    expected, seen = force_text(difference.expected_force), force_text(difference.seen_force)
    if ":" in difference.area:  # how sure the eye is of an area says nothing of the commander beside it
        form = _("{area}: the eye sees {seen}, the game has {expected}")
    elif difference.state == "hidden":
        form = _("{area}: the eye is not sure ({sure}): {seen}, the game has {expected}")
    else:
        form = _("{area}: the eye sees {seen} ({sure} sure), the game has {expected}")
    sure = percent(difference.confidence)
    return form.format(area=difference.area, seen=seen, expected=expected, sure=sure)


def _save_pictures(folder: Path, name: str, match: Match, look: TableLook) -> None:
    """Save the app's screen and the camera's picture of this moment."""
    from companion.view.page.canvas import painted_grounds, save_screen

    save_picture(folder / f"{name}-table.png", look.picture)
    glimpse = TableView("settled", look.reading)
    app = App(watcher=(lambda _: glimpse) if look.reading else None, match=match)
    app.tick(0.0)
    save_screen(app, folder / f"{name}-screen.png", grounds=painted_grounds())


def save_picture(path: Path, picture: Picture) -> None:
    """Write a picture (H, W, 3) BGR as a PNG file; OutputError if it can't be written."""
    done, data = cv2.imencode(".png", picture)
    assert done, "a picture in memory can always be packed"
    write_output(path, data.tobytes())


# ---- the score ----------------------------------------------------------------------------------


def _score_table(folder: Path, position: Position) -> int:
    """Score the last picture as `gunbai score --table` does, and print whether the game's own score agrees."""
    table, photo, game = (str(folder / name) for name in (TABLE, FINAL, GAME))
    command = shlex.join(["gunbai", "score", "--table", table, photo, "--game", game])
    try:
        seen = photo_score(table, photo, game)
    except AdapterError as error:
        tell("error", f"couldn't score the last picture: {error}")
        return 1
    print(f"\n{command}\n{seen.text}\n{verdict_text(board_outcome(position), seen.ended)}")
    return 0


def _scored_unseen(folder: Path, position: Position) -> int:
    """Print the game's score by its record alone, as `gunbai score` does."""
    command = shlex.join(["gunbai", "score", str(folder / GAME)])
    print(f"\n{command}\n{outcome_text(position, board_outcome(position))}")
    return 0


def verdict_text(game: BoardOutcome, photo: BoardOutcome) -> str:
    """Say whether the game and its photo give the same score."""
    if (game.winner, dict(game.score.vp)) == (photo.winner, dict(photo.score.vp)):
        return _("the game's own score is the same: {score}").format(score=_short(game))
    form = _("the game's own score is another: {score}, the picture's {seen}")
    return form.format(score=_short(game), seen=_short(photo))


def _short(ended: BoardOutcome) -> str:
    points = ", ".join(" ".join((_(faction), count_words(n, "point"))) for faction, n in ended.score.vp.items())
    return _("{who} wins with {points}").format(who=_(ended.winner or "nobody"), points=points)


# ---- on the screen ------------------------------------------------------------------------------


def _watch(options: DemoOptions, board: Board, settings: Settings) -> int:
    """Play step by step in the window; a touch takes over, and the game is saved with the others."""
    from companion.view.window.window import run_window

    match = _new_match(storage.new_game_path(f"demo-{options.seed}"), board, options.seed)
    eye = SimulatedEye(options.seed)
    watch = SimulatedWatch(options.seed, eye)
    app = App(
        Stage(Services(SavedGames(), choices=Choices(chosen_file()))),
        watcher=watch.glimpse,
        autoplay=DemoPlayer(options.seed, options.turns),
        match=match,
    )
    app.stage.apply(settings)
    status = run_window(app, options.size or settings.screen_size_px)
    watch.close()
    watch.join()
    return status or _scored_after(match, eye, options.game_path())


def _scored_after(match: Match, eye: SimulatedEye, path: Path) -> int:
    """Score the table as the window left it; a turn that was not finished is left out."""
    folder = path.parent
    finished = max(number for number, position in enumerate(match.positions) if owed(position) is None)
    lines = match.path.read_bytes().splitlines(keepends=True)[: finished + 1]
    position, ready = match.positions[finished], eye.ready_for(match.board)
    save_picture(folder / FINAL, ready.look(position).picture)
    if isinstance(ready, BlindEye):
        write_output(path, b"".join(lines))
        return _scored_unseen(folder, position)
    _save_table(folder, ready, match.board)
    write_output(path, b"".join(lines))
    return _score_table(folder, position)


# ---- photographs --------------------------------------------------------------------------------


class DemoPhotographs:
    """Saves photographs of one game: of the empty board and the start at once, then a frame for each look."""

    def __init__(self, folder: Path, table: Table, match: Match) -> None:
        """Write the first two photographs and delete those of an earlier demo; OutputError."""
        self._folder = make_folder(folder / PHOTOGRAPHS)
        self._match = match
        self._truth: dict[str, Any] = {}
        for path in self._folder.glob("frame-*.jpg"):
            path.unlink()
        pictures.drop(path for path, _name in pictures.picture_files(pictures.folder_of(match.path)))
        self._put("reference", table.reference_bgr)
        if table.start_bgr is not None:
            self._put("start", table.start_bgr)
        corners = [[round(x, 1), round(y, 1)] for x, y in table.corners_px]
        head = {"board": table.plan.board, "corners_px": corners}
        write_output(self._folder / "table.json", json.dumps(head).encode() + b"\n")

    def add(self, look: TableLook) -> None:
        """Save a look as the next frame, with what is truly on the table; OutputError."""
        position, name = self._match.position, f"frame-{len(self._truth) + 1:02}"
        jpeg = self._put(name, look.picture)
        self._truth[name] = truth_of(position)
        rows = ",\n ".join(f"{json.dumps(frame)}: {json.dumps(truth)}" for frame, truth in self._truth.items())
        write_output(self._folder / "truth.json", f"{{{rows}}}\n".encode())
        if look.reading is not None:
            steps, folder = len(self._match.steps), pictures.folder_of(self._match.path)
            about = {"reading": reading_json("", look.reading), "units": units_of(position)}
            pictures.keep(folder, pictures.Name("frame", steps, self._match.mark(steps)), jpeg, about)
            pictures.drop(path for path, _name in pictures.picture_files(folder)[pictures.MOST_FRAMES :])

    def exercises(self, folder: Path) -> Iterator[str]:
        """Yield command lines to try with this set, in the order of a first evening."""
        photos, table, game = self._folder, folder / OWN_TABLE, self._match.path
        last = photos / f"{next(reversed(self._truth))}.jpg"
        board = self._match.board.name
        for words in (
            ("calibrate", photos / "reference.jpg", "--board", board, "--start", photos / "start.jpg", "-o", table),
            ("read", "--table", table, last),
            ("score", "--table", table, last, "--game", game),
            ("bench", photos),
            ("replay", game),
            ("review", game),
            ("bundle", game, "--table", table, "-o", folder / "report.zip"),
            ("play", "--game", game),
        ):
            yield shlex.join(["gunbai", *(word.as_posix() if isinstance(word, Path) else word for word in words)])

    def _put(self, name: str, picture: Picture) -> bytes:
        jpeg = jpeg_of(picture, PHOTO_QUALITY)
        write_output(self._folder / f"{name}.jpg", jpeg)
        return jpeg


def truth_of(position: Position) -> dict[str, Any]:
    """Return what is on the map in a position, as in a frame's entry of truth.json."""
    spaces = [space.name for space in position.board.spaces if space.area is not None]
    commanders = {space: held[0] for space in spaces if (held := position.commanders_on(space))}
    return {"units": units_of(position), "commanders": commanders, "occluded": []}
