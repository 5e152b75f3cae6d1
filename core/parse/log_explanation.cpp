// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/log_explanation.h"

#include "core/base/text.h"
#include "core/parse/fields/pieces.h"
#include "core/parse/lines/line_prefix.h"

#include <algorithm>
#include <utility>

namespace rankdeck {

namespace {

constexpr std::size_t mostKinds = 2000, shownKinds = 20, longestSample = 500;

// The line with its numbers replaced; it is the same text for all lines of one kind.
std::string shapeOf(const LineFields &line, std::string_view piece)
{
    std::string shape;
    std::size_t from = 0;
    for (const Field &field : line.fields) {
        if (field.begin < from || field.end > piece.size()) continue;
        shape += piece.substr(from, field.begin - from);
        shape += '#';
        from = field.end;
    }
    shape += piece.substr(from);
    std::string masked;
    for (const char c : shape) {
        const bool digit = c >= '0' && c <= '9';
        if (digit && !masked.empty() && masked.back() == '#') continue;
        if (c == ' ' && !masked.empty() && masked.back() == ' ') continue;
        masked += digit ? '#' : c;
    }
    return masked.substr(0, longestSample);
}

std::vector<LineKind> mostFrequent(std::map<std::string, LineKind> &kinds)
{
    std::vector<LineKind> list;
    for (auto &[shape, kind] : kinds) list.push_back(std::move(kind));
    std::stable_sort(list.begin(), list.end(), [](const LineKind &a, const LineKind &b) { return a.count > b.count; });
    return list;
}

bool hidesLoss(const LineKind &kind)
{
    return std::any_of(kind.fields.begin(), kind.fields.end(),
                       [](const ExplainedField &field) { return field.role == FieldRole::loss; });
}

}  // namespace

bool LogExplanation::mayHideLoss() const { return std::any_of(unknown.begin(), unknown.end(), hidesLoss); }

Result<LogExplainer> LogExplainer::make(const LogSpec &spec)
{
    Result<std::unique_ptr<LogParser>> parser = LogParser::make(spec, LogRole::worker, true);
    if (!parser) return parser.error();
    return LogExplainer(std::move(parser).value(), spec);
}

LogExplainer::LogExplainer(std::unique_ptr<LogParser> parser, const LogSpec &spec)
    : m_parser(std::move(parser)), m_reader(spec.fields)
{}

void LogExplainer::line(std::string_view bytes)
{
    Parsed parsed;
    m_parser->line(bytes, m_offset, parsed);
    m_offset += bytes.size() + 1;
    ++m_explanation.lines;
    for (const Sample &sample : parsed.samples) {
        m_explanation.hasLoss = m_explanation.hasLoss || sample.hasLoss;
        m_explanation.hasStep = m_explanation.hasStep || sample.step || sample.globalStep;
    }
    const std::string plain = withoutColours(bytes);
    std::string_view piece = plain, shown;
    bool counters = false;
    Pieces pieces(plain);
    while (const std::optional<std::string_view> next = pieces.next()) {
        piece = withoutGlog(withoutPrefix(*next));
        std::vector<Sample> samples;
        const Match match = m_reader.read(piece, samples);
        if (match == Match::yes) shown = piece;
        counters = counters || (match == Match::no && (m_reader.hasCounter() || m_reader.hasMeasure()));
    }
    const bool gave = !parsed.samples.empty();
    const bool blank = plain.find_first_not_of(" \t\r") == std::string::npos;
    const bool event = !parsed.events.empty() || m_parser->inEvent();
    if (gave || event || blank || counters) ++m_explanation.matched;
    if (gave || counters)
        keep(m_kinds, gave && !shown.empty() ? shown : piece, true);
    else if (!event && !blank)
        keep(m_unknown, piece, true);
}

void LogExplainer::part(std::string_view bytes, std::uint64_t offset)
{
    bool torn = offset > 0;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view one = bytes.substr(0, end);
        if (!std::exchange(torn, false)) line(one.ends_with('\r') ? one.substr(0, end - 1) : one);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
}

void LogExplainer::keep(std::map<std::string, LineKind> &kinds, std::string_view piece, bool withFields)
{
    LineFields fields;
    const std::string text = printable(piece.substr(0, longestSample));
    readFields(text, fields);
    std::string shape = shapeOf(fields, text);
    if (kinds.size() >= mostKinds && kinds.find(shape) == kinds.end()) return;
    LineKind &kind = kinds[std::move(shape)];
    ++kind.count;
    kind.sample = text;
    kind.fields.clear();
    if (!withFields) return;
    const std::vector<FieldRole> roles = m_reader.rolesOf(text);
    for (std::size_t i = 0; i < m_reader.fields().fields.size() && i < roles.size(); ++i) {
        const Field &field = m_reader.fields().fields[i];
        kind.fields.push_back({std::string(field.label), roles[i], std::string(field.text), field.begin, field.end});
    }
}

LogExplanation LogExplainer::finish()
{
    m_explanation.kinds = mostFrequent(m_kinds);
    m_explanation.unknown = mostFrequent(m_unknown);
    std::stable_partition(m_explanation.unknown.begin(), m_explanation.unknown.end(), hidesLoss);
    for (std::vector<LineKind> *list : {&m_explanation.kinds, &m_explanation.unknown})
        if (list->size() > shownKinds) list->resize(shownKinds);
    return std::move(m_explanation);
}

}  // namespace rankdeck
