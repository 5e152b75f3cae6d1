# shellcheck shell=bash
# Sourced by run.sh and test.sh: installs missing packages on Debian 12, as root or with sudo. Prints once what it installs.
# Usage: install_packages NAME…

install_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "rankdeck: these packages are missing and neither root nor sudo is here to install them: ${missing[*]}" >&2; return 1; }
        as_root=(sudo)
    fi
    echo "rankdeck: installing ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=600)
    "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null ||
        { echo "rankdeck: Debian's packages could not be installed: ${missing[*]}" >&2; return 1; }
}

core_packages=(g++ cmake ninja-build pkg-config ccache git ca-certificates python3 openssh-client openssh-server
    nlohmann-json3-dev libssh-dev libre2-dev libsqlite3-dev libfyaml-dev libfast-float-dev zlib1g-dev libssl-dev libcli11-dev procps)
window_packages=(qt6-base-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libqcustomplot-dev libqt6svg6 libgl-dev libvulkan-dev fonts-dejavu-core)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev clang-format clang-tidy clang libclang-rt-14-dev xvfb openbox xauth x11-utils xdotool imagemagick fonts-wqy-microhei
    ripgrep iproute2 acl dbus openssh-sftp-server python3-yaml lintian desktop-file-utils appstream dpkg-dev patchelf
    at-spi2-core gir1.2-atspi-2.0 python3-gi)
engine_packages=(slurmctld slurmd slurm-client openmpi-bin)   # a private Slurm that runs as an ordinary user; mpirun
torch_packages=(python3-torch)                    # for torchrun, on the CPU
mindspore_packages=(python3-venv python3-pip iproute2)

# Builds a preset; a repeated build takes seconds. Usage: build_preset PRESET [-DOPTION=VALUE…] [--target NAME…]
build_preset() {
    local preset=$1 options=()
    shift
    while [ $# -gt 0 ] && [ "$1" != --target ]; do options+=("$1"); shift; done
    if command -v ccache >/dev/null && ! ccache_is_usable; then
        export CCACHE_DISABLE=1
        echo "rankdeck: the compiler cache $(ccache --get-config cache_dir) cannot be written; compiling without it"
    fi
    cmake --preset "$preset" "${options[@]}" >"build/$preset.configure.log" 2>&1 || { cat "build/$preset.configure.log" >&2; return 1; }
    cmake --build --preset "$preset" -j "$(nproc)" "$@" >"build/$preset.build.log" 2>&1 || { grep -E 'error|FAILED|warning' "build/$preset.build.log" | head -40 >&2; return 1; }
}

ccache_is_usable() {
    local directory
    directory=$(ccache --get-config cache_dir 2>/dev/null) && mkdir -p "$directory" 2>/dev/null && [ -w "$directory" ]
}

# Installs real MindSpore from PyPI in a private virtual environment. Sets $mindspore_python to its interpreter.
install_mindspore() {
    install_packages "${mindspore_packages[@]}" || return 1
    local venv=$PWD/build/mindspore
    mindspore_python=$venv/bin/python
    if [ ! -e "$venv/ready-2.7.0" ]; then
        echo "rankdeck: installing MindSpore 2.7.0 into build/mindspore (about 2.6 GB)"
        rm -rf "$venv"
        local base=python3 candidate
        for candidate in python3.11 python3.10 python3.9; do command -v "$candidate" >/dev/null && { base=$candidate; break; }; done
        "$base" -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 5 --timeout 60 'mindspore==2.7.0' || return 1
        touch "$venv/ready-2.7.0"
    fi
    local packages
    packages=$("$mindspore_python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])') || return 1
    cp packaging/mindspore/one_core.py "$packages/rankdeck_one_core.py" && echo 'import rankdeck_one_core' >"$packages/rankdeck_one_core.pth"
}
