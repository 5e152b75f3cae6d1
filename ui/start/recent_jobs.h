// SPDX-License-Identifier: GPL-3.0-or-later
// Recently opened job files, newest first, with their last known state.
#pragma once

#include "ui/kit/card.h"

#include <QList>
#include <QString>

namespace rankdeck::ui {

struct RecentJob {
    QString file;
    QString seen = {};  // "8 of 8 ranks ran 2 h ago, at step 40,703; newest VALID 40,600"; empty: never
};

class RecentJobs : public Card {
    Q_OBJECT
public:
    explicit RecentJobs(QWidget *parent = nullptr);
    void setJobs(const QList<RecentJob> &jobs);

Q_SIGNALS:
    void wanted(const QString &file);
};

}  // namespace rankdeck::ui
