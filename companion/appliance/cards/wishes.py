"""What the owner wants of the machine that a card makes, and the small files on the card that say so.

user-data and network-config are for people: plain lines with comments, in both languages, as Windows ends its lines.
vendor-data has what is the same for everybody, as JSON, which is YAML too: a spoiled user-data can't take it away, so
the script runs and says what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance import archive, signing
from companion.appliance.archive import Manifest
from companion.appliance.host import Host
from companion.appliance.layout import SETTINGS, Layout
from companion.core.errors import ApplianceError

RUNS_ON = "aarch64 3.13"
"""Raspberry Pi OS 13, 64 bit: the first that reads its first start's settings from the card."""
DEBIAN_NAMES: Mapping[str, str] = {"aarch64": "arm64", "x86_64": "amd64"}
UPDATE, SCRIPT, PACKAGES = "gunbai.update", "gunbai-first-start.sh", "gunbai-packages"
LOG = "gunbai-first-start.log"
USER_DATA, NETWORK, META_DATA, VENDOR_DATA = "user-data", "network-config", "meta-data", "vendor-data"
LOCALES: Mapping[str, str] = {"en": "en_GB.UTF-8", "pt_BR": "pt_BR.UTF-8"}
USER = re.compile(r"[a-z][a-z0-9-]{0,30}")
LAYOUT = re.compile(r"[a-z]{2,3}")
ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")


@dataclass(frozen=True, slots=True)
class Wishes:
    """The owner's wishes for the machine that a card makes.

    user: who may log in, only by an SSH key; signer: a public key whose updates are accepted; packages: a folder of
    .deb files, for a first start without network.
    """

    user: str = "owner"
    language: str = "en"
    keyboard: str = "us"
    timezone: str = "Etc/UTC"
    ssh_key: str = ""
    signer: str = ""
    packages: Path | None = None

    @property
    def signers(self) -> str:
        """The content of the file `update-signers`, with the one key whose updates are accepted."""
        return f"{signing.SIGNER} {self.signer}\n"


def check_wishes(wishes: Wishes) -> None:
    """Raise ApplianceError at the first wish with an invalid value."""
    forms = (("--user", wishes.user, USER), ("--keyboard", wishes.keyboard, LAYOUT))
    for option, value, form in (*forms, ("--timezone", wishes.timezone, ZONE)):
        if not form.fullmatch(value):
            raise ApplianceError(f"{option}: {value!r} isn't one")
    if wishes.user in ("root", "gunbai"):
        raise ApplianceError(f"--user: {wishes.user} is taken")
    if wishes.language not in LOCALES:
        raise ApplianceError(f"--language: expected one of {', '.join(LOCALES)}, not {wishes.language!r}")
    for key in filter(None, (wishes.ssh_key, wishes.signer)):
        if len(key.split()) < 2 or "\n" in key or "PRIVATE" in key:
            raise ApplianceError("expected a public key of OpenSSH on one line, such as id_ed25519.pub has")


def check_update(update: Path, wishes: Wishes, runs_on: str = RUNS_ON) -> Manifest:
    """Verify an update for the card and return its manifest.

    ApplianceError if it is damaged, for other machines, or not signed by the signer, if one is wished.
    """
    head = archive.verify(update)
    if runs_on not in head.manifest.runs_on:
        raise ApplianceError(f"{update}: made for {', '.join(head.manifest.runs_on)}; the card needs {runs_on}")
    if wishes.signer:
        with TemporaryDirectory() as folder:
            layout = Layout(Path(folder))
            layout.settings.mkdir(parents=True)
            (layout.settings / signing.SIGNERS).write_text(wishes.signers, encoding="utf-8")
            if "signed by" not in signing.check(Host(layout), head, update):
                raise ApplianceError(f"{update}: not signed by that key")
    return head.manifest


def find_debs(wishes: Wishes, runs_on: str = RUNS_ON) -> Sequence[Path]:
    """Return the Debian packages in the wished folder, by name; () if none is wished.

    ApplianceError if the folder has none, or one that is for another processor or no plain file.
    """
    folder = wishes.packages
    if folder is None:
        return ()
    processor = DEBIAN_NAMES[runs_on.partition(" ")[0]]
    found = sorted(folder.glob("*.deb"))
    wrong = [deb for deb in found if not deb.name.endswith((f"_{processor}.deb", "_all.deb"))]
    if not found or wrong:
        raise ApplianceError(
            f"{wrong[0] if wrong else folder}: expected packages for {processor} (NAME_VERSION_{processor}.deb)"
        )
    odd = next((deb for deb in found if not deb.is_file()), None)
    if odd is not None:
        raise ApplianceError(f"{odd}: not a plain file")
    return found


# ---- the small files of a card: what cloud-init reads, the script that it runs, and what a person reads -----------


BOOT = "/boot/firmware"
README = "README.txt"
OURS = "made by gunbai card"
HEAD = "#cloud-config"
_GROUPS = "users,adm,dialout,audio,sudo,video,plugdev,input,gpio,spi,i2c,netdev,render"

SCRIPT_TEXT = f"""\
#!/bin/sh
# Installs Gunbai at this machine's first start; cloud-init runs it. What it says is beside it, in {LOG}.
exec >>{BOOT}/{LOG} 2>&1
told() {{ printf '\\nGunbai: %s\\n' "$1" >/dev/tty1 || true; }}
trap 'told "not installed: {LOG} on the card says why / não foi instalado: o motivo está nesse arquivo do cartão"' EXIT
set -eux
date
systemctl disable --now userconfig.service || true
systemctl stop getty@tty1.service || true
told "installing / instalando …"
rm -rf /var/tmp/gunbai-first
mkdir -p /var/tmp/gunbai-first
tar -x --no-same-owner -C /var/tmp/gunbai-first -f {BOOT}/{UPDATE}
cd /var/tmp/gunbai-first/tree
trap - EXIT
export PYTHONPATH="$PWD" PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1
exec python3 -P -m companion.appliance.cards.first_start
"""

USER_TEXT = f"""\
{HEAD}
# {OURS}
#
# Change only what stands behind a colon. Use spaces, never tabs. Save as plain text.
# Mude apenas o que vem depois dos dois-pontos. Use espaços, nunca tabulações. Salve como texto simples.

# Language: en_GB.UTF-8 is English, pt_BR.UTF-8 is Portuguese.
# Idioma: en_GB.UTF-8 é inglês, pt_BR.UTF-8 é português.
locale: {{locale}}

# Keyboard, if you ever plug one in: us, gb, br, pt, de, ...
# Teclado, se um dia você ligar um: us, gb, br, pt, de, ...
keyboard:
  layout: {{keyboard}}

# Time zone: America/Sao_Paulo, Europe/Lisbon, Europe/London, America/New_York, ...
# Fuso horário: America/Sao_Paulo, Europe/Lisbon, Europe/London, America/New_York, ...
timezone: {{timezone}}
"""

NETWORK_TEXT = f"""\
# {OURS}
#
# Gunbai needs no network. A cable works as soon as it is plugged in.
# O Gunbai não precisa de rede. Um cabo funciona assim que é ligado.
network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
      optional: true

# Wi-Fi: take away the # of each of the eight lines below, and nothing else; then put in your country (BR, PT, GB, US),
# the name of your Wi-Fi and its password, both between quotation marks.
# Wi-Fi: tire só o # de cada uma das oito linhas abaixo; depois ponha seu país (BR, PT, GB, US), o nome da sua rede e a
# senha, os dois entre aspas.
#  wifis:
#    wlan0:
#      dhcp4: true
#      optional: true
#      regulatory-domain: "BR"
#      access-points:
#        "NAME":
#          password: "PASSWORD"
"""

README_TEXT = """\
GUNBAI ON A MEMORY CARD                                          (português: mais abaixo)

You need a Raspberry Pi 4, 5 or Zero 2 W, a screen, a memory card of 16 GB or more, and any
computer with Windows, macOS or Linux.

1. Flash. In Raspberry Pi Imager choose "Raspberry Pi OS (other)", then "Raspberry Pi OS Lite
   (64-bit)", November 2025 or later. Don't customise it.
2. Unzip. Take the card out and put it in again; it appears as "bootfs". Unpack everything in
   this archive onto it, not into a folder of its own, and replace the files that are there.
   Windows: right-click the archive, "Extract All", choose the drive "bootfs".
   If Windows offers to format another part of the card, say no.
3. Start. Eject the card, put it into the Pi and switch it on. The screen says what happens.
   After 10 to 30 minutes Gunbai is on it. Don't pull the plug before.

Language, keyboard, time zone and Wi-Fi
   Open user-data and network-config on the card with Notepad or TextEdit, before the first
   start. Comments say what to put where. Nothing has to be changed, and no network is needed.

If something is wrong
   The screen says which line of which file. Correct it on the computer, put the card back and
   switch on again. Everything else is in gunbai-first-start.log, on the card.


GUNBAI NO CARTÃO DE MEMÓRIA

Você precisa de um Raspberry Pi 4, 5 ou Zero 2 W, uma tela, um cartão de memória de 16 GB ou
mais e qualquer computador com Windows, macOS ou Linux.

1. Grave. No Raspberry Pi Imager escolha "Raspberry Pi OS (other)" e depois "Raspberry Pi OS
   Lite (64-bit)", de novembro de 2025 ou mais novo. Não personalize nada.
2. Descompacte. Tire o cartão e ponha de novo; ele aparece como "bootfs". Descompacte tudo o
   que há neste arquivo direto nele, sem criar pasta, e substitua os arquivos que já existem.
   Windows: clique com o botão direito no arquivo, "Extrair Tudo", escolha a unidade "bootfs".
   Se o Windows quiser formatar outra parte do cartão, diga que não.
3. Ligue. Ejete o cartão, ponha no Pi e ligue. A tela diz o que está acontecendo. Em 10 a 30
   minutos o Gunbai aparece. Até lá, não tire da tomada.

Idioma, teclado, fuso horário e Wi-Fi
   Antes de ligar pela primeira vez, abra user-data e network-config no cartão com o Bloco de
   Notas ou o TextEdit. Os comentários dizem o que pôr em cada lugar. Nada é obrigatório, e não
   é preciso ter rede.

Se algo estiver errado
   A tela diz qual linha de qual arquivo. Corrija no computador, ponha o cartão de volta e
   ligue outra vez. Todo o resto está em gunbai-first-start.log, no cartão.
"""


def small_files(wishes: Wishes, release: str) -> Mapping[str, bytes]:
    """Return {name: bytes} of a card's small files, in the order to write them: vendor-data last."""
    user = USER_TEXT.format(locale=LOCALES[wishes.language], keyboard=wishes.keyboard, timezone=wishes.timezone)
    return {
        SCRIPT: SCRIPT_TEXT.encode(),
        README: _for_windows(README_TEXT, "utf-8-sig"),
        NETWORK: _for_windows(NETWORK_TEXT),
        META_DATA: f"instance-id: gunbai-{release}\ndsmode: local\n".encode(),
        USER_DATA: _for_windows(user),
        VENDOR_DATA: vendor_data(wishes).encode(),
    }


def _for_windows(text: str, encoding: str = "utf-8") -> bytes:
    return text.replace("\n", "\r\n").encode(encoding)


def vendor_data(wishes: Wishes) -> str:
    """Return the text of vendor-data: instructions to cloud-init that stay in force if user-data is spoiled."""
    user: dict[str, object] = {
        "name": wishes.user,
        "groups": _GROUPS,
        "shell": "/bin/bash",
        "lock_passwd": True,
        "sudo": "ALL=(ALL) NOPASSWD:ALL",
    }
    if wishes.ssh_key:
        user["ssh_authorized_keys"] = [wishes.ssh_key]
    cloud: dict[str, object] = {"hostname": "gunbai", "users": [user], "ssh_pwauth": False}
    if wishes.signer:
        signers = {"path": f"/{SETTINGS}/{signing.SIGNERS}", "content": wishes.signers, "permissions": "0644"}
        cloud["write_files"] = [signers]
    begin_ssh = [["systemctl", "enable", "--now", "ssh"]] if wishes.ssh_key else []
    cloud["runcmd"] = [*begin_ssh, ["sh", f"{BOOT}/{SCRIPT}"]]
    return f"{HEAD}\n# {OURS}\n{json.dumps(cloud, indent=2, ensure_ascii=False)}\n"
