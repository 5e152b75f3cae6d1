// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the dialog for what a node asks and hands the answer to the feed. Does not block: the window stays live. At most
// one dialog per node.
#pragma once

#include "ui/feed/job_feed.h"

#include <functional>

namespace rankdeck::ui {

void askNodeQuestion(JobFeed &feed, const NodeStatus &node, QWidget *parent);
// answer is called as long as the asker lives.
void askNodeQuestion(const NodeStatus &node, QWidget *parent, QObject *asker,
                     const std::function<void(Answer)> &answer);

}  // namespace rankdeck::ui
