// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoint sets as a list to choose from, newest first: verdict, lost work, and reason. Sets that cannot be
// resumed from can be selected, too, to see the reason. A kept set that rotation has removed is listed at its old
// position.
#pragma once

#include "core/engine.h"

#include <QAbstractTableModel>

#include <vector>

namespace rankdeck::ui {

class SetsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { sign, set, verdict, lost, why, columnTotal };
    static constexpr int idRole = Qt::UserRole + 1;
    using QAbstractTableModel::QAbstractTableModel;
    void setSnapshot(const Snapshot &snapshot);
    void setShort(bool on);                               // lost work in steps only, if there is no room for the reason
    [[nodiscard]] int rowOf(const QString &setId) const;  // -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString id, name, lost, shortLost, why;
        Verdict verdict = Verdict::unknown;
        bool kept = false;  // kept, without another copy: must be put back first
        bool operator==(const Row &) const = default;
    };
    static Row rowOf(const Snapshot &snapshot, const CheckpointSet &set);
    static Row rowOf(const Snapshot &snapshot, const KeptSet &set);
    static void tellPrice(Row &row, const LostWork &price);

    std::vector<Row> m_rows;
    bool m_short = false;
};

}  // namespace rankdeck::ui
