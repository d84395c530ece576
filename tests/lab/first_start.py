"""A card's first start on a screen: python -m tests.lab.first_start MACHINE RESULTS, run by .ci/card.

MACHINE has vmlinuz, initrd.img, disk.raw (the system as it was flashed) and boot.img (its boot partition, filled from
the archive). First a line of the card is wrong, which the screen has to say; then it is corrected on the card, and the
next start has to end on the table.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cv2

from companion.appliance.cards.wishes import LOG
from tests.lab.machine import LabError, Machine, overlay
from tests.lab.trial import APP, FEWEST_COLOURS, colours, devices, ensure

CARD = "/boot/firmware"
STOPPED_S, INSTALLED_S, EVERY_S = 1800.0, 5400.0, 20.0
WRONG, RIGHT = "America/SaoPaulo", "America/Sao_Paulo"
EYES = 'grep -q "{words}" ' + f"{CARD}/{LOG}"


def start(room: Path, results: Path) -> Machine:
    """Switch the machine on with its card in."""
    card = ("-drive", f"id=card,if=none,file={room / 'boot.img'},format=raw", "-device", "virtio-blk-pci,drive=card")
    disk = f"file={room / 'disk.qcow2'},format=qcow2,cache=unsafe"
    return Machine(room, disk, results / "machine", (*devices(results / "machine"), *card))


def keep(machine: Machine, results: Path, name: str) -> int:
    """Keep a picture of the screen: how many colours it has."""
    picture = machine.picture()
    cv2.imwrite(str(results / f"{name}.png"), picture)
    return colours(picture)


def wait_in_log(machine: Machine, words: str, limit_s: float) -> None:
    """Wait until the card's log has these words."""
    machine.wait_for(EYES.format(words=words), limit_s, f"the log doesn't say {words!r}")


def stop_at_wrong_line(room: Path, results: Path) -> str:
    """Start with a wrong time zone; the screen and the log say so."""
    began_s = time.monotonic()
    with start(room, results) as machine:
        machine.boot()
        wait_in_log(machine, "there is no time zone", STOPPED_S)
        machine.wait_for(
            "! systemctl is-active --quiet cloud-final.service || cloud-init status --wait", STOPPED_S, "it doesn't end"
        )
        keep(machine, results, "first-start-wrong-line")
        told = machine.run(f"cat {CARD}/{LOG}")
        (results / "wrong-line.log").write_text(told, encoding="utf-8")
        machine.run(f"sed -i 's:{WRONG}:{RIGHT}:' {CARD}/user-data && sync && systemctl poweroff --no-block", 60)
        machine.event("SHUTDOWN", STOPPED_S)
    return f"told after {time.monotonic() - began_s:.0f} s"


def install(room: Path, results: Path) -> str:
    """Start anew from the corrected card; it ends on the table."""
    began_s = time.monotonic()
    with start(room, results) as machine:
        machine.boot()
        machine.wait_for(f"test -s {CARD}/{LOG}", STOPPED_S, "the card's script isn't run")
        time.sleep(EVERY_S)
        keep(machine, results, "first-start-installing")
        machine.wait_for(f"systemctl is-active --quiet {APP}", INSTALLED_S, "the app doesn't become READY")
        until_s = time.monotonic() + STOPPED_S
        while keep(machine, results, "first-start-table") < FEWEST_COLOURS:
            ensure(time.monotonic() < until_s, "the screen isn't Gunbai's")
            time.sleep(EVERY_S)
        told = machine.run(f"cat {CARD}/{LOG}")
        (results / "screen.log").write_text(told, encoding="utf-8")
    return f"on the table after {time.monotonic() - began_s:.0f} s"


def main(room: Path, results: Path) -> int:
    """0 where both went well."""
    results.mkdir(parents=True, exist_ok=True)
    overlay(room / "disk.raw", room / "disk.qcow2")
    for step in (stop_at_wrong_line, install):
        try:
            print(f"ok: {step.__name__}: {step(room, results)}", flush=True)
        except LabError as error:
            print(f"FAILED: {step.__name__}: {error}", flush=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
