# A Debian of roots.sh, booted in a container (systemd-nspawn) to try the appliance in it: sourced by .ci/systemd and .ci/deb.
# shellcheck shell=bash
#
# The check sets first: ROOT, the tree to check; suite; base, the bare system; scratch, a folder that the container has as
# /trial. What it tells is in scratch/out.

# pack_trees OPTION...: the last commit as an update, a newer release, and a newer one that doesn't start.
pack_trees() {
    mkdir -p "$scratch"/{sound,newer,broken}
    git -C "$ROOT" archive HEAD | tar -x -C "$scratch/sound"
    cp -a "$scratch/sound/." "$scratch/newer"
    cp -a "$scratch/sound/." "$scratch/broken"
    sed -i 's/^__version__ = .*/__version__ = "98.0.0"/' "$scratch/newer/companion/__init__.py"
    sed -i 's/^__version__ = .*/__version__ = "99.0.0"/' "$scratch/broken/companion/__init__.py"
    sed -i 's/^def run(options.*/&\n    raise SystemExit(7)\n/' "$scratch/broken/companion/commands/play.py"
    SOURCE_DATE_EPOCH=$(git -C "$ROOT" log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    for tree in sound newer broken; do
        "$scratch/$tree/gunbai" pack -o "$scratch/$tree.update" "$@"
    done
}

# lay_root FOLDER: a copy of the bare system there, which is gone with the folder.
lay_root() {
    mkdir -p "$1"/{upper,work,root}
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$1/upper,workdir=$1/work" "$1/root"
}

boot() { # OPTION...: until it powers off or restarts
    SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --boot --register=no --keep-unit "$@" \
        --machine="gunbai-$suite" --directory="$scratch/root" --bind="$scratch:/trial" </dev/null >>"$scratch/out/console" 2>&1 || true
}

# run_trial SCRIPT OPTION...: boot the system laid at $scratch, run the script in it as root, and once more after it has
# asked for a restart by /trial/out/again; then what it told, and whether all went well.
run_trial() {
    local script=$1 wanted=0
    shift
    mkdir -p "$scratch/out"
    cp "$ROOT/.ci/trial.sh" "$scratch/"
    cp "$script" "$scratch/root/usr/local/bin/trial"
    cat >"$scratch/root/etc/systemd/system/trial.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/bash -c 'timeout 1800 /usr/local/bin/trial >>/trial/out/told 2>&1; echo \$\$? >>/trial/out/status; \
    if [ -e /trial/out/again ]; then systemctl --no-block reboot; else systemctl --no-block poweroff; fi'
TimeoutStartSec=infinity
UNIT
    mkdir -p "$scratch/root/etc/systemd/system/default.target.wants"
    ln -s ../trial.service "$scratch/root/etc/systemd/system/default.target.wants/trial.service"
    boot "$@"
    if [ -e "$scratch/out/again" ]; then
        wanted=$'0\n0'
        boot "$@"
    fi
    cat "$scratch/out/told"
    [ "$(cat "$scratch/out/status")" = "$wanted" ]
}
