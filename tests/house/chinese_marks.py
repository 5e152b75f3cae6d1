# SPDX-License-Identifier: GPL-3.0-or-later
"""Chinese text has Chinese punctuation: no half-width comma, colon, question mark or bracket next to it or between two values. Keys
of menus, file patterns, keys of the keyboard and code keep theirs. A translation has the same parts (%1, %n) as its source.
Usage: chinese_marks.py SOURCE_DIRECTORY"""
import html
import os
import re
import sys

HAN = "[\u4e00-\u9fff]"
KEEP = re.compile(r"\(&[A-Z]\)|\(\*[^)]*\)|\(Ctrl\+[A-Z]\)|\([A-Z]\)|\"[^\"]*\"|<[^>]*>|\d, \d|\d-\d, \d")
PART = re.compile(r"%[1-9nL]")
MESSAGE = re.compile(r"<source>(.*?)</source>.*?<translation>(.*?)</translation>", re.S)
WRONG = re.compile(HAN + r"\s?[,:;!?]|[,:;!?]\s?" + HAN + r"|%\d[,:;]\s?%|^[,:;]\s?%|\(" + HAN + "|" + HAN + r"\)|" + HAN + r"\.$")


def main():
    with open(os.path.join(sys.argv[1], "resources/i18n/rankdeck_zh_CN.ts"), encoding="utf-8") as file:
        text = file.read()
    wrong = []
    for words in re.findall(r"<(?:translation|numerusform)>(.*?)</(?:translation|numerusform)>", text, re.S):
        said = html.unescape(words).strip()
        found = WRONG.search(KEEP.sub("", said))
        if found:
            wrong.append(f"{said!r}: {found.group()!r}")
    for source, words in MESSAGE.findall(text):
        forms = re.findall(r"<numerusform>(.*?)</numerusform>", words, re.S) or [words]
        for form in forms:
            if set(PART.findall(form)) != set(PART.findall(source)):
                wrong.append(f"{html.unescape(source)!r}: its parts are not those of {html.unescape(form)!r}")
    if wrong:
        sys.exit("half-width marks beside Chinese words, or other parts:\n" + "\n".join(wrong))


main()
