"""What is installed: locks in step with pyproject.toml; the wheel with every command, a manual page and completions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from unittest import mock

import pytest
from hatchling.builders.wheel import WheelBuilder

from companion import __version__
from companion.cli import COMMANDS
from companion.content import help_pages
from companion.core.language import speaking
from requirements import manual
from tests.patience import PATIENCE_S
from tests.programs import needs
from tests.setup.conftest import ROOT

LOCKS = ("run", "test", "build")
PIN = re.compile(r"^([a-z0-9-]+)==([\w.]+)( ;[^\\]*)? \\$")
HASH = re.compile(r"^    --hash=sha256:([0-9a-f]{64})( \\)?$")


def read_lock(name: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Return each locked package's version and hashes; a line that is neither pin nor hash is a fault."""
    packages: dict[str, tuple[str, set[str]]] = {}
    hashes: set[str] = set()
    for line in (ROOT / "requirements" / f"{name}.txt").read_text().splitlines():
        if pin := PIN.match(line):
            assert pin[1] not in packages, f"{pin[1]} is locked twice"
            hashes = set()
            packages[pin[1]] = (pin[2], hashes)
        else:
            found = HASH.match(line)
            assert found, f"requirements/{name}.txt: {line!r}"
            hashes.add(found[1])
    return {package: (version, frozenset(hashes)) for package, (version, hashes) in packages.items()}


@pytest.mark.parametrize("name", LOCKS)
def test_each_package_has_one_version_and_hashes(name: str) -> None:
    lock = read_lock(name)
    assert lock
    assert [package for package, (_, hashes) in lock.items() if not hashes] == []


@pytest.mark.parametrize("name", ["run", "build"])
def test_the_test_lock_holds_the_others(name: str) -> None:
    assert read_lock(name).items() <= read_lock("test").items()


def test_what_the_project_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["mqtt"]
    build, tests = (project["dependency-groups"][name] for name in ("build", "test"))
    assert tests[0] == {"include-group": "build"}
    asked = {"run": run, "build": build, "test": run + build + tests[1:]}
    for name in LOCKS:
        names = {re.split(r"[<>=~!]", requirement)[0] for requirement in asked[name]}
        assert names <= read_lock(name).keys()


def test_the_source_distribution_is_the_whole_tree() -> None:
    """Its tests can be run: they read the docs, the checks of .ci, the benchmarks and the training."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert build["targets"].keys() == {"wheel"}, "nothing is left out of it by a list that somebody would have to keep"
    ignored = (ROOT / ".gitignore").read_text().split()
    parts = ("docs", ".ci", "benchmarks", "training", "tests", "systemd", "requirements")
    assert not {f"/{part}/" for part in parts} & set(ignored)


KNOWN = (".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".sp")
WANTED = {f"gunbai/{room}" for room in ("intake", "engine", "vision", "hardware", "companion")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the tree as it is, without a network."""
    folder = tmp_path_factory.mktemp("dist")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel into a folder of packages, as an installer does, and return the folder."""
    folder = tmp_path_factory.mktemp("site-packages")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def run(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`python -m gunbai` far from any tree."""
    return subprocess.run(
        [sys.executable, "-m", "gunbai", *words],
        env={"PYTHONPATH": str(installed), "LANG": "C", "HOME": str(installed), "PATH": "/usr/bin:/bin"},
        cwd=installed,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.long
def test_one_package_holds_all_rooms(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    about = f"gunbai-{__version__}"
    assert {name.split("/")[0] for name in names} == {"gunbai", f"{about}.dist-info", f"{about}.data"}
    rooms = {"/".join(name.split("/")[:2]) for name in names if name.startswith("gunbai/")}
    assert rooms == WANTED | {"gunbai/docs", "gunbai/__init__.py", "gunbai/__main__.py"}


@pytest.mark.long
def test_it_brings_the_help_with_every_picture(installed: Path) -> None:
    docs = installed / "gunbai/docs"
    assert docs.is_dir()
    for language in ("en", "pt_BR"):
        with mock.patch.object(help_pages, "DOCS", docs), speaking(language):
            pages = help_pages.help_pages()
        assert tuple(page.name for page in pages) == help_pages.PAGES
        shown = [part for page in pages for section in page.sections for part in section.parts]
        assert [part for part in shown if isinstance(part, help_pages.HelpPicture) and not part.path.is_file()] == []


@pytest.mark.long
def test_it_brings_what_a_system_has_of_a_command(wheel: Path) -> None:
    data = f"gunbai-{__version__}.data/data/"
    found = {name.removeprefix(data) for name in zipfile.ZipFile(wheel).namelist() if name.startswith(data)}
    assert found == {
        "share/man/man1/gunbai.1",
        "share/man/pt_BR/man1/gunbai.1",
        "share/bash-completion/completions/gunbai",
        "share/fish/vendor_completions.d/gunbai.fish",
        "share/zsh/site-functions/_gunbai",
    }


@pytest.mark.long
def test_its_entry_is_the_package(wheel: Path, installed: Path) -> None:
    entries = (installed / f"gunbai-{__version__}.dist-info" / "entry_points.txt").read_text()
    assert "gunbai = gunbai:entry" in entries


@pytest.mark.long
@pytest.mark.parametrize("words", [("--version",), ("boards",), ("referee",)])
def test_commands_run_outside_the_tree(words: tuple[str, ...], installed: Path) -> None:
    done = run(installed, *words)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("install", "--dry-run"), "this needs Gunbai's whole tree"),
        (("pack", "-o", "a.update"), "this needs Gunbai's whole tree"),
        (("update", "a.update", "--dry-run"), "updates are for the appliance"),
    ],
)
def test_what_needs_a_tree_or_an_appliance_says_so(words: tuple[str, ...], told: str, installed: Path) -> None:
    done = run(installed, *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.long
def test_a_demos_turn_is_seen_outside_the_tree(installed: Path) -> None:
    done = run(installed, "demo", "--headless", "--turns", "1", "--pictures", "shots")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_the_manual_has_every_command(language: str) -> None:
    page = manual.page(language)
    assert page.startswith(f'.TH GUNBAI 1 "" "gunbai {__version__}" Gunbai\n')
    for command in COMMANDS:
        assert f"\n.SS gunbai {command.NAME}\n" in page
    assert "\n\\fB\\-\\-headless\\fR\n" in page
    assert not [line for line in page.splitlines() if line.startswith((".", "'")) and line.split()[0] not in KNOWN]


@needs("man")
def test_man_has_nothing_to_say_against_it(tmp_path: Path) -> None:
    (tmp_path / "gunbai.1").write_text(manual.page("pt_BR"))
    words = ["man", "--warnings", "-Tutf8", "-E", "UTF-8", "-l", "gunbai.1"]
    done = subprocess.run(words, cwd=tmp_path, env=os.environ | {"LC_ALL": "C.UTF-8"}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Imprima a 100%" in " ".join(done.stdout.decode().split())


@pytest.mark.parametrize("shell", sorted(manual.COMPLETIONS))
def test_completions_have_every_command_and_its_options(shell: str) -> None:
    text = manual.completions(shell)
    for word in (*(command.NAME for command in COMMANDS), "headless", "table"):
        assert word in text


@needs("bash")
def test_bash_completes_a_command(tmp_path: Path) -> None:
    (tmp_path / "gunbai").write_text(manual.completions("bash"))
    line = "source ./gunbai; COMP_WORDS=(gunbai cali); COMP_CWORD=1; _shtab_gunbai; echo ${COMPREPLY[*]}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["calibrate"]


def test_the_build_needs_what_is_locked_for_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["build-system"]["requires"] == project["dependency-groups"]["build"]
