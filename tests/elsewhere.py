"""A Python like the one of Windows, as far as a Linux can play it: what Linux alone has is taken away at the start.

python tests/elsewhere.py COMMAND ...   runs `gunbai COMMAND ...` so
python tests/elsewhere.py --run FILE    runs a script so
"""

from __future__ import annotations

import ctypes
import os
import platform
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

MODULES = (
    *("fcntl", "termios", "tty", "pty", "pwd", "grp", "spwd", "resource", "readline", "curses", "syslog", "crypt"),
    *("gpiozero", "lgpio", "RPi", "picamera2", "libcamera"),
)
OF_OS = (
    *("fork", "forkpty", "register_at_fork", "openpty", "ttyname", "ctermid", "nice", "sync", "uname", "getloadavg"),
    *("getuid", "geteuid", "getgid", "getegid", "getgroups", "getresuid", "getpgid", "getpgrp", "getsid", "setsid"),
    *(
        "setuid",
        "seteuid",
        "setgid",
        "setegid",
        "setgroups",
        "setpgid",
        "initgroups",
        "killpg",
        "chroot",
        "posix_spawn",
    ),
    *("chown", "fchown", "lchown", "fchmod", "mkfifo", "mknod", "pread", "pwrite", "preadv", "pwritev", "sendfile"),
    *("fdatasync", "posix_fadvise", "posix_fallocate", "fstatvfs", "memfd_create", "eventfd", "pidfd_open"),
    *("sched_getaffinity", "sched_setaffinity", "sched_yield", "set_blocking", "get_blocking", "getxattr", "setxattr"),
    *("sysconf", "confstr", "environb", "getenvb", "copy_file_range", "splice", "unshare", "setns", "getrandom"),
    *("O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NOCTTY", "O_SYNC", "O_DSYNC", "O_PATH", "O_DIRECT"),
)
OF_SIGNAL = (
    *("SIGHUP", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGPIPE", "SIGALRM", "SIGCHLD"),
    *("SIGTSTP", "SIGWINCH", "alarm", "setitimer", "pthread_sigmask", "pthread_kill", "sigwait", "siginterrupt"),
)
OF_SOCKET = ("AF_UNIX", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SOCK_SEQPACKET", "send_fds", "recv_fds")
OF_SELECT = ("poll", "epoll")
OTHERS = (
    *("asyncio", "random", "selectors", "ssl", "urllib.request"),
    *("cv2", "fpdf", "numpy", "platformdirs", "pygame", "serial", "serial.tools.list_ports"),
)
"""They look after themselves on every system, and are loaded before anything is taken away."""
NOT_IN_NAMES = frozenset('<>:"|?*\\')


class Msvcrt(ModuleType):
    """Windows' own module, as far as it is used: a locked byte belongs to one open file until that is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        import fcntl

        self._lock, self._how = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB

    def locking(self, handle: int, mode: int, n_bytes: int) -> None:
        """Lock a byte at the file's present place, behind all that is in it; PermissionError if it is another's."""
        assert (mode, n_bytes) == (self.LK_NBLCK, 1)
        assert os.fstat(handle).st_size <= os.lseek(handle, 0, os.SEEK_CUR) < 1 << 31
        try:
            self._lock(handle, self._how)
        except BlockingIOError as error:
            raise PermissionError(13, "Permission denied") from error


def _kernel32() -> SimpleNamespace:
    def open_process(right: int, inherited: bool, process: int) -> int:
        assert (right, inherited) == (0x00100000, False)
        return process if Path(f"/proc/{process}").exists() else 0

    return SimpleNamespace(OpenProcess=open_process, CloseHandle=bool)


def _obey(event: str, told: tuple[Any, ...]) -> None:
    """Refuse what Windows refuses: to open a folder, to move or remove an open file, and some letters in names."""
    if event == "os.kill":
        assert told[1] != 0, "on Windows this is a Ctrl-C"
    elif event == "open" and isinstance(told[0], str):
        if told[1] is None and Path(told[0]).is_dir():  # by os.open
            raise PermissionError(13, "Permission denied", told[0])
        if told[2] & os.O_CREAT and NOT_IN_NAMES & set(Path(told[0]).name):
            raise OSError(22, "Invalid argument", told[0])
    elif event in ("os.rename", "os.remove"):
        taken = {os.path.realpath(path) for path in told[:2] if isinstance(path, str | Path)}
        if taken & {os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()}:
            raise PermissionError(13, "it is being used by another process", str(told[0]))


def take_away() -> None:
    """Leave only what Windows has too, as far as a Python on Linux goes on without the rest."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    for name in OTHERS:
        import_module(name)
    platform.uname()  # kept from now on: there is no Windows to be asked for its version
    sys.modules["msvcrt"] = Msvcrt()
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    tempfile.TemporaryFile = tempfile.NamedTemporaryFile  # type: ignore[assignment]
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    subprocess.Popen.kill = lambda child: child.send_signal(9)  # type: ignore[method-assign, assignment]
    ctypes.windll = SimpleNamespace(kernel32=_kernel32())  # type: ignore[attr-defined]
    ctypes.CDLL = lambda name: ctypes.windll[name]  # type: ignore[attr-defined, misc, assignment]
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL), (socket, OF_SOCKET), (select, OF_SELECT)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.platform = "win32"
    sys.addaudithook(_obey)


if __name__ == "__main__":
    take_away()
    if sys.argv[1:2] == ["--run"]:
        sys.argv = sys.argv[2:]
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        from companion.cli import entry

        sys.exit(entry())
