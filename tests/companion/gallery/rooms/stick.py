"""Scenes of memory sticks: what can be done with one, what it brings, an update on it, and taking it out."""

from __future__ import annotations

import errno
from pathlib import Path

from companion.appliance.bringing import Find
from companion.appliance.sticks import Offer, Progress, StickWork
from companion.core.language import _
from companion.core.sticks import Stick
from companion.scenes.home.start import UpdatedScene
from companion.scenes.home.stick import Outcome, StickScene, StickSight
from companion.text.faults import fault_words
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand

FOLDER, OTHER = Path("/media/gunbai/sda1"), Path("/media/gunbai/sdb1")
STICK = Stick("sda1", "KINGSTON", "vfat", FOLDER)
SECOND = Stick("sdb1", "Fotos de família", "exfat", OTHER)
FINDS = (
    Find("copy", FOLDER / "gunbai-000012-2026-11-21.tar.gz"),
    Find("game", FOLDER / "2026-11-20-2.jsonl"),
    Find("board", FOLDER / "kitchen.toml"),
    Find("deck", FOLDER / "hills.toml"),
    Find("battle", FOLDER / "ford.toml"),
    Find("table", FOLDER / "sengoku-rivers.table"),
)
NEWS = ("It talks like a player", "The end of a round has a screen of its own", "Take the game home")
OFFER = Offer(FOLDER / "gunbai-0.4.0.update", "0.4.0-0123456789", NEWS)
SIGNERS = "/etc/gunbai/update-signers"
UNSIGNED = f"{SIGNERS}: missing; it has to name whose updates are accepted from a memory stick"
USABLE = StickSight(STICK, 14_200_000_000, 0, FINDS, (OFFER,))


class Plugged(StickWork):
    """Sticks that are plugged in, and a systemd that does what it is told, at once."""

    def __init__(self, *sights: StickSight) -> None:
        super().__init__()
        self.sights = sights
        self.asked: list[str] = []

    @property
    def version(self) -> str:
        return "0.3.0-abcdefabcd"

    def plugged_in(self) -> tuple[Stick, ...]:
        return tuple(sight.stick for sight in self.sights)

    def take_out(self, stick: Stick) -> None:
        self.asked.append(f"out {stick.device}")

    def mount(self, stick: Stick) -> None:
        self.asked.append(f"in {stick.device}")

    def begin_update(self, offer: Offer) -> None:
        self.asked.append(f"update {offer.release}")

    def progress(self, offer: Offer) -> Progress:
        return Progress(running=True, line="done: /opt/gunbai/releases/0.4.0-0123456789: the program")


def plugged(hand: Hand, *sights: StickSight, told: Outcome | None = None) -> StickScene:
    """Return the stick's scene after it has looked at these sticks."""
    shown = StickScene(Plugged(*sights), hand.app.scene)
    shown.seen, shown.told = sights, told
    hand.app.scene = shown
    return shown


def updated(hand: Hand, running: str) -> None:
    """Say after an update which release runs."""
    hand.app.scene = UpdatedScene(OFFER.release, running, hand.app.scene)


def unsigned(hand: Hand) -> None:
    """Bring an update where nobody has said whose are to be taken."""
    offer = Offer(OFFER.path, OFFER.release, NEWS, UNSIGNED)
    plugged(hand, StickSight(STICK, 14_200_000_000, 0, (), (offer,)))


def taken_out(hand: Hand) -> None:
    """Say that a stick may be pulled out, until it is."""
    told = Outcome(_("You can pull out {name} now.").format(name=STICK.name))
    plugged(hand, StickSight(Stick("sda1", "KINGSTON", "vfat")), told=told)


@scene
def stick_looking(hand: Hand) -> None:
    """Before anything was found."""
    plugged(hand).seen = None


@scene
def stick_two(hand: Hand) -> None:
    """Two of them, the second chosen, and what was saved on it."""
    told = Outcome(_("Saved: {file}").format(file="gunbai-000013-2026-11-22.tar.gz"))
    plugged(hand, USABLE, StickSight(SECOND, 620_000_000), told=told).chosen = "sdb1"


scenes_after(
    __name__,
    {
        "stick_taken_out": (taken_out,),
        "stick_update_unsigned": (unsigned, Intent("update")),
        "stick_updated": (lambda hand: updated(hand, OFFER.release),),
        # the new release didn't start
        "stick_update_back": (lambda hand: updated(hand, "0.3.0-abcdefabcd"),),
        # all that can be done with a stick
        "stick_usable": (lambda hand: plugged(hand, USABLE),),
        "stick_none": (plugged,),
        # a stick that takes nothing, and still brings something in
        "stick_full": (lambda hand: plugged(hand, StickSight(STICK, 0, errno.ENOSPC, FINDS[:1])),),
        "stick_locked": (lambda hand: plugged(hand, StickSight(STICK, 10_000_000, errno.EROFS)),),
        "stick_unreadable": (lambda hand: plugged(hand, StickSight(Stick("sdb", "BACKUP", "ntfs"))),),
        "stick_refused": (
            lambda hand: plugged(hand, USABLE, told=Outcome(fault_words("KINGSTON: still in use"), "bad")),
        ),
        # a stick that was pulled out while it was written to
        "stick_pulled": (
            lambda hand: plugged(hand, told=Outcome(_("The memory stick was pulled out, or it's broken."), "bad")),
        ),
        # a stick that takes no file for a reason nobody knows
        "stick_broken": (lambda hand: plugged(hand, StickSight(STICK, 10_000_000, errno.EIO)),),
        "stick_bringing": (lambda hand: plugged(hand, USABLE), Intent("bring")),
        "stick_update": (lambda hand: plugged(hand, USABLE), Intent("update")),
        "stick_updating": ("stick_update", Intent("install")),
    },
)
