"""A card for .ci/card: python -m tests.companion.appliance.some_card FOLDER plain|whole|wrong."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance.cards.boot_partition import NEEDED, prepare
from companion.appliance.cards.wishes import RUNS_ON, USER_DATA, Wishes
from tests.companion.appliance.machines import make_tree, make_update

ISSUE = "Raspberry Pi reference 2025-11-24\nGenerated using pi-gen, https://github.com/RPi-Distro/pi-gen, abc, stage2\n"


def make_card(folder: Path) -> None:
    """Write the boot partition of a card that was just flashed, as far as `gunbai card` looks at it."""
    folder.mkdir(parents=True)
    for name in NEEDED:
        (folder / name).write_text("#cloud-config\n\n# commented only\n" if name == USER_DATA else "#\n")
    (folder / "issue.txt").write_text(ISSUE)


def main(folder: Path, kind: str) -> None:
    """Write one."""
    make_card(folder)
    wishes = Wishes()
    if kind == "whole":
        key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB0000000000000000000000000000000000000000000 me"
        wishes = Wishes("ana", "pt_BR", "br", "America/Sao_Paulo", key)
    with TemporaryDirectory() as scratch:
        update = Path(scratch) / "pi.update"
        make_update(make_tree(Path(scratch) / "tree"), update, RUNS_ON)
        prepare(folder, update, wishes)
    if kind == "wrong":
        path = folder / USER_DATA
        path.write_text(path.read_text().replace("timezone:", "timezon:"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
