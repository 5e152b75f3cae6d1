// SPDX-License-Identifier: GPL-3.0-or-later
// Results of checking a job file on its nodes: a line with a sign per check. Pure.
#pragma once

#include "core/engine/discovery/job_check.h"
#include "ui/state/found_job.h"

namespace rankdeck::ui {

FoundLine checkLine(const JobCheck &check);
// Hosts of the job without a connection, not even one in progress.
QStringList hostsNotAsked(const Job &job, const DiscoveryPicture &picture);

}  // namespace rankdeck::ui
