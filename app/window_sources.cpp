// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_sources.h"

#include "app/demo/cluster.h"
#include "ui/feed/engine_feed.h"
#include "ui/feed/session_search.h"
#include "ui/style/preferences.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QThreadPool>

namespace rankdeck {

namespace {

struct Demo {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::Demo)
};

// The currently preferred ssh program.
std::string sshProgram() { return ui::Preferences::kept().sshProgram.toStdString(); }

std::vector<ui::DemoFault> faultsOf(demo::DemoCluster &cluster)
{
    const std::string node = cluster.nodes().front();
    const std::pair<const char *, std::string> all[] = {
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: kill rank 5"), "kill:5"},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: damage rank 2's next checkpoint"), "tear:2"},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: NaN on rank 3"), "nan:3"},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: hang rank 6"), "hang:6"},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: no space at the next save"), "full"},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: cut the link to the first node"), "cut:" + node},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: drop all traffic from the first node"), "hole:" + node},
        {QT_TRANSLATE_NOOP("rankdeck::Demo", "Demo: repair the link to the first node"), "heal:" + node}};
    std::vector<ui::DemoFault> faults;
    for (const auto &[text, fault] : all)
        faults.push_back({Demo::tr(text), [&cluster, fault = fault] { return cluster.applyFault(fault); }});
    return faults;
}

}  // namespace

ui::JobSources windowSources(const QString &stateDirectory, bool fixed, const QString &sshConfig,
                             std::unique_ptr<demo::DemoCluster> &cluster)
{
    ui::JobSources sources;
    sources.stateDirectory = stateDirectory;
    sources.sshConfig = sshConfig;
    sources.stateFixed = fixed;
    const auto kept = std::make_shared<std::string>(stateDirectory.toStdString());
    sources.setStateDirectory = [kept](const QString &directory) { *kept = directory.toStdString(); };
    const auto open = [&cluster,
                       kept](Job job, bool connect,
                             ui::SessionSearch::Connections connections) -> Result<std::unique_ptr<ui::JobFeed>> {
        // State of the demo is stored in its directory, so that it is removed with the demo.
        const bool ofDemo = cluster && job.file == cluster->jobFile();
        const std::string state = ofDemo ? cluster->directory() + "/console" : *kept;
        EngineOptions options;
        options.connect.sshConfig = job.sshConfig;
        options.connect.sshProgram = sshProgram();
        options.connect.interactive = true;
        options.stateDirectory = state;
        options.connectToNodes = connect;
        options.freshPreflight = connect;
        options.keepHistory = job.ranks() > 0;  // opening a checkpoint directory leaves no history
        options.connected = std::move(connections.nodes);
        options.sessions = std::move(connections.sessions);
        auto engine = Engine::make(std::move(job), std::move(options));
        if (!engine) return engine.error();
        return std::unique_ptr<ui::JobFeed>(
            std::make_unique<ui::EngineFeed>(std::move(engine).value(), state, !connect));
    };
    sources.open = [open](Job job, bool connect) { return open(std::move(job), connect, {}); };
    sources.search = [open, config = sshConfig.toStdString()]() -> std::unique_ptr<ui::HostSearch> {
        DiscoverySetup setup;
        setup.connect.sshConfig = config;
        setup.connect.sshProgram = sshProgram();
        setup.connect.interactive = true;
        return std::make_unique<ui::SessionSearch>(std::move(setup),
                                                   [open](Job job, ui::SessionSearch::Connections connections) {
                                                       return open(std::move(job), true, std::move(connections));
                                                   });
    };
    sources.startDemo = [&cluster](std::function<void(Result<ui::StartedDemo>)> done) {
        // Starting takes seconds, so it runs in the background and the window stays responsive.
        QThreadPool::globalInstance()->start([&cluster, done = std::move(done)] {
            auto started = std::make_shared<Result<std::unique_ptr<demo::DemoCluster>>>(demo::DemoCluster::start({}));
            QMetaObject::invokeMethod(qApp, [&cluster, started, done] {
                if (!*started) return done(started->error());
                cluster = std::move(*started).value();
                done(ui::StartedDemo{QString::fromStdString(cluster->jobFile()), faultsOf(*cluster)});
            });
        });
    };
    return sources;
}

}  // namespace rankdeck
