#!/bin/sh
# The installed Gunbai, as /usr/local/bin/gunbai. The user gunbai has the games and settings of the service.
#
# Root's self-check, backup and restore are that user's, and become so before any of Gunbai starts: what lies in that
# user's folders gives nobody more rights. Root's other commands shed what leads astray by themselves (the launcher).
here=/opt/gunbai/current
standard=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

lowered() { # rights ... env variables command ...: with no way back to root, not even by root's terminal
    setsid --wait setpriv --no-new-privs "$@"
}

ours() { # command ...: as the user gunbai, with nothing of root's
    lowered --reuid=gunbai --regid=gunbai --init-groups env -i PATH="$PATH" LANG="${LANG-}" TERM="${TERM-}" "$@"
}

is_apart() { # path: nothing on the way to it is gunbai's, who could have put a link there
    case "/$1/" in */../*) return 1 ;; esac
    for way in "$(realpath -ms -- "$1")" "$(realpath -m -- "$1")"; do
        [ "$way" ] || return 1
        while [ "$way" != / ]; do
            [ "$(stat -c %U -- "$way" 2>/dev/null)" != gunbai ] || return 1
            way=$(dirname -- "$way")
        done
    done
}

back_up() { # a folder that gunbai may not write gets its copy from the folder's owner
    to= last=
    for word; do
        case "$last" in --t | --to) to=$word ;; esac
        case "$word" in --t=* | --to=*) to=${word#*=} ;; esac
        last=$word
    done
    near=${to:-/var/lib/gunbai}
    until [ -e "$near" ]; do near=$(dirname -- "$near"); done
    if [ "$to" = - ] || ours test -w "$near" || ! is_apart "$near"; then
        ours "$0" "$@"
        return
    fi
    copy=$(mktemp) || return
    trap 'rm -f "$copy"' EXIT
    ours "$0" backup --to - >"$copy" || return
    lowered --reuid="$(stat -Lc %u -- "$near")" --regid="$(stat -Lc %g -- "$near")" --clear-groups \
        env -i PATH="$PATH" LANG="${LANG-}" HOME=/ "$here/gunbai" "$@" --stdin <"$copy"
}

restore() { # a copy that gunbai may not read is opened by root
    file=
    for word; do
        case "$word" in -* | restore) ;; *) file=$word ;; esac
    done
    if ! [ -f "$file" ] || ours test -r "$file" || ! is_apart "$file"; then
        ours "$0" "$@"
        return
    fi
    for word; do
        shift
        [ "$word" != "$file" ] || word=-
        set -- "$@" "$word"
    done
    ours "$0" "$@" <"$file"
}

case "$(id -un) ${1-}" in
"root doctor" | "root backup" | "root restore")
    PATH=$standard
    [ ! -t 0 ] || exec </dev/null
    case "$1" in
    doctor) ours "$0" "$@" ;;
    backup) back_up "$@" ;;
    restore) restore "$@" ;;
    esac
    exit
    ;;
gunbai\ *)
    set -a
    . "$here/systemd/gunbai.env"
    set +a
    ;;
esac
exec "$here/gunbai" "$@"
