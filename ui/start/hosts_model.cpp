// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/hosts_model.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/window_words.h"

#include <algorithm>

namespace rankdeck::ui {

namespace {

// States that last are shown with their age, final states with their reason.
bool hasAge(NodeState state) { return state == NodeState::connecting || state == NodeState::lost; }

int secondsOf(const NodeStatus &node) { return static_cast<int>(secondsSince(node.since, wallNow())); }

}  // namespace

HostsModel::HostsModel(HostSearch *search, QObject *parent) : QAbstractTableModel(parent), m_search(search)
{
    if (m_search == nullptr) return;
    m_picture = m_search->picture();
    connect(m_search, &HostSearch::changed, this, &HostsModel::takePicture);
}

void HostsModel::unload() { m_search = nullptr; }

void HostsModel::add(const QString &name, bool ticked)
{
    const auto known = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &one) { return one.name == name; });
    const auto row = static_cast<int>(known - m_rows.begin());
    if (known == m_rows.end()) {
        beginInsertRows({}, rowCount(), rowCount());
        m_rows.push_back({name});
        endInsertRows();
    }
    if (ticked) setTicked(row, true);
}

void HostsModel::setTicked(int row, bool ticked)
{
    Row &entry = m_rows.at(static_cast<std::size_t>(row));
    if (entry.ticked == ticked) return;
    entry.ticked = ticked;
    if (m_search != nullptr) ticked ? m_search->add(entry.name) : m_search->remove(entry.name);
    Q_EMIT dataChanged(index(row, 0), index(row, columnTotal - 1));
    Q_EMIT stateChanged();
}

void HostsModel::takePicture()
{
    if (m_search == nullptr) return;
    m_picture = m_search->picture();
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, reached), index(rowCount() - 1, state));
    Q_EMIT stateChanged();
}

void HostsModel::second()
{
    for (int row = 0; row < rowCount(); ++row) {
        const HostScan *look = lookAt(row);
        if (look != nullptr && hasAge(look->node.state)) Q_EMIT dataChanged(index(row, state), index(row, state));
    }
}

const HostScan *HostsModel::lookOf(const Row &row) const
{
    if (!row.ticked || m_picture == nullptr) return nullptr;
    const std::string name = row.name.toStdString();
    for (const HostScan &look : m_picture->hosts) {
        if (look.host == name) return &look;
    }
    return nullptr;
}

const HostScan *HostsModel::lookAt(int row) const { return lookOf(m_rows.at(static_cast<std::size_t>(row))); }

HostsModel::Counts HostsModel::counts() const
{
    Counts sum;
    for (const Row &row : m_rows) {
        if (!row.ticked) continue;
        ++sum.ticked;
        const HostScan *look = lookOf(row);
        if (look != nullptr && look->scanned) ++sum.scanned;
        switch (look != nullptr ? look->node.state : NodeState::queued) {
        case NodeState::live:
        case NodeState::stale: ++sum.live; break;
        case NodeState::needsYou: ++sum.needYou; break;
        case NodeState::queued:
        case NodeState::connecting: ++sum.onTheWay; break;
        default: ++sum.unusable;
        }
    }
    return sum;
}

QString HostsModel::trouble(int row) const
{
    const HostScan *look = lookAt(row);
    if (look == nullptr) return {};
    if (!look->problem.empty()) return asSentence(look->problem);
    if (!look->unreadable.empty()) {
        const ProcessInfo &first = look->unreadable.front();
        return tr("%n process(es) look like training, but this login cannot read their environment (the first: pid %1 "
                  "of %2). Log in as that user: %2@%3.",
                  nullptr, static_cast<int>(look->unreadable.size()))
            .arg(first.id.pid)
            .arg(fromNode(first.user), nameAt(row));
    }
    return look->node.reason.empty() ? QString() : asSentence(look->node.reason);
}

QString HostsModel::stateWords(const Row &row) const
{
    if (row.ticked && m_search == nullptr) return tr("not asked: hosts cannot be scanned here");
    const HostScan *look = lookOf(row);
    if (look == nullptr) return row.ticked ? tr("queued") : tr("not asked");
    const NodeStatus &node = look->node;
    if (node.state == NodeState::live) {
        const QString live = tr("live, %1 ms").arg(std::max(1, static_cast<int>(node.facts.roundTripSeconds * 1000)));
        if (!look->problem.empty()) return tr("%1, not scanned: %2").arg(live, fromCore(look->problem));
        if (!look->scanned) return tr("%1, looking…").arg(live);
        if (look->ranks > 0) return tr("%1, %n training process(es)", nullptr, static_cast<int>(look->ranks)).arg(live);
        return look->unreadable.empty() ? tr("%1, nothing trains").arg(live)
                                        : tr("%1, training of another user").arg(live);
    }
    QString words = nodeWord(node.state);
    if (node.state == NodeState::connecting) words += tr(", %1 s").arg(secondsOf(node));
    if (node.state == NodeState::lost) {
        const int left = std::max(0, static_cast<int>(node.retryInSeconds) - secondsOf(node));
        words = left > 0 ? tr("%1, next try in %2 s").arg(words).arg(left) : words;
    }
    return node.reason.empty() ? words : tr("%1: %2").arg(words, fromCore(node.reason));
}

int HostsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int HostsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant HostsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const HostScan *look = lookOf(row);
    const Theme &theme = Theme::of(nullptr);
    if (index.column() == tick) {
        if (role == Qt::CheckStateRole) return row.ticked ? Qt::Checked : Qt::Unchecked;
        if (role == Qt::AccessibleTextRole) return row.name;
        return {};
    }
    const QString way = look != nullptr ? fromNode(look->reachedAs) : QString();
    if (role == Qt::DisplayRole)
        return index.column() == host ? row.name : index.column() == reached ? way : stateWords(row);
    if (role == Qt::ToolTipRole && index.column() == state) return toolTipOf(stateWords(row));
    if (role == Qt::ToolTipRole && index.column() != state && !way.isEmpty()) return toolTipOf(way);
    if (role == Qt::FontRole && index.column() == host && row.ticked) return theme.font(Theme::Font::bold);
    if (role == Qt::ForegroundRole && (index.column() == reached || (index.column() == state && !row.ticked)))
        return theme.color(Theme::Role::text2);
    if (role == Qt::DecorationRole && index.column() == state && row.ticked)
        return glyphIcon(nodeGlyph(look != nullptr ? look->node.state : NodeState::queued), theme);
    return {};
}

bool HostsModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || index.column() != tick) return false;
    setTicked(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags HostsModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == tick ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant HostsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case host: return tr("Host");
    case reached: return tr("Reached as");
    case state: return tr("State");
    default: return QString();
    }
}

}  // namespace rankdeck::ui
