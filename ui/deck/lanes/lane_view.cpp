// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/lane_view.h"

#include "ui/deck/lanes/lane_gutter.h"
#include "ui/deck/lanes/lane_model.h"
#include "ui/deck/lanes/lane_painter.h"
#include "ui/deck/lanes/verdict_header.h"
#include "ui/style/theme.h"

#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace rankdeck::ui {

using R = Theme::Role;

namespace {

int verdictRow() { return scaled(28); }
constexpr int emptyHeight = 48;

class Corner : public QWidget {
public:
    explicit Corner(QWidget *parent) : QWidget(parent) {}

protected:
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = Theme::of(this);
        QPainter painter(this);
        painter.fillRect(rect(), theme.color(R::alt));
        painter.fillRect(0, 0, width(), 1, theme.color(R::frame));
        painter.fillRect(0, height() - 1, width(), 1, theme.color(R::frame));
        painter.fillRect(width() - 1, 0, 1, height(), theme.color(R::frame));
        painter.setFont(theme.font(Theme::Font::smallBold));
        painter.setPen(theme.color(R::text));
        painter.drawText(rect().adjusted(LaneGutter::nodeLeft(), 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         LaneView::tr("Verdict of the set"));
    }
};

}  // namespace

LaneView::LaneView(const DeckScene &scene, const StepAxis &axis, QWidget *parent)
    : QTableView(parent), m_scene(scene), m_axis(axis), m_model(new LaneModel(this)),
      m_verdicts(new VerdictHeader(scene, axis, this)), m_gutter(new LaneGutter(scene, this)),
      m_corner(new Corner(this))
{
    setObjectName(QStringLiteral("lanes"));
    setAccessibleName(tr("Checkpoints per rank"));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setAutoScroll(false);
    setCornerButtonEnabled(false);
    setMouseTracking(true);
    setHorizontalHeader(m_verdicts);
    setVerticalHeader(m_gutter);
    setModel(m_model);
    m_gutter->setTops([this](int row) { return rowTop(row); });
    connect(m_verdicts, &VerdictHeader::pressed, this, [this](int x) { Q_EMIT pressed(x, -1); });
    connect(m_gutter, &LaneGutter::pressed, this, &LaneView::headPressed);
    connect(&Theme::of(this), &Theme::changed, this, [this] {
        m_sheet.reset();
        m_verdicts->viewport()->update();
        m_gutter->viewport()->update();
        viewport()->update();
    });
}

LaneView::~LaneView() = default;

int LaneView::heightOfLane(int free, int windowHeight) const
{
    const int rows = static_cast<int>(m_scene.lanes.rows.size());
    if (rows == 0) return scaled(20);
    if (rows > 128) return 0;
    const int wanted = scaled(rows <= 12 ? (windowHeight >= 1000 ? 24 : 20) : rows <= 32 ? 16 : 12);
    const int smallest = rows <= 32 ? scaled(rows <= 12 ? 16 : 14) : 4;
    return std::clamp(free / rows, smallest, wanted);
}

int LaneView::heightFor(int free, int windowHeight) const
{
    const int rows = static_cast<int>(m_scene.lanes.rows.size());
    if (rows == 0) return verdictRow() + emptyHeight;
    const int lane = heightOfLane(free - verdictRow(), windowHeight);
    const int wanted = lane > 0 ? rows * lane : std::clamp(free - verdictRow(), 96, 384);
    return verdictRow() + std::min(wanted, std::max(free - verdictRow(), 48));
}

bool LaneView::scrollsAt(int height, int windowHeight) const
{
    const int free = height - verdictRow();
    const int lane = heightOfLane(free, windowHeight);
    return lane > 0 && static_cast<int>(m_scene.lanes.rows.size()) * lane > free;
}

void LaneView::layRows()
{
    const int rows = static_cast<int>(m_scene.lanes.rows.size());
    const int free = height() - verdictRow();
    m_rowHeight = heightOfLane(free, window()->height());
    m_imageHeight = std::max(free, 48);
    m_gutter->setRowHeight(m_rowHeight);
    if (m_rowHeight > 0) {
        m_gutter->setDefaultSectionSize(m_rowHeight);
        for (int row = 0; row < rows; ++row)
            if (m_gutter->sectionSize(row) != m_rowHeight) m_gutter->resizeSection(row, m_rowHeight);
        return;
    }
    for (int row = 0; row < rows; ++row) {
        const int size = (row + 1) * m_imageHeight / rows - row * m_imageHeight / rows;
        if (m_gutter->sectionSize(row) != size) m_gutter->resizeSection(row, size);
    }
}

int LaneView::rowTop(int row) const
{
    const int rows = std::max<int>(1, static_cast<int>(m_scene.lanes.rows.size()));
    const int top = m_rowHeight > 0 ? row * m_rowHeight : row * m_imageHeight / rows;
    return top - (m_rowHeight > 0 ? verticalScrollBar()->value() : 0);
}

int LaneView::rowAtY(int y) const
{
    const int rows = static_cast<int>(m_scene.lanes.rows.size());
    for (int row = 0; row < rows; ++row)
        if (y >= rowTop(row) && y < rowTop(row + 1)) return row;
    return -1;
}

int LaneView::lanePixel(int row) const { return (rowTop(row) + rowTop(row + 1)) / 2; }

void LaneView::setLanes()
{
    m_syncing = true;
    m_model->setLanes(m_scene.lanes);
    m_syncing = false;
    layRows();
    follow();
    refreshSelection();
    m_gutter->agesChanged();
    m_gutter->viewport()->update();
}

void LaneView::follow()
{
    const auto pixels = columnPixels(m_scene.lanes, m_axis);
    int edge = m_axis.left();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const int next = i + 1 < pixels.size() ? (pixels[i] + pixels[i + 1]) / 2 : m_axis.right();
        const int end = std::clamp(next, edge, m_axis.right());
        const int section = static_cast<int>(i);
        if (m_verdicts->sectionSize(section) != end - edge) m_verdicts->resizeSection(section, end - edge);
        edge = end;
    }
    m_verdicts->viewport()->update();
    viewport()->update();
}

void LaneView::refreshSelection()
{
    const int column = m_scene.selectedColumn();
    const int row = m_scene.selectedRow();
    if (column >= 0 || row >= 0) {
        m_syncing = true;
        setCurrentIndex(m_model->index(std::max(row, 0), std::max(column, 0)));
        m_syncing = false;
        if (row >= 0 && m_rowHeight > 0 && (rowTop(row) < 0 || rowTop(row + 1) > viewport()->height()))
            scrollTo(m_model->index(row, std::max(column, 0)));
    }
    m_verdicts->viewport()->update();
    m_gutter->viewport()->update();
    viewport()->update();
}

void LaneView::cursorMoved(std::optional<double> before)
{
    for (const auto &step : {before, m_scene.cursor}) {
        if (!step) continue;
        const int x = m_axis.column(*step) - gutterWidth();
        viewport()->update(x - 1, 0, 3, viewport()->height());
        m_verdicts->viewport()->update(x - 1, 0, 3, verdictRow());
    }
}

void LaneView::tickAges()
{
    if (m_gutter->agesChanged()) m_gutter->viewport()->update();
}

void LaneView::setEmptyText(const QString &text)
{
    if (text == m_empty) return;
    m_empty = text;
    viewport()->update();
}

void LaneView::paintEvent(QPaintEvent *event)
{
    const Theme &theme = Theme::of(this);
    if (!m_sheet || m_sheet->pixelRatio() != devicePixelRatioF())
        m_sheet = std::make_unique<GlyphSheet>(theme, devicePixelRatioF());
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    LaneGeometry geometry{viewport()->rect(), 0, static_cast<int>(m_scene.lanes.rows.size()) - 1, m_rowHeight,
                          [this](int row) { return rowTop(row); }};
    while (geometry.first < geometry.last && rowTop(geometry.first + 1) <= 0) ++geometry.first;
    while (geometry.last > geometry.first && rowTop(geometry.last) >= viewport()->height()) --geometry.last;
    LanePainter(painter, m_scene, m_axis, theme, *m_sheet, geometry).paint();
    if (!m_empty.isEmpty()) {
        painter.setFont(theme.font(Theme::Font::normal));
        QRect box = painter.fontMetrics().boundingRect(m_empty).adjusted(-8, -4, 8, 4);
        box.moveCenter(QPoint(m_axis.width() / 2, std::min(viewport()->height(), 200) / 2));
        painter.fillRect(box, theme.color(R::base));
        painter.setPen(theme.color(R::text2));
        painter.drawText(box, Qt::AlignCenter, m_empty);
    }
    const QRect box =
        selectedColumnBox(m_scene, m_axis, 0, rowTop(int(m_scene.lanes.rows.size()))).translated(-gutterWidth(), 0);
    if (!box.isEmpty()) {
        painter.fillRect(box.left(), 0, 2, box.height(), theme.color(R::accent));
        painter.fillRect(box.right() - 1, 0, 2, box.height(), theme.color(R::accent));
        painter.fillRect(box.left(), box.bottom() - 1, box.width(), 2, theme.color(R::accent));
    }
    if (hasFocus() && m_byKeyboard) {
        painter.setPen(QPen(theme.color(R::accent), 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void LaneView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return;
    Q_EMIT pressed(static_cast<int>(event->position().x()) + gutterWidth(),
                   rowAtY(static_cast<int>(event->position().y())));
}

// The deck's gestures handle mouse moves; the base class would select by dragging.
void LaneView::mouseMoveEvent(QMouseEvent *event) { event->ignore(); }
void LaneView::mouseReleaseEvent(QMouseEvent *event) { event->ignore(); }

void LaneView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return;
    Q_EMIT activatedAt(static_cast<int>(event->position().x()) + gutterWidth(),
                       rowAtY(static_cast<int>(event->position().y())));
}

// Arrow keys, Enter and letters belong to the actions of the deck.
void LaneView::keyPressEvent(QKeyEvent *event) { event->ignore(); }

void LaneView::focusInEvent(QFocusEvent *event)
{
    m_byKeyboard = focusByKeyboard(event->reason());
    QTableView::focusInEvent(event);
    viewport()->update();
}

void LaneView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (m_syncing || !current.isValid()) return;
    // A screen reader changed the current cell.
    const auto pixels = columnPixels(m_scene.lanes, m_axis);
    Q_EMIT pressed(pixels[static_cast<std::size_t>(current.column())], current.row());
}

void LaneView::updateGeometries()
{
    QTableView::updateGeometries();
    m_corner->setGeometry(0, 0, gutterWidth(), verdictRow());
    m_corner->raise();
    if (model() && m_axis.width() > 0) layRows();
}

}  // namespace rankdeck::ui
