"""What systemd itself says of the units."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.programs import needs
from tests.systemd.units.unit_files import (
    CURRENT,
    MOST_EXPOSURE,
    ROOT,
    SCRIPTS,
    SERVICES,
    UNITS,
    analyze,
    needs_systemd,
)


@needs_systemd
@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_exposure_is_at_most_two(path: Path) -> None:
    done = subprocess.run(
        [str(analyze), "security", "--offline=true", f"--threshold={MOST_EXPOSURE}", "--no-pager", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unrecognized option" in done.stderr or "Unknown" in done.stderr:
        pytest.skip("this systemd-analyze cannot look at units offline")
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


@needs_systemd
def test_systemd_finds_no_fault(tmp_path: Path) -> None:
    """The units as they are, with programs that are there in place of those of an installation; and in a wrong one."""
    for path in UNITS:
        text = re.sub(rf"(?m)^(Exec\w+=-?){CURRENT}\S+", r"\1/bin/true", path.read_text())
        (tmp_path / path.name).write_text(text.replace(f"EnvironmentFile={CURRENT}", f"EnvironmentFile={ROOT}"))
    wrong = tmp_path / "gunbai-wrong.service"
    wrong.write_text("[Service]\nExecStart=nowhere\n")
    done = subprocess.run(
        [str(analyze), "verify", "--man=no", *(str(tmp_path / path.name) for path in UNITS), str(wrong)],
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin", "SYSTEMD_LOG_LEVEL": "warning"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if "gunbai" in line]
    assert told, "nothing was looked at"
    assert [line for line in told if wrong.name not in line] == []


@needs("bash")
@pytest.mark.parametrize("script", ["systemd/gunbai.sh", "systemd/stick.sh", *SCRIPTS])
def test_scripts_can_be_read_by_their_shell(script: str) -> None:
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)
