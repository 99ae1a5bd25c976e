#!/usr/bin/env bash
# Builds MicroPython for a Raspberry Pi Pico from Debian 13's packages: tests/firmware/build_image.sh [FILE.uf2]
#
# For the tests that need an image (PICO_UF2=FILE.uf2), not for players: it has no TLS and none of the libraries that
# Debian leaves out. debootstrap makes a system in a temporary folder; it takes root, some minutes and 3 GB.
#
#   KEEP=FOLDER   make the system in this folder, and keep it; one that is there already is used again
set -euo pipefail
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
file="$(realpath -m "${1:-build/RPI_PICO.uf2}")"
tree="${KEEP:-$(mktemp -d)}"
[ -n "${KEEP:-}" ] || trap 'rm -rf --one-file-system "$tree"' EXIT

if [ ! -e "$tree/etc/debian_version" ]; then
    debootstrap --variant=minbase --include=ca-certificates trixie "$tree" >/dev/null
fi
cp -L /etc/resolv.conf "$tree/etc/"
apt-config dump Acquire >"$tree/etc/apt/apt.conf.d/50host"
sed 's/^deb /deb-src /' "$tree/etc/apt/sources.list" >"$tree/etc/apt/sources.list.d/src.list"

chroot "$tree" bash -s <<'INSIDE'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends build-essential cmake dpkg-dev pico-sdk-source picotool tinyusb-source >/dev/null
rm -rf /build && mkdir /build && cd /build
apt-get source -qq --download-only micropython 2>/dev/null
mkdir micropython && tar xf micropython_*.orig.tar.xz -C micropython --strip-components=1
cd micropython
for each in pico-sdk tinyusb; do rm -rf lib/$each; ln -s /usr/src/$each lib/$each; done
touch lib/micropython-lib/README.md
# Without mbedtls, which Debian packs elsewhere, and what needs it.
sed -i '/^set(MICROPY_SSL_MBEDTLS ON)/d; /micropy_lib_mbedtls/d; /mbedtls_port.c/d' ports/rp2/CMakeLists.txt
sed -i 's/define \(MICROPY_SSL_MBEDTLS\|MICROPY_PY_SSL\|MICROPY_PY_CRYPTOLIB\|MICROPY_PY_HASHLIB_SHA1\) .*/define \1 (0)/' \
    ports/rp2/mpconfigport.h
printf '%s\n' 'freeze("$(PORT_DIR)/modules")' 'include("$(MPY_DIR)/extmod/asyncio")' >/build/manifest.py
make -j2 -C mpy-cross >/build/log 2>&1
cmake -S ports/rp2 -B /build/rp2 -DMICROPY_BOARD=RPI_PICO -DMICROPY_FROZEN_MANIFEST=/build/manifest.py >>/build/log 2>&1
make -j2 -C /build/rp2 >>/build/log 2>&1 || { tail -30 /build/log >&2; exit 1; }
INSIDE

install -D -m 644 "$tree/build/rp2/firmware.uf2" "$file"
echo "Wrote $file: $(strings "$file" | grep -om1 'MicroPython v[0-9.]*') for a Pico."
