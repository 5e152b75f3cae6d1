// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/window_words.h"

#include "ui/style/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <string_view>

namespace rankdeck::ui {

namespace {

struct RuleWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::WindowWords)
};

QString pressed(const QString &label) { return RuleWords::tr("press \"%1\"").arg(label); }
QString nothing() { return {}; }

// Formats of core's terminalWords(), and the window's format for the same parts.
struct Row {
    std::string_view terminal;
    QString (*window)();
};
constexpr Row rows[] = {
    {"say --fix %1", [] { return pressed(allTheSameLabel()); }},
    {"(--allow-unproven)", [] { return RuleWords::tr("(tick \"%1\")").arg(unprovenLabel()); }},
    {"take it back with --cancel", [] { return pressed(cancelStopLabel()); }},
    {"--world-size", [] { return RuleWords::tr("the number of ranks"); }},
    {"`checkpoints` lists", [] { return RuleWords::tr("the deck shows"); }},
    // A set is named by its step, as in the deck, not by its id.
    {"set %1 of step %2", [] { return RuleWords::tr("set %2"); }},
    {"set %1 (epoch %2, step %3, global step %4)", [] { return RuleWords::tr("set %4 (epoch %2, step %3)"); }},
    {": rankdeckctl checkpoints --prove %1", nothing},
    {" (--fix %1)", nothing},
    {", or write to the other nodes only (--reachable-only)", nothing},
    {", or increase --wait", nothing},
    {" (exit --escalate kill, or --stop-on-alarm the next time)", nothing},
    {", or run again with --accept-new-host-keys", nothing},
    {" (exit)", nothing},
    {"; --list shows the kept sets", nothing},
};

QString formatInWindow(const std::string &format)
{
    const auto row =
        std::find_if(std::begin(rows), std::end(rows), [&](const Row &one) { return one.terminal == format; });
    return row != std::end(rows) ? row->window() : QCoreApplication::translate("Core", format.c_str());
}

QString filled(const QString &format, const std::vector<Message> &parts)
{
    QString text;
    for (qsizetype i = 0; i < format.size(); ++i) {
        const int part = format[i] == QLatin1Char('%') && i + 1 < format.size() ? format[i + 1].digitValue() : -1;
        if (part < 1 || static_cast<std::size_t>(part) > parts.size()) {
            text += format[i];
            continue;
        }
        text += fromCore(parts[static_cast<std::size_t>(part) - 1]);
        ++i;
    }
    return text;
}

}  // namespace

QString allTheSameLabel() { return RuleWords::tr("Continue anyway"); }
QString unprovenLabel() { return RuleWords::tr("Use it although it is unproven"); }
QString cancelStopLabel() { return RuleWords::tr("Cancel the stop"); }

QString fromCore(const Message &message)
{
    if (message.format() == clauseFormat) {
        QString clause = fromCore(message.parts().front());
        while (clause.endsWith(QLatin1Char('.')) || clause.endsWith(QChar(0x3002))) clause.chop(1);
        return clause;
    }
    return message.format().empty() ? fromNode(message) : filled(formatInWindow(message.format()), message.parts());
}

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
