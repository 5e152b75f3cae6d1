// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/curve_file.h"

#include "tests/ui/window/window_fixture.h"
#include "ui/deck/deck.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <gmock/gmock.h>

#include <cmath>

namespace rankdeck::ui::curve_file_test {
namespace {

QByteArray content(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

class CurveFile : public Window {
protected:
    [[nodiscard]] QString path(const char *name) const { return m_directory.filePath(QLatin1String(name)); }
    const QTemporaryDir m_directory;
};

// Every sample of the run is one row that reads back unchanged, and there is no other row.
TEST_F(CurveFile, TableContainsEverySampleOnce)
{
    open(scenes::healthy());
    ASSERT_TRUE(writeCurve(*m_feed, *part<Deck>(), path("a.csv")).has_value());
    QList<QByteArray> rows = content(path("a.csv")).trimmed().split('\n');
    EXPECT_EQ(rows.takeFirst(),
              "attempt,rank,step,loss,discarded,learning_rate,grad_norm,loss_scale,step_seconds,throughput");
    EXPECT_EQ(static_cast<std::uint64_t>(rows.size()), m_feed->run().sampleCount());
    for (const QByteArray &row : std::as_const(rows)) {
        const QList<QByteArray> cells = row.split(',');
        ASSERT_EQ(cells.size(), 10) << row.toStdString();
        const int attempt = cells[0].toInt();
        const Series *series = m_feed->run().series(cells[1].toInt(), attempt);
        ASSERT_NE(series, nullptr) << row.toStdString();
        const auto sample = series->at(cells[2].toLongLong());
        ASSERT_TRUE(sample && sample->step == cells[2].toLongLong()) << row.toStdString();
        if (std::isfinite(sample->loss))
            ASSERT_EQ(cells[3].toFloat(), static_cast<float>(sample->loss)) << row.toStdString();
        else
            ASSERT_THAT(cells[3].toStdString(), testing::AnyOf("NaN", "Inf", "-Inf"));
        const AttemptInfo info = m_feed->run().attempts().at(static_cast<std::size_t>(attempt));
        const bool discarded = info.discardedAfter && sample->step > *info.discardedAfter;
        ASSERT_EQ(cells[4], discarded ? "yes" : "no") << row.toStdString();
        for (std::size_t i = 0; i < metricRows.size(); ++i) {
            const Series *metric = m_feed->run().metric(cells[1].toInt(), attempt, metricRows[i].metric);
            const QByteArray &cell = cells[5 + static_cast<qsizetype>(i)];
            const auto said = metric != nullptr ? metric->at(sample->step) : std::nullopt;
            ASSERT_EQ(cell.isEmpty(), !said || said->step != sample->step) << row.toStdString();
            if (cell.isEmpty()) continue;
            ASSERT_EQ(cell.toFloat(), said->loss) << row.toStdString();
        }
    }
}

TEST_F(CurveFile, ExtensionSelectsAnImageOrADrawing)
{
    open(scenes::healthy());
    ASSERT_TRUE(writeCurve(*m_feed, *part<Deck>(), path("a.PNG")).has_value());
    const QImage picture(path("a.PNG"));
    EXPECT_EQ(picture.size(), part<Deck>()->size() * picture.devicePixelRatio());
    ASSERT_TRUE(writeCurve(*m_feed, *part<Deck>(), path("a.svg")).has_value());
    QXmlStreamReader xml(content(path("a.svg")));
    int lines = 0;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement) {
            if (xml.name() == QLatin1String("polyline")) ++lines;
            EXPECT_EQ(xml.namespaceUri(), QLatin1String("http://www.w3.org/2000/svg"));
        }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_GT(lines, 0);
}

TEST_F(CurveFile, ReportsAFileThatCannotBeWritten)
{
    open(scenes::healthy());
    const Status odd = writeCurve(*m_feed, *part<Deck>(), path("a.doc"));
    ASSERT_FALSE(odd.has_value());
    EXPECT_THAT(odd.error().message, testing::HasSubstr("ends in .csv, .svg or .png"));
    EXPECT_FALSE(writeCurve(*m_feed, *part<Deck>(), path("none/a.csv")).has_value());
    FixedFeed empty;
    EXPECT_FALSE(writeCurve(empty, *part<Deck>(), path("a.svg")).has_value());
    EXPECT_FALSE(QFile::exists(path("a.svg")));
}

}  // namespace
}  // namespace rankdeck::ui::curve_file_test
