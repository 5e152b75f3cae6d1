// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/format.h"

#include "core/base/said_units.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Words)
};

QLocale numbers()
{
    QLocale locale;
    // The C locale omits group separators by default, but steps are always grouped.
    locale.setNumberOptions(locale.numberOptions() & ~QLocale::OmitGroupSeparator);
    return locale;
}

QDateTime local(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count(),
        timesAreInUtc() ? Qt::UTC : Qt::LocalTime);
}

}  // namespace

QString fromNode(const std::string &bytes) { return QString::fromStdString(printableLines(bytes)); }

QString toolTipOf(const QString &plain)
{
    if (plain.isEmpty()) return {};
    return QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>").arg(plain.toHtmlEscaped());
}

QString asSentence(const Message &message) { return sentence(fromCore(message)); }

QString number(std::int64_t value) { return numbers().toString(static_cast<qlonglong>(value)); }

QString lossText(double loss)
{
    if (std::isnan(loss)) return QStringLiteral("NaN");
    if (std::isinf(loss)) return loss > 0 ? QStringLiteral("Inf") : QString::fromUtf8("\u2212Inf");
    const double size = std::abs(loss);
    if (size != 0 && (size >= 1e5 || size < 5e-4)) return numbers().toString(loss, 'e', 1);
    return numbers().toString(loss, 'f', size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

QString metricWord(Metric metric)
{
    switch (metric) {
    case Metric::learningRate: return Words::tr("Learning rate");
    case Metric::gradNorm: return Words::tr("Gradient norm");
    case Metric::lossScale: return Words::tr("Loss scale");
    case Metric::stepTime: return Words::tr("Step time");
    case Metric::throughput: return Words::tr("Throughput");
    }
    return {};
}

QString metricText(Metric metric, double value)
{
    const bool whole = std::abs(value) < 1e15 && value == std::round(value);
    switch (metric) {
    case Metric::learningRate: return numbers().toString(value, 'g', 3).toLower();
    case Metric::gradNorm: return lossText(value);
    case Metric::lossScale: return whole ? number(std::llround(value)) : numbers().toString(value, 'g', 4);
    case Metric::stepTime:
        return value < 0.0995 ? Words::tr("%1 ms").arg(numbers().toString(value * 1000, 'g', 3)) : durationWords(value);
    case Metric::throughput:
        return std::abs(value) >= 1000 && std::abs(value) < 1e15 ? number(std::llround(value))
                                                                 : numbers().toString(value, 'g', 4);
    }
    return {};
}

QString shortDuration(double seconds)
{
    seconds = std::max(0.0, seconds);
    if (seconds < 9.95) return Words::tr("%1 s").arg(numbers().toString(seconds, 'f', 1));
    if (seconds < 99.5) return Words::tr("%1 s").arg(std::lround(seconds));
    if (seconds < 5970) return Words::tr("%1 min").arg(std::lround(seconds / 60));
    if (seconds < 48 * 3600) return Words::tr("%1 h").arg(std::lround(seconds / 3600));
    return Words::tr("%1 d").arg(std::lround(std::min(seconds / 86400, 1e6)));
}

QString durationWords(double seconds)
{
    if (seconds < 59.5) return shortDuration(seconds);
    const auto whole = static_cast<qint64>(std::llround(std::min(seconds, 1e11)));
    const auto two = [](qint64 big, const char *bigUnit, qint64 rest, const char *restUnit) {
        return rest == 0 ? Words::tr(bigUnit).arg(big)
                         : Words::tr(bigUnit).arg(big) + QLatin1Char(' ') + Words::tr(restUnit).arg(rest);
    };
    if (whole < 3600) return two(whole / 60, "%1 min", whole % 60, "%1 s");
    if (whole < 86400) return two(whole / 3600, "%1 h", whole % 3600 / 60, "%1 min");
    return two(whole / 86400, "%1 d", whole % 86400 / 3600, "%1 h");
}

QString clockWords(WallTime time) { return local(time).toString(QStringLiteral("HH:mm:ss")); }

QString exactTime(WallTime time)
{
    const QDateTime at = local(time);
    return at.toOffsetFromUtc(at.offsetFromUtc()).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss t"));
}

QString ago(double seconds)
{
    return seconds < 0.05 ? Words::tr("now") : Words::tr("%1 ago").arg(durationWords(seconds));
}

QString byteWords(std::uint64_t bytes)
{
    const ShownSize size = shownSize(bytes);
    const int digits = !size.scaled || size.value >= 99.95 ? 0 : 1;
    return numbers().toString(size.value, 'f', digits) + QLatin1Char(' ') + QString::fromLatin1(size.unit);
}

QString deviceHours(double hours)
{
    if (hours * 3600 < 94.5)
        return Words::tr("%1 device-seconds").arg(number(std::llround(std::max(0.0, hours) * 3600)));
    if (hours < 0.95) return Words::tr("%1 device-minutes").arg(number(std::llround(hours * 60)));
    return Words::tr("%1 device-hours").arg(numbers().toString(hours, 'f', hours >= 99.95 ? 0 : 1));
}

QString rankRange(const std::vector<int> &ranks) { return QString::fromStdString(rankList(ranks)); }
QString nOf(int part, int whole) { return Words::tr("%1 of %2").arg(number(part), number(whole)); }

QString verdictWord(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return Words::tr("VALID");
    case Verdict::validUnproven: return Words::tr("VALID-UNPROVEN");
    case Verdict::inProgress: return Words::tr("IN-PROGRESS");
    case Verdict::incomplete: return Words::tr("INCOMPLETE");
    case Verdict::inconsistent: return Words::tr("INCONSISTENT");
    case Verdict::corrupt: return Words::tr("CORRUPT");
    case Verdict::unknown: break;
    }
    return Words::tr("UNKNOWN");
}

QString certaintyWord(PlacedPart::Certainty certainty)
{
    switch (certainty) {
    case PlacedPart::Certainty::stated: return Words::tr("stated");
    case PlacedPart::Certainty::inferred: return Words::tr("inferred");
    case PlacedPart::Certainty::ambiguous: break;
    }
    return Words::tr("ambiguous");
}

QString lawWord(ReasonCode code)
{
    switch (code.row().law) {
    case Law::stated: return Words::tr("Stated");
    case Law::whole: return Words::tr("Whole");
    case Law::equal: return Words::tr("Equal");
    case Law::lawful: return Words::tr("Lawful");
    case Law::unique: break;
    }
    return Words::tr("Unique");
}

QString memberWord(const MemberVerdict &member)
{
    switch (member.state) {
    case MemberState::ok: return Words::tr("ok");
    case MemberState::missing: return Words::tr("missing");
    case MemberState::inProgress: return Words::tr("being written");
    case MemberState::torn: return Words::tr("torn");
    case MemberState::mismatch: return Words::tr("mismatch");
    case MemberState::unreadable: return Words::tr("unreadable");
    case MemberState::replica: return Words::tr("served by a replica");
    case MemberState::unread: break;
    }
    if (member.note == notListedNote) return Words::tr("unknown: its node is not listed");
    return member.path.empty() ? Words::tr("not yet saved") : Words::tr("not read yet");
}

QString nodeWord(NodeState state)
{
    switch (state) {
    case NodeState::queued: return Words::tr("queued");
    case NodeState::connecting: return Words::tr("connecting");
    case NodeState::needsYou: return Words::tr("needs you");
    case NodeState::live: return Words::tr("live");
    case NodeState::stale: return Words::tr("stale");
    case NodeState::lost: return Words::tr("lost");
    case NodeState::refused: return Words::tr("refused");
    case NodeState::unsupported: break;
    }
    return Words::tr("unsupported");
}

QString kindWord(CheckpointKind kind)
{
    switch (kind) {
    case CheckpointKind::periodic: return Words::tr("periodic");
    case CheckpointKind::graceful: return Words::tr("graceful exit");
    case CheckpointKind::breakpoint: return Words::tr("breakpoint");
    case CheckpointKind::ttp: return Words::tr("TTP");
    case CheckpointKind::other: break;
    }
    return Words::tr("other");
}

QString keptWords(const KeptSet &set) { return set.position ? number(*set.position) : fromNode(set.id); }

QString setWords(const CheckpointSet &set)
{
    QString title;
    if (const auto at = set.position ? set.position : set.globalStep)
        title = number(*at);
    else if (set.epoch && set.step)
        title = Words::tr("epoch %1 step %2").arg(*set.epoch).arg(*set.step);
    else
        title = fromNode(set.id);
    if (set.kind == CheckpointKind::periodic || set.kind == CheckpointKind::other) return title;
    return title + QLatin1Char(' ') + kindWord(set.kind);
}

QString eventWord(const Event &event)
{
    switch (event.kind) {
    case EventKind::error: return Words::tr("Error");
    case EventKind::warning: return Words::tr("Warning");
    case EventKind::nan: return Words::tr("NaN or Inf");
    case EventKind::gracefulExit: return Words::tr("Graceful exit");
    case EventKind::resumed: return Words::tr("Loaded");
    case EventKind::uce: return Words::tr("UCE");
    case EventKind::hcce: return Words::tr("HCCE");
    case EventKind::ttp: return Words::tr("TTP");
    case EventKind::repaired: return Words::tr("Repaired in place");
    case EventKind::epochTime: return Words::tr("Epoch time");
    case EventKind::waits: return Words::tr("Waits for the scheduler");
    case EventKind::started: return Words::tr("Log begins");
    case EventKind::rankDied: return Words::tr("Rank died");
    case EventKind::saved: return Words::tr("Checkpoint saved");
    case EventKind::alarm: return Words::tr("Alarm");
    case EventKind::setJudged: return Words::tr("Set judged");
    case EventKind::nodeChanged: return Words::tr("Node changed");
    case EventKind::attemptStarted: return Words::tr("Attempt began");
    case EventKind::action: break;
    }
    return Words::tr("Action");
}

QString whyOf(const CheckpointSet &set)
{
    if (!set.reasons.empty()) return fromCore(set.reasons.front().text);
    const auto served = std::count_if(set.members.begin(), set.members.end(), [](const MemberVerdict &member) {
        return member.state == MemberState::ok || member.state == MemberState::replica;
    });
    return Words::tr("%1 complete").arg(nOf(static_cast<int>(served), static_cast<int>(set.members.size())));
}

std::int64_t positionOf(const CheckpointSet &set)
{
    if (set.position) return *set.position;
    return set.globalStep.value_or(-1);
}

bool knowsTime(WallTime time) { return time.time_since_epoch().count() > 0; }

double secondsSince(WallTime then, WallTime now)
{
    return knowsTime(then) ? std::max(0.0, secondsBetween(then, now)) : 0.0;
}

}  // namespace rankdeck::ui
