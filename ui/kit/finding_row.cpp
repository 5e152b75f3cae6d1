// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/finding_row.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/finding_words.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace rankdeck::ui {

namespace {

// Up to the first full stop, or to a colon or semicolon once something has been said.
qsizetype factEnd(const QString &text)
{
    constexpr qsizetype least = 20;
    const qsizetype stop = text.indexOf(QLatin1String(". "));
    for (const char *mark : {": ", "; "}) {
        const qsizetype at = text.indexOf(QLatin1String(mark), least);
        if (at > 0 && (stop < 0 || at < stop)) return at + 1;
    }
    return stop > 0 ? stop + 1 : text.size();
}

}  // namespace

FindingRow::FindingRow(const Finding &finding, const QString &button, QWidget *parent) : Card(parent)
{
    const bool refuses = finding.result == Finding::Result::refuse;
    setGround(refuses ? Theme::Role::tintBad : Theme::Role::base);
    // The first clause carries the fact, the rest explains.
    const bool loud = finding.result != Finding::Result::ok;
    const QString text = asSentence(finding.text);
    const QString label = findingLabel(finding.code);
    const qsizetype cut = label.isEmpty() ? factEnd(text) : 0;
    const QString bold = !loud ? QString() : label.isEmpty() ? text.left(cut) : tr("%1:").arg(label);
    QString rest = loud ? text.mid(cut).trimmed() : text;
    if (loud && !finding.fix.empty())
        rest += (rest.isEmpty() ? QString() : QStringLiteral(" ")) + asSentence(finding.fix);
    build(findingGlyph(finding.result), bold, rest, button, false);
}

FindingRow *FindingRow::fixed(const Finding &finding, bool undo, QWidget *parent)
{
    auto *row = new FindingRow(parent);
    const QString text = asSentence(finding.text);
    const QString label = findingLabel(finding.code);
    row->build(Glyph::check, label.isEmpty() ? tr("Fixed by the plan:") : tr("Fixed by the plan, %1:").arg(label),
               finding.fix.empty() ? text : text + QLatin1Char(' ') + asSentence(finding.fix),
               undo ? tr("Undo") : QString(), true);
    return row;
}

void FindingRow::build(Glyph glyph, const QString &bold, const QString &text, const QString &button, bool flat)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 6, 3);
    row->setSpacing(8);
    row->addWidget(new GlyphLabel(glyph, 13));
    auto *words = new Label;
    words->wrapped();
    if (bold.isEmpty())
        words->setText(text);
    else
        words->setBoldAndText(bold, text);
    row->addWidget(words, 1);
    setMinimumHeight(29);
    if (button.isEmpty()) return;
    auto *press = new QPushButton(button);
    press->setFlat(flat);
    press->setAccessibleName(QStringLiteral("%1: %2").arg(button, bold.isEmpty() ? text : bold));
    row->addWidget(press);
    connect(press, &QPushButton::clicked, this, &FindingRow::pressed);
}

}  // namespace rankdeck::ui
