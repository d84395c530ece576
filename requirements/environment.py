"""Makes the environment that the launcher runs in: a virtual environment with the locked packages in it.

Uses uv where it is on the path, else venv and pip. Packages are installed as their hashes in the lock file say, ready
built; nothing is compiled here. Root builds with nobody's settings (companion/appliance/rights.py), and tries the
packages without its rights. What a bare Debian lacks is installed by apt-get where this runs as root, else named
with the command that mends it. Standard library only, as it runs before anything is installed.
"""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree, which
from time import monotonic

from companion.appliance.rights import OFFLINE, is_root, tool_environment

MODULES = ("numpy", "cv2", "pygame", "platformdirs")
DEBIAN_OF_LIBRARY = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLESv2.so.2": "libgles2",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXrender.so.1": "libxrender1",
    "libasound.so.2": "libasound2",
    "libatomic.so.1": "libatomic1",
    "libdrm.so.2": "libdrm2",
    "libexpat.so.1": "libexpat1",
    "libgbm.so.1": "libgbm1",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgomp.so.1": "libgomp1",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libusb-1.0.so.0": "libusb-1.0-0",
    "libxcb.so.1": "libxcb1",
    "libz.so.1": "zlib1g",
}
WHEELS = "GUNBAI_WHEELS"  # names a folder that has the packages, so that no network is needed
AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "env")
NOT_STARTED = 126  # what env says where it may not start a program
NO_NETWORK = "no network: the set-up needs it once, to fetch the packages; connect and try again"
WRONG_HASH = "a fetched package is not the locked one (its sha256 differs), so nothing was installed"
NO_TRUST = "the package index's certificate is not trusted; is this machine's date right?"
FAULTS = (  # what pip or uv print, and what it means; the first that fits is told
    ("No space left on device", "the disk is full"),
    ("DO NOT MATCH THE HASHES", WRONG_HASH),
    ("Hash mismatch", WRONG_HASH),
    ("CERTIFICATE_VERIFY_FAILED", NO_TRUST),
    ("invalid peer certificate", NO_TRUST),
    ("NewConnectionError", NO_NETWORK),
    ("NameResolutionError", NO_NETWORK),
    ("Max retries exceeded", NO_NETWORK),
    ("Read timed out", NO_NETWORK),
    ("error sending request", NO_NETWORK),
    ("dns error", NO_NETWORK),
)


class SetupError(RuntimeError):
    """The set-up can't go on; the text is the one line to show."""


def say(text: str, end: str = "\n") -> None:
    """Tell the person at the terminal; standard output belongs to the program."""
    with contextlib.suppress(OSError, AttributeError):  # it is full, or was closed
        sys.stderr.write(text + end)
        sys.stderr.flush()


def run(*command: str | Path) -> tuple[int, str]:
    """Run a command and return its exit status and all that it printed."""
    offline = OFFLINE if os.environ.get(WHEELS) else {}
    environment = {**tool_environment(os.environ), **offline, "PIP_USER": "0", "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command,
        env=environment,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        close_fds=False,  # the child shares the set-up's lock, so that it outlives a killed parent
        check=False,
    )
    return done.returncode, done.stdout


def last_line(output: str) -> str:
    r"""Return the last line that says something.

    >>> last_line("Collecting numpy\nERROR: gone\n\n")
    'ERROR: gone'
    """
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"


def explain(output: str) -> str:
    """Turn what pip or uv printed when they failed into one line."""
    for sign, meaning in FAULTS:
        if sign in output:
            return meaning
    if "No matching distribution" in output or "no wheels" in output:
        machine = f"{os.uname().machine}, Python {sys.version_info[0]}.{sys.version_info[1]}"
        return f"a locked package has no ready-built file for this machine ({machine}): {last_line(output)}"
    return f"installing failed: {last_line(output)}"


@contextlib.contextmanager
def alone(venv: Path) -> Iterator[None]:
    """Hold the set-up's lock, after waiting for another set-up to end.

    An environment with no lock file beside it was made by somebody else, and is left alone: raises SetupError.
    """
    import fcntl

    path = venv.with_name(venv.name + ".lock")
    if venv.exists() and not path.exists():
        raise SetupError(f"{venv} wasn't made by this launcher; move it away and try again")
    if path.exists() and not path.is_file():
        raise SetupError(f"{path} isn't a plain file; move it away and try again")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("gunbai: another launch is setting up; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fill(venv: Path, lock: Path, anew: bool) -> None:
    """Make the environment (anew: in place of whatever an earlier try left) and install a lock file's packages."""
    begin_s = monotonic()
    uv = find_uv()
    anew = anew or not (uv or has_pip(venv))
    name = venv.name if venv.name == ".venv" else venv
    say(f"gunbai: first use: making {name} … " if anew else f"gunbai: {lock.name} is new here: ", end="")
    try:
        if anew:
            make_venv(venv, uv)
        say(f"installing {lock.read_text(encoding='utf-8').count('==')} packages … ", end="")
        install(venv, lock, uv)
        mend_libraries(venv)
    except SetupError:
        say("failed")
        raise
    say(f"ready ({monotonic() - begin_s:.0f} s)")


def find_uv() -> str | None:
    """Return uv's path where it is there and works."""
    uv = which("uv")
    return uv if uv and run(uv, "--version")[0] == 0 else None


def has_pip(venv: Path) -> bool:
    """Return whether the environment brings pip; one that uv made does not."""
    return run(venv / "bin" / "python", "-m", "pip", "--version")[0] == 0


def is_raspberry_pi() -> bool:
    """Return whether this is a Raspberry Pi, whose camera library comes with the system, not from an index."""
    try:
        return b"Raspberry Pi" in Path("/proc/device-tree/model").read_bytes()
    except OSError:
        return False


def make_venv(venv: Path, uv: str | None) -> None:
    """Make an empty environment; on a Raspberry Pi one that sees the system's packages, after its own."""
    if venv.exists():
        rmtree(venv)
    if uv is None and find_spec("ensurepip") is None:
        install_debian(["python3-venv"], "Python's venv is missing")
    maker = [uv, "venv", "--python", sys.executable] if uv else [sys.executable, "-m", "venv"]
    system = ["--system-site-packages"] if is_raspberry_pi() else []
    status, output = run(*maker, *system, venv)
    if status != 0:
        raise SetupError(f"the environment {venv} can't be made: {last_line(output)}")


def install(venv: Path, lock: Path, uv: str | None) -> None:
    """Install a lock file's packages, each file with one of the hashes written there; $GUNBAI_WHEELS has them all."""
    python = venv / "bin" / "python"
    tool: list[str | Path] = [python, "-m", "pip", "install", "--no-input", "--retries", "2"]
    if uv:
        tool = [uv, "pip", "install", "--python", python, "--compile-bytecode"]
    wheels = os.environ.get(WHEELS)
    source = ["--no-index", "--find-links", wheels] if wheels else []
    if wheels and not uv:
        tool.append("--isolated")
    status, output = run(*tool, *source, "--require-hashes", "--only-binary", ":all:", "-r", lock)
    if status != 0:
        raise SetupError(explain(output))


def missing_libraries(venv: Path) -> list[str]:
    """Return the shared libraries that the installed packages look for in vain."""
    missing = set()
    for module in MODULES:
        status, output = tried(venv, module)
        if status == 0:
            continue
        names = re.findall(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object", output)
        if not names:
            raise SetupError(f"{module} is installed and doesn't start: {last_line(output)}")
        missing.update(names)
    return sorted(missing)


def tried(venv: Path, module: str) -> tuple[int, str]:
    """Import a package to try it; root does so as nobody, unless only root can enter the folder."""
    command: list[str | Path] = [venv / "bin" / "python", "-c", f"import {module}"]
    if is_root() and which("setpriv"):
        status, output = run(*AS_NOBODY, *command)
        if status != NOT_STARTED:
            return status, output
    return run(*command)


def mend_libraries(venv: Path) -> None:
    """Make sure that the installed packages find their shared libraries, of which one missing may hide the next."""
    before: list[str] = []
    while missing := missing_libraries(venv):
        if missing == before:
            raise SetupError(f"still missing: {', '.join(missing)}")
        unknown = [name for name in missing if name not in DEBIAN_OF_LIBRARY]
        if unknown:
            raise SetupError(f"{unknown[0]} is missing; find its package with: apt-file search {unknown[0]}")
        install_debian(sorted({DEBIAN_OF_LIBRARY[name] for name in missing}), f"missing {', '.join(missing)}")
        before = missing


def install_debian(packages: list[str], why: str) -> None:
    """Install Debian packages where this runs as root; elsewhere raise SetupError with the command that does."""
    wanted = " ".join(packages)
    if which("apt-get") is None:
        raise SetupError(f"{why}; on Debian the package is {wanted}")
    if not is_root():
        raise SetupError(f"{why}; fix it with: sudo apt-get install {wanted}")
    say(f"({why}: apt-get install {wanted}) … ", end="")
    run("apt-get", "update")
    status, output = run("apt-get", "install", "-y", "--no-install-recommends", *packages)
    if status != 0:
        raise SetupError(f"{why}, and apt-get install {wanted} failed: {last_line(output)}")
