"""Files of strangers: plain ones of a bounded length; nothing is waited for that never comes."""

import os
import threading
from pathlib import Path

import pytest

from intake import files
from intake.errors import Unreadable
from intake.files import read_file, read_file_or_pipe

READERS = (read_file, read_file_or_pipe)


@pytest.mark.parametrize("read", READERS)
def test_a_plain_file_is_read_up_to_its_limit(read: files.Reader, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    (tmp_path / "link").symlink_to(path)
    assert read(path, 5) == read(str(tmp_path / "link"), 5) == b"12345"
    with pytest.raises(Unreadable, match=r"^longer than 4 bytes, the limit$"):
        read(path, 4)


@pytest.mark.parametrize(("most", "said"), [(4000, "4 kB"), (64_000_000, "64 MB")])
def test_a_limit_is_said_in_round_numbers(most: int, said: str, tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(most + 1)
    with pytest.raises(Unreadable, match=f"^longer than {said}, the limit$"):
        read_file(tmp_path / "a", most)


@pytest.mark.parametrize("read", READERS)
def test_what_is_no_file_is_refused(read: files.Reader, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"^not a plain file$"):
        read("/dev/zero", 10)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none", 10)
    with pytest.raises(Unreadable, match=r"^not a plain file$"):
        read(tmp_path, 10)
    with pytest.raises(Unreadable, match=r"^not a possible file name$"):
        read("a\0b", 10)


def test_a_pipe_among_files_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match=r"^not a plain file$"):
        read_file(tmp_path / "pipe", 10)


def test_what_is_written_into_a_pipe_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)  # it never waits, and holds the pipe open
    os.write(writer, b"123")
    with pytest.raises(Unreadable, match=r"^longer than 2 bytes"):
        read_file_or_pipe(tmp_path / "pipe", 2)
    os.write(writer, b"45")
    threading.Timer(0.05, os.close, (writer,)).start()
    assert read_file_or_pipe(tmp_path / "pipe", 5) == b"45"


def test_a_pipe_that_nobody_writes_into_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE_S", 0.01)
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    with pytest.raises(Unreadable, match=r"^nothing writes to this pipe$"):
        read_file_or_pipe(tmp_path / "pipe", 10)
    os.close(writer)
