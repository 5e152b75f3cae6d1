// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about a job found on hosts, before it is watched: a line with a sign each for processes, logs, checkpoints,
// graceful exit and restart. Missing information is shown as unknown. Pure.
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
    QString more = {};  // further remarks, for the tooltip
};
std::vector<FoundLine> foundLines(const JobScan &job);
QString foundHeadline(const JobScan &job);  // Example: "8 ranks on 2 nodes, at step 40,703"
bool needsPerson(const JobScan &job);       // a value must be set in the job file to enable all functions
QStringList hostsToAdd(const JobScan &job);

}  // namespace rankdeck::ui
