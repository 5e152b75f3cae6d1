// SPDX-License-Identifier: GPL-3.0-or-later
// What each rank's own log says after a resume: the step it loaded, its first step and loss beside the old curve's.
#pragma once

#include "core/base/known.h"
#include "core/recover/actions.h"

#include <QAbstractTableModel>

#include <vector>

namespace rankdeck::ui {

class ProofModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { rank, loaded, first, loss, old, joins, columnTotal };
    using QAbstractTableModel::QAbstractTableModel;
    // continues: what the whole says; while it is not known no rank has failed, it is only not settled.
    void setRanks(std::vector<RankProof> ranks, Known continues = {});

    // Something of its log does; a loss that is only not settled yet does not.
    [[nodiscard]] static bool speaksAgainst(const RankProof &proof, Known continues);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RankProof> m_ranks;
    Known m_continues;
};

}  // namespace rankdeck::ui
