// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_panel.h"

#include "ui/dialogs/log_reading_dialog.h"
#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/panels/log_model.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

namespace {
constexpr std::uint64_t tailBytes = 256u << 10;
constexpr std::uint64_t jumpLead = 64u << 10;  // bytes before the line to jump to
constexpr std::uint32_t piece = 256u << 10;
constexpr std::uint64_t searchLimit = 8u << 20;  // contains 256 loss lines, even in a verbose log
}  // namespace

LogPanel::LogPanel(JobFeed &feed, QWidget *parent)
    : Panel(parent), m_feed(feed), m_model(new LogModel(100'000, this)), m_table(new Table(tr("Log lines"))),
      m_path(new Label({}, Theme::Font::mono)), m_state(new Label({}, Theme::Font::small, Theme::Role::text2)),
      m_corner(new QWidget(this)), m_ranks(new QComboBox), m_find(new QLineEdit),
      m_end(new QPushButton(tr("Follow the end")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(12, 3, 12, 3);
    line->addWidget(m_path->selectable());
    line->addStretch(1);
    line->addWidget(m_state);
    column->addLayout(line);
    column->addWidget(m_table, 1);
    m_table->setModel(m_model);
    m_table->horizontalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(17);
    m_table->setWidths({90, -1});

    auto *row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(8);
    m_ranks->setFrame(false);
    m_ranks->setAccessibleName(tr("Log of rank"));
    m_find->setAccessibleName(tr("Find in the log"));
    m_find->setPlaceholderText(tr("Find (Ctrl+F)"));
    m_find->setClearButtonEnabled(true);
    m_find->setFixedWidth(160);
    auto *reading = new QPushButton(tr("How it is read…"));
    for (QWidget *part : std::initializer_list<QWidget *>{m_ranks, reading, m_end, m_find}) row->addWidget(part);

    connect(reading, &QPushButton::clicked, this, [this] {
        if (m_rank >= 0) (new LogReadingDialog(m_feed, m_rank, window()))->QDialog::show();
    });

    connect(m_ranks, &QComboBox::activated, this, [this](int index) { showRank(m_ranks->itemData(index).toInt()); });
    connect(m_find, &QLineEdit::returnPressed, this, &LogPanel::findNext);
    connect(m_end, &QPushButton::clicked, this, [this] { showRank(m_rank); });
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (m_started) setFollow(!m_goal && value >= m_table->verticalScrollBar()->maximum() - 2);
    });
    connect(&m_feed, &JobFeed::changed, this, &LogPanel::fillRanks);
    connect(&m_timer, &QTimer::timeout, this, &LogPanel::poll);
    m_timer.start(1000);
    fillRanks();
    setFollow(true);
    say({});
}

void LogPanel::fillRanks()
{
    const auto snapshot = m_feed.snapshot();
    const auto &ranks = snapshot->view.ranks;
    if (m_ranks->count() != static_cast<int>(ranks.size())) {
        m_ranks->clear();
        for (const RankState &rank : ranks)
            m_ranks->addItem(tr("Rank %1, %2").arg(rank.rank).arg(fromNode(rank.node)), rank.rank);
        m_ranks->setCurrentIndex(m_ranks->findData(m_rank));
    }
    if (m_rank < 0 && !ranks.empty()) restart(ranks.front().rank);
}

QString LogPanel::pathOf(int rank) const
{
    const auto snapshot = m_feed.snapshot();
    for (const RankState &state : snapshot->view.ranks) {
        if (state.rank == rank) return fromNode(state.node) + QLatin1Char(':') + fromNode(state.logPath);
    }
    return {};
}

void LogPanel::restart(int rank)
{
    ++m_generation;
    m_rank = rank;
    m_busy = m_started = false;
    m_size = m_inode = 0;
    m_goal.reset();
    m_goalIsLine = true;
    m_search.reset();
    m_model->clear();
    m_path->setText(pathOf(rank));
    m_ranks->setCurrentIndex(m_ranks->findData(rank));
    say({});
}

void LogPanel::showRank(int rank)
{
    restart(rank);
    setFollow(true);
    poll();
}

void LogPanel::showLine(int rank, quint64 offset)
{
    restart(rank);
    setFollow(false);
    m_goal = offset;
    poll();
}

void LogPanel::showSample(int rank, quint64 offset, const SampleNumbers &numbers)
{
    restart(rank);
    setFollow(false);
    m_search.emplace(numbers, offset);
    m_searchFrom = m_searchedTo = offset;
    search();
}

void LogPanel::showSelectedRank(int rank)
{
    if (rank >= 0 && rank != m_rank && m_follow) showRank(rank);
}

void LogPanel::search()
{
    m_busy = true;
    m_feed.readLog(
        m_rank, m_searchedTo, piece,
        [this, generation = m_generation, alive = QPointer<LogPanel>(this)](const Result<RangeReply> &reply) {
            if (alive && generation == m_generation) searched(reply);
        });
}

void LogPanel::searched(const Result<RangeReply> &reply)
{
    const bool read = reply && reply->error.empty() && !reply->bytes.empty();
    const bool done = !read || m_search->add(reply->bytes);
    if (read) m_searchedTo += reply->bytes.size();
    const bool more = !done && m_searchedTo < reply->stat.size && m_searchedTo - m_searchFrom < searchLimit;
    if (more) return search();
    const std::optional<std::uint64_t> line = m_search->found();
    m_search.reset();
    m_busy = false;
    m_goal = line.value_or(m_searchFrom);
    m_goalIsLine = line.has_value();
    poll();
}

void LogPanel::poll()
{
    if (m_busy || m_rank < 0 || !isVisible()) return;
    if (m_started && !m_follow && m_model->end() >= m_size && m_model->rowCount() > 0 && !m_goal) return;
    m_busy = true;
    const int generation = m_generation;
    const Want want = m_started ? Want::piece : Want::size;
    std::uint64_t from = m_started ? m_model->end() : 0;
    m_feed.readLog(m_rank, from, want == Want::size ? 1 : piece,
                   [this, generation, want, alive = QPointer<LogPanel>(this)](Result<RangeReply> reply) {
                       if (alive) took(generation, want, reply);
                   });
}

void LogPanel::took(int generation, Want wanted, const Result<RangeReply> &reply)
{
    if (generation != m_generation) return;
    m_busy = false;
    if (!reply) return say(fromCore(reply.error().message));
    if (!reply->error.empty()) return say(tr("Cannot read: %1").arg(fromNode(reply->error)));
    if (m_inode != 0 && (reply->stat.inode != m_inode || reply->stat.size < m_model->end())) {
        restart(m_rank);
        say(tr("The log has started over."));
        return;
    }
    m_inode = reply->stat.inode;
    m_size = reply->stat.size;
    if (wanted == Want::piece) return takePiece(reply.value());
    m_started = true;
    const std::uint64_t from =
        m_goal ? (*m_goal > jumpLead ? *m_goal - jumpLead : 0) : (m_size > tailBytes ? m_size - tailBytes : 0);
    m_busy = true;
    m_feed.readLog(m_rank, from, m_goal ? static_cast<std::uint32_t>(2 * jumpLead) : piece,
                   [this, generation, alive = QPointer<LogPanel>(this)](Result<RangeReply> first) {
                       if (alive) took(generation, Want::piece, first);
                   });
}

void LogPanel::takePiece(const RangeReply &reply)
{
    const bool follow = m_follow;
    m_model->append(reply.offset, reply.bytes, reply.offset == 0);
    say(follow ? tr("following, %1").arg(byteWords(m_size))
               : tr("%1 of %2").arg(byteWords(m_model->end()), byteWords(m_size)));
    if (m_goal) {
        const int row = m_model->rowAt(*m_goal);
        m_goal.reset();
        if (row >= 0) {
            if (m_goalIsLine) m_table->setCurrentIndex(m_model->index(row, LogModel::text));
            m_table->scrollTo(m_model->index(row, LogModel::text), QAbstractItemView::PositionAtCenter);
        }
        if (!m_goalIsLine) say(tr("Exact log line unknown. Showing the nearest one."));
        setFollow(false);
    } else if (follow) {
        m_table->scrollToBottom();
    }
    if (!reply.bytes.empty() && follow && m_model->end() < m_size) QTimer::singleShot(0, this, &LogPanel::poll);
}

void LogPanel::setFollow(bool follow)
{
    m_follow = follow;
    m_end->setEnabled(!follow);
}

void LogPanel::say(const QString &text)
{
    m_state->setText(text);
    m_table->setEmptyText(m_rank < 0       ? tr("No ranks yet, so there is no log to show.")
                          : m_started      ? tr("The log of rank %1 has no lines yet.").arg(m_rank)
                          : text.isEmpty() ? tr("The log of rank %1 is being read.").arg(m_rank)
                                           : tr("The log of rank %1 cannot be shown: %2").arg(m_rank).arg(text));
}

void LogPanel::find()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

void LogPanel::findNext()
{
    const int row = m_model->find(
        m_find->text(), m_table->currentIndex().isValid() ? m_table->currentIndex().row() : m_model->rowCount(), false);
    if (row < 0)
        return say(m_find->text().isEmpty()
                       ? QString()
                       : tr("\"%1\" is not in the %2 lines read").arg(m_find->text(), number(m_model->rowCount())));
    setFollow(false);
    m_table->setCurrentIndex(m_model->index(row, LogModel::text));
    m_table->scrollTo(m_model->index(row, LogModel::text));
}

void LogPanel::showEvent(QShowEvent *event)
{
    Panel::showEvent(event);
    QTimer::singleShot(0, this, &LogPanel::poll);
}

}  // namespace rankdeck::ui
