// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence in each rank's log after a resume: the loaded step, the first step, and its loss next to that of the old
// curve.
#pragma once

#include "core/base/known.h"
#include "core/recover/actions.h"
#include "ui/panes/rank_rows.h"

namespace rankdeck::ui {

class ProofModel : public RankRows<RankProof, 6> {
    Q_OBJECT
public:
    enum Column { rank, loaded, first, loss, old, joins };
    using RankRows::RankRows;
    // continues: the overall result. While it is unknown, no rank counts as failed; it is only not proven yet.
    void setRanks(std::vector<RankProof> ranks, Known continues = {});

    // True if the rank's log contradicts a successful resume. A loss that has not settled yet does not count.
    [[nodiscard]] static bool speaksAgainst(const RankProof &proof, Known continues);

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Known m_continues;
};

}  // namespace rankdeck::ui
