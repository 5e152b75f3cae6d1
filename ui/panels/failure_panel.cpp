// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/failure_panel.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <charconv>
#include <utility>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

constexpr std::uint64_t beforeMoment = 4096;
constexpr std::uint32_t around = 65536;  // 256 lines and more: a sample's place in its log is known that well

bool isFailure(EventKind kind)
{
    switch (kind) {
    case EventKind::rankDied:
    case EventKind::error:
    case EventKind::nan:
    case EventKind::uce:
    case EventKind::hcce:
    case EventKind::ttp: return true;
    default: return false;
    }
}

// Whether a number in the line is this very loss, as it was parsed from it.
bool saysNumber(std::string_view line, float loss)
{
    const char *at = line.data(), *end = at + line.size();
    while (at < end) {
        float number = 0;
        const auto [after, problem] = std::from_chars(at, end, number);
        if (problem == std::errc{} && number == loss) return true;
        at = after > at ? after : at + 1;
    }
    return false;
}

}  // namespace

FailurePanel::FailurePanel(JobFeed &feed, QWidget *parent)
    : Panel(parent), m_feed(feed), m_head(new Label({}, Font::normal)), m_row(new QHBoxLayout),
      m_corner(new QWidget(this)), m_previous(new QPushButton(tr("Earlier failure"))),
      m_next(new QPushButton(tr("Later failure")))
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
        part.text->setLineWrapMode(QPlainTextEdit::NoWrap);
        part.text->setTabChangesFocus(true);
        part.text->setAccessibleName(tr("Log around the moment"));
        part.text->setFont(Theme::of(this).font(Font::mono));
        part.box->hide();
        m_row->addWidget(part.box, 1);
        m_columns.push_back(part);
    }
    auto *row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 8, 2);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    connect(m_previous, &QPushButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { step(1); });
    fill();
}

std::vector<Event> FailurePanel::failures() const
{
    std::vector<Event> all;
    for (const Event &event : m_feed.snapshot()->view.recentEvents) {
        if (isFailure(event.kind)) all.push_back(event);
    }
    std::sort(all.begin(), all.end(),
              [](const Event &a, const Event &b) { return std::pair(a.time, a.id) < std::pair(b.time, b.id); });
    return all;
}

void FailurePanel::showNewest()
{
    if (auto first = firstFailure(*m_feed.snapshot())) return showEvent(*first);
    const std::vector<Event> all = failures();
    if (!all.empty()) return showEvent(all.back());
    m_event.reset();
    fill();
}

void FailurePanel::showEvent(const Event &event)
{
    m_event = event;
    fill();
}

void FailurePanel::showEvent(QShowEvent *event)
{
    Panel::showEvent(event);
    if (!m_event) showNewest();
}

void FailurePanel::step(int by)
{
    const std::vector<Event> all = failures();
    if (all.empty()) return;
    const auto at =
        std::find_if(all.begin(), all.end(), [this](const Event &event) { return m_event && event.id == m_event->id; });
    const auto place = std::clamp<std::ptrdiff_t>((at == all.end() ? std::ssize(all) - 1 : at - all.begin()) + by, 0,
                                                  std::ssize(all) - 1);
    showEvent(all[static_cast<std::size_t>(place)]);
}

void FailurePanel::fill()
{
    ++m_generation;
    for (Column &column : m_columns) column.box->setVisible(m_event.has_value());
    const std::vector<Event> all = failures();
    m_previous->setEnabled(m_event && !all.empty() && all.front().id != m_event->id);
    m_next->setEnabled(m_event && !all.empty() && all.back().id != m_event->id);
    if (!m_event)
        return m_head->setBoldAndText(tr("Nothing has failed."),
                                      tr("When a rank dies its log stands here beside its neighbours'."));
    const QString when = clockWords(m_event->time);
    m_head->setBoldAndText(QStringLiteral("%1, %2").arg(when, eventWord(*m_event)),
                           fromNode(m_event->text).section(QLatin1Char('\n'), 0, 0));
    const auto snapshot = m_feed.snapshot();
    const auto &ranks = snapshot->view.ranks;
    const int failed = m_event->rank;
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
        const bool own = rank->rank == failed;
        m_columns[i].rank = rank->rank;
        m_columns[i].sign->setGlyph(own ? Glyph::died : (rank->alive.value_or(true) ? Glyph::waits : Glyph::exited));
        m_columns[i].title->setText(tr("Rank %1, %2").arg(rank->rank).arg(fromNode(rank->node)));
        m_columns[i].text->setAccessibleName(tr("Log of rank %1 around the moment").arg(rank->rank));
        m_columns[i].text->setPlainText(tr("reading"));
        read(i, rank->rank, spotOf(rank->rank));
    }
}

// The event's own log has a place; in the others the last sample before it is the same moment.
FailurePanel::Spot FailurePanel::spotOf(int rank) const
{
    if (rank == m_event->rank && m_event->logOffset > 0) return {.offset = m_event->logOffset};
    std::optional<PlacedSample> sample;
    m_feed.withRun([&](const Run &run) {
        const Series *series = run.series(rank, m_event->attempt);
        if (series == nullptr) return;
        if (m_event->position) sample = series->at(*m_event->position);
        if (!sample) sample = series->last();
    });
    return sample ? Spot{.offset = sample->offset, .loss = sample->loss} : Spot{};
}

void FailurePanel::read(std::size_t column, int rank, const Spot &spot)
{
    const std::uint64_t from = spot.offset > beforeMoment ? spot.offset - beforeMoment : 0;
    m_feed.readLog(rank, from, around,
                   [this, column, spot, generation = m_generation,
                    alive = QPointer<FailurePanel>(this)](Result<RangeReply> reply) {
                       if (alive && generation == m_generation) took(column, spot, reply);
                   });
}

void FailurePanel::took(std::size_t column, const Spot &spot, const Result<RangeReply> &reply)
{
    QPlainTextEdit *text = m_columns[column].text;
    if (!reply) return text->setPlainText(fromNode(reply.error().message));
    if (!reply->error.empty()) return text->setPlainText(tr("Cannot read: %1").arg(fromNode(reply->error)));
    text->clear();
    QTextCursor cursor(text->document());
    const Theme &theme = Theme::of(this);
    std::size_t from = 0;
    // The first line may be half a one.
    if (reply->offset > 0) from = std::min(reply->bytes.find('\n'), reply->bytes.size() - 1) + 1;
    int wantedBlock = 0, block = 0;
    while (from < reply->bytes.size()) {
        const std::size_t end = std::min(reply->bytes.find('\n', from), reply->bytes.size());
        const std::uint64_t at = reply->offset + from;
        if (at <= spot.offset || (spot.loss && saysNumber({reply->bytes.data() + from, end - from}, *spot.loss)))
            wantedBlock = block;
        QTextBlockFormat format;
        const QString line = fromNode(reply->bytes.substr(from, std::min<std::size_t>(end - from, 2000)));
        const bool own = m_columns[column].rank == m_event->rank && at >= spot.offset && m_event->logOffset > 0;
        if (own || line.startsWith(QLatin1String("[ERROR]"))) format.setBackground(theme.color(Role::tintBad));
        if (block > 0) cursor.insertBlock();
        cursor.setBlockFormat(format);
        cursor.insertText(line);
        ++block;
        from = end + 1;
    }
    if (block == 0) return text->setPlainText(tr("Nothing is in this log at the moment."));
    text->setTextCursor(QTextCursor(text->document()->findBlockByNumber(wantedBlock)));
    // Once it has its height.
    QTimer::singleShot(0, text, &QPlainTextEdit::centerCursor);
}

}  // namespace rankdeck::ui
