"""The launcher as a module (it has no .py name), over lock files of its own."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the launcher of a made-up project folder, `tmp_path / "project"`."""
    loader = SourceFileLoader("gunbai_launcher", str(ROOT / "gunbai"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader.exec_module(module)
    project = tmp_path / "project"
    (project / "requirements").mkdir(parents=True)
    (project / "requirements" / "run.txt").write_text("numpy==2.4.6 \\\n    --hash=sha256:00\n")
    (project / "requirements" / "test.txt").write_text("numpy==2.4.6\npytest==9.2.0\n")
    monkeypatch.setattr(module, "ROOT", project)
    monkeypatch.setattr(module, "LOCKS", project / "requirements")
    return module
