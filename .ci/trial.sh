# What the trials in booted containers are made of: sourced by .ci/systemd-trial and .ci/deb-trial.
# shellcheck shell=bash

export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
failed=0
began=$SECONDS
games=/var/lib/gunbai/games

try() { # what, command ...
    local what=$1 from=$SECONDS
    shift
    if output=$("$@" 2>&1); then
        printf 'ok     %4d s  %s\n' $((SECONDS - from)) "$what"
    else
        printf 'FAILED %4d s  %s\n' $((SECONDS - from)) "$what"
        echo "$output" | tail -n 12 | sed 's/^/        | /'
        failed=1
    fi
}

until_true() { # seconds, command ...
    local end=$((SECONDS + $1))
    shift
    while [ $SECONDS -lt $end ]; do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.5
    done
    echo "waited in vain for: $*"
    systemctl --no-pager status gunbai gunbai-camera gunbai-fallen 2>&1 | tail -n 40
    return 1
}

property() { systemctl show -p "$2" --value "$1"; }
is() { [ "$(property "$1" "$2")" = "$3" ] || { echo "$1: $2 is $(property "$1" "$2"), not $3"; return 1; }; }
differs() { [ "$(property "$1" "$2")" != "$3" ]; }
fails() { ! "$@"; }
ends_with() { # status, command ...: it was refused, and did not break off in another way
    local wanted=$1 status
    shift
    "$@"
    status=$?
    [ $status = "$wanted" ] || { echo "ended with $status, not $wanted"; return 1; }
}
says() { # words, command ...
    local words=$1
    shift
    "$@" 2>&1 | tee /dev/stderr | grep -q -- "$words"
}
in_use() { readlink /opt/gunbai/current | grep -q "releases/$1"; }
owned_by() { [ "$(stat -c %U "$2")" = "$1" ]; } # user, file

# There is no screen, console or sound here: that much differs from the units as they are installed.
pretend() {
    for unit in gunbai gunbai-fallen; do
        mkdir -p "/etc/systemd/system/$unit.service.d"
        printf '[Service]\nEnvironment=SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy\nStandardInput=null\nStandardOutput=journal\nTTYPath=\nTTYReset=no\nTTYVHangup=no\nTTYVTDisallocate=no\n' \
            >"/etc/systemd/system/$unit.service.d/trial.conf"
    done
    systemctl daemon-reload
}
no_longer_pretend() {
    rm -rf /etc/systemd/system/gunbai.service.d/trial.conf /etc/systemd/system/gunbai-fallen.service.d
    rmdir --ignore-fail-on-non-empty /etc/systemd/system/gunbai.service.d 2>/dev/null
    systemctl daemon-reload
}

told_files() { # the names of all files that an installation might leave
    find / -xdev \( -path /proc -o -path /trial -o -path /run -o -path /tmp -o -path /var/tmp -o -path /var/log -o -path /var/lib/systemd \) \
        -prune -o -print 2>/dev/null | sort
}

save_game() { # name: as the app does
    runuser -u gunbai -- mkdir -p $games
    runuser -u gunbai -- bash -c "echo '{\"do\": \"new\", \"board\": \"sengoku-rivers\", \"initiative\": \"red\"}' >$games/$1.jsonl"
}
