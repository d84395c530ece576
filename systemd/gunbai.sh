#!/bin/sh
# The installed Gunbai, as /usr/local/bin/gunbai. As its own user, and as root for backup and restore, it has the games
# and settings of the service. Root's self-check is that of the service, with its rights.
here=/opt/gunbai/current
case "$(id -un) $1" in
"root doctor")
    exec runuser -u gunbai -- "$0" "$@"
    ;;
gunbai\ * | "root backup" | "root restore")
    set -a
    . "$here/systemd/gunbai.env"
    set +a
    ;;
esac
exec "$here/gunbai" "$@"
