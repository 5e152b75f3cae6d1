// SPDX-License-Identifier: GPL-3.0-or-later
// The way from the start page to a watched job, with real clicks on the real window. It ticks hosts, waits for the
// cards, clicks "Watch this job", and waits for the first curve. With --resume it also stops and resumes the job, until
// the resume is proven. Prints seconds, clicks and typed words. Used by front_door.py, which makes the hosts.
#include "app/demo/cluster.h"
#include "app/window_sources.h"
#include "ui/feed/job_feed.h"
#include "ui/kit/act_button.h"
#include "ui/start/found_card.h"
#include "ui/start/hosts_box.h"
#include "ui/style/translations.h"
#include "ui/window/job_page.h"
#include "ui/window/main_window.h"
#include "ui/window/window_style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QTableView>
#include <QtTest/QTest>

#include <cstdio>
#include <functional>

namespace {

using namespace rankdeck;

class Door {
public:
    Door(ui::MainWindow &window, int patience) : m_window(window), m_patience(patience * 1000) {}

    void click(QWidget *where, QPoint at = {})
    {
        QTest::mouseClick(where, Qt::LeftButton, {}, at);
        ++m_clicks;
    }
    void tick(const QStringList &hosts)
    {
        auto *box = m_window.findChild<ui::HostsBox *>();
        auto *table = box->findChild<QTableView *>();
        m_clock.start();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex sign = table->model()->index(row, 0);
            if (!hosts.contains(table->model()->index(row, 1).data().toString())) continue;
            table->scrollTo(sign);
            click(table->viewport(), table->visualRect(sign).center());
        }
        std::printf("ticked %d hosts in %.2f s\n", m_clicks, seconds());
        if (m_clicks != hosts.size()) throw std::runtime_error("not all hosts are in the list");
    }
    QList<ui::FoundCard *> cards() const
    {
        QList<ui::FoundCard *> shown;
        for (auto *card : m_window.findChildren<ui::FoundCard *>())
            if (card->isVisible()) shown << card;
        return shown;
    }
    ui::ActButton *button(const QString &begins) const
    {
        for (auto *one : m_window.findChildren<ui::ActButton *>())
            if (one->isVisible() && one->isEnabled() && one->text().remove(QLatin1Char('&')).startsWith(begins))
                return one;
        return nullptr;
    }
    void press(const QString &begins)
    {
        until(begins, [&] { return button(begins) != nullptr; });
        click(button(begins));
    }
    void until(const QString &what, const std::function<bool()> &is)
    {
        if (!QTest::qWaitFor(is, m_patience))
            throw std::runtime_error("waited in vain for: " + what.toStdString() + ", title " +
                                     m_window.windowTitle().toStdString());
        std::printf("%7.2f s  %s\n", seconds(), qPrintable(what));
        std::fflush(stdout);
    }
    void restart() { m_clock.restart(); }
    [[nodiscard]] int clicks() const { return m_clicks; }
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const
    {
        return m_window.page() == nullptr ? nullptr : m_window.page()->feed().snapshot();
    }
    [[nodiscard]] bool hasCurve() const
    {
        // When the plot has curves, it also has a text for screen readers.
        for (const QWidget *one : m_window.findChildren<QWidget *>())
            if (one->accessibleDescription().contains(QLatin1String("median"))) return true;
        return false;
    }

private:
    [[nodiscard]] double seconds() const { return static_cast<double>(m_clock.elapsed()) / 1000; }
    ui::MainWindow &m_window;
    int m_patience;
    int m_clicks = 0;
    QElapsedTimer m_clock;
};

void go(Door &door, const QStringList &hosts, int jobs, const QString &only)
{
    const bool resumes = !only.isEmpty();
    door.tick(hosts);
    door.until(QStringLiteral("the first card"), [&] { return !door.cards().isEmpty(); });
    if (jobs > 1)
        return door.until(QStringLiteral("all %1 cards").arg(jobs), [&] { return door.cards().size() >= jobs; });
    door.until(QStringLiteral("Watch this job can be pressed"),
               [&] { return door.button(QStringLiteral("Watch this job")) != nullptr; });
    door.restart();
    door.press(QStringLiteral("Watch this job"));
    door.until(QStringLiteral("the first curve"), [&] { return door.hasCurve(); });
    // Other jobs that train on this machine are ignored.
    const Job job = door.snapshot()->view.job;
    if (!resumes) return;
    if (!QString::fromStdString(job.logs.path).startsWith(only))
        throw std::runtime_error("another job was found first");
    door.until(QStringLiteral("a set is VALID"),
               [&] { return door.snapshot()->view.checkpoints.newestValid() != nullptr; });
    door.restart();
    door.press(QStringLiteral("Stop gracefully"));
    door.until(QStringLiteral("stopped"), [&] {
        const auto exit = door.snapshot()->exit;
        return exit && exit->outcome == "stopped";
    });
    door.press(QStringLiteral("Resume"));
    door.press(QStringLiteral("Resume %1").arg(door.snapshot()->view.job.ranks()));
    door.until(QStringLiteral("the resume is proven"), [&] {
        const auto resume = door.snapshot()->resume;
        return resume && resume->outcome == "proven";
    });
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationName(QStringLiteral("rankdeck"));
    QCommandLineParser parser;
    parser.addOptions({{QStringLiteral("ssh-config"), QString(), QStringLiteral("FILE")},
                       {QStringLiteral("state-dir"), QString(), QStringLiteral("DIR")},
                       {QStringLiteral("jobs"), QString(), QStringLiteral("N"), QStringLiteral("1")},
                       {QStringLiteral("patience"), QString(), QStringLiteral("SECONDS"), QStringLiteral("120")},
                       {QStringLiteral("resume"), QString(), QStringLiteral("DIRECTORY")}});
    parser.process(app);
    ui::WindowStyle::install();
    std::unique_ptr<demo::DemoCluster> cluster;
    ui::MainWindow window(windowSources(parser.value(QStringLiteral("state-dir")), true,
                                        parser.value(QStringLiteral("ssh-config")), cluster));
    window.resize(1366, 768);
    window.show();
    Door door(window, parser.value(QStringLiteral("patience")).toInt());
    int code = 0;
    try {
        if (!QTest::qWaitForWindowExposed(&window)) throw std::runtime_error("the window is not shown");
        go(door, parser.positionalArguments(), parser.value(QStringLiteral("jobs")).toInt(),
           parser.value(QStringLiteral("resume")));
        std::printf("clicks: %d, words typed: 0\n", door.clicks());
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "bench_door: %s\n", problem.what());
        if (const QString folder = qEnvironmentVariable("RANKDECK_RENDER_DIR"); !folder.isEmpty())
            window.grab().save(folder + QStringLiteral("/door.png"));
        code = 1;
    }
    window.closeAnyway();
    return code;
}
