# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that a reader stumbles over here, with what to write instead. A pattern leaves out the uses that are ordinary English."""

# name, pattern, instead
WORDS = (
    ("anew", r"\banew\b", "again, new"),
    ("besides", r"\bbesides\b", "also, next to, apart from"),
    ("meanwhile", r"\bmeanwhile\b", "during this time, or nothing"),
    ("in vain", r"\bin vain\b", "without success"),
    ("all the same", r"\ball the same\b", "anyway"),
    ("aside", r"\baside\b(?! from)", "backup; renames, moves out of the way"),
    ("stands", r"\b(?<!the )(?<!\ba )(?:stands?|stood)\b(?! (?:for|out|by|in for)\b)(?!-)", "is, is stored, is listed"),
    ("lies", r"\b(?:lies|lie|lay|lain)(?= (?:in|at|below|on|there|outside|inside|between|beside|under|behind|above|where|with|apart|elsewhere|"
             r"deeper|beyond|near)\b)"
             r"|\bwhere [^.,;]{2,40} (?:lies|lie|lay)\b", "is, is stored"),
    ("by itself", r"\bby (?:itself|themselves|himself)\b", "automatically, alone"),
    ("as a rule", r"\bas a rule\b", "usually"),
    ("some such", r"\bsome such\b", "one of these"),
    ("tell", r"\b(?<!can )(?<!cannot )(?<!can't )(?:tell|tells|told|telling)\b(?! (?:(?:it|them|him|you|\w+s) )?to\b)", "show, report, say which"),
    ("word", r"\b(?:a|no|some|its|their|the|few|without|(?:its|their|his) last) words?\b(?! (?:by|per|list|boundar|wrap|size|count))",
     "message, text, code, argument"),
    ("look", r"\b(?:a|one|the|this|last|first|next|second|no|quick|its|per) look\b(?! (?:of|and feel)\b)(?<!worth a look)|"
             r"\b(?:between|two|no) looks\b|\b(?:is|are|was|were|been|be|being) looked\b|\bnot looked (?:at|for|into)\b|\blooks on\b",
     "check, scan, snapshot"),
    ("heard of", r"\bheard (?:of|from)\b", "contacted, reachable"),
    ("holds", r"\b(?:it|they) (?:still )?holds? (?:no longer|still|when|while|where|if|too)\b|"
              r"\bdo(?:es)? not hold(?=[.,;:)]|$| (?:while|when|where|if|any more)\b)|\bholds when\b|\bwhat holds\b|"
              r"\b(?:rule|test|alarm|alarms|condition) (?:that )?(?:still )?holds?(?=[.,;:)]|$| (?:when|while|where|if|no longer)\b)",
     "is true, applies"),
    ("picture", r"\b(?:the|its) (?:\w+ )?picture(?:'s)?\b(?! \()|\ba later picture\b", "job state"),
    ("moment", r"\b(?:show|shows|shown|of|around) the moment\b(?! (?:when|at|it|of|in|that))", "failure, failure view"),
    ("price", r"\b(?:price|prices|priced)\b", "cost, lost work"),
    ("survivor", r"\bsurvivors?\b", "leftover process"),
    ("gasp", r"\bgasps?\b", "emergency checkpoint"),
    ("witness", r"\bwitness(?:es|ed)?\b", "evidence"),
    ("farewell", r"\bfarewells?\b", "exit line"),
    ("crank", r"\bcranks?\b", "drive, run"),
    ("sight", r"\b(?<!first )sights?\b", "view, snapshot"),
    ("book", r"\bbooks?\b", "record"),
)
