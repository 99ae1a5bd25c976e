#!/usr/bin/env bash
# The README's two commands on a clean Debian: tests/fresh_machine.sh [RELEASE...], by default bookworm and trixie.
#
# debootstrap makes each system in a temporary folder, with nothing but git, make and python3-venv. HEAD of this checkout
# is cloned into it; `make run` must serve its page, and `make test` must pass with CI=true. Changes that are not
# committed are not tested. The registries are those of this machine: its settings for apt, pip and npm are copied.
# It takes root, some minutes and 6 GB for each system. The logs are kept in build/fresh/.
#
#   TEST="make setup"   the command to run instead of `make test`
#   KEEP=1              keep the systems and print where they are
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

# Inside the system, as root in the clone: `make run` until its page answers, then the tests.
commands() {
    set -euo pipefail
    cd /root/cribbage
    python3 --version
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    SECONDS=0
    setsid make run PORT="$port" &
    until python3 - "http://127.0.0.1:$port/api/health" <<'PYTHON'; do
import sys, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1], timeout=5).read().decode())
except OSError:
    sys.exit(1)
PYTHON
        kill -0 $! || { echo "make run ended before its page answered"; exit 1; }
        sleep 0.5
    done
    echo "make run: the page answered after ${SECONDS} s; .venv has $(du -sm .venv | cut -f1) MB"
    kill -TERM -- -$!
    wait $! || true
    SECONDS=0
    export CI=true
    local status=0
    bash -c "$TEST" || status=$?
    echo "$TEST: exit code $status after ${SECONDS} s; .venv has $(du -sm .venv | cut -f1) MB, the system $(du -smx --exclude=/root/cribbage / | cut -f1) MB"
    return $status
}

# What lets apt, pip and npm in the system reach the same registries as on this machine.
copy_settings() {
    local tree="$1" file
    for file in /etc/resolv.conf /etc/hosts /etc/pip.conf; do
        [ ! -e "$file" ] || cp -L "$file" "$tree$file"
    done
    for file in .config/pip/pip.conf .pip/pip.conf .npmrc; do
        [ ! -e ~/"$file" ] || install -D -m 600 ~/"$file" "$tree/root/$file"
    done
    file="$(npm config get globalconfig 2>/dev/null || true)"
    [ ! -e "$file" ] || cp -L "$file" "$tree/etc/npmrc"
    apt-config dump Acquire >"$tree/etc/apt/apt.conf.d/50host"
    mkdir -p "$tree/usr/local/share/ca-certificates"
    cp -rL /usr/local/share/ca-certificates/. "$tree/usr/local/share/ca-certificates/" 2>/dev/null || true
    chroot "$tree" update-ca-certificates >/dev/null 2>&1
}

# A clean system in $1 with a clone of HEAD, and both commands in it. No process or mount outlives it.
test_release() {
    local tree="$1" release="$2" mirror
    mirror="$(apt-get indextargets 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' --format '$(REPO_URI)' | head -n 1)"
    debootstrap --variant=minbase --include=git,make,python3-venv,ca-certificates "$release" "$tree" ${mirror:+"$mirror"} >"$tree.log" 2>&1 ||
        { tail -n 20 "$tree.log"; return 1; }
    copy_settings "$tree"
    # As in a container: a package that brings a service does not start it.
    printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"
    chmod 755 "$tree/usr/sbin/policy-rc.d"
    git -c advice.detachedHead=false clone -q "file://$root" "$tree/root/cribbage"
    local kept=()
    while IFS= read -r -d '' each; do kept+=("$each"); done < <(env -0 | grep -zEi '^(pip_|npm_config_|ssl_cert_|requests_ca_|node_extra_ca_|[a-z]*_proxy=)')
    unshare --mount --pid --fork --kill-child bash -c '
        set -e
        mount -t proc proc "$0/proc"; mount -t sysfs sysfs "$0/sys"
        mount --rbind /dev "$0/dev"; mount -t tmpfs tmpfs "$0/dev/shm"
        exec chroot "$0" env -i "$@"
    ' "$tree" "${kept[@]}" HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        TEST="${TEST:-make test}" bash -c "$(declare -f commands); commands" </dev/null
}

main() {
    if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null || ! command -v unshare >/dev/null; then
        echo "SKIPPED: tests/fresh_machine.sh makes clean Debian systems, which takes root and debootstrap." >&2
        [ "${CI:-}" != true ]
        return
    fi
    local folder failed=0 release log
    folder="$(mktemp -d --tmpdir fresh-machine.XXXXXX)"
    mkdir -p "$root/build/fresh"
    if [ -n "${KEEP:-}" ]; then echo "The systems stay in $folder"; else trap "rm -rf --one-file-system '$folder'" EXIT; fi
    [ $# -gt 0 ] || set -- bookworm trixie
    for release; do
        log="$root/build/fresh/$release.log"
        echo "$release: $(git -C "$root" log -1 --format='%h %s'); the log is build/fresh/$release.log"
        if test_release "$folder/$release" "$release" >"$log" 2>&1; then
            echo "$release: passed"
        else
            echo "$release: FAILED"; failed=1
        fi
        tail -n 25 "$log" | sed "s/^/$release| /"
        [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$folder/$release"
    done
    return $failed
}

main "$@"
