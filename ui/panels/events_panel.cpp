// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/events_panel.h"

#include "ui/kit/table.h"
#include "ui/panels/events_filter.h"
#include "ui/panels/events_model.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>

namespace rankdeck::ui {

EventsPanel::EventsPanel(JobFeed &feed, QWidget *parent)
    : Panel(parent), m_feed(feed), m_model(new EventsModel(10'000, this)), m_filter(new EventsFilter(*m_model, this)),
      m_table(new Table(tr("Events"))), m_corner(new QWidget(this)), m_ranks(new QComboBox), m_weight(new QComboBox),
      m_find(new QLineEdit)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setModel(m_filter);
    m_table->setWidths({78, 26, 132, 84, -1, 66, 150});
    auto *line = new QAction(tr("Show the &log line"), m_table);
    line->setShortcut(QKeySequence(Qt::Key_Return));
    line->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(line);
    connect(line, &QAction::triggered, this, [this] { activated(m_table->currentIndex()); });

    auto *row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(8);
    m_ranks->setFrame(false);
    m_ranks->setAccessibleName(tr("Events of rank"));
    m_weight->setFrame(false);
    m_weight->setAccessibleName(tr("Which events"));
    m_weight->addItems({tr("Errors and saves"), tr("All events"), tr("Errors only")});
    m_find->setAccessibleName(tr("Find in the events"));
    m_find->setPlaceholderText(tr("Find (Ctrl+F)"));
    m_find->setClearButtonEnabled(true);
    m_find->setFixedWidth(140);
    for (QWidget *part : std::initializer_list<QWidget *>{m_ranks, m_weight, m_find}) row->addWidget(part);

    connect(m_ranks, &QComboBox::currentIndexChanged, this, [this](int index) { m_filter->setRank(index - 1); });
    connect(m_weight, &QComboBox::currentIndexChanged, this, [this](int index) {
        constexpr EventsFilter::Weight weights[] = {EventsFilter::Weight::errorsAndSaves, EventsFilter::Weight::all,
                                                    EventsFilter::Weight::errors};
        if (index >= 0 && index < 3) m_filter->setWeight(weights[index]);
    });
    connect(m_find, &QLineEdit::textChanged, m_filter, &EventsFilter::setText);
    connect(m_find, &QLineEdit::returnPressed, this, &EventsPanel::findNext);
    connect(m_table, &QTableView::activated, this, &EventsPanel::activated);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        const Event *event = eventAt(index);
        if (event != nullptr && event->rank >= 0) Q_EMIT rankChosen(event->rank);
    });
    connect(&m_feed, &JobFeed::changed, this, &EventsPanel::refresh);
    refresh();
}

// A narrow panel hides the log column: the text of the event is more important, and Enter opens the line.
void EventsPanel::resizeEvent(QResizeEvent *event)
{
    constexpr int narrow = 900;
    Panel::resizeEvent(event);
    m_table->setColumnHidden(EventsModel::log, width() < scaled(narrow));
}

void EventsPanel::refresh()
{
    fillRanks();
    std::vector<Event> news;
    m_feed.withRun([&](const Run &run) { news = run.events(m_model->newestId()); });
    if (news.empty()) return sayWhyEmpty();
    // New rows are inserted at the top; the view of a user who has scrolled down must not move.
    QScrollBar *bar = m_table->verticalScrollBar();
    const bool atTop = bar->value() == bar->minimum();
    const int before = m_filter->rowCount(), place = bar->value();
    m_model->append(std::move(news));
    if (!atTop)
        bar->setValue(place + (m_filter->rowCount() - before) * m_table->verticalHeader()->defaultSectionSize());
    sayWhyEmpty();
}

void EventsPanel::sayWhyEmpty()
{
    m_table->setEmptyText(m_model->rowCount() == 0
                              ? tr("No events yet. Saves, errors, deaths, stops and resumes appear here.")
                              : tr("None of the %n event(s) matches the filter. \"All events\" and \"All ranks\" "
                                   "show the others.",
                                   nullptr, m_model->rowCount()));
}

void EventsPanel::fillRanks()
{
    const int count = static_cast<int>(m_feed.snapshot()->view.ranks.size());
    if (count == m_rankCount) return;
    m_rankCount = count;
    const int chosen = std::max(0, m_ranks->currentIndex());
    m_ranks->clear();
    m_ranks->addItem(tr("All ranks"));
    const auto snapshot = m_feed.snapshot();
    for (const RankState &rank : snapshot->view.ranks) m_ranks->addItem(tr("Rank %1").arg(rank.rank));
    m_ranks->setCurrentIndex(std::min(chosen, m_ranks->count() - 1));
}

const Event *EventsPanel::eventAt(const QModelIndex &index) const
{
    const QModelIndex source = m_filter->mapToSource(index);
    return source.isValid() ? &m_model->at(source.row()) : nullptr;
}

void EventsPanel::activated(const QModelIndex &index)
{
    const Event *event = eventAt(index);
    if (event != nullptr && event->rank >= 0 && !event->logPath.empty())
        Q_EMIT logRequested(event->rank, event->logOffset);
}

void EventsPanel::find()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

void EventsPanel::findNext()
{
    if (m_filter->rowCount() == 0) return;
    const int next = (m_table->currentIndex().row() + 1) % m_filter->rowCount();
    m_table->setCurrentIndex(m_filter->index(next, EventsModel::text));
}

}  // namespace rankdeck::ui
