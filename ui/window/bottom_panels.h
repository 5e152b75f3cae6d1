// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs below the deck: the panels of panels.cpp, with their filters next to the tab bar or above them. Also sets
// the height in the enclosing splitter. The feed must outlive it. GUI thread.
#pragma once

#include "ui/kit/panel.h"

#include <QTabWidget>

#include <vector>

class QStackedWidget;

namespace rankdeck::ui {

class JobFeed;

class BottomPanels : public QTabWidget {
    Q_OBJECT
public:
    explicit BottomPanels(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] Panel *current() const;
    template <class T>
    T *open()
    {
        for (std::size_t i = 0; i < m_panels.size(); ++i) {
            T *panel = qobject_cast<T *>(m_panels[i]);
            if (panel == nullptr) continue;
            setCollapsed(false);
            setCurrentIndex(static_cast<int>(i));
            return panel;
        }
        return nullptr;
    }
    void showTab(int index, bool byName);  // collapses the panel if it is already shown, unless byName
    void showSelectedRank(int rank);
    void setCollapsed(bool collapsed);
    void fit(bool low);  // call when the page was resized; low: too low for panels, which are then collapsed by default
    void placeCorner();
    // Heights chosen by the user, stored for the next window; an unreadable value leaves the default.
    [[nodiscard]] QByteArray heights() const;
    void setHeights(const QByteArray &kept, int otherwise);

Q_SIGNALS:
    void logRequested(int rank, quint64 offset);
    void rankChosen(int rank);

public Q_SLOTS:
    void dragged();  // the user has moved the splitter

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setHeight();

    std::vector<Panel *> m_panels;  // in the order of the tabs
    QStackedWidget *m_corners = nullptr;
    bool m_collapsed = false, m_collapsedByHand = false;
    int m_height = 0, m_tallHeight = 0;  // px, chosen by the user; tall: for panels that want a share
};

}  // namespace rankdeck::ui
