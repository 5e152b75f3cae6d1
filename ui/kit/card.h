// SPDX-License-Identifier: GPL-3.0-or-later
// A framed box on the base colour, or on a tint if its content is bad, a warning or good.
#pragma once

#include "ui/style/theme.h"

#include <QWidget>

#include <optional>

namespace rankdeck::ui {

class Card : public QWidget {
    Q_OBJECT
public:
    explicit Card(QWidget *parent = nullptr);
    void setGround(Theme::Role ground);
    void setEdge(Theme::Role edge);               // frame colour
    void setBar(std::optional<Theme::Role> bar);  // 6-px bar at the left
    void setFramed(bool framed);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Theme::Role m_ground = Theme::Role::base;
    Theme::Role m_edge = Theme::Role::frame;
    std::optional<Theme::Role> m_bar;
    bool m_framed = true;
};

}  // namespace rankdeck::ui
