// SPDX-License-Identifier: GPL-3.0-or-later
// The alarms of the job on its page: the notice of the banner, the list of all alarms, and the notification about new
// ones.
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/window/job_page.h"

#include <QMenu>

namespace rankdeck::ui {

// For a history the banner only says that it is one: its alarms are not current.
std::optional<Notice> JobPage::notice(const Snapshot &snapshot, WallTime now) const
{
    if (!m_feed.offline()) {
        std::optional<Notice> worst = mostUrgent(snapshot, now, m_seen);
        if (worst)
            if (const auto keeping = m_keeping.find(worst->set); keeping != m_keeping.end())
                wordKeeping(*worst, keeping->second);
        if (worst || m_keptSet.isEmpty()) return worst;
        const CheckpointSet *set = snapshot.view.checkpoints.find(m_keptSet.toStdString());
        const KeptSet *kept = snapshot.view.kept->find(m_keptSet.toStdString());
        const QString name = set != nullptr ? setWords(*set) : kept != nullptr ? keptWords(*kept) : m_keptSet;
        return keptNotice(m_keptSet, name, m_keeping.at(m_keptSet));
    }
    Notice notice;
    notice.level = Notice::Level::info;
    notice.glyph = Glyph::note;
    notice.fact = tr("Offline, as of %1.").arg(asOfWords(snapshot, now));
    notice.rest = tr("This is the history on this machine. No node is contacted.");
    notice.acts = {{NoticeAct::connectNodes, tr("Connect")}};
    return notice;
}

// Also runs while the window is hidden: updates arrive even if no snapshot is drawn. Alarms that existed when all nodes
// were first read are not new.
void JobPage::tellNewAlarms(const Update &update)
{
    const auto snapshot = m_feed.snapshot();
    for (const AlarmChange &change : update.alarms) {
        if (change.ended || change.alarm.severity != Severity::alarm) continue;
        if (m_seenWholeAt && change.time > *m_seenWholeAt)
            Q_EMIT alarmBegan(noticeOf(change.alarm, *snapshot, change.time).fact);
    }
}

// An acknowledged alarm that ends and begins again is new.
void JobPage::forgetEnded(const Snapshot &snapshot, WallTime now)
{
    if (m_seen.empty()) return;
    std::set<QString> standing;
    for (const Notice &one : notices(snapshot, now))
        if (m_seen.count(one.key)) standing.insert(one.key);
    m_seen = std::move(standing);
}

Glyph JobPage::worstSeen() const
{
    if (m_seen.empty()) return Glyph::none;
    for (const Notice &one : notices(*m_feed.snapshot(), wallNow()))
        if (m_seen.count(one.key)) return one.glyph;
    return Glyph::none;
}

// An alarm chosen from the list appears in the banner again.
void JobPage::listAlarms(QPoint at)
{
    QMenu menu(this);
    for (const Notice &one : notices(*m_feed.snapshot(), wallNow())) {
        const bool seen = m_seen.count(one.key) > 0;
        QString words = seen ? tr("%1 (acknowledged)").arg(one.fact) : one.fact;
        QAction *line = menu.addAction(glyphIcon(one.glyph, Theme::of(this)),
                                       words.replace(QLatin1Char('&'), QStringLiteral("&&")));
        connect(line, &QAction::triggered, this, [this, key = one.key] {
            m_seen.clear();
            for (const Notice &other : notices(*m_feed.snapshot(), wallNow())) {
                if (other.key == key) break;
                m_seen.insert(other.key);
            }
            refresh();
        });
    }
    // A menu from the bottom of the window opens upwards, so that it does not cover its own line.
    const QPoint foot = mapFromGlobal(at);
    menu.exec(foot.y() > height() / 2 ? at - QPoint(0, menu.sizeHint().height()) : at);
}

}  // namespace rankdeck::ui
