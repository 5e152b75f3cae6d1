// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/inspector_pane.h"

#include "core/base/text.h"
#include "ui/kit/card.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/panes/file_map.h"
#include "ui/panes/tensors_model.h"
#include "ui/style/format.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

QString lineOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return InspectorPane::tr("Good to know: %1.");
    case Verdict::validUnproven: return InspectorPane::tr("Not proven: %1.");
    case Verdict::inProgress: return InspectorPane::tr("Not complete yet: %1.");
    case Verdict::unknown: return InspectorPane::tr("Could not be checked: %1.");
    case Verdict::incomplete:
    case Verdict::inconsistent:
    case Verdict::corrupt: break;
    }
    return InspectorPane::tr("Broken law: %1.");
}

// Example: "Broken law: Whole (torn), Equal (step_mismatch)." Doubts, unknowns and advice do not break a law.
QStringList lawLines(const CheckpointSet &set, int rank)
{
    std::vector<std::pair<QString, QStringList>> lines;
    for (const Reason &reason : set.reasons) {
        if (reason.rank >= 0 && reason.rank != rank) continue;
        const QString format = lineOf(reason.verdict);
        auto line = std::find_if(lines.begin(), lines.end(), [&](const auto &one) { return one.first == format; });
        if (line == lines.end()) line = lines.insert(line, {format, {}});
        const QString law =
            QStringLiteral("%1 (%2)").arg(lawWord(reason.code), QString::fromStdString(reason.code.word()));
        if (!line->second.contains(law)) line->second << law;
    }
    QStringList texts;
    for (const auto &[format, laws] : lines) texts << format.arg(laws.join(comma()));
    return texts;
}

}  // namespace

InspectorPane::InspectorPane(JobFeed &feed, QWidget *parent)
    : Pane(parent), m_feed(feed), m_snapshot(feed.snapshot()), m_sentence(new Label), m_place(new Label),
      m_path(new Label({}, Font::mono, Role::text2)), m_map(new FileMap), m_model(new TensorsModel(this)),
      m_table(new Table(tr("Records"))), m_find(new QLineEdit), m_deeper(new QPushButton(tr("Check every byte"))),
      m_log(new QPushButton(tr("Show its log"))), m_copy(new QPushButton(tr("Copy path")))
{
    body()->addWidget(m_sentence->wrapped());
    m_age = addSection(tr("Evidence"));
    makeEvidence();
    m_certainty = addSection(tr("Set and rank"));
    body()->addWidget(m_place->wrapped()->selectable());
    m_mapNote = addSection(tr("File map"));
    body()->addWidget(m_map);
    makeFile();
    body()->addWidget(m_path->wrapped()->selectable());
    foot()->addWidget(m_deeper);
    foot()->addWidget(m_log);
    foot()->addWidget(m_copy);
    foot()->addStretch(1);
    showFoot(true);
    connect(m_deeper, &QPushButton::clicked, this, &InspectorPane::checkEveryByte);
    connect(m_log, &QPushButton::clicked, this, [this] { Q_EMIT logWanted(m_rank); });
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_path->text()); });
}

int InspectorPane::preferredWidth(int windowWidth) const { return windowWidth >= 1600 ? 680 : 576; }

void InspectorPane::makeEvidence()
{
    auto *card = new Card;
    auto *grid = new QGridLayout(card);
    grid->setContentsMargins(10, 8, 10, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnMinimumWidth(1, 108);
    grid->setColumnStretch(2, 1);
    const QString names[] = {tr("L0  Listing"), tr("L1  Structure"), tr("L2  Cross-ref."), tr("L3  Meaning"),
                             tr("L4  Every byte")};
    for (int i = 0; i < 5; ++i) {
        Line line{new GlyphLabel(Glyph::queued, 12), new Label(names[i], Font::bold), new Label,
                  new Label({}, Font::small, Role::text2)};
        grid->addWidget(line.sign, i, 0, Qt::AlignTop);
        grid->addWidget(line.name, i, 1, Qt::AlignTop);
        grid->addWidget(line.text->wrapped(), i, 2);
        grid->addWidget(line.bytes->rightAligned(), i, 3, Qt::AlignTop);
        m_lines.push_back(line);
    }
    body()->addWidget(card);
}

void InspectorPane::makeFile()
{
    m_count = addSection(tr("Records"));
    m_find->setPlaceholderText(tr("Find (Ctrl+F)"));
    m_find->setAccessibleName(tr("Find a record"));
    m_find->setClearButtonEnabled(true);
    body()->addWidget(m_find);
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::Box);
    m_table->setFrameShadow(QFrame::Plain);
    m_table->setWidths({44, -1, 110, 76, 96, 104});
    m_table->setMinimumHeight(120);
    body()->addWidget(m_table, 1);
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString &wanted) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            m_table->setRowHidden(
                row,
                !wanted.isEmpty() &&
                    !m_model->index(row, TensorsModel::name).data().toString().contains(wanted, Qt::CaseInsensitive));
    });
}

void InspectorPane::find()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

const MemberVerdict *InspectorPane::member(const CheckpointSet *&set) const
{
    set = m_snapshot->view.checkpoints.find(m_set.toStdString());
    if (set == nullptr) return nullptr;
    const auto found = std::find_if(set->members.begin(), set->members.end(),
                                    [this](const MemberVerdict &one) { return one.rank == m_rank; });
    return found != set->members.end() ? &*found : nullptr;
}

void InspectorPane::inspect(const QString &setId, int rank)
{
    const int generation = ++m_generation;
    if (setId != m_set) m_checkOutcome.clear();
    m_set = setId;
    m_rank = rank;
    m_evidence.reset();
    m_places.clear();
    m_readAt.reset();
    m_problem.clear();
    m_model->setEvidence({});
    refresh(wallNow());
    m_feed.inspect(setId, rank, [this, generation, alive = QPointer<InspectorPane>(this)](Result<Inspection> found) {
        if (!alive || generation != m_generation) return;
        if (found) {
            m_evidence = found->evidence;
            m_places = found->places;
            m_readAt = wallNow();
            m_model->setEvidence(*m_evidence);
        } else {
            m_problem = fromCore(found.error().message);
        }
        refresh(wallNow());
    });
}

void InspectorPane::refresh(WallTime now)
{
    m_snapshot = m_feed.snapshot();
    showMember();
    showEvidence();
    m_age->setText(
        m_readAt ? tr("read %1; not read again until size or mtime changes").arg(ago(secondsSince(*m_readAt, now)))
                 : QString());
}

void InspectorPane::showMember()
{
    const CheckpointSet *set = nullptr;
    const MemberVerdict *one = member(set);
    if (set == nullptr || one == nullptr) {
        setTitle(Glyph::unknown, tr("Nothing here"));
        m_sentence->setText(tr("This set is not listed any more."));
        return;
    }
    const CheckpointSet *newest = m_snapshot->view.checkpoints.newestValid();
    setTitle(memberGlyph(*one, newest == set),
             tr("Rank %1, step %2: %3").arg(number(m_rank), setWords(*set), memberWord(*one)));
    const auto reason = std::find_if(set->reasons.begin(), set->reasons.end(), [&](const Reason &r) {
        return r.rank == m_rank && r.verdict == set->verdict && r.verdict != Verdict::valid;
    });
    const QString verdict = verdictWord(set->verdict);
    if (reason != set->reasons.end())
        m_sentence->setBoldAndText(tr("The set %1 is %2 because of this file.").arg(setWords(*set), verdict),
                                   fromCore(reason->text));
    else
        m_sentence->setBoldAndText(tr("The set %1 is %2.").arg(setWords(*set), verdict), whyOf(*set));
    showPlace(*set);
    m_path->setText(one->path.empty() ? QString() : fromNode(one->node) + QLatin1Char(':') + fromNode(one->path));
    m_copy->setEnabled(!one->path.empty());
    std::uint64_t peers = 0;
    for (const MemberVerdict &other : set->members) {
        if (other.state == MemberState::ok) peers = std::max(peers, other.bytes);
    }
    Evidence shown = m_evidence.value_or(Evidence{});
    if (!m_evidence) shown.stat.size = one->bytes;
    m_map->setFile(tr("rank %1").arg(m_rank), shown, peers);
    m_mapNote->setText(peers > 0 ? tr("%1 B in the largest complete one").arg(number(static_cast<std::int64_t>(peers)))
                                 : QString());
}

// Why the file belongs to this set and rank, and what the laws say about it or its set.
void InspectorPane::showPlace(const CheckpointSet &set)
{
    QStringList lines;
    m_certainty->setText(m_places.empty() ? QString() : certaintyWord(m_places.front().certainty));
    if (!m_places.empty()) {
        const PlacedPart &first = m_places.front();
        const QString slot =
            m_places.size() == 1 ? fromNode(first.slot) : tr("%n file(s)", nullptr, static_cast<int>(m_places.size()));
        const QString rank = first.rank < 0 ? tr("all ranks") : tr("rank %1").arg(first.rank);
        QStringList evidence;
        for (const Message &clause : first.evidence) evidence << fromCore(clause);
        lines << tr("Set %1, %2, %3: %4.").arg(setWords(set), rank, slot, evidence.join(QStringLiteral("; ")));
    }
    lines << lawLines(set, m_rank);
    m_place->setText(lines.join(QLatin1Char('\n')));
}

void InspectorPane::setLine(EvidenceLevel level, Glyph sign, const QString &text, const QString &bytes)
{
    Line &line = m_lines[static_cast<std::size_t>(level)];
    line.sign->setGlyph(sign);
    line.text->setText(text);
    line.text->setTone(sign == Glyph::queued ? Role::text2 : Role::text);
    line.bytes->setText(bytes);
}

void InspectorPane::showEvidence()
{
    using L = EvidenceLevel;
    const CheckpointSet *set = nullptr;
    const MemberVerdict *one = member(set);
    for (const L level : {L::L0, L::L1, L::L2, L::L3}) setLine(level, Glyph::queued, tr("not reached"));
    setLine(L::L4, Glyph::queued, tr("not asked"));
    showDeeper();
    m_count->setText(m_evidence ? tr("%n record(s)", nullptr, m_model->rowCount()) : QString());
    if (one == nullptr) return;
    if (one->path.empty()) return setLine(L::L0, Glyph::missing, tr("no file is listed"));
    setLine(L::L0, Glyph::check, tr("%1 B").arg(number(static_cast<std::int64_t>(one->bytes))));
    if (!m_evidence) {
        setLine(L::L1, m_problem.isEmpty() ? Glyph::saving : Glyph::unreadable,
                m_problem.isEmpty() ? tr("being read") : m_problem);
        return;
    }
    const Evidence &e = *m_evidence;
    const bool broken = e.complete.isNo();
    const QString problem = e.problems.empty() ? QString() : fromCore(e.problems.front().text);
    if (e.level >= L::L1 || broken || !problem.isEmpty())
        setLine(L::L1, broken ? Glyph::torn : (e.complete.isYes() ? Glyph::check : Glyph::unread),
                !problem.isEmpty() ? problem : tr("%n complete record(s)", nullptr, static_cast<int>(e.tensors.size())),
                byteWords(e.bytesRead));
    if (broken) return;
    if (e.level >= L::L2)
        setLine(L::L2, one->state == MemberState::mismatch ? Glyph::mismatch : Glyph::check,
                one->note.empty() ? tr("agrees with the other ranks") : fromCore(one->note));
    if (e.level >= L::L3) {
        setLine(L::L3, one->state == MemberState::mismatch ? Glyph::mismatch : Glyph::check, numbersOf(e, *set));
    }
    if (e.level >= L::L4)
        setLine(L::L4, e.crc == Evidence::Crc::bad ? Glyph::torn : Glyph::check,
                e.crc == Evidence::Crc::absent ? tr("read; has no checksum") : tr("checksum read"));
    showDeeper();
}

// The position in the training that the file itself contains, and whether the other files of the set agree.
QString InspectorPane::numbersOf(const Evidence &evidence, const CheckpointSet &set) const
{
    QStringList says;
    for (const char *key : {"epoch_num", "step_num", "epoch", "iteration", "global_step", "loss_scale", "scale_sense",
                            "optimizer_step"}) {
        const auto value = evidence.meta.find(key);
        if (value == evidence.meta.end()) continue;
        const auto whole = evidence.number(key);
        says << QStringLiteral("%1 %2").arg(QLatin1String(key), whole ? number(*whole) : fromNode(value->second));
    }
    for (const auto &[key, value] : evidence.meta)  // values that the training script added
        if (key.starts_with("info.") && says.size() < 12)
            says << QStringLiteral("%1 %2").arg(fromNode(key.substr(5)), fromNode(value));
    const QString own = says.isEmpty() ? tr("does not show its step") : says.join(comma());
    int same = 0, other = 0;
    for (const MemberVerdict &sibling : set.members) {
        if (sibling.rank == m_rank || sibling.level < EvidenceLevel::L3) continue;
        ++(sibling.state == MemberState::mismatch ? other : same);
    }
    const bool differs = std::any_of(set.reasons.begin(), set.reasons.end(), [this](const Reason &reason) {
        return reason.rank == m_rank && (reason.code == "step_mismatch" || reason.code == "epoch_mismatch");
    });
    if (differs) return own + QStringLiteral("; ") + tr("differs from the other ranks");
    if (same == 0) return own;
    QString text = own + QStringLiteral("; ") + tr("the same as %n other rank(s)", nullptr, same);
    if (other > 0) text += comma() + tr("%n differ(s)", nullptr, other);
    return text;
}

void InspectorPane::showDeeper()
{
    const CheckpointSet *set = nullptr;
    const MemberVerdict *one = member(set);
    const bool running = !m_checking.isEmpty();
    m_deeper->setText(running ? tr("Cancel the check") : tr("Check every byte"));
    m_deeper->setEnabled(running || (one != nullptr && !one->path.empty()));
    if (running && m_checking == m_set)
        setLine(EvidenceLevel::L4, Glyph::saving,
                tr("being read on the nodes, %1 %").arg(static_cast<int>(m_checkedShare * 100)));
    else if (!m_checkOutcome.isEmpty() && (!m_evidence || m_evidence->level < EvidenceLevel::L4))
        setLine(EvidenceLevel::L4, Glyph::queued, m_checkOutcome);
}

void InspectorPane::checkEveryByte()
{
    if (!m_checking.isEmpty()) return m_feed.cancelDeeper();
    m_checking = m_set;
    m_checkedShare = 0;
    m_checkOutcome.clear();
    m_feed.checkDeeper(
        m_set,
        [this, alive = QPointer<InspectorPane>(this)](double share) {
            if (!alive) return;
            m_checkedShare = share;
            showEvidence();
        },
        [this, alive = QPointer<InspectorPane>(this)](bool whole) {
            if (!alive) return;
            const bool shown = std::exchange(m_checking, {}) == m_set;
            if (!shown) return showEvidence();
            m_checkOutcome = whole ? tr("could not be read") : tr("cancelled");
            inspect(m_set, m_rank);
        });
    showEvidence();
}

}  // namespace rankdeck::ui
