// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/panels.h"

#include "ui/panels/events_panel.h"
#include "ui/panels/failure_panel.h"
#include "ui/panels/journal_panel.h"
#include "ui/panels/log_panel.h"

#include <QCoreApplication>

namespace rankdeck::ui {

namespace {

struct Panels {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Panels)
};

template <class T>
Panel *make(JobFeed &feed)
{
    return new T(feed);
}

}  // namespace

const std::vector<PanelRow> &panelRows()
{
    static const std::vector<PanelRow> rows{
        {QT_TRANSLATE_NOOP("rankdeck::ui::Panels", "&Events"), make<EventsPanel>},
        {QT_TRANSLATE_NOOP("rankdeck::ui::Panels", "&Failure"), make<FailurePanel>},
        {QT_TRANSLATE_NOOP("rankdeck::ui::Panels", "&Logs"), make<LogPanel>},
        {QT_TRANSLATE_NOOP("rankdeck::ui::Panels", "&Journal"), make<JournalPanel>},
    };
    return rows;
}

QString PanelRow::menuText() const { return Panels::tr(name); }

QString PanelRow::title() const { return menuText().remove(QLatin1Char('&')); }

}  // namespace rankdeck::ui
