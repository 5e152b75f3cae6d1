// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bottom_panels.h"

#include "ui/panels/panels.h"

#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

namespace {

constexpr int lowest = 100;

// As wide as the current page; empty while hidden.
class CornerStack : public QStackedWidget {
public:
    [[nodiscard]] QSize sizeHint() const override
    {
        return isHidden() || currentWidget() == nullptr ? QSize(0, 0) : currentWidget()->sizeHint();
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
};

// The page of a tab: the panel, and its filters above it if the tab bar has no room for them.
QWidget *inFrame(Panel *panel)
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(panel, 1);
    page->setFocusProxy(panel);
    return page;
}

}  // namespace

BottomPanels::BottomPanels(JobFeed &feed, QWidget *parent) : QTabWidget(parent), m_corners(new CornerStack)
{
    QStringList titles;
    for (const PanelRow &row : panelRows()) {
        Panel *panel = row.make(feed);
        titles << row.title();
        addTab(inFrame(panel), titles.back());
        m_panels.push_back(panel);
        m_corners->addWidget(panel->corner() != nullptr ? panel->corner() : new QWidget);
        connect(panel, &Panel::logRequested, this, &BottomPanels::logRequested);
        connect(panel, &Panel::rankChosen, this, &BottomPanels::rankChosen);
    }
    setDocumentMode(false);
    setCornerWidget(m_corners);
    tabBar()->setAccessibleName(titles.join(QStringLiteral(", ")));
    setStyleSheet(QStringLiteral("QTabWidget::pane{border:0;margin:0} QTabWidget::tab-bar{left:8px}"));
    setFocusPolicy(Qt::NoFocus);  // its tab bar and panels take the focus
    connect(this, &QTabWidget::currentChanged, this, [this] {
        placeCorner();
        if (!m_collapsed) setHeight();
    });
    connect(this, &QTabWidget::tabBarClicked, this, [this](int index) {
        if (m_collapsed || index == currentIndex()) showTab(index, false);
    });
}

Panel *BottomPanels::current() const { return m_panels[static_cast<std::size_t>(currentIndex())]; }

void BottomPanels::showTab(int index, bool byName)
{
    const bool again = !m_collapsed && currentIndex() == index && !byName;
    m_collapsedByHand = again;
    setCurrentIndex(index);
    setCollapsed(again);
    if (!again) current()->setFocus();
}

void BottomPanels::showSelectedRank(int rank)
{
    for (Panel *panel : m_panels) panel->showSelectedRank(rank);
}

void BottomPanels::setCollapsed(bool collapsed)
{
    m_collapsed = collapsed;
    setMaximumHeight(collapsed ? tabBar()->sizeHint().height() : QWIDGETSIZE_MAX);
    setMinimumHeight(collapsed ? 0 : lowest);
    setHeight();
    placeCorner();
}

// Sets the height chosen by the user, even if a low window has reduced it since then; a panel that wants more gets it.
void BottomPanels::setHeight()
{
    auto *splitter = qobject_cast<QSplitter *>(parentWidget());
    if (splitter == nullptr) return;
    const int all = splitter->height() - splitter->handleWidth();
    const int asked = static_cast<int>(current()->wantedShare() * all);
    const int bottom = m_collapsed ? maximumHeight() : std::max(asked > 0 ? m_tallHeight : m_height, asked);
    splitter->setSizes({std::max(all - bottom, 1), bottom});
}

void BottomPanels::dragged()
{
    (current()->wantedShare() > 0 ? m_tallHeight : m_height) = height();
    placeCorner();
}

void BottomPanels::fit(bool low)
{
    if (!m_collapsedByHand && low != m_collapsed) setCollapsed(low);
    setHeight();
    placeCorner();
}

// Places the filters next to the tabs if there is room for both, else above the panel.
void BottomPanels::placeCorner()
{
    QWidget *corner = current()->corner();
    if (corner == nullptr) return m_corners->hide();
    const int room = width() - tabBar()->sizeHint().width() - 12;
    const bool beside = corner->sizeHint().width() <= room;
    if (beside && m_corners->indexOf(corner) < 0) m_corners->addWidget(corner);
    if (!beside) {
        auto *column = static_cast<QVBoxLayout *>(currentWidget()->layout());
        if (column->indexOf(corner) < 0) column->insertWidget(0, corner);
        corner->show();
    } else {
        m_corners->setCurrentWidget(corner);
    }
    m_corners->setVisible(beside && !m_collapsed);
    m_corners->updateGeometry();
}

void BottomPanels::resizeEvent(QResizeEvent *event)
{
    QTabWidget::resizeEvent(event);
    placeCorner();
}

QByteArray BottomPanels::heights() const
{
    return QByteArray::number(m_height) + ' ' + QByteArray::number(m_tallHeight);
}

void BottomPanels::setHeights(const QByteArray &kept, int otherwise)
{
    m_height = otherwise;
    const QList<QByteArray> numbers = kept.split(' ');
    if (numbers.size() == 2 && numbers[0].toInt() >= lowest) {
        m_height = numbers[0].toInt();
        m_tallHeight = numbers[1].toInt();
    }
    setHeight();
}

}  // namespace rankdeck::ui
