// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes as a table: rows are ranks, columns are sets. Screen readers use its texts; LaneView paints the visible
// lanes from the same LaneData. New sets at the end are inserted; any other change resets the model.
#pragma once

#include "ui/deck/scene/lane_data.h"

#include <QAbstractTableModel>

namespace rankdeck::ui {

class LaneModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setLanes(const LaneData &lanes);
    [[nodiscard]] const LaneData &lanes() const { return m_lanes; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cellWords(int row, int column) const;
    [[nodiscard]] QString rowWords(int row) const;
    [[nodiscard]] QString columnWords(int column) const;

    LaneData m_lanes;
};

// The note at the end of a lane: "died 03:13:58", "waits", "no contact", "exited", "−1"; empty if all is well.
[[nodiscard]] QString laneNote(const LaneRow &row, const LaneData &lanes);

}  // namespace rankdeck::ui
