// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/journal_model.h"

#include "ui/style/format.h"
#include "ui/style/theme.h"
#include "ui/style/window_words.h"

namespace rankdeck::ui {

namespace {

QString actWord(const std::string &kind)
{
    if (kind == "exit") return JournalModel::tr("Stop gracefully");
    if (kind == "resume") return JournalModel::tr("Resume");
    if (kind == "cancel") return JournalModel::tr("Cancel the stop");
    if (kind == "escalate") return JournalModel::tr("Escalate");
    if (kind == "rollback") return JournalModel::tr("Undo");
    if (kind == "journal") return JournalModel::tr("Read the journal");
    return fromNode(kind);
}

// A state that another version wrote is shown under its own name.
QString stateWord(const std::string &state)
{
    const std::pair<const char *, QString> all[] = {
        {"planned", JournalModel::tr("planned")},
        {"step", JournalModel::tr("step")},
        {"preparing", JournalModel::tr("preparing")},
        {"prepared", JournalModel::tr("prepared")},
        {"arming", JournalModel::tr("arming")},
        {"armed", JournalModel::tr("armed")},
        {"arming_failed", JournalModel::tr("arming failed")},
        {"confirmed", JournalModel::tr("confirmed")},
        {"progress", JournalModel::tr("in progress")},
        {"stopping", JournalModel::tr("stopping")},
        {"stopped", JournalModel::tr("stopped")},
        {"signalled", JournalModel::tr("signalled")},
        {"escalating", JournalModel::tr("escalating")},
        {"ladder_ended", JournalModel::tr("ladder ended")},
        {"resetting", JournalModel::tr("resetting")},
        {"reset", JournalModel::tr("reset")},
        {"swept", JournalModel::tr("swept")},
        {"taken_back", JournalModel::tr("taken back")},
        {"flag_left", JournalModel::tr("stop request left")},
        {"launching", JournalModel::tr("launching")},
        {"launched", JournalModel::tr("launched")},
        {"launch_failed", JournalModel::tr("launch failed")},
        {"started", JournalModel::tr("started")},
        {"proven", JournalModel::tr("proven")},
        {"rolling_back", JournalModel::tr("rolling back")},
        {"rolled_back", JournalModel::tr("rolled back")},
        {"survivors", JournalModel::tr("leftover processes")},
        {"refused", JournalModel::tr("refused")},
        {"failed", JournalModel::tr("failed")},
        {"finished", JournalModel::tr("finished")},
    };
    for (const auto &[name, words] : all)
        if (state == name) return words;
    return fromNode(state);
}

}  // namespace

void JournalModel::setEntries(std::vector<JournalEntry> oldestFirst)
{
    const std::size_t known = m_entries.size();
    const bool grows =
        oldestFirst.size() >= known && (known == 0 || (oldestFirst[known - 1].time == m_entries.back().time &&
                                                       oldestFirst[known - 1].action == m_entries.back().action));
    if (!grows) {
        beginResetModel();
        m_entries = std::move(oldestFirst);
        endResetModel();
        return;
    }
    if (oldestFirst.size() == known) return;
    beginInsertRows({}, 0, static_cast<int>(oldestFirst.size() - known) - 1);
    m_entries = std::move(oldestFirst);
    endInsertRows();
}

const JournalEntry &JournalModel::at(int row) const
{
    return m_entries.at(m_entries.size() - 1 - static_cast<std::size_t>(row));
}

QString JournalModel::cell(const JournalEntry &entry, int column) const
{
    switch (column) {
    case time: return clockWords(entry.time);
    case who:
        return entry.host.empty() ? fromNode(entry.user)
                                  : QStringLiteral("%1@%2").arg(fromNode(entry.user), fromNode(entry.host));
    case act: return actWord(entry.kind);
    case what: return fromCore(entry.text).section(QLatin1Char('\n'), 0, 0);
    case outcome: return stateWord(entry.state);
    default: return {};
    }
}

QString JournalModel::asText() const
{
    QString all;
    for (const JournalEntry &entry : m_entries) {
        QStringList cells{exactTime(entry.time)};
        for (const int column : {who, act, what, outcome}) cells << cell(entry, column);
        if (!entry.data.empty()) cells << fromNode(entry.data);
        all += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return all;
}

int JournalModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int JournalModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant JournalModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const JournalEntry &entry = at(index.row());
    if (role == Qt::DisplayRole) return cell(entry, index.column());
    if (role == Qt::ToolTipRole)
        return toolTipOf(index.column() == time ? exactTime(entry.time) : fromCore(entry.text));
    if (role == Qt::ForegroundRole)
        return Theme::of(nullptr).color(index.column() == time ? Theme::Role::text2 : Theme::Role::text);
    return {};
}

QVariant JournalModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case time: return tr("Time");
    case who: return tr("User");
    case act: return tr("Action");
    case what: return tr("Details");
    case outcome: return tr("State");
    default: return {};
    }
}

}  // namespace rankdeck::ui
