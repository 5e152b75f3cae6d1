# shellcheck shell=bash
# Sourced by test.sh: counts passed and failed checks, keeps the logs of failures, and lists the failures again at the end.

passed=0
failed=0
failures=()   # texts with the name, the first assertion, the log, and the command to run it again

fail() {   # WHAT [LOG]
    failed=$((failed + 1))
    failures+=("FAILED  $1${2:+$'\n'    log: $2}")
}

# check NAME COMMAND…: runs a command as one check; its output goes to build/logs/NAME.log.
check() {
    local name=$1 from=$SECONDS log=build/logs/$1.log
    shift
    mkdir -p build/logs
    if "$@" >"$log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name ($((SECONDS - from)) s)"
    else
        echo "FAILED  $name ($((SECONDS - from)) s)"
        tail -n 40 "$log" | sed 's/^/    /'
        fail "$name" "$log"
    fi
}

# run_tests PRESET [CTEST OPTION…]: runs the tests of a test preset once and counts them. Failed tests are not run again: a test
# that fails once in fifty runs shows a fault, of the test or of the product. A skipped test counts as failed.
run_tests() {
    local preset=$1 report=$PWD/build/logs/$1.xml from=$SECONDS ran good bad text
    shift
    mkdir -p build/logs
    rm -f "$report"
    RANKDECK_KEEP=$PWD/build/failed ctest --preset "$preset" -j "$(jobs_of_tests)" --no-label-summary --output-junit "$report" "$@" \
        >"build/logs/$preset.log" 2>&1 </dev/null
    if ! [ -s "$report" ]; then
        tail -n 40 "build/logs/$preset.log"
        fail "the tests of $preset did not run" "build/logs/$preset.log"
        return
    fi
    text=$(python3 packaging/checks/junit.py "$report" build/failed)
    read -r good bad <<<"${text%%$'\n'*}"
    ran=$((good + bad))
    passed=$((passed + good))
    failed=$((failed + bad))
    echo "rankdeck: $ran tests in $((SECONDS - from)) s ($preset), $bad failed"
    [ "$bad" -eq 0 ] || failures+=("${text#*$'\n'}")
    [ "$ran" -gt 0 ] || fail "no test was found ($preset)" "build/logs/$preset.log"
}
# More jobs than cores, because most tests wait for other processes.
jobs_of_tests() { local n; n=$(nproc); echo "${jobs:-$((n * 4))}"; }

# build PRESET [CMAKE OPTION…] [--target NAME…]: calls build_preset; a failed build is counted as a failure.
build() {
    local from=$SECONDS
    echo "rankdeck: building ($1)"
    if build_preset "$@"; then
        echo "rankdeck: built in $((SECONDS - from)) s ($1)"
    else
        fail "the build ($1)" "build/$1.build.log"
        return 1
    fi
}

# The Git tree hash of the checked files, including uncommitted changes; the tree of HEAD if there are none.
tree_hash() {
    git rev-parse --is-inside-work-tree >/dev/null 2>&1 || return 0
    local index
    index=$(mktemp) && cp "$(git rev-parse --git-path index)" "$index" && GIT_INDEX_FILE=$index git add -A . && GIT_INDEX_FILE=$index git write-tree
    rm -f "$index"
}

# Checked first, because a disk that fills up during the tests causes many unrelated failures.
enough_room() {
    local free
    free=$(df --output=avail -BG build | tail -n 1 | tr -dc 0-9)
    [ "$free" -ge 8 ] || { echo "test.sh: $free GB are free for $PWD/build; the check needs 8 GB" >&2; return 1; }
}

conclude() {
    local text
    for text in "${failures[@]}"; do printf '\n%s\n' "$text"; done
    [ ${#failures[@]} -eq 0 ] || echo
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
