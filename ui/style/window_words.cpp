// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/window_words.h"

#include "ui/style/core_sentences.h"
#include "ui/style/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck::ui {

namespace {

struct RuleWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::WindowWords)
};

struct Rule {
    QRegularExpression option;
    QString words;
};

QString pressed(const QString &label) { return RuleWords::tr("press \"%1\"").arg(label); }

// Made again for each text, because the language may have changed. It is cheap, and only needed for a text with an
// option in it.
std::vector<Rule> rules()
{
    const auto rule = [](const char *pattern, const QString &words) {
        return Rule{QRegularExpression(QString::fromLatin1(pattern)), words};
    };
    return {rule("say --fix \\w+", pressed(allTheSameLabel())),
            rule("\\(--allow-unproven\\)", RuleWords::tr("(tick \"%1\")").arg(unprovenLabel())),
            rule(": rankdeckctl checkpoints --prove ?[^, ]*", {}), rule(" \\(--fix \\w+\\)", {}),
            rule("take it back with --cancel", pressed(cancelStopLabel())),
            rule(",? or write to the other nodes only \\(--reachable-only\\)", {}), rule(",? or increase --wait", {}),
            rule(" \\(exit --escalate kill, or --stop-on-alarm the next time\\)", {}),
            rule(",? or run again with --accept-new-host-keys", {}), rule(" \\(exit\\)", {}),
            rule("; --list shows the kept sets", {}), rule("`checkpoints` lists", RuleWords::tr("the deck shows")),
            // A set is named by its step, as in the deck, not by its id.
            rule("\\bset \\S+ of step (\\d[\\d,]*)", QStringLiteral("set \\1")),
            rule("\\bset \\S+ \\(epoch ([\\d,]+), step ([\\d,]+), global step ([\\d,]+)\\)",
                 QStringLiteral("set \\3 (epoch \\1, step \\2)"))};
}

}  // namespace

QString allTheSameLabel() { return RuleWords::tr("Continue anyway"); }
QString unprovenLabel() { return RuleWords::tr("Use it although it is unproven"); }
QString cancelStopLabel() { return RuleWords::tr("Cancel the stop"); }

QString windowWords(QString text)
{
    const bool named = text.contains(QLatin1String("--")) || text.contains(QLatin1String("(exit")) ||
                       text.contains(QLatin1Char('`')) || text.contains(QLatin1String("set "));
    if (!named) return text;
    for (const Rule &rule : rules()) text.replace(rule.option, rule.words);
    return text;
}

QString fromCore(const std::string &bytes) { return coreSentence(windowWords(fromNode(bytes))); }

QString sentence(const QString &words)
{
    QString text = words.trimmed();
    if (text.isEmpty()) return text;
    // A path, a node's name or an identifier keeps its first letter: only ordinary words are capitalized.
    const QString word = text.section(QLatin1Char(' '), 0, 0).remove(QLatin1Char(','));
    const bool isWord = std::all_of(word.begin(), word.end(), [](QChar letter) { return letter.isLower(); });
    if (isWord) text[0] = text[0].toUpper();
    return ended(text);
}

QString ended(const QString &text)
{
    static const QString ends = QStringLiteral(".!?…。！？");
    if (text.isEmpty() || ends.contains(text.back())) return text;
    const bool chinese =
        std::any_of(text.begin(), text.end(), [](QChar letter) { return letter.script() == QChar::Script_Han; });
    return text + (chinese ? QChar(0x3002) : QLatin1Char('.'));
}

bool goesOn(const QString &rest) { return rest.startsWith(QLatin1Char(',')) || rest.startsWith(QChar(0xFF0C)); }

QString gapAfter(const QString &text, const QString &rest)
{
    static const QString wide = QStringLiteral("。！？；：，");
    const bool none = text.isEmpty() || rest.isEmpty() || goesOn(rest) || wide.contains(text.back());
    return none ? QString() : QStringLiteral(" ");
}

}  // namespace rankdeck::ui
