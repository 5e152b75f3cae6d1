// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a job that was found on hosts, before anybody watches it: a line for its processes, logs, checkpoints,
// graceful exit and restart, each with a sign. What nobody knows yet is said as not known. Pure.
#pragma once

#include "core/engine/discovery/discovery_session.h"
#include "ui/style/glyphs.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck::ui {

struct FoundLine {
    QString caption;
    Glyph glyph = Glyph::unknown;
    QString text;
    QString more = {};  // what else was noticed, for the tooltip
};
std::vector<FoundLine> foundLines(const JobScan &job);
QString foundHeadline(const JobScan &job);  // "8 ranks on 2 nodes, at step 40,703"
bool needsPerson(const JobScan &job);       // something has to be set in the job file before it is good for everything
QStringList hostsToAdd(const JobScan &job);

}  // namespace rankdeck::ui
