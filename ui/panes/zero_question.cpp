// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/zero_question.h"

#include "ui/style/window_words.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace rankdeck::ui {

namespace {

struct ZeroQuestion {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::ZeroQuestion)
};

}  // namespace

void askBeforeZero(QWidget *pane, std::function<void()> accepted)
{
    const QString name = QStringLiteral("zeroQuestion");
    if (pane->findChild<QMessageBox *>(name) != nullptr) return;
    auto *question =
        new QMessageBox(QMessageBox::Warning, ZeroQuestion::tr("No evidence that the set is loaded"),
                        ZeroQuestion::tr("The script may train from zero and overwrite the old checkpoints."),
                        QMessageBox::NoButton, pane);
    question->setObjectName(name);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    QPushButton *cancel = question->addButton(ZeroQuestion::tr("Cancel"), QMessageBox::RejectRole);
    QPushButton *goOn = question->addButton(allTheSameLabel(), QMessageBox::AcceptRole);
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    QObject::connect(goOn, &QPushButton::clicked, pane, std::move(accepted));
    question->open();
}

}  // namespace rankdeck::ui
