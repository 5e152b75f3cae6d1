// SPDX-License-Identifier: GPL-3.0-or-later
// The rank list at the left of the lanes: node and its state, rank, last step, loss and age, one line per lane. If the
// lanes are too low for text, there is one line per node, or one for a few nodes. It is the vertical header of the
// lanes.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/style/theme.h"

#include <QHeaderView>

#include <functional>

namespace rankdeck::ui {

class Theme;

class LaneGutter : public QHeaderView {
    Q_OBJECT
public:
    LaneGutter(const DeckScene &scene, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;
    // top: the top of a row in the viewport, also of the row past the last.
    void setTops(std::function<int(int row)> top) { m_top = std::move(top); }
    void setRowHeight(int height) { m_rowHeight = height; }  // 0: lanes are an image
    // True if the text of an age has changed.
    bool agesChanged();

    // Right edges of the number columns, shared with the headings above.
    static int nodeLeft() { return 12; }
    static int rankRight() { return scaled(122); }
    static int stepRight() { return scaled(174); }
    static int lossRight() { return scaled(216); }
    static int ageRight() { return scaled(260); }

Q_SIGNALS:
    void pressed(int row);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    void paintLane(QPainter &painter, const Theme &theme, int row);
    void paintBlock(QPainter &painter, const Theme &theme, const LaneBlock &block);
    struct BlockLine {  // one line for one or a few nodes
        int firstBlock = 0, lastBlock = 0;
        int firstRow = 0, endRow = 0;
        int died = -1;  // the first dead rank; -1: none
        double age = -1;
        std::optional<qint64> behind = {};  // last step of the slowest rank
        bool quiet = true;                  // all nodes are live
    };
    [[nodiscard]] BlockLine blockLine(int firstBlock, int lastBlock) const;
    void paintBlockStates(QPainter &painter, const Theme &theme, const BlockLine &line, const QRect &box);
    void paintBlocks(QPainter &painter, const Theme &theme, int firstBlock, int lastBlock);
    [[nodiscard]] double ageOf(const LaneRow &row) const;
    [[nodiscard]] bool inSight(int row) const;
    [[nodiscard]] QStringList ageWords() const;

    const DeckScene &m_scene;
    std::function<int(int)> m_top;
    int m_rowHeight = 20;
    QStringList m_ages;
};

}  // namespace rankdeck::ui
