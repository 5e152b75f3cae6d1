#!/usr/bin/env bash
# Installs what is missing, builds, runs every test, prints "N passed, N failed" last; non-zero on any failure.
#   --frameworks   also the interop tests: real MindSpore from PyPI in a private virtual environment under build/
#   --kubernetes   also the tests on a real Kubernetes, built once from Debian's source into ~/.cache (ten minutes); needs root
#   --asan         AddressSanitizer and UBSan at -O0, all tests     these three instead of the release build,
#   --tsan         ThreadSanitizer, core                            several of them one after the other
#   --release      the release build
#   --core         only what needs no Qt
#   --asan-core    also: AddressSanitizer and UBSan at -O0 over what reads bytes and judges (no nodes, no window)
#   --lint         clang-format, and clang-tidy on what has changed
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
. packaging/install-build-tools.sh

presets=()
frameworks=no
kubernetes=no
lint=no
asan_core=no
while [ $# -gt 0 ]; do
    case $1 in
    --frameworks) frameworks=yes ;;
    --kubernetes) kubernetes=yes ;;
    --release | --asan | --tsan | --core) presets+=("${1#--}") ;;
    --asan-core) asan_core=yes ;;
    --lint) lint=yes ;;
    --help | -h) sed -n '2,10p' "$0"; exit 0 ;;
    *) sed -n '2,10p' "$0" >&2; exit 2 ;;
    esac
    shift
done
[ ${#presets[@]} -gt 0 ] || presets=(release)

packages=("${core_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}")
case " ${presets[*]} " in *' release '* | *' asan '*) packages+=("${window_packages[@]}") ;; esac
[ $frameworks = yes ] && packages+=("${torch_packages[@]}")
[ $frameworks = yes ] || [ $kubernetes = yes ] && packages+=("${mindspore_packages[@]}")
install_packages "${packages[@]}" || exit 1   # at once: each call asks Debian for its lists
passed=0
failed=0
failures=()   # their names, said once more at the end: who reads the last lines knows what to run again
check() {   # one more thing that passes or fails
    local name=$1 from=$SECONDS
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $name ($((SECONDS - from)) s)"
    else
        failed=$((failed + 1))
        failures+=("$name")
        echo "FAILED  $name ($((SECONDS - from)) s)"
    fi
}

# Builds a preset and runs its tests once: one that fails one time in fifty is a fault to find, of the test or the product.
# Usage: test_preset PRESET [TEST PROGRAM…]; with programs, these alone are built and run.
test_preset() {
    local preset=$1 report ran bad skipped names only=() targets=() from=$SECONDS
    shift
    if [ $# -gt 0 ]; then
        targets=(--target "$@")
        only=(-R "^($(IFS='|'; echo "$*"))[.]")
    fi
    echo "rankdeck: building ($preset${1:+: $*})"
    # run.sh builds the same folder without tests
    build_preset "$preset" -DRANKDECK_TESTS=ON "${targets[@]}" || { echo "FAILED  the build ($preset)"; failed=$((failed + 1)); failures+=("the build ($preset)"); return; }
    report=$PWD/build/$preset/tests.xml
    rm -f "$report"
    echo "rankdeck: built in $((SECONDS - from)) s; testing"
    from=$SECONDS
    [ -z "$beside" ] || { $beside & }
    ctest --preset "$preset" "${only[@]}" -j $((2 * $(nproc))) --output-on-failure --no-label-summary --output-junit "$report" >"build/$preset.tests.log" 2>&1
    [ -s "$report" ] || { tail -40 "build/$preset.tests.log"; failed=$((failed + 1)); return; }
    { read -r ran bad skipped; readarray -t names; } < <(python3 - "$report" <<'PY'
import re, sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
failed = [case for case in suite.iter("testcase") if case.get("status") != "run"]
print(suite.get("tests"), suite.get("failures"), int(suite.get("skipped") or 0) + int(suite.get("disabled") or 0))
for case in failed:
    print(case.get("name"))
    print("FAILED  " + case.get("name"), file=sys.stderr)
    lines = (case.findtext("system-out") or "").splitlines()
    said = [i for i, line in enumerate(lines) if re.search(r"^FAILED|: Failure$|^Traceback|ERROR: ", line)]
    shown = sorted({i for at in said[:4] for i in range(at, min(at + 8, len(lines)))} | set(range(max(0, len(lines) - 12), len(lines))))
    print("\n".join("    " + lines[i] for i in shown), file=sys.stderr)
PY
    )
    failures+=("${names[@]}")
    echo "rankdeck: $ran tests in $((SECONDS - from)) s ($preset)"
    # what can be had is never skipped: a skip is a failure
    passed=$((passed + ran - bad - skipped))
    failed=$((failed + bad + skipped))
    [ "$ran" -gt 0 ] || { echo "FAILED  no test was found"; failed=$((failed + 1)); }
}

# Most tests wait for nodes, and those of the frameworks for MindSpore: what needs the processor alone is done in the gaps, behind them in line.
asan_tests=(test_base test_framework test_job test_parse test_follow test_checkpoint test_verdict test_run test_state test_alarm test_journal
    test_scheduler test_discover)
lint_and_sanitizer_build() {
    renice -n 19 -p $BASHPID >/dev/null
    if [ $lint = yes ]; then
        packaging/lint.sh >build/lint.log 2>&1
        echo $? >build/lint.code
    fi
    [ $asan_core = no ] || build_preset asan -DRANKDECK_TESTS=ON --target "${asan_tests[@]}" || true   # said when it is built again below
}
lint_passed() { cat build/lint.log; return "$(cat build/lint.code 2>/dev/null || echo 1)"; }

export RANKDECK_REQUIRE_REAL=1 QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
mindspore_log=$PWD/build/mindspore.log
[ $frameworks = no ] || { install_mindspore >"$mindspore_log" 2>&1 & downloading=$!; }   # a download, beside the build
rm -f build/lint.code build/lint.log
beside=lint_and_sanitizer_build
for preset in "${presets[@]}"; do
    test_preset "$preset"
    beside=
done
if [ $frameworks = yes ]; then
    bin=$PWD/build/${presets[0]}/bin
    check "interop torchrun_resume.py" timeout 600 python3 tests/interop/torchrun_resume.py --bin "$bin"
    check "interop resnet50_pytorch.py" timeout 600 python3 tests/interop/resnet50_pytorch.py --bin "$bin"
    wait "$downloading"
    check "MindSpore 2.7.0 can be installed" install_mindspore
    check "interop prove_by_loading.py" timeout 900 python3 tests/interop/prove_by_loading.py --bin "$bin"
    if [ -x "${mindspore_python:-}" ]; then
        for test in tests/interop/*_test.py; do
            check "interop $(basename "$test")" timeout 900 python3 "$test" --bin "$bin" --mindspore-python "$mindspore_python"
        done
        check "interop demo_ckpt_check.py" timeout 600 "$mindspore_python" tests/interop/demo_ckpt_check.py "$bin/rankdeck-demo-trainer"
    fi
fi
wait
[ $asan_core = yes ] && test_preset asan "${asan_tests[@]}"

[ $lint = yes ] && check "clang-format and clang-tidy" lint_passed
if [ $kubernetes = yes ]; then
    check "a real Kubernetes can be built" nice -n 5 tests/kubernetes/cluster.sh build
    check "MindSpore 2.7.0 can be installed" install_mindspore
    for test in tests/kubernetes/*_test.py; do
        words=(--bin "$PWD/build/${presets[0]}/bin")
        [ "$(basename "$test")" != mindspore_test.py ] || words+=(--mindspore-python "$mindspore_python")
        check "kubernetes $(basename "$test")" timeout 1800 python3 "$test" "${words[@]}"
    done
fi
[ ${#failures[@]} -eq 0 ] || printf 'failed: %s\n' "${failures[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
