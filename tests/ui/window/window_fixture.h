// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window over a FixedFeed, offscreen, with helpers that find its parts, buttons and texts.
#pragma once

#include "tests/testbed/test_clock.h"
#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "ui/window/job_page.h"
#include "ui/window/main_window.h"
#include "ui/window/window_actions.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui {

class Window : public testing::Test {
    const StandingClock m_clock;  // the ages of a scene do not grow while it is drawn

protected:
    void open(Snapshot snapshot, QSize size = {1366, 768})
    {
        auto owned = std::make_unique<FixedFeed>();
        m_feed = owned.get();
        scenes::train(m_feed->run());
        m_feed->plan = [](const ResumeOptions &options) {
            return Result<ResumeReport>(scenes::plannedResume(options));
        };
        m_feed->evidence[{QStringLiteral("2:40800"), 2}] = scenes::tornEvidence();
        m_feed->places = scenes::tornPlaces();
        for (int rank = 0; rank < 8; ++rank) m_feed->logs[rank] = scenes::workerLog(rank);
        m_feed->journal = scenes::journal();
        m_feed->set(std::move(snapshot));
        JobSources sources;
        sources.open = [](Job, bool) {
            return Result<std::unique_ptr<JobFeed>>(fail(ErrorKind::unsupported, "not in this test"));
        };
        m_window = std::make_unique<MainWindow>(sources);
        m_window->resize(size);
        m_window->show();
        m_window->openFeed(std::move(owned));
        settle();
    }
    template <class T>
    T *part()
    {
        return m_window->findChild<T *>();
    }
    QPushButton *button(const QString &text, QWidget *in)
    {
        for (auto *one : in->findChildren<QPushButton *>()) {
            if (one->text() == text && one->isVisible()) return one;
        }
        return nullptr;
    }
    static bool says(const QWidget *in, const QString &text)
    {
        const QList<QLabel *> labels = in->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
    }

    std::unique_ptr<MainWindow> m_window;
    FixedFeed *m_feed = nullptr;
};

}  // namespace rankdeck::ui
