"""The first start of a card: looks at its files, installs Gunbai, and says on the screen how that goes.

Run by the card's script from the unpacked update, as root: python -m companion.appliance.cards.first_start. Whatever is
printed is in the card's log. A start that was stopped by something its owner can mend forgets itself, so that the next
one begins anew. Exit status: 0 installed, 1 not.
"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.appliance import archive, machine
from companion.appliance.cards.faults import MOST_BYTES, faults_of, values_of
from companion.appliance.cards.texts import BOOT
from companion.appliance.cards.wishes import LOG, NETWORK, PACKAGES, UPDATE, USER_DATA
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.tree import entry_of
from companion.core.errors import ApplianceError
from companion.core.language import _, language_code, language_of, use_language
from intake.errors import Unreadable
from intake.files import read_text

TERMINAL = Path("/dev/tty1")
ROOT = Path(__file__).resolve().parents[3]
CLEAR = "\033c"
DEBS, INDEX = "var/tmp/gunbai-debs", "Packages"
Show = Callable[[str], None]


class Stop(Exception):
    """It can't go on; the message says why, line by line, and what its owner can do."""


@dataclass(frozen=True, slots=True)
class FirstStart:
    """A first start: the machine, its card's boot partition, the unpacked program, and how the screen is told."""

    host: Host
    boot: Path
    tree: Path
    show: Show

    def run(self) -> int:
        """Install; return the exit status."""
        use_language(language_of({"LANG": self._locale()}))
        self.show(_("Installing Gunbai: 10 to 30 minutes. Don't pull the plug."))
        try:
            self._check()
            self._set_radio()
            self._write_language()
            self._make_locale()
            self._fetch_packages()
            self._install()
        except (Stop, ApplianceError) as error:
            more = _("More in {name}, on the card.").format(name=LOG)
            self.show(f"{error}\n\n{more}")
            self.host.run("cloud-init", "clean")
            return 1
        (self.boot / UPDATE).unlink(missing_ok=True)
        shutil.rmtree(self.boot / PACKAGES, ignore_errors=True)
        return 0

    def _locale(self) -> str:
        return values_of(_lenient(self.boot / USER_DATA)).get("locale", (0, ""))[1]

    def _check(self) -> None:
        """Stop where the card is of another system, or a line of its files is wrong."""
        wanted, here = archive.head_beside(self.tree).manifest.runs_on, _system_here()
        if here not in wanted or machine.look(self.host.layout).desktop:
            raise Stop(_("This card isn't Raspberry Pi OS Lite (64-bit), version 13. Flash that and unzip again."))
        found = faults_of(self.boot, self.host)
        if found:
            mend = _("Correct it on a computer, put the card back and switch on again.")
            raise Stop("\n".join([*map(str, found), "", mend]))

    def _set_radio(self) -> None:
        """Let Wi-Fi be used where it is set up; Bluetooth never is."""
        self.host.run("rfkill", "block", "all")
        if any(line.strip() == "wifis:" for line in _lenient(self.boot / NETWORK).splitlines()):
            self.host.run("rfkill", "unblock", "wifi")
            self.host.run("nmcli", "radio", "wifi", "on")

    def _write_language(self) -> None:
        """Begin the owner's settings with the language; settings that are there stay."""
        path = self.host.layout.settings / "settings.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(f'language = "{language_code()}"\n', encoding="utf-8")

    def _make_locale(self) -> None:
        """Make the machine's locale where it isn't among those of Debian's list: cloud-init can't add to that."""
        locale, listed = self._locale(), self.host.layout.root / "etc/locale.gen"
        if not locale or f"\n{locale}" in f"\n{_lenient(listed)}" or locale.startswith("C."):
            return
        with listed.open("a", encoding="utf-8") as file:
            file.write(f"{locale} UTF-8\n")
        _log(self.host.run("locale-gen"))
        _log(self.host.run("update-locale", f"LANG={locale}"))

    # ---- packages of Debian -----------------------------------------------------------------------------------------

    def _fetch_packages(self) -> None:
        """Get what is missing from the card, else from the network; stop where neither has it."""
        facts = machine.look(self.host.layout)
        missing = machine.missing_packages(facts, self.host)
        if missing and any((self.boot / PACKAGES).glob("*.deb")):
            _log(self._from_card(missing))
            missing = machine.missing_packages(facts, self.host)
        if missing:
            _log(self.host.run("apt-get", "update"))
            _log(self.host.run("apt-get", "install", "-y", "--no-install-recommends", *missing))
            missing = machine.missing_packages(facts, self.host)
        if needed := [name for name in missing if name in machine.PACKAGES]:
            told = _("Debian packages are missing: {names}").format(names=" ".join(needed))
            mend = _("Plug in a network cable and switch on again.")
            raise Stop(f"{told}\n\n{mend}")

    def _from_card(self, missing: tuple[str, ...]) -> RunResult:
        """Install from the card alone: apt takes of it what this machine lacks, and leaves newer ones as they are."""
        debs = self.host.layout.root / DEBS
        shutil.rmtree(debs, ignore_errors=True)
        shutil.copytree(self.boot / PACKAGES, debs)
        try:
            stanzas = [self._stanza(deb) for deb in sorted(debs.glob("*.deb"))]
            (debs / INDEX).write_text("\n".join(stanzas), encoding="utf-8")
            (debs / "sources.list").write_text(f"deb [trusted=yes] file:{debs} ./\n", encoding="utf-8")
            lists = debs / "lists"
            (lists / "partial").mkdir(parents=True)
            alone = (
                f"Dir::Etc::SourceList={debs / 'sources.list'}",
                "Dir::Etc::SourceParts=-",
                f"Dir::State::Lists={lists}",
            )
            apt = ("apt-get", *(word for option in alone for word in ("-o", option)))
            ran = self.host.run(*apt, "update")
            if not ran.well:
                return ran
            install = (*apt, "install", "-y", "--no-install-recommends")
            ran = self.host.run(*install, *missing)
            if not ran.well:  # one that can't be had isn't to hold up the others
                for name in missing:
                    self.host.run(*install, name)
            return ran
        finally:
            shutil.rmtree(debs, ignore_errors=True)

    def _stanza(self, deb: Path) -> str:
        """Return what an index says of a package."""
        told = self.host.run("dpkg-deb", "--field", str(deb))
        if not told.well:
            raise Stop(_("{name} on the card is damaged: unzip again.").format(name=deb.name))
        entry = entry_of(deb.name, deb)
        return f"{told.output.strip()}\nFilename: ./{deb.name}\nSize: {entry.size}\nSHA256: {entry.sha256}\n"

    def _install(self) -> None:
        """Install as a person would; another machine than those it is made for may well do, and nobody can be asked."""
        ran = self.host.run(str(self.tree / "gunbai"), "install", "--yes", "--anyway")
        _log(ran)
        if not ran.well:
            raise Stop(_("Gunbai can't be installed: {why}").format(why=ran.last))


def _system_here() -> str:
    """Return this machine's processor and Python, as updates name them; a 32-bit Python says so."""
    bits = "" if sys.maxsize > 2**32 else "-32bit"
    return f"{platform.machine()}{bits} {sys.version_info.major}.{sys.version_info.minor}"


def _lenient(path: Path) -> str:
    """Return a text, or nothing where it can't be read: what is wrong with it is said by `faults_of`."""
    try:
        return read_text(path, MOST_BYTES)
    except (OSError, Unreadable):
        return ""


def _log(ran: RunResult) -> None:
    print(ran.output, flush=True)


def show_on(terminal: Path) -> Show:
    """Return what puts a text alone onto this terminal, and into the log; a machine without a screen has the log."""

    def show(text: str) -> None:
        print(text, flush=True)
        with suppress(OSError), terminal.open("w", encoding="utf-8") as screen:
            screen.write(f"{CLEAR}\n\n" + "".join(f"  {line}\n" for line in text.splitlines()))

    return show


def main() -> int:
    """Do it on this machine."""
    host = Host(Layout())
    host.run("chvt", "1")
    return FirstStart(host, Path(BOOT), ROOT, show_on(TERMINAL)).run()


if __name__ == "__main__":
    sys.exit(main())
