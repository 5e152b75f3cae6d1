#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages of DIRECTORY in a clean root of a Debian: installed, run, removed, and nothing of them left; and the tarball
# in the same root before anything was installed. As root, with mmdebstrap and a mirror of Debian.
#   clean_root.sh DIRECTORY [--suite bookworm|trixie] [--root TAR] [--tarball-only]
# --root TAR: one that mmdebstrap has made before. --tarball-only: where the packages are of another Debian.
set -euo pipefail
packages= suite=bookworm tar= only=
while [ $# -gt 0 ]; do
    case $1 in
    --suite) suite=$2; shift 2 ;;
    --root) tar=$2; shift 2 ;;
    --tarball-only) only=1; shift ;;
    -*) sed -n '3,7p' "$0" >&2; exit 2 ;;
    *) packages=$1; shift ;;
    esac
done
[ -n "$packages" ] && [ "$(id -u)" -eq 0 ] || { sed -n '3,7p' "$0" >&2; exit 2; }
root=$(mktemp -d)
cleanup() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap cleanup EXIT
if [ -n "$tar" ]; then tar -C "$root" -xf "$tar"; else mmdebstrap --variant=minbase "$suite" "$root" >/dev/null; fi
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/packages"
cp "$packages"/*.deb "$packages"/*.tar.gz "$root/packages/"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# What packages own or leave; not what the system keeps about itself.
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./var -o -path ./tmp -o -path ./run -o -path ./packages -o -path ./root \) -prune -o -type f -print | grep -iE "$1" | sort) || true; }

echo "tarball: $(inside sh -c 'mkdir /opt/x && tar -C /opt/x -xf /packages/rankdeckctl-*.tar.gz && /opt/x/*/bin/rankdeckctl --version')"
inside sh -c 'rm -r /opt/x'
[ -z "$only" ] || exit 0
inside apt-get update -qq
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/rankdeckctl_*.deb openssh-server' >/dev/null 2>&1
[ -z "$(inside dpkg-query -W -f '${Package}\n' | grep -i qt6)" ] || { echo "rankdeckctl brought Qt" >&2; exit 1; }
echo "rankdeckctl: $(inside rankdeckctl --version); demo: $(inside rankdeckctl demo --nodes 1 --ranks 1 --for 2)"
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/rankdeck_*.deb fonts-dejavu-core' >/dev/null 2>&1
echo "rankdeck: $(inside rankdeck --version)"
inside env QT_QPA_PLATFORM=offscreen timeout 5 rankdeck && { echo "the window ended by itself" >&2; exit 1; } || [ $? -eq 124 ]
echo "files: $(files rankdeck | wc -l)"
inside apt-get purge -y -qq rankdeck rankdeckctl >/dev/null 2>&1
left=$(files rankdeck)
[ -z "$left" ] || { printf 'left behind:\n%s\n' "$left" >&2; exit 1; }
[ -z "$(inside sh -c 'ls -d /var/lib/*rankdeck* /etc/*rankdeck* 2>/dev/null')" ]
echo "removed, and nothing is left"
