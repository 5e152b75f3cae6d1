// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/report_file.h"

#include "tests/ui/fixed_feed.h"

#include <QFile>
#include <QTemporaryDir>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::ui::report_file_test {
namespace {

std::string content(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "(no file)";
}

TEST(ReportFile, FormatFollowsTheFileExtension)
{
    FixedFeed feed;
    Snapshot snapshot;
    snapshot.view.job.name = "llama <3";
    feed.set(std::move(snapshot));
    const QTemporaryDir directory;
    const JournalEntry entry{.action = "r1", .job = "llama", .kind = "resume", .state = "proven", .text = "all go on"};
    for (const auto &[name, heading] :
         {std::pair{"/a.html", "<h1>Incident report: llama &lt;3</h1>"}, {"/b.md", "# Incident report: llama \\<3"}}) {
        const QString path = directory.path() + QLatin1String(name);
        ASSERT_TRUE(writeReport(feed, {entry}, path).has_value());
        EXPECT_THAT(content(path), testing::AllOf(testing::HasSubstr(heading), testing::HasSubstr("all go on")));
    }
    feed.isOffline = true;
    const QString offline = directory.path() + QStringLiteral("/c.md");
    ASSERT_TRUE(writeReport(feed, {}, offline).has_value());
    EXPECT_THAT(content(offline), testing::HasSubstr("Only from this console's history"));
    EXPECT_FALSE(writeReport(feed, {}, directory.path() + QStringLiteral("/none/d.md")).has_value());
}

}  // namespace
}  // namespace rankdeck::ui::report_file_test
