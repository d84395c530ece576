"""The unit files and what stands in them."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.programs import needs

ROOT = Path(__file__).resolve().parents[3]
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


TOOLS = {
    "id": 'cat "$ROOM/who"',
    "setsid": '[ "$1" = --wait ] && shift && exec "$@"',
    "setpriv": """
echo "$*" >>"$ROOM/lowered"
for word; do case "$word" in --reuid=*) echo "${word#--reuid=}" >"$ROOM/who" ;; esac; done
while [ "$1" != env ]; do shift; done
"$@"
status=$?
echo root >"$ROOM/who"
exit $status""",
    "test": '[ ! -e "$ROOM/shut" ]',
    "stat": '[ "$1" = -c ] && case "$4" in */own*) echo gunbai ;; *) echo root ;; esac || echo 1000',
}

PROGRAM = """
echo "$(cat "$ROOM/who"): ${GUNBAI_DATA-} ${HOME-} $*" >>"$ROOM/ran"
case "$*" in *--stdin* | "restore - "*) cat >>"$ROOM/ran" ;; "backup --to -") echo copy ;; esac
[ ! -e "$ROOM/fails" ]
"""


class Command:
    """The installed command in a room of its own: its tools note who is to be whom, and nobody really changes."""

    def __init__(self, room: Path) -> None:
        self.room, release = room, room / "current"
        (release / "systemd").mkdir(parents=True)
        (release / "systemd/gunbai.env").write_text((SYSTEMD / "gunbai.env").read_text())
        text = (SYSTEMD / "gunbai.sh").read_text().replace(CURRENT, str(release))
        self.script = room / "gunbai"
        self._program(self.script, re.sub("(?m)^standard=.*", f"standard={room}/tools:/usr/bin:/bin", text))
        self._program(release / "gunbai", "#!/bin/sh" + PROGRAM.replace("$ROOM", str(room)))
        for name, told in TOOLS.items():
            self._program(room / "tools" / name, f"#!/bin/sh\n{told}\n".replace("$ROOM", str(room)))

    @staticmethod
    def _program(path: Path, text: str) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def __call__(self, who: str, *words: str) -> int:
        """Run it as this user."""
        (self.room / "who").write_text(f"{who}\n")
        variables = {"PATH": f"{self.room}/tools:/usr/bin:/bin", "HOME": "/home/led", "PIP_LOG": "/led"}
        return subprocess.run(
            [self.script, *words], env=variables, cwd=self.room, check=False, input=b"given\n"
        ).returncode

    def told(self, name: str) -> list[str]:
        path = self.room / name
        return path.read_text().replace(str(self.room), "ROOM").splitlines() if path.exists() else []
