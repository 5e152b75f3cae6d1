#!/usr/bin/env bash
# Installs what is missing, builds, runs every test, prints "N passed, N failed" last; non-zero on any failure.
#   --frameworks   also the interop tests: real MindSpore from PyPI in a private virtual environment under build/
#   --asan --tsan  under sanitizers (instead of the release build)
#   --lint         clang-format and clang-tidy too
#   --core         only what needs no Qt
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
. packaging/install-build-tools.sh

preset=dev
frameworks=no
lint=no
while [ $# -gt 0 ]; do
    case $1 in
    --frameworks) frameworks=yes ;;
    --asan) preset=asan ;;
    --tsan) preset=tsan ;;
    --core) preset=core ;;
    --lint) lint=yes ;;
    --help | -h) sed -n '2,6p' "$0"; exit 0 ;;
    *) sed -n '2,6p' "$0" >&2; exit 2 ;;
    esac
    shift
done

install_packages "${core_packages[@]}" "${test_packages[@]}" "${engine_packages[@]}" || exit 1
case $preset in core | tsan) ;; *) install_packages "${window_packages[@]}" || exit 1 ;; esac
[ $preset = dev ] && preset=release
passed=0
failed=0
# Real servers, processes and clocks: what fails on a busy machine has a second try, and that is said.
again() {
    "$@" && return
    echo "AGAIN   $*"
    "$@"
}
check() {   # one more thing that passes or fails
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
    fi
}

echo "rankdeck: building ($preset)"
# run.sh builds the same folder without tests
build_preset "$preset" -DRANKDECK_TESTS=ON || { echo "0 passed, 1 failed"; exit 1; }

export RANKDECK_REQUIRE_REAL=1 QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
report=$PWD/build/$preset/tests.xml
rm -f "$report"
ctest --preset "$preset" -j "$(nproc)" --repeat until-pass:2 --output-on-failure --no-label-summary --output-junit "$report" >"build/$preset.tests.log" 2>&1
sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*.*/AGAIN   \1/p' "build/$preset.tests.log" | sort -u
if [ -s "$report" ]; then
    read -r ran bad skipped < <(python3 - "$report" <<'PY'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
print(suite.get("tests"), suite.get("failures"), int(suite.get("skipped") or 0) + int(suite.get("disabled") or 0))
for case in suite.iter("testcase"):
    if case.get("status") not in ("run",):
        print("FAILED  " + case.get("name"), file=sys.stderr)
        text = case.findtext("system-out") or ""
        print("\n".join("    " + line for line in text.splitlines()[-30:]), file=sys.stderr)
PY
    )
    # what can be had is never skipped: a skip is a failure
    passed=$((passed + ran - bad - skipped))
    failed=$((failed + bad + skipped))
    [ "$ran" -gt 0 ] || { echo "FAILED  no test was found"; failed=$((failed + 1)); }
else
    tail -40 "build/$preset.tests.log"
    failed=$((failed + 1))
fi

[ $lint = yes ] && check "clang-format and clang-tidy" packaging/lint.sh
if [ $frameworks = yes ]; then
    install_packages "${torch_packages[@]}"
    check "interop torchrun_resume.py" again timeout 600 python3 tests/interop/torchrun_resume.py --bin "$PWD/build/$preset/bin"
    check "MindSpore 2.7.0 can be installed" install_mindspore
    if [ -x "${mindspore_python:-}" ]; then
        for test in tests/interop/*_test.py; do
            check "interop $(basename "$test")" again timeout 900 python3 "$test" --bin "$PWD/build/$preset/bin" --mindspore-python "$mindspore_python"
        done
        check "interop demo_ckpt_check.py" timeout 600 "$mindspore_python" tests/interop/demo_ckpt_check.py "$PWD/build/$preset/bin/rankdeck-demo-trainer"
    fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
