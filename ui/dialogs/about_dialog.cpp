// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include "ui/dialogs/library_versions.h"
#include "ui/kit/label.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace rankdeck::ui {

namespace {

QString licences()
{
    QString rows;
    for (const LibraryVersion &part : libraryVersions())
        rows += QStringLiteral("<tr><td><b>%1</b></td><td>&nbsp;&nbsp;%2</td><td>&nbsp;&nbsp;%3</td></tr>")
                    .arg(part.name, part.version.isEmpty() ? QStringLiteral("—") : part.version.toHtmlEscaped(),
                         part.licence);
    return QStringLiteral("<table>%1</table>").arg(rows);
}

QDialogButtonBox *addClose(QDialog &dialog, QVBoxLayout &column)
{
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(AboutDialog::tr("Close"), QDialogButtonBox::RejectRole)->setDefault(true);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    column.addWidget(buttons);
    return buttons;
}

}  // namespace

void showDiagnostics(const QString &text, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(AboutDialog::tr("Diagnostics"));
    auto *column = new QVBoxLayout(dialog);
    column->addWidget(
        (new Label(AboutDialog::tr("Only this is copied: no names of hosts, users, jobs or files.")))->wrapped());
    auto *shown = new QPlainTextEdit(text);
    shown->setReadOnly(true);
    shown->setTabChangesFocus(true);
    shown->setAccessibleName(AboutDialog::tr("Diagnostics"));
    column->addWidget(shown, 1);
    QPushButton *copy = addClose(*dialog, *column)->addButton(AboutDialog::tr("Copy"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog, [text] { QGuiApplication::clipboard()->setText(text); });
    dialog->resize(520, 420);
    dialog->open();
}

namespace {

QTextBrowser *textOf(const QString &html, const QString &name)
{
    auto *text = new QTextBrowser;
    text->setHtml(html);
    text->setAccessibleName(name);
    text->setOpenLinks(false);
    return text;
}

}  // namespace

AboutDialog::AboutDialog(const QString &diagnostics, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("About Rankdeck"));
    auto *column = new QVBoxLayout(this);
    column->addWidget(new Label(tr("Rankdeck %1").arg(QCoreApplication::applicationVersion()), Theme::Font::valueBold));
    column->addWidget((new Label(tr("Watches distributed training, stops it gracefully, and resumes it from the newest "
                                    "checkpoint set that is proven consistent across ranks.")))
                          ->wrapped());
    column->addWidget(
        (new Label(tr("Free software under the GNU General Public License, version 3 or later, without any warranty."),
                   Theme::Font::normal, Theme::Role::text2))
            ->wrapped());
    column->addWidget(textOf(licences(), tr("Licences")), 1);
    QPushButton *copy = addClose(*this, *column)->addButton(tr("Copy diagnostics…"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, this, [this, diagnostics] { showDiagnostics(diagnostics, this); });
    resize(460, 400);
}

HelpDialog::HelpDialog(const QString &title, const QString &html, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(title);
    auto *column = new QVBoxLayout(this);
    column->addWidget(textOf(html, title), 1);
    addClose(*this, *column);
    resize(560, 520);
}

}  // namespace rankdeck::ui
