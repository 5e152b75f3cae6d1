// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/worker_parser.h"

#include "core/base/text.h"
#include "core/parse/fields/pieces.h"
#include "core/parse/lines/failure_cause.h"
#include "core/parse/lines/line_prefix.h"
#include "core/parse/lines/scanner.h"
#include "core/parse/load_line.h"
#include "core/parse/path_witness.h"

#include <array>
#include <climits>
#include <cmath>
#include <cstring>
#include <fast_float/fast_float.h>

namespace rankdeck {

namespace {

constexpr std::size_t longestSearched = 64u << 10;  // only this much of a longer line is read

// Warnings that matter to an operator. The many other warnings of a healthy start, as real runs have them, are not
// events.
constexpr std::array<std::string_view, 5> telling{
    "are not loaded",                      // load_param_into_net: only a part of the parameters was loaded
    "Parse json file failed",              // OnRequestExit cannot read its config
    "Callback on exception is called.",    // a rank has lost its peers …
    "Kill this process with SIGTERM.",     // … and gives up
    "the loss on the last card is valid",  // pipeline parallel: other ranks' losses are not real
};

// A worker of MindSpore 2.7 names the scheduler at each connection attempt (tcp_comm.cc). If no process listens at the
// address, it logs after 4.5 s that it has not registered. If a process listens that is not a scheduler, it logs that
// after 16.5 s (compute_graph_node.cc). The third message is logged when all ranks have met (cluster_context.cc).
constexpr std::string_view destination = ", destination: ",
                           notReached = "Failed to register and try to reconnect to the meta server.",
                           haveMet = "Cluster is successfully initialized.";
constexpr std::size_t longestAddress = 300;

struct LossLine {
    std::int64_t epoch = 0, step = 0;
    double loss = 0;
};

// Parses the most frequent kind of line, "epoch: 1 step: 2, loss is 2.3", up to its end. All other lines take the slow
// path.
bool plainLossLine(std::string_view line, LossLine &found)
{
    const char *at = line.data();
    const char *const end = at + line.size();
    const auto take = [&at, end](const auto &text) {  // text is an array, so its length is a constant
        constexpr std::ptrdiff_t length = sizeof text - 1;
        if (end - at < length || std::memcmp(at, text, length) != 0) return false;
        at += length;
        return true;
    };
    const auto number = [&at, end](std::int64_t &value) {
        const char *const begin = at;
        while (at != end && at - begin < 12 && static_cast<unsigned char>(*at - '0') < 10)
            value = value * 10 + (*at++ - '0');
        return at != begin;
    };
    const auto finite = [&at, end](double &value) {
        const fast_float::from_chars_result read = fast_float::from_chars(at, end, value);
        at = read.ptr;
        return read.ec == std::errc{} && std::isfinite(value);
    };
    return take("epoch: ") && number(found.epoch) && take(" step: ") && number(found.step) && take(", loss i") &&
           take("s ") && finite(found.loss) && at == end;
}

}  // namespace

WorkerParser::WorkerParser(const std::map<std::string, std::string> &fields,
                           std::shared_ptr<const CustomPatterns> patterns)
    : m_patterns(std::move(patterns)), m_hasSamplePattern(m_patterns->sample.has_value()), m_reader(fields)
{
    m_plain.epoch = m_plain.step = 0;
}

void WorkerParser::line(std::string_view bytes, std::uint64_t offset, Parsed &into)
{
    if (offset != 0 && !m_hasSamplePattern && !m_block.open()) {
        LossLine found;
        if (plainLossLine(bytes, found)) {
            into.samples.push_back(m_plain);
            Sample &sample = into.samples.back();
            sample.loss = found.loss;
            *sample.epoch = found.epoch;
            *sample.step = found.step;
            sample.offset = offset;
            return;
        }
    }
    slowLine(bytes, offset, into);
}

void WorkerParser::slowLine(std::string_view bytes, std::uint64_t offset, Parsed &into)
{
    Line line{bytes, offset, offset + bytes.size()};
    if (offset == 0) add(into, line, EventKind::started, bytes);
    std::string plain;
    if (contains(bytes, "\x1b")) line.text = plain = withoutColours(bytes);
    line.text = withoutPrefix(line.text);
    if (!Pieces::divides(line.text)) {
        piece(line, into);
        return;
    }
    Pieces pieces(line.text);
    while (const std::optional<std::string_view> next = pieces.next())
        piece({withoutPrefix(*next), line.offset, line.end}, into);
}

void WorkerParser::piece(const Line &line, Parsed &into)
{
    if (m_block.inFrames()) {
        if (!header(line, into) && !m_block.take(line.text, line.end)) closeBlock(into);
        return;
    }
    if (recognise(line, into)) return;
    if (m_block.open()) {
        if (m_block.take(line.text, line.end)) return;
        closeBlock(into);
        // A line that does not belong to the block may begin another one.
        if (!line.text.empty() && otherEvent({line.text.substr(0, longestSearched), line.offset, line.end}, into))
            return;
    }
    if (EventBlock::startsTraceback(line.text)) m_block.beginTraceback(line.text, line.offset, line.end);
}

bool WorkerParser::recognise(const Line &line, Parsed &into)
{
    if (line.text.empty()) return false;
    if (header(line, into) || monitor(line, into) || loss(line, into)) return true;
    Line searched = line;
    searched.text = line.text.substr(0, longestSearched);
    return resume(searched, into) || otherEvent(searched, into);
}

bool WorkerParser::header(const Line &line, Parsed &into)
{
    if (line.text.empty() || line.text.front() != '[') return false;
    const std::optional<HeaderLine> header = parseHeader(line.text.substr(0, longestSearched));
    if (!header) return false;
    m_pid = header->pid;
    headerMessage(line, *header, into);
    return true;
}

void WorkerParser::headerMessage(const Line &line, const HeaderLine &header, Parsed &into)
{
    const std::string_view message = header.message;
    const bool severe = header.level >= LogLevel::error;
    // A thread may log while another prints its traceback: the traceback continues afterwards.
    if (!m_block.inFrames()) closeBlock(into);
    const std::optional<EventKind> kind = faultToleranceKind(message);
    if (severe) {
        if (!m_block.open()) {
            m_block.beginError(message, line.offset, line.end, kind.value_or(EventKind::error), m_pid);
        } else {
            add(into, line, kind.value_or(EventKind::error), message);
        }
    } else if (message.starts_with("Graceful exit is triggered")) {
        add(into, line, EventKind::gracefulExit, message);
    } else if (kind) {
        add(into, line, *kind, message);
    } else if (const std::size_t at = message.find(destination); at != std::string_view::npos) {
        m_destination = printable(message.substr(at + destination.size(), longestAddress));
    } else if (contains(message, notReached) && !m_destination.empty()) {
        add(into, line, EventKind::waits, message);
        into.events.back().path = m_destination;
        into.events.back().written = secondsOfHeader(header.time);
    } else if (contains(message, haveMet)) {
        add(into, line, EventKind::waits, message);
        into.events.back().written = secondsOfHeader(header.time);
    } else {
        for (std::size_t i = 0; i < telling.size(); ++i)
            if (!m_warned[i] && contains(message, telling[i])) {
                m_warned[i] = i == 1;
                add(into, line, EventKind::warning, message);
                break;
            }
        const Line inner{message, line.offset, line.end};
        if (!(contains(message, "oss") && loss(inner, into)) && !m_block.open()) resume(inner, into);
    }
}

bool WorkerParser::monitor(const Line &line, Parsed &into)
{
    if (m_hasSamplePattern) return false;
    if (line.text.starts_with("epoch: ")) {
        Sample &sample = into.samples.emplace_back();
        const Match match = parseLossMonitor(line.text, sample);
        sample.stepsPerEpoch = m_plain.stepsPerEpoch;
        sample.offset = line.offset;
        if (match != Match::yes) into.samples.pop_back();
        if (match == Match::broken) ++m_rejected;
        if (match != Match::no) closeBlock(into);
        return match != Match::no;
    }
    double stepMs = 0;
    std::int64_t steps = 0;
    if (parseTimeMonitor(line.text, stepMs, steps)) {
        closeBlock(into);
        add(into, line, EventKind::epochTime, line.text);
        into.events.back().stepMs = stepMs;
        into.events.back().stepsPerEpoch = steps;
        if (steps > 0 && steps <= INT32_MAX) m_plain.stepsPerEpoch = static_cast<std::int32_t>(steps);
        return true;
    }
    return false;
}

bool WorkerParser::loss(const Line &line, Parsed &into)
{
    if (m_hasSamplePattern) {
        Sample sample;
        const Match match = m_patterns->sample->sample(line.text, sample);
        if (match == Match::yes) into.samples.push_back(sample);
        return settle(match, line, into);
    }
    return settle(m_reader.read(line.text.substr(0, longestSearched), into.samples), line, into);
}

// The samples of this line are at the end of `into`. They are recognised by their missing offset.
bool WorkerParser::settle(Match match, const Line &line, Parsed &into)
{
    if (match == Match::broken) ++m_rejected;
    if (match != Match::yes) return match == Match::broken;
    for (std::size_t i = into.samples.size(); i > 0 && into.samples[i - 1].offset == 0; --i)
        into.samples[i - 1].offset = line.offset;
    closeBlock(into);
    return true;
}

bool WorkerParser::resume(const Line &line, Parsed &into)
{
    LogEvent event;
    if (m_patterns->resume) {
        const Match match = m_patterns->resume->resume(line.text, event);
        if (match == Match::broken) ++m_rejected;
        if (match != Match::yes) {
            std::optional<LogEvent> other = ResumeLines::nothing(line.text);
            if (!other) other = namedPath(line.text, m_expected);
            if (!other) return false;
            event = std::move(*other);
            if (event.byPath) m_expected.clear();
        }
    } else {
        std::optional<LogEvent> found = m_resumeLines.parse(line.text);
        if (!found) found = namedPath(line.text, m_expected);
        if (!found && !m_resumeLines.remembers()) found = loadedByAnyTrainer(line.text);
        if (!found) return false;
        if (found->byPath) m_expected.clear();
        event = std::move(*found);
    }
    closeBlock(into);
    event.text = printable(line.text.substr(0, eventText));
    event.offset = line.offset;
    event.length = line.end - line.offset;
    into.events.push_back(std::move(event));
    return true;
}

// Errors of loggers with other prefixes, and MindIO's fault-tolerance lines without MindSpore's header.
bool WorkerParser::otherEvent(const Line &line, Parsed &into)
{
    const std::string_view text = line.text;
    const char first = text.front();
    if (first == ' ' || first == '\t' || m_block.open()) return false;
    const bool dated = first == '[' || (first >= '0' && first <= '9');
    const bool severe = text.starts_with("[ERROR]") || text.starts_with("[CRITICAL]") || text.starts_with("ERROR:") ||
                        text.starts_with("CRITICAL:") ||
                        (dated && (contains(text, " - ERROR - ") || contains(text, " - CRITICAL - ") ||
                                   contains(text, "] [ERROR] ") || contains(text, "] [CRITICAL] "))) ||
                        reportsAnEnd(text);
    const std::optional<EventKind> kind = faultToleranceKind(text);
    if (severe) {
        m_block.beginError(withoutGlog(text), line.offset, line.end, kind.value_or(EventKind::error), std::nullopt);
        return true;
    }
    if (!kind) return false;
    add(into, line, *kind, text);
    return true;
}

void WorkerParser::finish(Parsed &into) { closeBlock(into); }

void WorkerParser::closeBlock(Parsed &into)
{
    if (!m_block.open()) return;
    into.events.push_back(m_block.close());
    into.events.back().pid = m_pid;
}

void WorkerParser::add(Parsed &into, const Line &line, EventKind kind, std::string_view text)
{
    LogEvent &event = into.events.emplace_back();
    event.kind = kind;
    event.text = printable(text.substr(0, eventText));
    if (kind == EventKind::repaired) event.text = "repaired in place, 0 steps lost: " + event.text;
    event.offset = line.offset;
    event.length = line.end - line.offset;
    if (kind == EventKind::ttp) event.replicaGroups = replicaGroupsIn(text);
    if (m_pid) event.pid = m_pid;
}

}  // namespace rankdeck
