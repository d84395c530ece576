"""A card for .ci/card: python -m tests.companion.appliance.some_card PLACE KIND [UPDATE [--packages DIR]].

KIND: flashed, plain, whole, wifi or wrong are a folder with the files of a card; zip is the archive of a card for this
machine, from UPDATE.
"""

import platform
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance.cards.preparing import NEEDED, make_zip, prepare
from companion.appliance.cards.wishes import NETWORK, RUNS_ON, USER_DATA, Wishes
from tests.companion.appliance.machines import make_tree, make_update

ISSUE = "Raspberry Pi reference 2025-11-24\nGenerated using pi-gen, https://github.com/RPi-Distro/pi-gen, abc, stage2\n"


def make_card(folder: Path) -> None:
    """Write the boot partition of a card that was just flashed, as far as `gunbai card` looks at it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in NEEDED:
        (folder / name).write_text("#cloud-config\n\n# commented only\n" if name == USER_DATA else "#\n")
    (folder / "issue.txt").write_text(ISSUE)


def main(folder: Path, kind: str) -> None:
    """Write one."""
    make_card(folder)
    if kind == "flashed":
        return
    wishes = Wishes()
    if kind == "whole":
        key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB0000000000000000000000000000000000000000000 me"
        wishes = Wishes("ana", "pt_BR", "br", "America/Sao_Paulo", key)
    with TemporaryDirectory() as scratch:
        update = Path(scratch) / "pi.update"
        make_update(make_tree(Path(scratch) / "tree"), update, RUNS_ON)
        prepare(folder, update, wishes)
    if kind == "wrong":
        change(folder / USER_DATA, "timezone:", "timezon:")
    if kind == "wifi":
        set_up_wifi(folder)


def change(path: Path, before: str, after: str) -> None:
    """Change a file as a person would; its lines end as before."""
    path.write_bytes(path.read_bytes().decode().replace(before, after).encode())


def set_up_wifi(folder: Path) -> None:
    """Take the # from the lines that are a Wi-Fi's, as their comment says."""
    lines = (folder / NETWORK).read_bytes().decode().split("\n")
    begin = next(number for number, line in enumerate(lines) if line.startswith("#  wifis:"))
    free = [line.removeprefix("#") for line in lines[begin:]]
    (folder / NETWORK).write_bytes("\n".join([*lines[:begin], *free]).encode())


if __name__ == "__main__":
    place, kind, *more = sys.argv[1:]
    if kind == "zip":
        update, *packages = more
        wishes = Wishes(packages=Path(packages[1]) if packages else None)
        made = make_zip(Path(place), Path(update), wishes, f"{platform.machine()} 3.13")
        print(f"{made.release}, {made.packages} packages")
    else:
        main(Path(place), kind)
