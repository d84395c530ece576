"""Root and its programs: nobody else's home, settings or packages have a say in what they do."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from companion.appliance import layout, releases, rights
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.core.errors import ApplianceError
from requirements import environment
from tests.companion.appliance.machines import Rehearsed, install, make_tree, works

ROOT = Path(__file__).resolve().parents[3]
ALLOWED = {"PATH", "HOME", "LANG", "LC_ALL", "TERM", *rights.WAYS, *rights.PLAIN_PYTHON, "UV_NO_CONFIG"}
GIVEN = "print(open('/proc/self/environ').read().replace(chr(0), chr(10)))"
BECOME = """
import os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
terminal = open("/proc/self/stat").read().rpartition(")")[2].split()[4]
print(*os.getresuid(), status["NoNewPrivs"], terminal)
"""
"""A program that tells its users, whether it may become another again, and the number of its terminal."""


@pytest.fixture
def led(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Root's variables lead into a stranger's home, which has something for every tool."""
    home = tmp_path / "stranger"
    (home / "packages").mkdir(parents=True)
    for name in ("usercustomize.py", "sitecustomize.py", "json.py", "hashlib.py", "subprocess.py"):
        (home / "packages" / name).write_text(f"open({str(tmp_path / 'led')!r}, 'w')\n")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = home / ".local/lib" / version
    own.mkdir(parents=True)
    (own / "site-packages").symlink_to(home / "packages")
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"):
        monkeypatch.setenv(variable, str(home))
    for variable in ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONSTARTUP"):
        monkeypatch.setenv(variable, str(home / "packages"))
    for variable in ("PIP_LOG", "PIP_CONFIG_FILE", "PIP_TARGET", "UV_CONFIG_FILE", "UV_CACHE_DIR", "NETRC"):
        monkeypatch.setenv(variable, str(home / "pip.conf"))
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    monkeypatch.setenv("LC_TIME", "../../stranger")
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    return home


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def variables_in(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


# ---- what root's programs are handed ----------------------------------------------------------------------------


@pytest.mark.usefixtures("led", "as_root")
def test_an_installation_starts_programs_with_a_few_variables_alone() -> None:
    ran = Host(Layout()).run(sys.executable, "-c", GIVEN, extra={"GIVEN": "1"})
    seen = variables_in(ran.output)
    assert seen.pop("GIVEN") == "1"
    assert seen.keys() <= ALLOWED | {"DEBIAN_FRONTEND"}
    assert (seen["PATH"], seen["HOME"], seen["LANG"]) == (rights.PATH, "/root", "pt_BR.UTF-8")
    assert "LC_TIME" not in seen
    assert seen["https_proxy"] == "http://proxy:3128"


@pytest.mark.usefixtures("led", "as_root")
def test_a_set_up_does_too(monkeypatch: pytest.MonkeyPatch) -> None:
    _status, output = environment.run(sys.executable, "-c", GIVEN)
    assert variables_in(output).keys() <= ALLOWED | {"DEBIAN_FRONTEND", "PIP_USER"}
    monkeypatch.setenv(environment.WHEELS, "/wheels")
    _status, output = environment.run(sys.executable, "-c", GIVEN)
    assert variables_in(output)["PIP_CONFIG_FILE"] == os.devnull


@pytest.mark.usefixtures("as_root")
def test_no_python_of_root_s_imports_what_a_stranger_has_laid_out(
    led: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by a variable, nor from a home, nor from the folder that one happens to be in."""
    monkeypatch.chdir(led / "packages")
    words = (sys.executable, "-m", "json.tool", "--help")
    assert Host(Layout()).run(*words).well
    assert environment.run(*words)[0] == 0
    assert not (tmp_path / "led").exists()


@pytest.mark.parametrize("command", ["install", "pack"])
def test_the_launcher_heeds_no_variable_either(led: Path, tmp_path: Path, command: str) -> None:
    variables = {**os.environ, "HOME": str(led)}
    del variables["PYTHONHOME"]
    done = subprocess.run([ROOT / "gunbai", command, "--help"], env=variables, cwd=led / "packages", check=False)
    assert done.returncode == 0
    assert not (tmp_path / "led").exists()


def test_other_users_keep_what_is_theirs(led: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    seen = rights.tool_environment(os.environ)
    assert seen["PIP_LOG"] == str(led / "pip.conf")
    assert "PYTHONPATH" not in seen


def test_a_user_without_a_name_is_at_home_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 123_456)
    assert rights.app_environment({"HOME": "/nowhere", "XDG_DATA_HOME": "/usr"}) == {
        "HOME": "/nowhere",
        "XDG_DATA_HOME": "/usr",
    }
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert rights.app_environment({"HOME": "/root"}) == {"HOME": "/"}


@pytest.mark.parametrize(
    ("mode", "of_another", "leads"),
    [(0o755, False, False), (0o755, True, True), (0o777, False, True), (0o1777, False, True)],
)
def test_variables_that_lead_into_another_s_folder_lead_nowhere(
    tmp_path: Path, mode: int, of_another: bool, leads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or where anybody may put something; whatever is not a folder's name stays."""
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(mode)
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        about = real(path)
        owner = 990 if of_another and path == folder else os.geteuid()
        return os.stat_result((*about[:4], owner, *about[5:10]))

    monkeypatch.setattr(Path, "lstat", lstat)
    given = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(folder / "not" / "there"), "SDL_VIDEODRIVER": "dummy"}
    seen = rights.app_environment(given)
    assert seen["SDL_VIDEODRIVER"] == "dummy"
    assert ("XDG_CONFIG_HOME" not in seen) == leads
    assert (seen["HOME"] != str(tmp_path)) == leads


# ---- the launcher as root ---------------------------------------------------------------------------------------


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Whose folder root became the owner of."""
    folders: list[Path] = []
    monkeypatch.setattr(rights, "become_owner", folders.append)
    return folders


@pytest.mark.usefixtures("as_root")
def test_root_becomes_the_owner_of_the_games(
    launcher: ModuleType,
    led: Path,
    became: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    launcher.handed_on(["backup"])
    monkeypatch.setenv("GUNBAI_DATA", "/var/lib/gunbai")
    launcher.handed_on(["restore", "x"])
    launcher.handed_on([])
    assert became == [led / "gunbai", Path("/var/lib/gunbai"), Path("/var/lib/gunbai")]
    launcher.handed_on(["test"])
    launcher.handed_on(["update", "x"])
    assert len(became) == 3


@pytest.mark.usefixtures("led", "as_root", "became")
def test_what_installs_and_updates_is_handed_a_few_variables(
    launcher: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GUNBAI_WHEELS", "/wheels")
    for command in launcher.ALONE:
        assert launcher.handed_on([command]).keys() <= ALLOWED | {"GUNBAI_WHEELS", "GUNBAI_DATA"}


@pytest.mark.usefixtures("as_root", "became")
def test_root_s_own_home_stays(launcher: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rights, "_can_another_write", lambda _path: False)
    assert launcher.handed_on(["demo"]) == dict(os.environ)


def test_a_set_up_may_be_all_that_is_asked_for(
    launcher: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(launcher, "is_ready", lambda _venv, _name: True)
    monkeypatch.setattr(os, "execve", lambda *_words: pytest.fail("the program is started"))
    monkeypatch.setenv(launcher.SET_UP_ONLY, "1")
    assert launcher.main(["--version"]) == 0


# ---- the environment of a release, and its trial ------------------------------------------------------------------


class Tries:
    """Commands of a set-up, noted instead of run; the first one gets this answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, first: tuple[int, str] = (0, "")) -> None:
        self.words: list[tuple[object, ...]] = []
        self._first = first
        monkeypatch.setattr(environment, "run", self._run)

    def _run(self, *words: object) -> tuple[int, str]:
        self.words.append(words)
        return self._first if len(self.words) == 1 else (0, "")


def test_packages_of_an_update_are_installed_from_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = Tries(monkeypatch)
    monkeypatch.setenv(environment.WHEELS, "/wheels")
    environment.install(tmp_path, tmp_path / "run.txt", None)
    wanted = "--isolated --no-index --find-links /wheels --require-hashes --only-binary :all:"
    assert wanted in " ".join(map(str, ran.words[0]))


@pytest.mark.parametrize(("answer", "tries"), [((0, ""), 1), ((126, "env: Permission denied"), 2)])
@pytest.mark.usefixtures("as_root")
def test_root_tries_packages_as_nobody(
    answer: tuple[int, str], tries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where nobody can enter the folder does root do it."""
    ran = Tries(monkeypatch, answer)
    monkeypatch.setattr(environment, "which", lambda name: f"/usr/bin/{name}")
    assert environment.tried(tmp_path, "numpy") == (0, "")
    assert ran.words[0][: len(environment.AS_NOBODY)] == environment.AS_NOBODY
    assert len(ran.words) == tries
    assert ran.words[-1][-1] == "import numpy"


def test_the_set_up_of_a_release_starts_nothing_of_it(
    host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extras: list[dict[str, str]] = []
    run = host.run

    def watched(*words: str, **more: object) -> RunResult:
        if words[-1] == "--version":
            extras.append(more["extra"])  # type: ignore[arg-type]
        return run(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(host, "run", watched)
    (tree.parent / "wheels").mkdir()
    (tree.parent / "manifest.json").write_text("{}")
    install(host)
    (extra,) = extras
    assert extra["GUNBAI_SET_UP_ONLY"] == "1"
    assert (extra["PIP_CONFIG_FILE"], extra["PIP_NO_INDEX"]) == (os.devnull, "1")
    assert any("python -S -m compileall" in ran for ran in host.ran)


def test_the_trial_turn_is_played_by_gunbai_in_a_folder_of_its_own(host: Rehearsed, tree: Path) -> None:
    install(host)
    made, given, played = (
        next(number for number, ran in enumerate(host.ran) if sign in ran)
        for sign in ("systemd-sysusers", f"chown {layout.USER} /", "demo --headless")
    )
    assert made < given < played
    assert host.ran[played].startswith(
        f"setsid --wait setpriv --reuid={layout.USER} --regid={layout.USER} --init-groups"
    )
    assert not Path(host.ran[given].split()[-1]).exists()


def test_in_a_mounted_tree_nobody_plays_it(elsewhere: Rehearsed, tree: Path) -> None:
    install(elsewhere, "--root", str(elsewhere.layout.root), "--anyway")
    assert elsewhere.asked(f"--reuid={layout.NOBODY}")


def test_whoever_is_not_root_plays_it_as_themselves(host: Rehearsed, tmp_path: Path) -> None:
    host.root = False
    releases.try_out(host, tmp_path)
    assert host.ran == [f"{tmp_path}/gunbai demo --headless --turns 1"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another")
def test_root_really_becomes_the_user_for_good() -> None:
    told = Host(Layout()).run_as(layout.NOBODY, sys.executable, "-c", BECOME)
    no_more, no_terminal = "1", "0"
    assert told.output.split() == [layout.NOBODY] * 3 + [no_more, no_terminal]


def test_a_user_that_was_not_there_goes_where_the_installation_fails(host: Rehearsed, tree: Path) -> None:
    host.answers |= {"getent passwd": RunResult(2, ""), "demo --headless": RunResult(1, "no")}
    host.layout.state.mkdir(parents=True)
    with pytest.raises(ApplianceError, match="doesn't run"):
        install(host)
    assert host.asked("userdel gunbai")
    assert not host.layout.state.exists()


def test_one_that_was_there_stays(host: Rehearsed, tree: Path) -> None:
    install(host)
    old = works(host.layout)
    make_tree(tree, "1.1.0")
    host.answers["demo --headless"] = RunResult(1, "no")
    with pytest.raises(ApplianceError, match="doesn't run"):
        install(host)
    assert works(host.layout) == old
    assert not host.asked("userdel")


# ---- who starts programs ----------------------------------------------------------------------------------------

STARTERS = {
    "gunbai": "the launcher becomes the program",
    "requirements/environment.py": "root's set-up: rights.tool_environment",
    "companion/appliance/host.py": "root's installation: rights.tool_environment",
    "companion/perception/camera_process.py": "the app",
    "companion/thinking/thought.py": "the app",
    "companion/grounds/store.py": "the app",
    "companion/checks/check_result.py": "the health check, which root has gunbai do",
    "companion/drill/player.py": "a drill, by hand",
    "companion/app/failure_screen.py": "the fallen screen",
    "companion/core/power.py": "the app",
    "companion/core/speech.py": "the app, and the health check, which root has gunbai do",
    "vision/live/pi_camera.py": "the app",
    "vision/live/rpicam.py": "the app",
    "vision/live/with_opener.py": "the app",
}
MODULES = {"subprocess", "pty", "multiprocessing", "asyncio"}
CALLS = ("exec", "spawn", "posix_spawn", "system", "popen", "fork", "startfile")


STARTING = re.compile("|".join((*sorted(MODULES), *CALLS)))
"""Without one of these words, a module starts nothing."""


def starts_in(source: str) -> Iterator[str]:
    """Whatever in a module may start a program."""
    if not STARTING.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr.startswith(CALLS):
            yield from [f"os.{node.attr}"] if node.value.id == "os" else []


@pytest.mark.parametrize("source", ["import subprocess", "from multiprocessing import pool", "import os\nos.execve()"])
def test_a_starter_is_seen(source: str) -> None:
    assert list(starts_in(source))


def test_these_start_programs_and_no_others() -> None:
    rooms = ("intake", "engine", "vision", "hardware", "companion", "requirements")
    files = [ROOT / "gunbai", *(path for room in rooms for path in sorted((ROOT / room).rglob("*.py")))]
    found = {str(path.relative_to(ROOT)) for path in files if any(starts_in(path.read_text()))}
    assert found == STARTERS.keys()
