// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes below the plot: a table of ranks and sets with its columns at the pixels of the step axis. The height of a
// lane depends on the number of lanes and the free space; very many lanes become one image. Reports presses; the deck
// owns the selection.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/step_axis.h"

#include <QTableView>

#include <memory>

namespace rankdeck::ui {

class LaneGutter;
class LaneModel;
class VerdictHeader;
class GlyphSheet;

class LaneView : public QTableView {
    Q_OBJECT
public:
    LaneView(const DeckScene &scene, const StepAxis &axis, QWidget *parent);
    ~LaneView() override;

    // The height that the lanes need out of this free space, including the verdict row.
    [[nodiscard]] int heightFor(int free, int windowHeight) const;
    // True if the lanes need a scroll bar at this height.
    [[nodiscard]] bool scrollsAt(int height, int windowHeight) const;
    void setLanes();          // call when the scene's lanes have changed
    void follow();            // call when the axis has changed: moves the columns
    void refreshSelection();  // call when the scene's selection has changed
    void cursorMoved(std::optional<double> before);
    void tickAges();
    [[nodiscard]] int rowHeight() const { return m_rowHeight; }  // 0: image
    [[nodiscard]] int lanePixel(int row) const;                  // middle of a lane in the viewport
    void setEmptyText(const QString &text);
    [[nodiscard]] QString emptyText() const { return m_empty; }

Q_SIGNALS:
    void pressed(int deckX, int row);      // row -1: the verdict row
    void activatedAt(int deckX, int row);  // double-click
    void headPressed(int row);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void updateGeometries() override;

private:
    [[nodiscard]] int rowTop(int row) const;
    [[nodiscard]] int rowAtY(int y) const;
    [[nodiscard]] int heightOfLane(int free, int windowHeight) const;
    void layRows();

    const DeckScene &m_scene;
    const StepAxis &m_axis;
    LaneModel *m_model;
    VerdictHeader *m_verdicts;
    LaneGutter *m_gutter;
    QWidget *m_corner;
    std::unique_ptr<GlyphSheet> m_sheet;
    int m_rowHeight = 20;
    int m_imageHeight = 384;
    QString m_empty;
    bool m_syncing = false, m_byKeyboard = false;
};

}  // namespace rankdeck::ui
