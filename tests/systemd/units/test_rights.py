"""Root's units become the games' owner before anything of Gunbai starts."""

import pytest

from tests.systemd.units.unit_files import Command

OURS = "--no-new-privs --reuid=gunbai --regid=gunbai --init-groups env -i PATH="


@pytest.mark.parametrize("words", [("doctor", "--json"), ("backup",), ("restore", "x", "--dry-run")])
def test_root_is_gunbai_before_anything_of_gunbai_starts(command: Command, words: tuple[str, ...]) -> None:
    assert command("root", *words) == 0
    assert command.told("ran") == [f"gunbai: /var/lib/gunbai /var/lib/gunbai {' '.join(words)}"]
    assert command.told("lowered")
    assert all(line.startswith(OURS) and "led" not in line for line in command.told("lowered"))


@pytest.mark.parametrize(
    ("who", "words", "told"),
    [
        ("gunbai", "doctor --json", "gunbai: /var/lib/gunbai /var/lib/gunbai doctor --json"),
        ("root", "update x", "root:  /home/led update x"),
        ("ana", "backup", "ana:  /home/led backup"),
    ],
)
def test_others_stay_who_they_are(command: Command, who: str, words: str, told: str) -> None:
    """What root's other commands shed, the launcher sheds."""
    command(who, *words.split())
    assert command.told("ran") == [told]
    assert command.told("lowered") == []


def test_its_exit_status_is_the_program_s(command: Command) -> None:
    (command.room / "fails").touch()
    assert command("root", "backup", "--to", "stick") == 1


@pytest.mark.parametrize("words", [("--to", "stick/new", "--keep", "3"), ("--keep", "3", "--to=stick/new")])
def test_a_folder_that_gunbai_may_not_write_gets_its_copy_from_its_owner(
    command: Command, words: tuple[str, ...]
) -> None:
    (command.room / "stick").mkdir()
    (command.room / "shut").touch()
    assert command("root", "backup", *words) == 0
    read, written, data = command.told("ran")
    assert read == "gunbai: /var/lib/gunbai /var/lib/gunbai backup --to -"
    assert written == f"1000:  / backup {' '.join(words)} --stdin"
    assert data == "copy"
    assert command.told("lowered")[-1].startswith(
        "--no-new-privs --reuid=1000 --regid=1000 --clear-groups env -i PATH="
    )


def test_where_no_copy_is_made_none_is_kept(command: Command) -> None:
    for name in ("shut", "fails"):
        (command.room / name).touch()
    assert command("root", "backup", "--to", str(command.room)) == 1
    assert [line.split(":")[0] for line in command.told("ran")] == ["gunbai"]


def test_a_copy_that_gunbai_may_not_read_is_opened_by_root(command: Command) -> None:
    (command.room / "copy.tar.gz").write_text("of root\n")
    (command.room / "shut").touch()
    assert command("root", "restore", "copy.tar.gz", "--dry-run") == 0
    assert command.told("ran") == ["gunbai: /var/lib/gunbai /var/lib/gunbai restore - --dry-run", "of root"]


@pytest.mark.parametrize("path", ["own/copy", "link/copy", "sub/../copy"])
def test_root_goes_no_way_that_gunbai_may_have_laid(command: Command, path: str) -> None:
    """A link of gunbai's to /etc/shadow is not opened for it, and nothing is written where one leads."""
    for folder in ("own", "sub"):
        (command.room / folder).mkdir()
    (command.room / "link").symlink_to("own")
    for file in ("own/copy", "copy"):
        (command.room / file).write_text("secret")
    (command.room / "shut").touch()
    command("root", "restore", path)
    command("root", "backup", "--to", path.removesuffix("copy"))
    lines = command.told("ran")
    assert [line.split()[3:] for line in lines] == [["restore", path], ["backup", "--to", path.removesuffix("copy")]]
    assert all(line.startswith("gunbai: ") for line in lines)
