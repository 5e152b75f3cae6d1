// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a job, newest first, in a ring buffer: the oldest are dropped when it is full. Sorted by id, which
// increases. Equal reports of several ranks within 30 seconds are one row with all these ranks; its log position is
// that of the first one.
#pragma once

#include "core/run/run.h"

#include <QAbstractTableModel>

#include <deque>
#include <vector>

namespace rankdeck::ui {

class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { time, sign, what, rank, text, step, log, columnTotal };
    static constexpr int eventIdRole = Qt::UserRole + 1;
    explicit EventsModel(std::size_t capacity = 10'000, QObject *parent = nullptr);

    void append(std::vector<Event> events);  // oldest first, in the order of the run
    [[nodiscard]] std::uint64_t newestId() const { return m_newest; }
    [[nodiscard]] const Event &at(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void fold(std::vector<Event> &events);
    [[nodiscard]] QString cell(const Event &event, int column) const;
    [[nodiscard]] QVariant colour(int column) const;

    std::size_t m_capacity;
    std::deque<Event> m_events;  // front: newest
    std::uint64_t m_newest = 0;
};

}  // namespace rankdeck::ui
