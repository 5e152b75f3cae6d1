// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/diagnostics.h"

#include "ui/dialogs/library_versions.h"
#include "ui/style/preferences.h"

#include <QGuiApplication>
#include <QLocale>
#include <QScreen>
#include <QStringList>
#include <QSysInfo>

#include <map>

namespace rankdeck::ui {

namespace {

void addLine(QStringList &into, const char *what, const QString &value)
{
    into << QStringLiteral("%1: %2").arg(QLatin1String(what), value);
}

void addProgram(QStringList &into)
{
    for (const LibraryVersion &part : libraryVersions())
        into << part.name + QStringLiteral(": ") + (part.version.isEmpty() ? QStringLiteral("not told") : part.version);
    addLine(into, "Qt of the build", QLatin1String(QT_VERSION_STR));
    addLine(into, "system",
            QStringLiteral("%1, %2, %3")
                .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture()));
    addLine(into, "desktop",
            QStringLiteral("%1, %2").arg(QGuiApplication::platformName(),
                                         qEnvironmentVariable("XDG_CURRENT_DESKTOP", QStringLiteral("not told"))));
    for (const QScreen *screen : QGuiApplication::screens())
        addLine(into, "screen",
                QStringLiteral("%1x%2, scale %3, %4 dpi")
                    .arg(screen->size().width())
                    .arg(screen->size().height())
                    .arg(screen->devicePixelRatio())
                    .arg(screen->logicalDotsPerInch()));
    const Preferences preferences = Preferences::kept();
    addLine(into, "locale", QLocale().name());
    addLine(into, "letters",
            QStringLiteral("%1 %, %2").arg(preferences.letters).arg(QGuiApplication::font().toString()));
}

void addJob(QStringList &into, const Snapshot &snapshot)
{
    const Job &job = snapshot.view.job;
    addLine(into, "framework", QLatin1String(frameworkName(job.framework)));
    addLine(into, "recipe",
            job.launch.recipe.empty() ? QStringLiteral("none") : QString::fromStdString(job.launch.recipe));
    addLine(into, "ranks", QString::number(job.ranks()));
    std::map<std::string, int> states;
    for (const NodeStatus &node : snapshot.view.nodes) ++states[nodeStateName(node.state)];
    for (const auto &[state, count] : states)
        addLine(into, "nodes", QStringLiteral("%1 %2").arg(count).arg(QString::fromStdString(state)));
    std::map<std::string, int> sets;
    for (const CheckpointSet &set : snapshot.view.checkpoints.sets) ++sets[verdictName(set.verdict)];
    for (const auto &[verdict, count] : sets)
        addLine(into, "sets", QStringLiteral("%1 %2").arg(count).arg(QString::fromStdString(verdict)));
    for (const Alarm &alarm : snapshot.alarms) addLine(into, "alarm", QLatin1String(alarmCodeName(alarm.code)));
    addLine(into, "attempts", QString::number(snapshot.view.attempts.size()));
    addLine(into, "samples", QString::number(snapshot.samples));
    addLine(into, "bytes read", QString::number(snapshot.bytesRead));
    addLine(into, "settled", snapshot.settled ? QStringLiteral("yes") : QStringLiteral("no"));
}

}  // namespace

QString diagnosticsOf(const Snapshot *snapshot)
{
    QStringList lines;
    addProgram(lines);
    if (snapshot != nullptr)
        addJob(lines, *snapshot);
    else
        lines << QStringLiteral("no job is open");
    return lines.join(QLatin1Char('\n'));
}

}  // namespace rankdeck::ui
