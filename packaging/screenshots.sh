#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the screenshots in docs/images from the real window, under Xvfb, following the steps of a new user: ticks hosts, finds the
# job that trains on them (the demo's, on two private sshds), edits, watches, stops and resumes it, and kills a rank.
# Usage: screenshots.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-build/release}/bin
out=${RANKDECK_IMAGES:-docs/images}
for tool in Xvfb openbox xdotool xprop import; do
    command -v "$tool" >/dev/null || { echo "screenshots: expected $tool, found none; apt-get install xvfb openbox xdotool x11-utils imagemagick" >&2; exit 2; }
done
[ -x "$bin/rankdeck" ] || { echo "screenshots: expected $bin/rankdeck, found none; build it first" >&2; exit 2; }
bin=$(realpath "$bin")
mkdir -p "$out"
work=$(mktemp -d)
mkdir -m 700 "$work/run" "$work/home"
started=()
cleanup() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap cleanup EXIT

export HOME=$work/home XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 LANGUAGE=
unset DBUS_SESSION_BUS_ADDRESS SSH_CONNECTION WAYLAND_DISPLAY
exec 7>"$work/display"
Xvfb -displayfd 7 -screen 0 1920x1080x24 -nolisten tcp >"$work/xvfb.log" 2>&1 &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
export DISPLAY=:$(cat "$work/display") QT_QPA_PLATFORM=xcb
openbox >"$work/openbox.log" 2>&1 &
started+=($!)
for _ in $(seq 100); do xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break; sleep 0.1; done

window=
until_title() {                       # pattern, seconds
    for _ in $(seq $(($2 * 4))); do
        window=$(xdotool search --onlyvisible --name "$1" 2>/dev/null | head -n 1 || true)
        [ -n "$window" ] && return 0
        sleep 0.25
    done
    echo "screenshots: expected a window named '$1' within $2 s, found $(xdotool search --onlyvisible --name . getwindowname %@ 2>/dev/null | tr '\n' '|')" >&2
    return 1
}
sized() { xdotool windowsize --sync "$window" "$1" "$2" windowmove "$window" 0 0 windowactivate --sync "$window" mousemove 1900 1070; sleep 1; }
shot() { sleep "${2:-1}"; import -window "$window" +repage "$out/$1.png"; echo "$out/$1.png"; }
key() { xdotool windowactivate --sync "$window" key --clearmodifiers "$1"; }
palette() { key ctrl+shift+p; sleep 0.7; xdotool type --delay 15 "$1"; sleep 0.4; xdotool key Return; sleep 0.7; }
click() { xdotool mousemove --window "$window" "$1" "$2" click 1 mousemove 1900 1070; sleep 0.3; }
job() { find "$work/state" -name '*.rankdeck.json' -path '*/jobs/*' 2>/dev/null | head -n 1; }
until_status() {                      # seconds, python expression over the document s
    for _ in $(seq "$1"); do
        "$bin/rankdeckctl" --json --job "$(job)" --state-dir "$work/look" --timeout 20 status 2>/dev/null |
            python3 -c "import json,sys; s=json.load(sys.stdin); sys.exit(0 if $2 else 1)" && return 0
        sleep 1
    done
    echo "screenshots: expected '$2' within $1 looks" >&2
    return 1
}

# The cluster, which reads faults from a pipe. Its nodes get realistic names, among those of other hosts.
mkfifo "$work/faults"
"$bin/rankdeckctl" --json demo <"$work/faults" >"$work/demo" & started+=($!)
exec 8>"$work/faults"
for _ in $(seq 600); do [ -s "$work/demo" ] && break; sleep 0.1; done
cluster=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["ssh_config"])' "$work/demo")
mkdir -p "$work/.ssh"
{
    sed 's/\bnode0\b/ascend-01/; s/\bnode1\b/ascend-02/' "$cluster"
    printf 'Host ascend-03\n    HostName 127.0.0.1\n    Port 9\nHost bastion\n    HostName 203.0.113.7\nHost lab-3\n    HostName 10.31.0.3\n'
} >"$work/.ssh/config"
sleep 15                              # by now it has saved checkpoints

"$bin/rankdeck" --ssh-config "$work/.ssh/config" --state-dir "$work/state/rankdeck" --theme light & started+=($!)
until_title '^Rankdeck$' 30
sized 1366 768
for row in 0 1 2; do click 38 $((162 + 27 * row)); done
shot first-start-light 0
for _ in $(seq 60); do [ -n "$(find "$work/state" -path '*/seen/*' -name '*.json' 2>/dev/null)" ] && break; sleep 0.5; done
shot found-light 4
click 1172 153                        # Edit job file…
shot editor-light 4
click 1072 103                        # Back to the jobs found
click 1279 153                        # Watch this job
until_title '^rankdeck-demo' 30
until_status 120 "s['newest_valid'] and len(s['ranks']) == 8 and all((r['global_step'] or 0) > 90 for r in s['ranks'])"
shot healthy-light 3
palette 'Dark'; shot healthy-dark
palette 'Light'

key ctrl+g
until_title '^ARMED' 20
shot stopping-light 1
until_title '^rankdeck-demo' 120
shot stopped-light 3
key ctrl+r
shot resume-light 5
palette 'Dark'; shot resume-dark; palette 'Light'
for fix in 1 2 3; do                  # each refusal has a button that fixes it; press the remaining ones
    key ctrl+Return; sleep 2
done
shot proving-light 2
until_status 120 "s['ranks'] and all(r['alive'] for r in s['ranks'])"
shot proof-light 25
key Escape
echo kill:5 >&8
until_title '^Rank 5 died' 60
palette 'Show the failure'
sized 1920 1080
palette 'Dark'; shot trouble-dark 2
palette 'Light'; shot trouble-light
