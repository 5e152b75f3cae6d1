// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/auth_dialog.h"

#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

AuthDialog::AuthDialog(const QString &node, const AuthQuestion &question, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Log in to %1").arg(node));
    auto *column = new QVBoxLayout(this);
    column->setSpacing(10);
    column->addWidget((new Label(tr("%1 asks").arg(fromNode(question.host)), Theme::Font::title))->wrapped());
    for (const std::string &text : {question.name, question.instruction}) {
        if (!text.empty()) column->addWidget((new Label(fromNode(text)))->wrapped());
    }
    auto *form = new QFormLayout;
    for (const AuthQuestion::Prompt &prompt : question.prompts) {
        auto *field = new QLineEdit;
        const QString name = fromNode(prompt.text).trimmed();
        field->setEchoMode(prompt.echo ? QLineEdit::Normal : QLineEdit::Password);
        field->setAccessibleName(name);
        auto *label = new Label(name);  // QFormLayout's own label would interpret the server's text as markup
        label->setBuddy(field);
        form->addRow(label, field);
        m_fields.push_back(field);
    }
    column->addLayout(form);
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(tr("Log in"), QDialogButtonBox::AcceptRole)->setDefault(true);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(new Label(tr("Nothing you type here is kept."), Theme::Font::small, Theme::Role::text2));
    column->addWidget(buttons);
    setMinimumWidth(420);
    if (!m_fields.empty()) m_fields.front()->setFocus();
}

std::vector<std::string> AuthDialog::takeAnswers()
{
    std::vector<std::string> answers;
    for (QLineEdit *field : m_fields) {
        answers.push_back(field->text().toStdString());
        field->clear();
    }
    return answers;
}

}  // namespace rankdeck::ui
