# Debian root file systems for the checks too heavy for the tests: sourced by .ci/arm64, .ci/debian and .ci/systemd.
# shellcheck shell=bash
#
# The check sets first: ROOT, the tree to check; KEEP, the folder for root file systems, logs and results.

PLAYER=1000 # the number of the user `player` in the root file systems
AS=player   # who runs Gunbai there: player, or root
MOST_WISHES=6
FAILED=0  # of all stages
STATUS=0  # of the last one
BLOCKED=0 # one without which the others of its suite cannot be run

# ---- stages: one row each ------------------------------------------------------------------------

begin_table() { # the heading of the results
    rm -rf "$KEEP/log" "$KEEP/results.txt"
    mkdir -p "$KEEP/log"
    row where stage time CPU "commit $(git -C "$ROOT" rev-parse --short HEAD), $(date -u +%F), $1"
}

row() { # where, stage, seconds by the clock and of CPU, result
    printf '%-15s %-22s %7s %7s  %s\n' "$@" | tee -a "$KEEP/results.txt"
}

# stage WHERE NAME COMMAND...: run it, log its output, and note its times and last line.
stage() {
    local where=$1 name=$2 log begin=$SECONDS verdict=ok TIMEFORMAT='%U %S'
    shift 2
    if ((BLOCKED)); then return; fi
    log=$KEEP/log/$where-${name//[^a-z0-9]/-}.txt
    set +e
    { time { (set -e; "$@"); } >"$log" 2>&1 </dev/null; } 2>"$KEEP/spent"
    STATUS=$?
    set -e
    if ((STATUS)); then verdict="FAILED ($STATUS)" FAILED=1; fi
    row "$where" "$name" "$((SECONDS - begin)) s" "$(awk '{ printf "%.0f s", $1 + $2 }' "$KEEP/spent")" "$verdict: $(grep -v '^ *$' "$log" | tail -n 1 | cut -c -120)"
}

# needed WHERE NAME COMMAND...: a stage that everything after it depends on.
needed() {
    stage "$@"
    if ((STATUS)); then BLOCKED=1; fi
}

# ---- a root file system ------------------------------------------------------------------------

mirror() { # of the host's own Debian packages
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -n 1
}

# make_pristine TREE SUITE PACKAGES [OPTION...]: a bare Debian with these packages, unless one is left from before.
make_pristine() {
    local tree=$1 suite=$2 packages=$3
    shift 3
    if [[ -d $tree ]]; then
        echo "kept from before"
        return
    fi
    rm -rf "$tree.part"
    mkdir -p "$(dirname "$tree")"
    debootstrap "$@" --variant=minbase --include="$packages" "$suite" "$tree.part" "$(mirror)"
    rm -f "$tree.part"/var/cache/apt/archives/*.deb
    mv "$tree.part" "$tree"
    echo "made, $(du -sm "$tree" | cut -f 1) MB"
}

home_of() { if [[ $1 == root ]]; then echo /root; else echo "/home/$1"; fi; } # USER

# enter TREE USER COMMAND: run a line of shell in the tree, in its own mount namespace, so its mounts vanish with it.
# $APART adds namespaces: --net leaves no network.
enter() {
    local tree=$1 user=$2 line=$3 home packages=()
    home=$(home_of "$user")
    mapfile -t packages < <(way_to_packages)
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child ${APART:+"$APART"} bash -c '
        set -e
        tree=$1 user=$2
        shift 2
        mount --rbind /dev "$tree/dev"
        mount -t proc proc "$tree/proc"
        mount -t tmpfs tmpfs "$tree/run"
        exec chroot --userspec="$user" "$tree" /usr/bin/env -i "$@"
    ' enter "$tree" "$user" HOME="$home" USER="$user" LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${packages[@]}" /bin/sh -c "$line"
}

way_to_packages() { # environment variables, one per line: pip and apt reach their packages there as they do here
    local setting value
    for setting in index-url trusted-host proxy timeout; do
        if value=$(python3 -m pip config get "global.$setting" 2>/dev/null); then
            echo "PIP_$(tr a-z- A-Z_ <<<"$setting")=${value//$'\n'/ }"
        fi
    done
    env | grep -E '^(PIP_(INDEX_URL|TRUSTED_HOST|PROXY|TIMEOUT|DEFAULT_TIMEOUT)|(https?|no)_proxy|(HTTPS?|NO)_PROXY)=' || true
    # Older pips bring their own certificates, without the extra ones that this host trusts.
    if has_own_certificates; then echo PIP_CERT=/etc/ssl/certs/ca-certificates.crt; fi
}

has_own_certificates() { compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; }

make_tree() { # SUITE: a fresh copy of the pristine one with a user, the network's names, and a clone of the commit
    local tree=$KEEP/$1
    remove_tree "$1"
    cp -a "$KEEP/$1.pristine" "$tree"
    cp --dereference /etc/resolv.conf "$tree/etc/resolv.conf"
    trust_ours "$tree"
    enter "$tree" root "useradd --uid $PLAYER --create-home player && apt-get -q update"
    clone "$tree$(home_of "$AS")/gunbai"
    chown -R "$PLAYER:$PLAYER" "$tree/home/player"
    enter "$tree" "$AS" ". /etc/os-release && echo \"\$PRETTY_NAME, \$(python3 --version), \$(uname -m), as \$(id -un)\""
}

trust_ours() { # TREE: whom this machine trusts
    if has_own_certificates; then
        cp /usr/local/share/ca-certificates/*.crt "$1/usr/local/share/ca-certificates/"
        enter "$1" root "update-ca-certificates"
    fi
}

remove_tree() { rm -rf --one-file-system "${KEEP:?}/$1"; }

clone() { git clone --quiet --no-hardlinks "$ROOT" "$1"; }

# ---- running: there as the user $AS, here as the current user -------------------------------------------

# ours TREE LINE: run it where Gunbai was cloned; TREE / is this machine.
ours() {
    if [[ $1 == / ]]; then
        (cd "$KEEP/here" && bash -c "$2")
    else
        enter "$1" "$AS" "cd \"\$HOME\"/gunbai && $2"
    fi
}

# as_told TREE LINE: run it, install what it says is missing, as a person would, and name it; then run it again.
as_told() {
    local said=$KEEP/said asked=()
    until ours "$1" "$2" >"$said" 2>&1; do
        cat "$said"
        [[ $(<"$said") =~ 'sudo apt-get install '([a-z0-9 .+-]+) ]] && ((${#asked[@]} < MOST_WISHES)) || return 1
        asked+=("${BASH_REMATCH[1]}")
        enter "$1" root "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${BASH_REMATCH[1]}"
    done
    cat "$said"
    echo "done; it asked for: ${asked[*]:-nothing}"
}
