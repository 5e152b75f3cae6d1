// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/check_words.h"

#include "ui/style/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck::ui {

namespace {

struct CheckWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::CheckWords)
};
using What = JobCheck::What;

QString captionOf(What what)
{
    switch (what) {
    case What::nodes: return CheckWords::tr("Nodes");
    case What::logs: return CheckWords::tr("Logs");
    case What::checkpoints: return CheckWords::tr("Checkpoints");
    case What::config: return CheckWords::tr("Graceful exit");
    case What::workdir: return CheckWords::tr("Working directory");
    case What::command: break;
    }
    return CheckWords::tr("Command");
}

QString countWords(const JobCheck &check)
{
    const QString good = nOf(static_cast<int>(check.good), static_cast<int>(check.named));
    const int more = static_cast<int>(check.more);
    switch (check.what) {
    case What::nodes: return CheckWords::tr("%1 connected").arg(good);
    case What::logs:
        return CheckWords::tr("%1 exist and are readable, loss lines at the end of %2").arg(good, number(more));
    case What::checkpoints:
        return more > 0
                   ? CheckWords::tr("%1 directories exist, with %n file(s) that look like checkpoints", nullptr, more)
                         .arg(good)
                   : CheckWords::tr("%1 directories exist, but have no checkpoints yet").arg(good);
    case What::config: return CheckWords::tr("%1 readable, %2 writable").arg(good, number(more));
    case What::workdir: return CheckWords::tr("exists on %1 nodes").arg(good);
    case What::command: break;
    }
    const QString there = CheckWords::tr("understood; its program exists on %1 nodes").arg(good);
    return more > 0
               ? there
               : there +
                     CheckWords::tr("; none of its arguments says which checkpoint to load: write {checkpoint} there");
}

// True if a check is complete, but its result is doubtful.
bool hasDoubt(const JobCheck &check)
{
    switch (check.what) {
    case What::logs: return check.more < check.good;
    case What::config: return check.more < check.named;
    case What::checkpoints:
    case What::command: return check.more == 0;
    default: return false;
    }
}

Glyph glyphOf(const JobCheck &check)
{
    if (check.bad > 0) return Glyph::refuses;
    if (check.good < check.named) return check.good == 0 ? Glyph::unknown : Glyph::warns;
    return hasDoubt(check) ? Glyph::warns : Glyph::check;
}

}  // namespace

FoundLine checkLine(const JobCheck &check)
{
    FoundLine line{captionOf(check.what), glyphOf(check), countWords(check)};
    if (check.what == What::command && check.named > 0 && check.bad == check.named && check.good == 0)
        line.text = CheckWords::tr("it could not be started");
    else if (check.good == 0 && check.bad == 0 && check.what != What::nodes)
        line.text = CheckWords::tr("not known yet");
    if (!check.problem.empty()) line.text += CheckWords::tr(". %1").arg(asSentence(check.problem));
    return line;
}

QStringList hostsNotAsked(const Job &job, const DiscoveryPicture &picture)
{
    QStringList hosts;
    for (const NodeSpec &node : job.nodes) {
        const bool asked = std::any_of(picture.hosts.begin(), picture.hosts.end(),
                                       [&](const HostScan &look) { return look.host == node.host; });
        const QString host = fromNode(node.host);
        if (!asked && !host.isEmpty() && !host.startsWith(QLatin1Char('-')) && !hosts.contains(host)) hosts << host;
    }
    return hosts;
}

}  // namespace rankdeck::ui
