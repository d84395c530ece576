"""The memory stick: save everything to it, import its files, update Gunbai from it, and take it out safely."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from companion.appliance.backing_up import back_up
from companion.appliance.bringing import Brought, Find, find_imports, import_find, make_known
from companion.appliance.sticks import Offer, StickWork
from companion.core.background import Errand
from companion.core.errors import ApplianceError, CompanionError
from companion.core.language import _, plural
from companion.core.sticks import KNOWN, Stick, free_bytes, refusal
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.home.stick_update import UpdateScene
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text, Tone, back_button
from engine.errors import EngineError

LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class StickSight:
    """What a look at a stick found. free: bytes; refused: the errno if it can't be written to, else 0.

    finds: files to import. updates: releases of Gunbai.
    """

    stick: Stick
    free: int = 0
    refused: int = 0
    finds: tuple[Find, ...] = ()
    updates: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of work with a stick, in words."""

    text: str
    tone: Tone = "good"


def look_at_stick(work: StickWork, stick: Stick) -> StickSight:
    """Look through a stick for free space, files and updates; slow."""
    if stick.folder is None:
        return StickSight(stick)
    folder = stick.folder
    return StickSight(stick, free_bytes(folder), refusal(folder), find_imports(folder), tuple(work.updates(stick)))


class StickScene(SubScene):
    """What can be done with the sticks that are plugged in; a thread looks for them every second."""

    def __init__(self, work: StickWork, back: Scene) -> None:
        super().__init__(back)
        self.work = work
        self.told: Outcome | None = None
        self.seen: tuple[StickSight, ...] | None = None
        self.chosen = ""
        self._looked_s, self._stale = 0.0, True
        self._looking: Errand[tuple[StickSight, ...]] = Errand("look-at-sticks")
        self._doing: Errand[Outcome] = Errand("stick")

    # ---- looking --------------------------------------------------------------------------------------

    def tick(self, now_s: float) -> Scene | None:
        """Notice sticks plugged in or pulled out and work done; return this scene if there is news, else None."""
        done = self._doing.fetch()
        if done is not None:
            self.told, self._stale = done, True
            self._looking.forget()
            make_known()
        if self._looking.idle and self._doing.idle and (self._stale or now_s - self._looked_s >= LOOK_S):
            known = () if self._stale else self.seen or ()
            self._looked_s, self._stale = now_s, False
            self._looking.begin(partial(self._look, known))
        found = self._looking.fetch()
        if found is None or found == self.seen:
            return self if done is not None else None
        failed = self.told is not None and self.told.tone == "bad"  # stays on the screen though the stick is out
        before, now = ({sight.stick.device for sight in sights} for sights in (self.seen or (), found))
        if self.seen is not None and before != now and not failed:
            self.told = None
        self.seen = found
        return self

    def _look(self, before: tuple[StickSight, ...]) -> tuple[StickSight, ...]:
        """Look at each stick that is plugged in, but not again at those known from before."""
        known = {sight.stick: sight for sight in before}
        return tuple(known.get(stick) or look_at_stick(self.work, stick) for stick in self.work.plugged_in())

    def wait(self) -> None:
        """Wait until the work and the look at the sticks are done."""
        self._doing.wait()
        self._looking.wait()

    @property
    def sight(self) -> StickSight | None:
        """The chosen stick, else the first that can be used, else the first; None without a stick."""
        seen = self.seen or ()
        usable = [sight for sight in seen if sight.stick.folder is not None]
        return next(
            (sight for sight in usable if sight.stick.device == self.chosen), next(iter([*usable, *seen]), None)
        )

    # ---- what it shows --------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the stick, what can be done with it, and the outcome of the last action."""
        sight = self.sight
        blocks = [
            *self._choice(),
            *(_about(sight) if self.seen is not None else (Text(_("Looking for a memory stick."), "quiet"),)),
        ]
        if not self._doing.idle:
            blocks.append(Text(_("Working. Leave the stick in."), "warn"))
        elif self.told is not None:
            blocks.insert(0, Text(self.told.text, self.told.tone))
        if self._doing.idle and (ways := _ways(sight)):
            blocks.append(Buttons(ways, 2))
        may_go = sight is not None and sight.stick.is_own and self._doing.idle
        out = (Button(_("Take it out"), Intent("out"), "primary", "tick"),) if may_go else ()
        actions = (back_button("quiet" if out else "primary"), *out)
        return Screen(title=_("Memory stick"), blocks=tuple(blocks), actions=actions, page=self.page)

    def _choice(self) -> tuple[Block, ...]:
        usable = [sight.stick for sight in self.seen or () if sight.stick.folder is not None]
        if len(usable) < 2 or self.sight is None:
            return ()
        now = self.sight.stick
        names = [stick.name for stick in usable]
        buttons = (
            Button(
                stick.name if names.count(stick.name) == 1 else f"{stick.name} ({stick.device})",
                Intent("stick", stick.device),
                "chosen" if stick == now else "plain",
            )
            for stick in usable
        )
        return (Buttons(tuple(buttons), 2),)

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Choose a stick, begin work with it, open its files or its update, or go back."""
        sight = self.sight
        if intent.verb == "stick":
            self.chosen, self.told = intent.what, None
        elif intent.verb == "back":
            self._looking.close()
            self._doing.close()
        elif sight is not None and self._doing.idle and intent.verb in _able(sight):
            return self._do(intent.verb, sight)
        return super().touch(intent)

    def _do(self, verb: str, sight: StickSight) -> Scene | None:
        self.told = None
        ways: Mapping[str, Callable[[StickSight], Outcome]] = {
            "save": _save,
            "out": self._take_out,
            "again": self._mount,
        }
        if verb == "bring":
            return BringScene(sight, self)
        if verb == "update":
            return UpdateScene(self.work, sight.updates[0], self)
        self._doing.begin(partial(_outcome, partial(ways[verb], sight)))
        return None

    def bring(self, find: Find) -> Scene:
        """Begin to import a file, and return this scene, which will show the outcome."""
        self.told = None
        self._doing.begin(partial(_outcome, partial(_bring, find)))
        return self

    def _take_out(self, sight: StickSight) -> Outcome:
        self.work.take_out(sight.stick)
        return Outcome(_("You can pull out {name} now.").format(name=sight.stick.name))

    def _mount(self, sight: StickSight) -> Outcome:
        self.work.mount(sight.stick)
        return Outcome(_("{name} can be used again.").format(name=sight.stick.name))


def _outcome(work: Callable[[], Outcome]) -> Outcome:
    """Do the work and return its outcome, or why it failed; runs in a thread."""
    try:
        return work()
    except (CompanionError, EngineError, OSError) as error:
        return Outcome(fault_words(error), "bad")


def _save(sight: StickSight) -> Outcome:
    assert sight.stick.folder is not None
    folder = sight.stick.folder
    try:
        made = back_up(folder, spare=0)
    except OSError as error:
        raise ApplianceError(f"{folder}: can't be written ({error.strerror})") from error
    if made.path is None:
        raise ApplianceError("nothing to save yet")
    form = _("Saved: {file}") if made.made else _("Nothing new since {file}.")
    return Outcome(form.format(file=made.path.name))


def _bring(find: Find) -> Outcome:
    done: Brought = import_find(find)
    if find.what != "copy":
        return Outcome(_("Brought in: {file}").format(file=find.path.name))
    text = plural("{n} file brought in.", "{n} files brought in.", done.files)
    if done.left_out:
        text += " " + plural("{n} file left out.", "{n} files left out.", done.left_out)
    return Outcome(text)


def _about(sight: StickSight | None) -> list[Block]:
    """Describe the stick and what is wrong with it; without a stick, say what to do."""
    if sight is None:
        hint = _("Most sticks work, as long as they are formatted with FAT or exFAT.")
        return [Text(_("Plug in a memory stick."), "strong"), Text(hint, "quiet")]
    name = sight.stick.name
    if sight.stick.folder is None and sight.stick.kind not in KNOWN:
        return [
            Text(_("Gunbai can't read {name}. Format it with FAT or exFAT on a computer.").format(name=name), "warn")
        ]
    if sight.stick.folder is None:
        return [Text(_("{name} is still plugged in, but not in use.").format(name=name), "quiet")]
    if sight.refused:
        return [Text(_refused(sight.refused).format(name=name), "warn")]
    mega = sight.free // 1_000_000
    size = _("{n} MB").format(n=mega) if mega < 1000 else _("{n} GB").format(n=mega // 1000)
    room = _("{name} · {size} free").format(name=name, size=size)
    hint = _("While it's in, games you save and results you share go there.")
    return [Text(room, "strong"), Text(hint, "quiet")]


def _refused(number: int) -> str:
    """Return the sentence on why a stick takes no file, by its error number."""
    if number == errno.ENOSPC:
        return _("{name} is full.")
    if number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return _("{name} is write-protected or damaged.")
    return _("{name} can't be written to: it may be damaged.")


def _able(sight: StickSight | None) -> frozenset[str]:
    """Return the actions possible with this stick now, by the verbs of their intents."""
    if sight is None:
        return frozenset()
    if sight.stick.folder is None:
        return frozenset({"again"} if sight.stick.kind in KNOWN else ())
    can = {"save": not sight.refused, "bring": bool(sight.finds), "update": bool(sight.updates), "out": True}
    return frozenset(verb for verb, able in can.items() if able)


def _ways(sight: StickSight | None) -> tuple[Button, ...]:
    """Return the buttons for all that a stick can do; those impossible with this stick are switched off."""
    able = _able(sight)
    if "again" in able:
        return (Button(_("Use it again"), Intent("again"), sign="redo"),)
    finds, updates = (sight.finds, sight.updates) if sight is not None else ((), ())
    files = plural("{n} file for Gunbai", "{n} files for Gunbai", len(finds))
    update, named = _("Update Gunbai"), _("from an update file")
    if updates:
        update, named = _("Update to {version}").format(version=updates[0].version), updates[0].path.name
    ways = (
        ("save", "log", _("Save everything"), _("all games, boards, decks, battles and tables")),
        ("bring", "plus", _("Bring in"), files if finds else _("games, boards, decks, battles, backups")),
        ("update", "redo", update, named),
    )
    return tuple(
        Button(label, Intent(verb), "plain" if verb in able else "off", sign, note) for verb, sign, label, note in ways
    )


class BringScene(SubScene):
    """The files on a stick that can be imported, a button for each."""

    def __init__(self, sight: StickSight, back: StickScene) -> None:
        super().__init__(back)
        self.sight = sight
        self.stick = back

    def show(self) -> Screen:
        """List the files that can be imported, backups first."""
        kinds = {
            "copy": _("backup: adds what is missing here"),
            "game": _("saved game"),
            "board": _("board"),
            "deck": _("deck"),
            "battle": _("battle"),
            "table": _("camera set-up"),
        }
        buttons = [
            Button(find.path.name, Intent("take", find.path.name, number), sign="plus", note=kinds[find.what])
            for number, find in enumerate(self.sight.finds)
        ]
        blocks = (Buttons(tuple(buttons), 2), Text(_("Nothing that is already here is changed."), "quiet"))
        return Screen(title=_("Bring in"), blocks=blocks, actions=(back_button("primary"),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Import the touched file, or go back."""
        if intent.verb == "take":
            known = [find for find in self.sight.finds if find.path.name == intent.what]
            return self.stick.bring(known[0]) if known else None
        return super().touch(intent)
