// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a job file that was looked up on its nodes: a line per check, each with a sign. Pure.
#pragma once

#include "core/engine/discovery/job_check.h"
#include "ui/state/found_job.h"

namespace rankdeck::ui {

FoundLine checkLine(const JobCheck &check);
// Hosts of the job that nobody is connected to, or on the way to.
QStringList hostsNotAsked(const Job &job, const DiscoveryPicture &picture);

}  // namespace rankdeck::ui
