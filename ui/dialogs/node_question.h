// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the dialog for a question of a node and passes the answer to the feed. Does not block: the window stays
// responsive. At most one dialog per node.
#pragma once

#include "ui/feed/job_feed.h"

#include <functional>

namespace rankdeck::ui {

void askNodeQuestion(JobFeed &feed, const NodeStatus &node, QWidget *parent);
// answer is called only while asker exists.
void askNodeQuestion(const NodeStatus &node, QWidget *parent, QObject *asker,
                     const std::function<void(Answer)> &answer);

}  // namespace rankdeck::ui
