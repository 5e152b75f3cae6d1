#!/usr/bin/env bash
# clang-format on every first-party file; clang-tidy on the folders below, with the compile commands of the newest build.
# --fix formats in place.
set -uo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.cpp' '*.h')
if [ "${1:-}" = --fix ]; then
    clang-format -i "${files[@]}"
    exit
fi
clang-format --dry-run --Werror "${files[@]}" 2>build/format.log || { grep -E 'error' build/format.log | cut -d: -f1 | sort -u | head -20; exit 1; }
database=
for preset in release dev asan; do [ -e build/$preset/compile_commands.json ] && { database=build/$preset; break; }; done
[ -n "$database" ] || { echo "build first: clang-tidy needs compile_commands.json" >&2; exit 1; }
# folder by folder, as each was gone through; the rest follows
git ls-files 'core/base/*.cpp' 'core/job/*.cpp' 'core/journal/*.cpp' 'core/follow/*.cpp' 'core/verdict/*.cpp' 'core/engine/*.cpp' 'app/ctl/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$database" --extra-arg=-Wno-unknown-warning-option >build/tidy.log 2>/dev/null
if grep -qE 'warning:|error:' build/tidy.log; then
    grep -E 'warning:|error:' build/tidy.log | sort -u | head -30
    exit 1
fi
