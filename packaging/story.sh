#!/usr/bin/env bash
# The product in a terminal, on the demo cluster or on a given job: watch, judge, stop gracefully, resume, prove.
# Usage: packaging/story.sh BIN_DIRECTORY [JOB_FILE]
set -euo pipefail
bin=$1
job=${2:-}
state=$(mktemp -d "${TMPDIR:-/tmp}/rankdeck-story-XXXXXX")
demo=
cleanup() {
    [ -n "$demo" ] && kill "$demo" 2>/dev/null && wait "$demo" 2>/dev/null || true
    rm -rf "$state"
}
trap cleanup EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
tell() { say "$ rankdeckctl $*"; "$bin/rankdeckctl" --job "$job" --state-dir "$state/state" "$@"; }

if [ -z "$job" ]; then
    say "Starting the demo cluster: 8 ranks on 2 nodes, an sshd each, real training"
    mkfifo "$state/faults"
    sleep 100000 >"$state/faults" &
    hold=$!
    "$bin/rankdeckctl" demo --json <"$state/faults" >"$state/demo.json" &
    demo=$!
    trap 'kill $hold 2>/dev/null; cleanup' EXIT
    for _ in $(seq 150); do
        [ -s "$state/demo.json" ] && break
        kill -0 "$demo" 2>/dev/null || { echo "the demo cluster did not start" >&2; exit 1; }
        sleep 0.2
    done
    job=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["job"])' "$state/demo.json")
fi

tell watch --for 12
tell status
for _ in $(seq 60); do
    "$bin/rankdeckctl" --job "$job" --state-dir "$state/state" checkpoints >/dev/null 2>&1 && break
    sleep 1
done
tell checkpoints
tell exit --wait 180
tell checkpoints
tell resume --wait 240
tell watch --for 8
tell journal
say "That was Rankdeck without a display."
echo "For the window: run this on a desktop, or over \`ssh -X\`, or start a virtual one:"
echo "  Xvfb :7 -screen 0 1366x768x24 & DISPLAY=:7 packaging/run.sh"
