"""The end of a game: who has won and why, the turn that decided it, and the game carried home or begun anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
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
from companion.scenes.base.panels import undo_button
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene, SubScene
from companion.scenes.base.unsaved import leave_for_home, leave_or_ask
from companion.scenes.review.log import LogScene, review_button, review_scene
from companion.scenes.story.course import Course
from companion.scenes.story.game_log import step_lines
from companion.scenes.story.presenter import SystemPresenter, with_picture
from companion.scenes.story.tables import AnyTable
from companion.systems.game_system import Slot, game_system
from companion.text.faults import fault_words
from companion.text.people import People
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Laurels, Screen, Slip, Text, back_button
from intake.files import STANDARD_INPUT


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game, to share: a few lines of text, and a screen to make a picture of."""

    text: str
    card: Screen


def result_lines(table: AnyTable) -> str:
    """Return the result as lines of text: the game, the day, and who won and why, or else how it stands."""
    position, people = table.match.position, table.people
    head = _("{game}, {day}").format(game=table.presenter.title(position), day=day_of(table.match.path))
    winner = table.presenter.winner(position)
    if winner is None:
        return "\n".join([head, "", table.presenter.facts(position, people)]).strip() + "\n"
    won = _("{who} wins!").format(who=people.name(table.sides[winner]))
    return "\n".join([head, "", won, *table.presenter.outcome(position, people)]) + "\n"


def whole_game(table: AnyTable, result: str) -> str:
    """Return the result followed by every step; "" without any step, or if it is too long for a QR code."""
    text = ""
    for _number, line in step_lines(table.game_log):
        text = f"{line}\n{text}"
        if len(f"{result}\n{text}".encode()) > MOST_BYTES:
            return ""
    return text and f"{result}\n{text}"


def bg_stats_link(match: AnyMatch, presenter: SystemPresenter[Any, Any], people: People) -> str:
    """Return the link that makes the BG Stats app log the game."""
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
    """Return when a game's file, or the pipe it came through, was last modified, in seconds since the epoch."""
    return (os.fstat(0) if str(path) == STANDARD_INPUT else path.stat()).st_mtime


class ShareScene(SubScene):
    """Shares a game: saves its text and picture on opening, shows a QR code, makes a web page or GIF on request."""

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
        """Show where the files are, buttons for other formats and codes, and the QR code in a column of its own."""
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
        """Return the QR code with a caption; empty if it cannot be made."""
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
        """Start making a file, show the other QR code, or go back."""
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
        """Block until the file being made is written."""
        self._errand.wait()

    def tick(self, _now_s: float) -> Scene | None:
        """Add the file once it is made, or show why it failed; return this scene if so, else None."""
        made = self._errand.fetch()
        if made is None:
            return None
        if isinstance(made, str):
            self.fault = made
        else:
            self.saved = tuple(dict.fromkeys((*self.saved, made)))
        return self


CURVE_PT = 60.0  # the least height of the curve, which fills what the page leaves


# ---- the end, celebrated --------------------------------------------------------------------------


class EndScene(BackScene):
    """The end of a finished game, for both players; a touch on the turning point opens that moment."""

    shared = True

    def __init__(self, table: AnyTable) -> None:
        super().__init__(table)
        self.table = table
        self.course = Course(table.game_log)

    @property
    def home(self) -> Scene:
        """The scene to show after leaving the game."""
        return self.table.home

    @property
    def winner(self) -> int:
        """The index (0 or 1) of the side that has won."""
        won = self.table.presenter.winner(self.table.match.position)
        assert won is not None
        return won

    @property
    def _has_rematch(self) -> bool:
        return REMATCHES.is_filled(self.table.match.system.name)

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the end of the game on one screen for both."""
        return self._screen(self._wins(), whole=True)

    def show_to(self, seat: str) -> Screen:
        """Show the end of the game in one half; the winner's half says "You win!"."""
        won = self.table.sides[self.winner] == seat
        return self._screen(_("You win!") if won else self._wins(), whole=False)

    def _wins(self) -> str:
        name = self.table.people.name(self.table.sides[self.winner])
        return _("{who} wins!").format(who=name)

    def _screen(self, title: str, *, whole: bool) -> Screen:
        """Lay out the end of the game; on a whole screen "Share" stands beside "Home", on a half above it."""
        table, share = self.table, Button(_("Share"), Intent("share"), sign="share")
        again = (
            Button(_("Rematch"), Intent("rematch"), "primary", sign="redo"),
            Button(_("Swap sides"), Intent("swap"), sign="seats"),
        )
        ways = (
            *(again if self._has_rematch else ()),
            *review_button(table, "plain"),
            Button(_("Score"), Intent("details"), sign="points"),
            Button(_("Replay"), Intent("log"), sign="log"),
            *(() if whole else (share,)),
        )
        words = Screen(
            blocks=(*self._story(title), Buttons(ways, 5 if whole else 3)),
            actions=table.with_redo(
                (
                    undo_button(),
                    back_button(),
                    *((share,) if whole else ()),
                    Button(_("Home"), Intent("home"), "plain" if self._has_rematch else "primary"),
                )
            ),
            page=self.page,
        )
        return with_picture(words, table.presenter.final_picture(table.match.position))

    def result(self) -> Result:
        """Return the result to share: its lines of text, and the end of the game as a picture."""
        picture = self.table.presenter.final_picture(self.table.match.position)
        return Result(result_lines(self.table), with_picture(Screen(blocks=self._story(self._wins())), picture))

    def _story(self, title: str) -> tuple[Block, ...]:
        """Return blocks that tell who won and why, with the curve of the game and the turn that decided it."""
        table, curve = self.table, self.course.curve(high_pt=CURVE_PT)
        why = table.presenter.outcome(table.match.position, table.people)
        laurels = Laurels(table.sides[self.winner], title, why[0] if why else "")
        return (laurels, *((curve,) if curve is not None else ()), *self._turning())

    def _turning(self) -> tuple[Block, ...]:
        """Return a slip with the turn that decided the game; empty if none did."""
        turn = self.course.turning_point() if self.course.turns else None
        if turn is None:
            return ()
        log, number = self.table.game_log, self.course.deciding_step(turn, self.winner)
        told = log.line(log.match.steps[number - 1], log.match.positions[number - 1])
        first, dot, _rest = told.partition(". ")
        where = log.presenter.chapter_title(*[self.course.turns[turn - 1].round] * 2)
        title = _("Turning point: {where}").format(where=where)
        return (Slip(title, first + dot.strip(), intent=Intent("moment", "", self.course.steps_after(turn))),)

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Start a rematch, undo or redo, open the scene of the touched button, or leave."""
        table = self.table
        if intent.verb in ("rematch", "swap") and self._has_rematch:
            again = REMATCHES.of(table.match.system.name)
            return leave_or_ask(table, self, lambda: again(table, self, intent.verb == "swap"))
        if intent.verb in ("undo", "redo"):
            return table.touch(intent) or table
        leads: Mapping[str, Callable[[], Scene | None]] = {
            "details": lambda: table.details(self),
            "share": lambda: ShareScene(table, self.result(), self),
            "log": lambda: LogScene(table, self),
            "review": lambda: review_scene(table, self),
            "moment": lambda: table.moment(intent.n, self),
            "home": lambda: leave_for_home(table, self),
        }
        return leads[intent.verb]() if intent.verb in leads else super().touch(intent)


REMATCHES = Slot[Callable[[Any, EndScene, bool], Scene | None]]("rematch")
"""Opens a rematch at a system's own table, from the end of the last game; with True, the players swap sides."""
