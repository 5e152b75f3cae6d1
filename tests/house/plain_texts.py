# SPDX-License-Identifier: GPL-3.0-or-later
"""A sentence of core is a message, so that the window can say it in another language. A call that takes a sentence gets no literal
of two words outside of message(). Usage: plain_texts.py SOURCE_DIRECTORY"""
import pathlib
import re
import sys

TAKERS = "fail|invalid|refuse|problem|torn|notKnown|blame|explain|conclude|tell|warning|refusal|advice"
CALL = re.compile(r"(?<![\w:~])(?:\w+(?:\.|->))?(?:" + TAKERS + r")\(")
MADE = re.compile(r"\b(?:message|terminalWords)\(")
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)\'')
WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


def extent(text, at):
    """The end of the brackets that are open at `at`."""
    depth = 1
    while depth and at < len(text):
        quoted = QUOTED.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def without_messages(arguments):
    found = MADE.search(arguments)
    while found:
        arguments = arguments[:found.start()] + arguments[extent(arguments, found.end()):]
        found = MADE.search(arguments)
    return arguments


def plain(source):
    source = re.sub(r"//.*$", "", source, flags=re.M)
    for call in CALL.finditer(source):
        arguments = without_messages(source[call.end():extent(source, call.end())])
        for quoted in QUOTED.finditer(arguments):
            if WORDS.search(quoted.group(1) or ""):
                yield source.count("\n", 0, call.start()) + 1, quoted.group(1)


def main():
    assert list(plain('return fail(kind, "it is " + name);')) and not list(plain('fail(kind, message("it is %1 (%2)", f("a b"), x));'))
    faults = [f"{path}:{line}: {text}" for path in sorted(pathlib.Path(sys.argv[1], "core").rglob("*.cpp"))
              for line, text in plain(path.read_text(encoding="utf-8"))]
    print("\n".join(faults))
    return f"{len(faults)} texts are not made by message()" if faults else 0


if __name__ == "__main__":
    sys.exit(main())
