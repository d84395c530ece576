"""What is wrong in the files of a card that its owner may have changed, said so that they can mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.appliance.cards.texts import HEAD
from companion.appliance.cards.wishes import NETWORK, USER_DATA
from companion.appliance.host import Host
from companion.core.language import _
from intake.errors import Unreadable
from intake.files import read_file, read_text

MOST_BYTES, MOST_LIST_BYTES = 200_000, 2_000_000
SCHEMAS: Mapping[str, str] = {USER_DATA: "cloud-config", NETWORK: "network-config"}
ZONES, LAYOUTS, LOCALES = "usr/share/zoneinfo", "usr/share/X11/xkb/rules/base.lst", "usr/share/i18n/SUPPORTED"
MARK = b"\xef\xbb\xbf"  # that some editors put before UTF-8
_AT_LINE = re.compile(r"\bl(\d+)\.c\d+\b|\bline (\d+)\b")
_NAMED = re.compile(r"['\"]([\w.-]+)['\"]")
_VALUE = re.compile(r"^\s*([a-z]+)\s*:\s*(.*?)\s*(?:\s#.*)?$")


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault of a file; line counts from 1, 0: nobody knows which."""

    file: str
    line: int
    told: str

    def __str__(self) -> str:
        """Return it as a line for people."""
        if self.line:
            return _("{file}, line {n}: {told}").format(file=self.file, n=self.line, told=self.told)
        return f"{self.file}: {self.told}"


def faults_of(boot: Path, host: Host) -> list[FileFault]:
    """Return what is wrong with the card's files, the first fault of each."""
    found = []
    for name in SCHEMAS:
        fault = next(_look(boot / name, host), None)
        if fault is not None:
            found.append(fault)
    return found


def values_of(text: str) -> Mapping[str, tuple[int, str]]:
    """Return {key: (line, value)} of a file's plain lines, without quotation marks."""
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
    """Yield values that the machine doesn't know: it would go on without a word."""
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
    """Return the first words of a list's lines, or of one part of it; none where the machine has no such list."""
    try:
        text = read_text(path, MOST_LIST_BYTES)
    except (OSError, Unreadable):
        return set()
    chosen = text.partition(part)[2].partition("\n!")[0] if part else text
    return {line.split()[0] for line in chosen.splitlines() if line.strip()}


def _against_schema(path: Path, lines: list[str], host: Host) -> Iterator[FileFault]:
    """Yield what cloud-init itself has against a file."""
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
    """Return the first line with one of these words; 0 if there is none."""
    found = (number for number, line in enumerate(lines, 1) for word in words if word in line.partition("#")[0])
    return next(found, 0)
