// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/finding_row.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace rankdeck::ui {

namespace {

// The end of the first clause: the first full stop, or an earlier colon or semicolon that follows at least 20
// characters.
qsizetype factEnd(const QString &text)
{
    constexpr qsizetype least = 20, leastChinese = 8;
    const auto first = [&](const char *english, const char16_t *chinese, qsizetype from, qsizetype fromChinese) {
        const qsizetype a = text.indexOf(QLatin1String(english), from);
        const qsizetype b = text.indexOf(QStringView(chinese), fromChinese);
        return a < 0 ? b : b < 0 ? a : std::min(a, b);
    };
    const qsizetype stop = first(". ", u"。", 0, 0);
    for (const qsizetype at : {first(": ", u"：", least, leastChinese), first("; ", u"；", least, leastChinese)})
        if (at > 0 && (stop < 0 || at < stop)) return at + 1;
    return stop > 0 ? stop + 1 : text.size();
}

// The start of a long text, cut between two items of a list if possible; empty: the text is not long.
QString foldedText(const QString &text)
{
    constexpr qsizetype most = 240, kept = 160;
    if (text.size() <= most) return {};
    const QString start = text.left(kept);
    for (const char *mark : {"; ", ", ", " "})
        if (const qsizetype at = start.lastIndexOf(QLatin1String(mark)); at > kept / 2)
            return start.left(at) + QStringLiteral(" …");
    return start + QStringLiteral("…");
}

QString joined(const QString &text, const QString &fix)
{
    if (text.isEmpty() || fix.isEmpty()) return text + fix;
    return text + QLatin1Char(' ') + fix;
}

}  // namespace

FindingRow::FindingRow(const Finding &finding, const QString &button, QWidget *parent) : Card(parent)
{
    const bool refuses = finding.result == Finding::Result::refuse;
    setGround(refuses ? Theme::Role::tintBad : Theme::Role::base);
    // The first clause is the fact, the rest explains it.
    const bool loud = finding.result != Finding::Result::ok;
    const QString text = asSentence(finding.text);
    const qsizetype cut = factEnd(text);
    build(findingGlyph(finding.result),
          {loud ? text.left(cut) : QString(), loud ? text.mid(cut).trimmed() : text,
           loud && !finding.fix.empty() ? asSentence(finding.fix) : QString()},
          button, false);
}

FindingRow *FindingRow::fixed(const Finding &finding, bool undo, QWidget *parent)
{
    auto *row = new FindingRow(parent);
    const QString text = asSentence(finding.text);
    row->build(Glyph::check,
               {tr("Fixed by the plan:"), text, finding.fix.empty() ? QString() : asSentence(finding.fix)},
               undo ? tr("Undo") : QString(), true);
    return row;
}

void FindingRow::build(Glyph glyph, Words words, const QString &button, bool flat)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 6, 3);
    row->setSpacing(8);
    row->addWidget(new GlyphLabel(glyph, 13));
    auto *label = new Label;
    label->wrapped();
    const auto show = [label, words](const QString &text) {
        if (words.bold.isEmpty())
            label->setText(joined(text, words.fix));
        else
            label->setBoldAndText(words.bold, joined(text, words.fix));
    };
    row->addWidget(label, 1);
    setMinimumHeight(29);
    const QString folded = foldedText(words.text);
    show(folded.isEmpty() ? words.text : folded);
    if (!folded.isEmpty()) {
        auto *more = new QPushButton(tr("All of it"));
        more->setFlat(true);
        more->setCheckable(true);
        label->setToolTip(toolTipOf(words.text));
        row->addWidget(more);
        connect(more, &QPushButton::toggled, this, [show, words, folded, more](bool whole) {
            show(whole ? words.text : folded);
            more->setText(whole ? tr("Less") : tr("All of it"));
        });
    }
    if (button.isEmpty()) return;
    auto *press = new QPushButton(button);
    press->setFlat(flat);
    press->setAccessibleName(
        QStringLiteral("%1: %2").arg(button, words.bold.isEmpty() ? joined(words.text, words.fix) : words.bold));
    row->addWidget(press);
    connect(press, &QPushButton::clicked, this, &FindingRow::pressed);
}

}  // namespace rankdeck::ui
