// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_text.h"

#include "core/base/text.h"
#include "ui/style/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace rankdeck::ui {

namespace {

struct Plans {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Plans)
};
using Kind = PlanLine::Kind;

QString quoted(const std::string &argument) { return fromNode(shellQuoted(argument)); }

PlanLine fileLine(const FileActionRequest &file)
{
    const QString path = fromNode(file.path), target = fromNode(file.target);
    switch (file.action) {
    case FileAction::move: return {Kind::same, QStringLiteral("mv %1 → %2").arg(path, target)};
    case FileAction::makeDirectory: return {Kind::added, QStringLiteral("+ %1/").arg(path)};
    case FileAction::makeLink: return {Kind::added, QStringLiteral("+ %1 → %2").arg(path, target)};
    case FileAction::makeHardLink:
    case FileAction::copyFile: return {Kind::added, QStringLiteral("+ %1 ← %2").arg(path, target)};
    case FileAction::remove: return {Kind::removed, QStringLiteral("- %1").arg(path)};
    case FileAction::removeEmptyDirectory: break;
    }
    return {Kind::removed, QStringLiteral("- %1/").arg(path)};
}

QString headingOf(FileAction action)
{
    switch (action) {
    case FileAction::move: return Plans::tr("back up");
    case FileAction::makeDirectory: return Plans::tr("make directories");
    case FileAction::makeLink: return Plans::tr("write links");
    case FileAction::makeHardLink: return Plans::tr("make hard links, which take no disk space");
    case FileAction::copyFile: return Plans::tr("copy files");
    case FileAction::remove: return Plans::tr("remove");
    case FileAction::removeEmptyDirectory: break;
    }
    return Plans::tr("remove empty directories");
}

void addFiles(const NodePlan &plan, int most, std::vector<PlanLine> &lines)
{
    std::optional<FileAction> group;
    int inGroup = 0, left = 0;
    const auto closeGroup = [&] {
        if (left > 0) lines.push_back({Kind::remark, Plans::tr("  … %n more, all shown with Ctrl+D", nullptr, left)});
        inGroup = left = 0;
    };
    for (const FileActionRequest &file : plan.files) {
        if (group != file.action) {
            closeGroup();
            group = file.action;
            lines.push_back({Kind::remark, headingOf(file.action)});
        }
        if (most > 0 && inGroup >= most) {
            ++left;
            continue;
        }
        ++inGroup;
        lines.push_back(fileLine(file));
    }
    closeGroup();
}

void addEdit(const FileEdit &edit, std::vector<PlanLine> &lines)
{
    lines.push_back({Kind::remark, Plans::tr("edit %1").arg(fromNode(edit.path))});
    for (const std::string &line : split(edit.diff, '\n')) {
        if (line.empty() || line.starts_with("+++") || line.starts_with("---") || line.starts_with("@@")) continue;
        const Kind kind = line.front() == '+' ? Kind::added : (line.front() == '-' ? Kind::removed : Kind::same);
        lines.push_back({kind, fromNode(line)});
    }
}

void addLaunch(const LaunchRequest &launch, std::vector<PlanLine> &lines)
{
    lines.push_back(
        {Kind::remark,
         Plans::tr("run in %1, detached, output in %2").arg(fromNode(launch.workdir), fromNode(launch.output))});
    for (const auto &[name, value] : launch.env)
        lines.push_back({Kind::command, fromNode(name) + QLatin1Char('=') + quoted(value) + QStringLiteral(" \\")});
    // Wrapped before each option, so that a long command reads like a list of settings.
    QString line;
    for (const std::string &argument : launch.argv) {
        const QString word = quoted(argument);
        if (!line.isEmpty() && line.size() + word.size() > 64) {
            lines.push_back({Kind::command, line + QStringLiteral(" \\")});
            line = QStringLiteral("    ");
        }
        line += (line.trimmed().isEmpty() ? QString() : QStringLiteral(" ")) + word;
    }
    if (!line.trimmed().isEmpty()) lines.push_back({Kind::command, line});
}

}  // namespace

std::vector<PlanLine> planLines(const NodePlan &plan, int most)
{
    std::vector<PlanLine> lines;
    if (!plan.ends.empty()) lines.push_back({Kind::remark, Plans::tr("terminate, with SIGKILL after ten seconds")});
    for (const ProcessEnd &end : plan.ends)
        lines.push_back({Kind::removed, QStringLiteral("- %1").arg(fromNode(end.text))});
    if (!plan.copies.empty()) lines.push_back({Kind::remark, Plans::tr("copy from another node")});
    for (const FileCopy &copy : plan.copies)
        lines.push_back(
            {Kind::added,
             QStringLiteral("+ %1:%2 → %3").arg(fromNode(copy.fromNode), fromNode(copy.from), fromNode(copy.path))});
    addFiles(plan, most, lines);
    for (const FileEdit &edit : plan.edits) addEdit(edit, lines);
    for (const LaunchRequest &launch : plan.launches) addLaunch(launch, lines);
    if (lines.empty()) lines.push_back({Kind::remark, Plans::tr("no actions on this node")});
    return lines;
}

}  // namespace rankdeck::ui
