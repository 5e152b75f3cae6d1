#!/usr/bin/env bash
# Makes rankdeckctl_VERSION_ARCH.deb, which needs no Qt; rankdeck_VERSION_ARCH.deb, the window, which depends on it; and
# rankdeckctl-VERSION-linux-MACHINE.tar.gz, which runs from any directory without root, on Linux with at least this glibc.
#   package.sh [--build DIR] [--out DIR]
#   --build DIR   an existing build tree, instead of building Release
#   --out DIR     directory for the packages; default: build/packages
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
. packaging/install-build-tools.sh

tree= out=build/packages
while [ $# -gt 0 ]; do
    case $1 in
    --build) tree=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --help | -h) sed -n '2,7p' "$0"; exit 0 ;;
    *) sed -n '2,7p' "$0" >&2; exit 2 ;;
    esac
done
install_packages "${core_packages[@]}" "${window_packages[@]}" dpkg-dev binutils patchelf
if [ -z "$tree" ]; then
    build_preset release --target rankdeck rankdeckctl rankdeck-demo-trainer rankdeck_completions
    tree=build/release
fi
version=$(sed -nE 's/^project\(rankdeck VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
arch=$(dpkg --print-architecture)
who='The Rankdeck authors <rankdeck@users.noreply.github.com>'
when=$(git log -1 --format=%cd --date=rfc 2>/dev/null || date -R)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Usage: package NAME COMPONENT SECTION MORE_DEPENDS RECOMMENDS SHORT LONG…
package() {
    local name=$1 component=$2 section=$3 more=$4 recommends=$5 short=$6 root=$work/$1 file
    shift 6
    DESTDIR=$root cmake --install "$tree" --component "$component" --prefix /usr >/dev/null
    local doc=$root/usr/share/doc/$name
    mkdir -p "$doc" "$root/DEBIAN"
    cp packaging/copyright "$doc/copyright"
    printf 'rankdeck (%s) unstable; urgency=medium\n\n  * See https://github.com/rankdeck/rankdeck, CHANGELOG.md.\n\n -- %s  %s\n' \
        "$version" "$who" "$when" | gzip -9n >"$doc/changelog.gz"
    find "$root/usr/share/man" -type f -name '*.[0-9]' -exec gzip -9n {} +
    find "$root" -type d -exec chmod 755 {} +
    local programs=()
    while IFS= read -r file; do programs+=("$file"); done < <(find "$root/usr/bin" "$root/usr/libexec" -type f 2>/dev/null)
    for file in "${programs[@]}"; do strip --remove-section=.comment --remove-section=.note "$file"; done
    # dpkg-shlibdeps must run inside a source package.
    mkdir -p "$work/source-$name/debian"
    printf 'Source: rankdeck\n\nPackage: %s\nArchitecture: any\n' "$name" >"$work/source-$name/debian/control"
    local needs
    needs=$(cd "$work/source-$name" && dpkg-shlibdeps -O "${programs[@]}" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
    {
        printf 'Package: %s\nSource: rankdeck\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' "$name" "$version" "$arch" "$who"
        printf 'Installed-Size: %s\n' "$(du -sk --exclude=DEBIAN "$root" | cut -f1)"
        printf 'Depends: %s%s\n' "$needs" "${more:+, $more}"
        [ -z "$recommends" ] || printf 'Recommends: %s\n' "$recommends"
        printf 'Section: %s\nPriority: optional\nHomepage: https://github.com/rankdeck/rankdeck\nDescription: %s\n' "$section" "$short"
        printf ' %s\n' "$@"
    } >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
    dpkg-deb --root-owner-group --build "$root" "$out/${name}_${version}_${arch}.deb" >/dev/null
    echo "$out/${name}_${version}_${arch}.deb"
}

# The command-line programs with the libraries that they need, except glibc, and with the licence texts of these libraries.
tarball() {
    local name=rankdeckctl-$version-linux-$(uname -m) program library wanted owner
    local root=$work/$name
    cmake --install "$tree" --component ctl --prefix "$root" >/dev/null
    mkdir -p "$root/lib" "$root/share/doc/rankdeck"
    cp packaging/copyright "$root/share/doc/rankdeck/copyright"
    for program in "$root/bin/rankdeckctl" "$root/libexec/rankdeck/rankdeck-demo-trainer"; do
        strip --remove-section=.comment --remove-section=.note "$program"
        while IFS= read -r library; do
            wanted=$(basename "$library")
            library=$(realpath "$library")
            owner=$(dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "${library#/usr}")   # registered without /usr
            owner=${owner%%:*}
            [ "$owner" != libc6 ] || continue
            cp "$library" "$root/lib/$wanted"
            cp "/usr/share/doc/$owner/copyright" "$root/share/doc/rankdeck/copyright.$owner"
        done < <(ldd "$program" | sed -nE 's/.* => (\/[^ ]+) .*/\1/p')
    done
    # RPATH instead of RUNPATH, because it also applies when the libraries load each other.
    patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$root/bin/rankdeckctl"
    patchelf --force-rpath --set-rpath '$ORIGIN/../../lib' "$root/libexec/rankdeck/rankdeck-demo-trainer"
    tar --create --gzip --file "$out/$name.tar.gz" --owner=0 --group=0 --numeric-owner --sort=name --mtime="$when" -C "$work" "$name"
    echo "$out/$name.tar.gz"
}

tarball
package rankdeckctl ctl net 'openssh-client' 'openssh-server, bash-completion' 'watch, judge, stop and resume distributed training over SSH' \
    'Follows the ranks of a training job on their nodes over SSH, judges its' \
    'checkpoints across all ranks, stops it gracefully and resumes it from the' \
    'newest set that is proven consistent. Nothing is installed on a node.' \
    . \
    'This package has the headless program for scripts and login nodes.'
package rankdeck window net "rankdeckctl (= $version)" 'libqt6svg6, openssh-server, fonts-dejavu-core | fonts-noto-core' 'desktop console for distributed training over SSH' \
    'Shows the loss and the checkpoints of every rank of a training job on one' \
    'step axis, stops the job gracefully with one click and resumes it from the' \
    'newest set of checkpoints that is proven consistent. Nothing is installed on' \
    'a node.' \
    . \
    'This package has the window.'
