#!/bin/sh
# The installed Gunbai, as /usr/local/bin/gunbai. As its own user, and as root for backup and restore, it has the games
# and settings of the service.
here=/opt/gunbai/current
case "$(id -un) $1" in
gunbai\ * | "root backup" | "root restore")
    set -a
    . "$here/systemd/gunbai.env"
    set +a
    ;;
esac
exec "$here/gunbai" "$@"
