// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/failure_panel.h"

#include "ui/kit/focus_ring.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/state/failure_view.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

constexpr std::uint64_t beforeFailure = 4096;
constexpr std::uint32_t around = 256u << 10;  // at least 256 lines, because a sample's position is only that exact
constexpr std::ptrdiff_t linesEachSide = 200;
constexpr int plain = 0, bad = 1;  // states of a text block: does the line belong to the failure?

struct Line {
    std::uint64_t at;
    std::string bytes;
};

// Only whole lines: bytes before the first line end belong to a line that was cut.
std::vector<Line> linesOf(const RangeReply &reply)
{
    std::vector<Line> lines;
    std::size_t from = 0;
    if (reply.offset > 0) from = std::min(reply.bytes.find('\n'), reply.bytes.size() - 1) + 1;
    while (from < reply.bytes.size()) {
        const std::size_t end = std::min(reply.bytes.find('\n', from), reply.bytes.size());
        lines.push_back({reply.offset + from, reply.bytes.substr(from, end - from)});
        from = end + 1;
    }
    return lines;
}

// The sign of a rank that died or exited; no sign for the others, which is the usual case.
Glyph signOf(const RunState &run, int rank)
{
    const auto holds = [rank](const std::vector<int> &ranks) {
        return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    };
    return holds(run.died) ? Glyph::died : holds(run.exited) ? Glyph::exited : Glyph::none;
}

}  // namespace

FailurePanel::FailurePanel(JobFeed &feed, QWidget *parent)
    : Panel(parent), m_feed(feed), m_head(new Label({}, Font::normal)), m_row(new QHBoxLayout),
      m_corner(new QWidget(this)), m_now(new QPushButton(tr("Show stack traces"))),
      m_previous(new QPushButton(tr("Earlier failure"))), m_next(new QPushButton(tr("Later failure"))),
      m_groups(new QPlainTextEdit)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_head->wrapped());
    m_row->setSpacing(1);
    column->addLayout(m_row, 1);
    for (int i = 0; i < 3; ++i) {
        Column part{new QWidget, new GlyphLabel(Glyph::none, 12), new Label({}, Font::bold), new QPlainTextEdit};
        auto *inside = new QVBoxLayout(part.box);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->setSpacing(2);
        auto *head = new QHBoxLayout;
        head->setSpacing(6);
        head->addWidget(part.sign);
        head->addWidget(part.title, 1);
        inside->addLayout(head);
        inside->addWidget(part.text, 1);
        part.text->setReadOnly(true);
        part.text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        part.text->setTabChangesFocus(true);
        FocusRing::addTo(part.text);
        part.text->setAccessibleName(tr("Log around the failure"));
        part.text->setFont(Theme::of(this).font(Font::mono));
        part.box->hide();
        m_row->addWidget(part.box, 1);
        m_columns.push_back(part);
    }
    m_groups->setReadOnly(true);
    m_groups->setTabChangesFocus(true);
    m_groups->setFont(Theme::of(this).font(Font::mono));
    m_groups->setAccessibleName(tr("Show stack traces"));
    FocusRing::addTo(m_groups);
    m_groups->hide();
    column->addWidget(m_groups, 1);
    auto *row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 8, 0);
    row->addWidget(m_now);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    m_now->setEnabled(!m_feed.offline());
    m_now->setCheckable(true);
    connect(m_now, &QPushButton::clicked, this, [this](bool on) {
        if (on) return showNow();
        m_showsNow = false;
        if (m_failureView.event && m_chosen)
            fill();
        else
            showNewest();
    });
    connect(m_previous, &QPushButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { step(1); });
    connect(&m_feed, &JobFeed::changed, this, &FailurePanel::followNews);
    connect(&Theme::of(this), &Theme::changed, this, [this] {
        for (const Column &part : m_columns) tint(*part.text);
    });
    fill();
}

void FailurePanel::showNewest()
{
    m_chosen = false;
    m_showsNow = false;
    m_failureView = now();
    fill();
}

void FailurePanel::showEvent(const Event &event)
{
    m_failureView = failureViewOf(event);
    m_showsNow = false;
    fill();
}

FailureView FailurePanel::now() const { return failureViewOf(*m_feed.snapshot(), wallNow(), m_feed.offline()); }

void FailurePanel::showNow()
{
    if (m_feed.offline()) return;
    m_showsNow = true;
    m_groups->setPlainText({});
    fill();
    m_feed.readStacks(
        [this, generation = m_generation, alive = QPointer<FailurePanel>(this)](const std::vector<RankStack> &ranks) {
            if (alive && generation == m_generation) tookStacks(ranks);
        });
}

void FailurePanel::tookStacks(const std::vector<RankStack> &ranks)
{
    const StackReport report = groupStacks(ranks);
    const QString when = clockWords(wallNow());
    const QString who = rankRange(report.suspects);
    m_head->setBoldAndText(report.suspects.empty()       ? tr("%1; none stands out.").arg(when)
                           : report.suspects.size() == 1 ? tr("%1; rank %2 differs from the others.").arg(when, who)
                                                         : tr("%1; ranks %2 differ from the others.").arg(when, who),
                           tr("Read from the processes and logs of all ranks; nothing was changed."));
    QStringList lines;
    for (const StackGroup &group : report.groups) {
        QString head = (group.ranks.size() == 1 ? tr("rank %1") : tr("ranks %1")).arg(rankRange(group.ranks)) +
                       QStringLiteral(": ") + fromNode(group.state);
        if (!group.where.empty()) head += comma() + fromNode(group.where);
        lines << head;
        for (const std::string &line : group.evidence) lines << QStringLiteral("    ") + fromNode(line);
    }
    m_groups->setPlainText(lines.isEmpty() ? tr("No rank answered.") : lines.join(QLatin1Char('\n')));
}

void FailurePanel::showEvent(QShowEvent *event)
{
    Panel::showEvent(event);
    if (!m_failureView.event && !m_showsNow) showNewest();
}

namespace {

// True if the logs need not be read again.
bool samePlace(const std::optional<Event> &a, const std::optional<Event> &b)
{
    if (!a || !b) return a.has_value() == b.has_value();
    return a->id == b->id && a->rank == b->rank && a->attempt == b->attempt && a->position == b->position;
}

}  // namespace

// Switches to a newer or worse failure and its current numbers, unless the user has chosen a failure.
void FailurePanel::followNews()
{
    if (!isVisible() || m_chosen || m_showsNow) return;
    FailureView next = now();
    const bool same = samePlace(next.event, m_failureView.event);
    m_failureView = std::move(next);
    if (same)
        head();
    else
        fill();
}

void FailurePanel::step(int by)
{
    const std::vector<Event> all = failuresIn(*m_feed.snapshot());
    if (all.empty()) return;
    m_chosen = true;
    const auto at = std::find_if(all.begin(), all.end(), [this](const Event &event) {
        return m_failureView.event && event.id == m_failureView.event->id;
    });
    const std::ptrdiff_t last = std::ssize(all) - 1;
    showEvent(all[static_cast<std::size_t>(
        at == all.end() ? last : std::clamp<std::ptrdiff_t>(at - all.begin() + by, 0, last))]);
}

void FailurePanel::head()
{
    const std::optional<Event> &event = m_failureView.event;
    const std::vector<Event> all = failuresIn(*m_feed.snapshot());
    m_previous->setEnabled(event && !all.empty() && all.front().id != event->id);
    m_next->setEnabled(event && event->id != 0 && !all.empty() && all.back().id != event->id);
    if (m_showsNow) return m_head->setBoldAndText(tr("All ranks are being read."), tr("It takes about a second."));
    m_head->setBoldAndText(m_failureView.fact, m_failureView.rest);
}

void FailurePanel::fill()
{
    ++m_generation;
    const bool shown = m_failureView.event.has_value() && !m_showsNow;
    for (Column &column : m_columns) column.box->setVisible(shown);
    m_groups->setVisible(m_showsNow);
    m_now->setChecked(m_showsNow);
    head();
    if (!shown) return;
    const auto snapshot = m_feed.snapshot();
    const auto &ranks = snapshot->view.ranks;
    const RunState run = runState(*snapshot);
    const int failed = m_failureView.event->rank;
    std::vector<int> wanted;
    for (const int rank : {failed, failed > 0 ? failed - 1 : failed + 1, 0, static_cast<int>(ranks.size()) - 1}) {
        if (rank >= 0 && rank < static_cast<int>(ranks.size()) && std::count(wanted.begin(), wanted.end(), rank) == 0 &&
            wanted.size() < m_columns.size())
            wanted.push_back(rank);
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        m_columns[i].box->setVisible(i < wanted.size());
        if (i >= wanted.size()) continue;
        const auto rank =
            std::find_if(ranks.begin(), ranks.end(), [&](const RankState &state) { return state.rank == wanted[i]; });
        if (rank == ranks.end()) continue;
        m_columns[i].rank = rank->rank;
        m_columns[i].sign->setGlyph(signOf(run, rank->rank));
        m_columns[i].title->setText(tr("Rank %1, %2").arg(rank->rank).arg(fromNode(rank->node)));
        m_columns[i].text->setAccessibleName(tr("Log of rank %1 around the failure").arg(rank->rank));
        m_columns[i].text->setPlainText(tr("reading"));
        read(i, rank->rank, spotOf(rank->rank));
    }
}

// For the failed rank, the place in the log is exact. For other ranks, it is the last sample before the event.
FailurePanel::Spot FailurePanel::spotOf(int rank) const
{
    if (rank == m_failureView.event->rank && m_failureView.event->logOffset > 0)
        return {.offset = m_failureView.event->logOffset};
    std::optional<PlacedSample> sample;
    SampleNumbers numbers;
    m_feed.withRun([&](const Run &run) {
        const Series *series = run.series(rank, m_failureView.event->attempt);
        if (series == nullptr) return;
        if (m_failureView.event->position) sample = series->at(*m_failureView.event->position);
        if (!sample) sample = series->last();
        if (sample) numbers = SampleNumbers::of(*sample, series->shift(), run.stepsPerEpoch());
    });
    return sample ? Spot{sample->offset, numbers} : Spot{};
}

void FailurePanel::read(std::size_t column, int rank, const Spot &spot)
{
    const std::uint64_t from = spot.offset > beforeFailure ? spot.offset - beforeFailure : 0;
    m_feed.readLog(rank, from, around,
                   [this, column, spot, generation = m_generation,
                    alive = QPointer<FailurePanel>(this)](Result<RangeReply> reply) {
                       if (alive && generation == m_generation) took(column, spot, reply);
                   });
}

void FailurePanel::took(std::size_t column, const Spot &spot, const Result<RangeReply> &reply)
{
    QPlainTextEdit *text = m_columns[column].text;
    if (!reply) return text->setPlainText(fromCore(reply.error().message));
    if (!reply->error.empty()) return text->setPlainText(tr("Cannot read: %1").arg(fromNode(reply->error)));
    text->clear();
    const std::vector<Line> lines = linesOf(*reply);
    if (lines.empty()) return text->setPlainText(tr("This log has no line from that time."));
    std::uint64_t wanted = spot.offset;
    if (spot.numbers && reply->offset <= spot.offset) {
        SampleLineSearch search(*spot.numbers, spot.offset);
        search.add(std::string_view(reply->bytes)
                       .substr(std::min<std::size_t>(spot.offset - reply->offset, reply->bytes.size())));
        wanted = search.found().value_or(spot.offset);
    }
    const auto after = std::find_if(lines.begin(), lines.end(), [&](const Line &line) { return line.at > wanted; });
    const auto place = after == lines.begin() ? after : after - 1;
    const auto first = lines.begin() + std::max<std::ptrdiff_t>(0, place - lines.begin() - linesEachSide);
    const auto last =
        lines.begin() + std::min<std::ptrdiff_t>(std::ssize(lines), place - lines.begin() + linesEachSide);
    const bool knowsFailure = m_columns[column].rank == m_failureView.event->rank && m_failureView.event->logOffset > 0;
    QTextCursor cursor(text->document());
    for (auto line = first; line != last; ++line) {
        const QString words = fromNode(line->bytes.substr(0, 2000));
        if (line != first) cursor.insertBlock();
        cursor.block().setUserState(
            (knowsFailure && line->at >= spot.offset) || words.startsWith(QLatin1String("[ERROR]")) ? bad : plain);
        cursor.insertText(words);
    }
    tint(*text);
    text->setTextCursor(QTextCursor(text->document()->findBlockByNumber(static_cast<int>(place - first))));
    // Delayed until the widget has its height.
    QTimer::singleShot(0, text, &QPlainTextEdit::centerCursor);
}

// Colours the lines of the failure in the current theme.
void FailurePanel::tint(QPlainTextEdit &text)
{
    for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format;
        if (block.userState() == bad) format.setBackground(Theme::of(this).color(Role::tintBad));
        QTextCursor(block).setBlockFormat(format);
    }
}

}  // namespace rankdeck::ui
