// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/node_question.h"

#include "ui/dialogs/auth_dialog.h"
#include "ui/dialogs/host_key_dialog.h"
#include "ui/style/format.h"

#include <QPointer>
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
    const QString name = QString::fromStdString(node.name), objectName = QStringLiteral("question-") + name;
    const QPointer<JobFeed> to(&feed);
    if (node.hostKey) {
        auto *dialog = new HostKeyDialog(fromNode(node.name), *node.hostKey, parent);
        QObject::connect(dialog, &QDialog::finished, &feed, [to, name](int result) {
            to->answer(name, Answer{result == QDialog::Accepted, {}});
        });
        openOnce(dialog, objectName, parent);
    } else if (node.auth) {
        auto *dialog = new AuthDialog(fromNode(node.name), *node.auth, parent);
        QObject::connect(dialog, &QDialog::finished, &feed, [to, name, dialog](int result) {
            auto answers = dialog->takeAnswers();
            const bool accept = result == QDialog::Accepted;
            if (!accept) answers.clear();
            to->answer(name, Answer{accept, std::move(answers)});
        });
        openOnce(dialog, objectName, parent);
    }
}

}  // namespace rankdeck::ui
