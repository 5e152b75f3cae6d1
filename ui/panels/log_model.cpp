// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_model.h"

#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <algorithm>
#include <vector>

namespace rankdeck::ui {

namespace {

constexpr std::size_t longestLine = 4096;
constexpr std::size_t longestRest = 1u << 20;

bool alarming(const QString &line)
{
    return line.startsWith(QLatin1String("[ERROR]")) || line.startsWith(QLatin1String("[CRITICAL]")) ||
           line.startsWith(QLatin1String("Traceback (most recent"));
}

}  // namespace

LogModel::LogModel(std::size_t maxLines, QObject *parent)
    : QAbstractTableModel(parent), m_maxLines(std::max<std::size_t>(1, maxLines))
{}

void LogModel::clear()
{
    beginResetModel();
    m_lines.clear();
    m_rest.clear();
    m_restAt = m_end = 0;
    m_skipFirst = false;
    endResetModel();
}

LogModel::Line LogModel::lineOf(std::uint64_t at, const std::string &bytes)
{
    std::string line = bytes.substr(0, longestLine);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    QString text = fromNode(line);
    if (bytes.size() > longestLine) text += tr(" … and %1 more").arg(byteWords(bytes.size() - longestLine));
    return {at, text};
}

void LogModel::append(std::uint64_t at, const std::string &bytes, bool wholeLine)
{
    const bool fresh = m_lines.empty() && m_rest.empty() && m_end == 0;
    if (fresh) {
        m_restAt = at;
        m_skipFirst = !wholeLine;
    } else if (at != m_end) {
        return;
    }
    m_end = at + bytes.size();
    m_rest += bytes;
    std::vector<Line> lines;
    std::size_t from = 0;
    for (std::size_t end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n', from)) {
        if (!m_skipFirst) lines.push_back(lineOf(m_restAt + from, m_rest.substr(from, end - from)));
        m_skipFirst = false;
        from = end + 1;
    }
    m_rest.erase(0, from);
    m_restAt += from;
    if (m_rest.size() > longestRest) {
        lines.push_back(lineOf(m_restAt, m_rest));
        m_restAt += m_rest.size();
        m_rest.clear();
        m_skipFirst = true;
    }
    if (lines.empty()) return;
    if (lines.size() > m_maxLines) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(m_maxLines));
    const std::size_t all = m_lines.size() + lines.size();
    if (all > m_maxLines) {
        beginRemoveRows({}, 0, static_cast<int>(all - m_maxLines) - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + static_cast<std::ptrdiff_t>(all - m_maxLines));
        endRemoveRows();
    }
    const int first = static_cast<int>(m_lines.size());
    beginInsertRows({}, first, first + static_cast<int>(lines.size()) - 1);
    for (Line &line : lines) m_lines.push_back(std::move(line));
    endInsertRows();
}

int LogModel::rowAt(std::uint64_t byteOffset) const
{
    const auto after = std::upper_bound(m_lines.begin(), m_lines.end(), byteOffset,
                                        [](std::uint64_t value, const Line &line) { return value < line.at; });
    return static_cast<int>(after - m_lines.begin()) - 1;
}

int LogModel::find(const QString &needle, int after, bool forward) const
{
    const int rows = static_cast<int>(m_lines.size());
    if (needle.isEmpty() || rows == 0) return -1;
    for (int i = 1; i <= rows; ++i) {
        const int row = ((after + (forward ? i : -i)) % rows + rows) % rows;
        if (m_lines[static_cast<std::size_t>(row)].text.contains(needle, Qt::CaseInsensitive)) return row;
    }
    return -1;
}

int LogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant LogModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Line &line = m_lines[static_cast<std::size_t>(index.row())];
    const Theme &theme = Theme::of(nullptr);
    switch (role) {
    case Qt::DisplayRole: return index.column() == offset ? number(static_cast<std::int64_t>(line.at)) : line.text;
    case Qt::ToolTipRole:
        return index.column() == text && line.text.size() > 120 ? QVariant(toolTipOf(line.text)) : QVariant();
    case Qt::FontRole: return theme.font(Theme::Font::mono);
    case Qt::ForegroundRole: return theme.color(index.column() == offset ? Theme::Role::text2 : Theme::Role::text);
    case Qt::BackgroundRole: return alarming(line.text) ? QVariant(theme.color(Theme::Role::tintBad)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == offset ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter))
                                        : QVariant();
    default: return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == offset ? tr("Byte") : tr("Line");
}

}  // namespace rankdeck::ui
