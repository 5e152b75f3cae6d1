// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/lane_gutter.h"

#include "ui/deck/lanes/lane_image.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

using R = Theme::Role;
using F = Theme::Font;

namespace {

int lineHeight() { return scaled(18); }

Glyph statusGlyph(RankStatus status)
{
    switch (status) {
    case RankStatus::waits: return Glyph::waits;
    case RankStatus::died: return Glyph::died;
    case RankStatus::exited: return Glyph::exited;
    case RankStatus::notStarted:
    case RankStatus::runs:
    case RankStatus::ended:  // has no glyph: only a proven exit gets the exit glyph
    case RankStatus::noNews: break;
    }
    return Glyph::none;
}

void rightText(QPainter &painter, int right, const QRect &box, const QString &text)
{
    painter.drawText(QRect(right - scaled(90), box.top(), scaled(90), box.height()), Qt::AlignRight | Qt::AlignVCenter,
                     text);
}

// Whole seconds: tenths would be of no use here.
QString wholeSeconds(double seconds)
{
    return seconds < 10 ? LaneGutter::tr("%1 s").arg(std::lround(seconds)) : shortDuration(seconds);
}

QString stateWords(const LaneBlock &block, double age)
{
    if (block.state == NodeState::stale) return LaneGutter::tr("stale %1").arg(wholeSeconds(age));
    return nodeWord(block.state);
}

// Shortens "ascend-09" to "09" for a list of such names.
QString shortName(const QString &node)
{
    qsizetype digits = node.size();
    while (digits > 0 && node[digits - 1].isDigit()) --digits;
    return digits < node.size() ? node.mid(digits) : node;
}

QString spanOfNames(const QString &first, const QString &last)
{
    // "ascend-09" and "ascend-16" become "09 to 16": the common part is of no use in a list.
    int same = 0;
    while (same < first.size() && same < last.size() && first[same] == last[same] && !first[same].isDigit()) ++same;
    const QString from = first.mid(same).isEmpty() ? first : first.mid(same);
    const QString to = last.mid(same).isEmpty() ? last : last.mid(same);
    return LaneGutter::tr("%1 to %2").arg(from, to);
}

}  // namespace

LaneGutter::LaneGutter(const DeckScene &scene, QWidget *parent) : QHeaderView(Qt::Vertical, parent), m_scene(scene)
{
    setObjectName(QStringLiteral("laneGutter"));
    setAccessibleName(tr("Ranks"));
    setMinimumSectionSize(0);
    setSectionResizeMode(QHeaderView::Fixed);
    setHighlightSections(false);
    setFixedWidth(gutterWidth());
}

QSize LaneGutter::sizeHint() const { return {gutterWidth(), 100}; }

double LaneGutter::ageOf(const LaneRow &row) const { return row.heard ? secondsSince(*row.heard, m_scene.now) : -1; }

bool LaneGutter::inSight(int row) const { return m_top(row + 1) > 0 && m_top(row) < viewport()->height(); }

// The texts of the ages as paintEvent() draws them.
QStringList LaneGutter::ageWords() const
{
    QStringList words;
    const LaneData &lanes = m_scene.lanes;
    if (!m_top || lanes.rows.empty()) return words;
    const auto add = [&](double age) { words << (age < 0 ? QString() : shortDuration(age)); };
    if (m_rowHeight < scaled(12)) {
        for (const auto &[first, last] : blockLines(lanes)) add(blockLine(first, last).age);
        return words;
    }
    for (int row = 0; row < static_cast<int>(lanes.rows.size()); ++row)
        if (inSight(row)) add(ageOf(lanes.rows[static_cast<std::size_t>(row)]));
    return words;
}

bool LaneGutter::agesChanged()
{
    QStringList words = ageWords();
    if (words == m_ages) return false;
    m_ages = std::move(words);
    return true;
}

void LaneGutter::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(viewport());
    const QRect area = viewport()->rect();
    painter.fillRect(area, theme.color(R::base));
    const LaneData &lanes = m_scene.lanes;
    if (m_top && !lanes.rows.empty()) {
        if (m_rowHeight >= scaled(12)) {
            for (int row = 0; row < static_cast<int>(lanes.rows.size()); ++row)
                if (inSight(row)) paintLane(painter, theme, row);
            for (const LaneBlock &block : lanes.blocks) paintBlock(painter, theme, block);
        } else {
            for (const auto &[first, last] : blockLines(lanes)) paintBlocks(painter, theme, first, last);
        }
    }
    painter.fillRect(area.right(), 0, 1, area.height(), theme.color(R::frame));
}

void LaneGutter::paintLane(QPainter &painter, const Theme &theme, int row)
{
    const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
    const QRect box(0, m_top(row), gutterWidth(), m_top(row + 1) - m_top(row));
    const bool selected = lane.rank == m_scene.selectedRank;
    if (inTrouble(lane)) {
        painter.fillRect(box, theme.color(R::tintBad));
        painter.fillRect(0, box.top(), 4, box.height(), theme.color(R::corrupt));
    } else if (selected) {
        painter.fillRect(box, theme.color(R::tintOk));
    }
    const auto slot = m_scene.lineSlots.find(lane.rank);
    if (slot != m_scene.lineSlots.end())
        painter.fillRect(scaled(84), box.center().y() - 5, 4, 12, theme.color(Theme::rankLine(slot->second)));
    const Glyph sign = statusGlyph(lane.status);
    if (sign != Glyph::none)
        painter.drawPixmap(scaled(91), box.center().y() - 6, glyph(sign, 14, theme, devicePixelRatioF()));

    const bool loud = selected || lane.status == RankStatus::died || slot != m_scene.lineSlots.end();
    painter.setPen(theme.color(R::text));
    painter.setFont(theme.font(loud ? F::bold : F::normal));
    rightText(painter, rankRight(), box, number(lane.rank));
    painter.setFont(theme.font(F::small));
    const bool old = lane.status == RankStatus::noNews;
    painter.setPen(theme.color(old ? R::text2 : R::text));
    if (lane.position) rightText(painter, stepRight(), box, number(*lane.position));
    if (lane.loss) rightText(painter, lossRight(), box, lossText(*lane.loss));
    if (lane.status == RankStatus::died || (old && lane.heard)) {
        painter.setFont(theme.font(F::smallBold));
        painter.setPen(theme.color(R::text));
    } else {
        painter.setPen(theme.color(R::text2));
    }
    if (lane.status == RankStatus::died)
        rightText(painter, ageRight(), box, tr("died"));
    else if (lane.heard)
        rightText(painter, ageRight(), box, shortDuration(ageOf(lane)));
}

void LaneGutter::paintBlock(QPainter &painter, const Theme &theme, const LaneBlock &block)
{
    const int top = m_top(block.firstRow);
    const int bottom = m_top(block.firstRow + block.rows);
    if (bottom <= 0 || top >= height()) return;
    if (block.firstRow > 0) painter.fillRect(0, top, gutterWidth(), 1, theme.color(R::frame));
    const int height = std::max(m_rowHeight, scaled(14));
    const QFontMetrics bold(theme.font(F::smallBold));
    QRect line(nodeLeft(), top, scaled(70), height);
    const bool single = block.rows == 1;
    if (single) {
        painter.drawPixmap(nodeLeft() - 8, line.center().y() - 6,
                           glyph(nodeGlyph(block.state), 12, theme, devicePixelRatioF()));
        line.adjust(6, 0, 0, 0);
    }
    painter.setFont(theme.font(F::smallBold));
    painter.setPen(theme.color(R::text));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                     bold.elidedText(block.node, Qt::ElideMiddle, line.width()));
    if (single) return;
    const double age = block.lastContact ? secondsSince(*block.lastContact, m_scene.now) : 0;
    line = QRect(28, top + m_rowHeight, scaled(84) - 28, height);
    painter.drawPixmap(12, line.center().y() - 6, glyph(nodeGlyph(block.state), 12, theme, devicePixelRatioF()));
    const bool live = block.state == NodeState::live;
    painter.setFont(theme.font(F::small));
    painter.setPen(theme.color(live ? R::text2 : R::text));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, stateWords(block, age));
    QString third;
    if (block.state == NodeState::lost && block.retryInSeconds > 0)
        third = tr("retry %1").arg(wholeSeconds(block.retryInSeconds));
    if (block.armed) third = tr("armed");
    if (third.isEmpty() || block.rows < 3) return;
    line.moveTop(top + 2 * m_rowHeight);
    if (block.armed) painter.drawPixmap(12, line.center().y() - 6, glyph(Glyph::armed, 12, theme, devicePixelRatioF()));
    if (!block.armed) line.moveLeft(nodeLeft());
    painter.setPen(theme.color(block.armed ? R::text : R::text2));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, third);
}

LaneGutter::BlockLine LaneGutter::blockLine(int firstBlock, int lastBlock) const
{
    const auto &blocks = m_scene.lanes.blocks;
    BlockLine line;
    line.firstBlock = firstBlock;
    line.lastBlock = lastBlock;
    line.firstRow = blocks[static_cast<std::size_t>(firstBlock)].firstRow;
    const LaneBlock &last = blocks[static_cast<std::size_t>(lastBlock)];
    line.endRow = last.firstRow + last.rows;
    for (int row = line.firstRow; row < line.endRow; ++row) {
        const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
        if (lane.status == RankStatus::died && line.died < 0) line.died = lane.rank;
        if (lane.heard) line.age = std::max(line.age, ageOf(lane));
        if (lane.position) line.behind = std::min<qint64>(line.behind.value_or(*lane.position), *lane.position);
    }
    for (int b = firstBlock; b <= lastBlock; ++b)
        line.quiet = line.quiet && blocks[static_cast<std::size_t>(b)].state == NodeState::live;
    return line;
}

void LaneGutter::paintBlocks(QPainter &painter, const Theme &theme, int firstBlock, int lastBlock)
{
    const auto &blocks = m_scene.lanes.blocks;
    const auto &rows = m_scene.lanes.rows;
    const BlockLine block = blockLine(firstBlock, lastBlock);
    const int top = m_top(block.firstRow);
    const int bottom = m_top(block.endRow);
    if (firstBlock > 0) painter.fillRect(0, top, gutterWidth(), 1, theme.color(R::frame));
    if (block.died >= 0) painter.fillRect(0, top, 4, bottom - top, theme.color(R::corrupt));
    const bool room = bottom - top >= 2 * lineHeight();
    const QRect line(0, top + (room ? 2 : 0), gutterWidth(), std::min(lineHeight(), bottom - top));
    painter.setFont(theme.font(F::smallBold));
    painter.setPen(theme.color(R::text));
    const QString &first = blocks[static_cast<std::size_t>(firstBlock)].node;
    const QString name =
        firstBlock == lastBlock ? first : spanOfNames(first, blocks[static_cast<std::size_t>(lastBlock)].node);
    painter.drawText(line.adjusted(nodeLeft(), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, scaled(78)));
    painter.setFont(theme.font(F::small));
    const QString ranks = QString::fromUtf8("%1–%2")
                              .arg(rows[static_cast<std::size_t>(block.firstRow)].rank)
                              .arg(rows[static_cast<std::size_t>(block.endRow) - 1].rank);
    painter.drawText(QRect(scaled(94), line.top(), scaled(60), line.height()), Qt::AlignVCenter | Qt::AlignLeft, ranks);
    if (block.behind) rightText(painter, lossRight(), line, number(*block.behind));
    if (!block.quiet) painter.setFont(theme.font(F::smallBold));
    painter.setPen(theme.color(block.quiet ? R::text2 : R::text));
    if (block.age >= 0) rightText(painter, ageRight(), line, shortDuration(block.age));
    if (room) paintBlockStates(painter, theme, block, line.translated(0, lineHeight() - 1));
}

void LaneGutter::paintBlockStates(QPainter &painter, const Theme &theme, const BlockLine &line, const QRect &box)
{
    const bool single = line.firstBlock == line.lastBlock;
    int x = nodeLeft();
    const auto sign = [&](Glyph which) {
        painter.drawPixmap(x, box.center().y() - 6, glyph(which, 12, theme, devicePixelRatioF()));
        x += single ? 16 : 14;
    };
    QString words;
    for (int b = line.firstBlock; b <= line.lastBlock && x < scaled(150); ++b) {
        const LaneBlock &block = m_scene.lanes.blocks[static_cast<std::size_t>(b)];
        sign(nodeGlyph(block.state));
        if (block.state == NodeState::live || !words.isEmpty()) continue;
        words = stateWords(block, block.lastContact ? secondsSince(*block.lastContact, m_scene.now) : 0);
        if (block.state == NodeState::lost && block.retryInSeconds > 0)
            words = tr("%1, retry in %2").arg(words, wholeSeconds(block.retryInSeconds));
        if (!single) words = tr("%1 %2").arg(shortName(block.node), words);
    }
    const bool died = line.died >= 0;
    if (died) {
        words = tr("rank %1 died").arg(line.died);
        sign(Glyph::died);
    } else if (words.isEmpty() && single) {
        words = nodeWord(m_scene.lanes.blocks[static_cast<std::size_t>(line.firstBlock)].state);
    }
    painter.setFont(theme.font(died ? F::smallBold : F::small));
    painter.setPen(theme.color(line.quiet && !died ? R::text2 : R::text));
    painter.drawText(box.adjusted(x, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(words, Qt::ElideRight, gutterWidth() - x - 8));
}

void LaneGutter::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_top) return;
    const int y = static_cast<int>(event->position().y());
    for (int row = 0; row < static_cast<int>(m_scene.lanes.rows.size()); ++row) {
        if (y < m_top(row) || y >= m_top(row + 1)) continue;
        Q_EMIT pressed(row);
        return;
    }
}

// The base class would resize and select sections.
void LaneGutter::mouseMoveEvent(QMouseEvent *event) { event->ignore(); }
void LaneGutter::mouseReleaseEvent(QMouseEvent *event) { event->ignore(); }
void LaneGutter::mouseDoubleClickEvent(QMouseEvent *event) { event->ignore(); }

}  // namespace rankdeck::ui
