// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes under the plot: a table of ranks and sets whose columns stand at the pixels of the step axis. Chooses the
// height of a lane by how many there are and how much room; very many become one image. Reports what is pressed; the
// deck owns the selection.
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

    // The height it wants when so much is free, the verdict row included.
    [[nodiscard]] int heightFor(int free, int windowHeight) const;
    // Whether the lanes need a scroll bar in that height.
    [[nodiscard]] bool scrollsAt(int height, int windowHeight) const;
    void setLanes();          // the scene's lanes have changed
    void follow();            // the axis has changed: columns to their pixels
    void refreshSelection();  // the scene's selection has changed
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
