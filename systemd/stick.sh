#!/bin/sh
# Mounts and unmounts a memory stick, as root, for gunbai-stick@.service: stick.sh in sda1, stick.sh out sda1
#
# systemd itself mounts and unmounts, so that this needs no right to; udev's rule has the options. A disk of which
# anything is in use elsewhere is no stick: it may be the one that the machine starts from.
set -eu
device=$2
place=/media/gunbai/$device

case "$device" in
*[!a-z0-9]* | '')
    echo "$device: not a disk's name"
    exit 2
    ;;
esac

disk() { # the whole disk of a partition, or the device itself
    entry=/sys/class/block/$device
    if [ -e "$entry/partition" ]; then
        entry=$(dirname "$(readlink -f "$entry")")
    fi
    basename "$entry"
}

in_use_elsewhere() {
    lsblk -nro MOUNTPOINTS "/dev/$(disk)" | sed 's/\\x0a/\n/g' | grep -v -e '^$' -e '^/media/gunbai/'
}

mount_it() {
    if mountpoint -q "$place"; then # it could not be unmounted before
        return
    fi
    if in_use_elsewhere; then
        echo "$device: on a disk that the system uses, so not a memory stick"
        return
    fi
    systemd-mount --no-ask-password --collect --fsck=no --automount=no --discover "/dev/$device" "$place"
}

unmount_it() { # a stick that was pulled out may be held for a moment by what was being written
    for _try in 1 2 3 4 5 6 7 8 9 10; do
        if ! mountpoint -q "$place" || systemd-umount --no-ask-password "$place"; then
            return
        fi
        sleep 1
    done
    echo "$place: still in use"
    return 1
}

case "$1" in
in) mount_it ;;
out) unmount_it ;;
esac
