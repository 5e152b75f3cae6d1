# SPDX-License-Identifier: GPL-3.0-or-later
"""Help and version need no display; a usage error ends with 2 and says what was expected. Usage: arguments_test.py RANKDECK"""
import os
import subprocess
import sys


def run(program, *arguments, display):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    environment["QT_QPA_PLATFORM"] = "offscreen" if display else "xcb"
    return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=60)


def main():
    program = sys.argv[1]
    for option in ("--help", "-h"):
        done = run(program, option, display=False)
        assert done.returncode == 0, (option, done)
        assert "[JOB]" in done.stdout and "--ssh-config" in done.stdout and "--job" in done.stdout, done
        assert done.stderr == "", done
    for option in ("--version", "-v"):
        done = run(program, option, display=False)
        assert done.returncode == 0 and done.stdout.startswith("rankdeck "), (option, done)
    for wrong, word in ((["--nonsense"], "nonsense"), (["--theme", "green"], "green"), (["a.json", "b.json"], "one job file"),
                        (["--job", "a.json", "b.json"], "one job file"), (["--jbo", "a.json"], "Did you mean --job?")):
        done = run(program, *wrong, display=True)
        assert done.returncode == 2, (wrong, done)
        assert word in done.stderr and done.stdout == "", (wrong, done)
    done = run(program, "a.json", display=False)
    assert done.returncode == 1 and "No window can be shown here" in done.stderr, done
    print("help, version and usage errors as expected")


if __name__ == "__main__":
    main()
