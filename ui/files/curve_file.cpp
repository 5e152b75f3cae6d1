// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/curve_file.h"

#include "core/base/files.h"
#include "core/report/incident_report.h"
#include "core/report/loss_drawing.h"
#include "ui/feed/job_feed.h"
#include "ui/files/report_file.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPixmap>

#include <charconv>
#include <cmath>
#include <limits>

namespace rankdeck::ui {

namespace {

struct CurveFile {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::CurveFile)
};

constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min() / 2;
constexpr std::uint64_t mostSamples = 5'000'000;  // about 150 MB of text

void addNumber(std::string &into, double value)
{
    if (!std::isfinite(value)) {
        into += std::isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
        return;
    }
    char digits[32];
    into.append(digits, std::to_chars(digits, digits + sizeof digits, static_cast<float>(value)).ptr);
}

// Values of a metric next to the losses of one rank in one attempt; both are in ascending order of steps.
class MetricCells {
public:
    MetricCells(const Run &run, int rank, int attempt, Metric metric)
    {
        if (const Series *series = run.metric(rank, attempt, metric)) m_samples = series->samples(first, -first);
    }
    void add(std::string &row, std::int64_t step)
    {
        while (m_at < m_samples.size() && m_samples[m_at].step < step) ++m_at;
        row += ',';
        if (m_at < m_samples.size() && m_samples[m_at].step == step) addNumber(row, m_samples[m_at].loss);
    }

private:
    std::vector<PlacedSample> m_samples;
    std::size_t m_at = 0;
};

// One row per sample. Attempts are counted from 0, as in the JSON of rankdeckctl.
std::string tableOf(const Run &run)
{
    std::string rows = "attempt,rank,step,loss,discarded";
    for (const MetricRow &row : metricRows) rows += std::string(",") + row.name;
    rows += '\n';
    for (const AttemptInfo &attempt : run.attempts()) {
        for (const int rank : run.ranks()) {
            const Series *series = run.series(rank, attempt.index);
            if (series == nullptr) continue;
            const std::string begin = std::to_string(attempt.index) + "," + std::to_string(rank) + ",";
            std::vector<MetricCells> metrics;
            for (const MetricRow &row : metricRows) metrics.emplace_back(run, rank, attempt.index, row.metric);
            for (const PlacedSample &sample : series->samples(first, -first)) {
                rows += begin + std::to_string(sample.step) + ",";
                addNumber(rows, sample.loss);
                rows += attempt.discardedAfter && sample.step > *attempt.discardedAfter ? ",yes" : ",no";
                for (MetricCells &cells : metrics) cells.add(rows, sample.step);
                rows += '\n';
            }
        }
    }
    return rows;
}

Result<std::string> table(const JobFeed &feed)
{
    std::uint64_t samples = 0;
    std::string rows;
    feed.withRun([&](const Run &run) {
        samples = run.sampleCount();
        if (samples <= mostSamples) rows = tableOf(run);
    });
    if (samples <= mostSamples) return rows;
    return fail(ErrorKind::unsupported,
                CurveFile::tr("A table holds at most %1 samples; the run has %2. Save it as SVG or PNG.")
                    .arg(number(mostSamples), number(static_cast<std::int64_t>(samples)))
                    .toStdString());
}

Result<std::string> drawing(const JobFeed &feed)
{
    const auto snapshot = feed.snapshot();
    ReportFacts facts{.view = snapshot->view, .at = snapshot->at};
    feed.withRun([&](const Run &run) { takeRun(run, facts); });
    std::string svg = lossDrawing(facts.loss);
    if (!svg.empty()) return svg;
    return fail(ErrorKind::notFound, CurveFile::tr("No loss values yet, so there is nothing to draw.").toStdString());
}

std::string picture(QWidget &deck)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    deck.grab().save(&buffer, "PNG");
    return bytes.toStdString();
}

}  // namespace

Status writeCurve(const JobFeed &feed, QWidget &deck, const QString &path)
{
    const QString end = QFileInfo(path).suffix().toLower();
    Result<std::string> bytes =
        fail(ErrorKind::invalid,
             CurveFile::tr("Expected a name that ends in .csv, .svg or .png; found %1.").arg(path).toStdString());
    if (end == QLatin1String("csv")) bytes = table(feed);
    if (end == QLatin1String("svg")) bytes = drawing(feed);
    if (end == QLatin1String("png")) bytes = picture(deck);
    if (!bytes) return bytes.error();
    return writeLocalFileAtomically(path.toStdString(), *bytes);
}

void saveCurve(const JobFeed &feed, QWidget &deck, QWidget *window)
{
    const QString csv = CurveFile::tr("Table of all samples (*.csv)"), svg = CurveFile::tr("Drawing (*.svg)");
    const QString filters =
        QStringList{csv, svg, CurveFile::tr("Picture of the deck (*.png)")}.join(QLatin1String(";;"));
    QString chosen;
    QString path =
        QFileDialog::getSaveFileName(window, CurveFile::tr("Save the curve"),
                                     usualPath(feed.snapshot()->view.job, QStringLiteral("csv")), filters, &chosen);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty())
        path += chosen == csv   ? QStringLiteral(".csv")
                : chosen == svg ? QStringLiteral(".svg")
                                : QStringLiteral(".png");
    if (const Status written = writeCurve(feed, deck, path); !written)
        QMessageBox::warning(window, CurveFile::tr("Save the curve"), fromCore(written.error().message));
}

}  // namespace rankdeck::ui
