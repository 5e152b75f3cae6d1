// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict row: one sign per set at its exact pixel, with the letter of its kind or a count if several sets share
// it. It is the horizontal header of the lanes.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/step_axis.h"

#include <QHeaderView>

namespace rankdeck::ui {

class VerdictHeader : public QHeaderView {
    Q_OBJECT
public:
    VerdictHeader(const DeckScene &scene, const StepAxis &axis, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;

    // Boxes of the counts and kind letters in the viewport: next to their sign, never below another one.
    struct Label {
        QRect box;
        QString words;
        bool count = false;
    };
    [[nodiscard]] std::vector<Label> labels() const;
    [[nodiscard]] std::vector<QRect> signBoxes() const;

Q_SIGNALS:
    void pressed(int x);  // x: in the deck's pixels

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    const DeckScene &m_scene;
    const StepAxis &m_axis;
};

}  // namespace rankdeck::ui
