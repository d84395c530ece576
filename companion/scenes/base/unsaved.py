"""When the disk refuses: the sign that a game is in memory only, saving again, and the question before leaving."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.language import _, plural
from companion.games.match import AnyMatch
from companion.scenes.base.stage import FacingScene, Scene, Table
from companion.scenes.base.sub_scene import BackScene
from companion.text.faults import table_fault_words
from companion.ui.screen import Block, Button, Intent, Screen, Text, confirm_button

RETRY_S = 5.0


def unsaved_reason(fault: OSError) -> str:
    """Return why nothing can be written, to end a sentence with: "the disk is full"."""
    words: Mapping[int | None, str] = {
        errno.ENOSPC: _("the disk is full"),
        errno.EDQUOT: _("the disk is full"),
        errno.EROFS: _("the disk is read-only"),
        errno.EIO: _("the disk is failing"),
        errno.ENOENT: _("the games folder is missing"),
        errno.ENOTDIR: _("the games folder is missing"),
        errno.EEXIST: _("the games folder is missing"),
        errno.EACCES: _("no permission to write to the games folder"),
        errno.EPERM: _("no permission to write to the games folder"),
    }
    return words.get(fault.errno) or fault.strerror or str(fault)


def unsaved_text(match: AnyMatch) -> str:
    """Return a text that says why the game isn't saved, and that play can go on; "" if it is saved."""
    if match.fault is None:
        return ""
    said = _("Not saved: {why}.").format(why=unsaved_reason(match.fault))
    if not match.unsaved:
        return " ".join((said, _("You can keep playing; nothing is being saved.")))
    n = match.unsaved
    goes_on = plural("You can keep playing; {n} step is unsaved.", "You can keep playing; {n} steps are unsaved.", n)
    return f"{said} {goes_on}"


def with_unsaved_sign(screen: Screen, match: AnyMatch | None) -> Screen:
    """Add the "not saved" sign to a screen that has a status, if the match is not saved."""
    if match is None or match.is_saved or screen.status is None:
        return screen
    unsaved = plural("{n} step", "{n} steps", match.unsaved) if match.unsaved else _("the game")
    return replace(screen, status=replace(screen.status, unsaved=unsaved))


class SaveRetry:
    """Tries every few seconds to write what the disk has refused."""

    def __init__(self) -> None:
        self._match: AnyMatch | None = None
        self._waits = False
        self._tried_s = 0.0

    def tick(self, match: AnyMatch, now_s: float) -> str:
        """Retry saving every few seconds; return a text when saving begins to fail or works again, else "".

        now_s: monotonic seconds.
        """
        if match is not self._match:
            self._match, self._waits = match, False
        if match.is_saved:
            again, self._waits = self._waits, False
            return _("Everything is saved again.") if again else ""
        if not self._waits:
            self._waits, self._tried_s = True, now_s
            return unsaved_text(match)
        if now_s - self._tried_s >= RETRY_S:
            self._tried_s = now_s
            if match.save():
                return self.tick(match, now_s)
        return ""


def leave_or_ask(table: Table, back: Scene, leave: Callable[[], Scene | None]) -> Scene | None:
    """Leave a game at once if it is saved or can be saved now; otherwise return a scene that asks first.

    back: the page that was to be left. leave: leaves the game and returns the scene that follows.
    """
    if table.match.is_saved or table.match.save():
        return leave()
    return LeavingScene(table, back, leave)


def leave_for_home(table: Table, back: Scene) -> Scene | None:
    """Leave a game for the scene its table came from, and close its file, so that it can be opened again there."""

    def leave() -> Scene:
        table.match.close()
        return table.home

    return leave_or_ask(table, back, leave)


class LeavingScene:
    """The page that was to be left, with a question over it: save again, stay, or leave and lose what isn't saved.

    Whoever touches anything else on the page stays.
    """

    shared = True

    def __init__(self, table: Table, back: Scene, leave: Callable[[], Scene | None]) -> None:
        self.table = table
        self.back = back
        self.leave = leave
        self.tried = False

    def show(self) -> Screen:
        """Show the page with a warning of what would be lost, and the choices."""
        return self._asked(self.back.show())

    def show_to(self, seat: str) -> Screen:
        """Show the half's page with the same warning."""
        return self._asked(self.back.show_to(seat) if isinstance(self.back, FacingScene) else self.back.show())

    def _asked(self, screen: Screen) -> Screen:
        again = _("Still couldn't save.") if self.tried else ""
        lose = Button(_("Leave anyway"), Intent("leave"), "quiet")
        stay = Button(_("Stay in the game"), Intent("back"), "primary")
        return replace(
            screen,
            banner=" ".join(filter(None, (again, unsaved_text(self.table.match)))),
            banner_tone="warn",
            actions=(lose, Button(_("Try again"), Intent("again")), stay),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Save again and leave if that works, leave without saving, or stay; any other touch goes to the page."""
        if intent.verb == "again":
            self.tried = not self.table.match.save()
            return None if self.tried else self.leave()
        if intent.verb == "leave":
            return self.leave()
        return self.back if intent.verb == "back" else self.back.touch(intent) or self.back


class UnsavedScene(BackScene):
    """Why nothing is saved, with buttons to try again or play on."""

    shared = True

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.tried = False

    def show(self) -> Screen:
        """Show the fault, the remedy, and what a power cut would cost."""
        match = self.table.match
        stay = confirm_button(_("Stay in the game"), intent=Intent("back"))
        if match.fault is None:
            return Screen(title=_("Everything is saved again."), actions=(stay,))
        blocks: list[Block] = [Text(table_fault_words(match.fault), "strong"), Text(self._loss_words())]
        if self.tried:
            blocks.append(Text(_("Still couldn't save."), "warn"))
        actions = (Button(_("Try again"), Intent("again")), stay)
        return Screen(title=_("This game is not saved"), blocks=tuple(blocks), actions=actions)

    def _loss_words(self) -> str:
        match = self.table.match
        kept = _("Gunbai keeps trying every few seconds. You can keep playing.")
        if not match.unsaved:
            return kept
        lost = plural(
            "The disk is {n} step behind. A power cut now would lose it.",
            "The disk is {n} steps behind. A power cut now would lose them.",
            match.unsaved,
        )
        return f"{lost} {kept}"

    def touch(self, intent: Intent) -> Scene | None:
        """Try to save again, or go back."""
        if intent.verb == "again":
            self.tried = not self.table.match.save()
        return super().touch(intent)
