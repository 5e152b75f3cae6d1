// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/host_key_dialog.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

HostKeyDialog::HostKeyDialog(const QString &node, const HostKeyQuestion &question, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Unknown host key"));
    auto *column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto *head = new QHBoxLayout;
    head->addWidget(new GlyphLabel(Glyph::needsYou, 20), 0, Qt::AlignTop);
    auto *words = new QVBoxLayout;
    words->addWidget((new Label(tr("Is this really %1?").arg(node), Theme::Font::title))->wrapped());
    words->addWidget(
        (new Label(
             tr("You have not connected to it before. Compare the fingerprint with the one from its administrator.")))
            ->wrapped());
    head->addLayout(words, 1);
    column->addLayout(head);
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft);
    const auto add = [&](const QString &name, const std::string &value) {
        if (value.empty()) return;
        auto *text = new Label(fromNode(value), Theme::Font::mono);
        text->wrapped()->selectable();
        text->setAccessibleName(QStringLiteral("%1 %2").arg(name, fromNode(value)));
        form->addRow(new Label(name, Theme::Font::normal, Theme::Role::text2), text);
    };
    add(tr("Host"), question.host);
    add(tr("Address"), question.address);
    add(tr("Key"), question.keyType);
    add(tr("Fingerprint"), question.sha256);
    add(tr("Kept in"), question.knownHostsFile);
    column->addLayout(form);
    auto *buttons = new QDialogButtonBox;
    QPushButton *trust = buttons->addButton(tr("Trust this key"), QDialogButtonBox::AcceptRole);
    QPushButton *cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    trust->setAutoDefault(false);
    trust->setObjectName(QStringLiteral("trust"));
    cancel->setObjectName(QStringLiteral("cancel"));
    cancel->setDefault(true);
    cancel->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(520);
}

}  // namespace rankdeck::ui
