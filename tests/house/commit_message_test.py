# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs packaging/hooks/commit-msg on good and bad messages, and once through Git itself.
Usage: commit_message_test.py SOURCE_DIRECTORY"""
import os
import subprocess
import sys
import tempfile

GOOD = (
    "verdict: compare optimizer step with the file name\n\nA renamed file passed as a set of another step.\n",
    "core/verdict,ui: show the reason beside the verdict",
    "docs: " + "x" * 66,
    "tests: add a table of messages\n# A comment that Git removes.\n",
    "\n\nalarm: report full disks once\n",
    "build: embed the probe\n\nWhy; with a semicolon, and a full stop.\n",
    "ui: process events of a closed window",
    "ui: show stack traces\n\nWhy.\n# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n",
    "Merge branch 'alarms'",
    "Merge pull request #12 from somebody/alarms",
    "Revert \"alarm: report full disks once; and twice\"\n\nThis reverts commit 0123456789.\n",
    "fixup! alarm: report full disks once",
    "squash! alarm: report full disks once",
)
# message, a piece of the answer
BAD = (
    ("", "the message is empty"),
    ("# only a comment\n", "the message is empty"),
    ("docs: " + "x" * 67, "the subject has 73 characters"),
    ("Report full disks once", "the subject has no area"),
    ("Alarm: report full disks once", "the subject has no area"),
    ("alarm:report full disks once", "the subject has no area"),
    ("alarm : report full disks once", "the subject has no area"),
    ("Merge: all of Qt's strictness", "the subject has no area"),
    ("alarm: report full disks; show them in the banner", "the subject has a semicolon"),
    ("alarm: report full disks once.", "the subject ends with a full stop"),
    ("alarm: report full disks once\nThey came twice.\n", "the second line is not blank"),
    ("alarm: reports full disks once", "write `report`"),
    ("alarm: Added a rule for full disks", "write `add`"),
    ("ui: stopping shows its proof", "write `stop`"),
    ("verdict: the optimizer step is compared with the file name", "a verb in the imperative"),
    ("Format", "says nothing about the change"),
    ("The form", "says nothing about the change"),
    ("What clang-tidy says", "says nothing about the change"),
    ("What clang-tidy asks: a name for what a lambda takes", "says nothing about the change"),
    ("core: format", "says nothing about the change"),
    ("core: what clang-tidy says.", "says nothing about the change"),
    ("ui: wip", "says nothing about the change"),
    ("tests: small fixes", "says nothing about the change"),
)


def answer(hook, folder, message):
    path = os.path.join(folder, "message")
    with open(path, "w", encoding="utf-8") as file:
        file.write(message)
    ran = subprocess.run([hook, path], capture_output=True, text=True, check=False, cwd=folder)
    return ran.returncode, ran.stderr


def wrong_answers(hook, folder):
    for message in GOOD:
        code, said = answer(hook, folder, message)
        if code != 0:
            yield f"{message!r} is refused:\n{said}"
    for message, piece in BAD:
        code, said = answer(hook, folder, message)
        if code != 1 or piece not in said or "expected:" not in said or "to do:" not in said:
            yield f"{message!r}: expected a refusal with {piece!r}, got {code}:\n{said}"


def wrong_in_git(hook, folder):
    """Git itself runs the hook, and keeps the message of a refused commit."""
    quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for name in [name for name in quiet if name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")]:
        del quiet[name]

    def git(*words):
        return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", f"core.hooksPath={os.path.dirname(hook)}",
                               *words], capture_output=True, text=True, check=False, env=quiet)

    git("init", "--quiet")
    refused = git("commit", "--allow-empty", "-m", "Format")
    if refused.returncode == 0 or "git commit -e -F" not in refused.stderr:
        yield f"Git commits in spite of the hook: {refused.stderr}"
    taken = git("commit", "--allow-empty", "-m", "tests: add a commit")
    if taken.returncode != 0:
        yield f"Git does not commit: {taken.stderr}"


def main():
    hook = os.path.join(os.path.abspath(sys.argv[1]), "packaging", "hooks", "commit-msg")
    with tempfile.TemporaryDirectory() as folder:
        bad = [*wrong_answers(hook, folder), *wrong_in_git(hook, folder)]
    print("\n".join(bad) or f"{len(GOOD) + len(BAD)} messages")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
