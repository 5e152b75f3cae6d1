# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of language, each a function of one statement. A rule that flags correct English more than about once in twenty is worse than
none: each leaves out what it is not sure of."""
import re

from prose_rules import texts, words

SENTENCE = 25  # words
HINTS = re.compile(r"\b(?:whom?|nobody|somebody|where|no|none|told|said|heard|asked|known)\b", re.I)  # else most rules see nothing
BEGINS = re.compile(r"[\W\d_]*(?:What|Who|Whoever|Whose|Whom|Of|Where)\b")
QUESTION = re.compile(r"\?[\"”')*]*$")
VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|cannot|may|must|will|does|do|goes|"
                  r"comes|stays|gets|takes|makes|needs|says|runs|counts|holds|stands|lies)\b")

# who and whom: a person stands before them, or does what only people do.
PEOPLE = (r"(?:users?|operators?|people|persons?|colleagues?|readers?|admin\w*|engineers?|contributors?|authors?|maintainers?|attackers?|"
          r"owners?|somebody|someone|anybody|anyone|everybody|everyone|those|one|you|we|they|CODE)")
BY_PEOPLE = (r"(?:acknowledge[sd]?|decide[sd]?|start(?:s|ed)|ask(?:s|ed)|open(?:s|ed)|did|does|wrote|clicked|signed|logs? in|owns|takes over|"
             r"must act|act(?:s|ed)|confirmed it|reads?|cannot read|pressed|typed?s?|may|needs to|is allowed)")
WHO = re.compile(r"\b(?P<before>[\w']+)?[,;:]?\s*(?<![-\w])(?<!\bby )(?:who|whom)\b"
                 r"(?! (?:else )?(?:has |have |had )?" + BY_PEOPLE + r"\b|,| and\b| or\b| (?:they|we) are\b)", re.I)
NO_PROCESS = (r"(?:who|may|can|clicked|decide[sd]|acknowledge[sd]?|reads?|answer(?:s|ed)?|must|acts?|acted|look(?:s|ed|ing)?|typed?s?|"
              r"watch(?:es|ed|ing)?|confirmed|did something|installs?|needs? to)")
A_PROCESS = (r"(?:runs?|gone|left|die[sd]?|hangs?|waits?|writes?|wrote|trains?|holds?|held|it|makes|opens?|of them|stands|logged|exits|exited|"
             r"begins|listens|answers|reads|said|told)")
NOBODY = re.compile(rf"\bnobody\b(?! (?:else )?(?:has |had |is )?{NO_PROCESS}\b)(?!'s)|"
                    rf"\bsomebody\b(?= (?:else )?(?:(?:has|had|is|was|else) )?{A_PROCESS}\b)", re.I)

# where: of a place, or as a question; else it is a condition.
PLACE = (r"(?:director(?:y|ies)|folders?|places?|files?|paths?|pages?|lines?|positions?|hosts?|nodes?|machines?|steps?|points?|columns?|"
         r"sections?|tables?|disks?|clusters?|rows?|lists?|logs?|area|spot|offsets?|bytes?|ranges?|scene|window|screen|corner|edge|end|"
         r"here|there|one|console|systems?|mounts?|shell|room|axis)")
ASKS = (r"(?:says?|said|shows?|shown|tells?|told|knows?|known|knowing|decides?|finds?|found|sees?|seen|looks?|checks?|from|to|of|is|are|was|"
        r"and|or|about|on|at|in|remembers?|stays?|begins?|starts?|went|goes|go|puts?|written|read|ends?|lies|stands|back|names?|reports?|"
        r"learns?|marks?|moves?|moved|kept|keeps?|which|what|how|when|who|asks?|asked|asking|against|exactly|just|somewhere|as|than|made|done|"
        r"writes?|remains?|by|with|chooses?)")
WHERE = re.compile(r"(?P<before>\b[\w']+)(?P<mark>,|;|\)|:)? (?P<link>and |or |also |even |only |but |except )?where (?P<after>[\w']+ [\w']+)", re.I)
CONDITION = re.compile(r"(?:no|nobody|none|nothing|neither|not|nor|it is|it was|that is|one is|all|many|several|only|ranks|two|some|sets|files|"
                       r"what|who|this|these)\b", re.I)

IS_NO = re.compile(r"(?P<before>(?:\b[\w']+ ){0,3})\b(?:is|are|was|were|be|been|being) (?:none\b|no\b(?= \w)(?! (?:or|and|when|if|unless)\b))"
                   r"(?! (?:longer|more|less|different|better|worse|fewer|one|later|earlier|other|need|way|harm|matter|use|problem)\b)", re.I)
PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)"
                     r"(?: (?:not|never|also|only|then|no longer|still|often|already|not yet))? (?:told(?! to\b)|said|heard|asked for)\b", re.I)
KNOWN = re.compile(r"\b(?:is|are|was|were) (?:not|not yet|never)(?: yet)? known\b(?! (?:as|to|by|from|for)\b)", re.I)
WORD_LIST = [(name, re.compile(pattern, re.I), instead) for name, pattern, instead in words.WORDS]
ANY_WORD = re.compile("|".join(f"(?:{pattern})" for _, pattern, _ in words.WORDS), re.I)


def begins(place):
    said = place.text.capitalize() if place.form == "name" else place.text
    if not place.begins or place.form == "heading" or not BEGINS.match(said) or QUESTION.search(said):
        return False
    if re.match(r"[\W\d_]*(?:what|where|whom?|of) (?:to|else|about|course)\b", said, re.I):
        return False
    return place.form == "name" or said.endswith((".", ";")) or bool(VERB.search(said, 8))


def is_condition(found):
    before, mark, after = found["before"].lower(), found["mark"], found["after"]
    is_place = re.match(r"(?:it|they) (?:is|are|was|were)$", after) and re.match(r"[.,;:)]|$", found.string[found.end():])
    if is_place or mark == ":" or mark and found["link"] in ("and ", "or "):
        return False  # a place, what a name means, or one more question
    if mark:
        return not re.fullmatch(PLACE, before) or bool(CONDITION.match(after))
    return not re.fullmatch(f"{PLACE}|{ASKS}", before)


def who_is_no_person(said):
    return any(not re.fullmatch(PEOPLE, (found["before"] or "").lower()) for found in WHO.finditer(said))


def is_no(said):
    return any("there" not in found["before"].lower().split() for found in IS_NO.finditer(said))


def length(said):
    return len([word for word in said.split() if re.search(r"\w", word)])


def hinted(said):
    if who_is_no_person(said):
        yield "who", "people only: the rank that, the process which"
    if NOBODY.search(said):
        yield NOBODY.search(said)[0].lower(), "people only: no rank, no process, another process"
    if any(is_condition(found) for found in WHERE.finditer(said)) or re.match(r"where (?:no|nobody|nothing|none|neither)\b", said):
        yield "where", "if or when for a condition"
    if is_no(said):
        yield "is no", "say what it is, or: is not a"
    if PASSIVE.search(said):
        yield PASSIVE.search(said)[0].lower(), "name who reports it, or drop the verb"
    if KNOWN.search(said):
        yield KNOWN.search(said)[0].lower(), "unknown"


def faults(place):
    """What is wrong with a statement: the name of the rule, and what to do."""
    said = place.text
    if place.form == "cell":
        if len(said) > texts.CELL:
            yield f"cell of {len(said)} characters", f"at most {texts.CELL}: write a section"
        return
    if begins(place):
        yield "begins with " + said.split()[0].strip("*_("), "begin with the noun"
    if HINTS.search(said):
        yield from hinted(said)
    if ANY_WORD.search(said):
        yield from ((f"word: {name}", instead) for name, pattern, instead in WORD_LIST if pattern.search(said))
    if place.form == "name":
        return
    if length(said) > SENTENCE:
        yield f"{length(said)} words", f"at most {SENTENCE}: make two sentences"
    if said.count(";") > 1:
        yield "two semicolons", "at most one: make two sentences"
