# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements that people read, taken from sources and pages: of each its kind, line and words. Code, quotations and names are replaced by
CODE, which no rule knows. Pure functions of a path and its text."""
import bisect
import re
from collections import namedtuple

# begins: the statement begins here, and not in a text before it. form: "heading", "cell" and "name" are judged by fewer rules.
Place = namedtuple("Place", "kind path line text begins form")

KINDS = ("ui", "messages", "docs", "changelog", "readme", "comments", "tests")
PAGES = {"README.md": "readme", "CHANGELOG.md": "changelog", "CONTRIBUTING.md": "docs", "SECURITY.md": "docs", "core/README.md": "docs",
         "ui/README.md": "docs"}
SPACE = re.compile(r"\s+")
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|'[^' ]+'|[^\s`\"“(]*(?:::|->|\(\)|[\w.>]/[\w<.]|\w_\w|[=<>]{2}|://)[^\s`\"”)]*"
                  r"|\b[a-z]\w*[A-Z]\w*|[\w*.-]+\.(?:h|cpp|py|md|sh|txt|json|log|ckpt|pt|ts)\b|(?<![\w-])--?[a-z][\w-]+")
SENTENCE = re.compile(r"(?<=[.!?])[\"”')*]*\s+(?=[\"“(*]*[A-Z0-9%])|(?<=[.!?][)*])\s+(?=[A-Z])|\s·\s|\n\n")
SHORT = re.compile(r"\b(e\.g|i\.e|etc|vs|cf|No|approx)\.(?=\s)")


def plain(text):
    return CODE.sub("CODE", text)


def sentences(text):
    """(offset, statement); text has its line breaks, a statement has none."""
    text = SHORT.sub(lambda found: found[0].replace(".", ","), text)
    start = 0
    for end, after in [(found.start(), found.end()) for found in SENTENCE.finditer(text)] + [(len(text), len(text))]:
        said = SPACE.sub(" ", text[start:end]).strip()
        if re.search(r"[A-Za-z]{2}", said):
            yield start, said
        start = after


def lines_of(text):
    """A function from an offset to its line."""
    ends = [found.start() for found in re.finditer("\n", text)]
    return lambda offset: bisect.bisect_left(ends, offset) + 1


def places(kind, path, line, text, begins=True, form="text"):
    """One place for each statement of a text that begins in this line."""
    for index, (offset, said) in enumerate(sentences(text)):
        yield Place(kind, path, line + text.count("\n", 0, offset), said, begins or index > 0, form)


# C++ ---------------------------------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r'(?P<raw>R"(\w*)\(.*?\)\2")|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<char>(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\')'
                   r'|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)', re.S)
ESCAPES = {"n": "\n", "t": " ", '"': '"', "\\": "\\"}
TRANSLATED = re.compile(r"\b(?:tr|QT_TR_NOOP|QT_TR_N_NOOP|translate)\(\s*$|\bQT_TRANSLATE_NOOP\(\s*\"\w*\",\s*$|\btranslate\(\s*\"\w*\",\s*$")
COMPARED = re.compile(r"(?:contains|starts_with|ends_with|startsWith|endsWith|find|rfind|indexOf|has|RE2|regex|Pattern|equals|skip|take|accept)"
                      r"\w*\([^()]*$|[=!]= $")
NOT_PROSE = re.compile(r"\\|\(\?|\[\^|\.\*|\$[({\w]|</|/>|::|"
                       r"; do\b|\b(?:SELECT|INSERT|UPDATE|CREATE|DELETE|PRAGMA)\b|[{}<>=|]|^[-#.:\w]+$|\bimport \w|\bdef \w")
WORD = re.compile(r"[A-Za-z][a-z']+")
NO_COMMENT = re.compile(r"SPDX|NOLINT|clang-format|IWYU|[;{}]\s*$|^\W*$|^\w+\(.*\)$|^\s*namespace\b|={3,}|-{5,}|wait: ")


def unescape(literal):
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], " "), literal[1:-1], flags=re.S)


def is_prose(text):
    return len(WORD.findall(text)) >= 3 and text.count(" ") >= 2 and not NOT_PROSE.search(text)


def literals(text, tokens):
    """(offset, text before it, string): literals that only white space parts are one."""
    found, end = [], -1
    for token in tokens:
        if token["string"] is None:
            continue
        if found and not text[end:token.start()].strip():
            found[-1][1].append(unescape(token["string"]))
        else:
            found.append((token.start(), [unescape(token["string"])]))
        end = token.end()
    return [(at, text[max(0, at - 80):at], "".join(parts)) for at, parts in found]


def comments(text, tokens, line_at):
    """(offset, comment): lines that follow each other with nothing but a comment are one."""
    found, last = [], -2
    for token in tokens:
        said = token["line"] or token["block"]
        if said is None or "SPDX" in said:
            continue
        said = said[2:] if token["line"] else re.sub(r"\n\s*\*", "\n", said[2:-2])
        line, alone = line_at(token.start()), not text[text.rfind("\n", 0, token.start()) + 1:token.start()].strip()
        if alone and found and line == last + 1 and found[-1][2] and not re.match(r"\s{2,}|\s*[-*] |\s*$", said):
            found[-1][1].append(said)
        else:
            found.append((token.start(), [said], alone))
        last = line + said.count("\n")
    return [(at, "\n".join(lines)) for at, lines, _ in found]


def remarks(path, found, line_at):
    for offset, said in found:
        if not NO_COMMENT.search(said) and len(WORD.findall(said)) >= 2:
            yield from places("comments", path, line_at(offset), plain(said))


def has_messages(path):
    """Not the demo's trainer, whose lines are those of MindSpore."""
    return path.startswith(("core/", "app/")) and not path.startswith("app/demo/trainer/")


def one_by_one(said):
    """Lines, paragraphs of HTML and the file filters of a dialog are statements of their own."""
    return re.sub(r"\n|;;|</?(?:p|h\d|br)>", " · ", said)


def starts_statement(said):
    return bool(re.match(r"[A-Z%]", said))


def of_cpp(path, text):
    line_at, tokens = lines_of(text), list(TOKEN.finditer(text))
    if path.startswith(("ui/", "core/", "app/")):
        for offset, before, said in literals(text, tokens):
            prose, said = is_prose(said), one_by_one(said)
            if TRANSLATED.search(before):
                yield from places("ui", path, line_at(offset), plain(said), starts_statement(said))
            elif has_messages(path) and prose and not COMPARED.search(before) and not re.search(r"#\s*include\s*$", before):
                yield from places("messages", path, line_at(offset), plain(said), starts_statement(said))
    yield from remarks(path, comments(text, tokens, line_at), line_at)
    if path.startswith("tests/"):
        yield from test_names(path, text, re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)"))


# Tests and Python --------------------------------------------------------------------------------------------------------------------------

PYTHON = re.compile(r'(?P<doc>[rbfu]*"""(.*?)""")|(?P<string>[rbfu]*(?:\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'))'
                    r'|(?P<note>#[^\n]*)', re.S)


def words_of(name):
    name = re.sub(r"^(?:[A-Z]\d\d_)+", "", name)
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)).lower()


def test_names(path, text, pattern):
    line_at = lines_of(text)
    for found in pattern.finditer(text):
        yield Place("tests", path, line_at(found.start()), words_of(found[2]), True, "name")


def of_python(path, text):
    found, line_at = [], lines_of(text)
    for token in PYTHON.finditer(text):
        if token["doc"] and re.search(r"(?:^|[:\n])\s*$", text[max(0, token.start() - 80):token.start()]) and "Usage" not in token[2][:8]:
            found.append((token.start(), re.sub(r"\n?Usage:.*", "", token[2], flags=re.S)))
        elif token["note"] and not token["note"].startswith("#!"):
            found.append((token.start(), token["note"][1:]))
        elif token["string"] and path.startswith("core/"):
            said = unescape(re.sub("^[rbfu]+", "", token["string"]))
            if is_prose(said):
                yield from places("messages", path, line_at(token.start()), plain(said), starts_statement(said))
    yield from remarks(path, found, line_at)
    yield from test_names(path, text, re.compile(r"^( +)def test_(\w+)\(", re.M))


# Pages -------------------------------------------------------------------------------------------------------------------------------------

CELL = 120  # characters of a table cell
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
PARAGRAPH = re.compile(r"^\s*(?:[*+-]|\d+\.|>)\s+|^\s*$|^#")


def cells(line):
    return [cell.strip() for cell in re.sub(r"`[^`]*`", lambda found: found[0].replace("|", "/"), line.strip().strip("|")).split("|")]


def paragraphs(lines):
    """(number, lines) of what belongs together; numbers begin with 1."""
    part, start, fenced = [], 1, False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        if fenced:
            line = ""
        if part and (PARAGRAPH.match(line) or line.lstrip().startswith("|") or part[0].startswith(("|", "#"))):
            yield start, part
            part = []
        if line.strip():
            part, start = part + [line], start if part else number
    if part:
        yield start, part


def of_page(path, text):
    kind, table = PAGES.get(path, "docs"), []
    for number, part in paragraphs(text.split("\n")):
        first = part[0].lstrip()
        if not first.startswith("|"):
            said = LINK.sub(r"\1", re.sub(r"^\s*(?:[*+-]|\d+\.|>|#+)\s+", "", "\n".join(part)))
            yield from places(kind, path, number, plain(said), True, "heading" if first.startswith("#") else "text")
            continue
        is_head = not table or number != table[-1] + 1
        table = [number] if is_head else table + [number]
        if is_head or re.fullmatch(r"[\s|:-]+", first):
            continue
        for cell in cells(first):
            if len(cell) > CELL:
                yield Place(kind, path, number, cell, True, "cell")
            yield from places(kind, path, number, plain(LINK.sub(r"\1", cell)))


def of_file(path, text):
    if path.endswith((".cpp", ".h")):
        return list(of_cpp(path, text))
    if path.endswith(".py"):
        return list(of_python(path, text))
    return list(of_page(path, text)) if path.endswith(".md") else []


def is_read(path):
    """Whether the text of this file is ours, and prose is checked in it."""
    if path.startswith(("tests/data/", "tests/sources/", "tests/house/prose")):
        return False
    if path.endswith(".md"):
        return path in PAGES or re.fullmatch(r"docs/[\w-]+\.md", path) is not None
    return path.endswith((".cpp", ".h", ".py")) and path.startswith(("core/", "ui/", "app/", "tests/", "packaging/"))
