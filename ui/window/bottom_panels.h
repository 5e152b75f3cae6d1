// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs under the deck: the panels of panels.cpp, their filters beside the tab bar or above them, and how high all of
// it is in the splitter that it stands in. The feed must outlive it. GUI thread.
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
    void showTab(int index, bool byName);  // again: collapses, unless asked for by name
    void showSelectedRank(int rank);
    void setCollapsed(bool collapsed);
    void fit(bool low);  // the page has another size; low: too low for panels, unless they are wanted
    void placeCorner();
    // As chosen by hand, for the next window; what cannot be read leaves the default.
    [[nodiscard]] QByteArray heights() const;
    void setHeights(const QByteArray &kept, int otherwise);

Q_SIGNALS:
    void logRequested(int rank, quint64 offset);
    void rankChosen(int rank);

public Q_SLOTS:
    void dragged();  // its splitter was moved by hand

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setHeight();

    std::vector<Panel *> m_panels;  // in the order of the tabs
    QStackedWidget *m_corners = nullptr;
    bool m_collapsed = false, m_collapsedByHand = false;
    int m_height = 0, m_tallHeight = 0;  // px, as chosen by hand; tall: of panels that ask for a share
};

}  // namespace rankdeck::ui
