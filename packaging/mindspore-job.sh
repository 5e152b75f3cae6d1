# shellcheck shell=bash
# Sourced by run.sh: a real MindSpore LeNet job (4 ranks, 2 nodes) in its own directory. It ends with the caller.

mindspore_job_start() {
    local directory=$1 python=$2
    mkdir -p "$(dirname "$directory")"
    mindspore_job_file=
    coproc MINDSPORE_JOB { exec python3 packaging/mindspore/job.py "$directory" "$python"; }
    read -r -t 60 mindspore_job_file <&"${MINDSPORE_JOB[0]}" || { echo "rankdeck: the MindSpore job did not start; see $directory" >&2; return 1; }
    echo "rankdeck: MindSpore trains in $directory; the first step comes after about 20 s"
}

mindspore_job_stop() {
    [ -n "${MINDSPORE_JOB_PID:-}" ] || return 0
    kill "$MINDSPORE_JOB_PID" 2>/dev/null
    wait "$MINDSPORE_JOB_PID" 2>/dev/null || true
}
