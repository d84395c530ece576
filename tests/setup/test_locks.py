"""The lock files: whole, in step with pyproject.toml and with one another, and free of addresses."""

import re
import tomllib

import pytest

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
