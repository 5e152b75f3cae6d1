// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/kill_dialog.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

KillDialog::KillDialog(const EscalationOptions &rungs, bool kill, QWidget *parent) : QDialog(parent)
{
    const std::vector<ProcessTarget> &targets = kill ? rungs.kill : rungs.term;
    const int processes = static_cast<int>(targets.size());
    setWindowTitle(kill ? tr("Kill processes") : tr("Terminate processes"));
    auto *column = new QVBoxLayout(this);
    auto *line = new QHBoxLayout;
    line->addWidget(new GlyphLabel(Glyph::refuses, 20), 0, Qt::AlignTop);
    auto *words = new QVBoxLayout;
    const QString question =
        kill ? tr("Kill %n process(es)?", nullptr, processes) : tr("Terminate %n process(es)?", nullptr, processes);
    words->addWidget((new Label(question, Theme::Font::title))->wrapped());
    words->addWidget((new Label(rungs.price))->wrapped());
    if (!kill)
        words->addWidget((new Label(tr("A process that handles SIGTERM itself may keep running. Then use SIGKILL."),
                                    Theme::Font::normal, Theme::Role::text2))
                             ->wrapped());
    line->addLayout(words, 1);
    column->addLayout(line);
    auto *list = new QPlainTextEdit(targetLines(targets).join(QLatin1Char('\n')));
    list->setReadOnly(true);
    list->setAccessibleName(tr("Exactly these processes"));
    list->setFont(Theme::of(this).font(Theme::Font::mono));
    list->setLineWrapMode(QPlainTextEdit::NoWrap);
    list->setMinimumSize(640, 160);
    column->addWidget(list);
    auto *buttons = new QDialogButtonBox;
    const QString act =
        kill ? tr("Kill %n process(es)", nullptr, processes) : tr("Terminate %n process(es)", nullptr, processes);
    QPushButton *go = buttons->addButton(act, QDialogButtonBox::AcceptRole);
    QPushButton *cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    go->setAutoDefault(false);
    cancel->setDefault(true);
    cancel->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

}  // namespace rankdeck::ui
