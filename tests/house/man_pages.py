# SPDX-License-Identifier: GPL-3.0-or-later
"""The man pages name every option that --help names, and every key that the reader of job files knows, but no other option.
Usage: man_pages.py SOURCE_DIRECTORY BIN"""
import os
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]+)")
KEY = re.compile(r'JobKey\{"([a-z_.\[\]]+)"')


def options_of_help(program):
    arguments = ["--help-all"] if program.endswith("ctl") else ["--help"]
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    done = subprocess.run([program] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=True)
    found = set(OPTION.findall(done.stdout.decode()))
    # Qt adds its own to every program; they are in Qt's documents.
    return found - {"help-all", "qmljsdebugger"} | ({"help-all"} if program.endswith("ctl") else set())


def options_of_page(text):
    named = set()
    for line in text.splitlines():
        if line.startswith(".\\\""):
            continue
        named.update(re.findall(r"(?<![\w-])Fl -([a-z][a-z-]+)", line))
        if not line.startswith("."):
            named.update(OPTION.findall(line))
    return named


def keys_of_reader(root):
    """The paths of all keys: launch.volcano.image, nodes[].host."""
    with open(os.path.join(root, "core", "job", "text", "job_keys.h"), encoding="utf-8") as file:
        return set(KEY.findall(file.read()))


def keys_of_table(text):
    """Keys of docs/job-file.md; a name that begins with a dot belongs to the same section as the one before."""
    keys = set()
    head = ""
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith("| `"):
            head = line
        if line.startswith("| `") and not head.startswith("| code "):   # the notes of discover have codes
            last = ""
            for name in re.findall(r"`([^`]+)`", line.split("|")[1]):
                last = last.rpartition(".")[0] + name if name.startswith(".") else name
                keys.add(last)
    return keys


def keys_of_page(text):
    keys = set()
    for line in text.splitlines():
        if line.startswith(".It Cm "):
            keys.update(word for word in line[7:].replace(",", " ").split())
    return keys


def main():
    root, binaries = sys.argv[1:3]
    pages = {}
    for name in ("rankdeck.1", "rankdeckctl.1", "rankdeck-job.5"):
        with open(os.path.join(root, "docs", "man", name), encoding="utf-8") as file:
            pages[name] = file.read()
    bad = []
    for program in ("rankdeckctl", "rankdeck"):
        path = os.path.join(binaries, program)
        if not os.path.exists(path):     # a build without the window
            continue
        told, named = options_of_help(path), options_of_page(pages[program + ".1"])
        bad += [f"docs/man/{program}.1 does not name --{option}" for option in sorted(told - named)]
        bad += [f"docs/man/{program}.1 names --{option}, which {program} does not have" for option in sorted(named - told)]
    known, named = keys_of_reader(root), keys_of_page(pages["rankdeck-job.5"])
    parts = {part for key in known for part in key.replace("[]", "").split(".")}
    bad += [f"docs/man/rankdeck-job.5 does not name the key {part}" for part in sorted(parts - named)]
    with open(os.path.join(root, "docs", "job-file.md"), encoding="utf-8") as file:
        told = keys_of_table(file.read())
    bad += [f"docs/job-file.md does not name the key {key}" for key in sorted(known - told)]
    bad += [f"docs/job-file.md names the key {key}, which no job file has" for key in sorted(told - known)]
    assert {"launch.recipe", "world_size", "nodes[].host"} <= known, "the keys of the job file are not found any more"
    assert keys_of_table("| `a.b`, `.c` | x |") == {"a.b", "a.c"}, "the keys of the table are not found any more"
    assert options_of_page(".It Fl -nonsense") == {"nonsense"}, "an option of a page is not noticed"
    print("\n".join(bad) or "the man pages name everything")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
