#!/usr/bin/env bash
# Installs missing packages, builds Release, and starts the demo cluster and the window; without a display, the demonstration
# runs in the terminal. With --mindspore the window opens a real MindSpore LeNet job (4 ranks on 2 nodes).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
. packaging/install-build-tools.sh

usage() {
    cat <<'TEXT'
Usage: packaging/run.sh [--mindspore] [--terminal] [-- OPTIONS OF rankdeck]
  --mindspore   a real MindSpore LeNet job instead of the demo trainers
  --terminal    the story in the terminal although there is a display
TEXT
}
mindspore=no
terminal=no
while [ $# -gt 0 ]; do
    case $1 in
    --mindspore) mindspore=yes ;;
    --terminal) terminal=yes ;;
    --help | -h) usage; exit 0 ;;
    --) shift; break ;;
    *) usage >&2; exit 2 ;;
    esac
    shift
done

[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && terminal=yes
if [ "$terminal" = yes ]; then program=rankdeckctl; else program=rankdeck; fi
install_packages "${core_packages[@]}" "${window_packages[@]}"
echo "rankdeck: building (the first time takes minutes, then seconds)"
build_preset release -DRANKDECK_TESTS=OFF --target "$program" rankdeck-demo-trainer   # only the programs that are started below
bin=$PWD/build/release/bin

if [ "$mindspore" = yes ]; then
    install_mindspore
    . packaging/mindspore-job.sh
    mindspore_job_start "$PWD/build/mindspore-job" "$mindspore_python"
    trap mindspore_job_stop EXIT
    if [ "$terminal" = yes ]; then
        packaging/story.sh "$bin" "$mindspore_job_file"
    else
        "$bin/rankdeck" "$mindspore_job_file" "$@"
    fi
    exit
fi
if [ "$terminal" = yes ]; then
    packaging/story.sh "$bin"
else
    "$bin/rankdeck" --demo "$@"
fi
