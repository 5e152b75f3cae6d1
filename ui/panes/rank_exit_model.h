// SPDX-License-Identifier: GPL-3.0-or-later
// One row per rank of a graceful exit: armed, confirmed, saved, exited.
#pragma once

#include "core/recover/actions.h"

#include <QAbstractTableModel>

#include <vector>

namespace rankdeck::ui {

class RankExitModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { rank, armed, confirmed, saved, exited, columnTotal };
    using QAbstractTableModel::QAbstractTableModel;
    // Who has not confirmed, and why it may never.
    struct Behind {
        std::vector<int> died = {};  // without the exit's line
        std::vector<int> hangs = {};
        std::vector<int> unheard = {};  // on nodes that do not answer
    };
    void setRanks(std::vector<RankExit> ranks, Behind behind);
    [[nodiscard]] const std::vector<RankExit> &ranks() const { return m_ranks; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RankExit> m_ranks;
    Behind m_behind;
};

}  // namespace rankdeck::ui
