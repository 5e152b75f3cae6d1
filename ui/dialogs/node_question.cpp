// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/node_question.h"

#include "ui/dialogs/auth_dialog.h"
#include "ui/dialogs/host_key_dialog.h"
#include "ui/style/format.h"

#include <QWidget>

namespace rankdeck::ui {

namespace {

void openOnce(QDialog *dialog, const QString &name, QWidget *parent)
{
    if (auto *open = parent->findChild<QDialog *>(name)) {
        dialog->deleteLater();
        open->raise();
        return;
    }
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace

void askNodeQuestion(JobFeed &feed, const NodeStatus &node, QWidget *parent)
{
    const QString name = QString::fromStdString(node.name);
    askNodeQuestion(node, parent, &feed, [&feed, name](Answer answer) { feed.answer(name, std::move(answer)); });
}

void askNodeQuestion(const NodeStatus &node, QWidget *parent, QObject *asker, const std::function<void(Answer)> &answer)
{
    const QString objectName = QStringLiteral("question-") + QString::fromStdString(node.name);
    if (node.hostKey) {
        auto *dialog = new HostKeyDialog(fromNode(node.name), *node.hostKey, parent);
        QObject::connect(dialog, &QDialog::finished, asker, [answer](int result) {
            answer(Answer{result == QDialog::Accepted, {}});
        });
        openOnce(dialog, objectName, parent);
    } else if (node.auth) {
        auto *dialog = new AuthDialog(fromNode(node.name), *node.auth, parent);
        QObject::connect(dialog, &QDialog::finished, asker, [answer, dialog](int result) {
            auto answers = dialog->takeAnswers();
            const bool accept = result == QDialog::Accepted;
            if (!accept) answers.clear();
            answer(Answer{accept, std::move(answers)});
        });
        openOnce(dialog, objectName, parent);
    }
}

}  // namespace rankdeck::ui
