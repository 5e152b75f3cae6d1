#!/usr/bin/env bash
# Runs clang-format on all first-party files, and clang-tidy on files that have changed since the branch left main.
#   --all     clang-tidy on all files
#   --format  clang-format only
#   --fix     formats in place, nothing else
set -uo pipefail
cd "$(dirname "$0")/.."
all=no
format_only=no
case ${1:-} in
'') ;;
--all) all=yes ;;
--format) format_only=yes ;;
--fix) git ls-files -z '*.cpp' '*.h' | xargs -0 clang-format -i; exit ;;
*) sed -n '2,5p' "$0" >&2; exit 2 ;;
esac
mkdir -p build
if ! git ls-files -z '*.cpp' '*.h' | xargs -0 clang-format --dry-run --Werror 2>build/format.log; then
    echo "not formatted (packaging/lint.sh --fix):"
    grep -E 'error' build/format.log | cut -d: -f1 | sort -u | head -20
    exit 1
fi
[ $format_only = no ] || exit 0

changed_files() {   # since the branch left main; on main, since the last commit; all files if neither is known
    local base
    base=$(git merge-base HEAD main 2>/dev/null) && [ "$base" != "$(git rev-parse HEAD)" ] ||
        base=$(git rev-parse --verify --quiet HEAD~1) || { git ls-files -- '*.cpp' '*.h'; return; }
    { git diff --name-only "$base" -- '*.cpp' '*.h'; git ls-files --others --exclude-standard -- '*.cpp' '*.h'; } |
        sort -u | while read -r file; do [ ! -e "$file" ] || echo "$file"; done
}
# A header is checked through the source file of the same name, or else through the first one that includes it.
source_of() {
    case $1 in
    *.cpp) echo "$1" ;;
    *) if [ -e "${1%.h}.cpp" ]; then echo "${1%.h}.cpp"; else git grep -lF "\"$1\"" -- '*.cpp' | head -n 1; fi ;;
    esac
}
# clang-tidy needs its own compile commands: those of a GCC build contain options and precompiled headers that Clang cannot read.
cmake -S . -B build/tidy -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DRANKDECK_BENCH=ON >build/tidy.configure.log 2>&1 ||
    { tail -20 build/tidy.configure.log >&2; exit 1; }
if [ $all = yes ]; then files=$(git ls-files '*.cpp'); else files=$(changed_files | while read -r file; do source_of "$file"; done); fi
known=$(grep -oE '"file": "[^"]*"' build/tidy/compile_commands.json | cut -d'"' -f4 | sed "s#^$PWD/##")   # not the fuzz targets
files=$(comm -12 <(sort -u <<<"$files") <(sort -u <<<"$known"))
[ -n "$files" ] || exit 0
echo "clang-tidy: $(wc -l <<<"$files") files"
if ! xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/tidy <<<"$files" >build/tidy.log 2>build/tidy.errors; then
    grep -hE 'warning:|error:' build/tidy.log build/tidy.errors | sort -u | head -40
    exit 1
fi
