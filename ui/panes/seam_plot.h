// SPDX-License-Identifier: GPL-3.0-or-later
// The loss around a resume: the old curve up to the seam, its discarded part as a dashed line, and the new attempt on
// top. Also the band of the old losses. Painted from two envelopes; has a description for screen readers.
#pragma once

#include "core/run/run.h"

#include <QWidget>

#include <vector>

namespace rankdeck::ui {

class SeamPlot : public QWidget {
    Q_OBJECT
public:
    struct Curves {
        double from = 0, to = 0, seam = 0;
        std::vector<EnvelopeColumn> kept = {}, discarded = {};
        QString before = {}, after = {};  // names of the two attempts
    };
    explicit SeamPlot(QWidget *parent = nullptr);
    void setCurves(Curves curves);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Curves m_curves;
};

}  // namespace rankdeck::ui
