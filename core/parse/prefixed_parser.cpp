// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/prefixed_parser.h"

namespace rankdeck {

namespace {

constexpr std::size_t mostOwners = 4096;  // all further owners share one parser

// Sets the owner of everything that was added after these counts.
void mark(Parsed &into, std::size_t samples, std::size_t events, const LineOwner &owner)
{
    for (std::size_t i = samples; i < into.samples.size(); ++i) into.samples[i].owner = owner;
    for (std::size_t i = events; i < into.events.size(); ++i) into.events[i].owner = owner;
}

}  // namespace

PrefixedParser::PrefixedParser(Maker make) : m_make(std::move(make)), m_plain(m_make()), m_last(m_plain.get()) {}

LogParser &PrefixedParser::parserOf(const LineOwner &owner)
{
    if (const auto known = m_owned.find(owner); known != m_owned.end()) return *known->second;
    if (m_owned.size() >= mostOwners) return *m_plain;
    LogParser &fresh = *m_owned.emplace(owner, m_make()).first->second;
    fresh.expectPaths(m_expected);
    return fresh;
}

void PrefixedParser::line(std::string_view bytes, std::uint64_t offset, Parsed &into)
{
    const char first = bytes.empty() ? '\0' : bytes.front();
    const bool mayHave = first == '[' || first == ' ' || first == '\x1b' || (first >= '0' && first <= '9');
    const LineOwner owner = mayHave ? ownerOf(bytes) : LineOwner();
    if (owner.isNone()) {
        m_last = m_plain.get();
        m_plain->line(bytes, offset, into);
        return;
    }
    const std::size_t samples = into.samples.size(), events = into.events.size();
    m_last = &parserOf(owner);
    m_last->line(bytes, offset, into);
    mark(into, samples, events, owner);
}

void PrefixedParser::finish(Parsed &into)
{
    m_plain->finish(into);
    for (auto &[owner, parser] : m_owned) {
        const std::size_t samples = into.samples.size(), events = into.events.size();
        parser->finish(into);
        mark(into, samples, events, owner);
    }
}

void PrefixedParser::expectPaths(std::vector<std::string> paths)
{
    m_expected = paths;
    for (auto &[owner, parser] : m_owned) parser->expectPaths(paths);
    m_plain->expectPaths(std::move(paths));
}

std::uint64_t PrefixedParser::rejected() const
{
    std::uint64_t sum = m_plain->rejected();
    for (const auto &[owner, parser] : m_owned) sum += parser->rejected();
    return sum;
}

}  // namespace rankdeck
