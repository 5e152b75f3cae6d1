# shellcheck shell=bash
# Sourced by test.sh: the parts of `test.sh --all`. To add one: a row here and a function part_NAME below.

# name | minutes on two cores with a warm compiler cache | what it runs
parts='
check      |  6 | what every change must pass
slow       |  5 | the slow tests of the release build: all of Slurm, packages, long stories of the command line
lint       | 15 | clang-format and clang-tidy over every file
frameworks | 15 | every story with real MindSpore and PyTorch
asan       | 30 | AddressSanitizer and UBSan over all tests but those of the window
tsan       | 25 | ThreadSanitizer over core
crash      | 60 | every crash point, every instant of a cancel
races      | 25 | consoles that start the same job at once, 5,000 times each; properties and pictures in full
fuzz       | 10 | libFuzzer on each reader of remote bytes, a minute each
core       |  8 | core and rankdeckctl without Qt
repeat     | 143 | the check 20 times, every other time at -j 4 beside four busy loops
packages   |  8 | the Debian packages and the tarball in a clean root of Debian 12
kubernetes | 100 | a private Kubernetes, built from its source
'
part_names=($(sed -nE 's/^([a-z]+) *\|.*/\1/p' <<<"$parts"))

known_part() { grep -qE "^$1 +\|" <<<"$parts"; }
mark_of() { echo "build/passed/${2:-none}/$1"; }   # PART TREE

list_parts() {
    local tree=$1 name
    while IFS='|' read -r name minutes what; do
        name=${name// /}
        [ -n "$name" ] || continue
        printf '%-11s %4s min  %-6s %s\n' "$name" "${minutes// /}" "$([ -e "$(mark_of "$name" "$tree")" ] && echo passed || echo -)" "${what# }"
    done <<<"$parts"
}

list_left() {
    local name left=()
    for name in "${part_names[@]}"; do [ -e "$(mark_of "$name" "$1")" ] || left+=("$name"); done
    if [ ${#left[@]} -eq 0 ]; then echo "rankdeck: every part has passed for this tree"; else echo "rankdeck: left for this tree: ${left[*]}"; fi
}

run_part() {   # PART TREE
    local before=$failed
    echo "rankdeck: part $1"
    "part_$1" "$2" || return 0   # not carried out in full
    [ "$failed" -ne "$before" ] || remember "$1" "$2"
}

remember() {   # PART TREE
    [ -n "$2" ] || return 0
    local mark
    mark=$(mark_of "$1" "$2")
    mkdir -p "$(dirname "$mark")" && date >"$mark"
}

run_share() {   # N/M TREE
    local n=${1%/*} m=${1#*/} at=0 name
    [ "$n" -ge 1 ] && [ "$m" -ge "$n" ] || { echo "test.sh: --part $1 is not N/M with 1 <= N <= M" >&2; return 1; }
    for name in "${part_names[@]}"; do
        at=$((at + 1))
        [ $(((at - 1) % m)) -eq $((n - 1)) ] || continue
        if [ -e "$(mark_of "$name" "$2")" ]; then
            echo "rankdeck: part $name has passed for this tree"
            passed=$((passed + 1))
        else
            run_part "$name" "$2"
        fi
    done
}

run_only() {   # NAME
    local pattern
    pattern=$(sed 's/[][\\.*^$()+?|]/\\&/g' <<<"$1")
    everything_of_release || { conclude; return; }
    ! ctest --preset everything -R "$pattern" -N -V | grep -q build/mindspore/bin/python || install_mindspore || return
    RANKDECK_KEEP=$PWD/build/failed ctest --preset everything -R "$pattern" --verbose --no-tests=error
}

needs() { install_packages "$@" || { fail "the installation of packages"; return 1; }; }
everything_of_release() {
    needs "${core_packages[@]}" "${window_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}" "${torch_packages[@]}" "${mindspore_packages[@]}" &&
        build release -DRANKDECK_TESTS=ON
}

part_check() {
    needs "${core_packages[@]}" "${window_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}" "${torch_packages[@]}" "${mindspore_packages[@]}" || return
    install_mindspore >build/mindspore.log 2>&1 &   # downloads during the build
    local download=$!
    check format packaging/lint.sh --format
    build release -DRANKDECK_TESTS=ON || { kill "$download" 2>/dev/null; return; }
    wait "$download" || fail "the installation of MindSpore" build/mindspore.log
    run_tests check
}

part_slow() {
    everything_of_release || return
    run_tests slow
}

part_lint() {
    needs "${core_packages[@]}" "${window_packages[@]}" "${test_packages[@]}" || return
    check lint packaging/lint.sh --all
}

part_frameworks() {
    everything_of_release || return
    check mindspore install_mindspore
    run_tests frameworks
}

part_asan() {
    needs "${core_packages[@]}" "${window_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}" || return
    build asan -DRANKDECK_TESTS=ON || return
    run_tests asan
}

part_tsan() {
    needs "${core_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}" || return
    build tsan -DRANKDECK_TESTS=ON || return
    run_tests tsan
}

part_crash() {
    everything_of_release || return
    check crash_points python3 tests/crash/crash_points.py --bin build/release/bin --jobs 4
    check cancel_instants python3 tests/crash/cancel_instants.py --bin build/release/bin --jobs 4
}

part_races() {
    everything_of_release || return
    RANKDECK_RACES=5000 run_tests races
}

part_fuzz() {
    needs "${core_packages[@]}" "${test_packages[@]}" || return
    build fuzz || return
    check fuzz_seeds python3 tests/fuzz/seeds.py build/fuzz/seeds
    local target
    for target in reader tree small_files names; do
        check "fuzz_$target" build/fuzz/bin/fuzz_$target -max_total_time=60 -timeout=10 "build/fuzz/seeds/${target%_files}"
    done
}

part_core() {
    needs "${core_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}" || return
    build core -DRANKDECK_TESTS=ON || return
    run_tests core
}

part_repeat() {   # TREE. A round that has passed for this tree is not run again.
    everything_of_release || return
    check mindspore install_mindspore
    local round before
    for round in $(seq "${RANKDECK_ROUNDS:-20}"); do
        if [ -n "$1" ] && [ -e "$(mark_of "repeat.$round" "$1")" ]; then
            echo "rankdeck: round $round has passed for this tree"
            passed=$((passed + 1))
            continue
        fi
        before=$failed
        repeat_once "$round"
        [ "$failed" -ne "$before" ] || remember "repeat.$round" "$1"
    done
    [ "${RANKDECK_ROUNDS:-20}" -ge 20 ]
}

repeat_once() {   # ROUND
    local jobs=8 loops=()
    if [ $(($1 % 2)) -eq 0 ]; then
        jobs=4
        for _ in 1 2 3 4; do (while kill -0 $$; do :; done) & loops+=($!); done
    fi
    echo "rankdeck: round $1 at -j $jobs, ${#loops[@]} busy loops"
    run_tests check
    [ ${#loops[@]} -eq 0 ] || kill "${loops[@]}"
}

part_packages() {
    everything_of_release && needs mmdebstrap || return
    check packages packaging/package.sh --build build/release --out build/packages
    check clean_root tests/packages/clean_root.sh build/packages
}

part_kubernetes() {
    everything_of_release || return
    check mindspore install_mindspore
    check kubernetes_build nice -n 5 tests/kubernetes/cluster.sh build
    local test words
    for test in tests/kubernetes/*_test.py; do
        words=(--bin "$PWD/build/release/bin")
        [ "$(basename "$test")" != mindspore_test.py ] || words+=(--mindspore-python "$mindspore_python")
        check "kubernetes_$(basename "$test" .py)" env RANKDECK_KEEP="$PWD/build/failed" timeout 1800 python3 "$test" "${words[@]}"
    done
}
