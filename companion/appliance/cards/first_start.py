"""The first start of a card: looks at its files, installs Gunbai, and says on the screen how that goes.

Run by the card's script from the unpacked update, as root: python -m companion.appliance.cards.first_start. Whatever is
printed is in the card's log. A start that was stopped by something its owner can mend forgets itself, so that the next
one begins anew. Exit status: 0 installed, 1 not.
"""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.appliance import archive, machine
from companion.appliance.cards.wishes import BOOT, HEAD, LOG, NETWORK, PACKAGES, UPDATE, USER_DATA
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.tree import entry_of
from companion.core.errors import ApplianceError
from companion.core.language import _, language_code, language_of, use_language
from intake.errors import Unreadable
from intake.files import read_file, read_text

TERMINAL = Path("/dev/tty1")
ROOT = Path(__file__).resolve().parents[3]
CLEAR = "\033c"
DEBS, INDEX = "var/tmp/gunbai-debs", "Packages"
Show = Callable[[str], None]
MOST_BYTES, MOST_LIST_BYTES = 200_000, 2_000_000
SCHEMAS: Mapping[str, str] = {USER_DATA: "cloud-config", NETWORK: "network-config"}
ZONES, LAYOUTS, LOCALES = "usr/share/zoneinfo", "usr/share/X11/xkb/rules/base.lst", "usr/share/i18n/SUPPORTED"
MARK = b"\xef\xbb\xbf"  # a BOM, which some editors put before UTF-8
_AT_LINE = re.compile(r"\bl(\d+)\.c\d+\b|\bline (\d+)\b")
_NAMED = re.compile(r"['\"]([\w.-]+)['\"]")
_VALUE = re.compile(r"^\s*([a-z]+)\s*:\s*(.*?)\s*(?:\s#.*)?$")


class Stop(Exception):
    """A reason why the first start can't go on; the message gives it, and says what the owner can do."""


@dataclass(frozen=True, slots=True)
class FirstStart:
    """A first start of this machine.

    boot: the card's boot partition; tree: the unpacked program; show: puts a text on the screen.
    """

    host: Host
    boot: Path
    tree: Path
    show: Show

    def run(self) -> int:
        """Check the card and install Gunbai; return the exit status: 1 after showing why it can't be installed."""
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
        """Raise Stop if the card has another system, or there is a fault in its files."""
        wanted, here = archive.head_beside(self.tree).manifest.runs_on, _system_here()
        if here not in wanted or machine.look(self.host.layout).desktop:
            raise Stop(_("This card isn't Raspberry Pi OS Lite (64-bit), version 13. Flash that and unzip again."))
        found = faults_of(self.boot, self.host)
        if found:
            mend = _("Correct it on a computer, put the card back and switch on again.")
            raise Stop("\n".join([*map(str, found), "", mend]))

    def _set_radio(self) -> None:
        """Block all radio, then unblock Wi-Fi if the card configures it."""
        self.host.run("rfkill", "block", "all")
        if any(line.strip() == "wifis:" for line in _lenient(self.boot / NETWORK).splitlines()):
            self.host.run("rfkill", "unblock", "wifi")
            self.host.run("nmcli", "radio", "wifi", "on")

    def _write_language(self) -> None:
        """Write the language into a new settings file; leave one that exists."""
        path = self.host.layout.settings / "settings.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(f'language = "{language_code()}"\n', encoding="utf-8")

    def _make_locale(self) -> None:
        """Generate the wanted locale if Debian's list lacks it, as cloud-init can't do that."""
        locale, listed = self._locale(), self.host.layout.root / "etc/locale.gen"
        if not locale or f"\n{locale}" in f"\n{_lenient(listed)}" or locale.startswith("C."):
            return
        with listed.open("a", encoding="utf-8") as file:
            file.write(f"{locale} UTF-8\n")
        _log(self.host.run("locale-gen"))
        _log(self.host.run("update-locale", f"LANG={locale}"))

    # ---- packages of Debian -----------------------------------------------------------------------------------------

    def _fetch_packages(self) -> None:
        """Install missing packages from the card, else from the network; raise Stop if one is still needed."""
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
        """Install the missing packages from the card alone, with apt; installed packages that are newer stay."""
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
            if not ran.well:  # one that isn't available must not hold up the others
                for name in missing:
                    self.host.run(*install, name)
            return ran
        finally:
            shutil.rmtree(debs, ignore_errors=True)

    def _stanza(self, deb: Path) -> str:
        """Return a package's entry for apt's index; raise Stop if the package is damaged."""
        told = self.host.run("dpkg-deb", "--field", str(deb))
        if not told.well:
            raise Stop(_("{name} on the card is damaged: unzip again.").format(name=deb.name))
        entry = entry_of(deb.name, deb)
        return f"{told.output.strip()}\nFilename: ./{deb.name}\nSize: {entry.size}\nSHA256: {entry.sha256}\n"

    def _install(self) -> None:
        """Run `gunbai install` without questions, on any machine; raise Stop if it fails."""
        ran = self.host.run(str(self.tree / "gunbai"), "install", "--yes", "--anyway")
        _log(ran)
        if not ran.well:
            raise Stop(_("Gunbai can't be installed: {why}").format(why=ran.last))


def _system_here() -> str:
    """Return this machine's processor and Python, as updates name them; a 32-bit Python says so."""
    bits = "" if sys.maxsize > 2**32 else "-32bit"
    return f"{platform.machine()}{bits} {sys.version_info.major}.{sys.version_info.minor}"


def _lenient(path: Path) -> str:
    """Return a file's text, "" if it is unreadable (`faults_of` tells why)."""
    try:
        return read_text(path, MOST_BYTES)
    except (OSError, Unreadable):
        return ""


def _log(ran: RunResult) -> None:
    print(ran.output, flush=True)


def show_on(terminal: Path) -> Show:
    """Return a function that clears this terminal and writes a text on it, and prints the text for the log."""

    def show(text: str) -> None:
        print(text, flush=True)
        with suppress(OSError), terminal.open("w", encoding="utf-8") as screen:
            screen.write(f"{CLEAR}\n\n" + "".join(f"  {line}\n" for line in text.splitlines()))

    return show


# ---- what is wrong in the files that the owner may have changed, said so that they can mend it --------------------


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault in one of the card's files. line: from 1, 0 if unknown; told: the fault in words."""

    file: str
    line: int
    told: str

    def __str__(self) -> str:
        """Return a line that names file, line and fault."""
        if self.line:
            return _("{file}, line {n}: {told}").format(file=self.file, n=self.line, told=self.told)
        return f"{self.file}: {self.told}"


def faults_of(boot: Path, host: Host) -> list[FileFault]:
    """Check the card's user-data and network-config, and return the first fault of each."""
    found = []
    for name in SCHEMAS:
        fault = next(_look(boot / name, host), None)
        if fault is not None:
            found.append(fault)
    return found


def values_of(text: str) -> Mapping[str, tuple[int, str]]:
    """Return {key: (line number, value)} of a file's `key: value` lines, the values without quotation marks."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        matched = _VALUE.match(line)
        if matched and matched[2]:
            found[matched[1]] = (number, matched[2].strip("'\""))
    return found


def _look(path: Path, host: Host) -> Iterator[FileFault]:
    name = path.name
    try:
        data = read_file(path, MOST_BYTES)
        text = data.decode()
    except FileNotFoundError:
        yield FileFault(name, 0, _("it is missing on the card"))
        return
    except (OSError, Unreadable, UnicodeDecodeError):
        yield FileFault(name, 0, _("it isn't plain text: save it as UTF-8"))
        return
    if data.startswith(MARK):
        yield FileFault(name, 1, _("an invisible mark stands before it: save it as UTF-8 without BOM"))
        return
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.replace("\t", "").isprintable():
            yield FileFault(name, number, _("it isn't plain text: save it as UTF-8"))
    if name == USER_DATA and lines[:1] != [HEAD]:
        yield FileFault(name, 1, _("it has to be {text}").format(text=HEAD))
    for number, line in enumerate(lines, 1):
        if "\t" in line.partition("#")[0]:
            yield FileFault(name, number, _("there is a tab: use spaces"))
    if name == USER_DATA:
        yield from _unknown_values(text, host.layout.root)
    yield from _against_schema(path, lines, host)


def _unknown_values(text: str, root: Path) -> Iterator[FileFault]:
    """Yield faults for values the machine doesn't know, which cloud-init would ignore silently."""
    values = values_of(text)
    line, zone = values.get("timezone", (0, ""))
    if zone and (root / ZONES).is_dir() and (".." in zone or not (root / ZONES / zone.strip("/")).is_file()):
        yield FileFault(USER_DATA, line, _("there is no time zone {name}").format(name=zone))
    line, layout = values.get("layout", (0, ""))
    if layout and layout not in (_listed(root / LAYOUTS, "! layout") or {layout}):
        yield FileFault(USER_DATA, line, _("there is no keyboard {name}").format(name=layout))
    line, locale = values.get("locale", (0, ""))
    if locale and locale not in (_listed(root / LOCALES) or {locale}):
        yield FileFault(USER_DATA, line, _("there is no language {name}").format(name=locale))


def _listed(path: Path, part: str = "") -> set[str]:
    """Return the first word of each line in a list, or in one part of it; empty if the file can't be read."""
    try:
        text = read_text(path, MOST_LIST_BYTES)
    except (OSError, Unreadable):
        return set()
    chosen = text.partition(part)[2].partition("\n!")[0] if part else text
    return {line.split()[0] for line in chosen.splitlines() if line.strip()}


def _against_schema(path: Path, lines: list[str], host: Host) -> Iterator[FileFault]:
    """Yield the fault that `cloud-init schema` finds in a file, if any."""
    ran = host.run("cloud-init", "schema", "--schema-type", SCHEMAS[path.name], "--config-file", str(path))
    if ran.well or ran.status == 127:
        return
    told = " ".join(ran.output.split())
    at = _AT_LINE.search(told)
    if at:
        number = int(at[1] or at[2])
        form = _("this line or the one before can't be understood: {text}")
    else:
        number = _line_with(_NAMED.findall(told), lines)
        form = _("this can't be understood: {text}")
    said = lines[number - 1].strip() if 0 < number <= len(lines) else told.rpartition("errors: ")[2]
    yield FileFault(path.name, number, form.format(text=said))


def _line_with(words: list[str], lines: list[str]) -> int:
    """Return the number of the first line with one of these words; 0 if there is none."""
    found = (number for number, line in enumerate(lines, 1) for word in words if word in line.partition("#")[0])
    return next(found, 0)


def main() -> int:
    """Run the first start on this machine; return its exit status."""
    host = Host(Layout())
    host.run("chvt", "1")
    return FirstStart(host, Path(BOOT), ROOT, show_on(TERMINAL)).run()


if __name__ == "__main__":
    sys.exit(main())
