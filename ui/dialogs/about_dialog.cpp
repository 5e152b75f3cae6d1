// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include "ui/kit/label.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace rankdeck::ui {

namespace {

QString licences()
{
    const std::pair<const char *, const char *> parts[] = {{"Rankdeck", "GPL-3.0-or-later"},
                                                           {"Qt 6", "LGPL-3.0-only"},
                                                           {"QCustomPlot", "GPL-3.0-or-later"},
                                                           {"libssh", "LGPL-2.1-or-later"},
                                                           {"SQLite", "public domain"},
                                                           {"JSON for Modern C++", "MIT"},
                                                           {"RE2", "BSD-3-Clause"},
                                                           {"zlib", "Zlib"}};
    QString rows;
    for (const auto &[name, licence] : parts)
        rows += QStringLiteral("<tr><td><b>%1</b></td><td>&nbsp;&nbsp;%2</td></tr>")
                    .arg(QLatin1String(name), QLatin1String(licence));
    return QStringLiteral("<table>%1</table>").arg(rows);
}

void addClose(QDialog &dialog, QVBoxLayout &column)
{
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(AboutDialog::tr("Close"), QDialogButtonBox::RejectRole)->setDefault(true);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    column.addWidget(buttons);
}

QTextBrowser *textOf(const QString &html, const QString &name)
{
    auto *text = new QTextBrowser;
    text->setHtml(html);
    text->setAccessibleName(name);
    text->setOpenLinks(false);
    return text;
}

}  // namespace

AboutDialog::AboutDialog(QWidget *parent) : QDialog(parent)
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
    addClose(*this, *column);
    resize(460, 380);
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
