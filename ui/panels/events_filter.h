// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of the events: by rank, importance, and text. Typed text is plain, never a pattern.
#pragma once

#include "core/run/run.h"

#include <QSortFilterProxyModel>

namespace rankdeck::ui {

class EventsModel;

class EventsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Weight { all, errorsAndSaves, errors };
    explicit EventsFilter(EventsModel &events, QObject *parent = nullptr);
    void setRank(int rank);  // -1: all
    void setWeight(Weight weight);
    void setText(const QString &text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    EventsModel &m_events;
    int m_rank = -1;
    Weight m_weight = Weight::errorsAndSaves;
    QString m_text;
};

}  // namespace rankdeck::ui
