// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/hosts_model.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"

#include <algorithm>

namespace rankdeck::ui {

HostsModel::HostsModel(JobSources sources, QObject *parent) : QAbstractTableModel(parent), m_sources(std::move(sources))
{}

HostsModel::~HostsModel() = default;

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
    entry.feed.reset();
    entry.problem.clear();
    if (ticked) {
        Job job;
        job.name = "look-" + entry.name.toStdString();
        NodeSpec node;
        node.name = node.host = entry.name.toStdString();
        if (node.host == "local") node.transport = TransportKind::local;
        job.nodes.push_back(node);
        job.sshConfig = m_sources.sshConfig.toStdString();
        auto feed = m_sources.open(std::move(job), true);
        if (feed) {
            entry.feed = std::move(feed).value();
            connect(entry.feed.get(), &JobFeed::changed, this, [this, name = entry.name] { rowChanged(name); });
        } else {
            entry.problem = fromNode(feed.error().message);
        }
    }
    Q_EMIT dataChanged(index(row, 0), index(row, columnTotal - 1));
    Q_EMIT stateChanged();
}

void HostsModel::rowChanged(const QString &name)
{
    for (int row = 0; row < rowCount(); ++row) {
        if (m_rows[static_cast<std::size_t>(row)].name == name)
            Q_EMIT dataChanged(index(row, state), index(row, state));
    }
    Q_EMIT stateChanged();
}

QStringList HostsModel::tickedHosts() const
{
    QStringList names;
    for (const Row &row : m_rows) {
        if (row.ticked) names << row.name;
    }
    return names;
}

const NodeStatus *HostsModel::nodeOf(const Row &row) const
{
    if (!row.feed) return nullptr;
    const auto &nodes = row.feed->snapshot()->view.nodes;  // the feed keeps the snapshot alive until its next change
    return nodes.empty() ? nullptr : &nodes.front();
}

HostsModel::Counts HostsModel::counts() const
{
    Counts sum;
    for (const Row &row : m_rows) {
        if (!row.ticked) continue;
        ++sum.ticked;
        const NodeStatus *node = nodeOf(row);
        const NodeState now =
            node != nullptr ? node->state : (row.problem.isEmpty() ? NodeState::queued : NodeState::refused);
        switch (now) {
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

JobFeed *HostsModel::questioning(NodeStatus &asked) const
{
    for (const Row &row : m_rows) {
        const NodeStatus *node = nodeOf(row);
        if (node == nullptr || node->state != NodeState::needsYou) continue;
        asked = *node;
        return row.feed.get();
    }
    return nullptr;
}

JobFeed *HostsModel::feedAt(int row) const { return m_rows.at(static_cast<std::size_t>(row)).feed.get(); }

QString HostsModel::stateWords(const Row &row) const
{
    if (!row.problem.isEmpty()) return row.problem;
    const NodeStatus *node = nodeOf(row);
    if (node == nullptr) return row.ticked ? tr("queued") : tr("not asked");
    if (node->state == NodeState::live)
        return tr("live, %1 ms, Python %2")
            .arg(std::max(1, static_cast<int>(node->facts.roundTripSeconds * 1000)))
            .arg(fromNode(node->facts.python));
    if (node->reason.empty()) return nodeWord(node->state);
    return tr("%1: %2").arg(nodeWord(node->state), fromNode(node->reason));
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
    const Theme &theme = Theme::of(nullptr);
    if (index.column() == tick) {
        if (role == Qt::CheckStateRole) return row.ticked ? Qt::Checked : Qt::Unchecked;
        if (role == Qt::AccessibleTextRole) return row.name;
        return {};
    }
    if (role == Qt::DisplayRole) return index.column() == host ? row.name : stateWords(row);
    if (role == Qt::ToolTipRole && index.column() == state) return toolTipOf(stateWords(row));
    if (role == Qt::FontRole && index.column() == host && row.ticked) return theme.font(Theme::Font::bold);
    if (role == Qt::ForegroundRole && index.column() == state && !row.ticked) return theme.color(Theme::Role::text2);
    if (role == Qt::DecorationRole && index.column() == state && row.ticked) {
        const NodeStatus *node = nodeOf(row);
        return glyphIcon(
            nodeGlyph(node != nullptr ? node->state : (row.problem.isEmpty() ? NodeState::queued : NodeState::refused)),
            theme);
    }
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
    return section == host ? tr("Host") : section == state ? tr("State") : QString();
}

}  // namespace rankdeck::ui
