// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence in each rank's log after a resume: the step it loaded, its first step and loss beside the old curve's.
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
    // continues: what the whole says; while it is not known no rank has failed, it is only not settled.
    void setRanks(std::vector<RankProof> ranks, Known continues = {});

    // Something of its log does; a loss that is only not settled yet does not.
    [[nodiscard]] static bool speaksAgainst(const RankProof &proof, Known continues);

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Known m_continues;
};

}  // namespace rankdeck::ui
