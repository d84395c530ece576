"""To carry a game home: its result as text, picture and QR codes, the game as text, web page and animated GIF."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from companion.core.background import Errand
from companion.core.errors import CompanionError, MatchError
from companion.core.language import _
from companion.drawing.qr_code import MOST_BYTES
from companion.games.match import AnyMatch
from companion.games.sharing import LoggedPlay, LoggedPlayer, day_of, play_link, share, shared_dir
from companion.scenes.base.help import phone_code
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.story.game_log import step_lines
from companion.scenes.story.presenter import SystemPresenter
from companion.scenes.story.tables import AnyTable
from companion.systems.game_system import game_system
from companion.text.faults import fault_words
from companion.text.people import People
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Screen, Text, back_button
from intake.files import STANDARD_INPUT


@dataclass(frozen=True, slots=True)
class Result:
    """What is passed on of a game: a few lines, and the screen that the picture shows."""

    text: str
    card: Screen


def result_lines(table: AnyTable) -> str:
    """Sum up the result of any system's game as text: the game, the day, the winner, and why."""
    position, people = table.match.position, table.people
    head = _("{game}, {day}").format(game=table.presenter.title(position), day=day_of(table.match.path))
    winner = table.presenter.winner(position)
    if winner is None:
        return "\n".join([head, "", table.presenter.facts(position, people)]).strip() + "\n"
    won = _("{who} wins!").format(who=people.name(table.sides[winner]))
    return "\n".join([head, "", won, *table.presenter.outcome(position, people)]) + "\n"


def whole_game(table: AnyTable, result: str) -> str:
    """Return the result followed by every step; "" if that is more than a QR code holds."""
    text = ""
    for _number, line in step_lines(table.game_log):
        text = f"{line}\n{text}"
        if len(f"{result}\n{text}".encode()) > MOST_BYTES:
            return ""
    return text and f"{result}\n{text}"


def bg_stats_link(match: AnyMatch, presenter: SystemPresenter[Any, Any], people: People) -> str:
    """Return the link that logs a finished game in BG Stats."""
    position, begins = match.position, presenter.waits_for(match.positions[0])
    box, board = presenter.published_as(position)
    title = game_system(match.system.name).title  # in English: other programs know it by that
    standing = presenter.standing(position)
    players = [
        LoggedPlayer(
            name=people.name(seat),
            role=side,
            points=standing[n] if standing is not None else None,
            won=presenter.winner(position) == n,
            began=begins[:1] == (n,),
        )
        for n, (seat, side) in enumerate(
            zip(presenter.seats(presenter.keys(position)), presenter.sides(position), strict=True)
        )
    ]
    play = LoggedPlay(
        key=match.mark(len(match.steps)),
        game=f"{title}: {box}" if box else title,
        board=board,
        ended_s=_ended_s(match.path),
        players=players,
    )
    return play_link(play)


def _ended_s(path: Path) -> float:
    """Return when a game was last written, in seconds since the epoch; of one through a pipe, when it came."""
    return (os.fstat(0) if str(path) == STANDARD_INPUT else path.stat()).st_mtime


class ShareScene(SubScene):
    """Writes text and picture as it opens, shows a QR code, and makes the page and the animation when asked."""

    def __init__(self, table: AnyTable, result: Result, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.result = result
        self.saved: tuple[Path, ...] = ()
        self.fault = ""
        over = table.presenter.winner(table.match.position) is not None
        self.codes = {"play": bg_stats_link(table.match, table.presenter, table.people)} if over else {}
        self.full_text = whole_game(table, result.text)
        self.codes["text"] = self.full_text or result.text
        self.code = next(iter(self.codes))
        self._errand: Errand[Path | str] = Errand("share")
        self._save()

    def _save(self) -> None:
        draw = self.table.stage.services.draw
        picture = partial(draw, self.result.card) if draw is not None else None
        try:
            self.saved = share(self.table.match.path.stem, self.result.text, picture)
        except MatchError as error:
            self.fault = fault_words(error)

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show where the files are and what else can be made, with a code for phones as large as possible."""
        code, files, ways = self._code(), self._files(), self._ways()
        title = Text(_("Share"), "title")
        return Screen(
            blocks=(Columns((title, *files, *ways, *code[1:]), code[:1]),) if code else (title, *files, *ways),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def _files(self) -> tuple[Block, ...]:
        if self.fault:
            return (Text(self.fault, "bad"),)
        names = ", ".join(path.name for path in self.saved)
        return (Text(_("Saved {names} to {folder}").format(names=names, folder=self.saved[0].parent.name), "strong"),)

    def _ways(self) -> tuple[Block, ...]:
        if not self._errand.idle:
            return (Text(_("Working …"), "strong"),)
        notes = {
            "html": (_("Web page"), _("replays the whole game in any browser")),
            "gif": (_("Animated GIF"), _("a picture for each turn")),
        }
        makes = [Button(notes[kind][0], Intent("make", kind), note=notes[kind][1]) for kind in self._kinds()]
        text = _("QR code of the whole game") if self.full_text else _("QR code of the result")
        names = {"play": _("QR code for BG Stats"), "text": text}
        codes = [Button(names[kind], Intent("code", kind)) for kind in self.codes if kind != self.code]
        return (Buttons((*makes, *codes), 1),)

    def _kinds(self) -> tuple[str, ...]:
        return tuple(self.table.stage.services.replays) if self.table.match.steps else ()

    def _code(self) -> tuple[Block, ...]:
        """Show the QR code with its purpose; nothing if it cannot be made."""
        captions = {
            "play": _("Scan it with a phone that has BG Stats: the game is logged there."),
            "text": _("Scan it with a phone to read the game.")
            if self.full_text
            else _("Scan it with a phone to read the result."),
        }
        code = phone_code(self.codes[self.code])
        return (*code, Text(captions[self.code], "quiet")) if code else ()

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Make a file, or show the other code."""
        if intent.verb == "make" and intent.what in self._kinds() and self._errand.idle:
            self._errand.begin(partial(self._make, intent.what))
        elif intent.verb == "code" and intent.what in self.codes:
            self.code = intent.what
        elif intent.verb == "back":
            self._errand.close()
        return super().touch(intent)

    def _make(self, kind: str) -> Path | str:
        """Write the game's file of this kind and return its path, or say why it failed; runs in a thread."""
        game = self.table.match.path
        try:
            path = shared_dir() / f"{game.stem}.{kind}"
            self.table.stage.services.replays[kind](game, path)
        except (CompanionError, OSError) as error:
            return fault_words(error)
        return path

    def wait(self) -> None:
        """Wait until the file is written."""
        self._errand.wait()

    def tick(self, _now_s: float) -> Scene | None:
        """Take what has been made."""
        made = self._errand.fetch()
        if made is None:
            return None
        if isinstance(made, str):
            self.fault = made
        else:
            self.saved = tuple(dict.fromkeys((*self.saved, made)))
        return self
