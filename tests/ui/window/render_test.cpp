// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots of every page and state of the window in both themes and several sizes. Each is drawn without a warning
// and is not blank. RANKDECK_RENDER_DIR keeps them for review.
#include "tests/testbed/paths.h"
#include "tests/testbed/races.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fault_scenes.h"
#include "tests/ui/fixed_search.h"
#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "ui/deck/deck.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/start/hosts_box.h"
#include "ui/style/theme.h"
#include "ui/window/job_page.h"
#include "ui/window/main_window.h"
#include "ui/window/window_actions.h"

#include <QAction>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::render_test {
namespace {

struct Face {
    const char *name;
    Snapshot (*snapshot)();
    void (*drive)(MainWindow &);
};

Snapshot stoppingFive() { return scenes::stopping(5, 2); }
Snapshot armed() { return scenes::stopping(0, 0); }
void nothing(MainWindow &) {}
void stop(MainWindow &w) { w.page()->openStop(); }
void resume(MainWindow &w) { w.page()->openResume(); }
void proof(MainWindow &w) { w.page()->openProof(); }
void inspect(MainWindow &w) { w.page()->inspect(QStringLiteral("2:40800"), 2); }
void moment(MainWindow &w) { w.page()->showFailure(); }
void logs(MainWindow &w) { w.page()->showLog(3, 2000); }
void journal(MainWindow &w) { w.page()->showTab(3); }
void curve(MainWindow &w) { w.findChild<Deck *>()->setSecondCurve(QStringLiteral("step_seconds")); }
void settings(MainWindow &w) { w.actions().settings->trigger(); }

Snapshot kept()
{
    Snapshot s = scenes::resumable();
    scenes::nanAndKept(s);
    return s;
}

Snapshot provenAndDead()
{
    Snapshot s = scenes::proven();
    s.alarms.push_back({.code = AlarmCode::jobDied});
    return s;
}

const Face faces[] = {
    {"healthy", scenes::healthy, nothing},      {"trouble", scenes::died, moment},
    {"stopping", stoppingFive, stop},           {"armed", armed, stop},
    {"signal", scenes::stoppingBySignal, stop}, {"stopped", scenes::stopped, stop},
    {"resume", scenes::resumable, resume},      {"kept", kept, resume},
    {"proof", scenes::proven, proof},           {"proof-died", provenAndDead, proof},
    {"not-proven", scenes::notProven, proof},   {"inspector", scenes::died, inspect},
    {"empty", scenes::empty, nothing},          {"logs", scenes::healthy, logs},
    {"journal", scenes::healthy, journal},      {"curve", scenes::healthy, curve},
    {"settings", scenes::healthy, settings},
};

void drawEveryFace(QSize size, bool dark)
{
    Theme::of(nullptr).setMode(dark ? Theme::Mode::dark : Theme::Mode::light);
    const QString suffix =
        QStringLiteral("-%1-%2").arg(size.width()).arg(dark ? QStringLiteral("dark") : QStringLiteral("light"));
    JobSources sources;
    sources.open = [](Job, bool) {
        return Result<std::unique_ptr<JobFeed>>(fail(ErrorKind::unsupported, "not in this test"));
    };
    sources.startDemo = [](const std::function<void(Result<StartedDemo>)> &) {};
    sources.sshConfig = QString::fromStdString(testData() + "/ui/ssh_config");
    FixedSearch *search = nullptr;
    sources.search = [&search] {
        auto owned = std::make_unique<FixedSearch>();
        search = owned.get();
        return owned;
    };
    {
        MainWindow first(sources);
        first.resize(size);
        first.show();
        settle();
        expectDrawn(first, QStringLiteral("first-start") + suffix);
        DiscoveryPicture picture = scenes::eightHosts();
        for (const HostScan &host : picture.hosts)
            first.findChild<HostsBox *>()->addHosts({QString::fromStdString(host.host)});
        search->set(std::move(picture));
        settle();
        expectDrawn(first, QStringLiteral("jobs-found") + suffix);
        for (auto *button : first.findChildren<QPushButton *>()) {
            if (button->text() == QStringLiteral("Edit job file…")) {
                button->click();
                break;
            }
        }
        settle();
        expectDrawn(first, QStringLiteral("job-editor") + suffix);
    }
    for (const Face &face : faces) {
        auto feed = std::make_unique<FixedFeed>();
        scenes::train(feed->run(),
                      face.snapshot == scenes::died || face.snapshot == scenes::resumable ? 41'037 : scenes::lastStep);
        feed->plan = [](const ResumeOptions &options) { return Result<ResumeReport>(scenes::plannedResume(options)); };
        feed->keepAnswer = scenes::plannedPutBack();
        feed->evidence[{QStringLiteral("2:40800"), 2}] = scenes::tornEvidence();
        feed->places = scenes::tornPlaces();
        for (int rank = 0; rank < 8; ++rank) feed->logs[rank] = scenes::workerLog(rank);
        feed->journal = scenes::journal();
        const Snapshot told = face.snapshot();
        for (Event event : told.view.recentEvents) feed->run().add(std::move(event));
        feed->set(told);
        MainWindow window(sources);
        window.resize(size);
        window.show();
        window.openFeed(std::move(feed));
        settle();
        face.drive(window);
        settle();
        expectDrawn(window, QString::fromLatin1(face.name) + suffix);
        if (auto *dialog = window.findChild<SettingsDialog *>())
            expectDrawn(*dialog, QStringLiteral("settings-dialog") + suffix);
    }
    Theme::of(nullptr).setMode(Theme::Mode::light);
}

// The narrowest size decides what fits. In a normal check, each theme is drawn once.
TEST(Render, DrawsEveryPageOfTheWindow)
{
    drawEveryFace({1024, 600}, false);
    drawEveryFace({1366, 768}, true);
    if (!everyVariant()) return;
    drawEveryFace({1366, 768}, false);
    drawEveryFace({1920, 1080}, true);
}

}  // namespace
}  // namespace rankdeck::ui::render_test
