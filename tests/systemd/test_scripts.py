"""Our scripts in a room of their own: root's command, which becomes the games' owner, and the sticks' helper."""

import re
import subprocess
from pathlib import Path

import pytest

from companion.appliance import layout
from companion.core import sticks

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
CURRENT = "/opt/gunbai/current"


class Room:
    """A folder with a script and tools that note what they are asked for; nobody really changes or is mounted."""

    def __init__(self, room: Path, script: str, tools: dict[str, str]) -> None:
        self.room, self.script = room, room / script
        text = (SYSTEMD / script).read_text().replace(CURRENT, f"{room}/current")
        text = text.replace("/sys/class/block", f"{room}/class")
        self.program(self.script, re.sub("(?m)^standard=.*", f"standard={room}/tools:/usr/bin:/bin", text))
        for name, told in tools.items():
            self.program(room / "tools" / name, f"#!/bin/sh\n{told}\n")

    def program(self, path: Path, text: str) -> None:
        """Write a program; $ROOM in it is this room."""
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("$ROOM", str(self.room)))
        path.chmod(0o755)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        return subprocess.run(
            [self.script, *words],
            env={"PATH": f"{self.room}/tools:/usr/bin:/bin", **variables},
            cwd=self.room,
            check=False,
            input="given\n",
            capture_output=True,
            text=True,
            timeout=60,
        )

    def told(self, name: str) -> list[str]:
        path = self.room / name
        return path.read_text().replace(str(self.room), "ROOM").splitlines() if path.exists() else []


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


class Command(Room):
    """The installed command."""

    def __init__(self, room: Path) -> None:
        super().__init__(room, "gunbai.sh", TOOLS)
        release = room / "current"
        (release / "systemd").mkdir(parents=True)
        (release / "systemd/gunbai.env").write_text((SYSTEMD / "gunbai.env").read_text())
        self.program(release / "gunbai", "#!/bin/sh" + PROGRAM)

    def __call__(self, who: str, *words: str) -> int:
        """Run it as this user."""
        (self.room / "who").write_text(f"{who}\n")
        return self.run(*words, HOME="/home/led", PIP_LOG="/led").returncode


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


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


# ---- sticks


def test_udev_mounts_for_the_app_alone_what_can_do_no_harm() -> None:
    rules = (SYSTEMD / "udev/71-gunbai-stick.rules").read_text()
    kinds = dict(re.findall(r'ENV\{ID_FS_TYPE\}=="(\w+)", ENV\{SYSTEMD_MOUNT_OPTIONS\}="([^"]+)"', rules))
    assert kinds.keys() == sticks.KNOWN
    for options in kinds.values():
        given = set(options.split(","))
        assert {"nosuid", "nodev", "noexec", f"uid={layout.USER}", f"gid={layout.USER}", "umask=0077"} <= given
    assert 'ENV{SYSTEMD_WANTS}+="gunbai-stick@$kernel.service"' in rules
    assert "|".join(kinds) in rules
    assert 'ENV{ID_BUS}!="usb"' in rules
    assert f"place={sticks.OWN}/" in (SYSTEMD / "stick.sh").read_text()


STICK_TOOLS = {
    "lsblk": 'cat "$ROOM/mounts"',
    "systemd-mount": 'echo "mount $*" >>"$ROOM/asked"',
    "systemd-umount": 'echo "umount $*" >>"$ROOM/asked"; [ ! -e "$ROOM/busy" ] && rm -f "$ROOM/mounted"',
    "mountpoint": '[ -e "$ROOM/mounted" ]',
    "sleep": 'echo x >>"$ROOM/slept"; [ "$(wc -l <"$ROOM/slept")" -lt 3 ] || rm -f "$ROOM/busy"',
}


class Helper(Room):
    """The helper, at a system that has one disk with one partition."""

    def __init__(self, room: Path) -> None:
        super().__init__(room, "stick.sh", STICK_TOOLS)
        (room / "devices/sda/sda1").mkdir(parents=True)
        (room / "devices/sda/sda1/partition").write_text("1")
        (room / "class").mkdir()
        for name in ("sda", "sda/sda1"):
            (room / "class" / Path(name).name).symlink_to(room / "devices" / name)
        (room / "mounts").write_text("\n")

    @property
    def asked(self) -> list[str]:
        return self.told("asked")


@pytest.fixture
def helper(tmp_path: Path) -> Helper:
    return Helper(tmp_path)


def test_a_stick_is_mounted_under_its_own_name(helper: Helper) -> None:
    assert helper.run("in", "sda1").returncode == 0
    assert len(helper.asked) == 1
    assert helper.asked[0].endswith(" --discover /dev/sda1 /media/gunbai/sda1")
    (helper.room / "mounted").touch()
    assert helper.run("in", "sda1").returncode == 0
    assert len(helper.asked) == 1, "one that could not be unmounted is taken as it is"


@pytest.mark.parametrize("mounts", ["/\n", "\n[SWAP]\n", "/media/gunbai/sda2\\x0a/boot/firmware\n", "/media/ana\n"])
def test_a_disk_that_the_system_uses_is_no_stick(helper: Helper, mounts: str) -> None:
    (helper.room / "mounts").write_text(mounts)
    done = helper.run("in", "sda1")
    assert done.returncode == 0
    assert "on a disk that the system uses" in done.stdout
    assert helper.asked == []


def test_another_partition_of_a_stick_is_mounted_too(helper: Helper) -> None:
    (helper.room / "mounts").write_text("\n/media/gunbai/sda2\n")
    assert helper.run("in", "sda1").returncode == 0
    assert len(helper.asked) == 1


@pytest.mark.parametrize("name", ["../sda", "", "sda 1", "sda;x", "SDA"])
def test_what_is_no_name_of_a_disk_is_refused(helper: Helper, name: str) -> None:
    assert helper.run("in", name).returncode == 2
    assert helper.asked == []


def test_a_stick_that_is_held_for_a_moment_is_waited_for(helper: Helper) -> None:
    assert helper.run("out", "sda1").returncode == 0
    assert helper.asked == [], "it was not mounted"
    for mark in ("mounted", "busy"):
        (helper.room / mark).touch()
    assert helper.run("out", "sda1").returncode == 0
    assert len(helper.asked) == 4
    (helper.room / "mounted").touch()
    (helper.room / "tools/sleep").write_text("#!/bin/sh\n")
    (helper.room / "busy").touch()
    done = helper.run("out", "sda1")
    assert done.returncode == 1
    assert "still in use" in done.stdout
