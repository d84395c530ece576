"""The unit files and what stands in them."""

import shutil
from pathlib import Path

from tests.programs import needs

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
SCRIPTS = [
    path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / ".ci").rglob("*"))
    if path.is_file() and path.suffix in ("", ".sh")
]
UNITS = sorted((SYSTEMD / "units").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]
STICK, UPDATE = "gunbai-stick@.service", "gunbai-update@.service"
OF_ROOT = {STICK: set[str](), UPDATE: {"SETUID", "SETGID", "CHOWN", "DAC_OVERRIDE", "FOWNER"}}
"""The units that run as root, with what they keep of root's capabilities."""

CURRENT = "/opt/gunbai/current"
MOST_EXPOSURE = 20  # tenths
Sections = dict[str, dict[str, list[str]]]

analyze = shutil.which("systemd-analyze")
needs_systemd = needs("systemd-analyze")
PI_WATCHDOG_S = 15  # bcm2835_wdt counts to 15.99 s


def read(path: Path) -> Sections:
    """{section: {key: [value, ...]}} of a unit."""
    found: Sections = {}
    section = ""
    for line in path.read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            found[section] = {}
        elif line and not line.startswith(("#", ";")):
            key, equals, value = line.partition("=")
            assert equals, f"{path.name}: {line}"
            found[section].setdefault(key, []).append(value)
    return found


def environment() -> dict[str, str]:
    lines = [line for line in (SYSTEMD / "gunbai.env").read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def one(path: Path, key: str, section: str = "Service") -> str:
    """Return the only value of a key."""
    values = read(path)[section].get(key, [])
    assert len(values) == 1, f"{path.name}: {key}={values}"
    return values[0]


def unit(name: str) -> Path:
    return SYSTEMD / "units" / name
