// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/report_file.h"

#include "core/base/files.h"
#include "core/report/incident_report.h"
#include "ui/feed/job_feed.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>
#include <QDate>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>

namespace rankdeck::ui {

namespace {

struct Reports {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Reports)
};

}  // namespace

QString usualPath(const Job &job, const QString &end)
{
    QString name;
    for (const QChar c : fromNode(job.name))
        name += c.isLetterOrNumber() || c == QLatin1Char('.') ? c : QLatin1Char('-');
    const QString directory = job.file.empty() ? QDir::homePath() : QFileInfo(QString::fromStdString(job.file)).path();
    return directory + QLatin1Char('/') + name + QLatin1Char('-') + QDate::currentDate().toString(Qt::ISODate) +
           QLatin1Char('.') + end;
}

Status writeReport(const JobFeed &feed, std::vector<JournalEntry> journal, const QString &path)
{
    const auto snapshot = feed.snapshot();
    ReportFacts facts{.view = snapshot->view,
                      .at = snapshot->at,
                      .offline = feed.offline(),
                      .settled = snapshot->settled,
                      .alarms = snapshot->alarms,
                      .journal = std::move(journal)};
    feed.withRun([&](const Run &run) { takeRun(run, facts); });
    const Document document = incidentReport(facts);
    const bool plain = path.endsWith(QStringLiteral(".md"), Qt::CaseInsensitive);
    return writeLocalFileAtomically(path.toStdString(), plain ? markdown(document) : html(document));
}

void saveReport(JobFeed &feed, QWidget *window)
{
    const QString path = QFileDialog::getSaveFileName(window, Reports::tr("Incident report"),
                                                      usualPath(feed.snapshot()->view.job, QStringLiteral("html")),
                                                      Reports::tr("HTML (*.html);;Markdown (*.md)"));
    if (path.isEmpty()) return;
    feed.readJournal([&feed, path, window = QPointer<QWidget>(window)](std::vector<JournalEntry> entries) {
        const Status written = writeReport(feed, std::move(entries), path);
        if (!written && window)
            QMessageBox::warning(window, Reports::tr("Incident report"), fromCore(written.error().message));
    });
}

}  // namespace rankdeck::ui
