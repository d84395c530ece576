"""`gunbai install`, `update`, `uninstall`, `pack` and `card`: an appliance, another release, what brings either."""

import argparse
from pathlib import Path

from companion.commands.parsing import InputFile, OutputFile, OutputFolder
from companion.core.errors import ApplianceError, UsageError, blame_file
from companion.core.language import _, code_of, plural
from engine.words import mark
from intake.files import read_text


def _add_unsigned(parser: argparse.ArgumentParser) -> None:
    """Add the option shared by both commands that install a release."""
    parser.add_argument("--unsigned", action="store_true", help=_("accept it without the required signature"))


def _add_asking(parser: argparse.ArgumentParser) -> None:
    """Add the options shared by all commands that change the system."""
    parser.add_argument("--yes", action="store_true", help=_("don't ask"))
    parser.add_argument("--dry-run", action="store_true", help=_("only show what would be done"))
    parser.add_argument("--root", metavar="DIR", help=_("a mounted system instead of the running one"))
    parser.set_defaults(command=parser.prog.rpartition(" ")[2])


class Install:
    """The command `gunbai install`: installs this tree as an appliance that starts with the machine."""

    NAME = "install"
    HELP = mark("install this tree as an appliance that starts by itself (asks first; needs root)")
    DESCRIPTION = mark("""\
Installs Gunbai on a Raspberry Pi so that it starts with the machine: a copy of this tree with its own environment in
/opt/gunbai, its own user, and links to its units, rules and command. Shows everything first, and undoes it if a part
fails. Running it again repairs or renews an installation.

examples:
  sudo ./gunbai install
  ./gunbai install --dry-run               only show what would be done
  sudo ./gunbai install --yes --anyway     don't ask, and continue on other machines than a Raspberry Pi""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--yes] [--dry-run] [--anyway] [--no-start] [--unsigned] [--root DIR]."""
        _add_asking(parser)
        parser.add_argument("--anyway", action="store_true", help=_("continue on a machine that isn't a Raspberry Pi"))
        parser.add_argument("--no-start", action="store_true", help=_("start the app at the next boot, not now"))
        _add_unsigned(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Install the release; return 0, or 1 if the answer was no."""
        from companion.appliance import running

        return running.install(options)


class Update:
    """The command `gunbai update`: changes to another release from a file, or back to the previous one."""

    NAME = "update"
    HELP = mark("install the release in a file, without network, or go back (asks first; needs root)")
    DESCRIPTION = mark("""\
Installs a file made by `gunbai pack`, from a memory stick, say. The whole file is checked first; the new release is
unpacked beside the current one and plays a turn by itself; the saved games are copied; then it takes over. If it
doesn't start, the previous release is restored automatically.

examples:
  sudo gunbai update /media/stick/gunbai-0.3.0.update
  sudo gunbai update --back                the previous release
  sudo gunbai update --stick 0.3.0-0123456789""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add FILE [--older] [--unsigned] | --back | --stick RELEASE, [--yes] [--dry-run] [--root DIR]."""
        parser.add_argument("file", nargs="?", type=InputFile, metavar="FILE", help=_("the update"))
        _add_asking(parser)
        parser.add_argument("--back", action="store_true", help=_("go back to the previous release"))
        parser.add_argument("--older", action="store_true", help=_("accept an update older than the current release"))
        parser.add_argument(
            "--stick", metavar="RELEASE", help=_("find this release's file on a memory stick; must be signed")
        )
        _add_unsigned(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Change to the other release; return 0, or 1 if the answer was no or the change had to be undone."""
        from companion.appliance import running

        return running.update(options)


class Uninstall:
    """The command `gunbai uninstall`: removes the appliance, and the saved games only with --purge."""

    NAME = "uninstall"
    HELP = mark("remove the appliance; the saved games stay (asks first; needs root)")
    DESCRIPTION = mark("""\
Stops Gunbai and removes what `gunbai install` made: units, rules, the command, /opt/gunbai and its user. The saved
games in /var/lib/gunbai, their copies and /etc/gunbai stay, unless --purge is given. Debian packages always stay.

examples:
  sudo gunbai uninstall
  sudo gunbai uninstall --purge            saved games too; one last copy stays in /var/backups/gunbai""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--purge] [--yes] [--dry-run] [--root DIR]."""
        _add_asking(parser)
        parser.add_argument("--purge", action="store_true", help=_("remove saved games, copies and settings too"))

    def run(self, options: argparse.Namespace) -> int:
        """Uninstall the appliance; return 0, or 1 if the answer was no or nothing is installed."""
        from companion.appliance import running

        return running.uninstall(options)


def read_public_key(path: str | None) -> str:
    """Read a public key from its file; "" if the path is None. ApplianceError if the file can't be read."""
    if path is None:
        return ""
    with blame_file(path, ApplianceError):
        return read_text(Path(path), 20_000).strip()


class Pack:
    """The command `gunbai pack`: packs this tree and its packages into one file, for machines without network."""

    NAME = "pack"
    HELP = mark("pack this tree and its packages into one file, for an update without network")
    DESCRIPTION = mark("""\
Writes one file with the committed program and every package it needs, each with its check value, for `gunbai update`
on a machine without network. Packing needs the network, to download the packages.

examples:
  gunbai pack -o gunbai-0.3.0.update
  gunbai pack -o small.update --for "aarch64 3.13"       for Raspberry Pi OS 13 only
  gunbai pack -o signed.update --sign ~/.ssh/id_ed25519  see docs/appliance.md, Signed updates""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add -o FILE [--for "PROCESSOR PYTHON"]... [--sign KEY]."""
        parser.add_argument(
            "-o", "--output", type=OutputFile, metavar="FILE", required=True, help=_("the file to write")
        )
        parser.add_argument(
            "--for",
            dest="runs_on",
            action="append",
            metavar='"PROCESSOR PYTHON"',
            help=_("where it will run; may be repeated (default: aarch64 and x86_64, Python 3.11 and 3.13)"),
        )
        parser.add_argument("--sign", type=InputFile, metavar="KEY", help=_("sign it with this private OpenSSH key"))

    def run(self, options: argparse.Namespace) -> int:
        """Write the update, print what it holds, and return 0."""
        from companion.appliance.host import Host
        from companion.appliance.layout import Layout
        from companion.appliance.packing import RUNS_ON, pack
        from companion.appliance.running import ROOT

        key = Path(options.sign) if options.sign else None
        packed = pack(ROOT, Path(options.output), options.runs_on or RUNS_ON, Host(Layout()), key)
        facts = {"place": options.output, "release": packed.release, "size": packed.size // 1_000_000}
        told = plural(
            "{place}: Gunbai {release}, {n} package, {size} MB",
            "{place}: Gunbai {release}, {n} packages, {size} MB",
            packed.packages,
            **facts,
        )
        print(told)
        return 0


class Card:
    """The command `gunbai card`: makes a freshly flashed card install Gunbai at its first start."""

    NAME = "card"
    HELP = mark("make a freshly flashed card install Gunbai at its first start")
    DESCRIPTION = mark("""\
Puts an update and cloud-init's settings onto the boot partition of a card that Raspberry Pi Imager has just flashed
with Raspberry Pi OS 13 Lite (without customising it). The Pi's first start then installs Gunbai, with no keyboard and
no Wi-Fi, and ends on the table. Debian packages that Lite lacks are downloaded if a network cable is plugged in;
without one, give them with --packages. If it goes wrong, the screen and the card's gunbai-first-start.log say why.

With --zip all of it becomes one archive, which anybody unpacks onto such a card, on any computer.

examples:
  gunbai pack -o pi.update --for "aarch64 3.13"
  gunbai card --zip gunbai-card.zip pi.update --packages debs
  gunbai card /media/ana/bootfs pi.update --language pt_BR --keyboard br --timezone America/Sao_Paulo
  gunbai card /media/ana/bootfs pi.update --ssh-key ~/.ssh/id_ed25519.pub --signer release.pub""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add CARD or --zip FILE, UPDATE, [--user NAME] [--language CODE] and the other options of a card.

        The others: [--keyboard LAYOUT] [--timezone ZONE] [--ssh-key FILE] [--signer FILE] [--packages DIR].
        """
        parser.add_argument(
            "card", type=OutputFolder, nargs="?", metavar="CARD", help=_("where the card's boot partition is mounted")
        )
        parser.add_argument("update", type=InputFile, metavar="UPDATE", help=_("a file made by `gunbai pack`"))
        parser.add_argument(
            "--zip", type=OutputFile, metavar="FILE", help=_("an archive to unpack onto a card, not a card")
        )
        parser.add_argument(
            "--user", default="owner", metavar="NAME", help=_("the user for logging in (default: owner)")
        )
        parser.add_argument("--language", default="en", metavar="CODE", help=_("en or pt_BR"))
        parser.add_argument("--keyboard", default="us", metavar="LAYOUT", help=_("the layout, such as us, gb, br"))
        parser.add_argument("--timezone", default="Etc/UTC", metavar="ZONE", help=_("such as America/Sao_Paulo"))
        parser.add_argument(
            "--ssh-key", type=InputFile, metavar="FILE", help=_("a public key that may log in; without it nobody can")
        )
        parser.add_argument(
            "--signer", type=InputFile, metavar="FILE", help=_("a public key whose signed updates the machine accepts")
        )
        parser.add_argument(
            "--packages", type=InputFile, metavar="DIR", help=_("Debian packages (.deb, arm64) to install first")
        )

    def run(self, options: argparse.Namespace) -> int:
        """Prepare the card or the archive, and return 0."""
        from companion.appliance.cards.preparing import make_zip, prepare
        from companion.appliance.cards.wishes import Wishes
        from companion.core.printable import progress

        if (options.card is None) == (options.zip is None):
            raise UsageError("expected either CARD, a card's boot partition, or --zip FILE")
        wishes = Wishes(
            user=options.user,
            language=code_of(options.language) or options.language,
            keyboard=options.keyboard,
            timezone=options.timezone,
            ssh_key=read_public_key(options.ssh_key),
            signer=read_public_key(options.signer),
            packages=None if options.packages is None else Path(options.packages),
        )
        place = options.card or options.zip
        with progress(place):
            make = prepare if options.card else make_zip
            made = make(Path(place), Path(options.update), wishes)
        facts = {"place": place, "release": made.release, "size": made.size // 1_000_000}
        if options.zip:
            told = plural(
                "{place}: Gunbai {release}, {n} package, {size} MB. Unzip it onto a flashed card.",
                "{place}: Gunbai {release}, {n} packages, {size} MB. Unzip it onto a flashed card.",
                made.packages,
                **facts,
            )
        else:
            told = plural(
                "{place}: Gunbai {release}, {n} package, {size} MB. Unmount it and start the Pi.",
                "{place}: Gunbai {release}, {n} packages, {size} MB. Unmount it and start the Pi.",
                made.packages,
                **facts,
            )
        print(told)
        return 0
