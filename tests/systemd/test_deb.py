"""The Debian package: what it depends on is what Gunbai needs, and its scripts do what an owner expects of them."""

from __future__ import annotations

import re
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

from companion.appliance import layout, machine, packing
from companion.appliance.tree import files_of
from tests.programs import needs

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = ROOT / "systemd" / "debian"
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
Done = subprocess.CompletedProcess[str]


def field(name: str) -> list[str]:
    """Return a field of the binary package, split at its commas."""
    text = (DEBIAN / "control").read_text().partition("\nPackage: ")[2]
    found = re.search(rf"^{name}:(.*(?:\n .*)*)", text, re.MULTILINE)
    assert found is not None, name
    return [part.strip() for part in found[1].split(",")]


def test_it_depends_on_what_the_installer_would_fetch() -> None:
    assert set(machine.PACKAGES) <= set(field("Depends")), "the installer can't call apt while dpkg runs"
    assert set(machine.PI_PACKAGES) <= set(field("Recommends"))
    assert field("Architecture") == ["all"]


def test_it_lets_in_the_pythons_whose_packages_it_brings() -> None:
    asked = [part for part in field("Depends") if part.startswith("python3 ")]
    ways = [re.findall(r"\((>=|<<) 3\.(\d+)\)", part) for part in asked]
    allowed = {
        minor
        for minor in range(5, 20)
        if all(any(minor >= int(n) if sign == ">=" else minor < int(n) for sign, n in way) for way in ways)
    }
    assert allowed == {int(version.rpartition(".")[2]) for version in packing.RUNS_ON}
    least = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f"python3 ({least.replace('>=', '>= ')})" in asked


def test_it_is_built_from_what_an_update_holds() -> None:
    assert {f"systemd/debian/{name}" for name in (*SCRIPTS, "build", "control", "rules")} <= files_of(ROOT).keys()
    copyright_file = (DEBIAN / "copyright").read_text()
    assert re.findall(r"^Files: (.*)$", copyright_file, re.MULTILINE) == ["*", "companion/view/fonts/*"]


@needs("bash")
@pytest.mark.parametrize("name", [*SCRIPTS, "build"])
def test_scripts_can_be_read_by_their_shell(name: str) -> None:
    shell = "bash" if name == "build" else "sh"
    assert (DEBIAN / name).read_text().splitlines()[0].endswith(shell)
    subprocess.run([shell, "-n", DEBIAN / name], check=True)


class System:
    """A system below a folder: the scripts run with their paths leading there, and note what they were asked."""

    def __init__(self, room: Path) -> None:
        self.room = room
        for folder in ("etc/systemd/system", "run/systemd/system", "var/tmp", "usr/sbin", "usr/share/gunbai"):
            (room / folder).mkdir(parents=True)
        tree = room / "tree"
        tree.mkdir()
        self.program(tree / "gunbai", 'echo "installed $*" >>"$ROOM/asked"; [ ! -e "$ROOM/fails" ]')
        with tarfile.open(room / "usr/share/gunbai/gunbai.update", "w") as tar:
            tar.add(tree, "tree")

    def program(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n".replace("$ROOM", str(self.room)))
        path.chmod(0o755)

    def install(self) -> None:
        self.program(self.room / "opt/gunbai/current/gunbai", 'echo "$*" >>"$ROOM/asked"')

    def __call__(self, script: str, *words: str) -> Done:
        text = (DEBIAN / script).read_text()
        for place in ("/etc/", "/run/", "/var/", "/usr/", "/opt/"):
            text = text.replace(place, f"{self.room}{place}")
        path = {"PATH": f"{self.room}/usr/sbin:/usr/bin:/bin"}
        command = ["sh", "-c", text, script, *words]
        return subprocess.run(command, env=path, capture_output=True, text=True, check=False)

    @property
    def asked(self) -> list[str]:
        return (self.room / "asked").read_text().splitlines() if (self.room / "asked").exists() else []


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_a_desktop_is_left_alone(system: System) -> None:
    units = system.room / "etc/systemd/system"
    assert system("preinst", "install").returncode == 0
    (units / "display-manager.service").symlink_to("/lib/systemd/system/gdm.service")
    refused = system("preinst", "install")
    assert refused.returncode == 1
    assert "this machine starts a desktop, and Gunbai needs the screen" in refused.stderr
    (units / "default.target").symlink_to("/lib/systemd/system/graphical.target")
    assert system("preinst", "install").returncode == 1
    assert system("preinst", "upgrade", "0.1").returncode == 0
    (units / "default.target").unlink()
    off = system.room / "lib/systemd/system/multi-user.target"
    off.parent.mkdir(parents=True)
    off.touch()
    (units / "default.target").symlink_to(off)
    assert system("preinst", "install").returncode == 0, "it is turned off"
    (units / "default.target").unlink()
    system.install()
    assert system("preinst", "install").returncode == 0, "Gunbai is there already"


def test_the_update_installs_itself_and_leaves_nothing_beside(system: System) -> None:
    assert system("postinst", "configure", "").returncode == 0
    (system.room / "fails").touch()
    assert system("postinst", "configure", "0.1").returncode == 1
    assert system.asked == ["installed install --yes --anyway"] * 2
    assert list((system.room / "var/tmp").iterdir()) == []
    assert system("postinst", "abort-upgrade", "0.1").returncode == 0
    assert len(system.asked) == 2


@pytest.mark.parametrize(("policy", "words"), [("exit 101", " --no-start"), ("exit 0", "")])
def test_nothing_starts_where_the_policy_forbids_it(system: System, policy: str, words: str) -> None:
    system.program(system.room / "usr/sbin/policy-rc.d", policy)
    assert system("postinst", "configure", "").returncode == 0
    assert system.asked == [f"installed install --yes --anyway{words}"]


def test_nothing_starts_in_an_image(system: System) -> None:
    (system.room / "run/systemd/system").rmdir()
    assert system("postinst", "configure", "").returncode == 0
    assert system.asked == ["installed install --yes --anyway --no-start"]


def test_removed_it_uninstalls_and_the_games_outlive_even_a_purge(system: System) -> None:
    assert system("prerm", "remove").returncode == 0, "an installation that failed has left nothing to remove"
    system.install()
    assert system("prerm", "upgrade", "0.2").returncode == 0
    assert system.asked == []
    assert system("prerm", "remove").returncode == 0
    assert system.asked == ["uninstall --yes"]
    settings, games = (system.room / place for place in (layout.SETTINGS, layout.STATE))
    for folder in (settings, games):
        folder.mkdir(parents=True)
    assert system("postrm", "remove").stdout == ""
    assert settings.exists()
    told = system("postrm", "purge").stdout
    assert f"the saved games stay in {games}" in told
    assert (settings.exists(), games.exists()) == (False, True)
