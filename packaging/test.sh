#!/usr/bin/env bash
# Installs missing packages, builds, tests, and prints "N passed, N failed" at the end. The exit code is 0 only without failures.
#   test.sh                    the check for every change: all deterministic tests and one real scenario of each kind
#   test.sh --all              all parts; a part that has passed for the same tree is skipped
#   test.sh --all --part N/M   every M-th part of that, beginning with the N-th
#   test.sh --part NAME        one part, even if it has passed before
#   test.sh --list             the parts: their content, their duration, and whether they have passed for this tree
#   test.sh --only NAME        the tests with NAME in their names, run as in the check, with their full output
# docs/testing.md describes the tests. A successful run without options writes the hash of the checked tree to build/checked.
set -uo pipefail
cd "$(dirname "$0")/.."
. packaging/install-build-tools.sh
. packaging/checks/report.sh
. packaging/checks/parts.sh

usage() { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; }

mode=check
share=1/1
name=
while [ $# -gt 0 ]; do
    case $1 in
    --all) mode=all ;;
    --part)
        case ${2:-} in
        [0-9]*/[0-9]*) mode=all share=$2 ;;
        ?*) mode=part name=$2 ;;
        *) usage >&2; exit 2 ;;
        esac
        shift
        ;;
    --only) mode=only name=${2:-}; [ -n "$name" ] || { usage >&2; exit 2; }; shift ;;
    --list) mode=list ;;
    --help | -h) usage; exit 0 ;;
    *) echo "test.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done

mkdir -p build || { echo "test.sh: cannot write build/ in $PWD" >&2; exit 1; }
tree=$(tree_hash)   # empty outside a Git checkout

case $mode in
list) list_parts "$tree"; exit 0 ;;
only) run_only "$name"; exit ;;
esac
exec 9>build/lock
flock -n 9 || { echo "test.sh: another check runs in $PWD; two would overwrite each other's results" >&2; exit 1; }
enough_room || exit 1
rm -rf build/failed

case $mode in
check) run_part check "$tree" ;;
part) known_part "$name" || { echo "test.sh: no part is called $name; they are: ${part_names[*]}" >&2; exit 2; }; run_part "$name" "$tree" ;;
all) run_share "$share" "$tree" || exit 2 ;;
esac
[ $mode != all ] || list_left "$tree"
conclude || exit 1
[ $mode != check ] || [ -z "$tree" ] || [ "$tree" != "$(tree_hash)" ] || echo "$tree" >build/checked
