# SPDX-License-Identifier: GPL-3.0-or-later
"""Each message in docs/troubleshooting.md is printed by a program. Every piece of it between "…" is in the text of one source, in
the order of the page. Usage: messages.py SOURCE_DIRECTORY"""
import os
import re
import sys

PAGE = "docs/troubleshooting.md"
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
BETWEEN = re.compile(r"\s+")


def text_of(source):
    """The strings of a source, one per line. Adjacent literals are joined."""
    lines, end = [], -1
    for found in LITERAL.finditer(re.sub(r"^\s*//.*$", "", source, flags=re.M)):
        words = found.group(1).replace('\\"', '"').replace("\\n", "\n")
        between = found.string[end:found.start()] if end >= 0 else "x"
        if lines and not between.strip():
            lines[-1] += words
        else:
            lines.append(words)
        end = found.end()
    return "\n".join(lines)


def sources(root):
    for room in ("core", "app", "ui"):
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in names:
                if name.endswith((".cpp", ".h", ".py")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        yield os.path.join(folder, name), text_of(file.read())


def messages(page):
    """The messages of the page: the text in backticks in the first column of its tables."""
    return [BETWEEN.sub(" ", found) for line in page.splitlines() if line.startswith("| `")
            for found in re.findall(r"`([^`]+)`", line.split(" | ")[0])]


def pieces(message):
    return [piece.strip(" ") for piece in message.split("…") if re.search(r"[A-Za-z]{2}", piece)]


def is_said(message, texts):
    wanted = pieces(message)
    return bool(wanted) and any(all(piece in text for piece in wanted) for text in texts)


def main():
    root = sys.argv[1]
    texts = [text for _, text in sources(root)]
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        told = messages(file.read())
    faults = [f"{PAGE}: no source says \"{message}\"" for message in told if not is_said(message, texts)]
    faults += [f"{PAGE}: \"{message}\" stands there twice" for message in sorted(set(told)) if told.count(message) > 1]
    if len(told) < 50:
        faults.append(f"only {len(told)} messages were found: this test does not see them any more")
    assert not is_said("The teapot … is empty", texts), "a message that nobody says is not noticed"
    assert text_of('f("a b" "c",\n "d"\n  "e")') == "a bc\nde", "strings that belong together are not read as one"
    print("\n".join(faults) or f"{len(told)} messages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
