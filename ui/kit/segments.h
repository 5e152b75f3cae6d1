// SPDX-License-Identifier: GPL-3.0-or-later
// One segment per rank: empty, half (saving) or full (saved and proven). Changes only with real progress, never on a
// timer.
#pragma once

#include "core/recover/actions.h"

#include <QWidget>

#include <vector>

namespace rankdeck::ui {

class Segments : public QWidget {
    Q_OBJECT
public:
    explicit Segments(QWidget *parent = nullptr);
    void setRanks(const std::vector<RankExit> &ranks);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    enum class Fill { empty, half, full };
    std::vector<Fill> m_fills;
};

}  // namespace rankdeck::ui
