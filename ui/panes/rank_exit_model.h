// SPDX-License-Identifier: GPL-3.0-or-later
// One row per rank of a graceful exit: armed, confirmed, saved, exited.
#pragma once

#include "core/recover/actions.h"
#include "ui/panes/rank_rows.h"

namespace rankdeck::ui {

class RankExitModel : public RankRows<RankExit, 5> {
    Q_OBJECT
public:
    enum Column { rank, armed, confirmed, saved, exited };
    using RankRows::RankRows;
    // Ranks that have not confirmed, by the reason why they may never do so.
    struct Behind {
        std::vector<int> died = {};  // without an exit line in the log
        std::vector<int> hangs = {};
        std::vector<int> unheard = {};  // on nodes that do not answer
    };
    void setRanks(std::vector<RankExit> ranks, Behind behind);
    [[nodiscard]] const std::vector<RankExit> &ranks() const { return rows(); }

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Behind m_behind;
};

}  // namespace rankdeck::ui
