// SPDX-License-Identifier: GPL-3.0-or-later
// The actions on this job, newest first: user, time, host, action, outcome. Entries are only ever added.
#pragma once

#include "core/journal/journal.h"

#include <QAbstractTableModel>

#include <vector>

namespace rankdeck::ui {

class JournalModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { time, who, act, what, outcome, columnTotal };
    using QAbstractTableModel::QAbstractTableModel;
    void setEntries(std::vector<JournalEntry> oldestFirst);
    [[nodiscard]] const JournalEntry &at(int row) const;
    [[nodiscard]] QString asText() const;  // one line per entry, oldest first, for export

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(const JournalEntry &entry, int column) const;
    std::vector<JournalEntry> m_entries;  // oldest first
};

}  // namespace rankdeck::ui
