// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/table.h"

#include "ui/kit/focus_ring.h"
#include "ui/style/theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {

Table::Table(const QString &accessibleName, QWidget *parent) : QTableView(parent)
{
    setAccessibleName(accessibleName);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(16);
    verticalHeader()->setDefaultSectionSize(scaled(20));
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(20);
    horizontalHeader()->setFixedHeight(scaled(23));
    horizontalHeader()->setFont(Theme::of(this).font(Theme::Font::small));
    setIconSize(QSize(13, 13));
    FocusRing::addTo(this);
    applyTheme();
    connect(&Theme::of(this), &Theme::changed, this, &Table::applyTheme);
}

void Table::applyTheme()
{
    const Theme &theme = Theme::of(this);
    QPalette colours;
    // The selection is a light tint, so that glyphs and text on it keep their contrast.
    colours.setColor(QPalette::Highlight, theme.color(Theme::Role::tintOk));
    colours.setColor(QPalette::HighlightedText, theme.color(Theme::Role::text));
    colours.setColor(QPalette::WindowText, theme.color(Theme::Role::frame));
    setPalette(colours);
    QPalette heading = horizontalHeader()->palette();
    heading.setColor(QPalette::ButtonText, theme.color(Theme::Role::text2));
    horizontalHeader()->setPalette(heading);
}

void Table::setGrowsTo(int rows)
{
    m_growsTo = rows;
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFrameShape(QFrame::Box);
    setFrameShadow(QFrame::Plain);
    updateGeometry();
}

void Table::setWidths(const QList<int> &widths)
{
    for (int column = 0; column < widths.size(); ++column) {
        QHeaderView *header = horizontalHeader();
        if (widths[column] == 0) {
            header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        } else if (widths[column] < 0) {
            header->setSectionResizeMode(column, QHeaderView::Stretch);
        } else {
            header->setSectionResizeMode(column, QHeaderView::Interactive);
            header->resizeSection(column, scaled(widths[column]));
        }
    }
    horizontalHeader()->setResizeContentsPrecision(200);
}

void Table::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    const auto grow = [this] {
        if (m_growsTo > 0) updateGeometry();
    };
    connect(model, &QAbstractItemModel::rowsInserted, this, grow);
    connect(model, &QAbstractItemModel::rowsRemoved, this, grow);
    connect(model, &QAbstractItemModel::modelReset, this, grow);
    connect(model, &QAbstractItemModel::modelReset, this, &Table::fitRows);
    connect(model, &QAbstractItemModel::rowsInserted, this, &Table::fitRows);
    connect(model, &QAbstractItemModel::dataChanged, this, &Table::fitRows);
}

void Table::setWraps(int column)
{
    m_wraps = column;
    setWordWrap(true);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, &Table::fitRows);
}

void Table::fitRows()
{
    if (m_wraps < 0 || model() == nullptr) return;
    constexpr int most = 64;  // more rows than a user would compare
    const int margin = style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1;
    const int room = columnWidth(m_wraps) - 2 * margin;
    bool changed = false;
    for (int row = 0; row < std::min(model()->rowCount(), most); ++row) {
        const QString words = model()->index(row, m_wraps).data().toString();
        const QRect needed = fontMetrics().boundingRect(QRect(0, 0, std::max(room, 1), 1000), Qt::TextWordWrap, words);
        const int usual = verticalHeader()->defaultSectionSize();
        const int height =
            fontMetrics().horizontalAdvance(words) <= room ? usual : std::max(usual, needed.height() + 4);
        changed = changed || rowHeight(row) != height;
        setRowHeight(row, height);
    }
    if (changed && m_growsTo > 0) updateGeometry();
}

QSize Table::sizeHint() const
{
    const QSize hint = QTableView::sizeHint();
    if (m_growsTo <= 0 || model() == nullptr) return hint;
    const int rows = std::min(model()->rowCount(), m_growsTo);
    int height = rows == 0 ? verticalHeader()->defaultSectionSize() : 0;
    for (int row = 0; row < rows; ++row) height += rowHeight(row);
    return {hint.width(), horizontalHeader()->height() + height + 2 * frameWidth()};
}

QSize Table::minimumSizeHint() const { return m_growsTo > 0 ? QSize(120, sizeHint().height()) : QSize(120, 43); }

namespace {

// A terminal would execute pasted control characters, so a cell must not contain line breaks, tabs or control codes.
QString cellText(QString text)
{
    for (QChar &letter : text)
        if (!letter.isPrint() && !letter.isSurrogate()) letter = QLatin1Char(' ');
    return text;
}

}  // namespace

// The columns with text; columns with only signs are left out. An empty cell in such a column stays, to keep the
// columns aligned.
QList<int> Table::columnsWithText() const
{
    constexpr int enough = 1000;
    QList<int> columns;
    for (int column = 0; column < model()->columnCount(); ++column)
        for (int row = 0; row < std::min(model()->rowCount(), enough); ++row) {
            if (isColumnHidden(column) || model()->index(row, column).data().toString().isEmpty()) continue;
            columns << column;
            break;
        }
    return columns;
}

QString Table::textOf(const QModelIndexList &rows) const
{
    const QList<int> columns = columnsWithText();
    QStringList lines;
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (const int column : columns) cells << cellText(row.siblingAtColumn(column).data().toString());
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QString Table::selectedText() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    return textOf(rows);
}

void Table::setEmptyText(const QString &text)
{
    if (text == m_empty) return;
    m_empty = text;
    viewport()->update();
}

void Table::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (m_empty.isEmpty() || model() == nullptr || model()->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(Theme::of(this).color(Theme::Role::text2));
    painter.drawText(viewport()->rect().adjusted(12, 8, -12, -8), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     m_empty);
}

// The menu of the row under the mouse, or of the current row if the menu key was used.
void Table::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex cell = byKey ? currentIndex() : indexAt(event->pos());
    if (model() == nullptr || model()->rowCount() == 0) return;
    if (cell.isValid() && !selectionModel()->isRowSelected(cell.row())) setCurrentIndex(cell);
    const auto toClipboard = [](const QString &text) { QGuiApplication::clipboard()->setText(text); };
    QMenu menu(this);
    menu.addActions(actions());
    if (!actions().isEmpty()) menu.addSeparator();
    const QString value = cell.isValid() ? cellText(cell.data().toString()) : QString();
    if (!value.isEmpty())
        connect(menu.addAction(tr("Copy the &cell")), &QAction::triggered, &menu, [=] { toClipboard(value); });
    if (selectionModel()->hasSelection()) {
        QAction *row = menu.addAction(tr("Copy the &row"));
        row->setShortcut(QKeySequence::Copy);
        connect(row, &QAction::triggered, &menu, [=, this] { toClipboard(selectedText()); });
    }
    connect(menu.addAction(tr("Copy the whole &table")), &QAction::triggered, &menu, [=, this] {
        QModelIndexList rows;
        for (int row = 0; row < model()->rowCount(); ++row) rows << model()->index(row, 0);
        toClipboard(textOf(rows));
    });
    menu.exec(byKey ? viewport()->mapToGlobal(visualRect(cell).bottomLeft()) : event->globalPos());
}

void Table::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(selectedText());
        return;
    }
    QTableView::keyPressEvent(event);
}

}  // namespace rankdeck::ui
