// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/pickle_machine.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"

#include <algorithm>
#include <bit>

namespace rankdeck {
namespace {

bool isDangerous(std::string_view name)
{
    static constexpr std::string_view modules[] = {
        "os.",     "posix.",  "nt.",  "subprocess.", "importlib.",  "runpy.",    "sys.",  "shutil.",
        "socket.", "ctypes.", "pty.", "torch.hub.",  "webbrowser.", "commands.", "code.", "timeit."};
    static constexpr std::string_view functions[] = {"eval",    "exec", "compile",  "__import__",
                                                     "getattr", "open", "execfile", "input"};
    for (const std::string_view module : modules)
        if (name.starts_with(module)) return true;
    for (const std::string_view builtin : {"builtins.", "__builtin__."})
        if (name.starts_with(builtin))
            return std::find(std::begin(functions), std::end(functions), name.substr(builtin.size())) !=
                   std::end(functions);
    return false;
}

// True for "ShardedTensor": only letters and digits, beginning with a capital, so neither a function nor a module.
bool isClassName(std::string_view name)
{
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' && std::all_of(name.begin(), name.end(), isPart);
}

// True for a member's name; false for a method of Python itself, such as "__reduce__".
bool isPlainName(std::string_view name)
{
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && name.front() != '_' && std::all_of(name.begin(), name.end(), isPart);
}

}  // namespace

Result<Pickle> PickleMachine::run()
{
    while (!m_done && m_error.empty()) {
        if (m_at >= m_in.size())
            return rankdeck::fail(ErrorKind::invalid,
                                  message("the pickle is truncated at byte %1", grouped(std::int64_t(m_at))));
        const std::size_t before = m_at;
        const auto op = static_cast<unsigned char>(m_in[m_at++]);
        if (!step(op) && m_error.empty() && !m_done)
            m_error = message("the pickle is damaged at byte %1", grouped(std::int64_t(before)));
    }
    if (!m_error.empty()) return rankdeck::fail(m_tooLarge ? ErrorKind::unsupported : ErrorKind::invalid, m_error);
    m_out.m_size = m_at;
    if (fetchesMembersOnly())
        std::erase_if(m_out.m_dangerous, [](const std::string &name) { return name.ends_with(".getattr"); });
    return std::move(m_out);
}

// getattr(Class, "name") fetches a member of an enum (Python 3.11.0 to 3.11.3) or a class within a class (protocol 2,
// as in FSDP's local state). Fetching is harmless; calling the fetched object is not, except for such classes of torch.
bool PickleMachine::fetchesMembersOnly() const
{
    const auto isGetter = [this](Ref ref) {
        const Pickle::Node &node = m_out.m_nodes[ref];
        return node.kind == Pickle::Kind::global &&
               (node.text == "__builtin__.getattr" || node.text == "builtins.getattr");
    };
    const auto isMember = [&](Ref ref) {
        const Pickle::Node &node = m_out.m_nodes[ref];
        return node.kind == Pickle::Kind::call && !node.items.empty() && isGetter(node.items[0]);
    };
    const auto fetches = [&](const Pickle::Node &call, bool classesOfTorch) {
        const Pickle::Node &arguments = m_out.m_nodes[call.items[1]];
        if (arguments.kind != Pickle::Kind::tuple || arguments.items.size() != 2) return false;
        const Pickle::Node &outer = m_out.m_nodes[arguments.items[0]], &inner = m_out.m_nodes[arguments.items[1]];
        const bool ofClass = outer.kind == Pickle::Kind::global && !isDangerous(outer.text) &&
                             isClassName(outer.text.substr(outer.text.rfind('.') + 1));
        if (classesOfTorch)
            return ofClass && outer.text.starts_with("torch.") && inner.kind == Pickle::Kind::text &&
                   isClassName(inner.text);
        return (ofClass || isMember(arguments.items[0])) && inner.kind == Pickle::Kind::text && isPlainName(inner.text);
    };
    for (std::size_t at = 0; at < m_out.m_nodes.size(); ++at) {
        const Pickle::Node &node = m_out.m_nodes[at];
        if (node.state && (isGetter(*node.state) || isMember(static_cast<Ref>(at)))) return false;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const bool called = node.kind == Pickle::Kind::call && i == 0;
            if (isGetter(node.items[i]) && (!called || node.items.size() != 2 || !fetches(node, false))) return false;
            if (called && isMember(node.items[i]) && !fetches(m_out.m_nodes[node.items[i]], true)) return false;
        }
    }
    return !m_out.m_nodes.empty() && !isGetter(m_out.m_root);
}

bool PickleMachine::fail(Message why)
{
    m_error = std::move(why);
    return false;
}

bool PickleMachine::tooLarge()
{
    m_tooLarge = true;
    return fail(message("the pickle contains too many values (limit %1)", grouped(std::int64_t(maxNodes))));
}

std::optional<std::uint64_t> PickleMachine::number(std::size_t width)
{
    const auto value = littleEndian(m_in, m_at, width);
    if (value) m_at += width;
    return value;
}

bool PickleMachine::text(std::uint64_t length, Pickle::Kind kind)
{
    if (length > m_in.size() - m_at)
        return fail(message("the pickle claims a string of %1 bytes, but only %2 bytes are left",
                            grouped(std::int64_t(std::min<std::uint64_t>(length, INT64_MAX))),
                            grouped(std::int64_t(m_in.size() - m_at))));
    Pickle::Node node;
    node.kind = kind;
    node.text = keep({m_in.substr(m_at, std::size_t(length))});
    m_at += std::size_t(length);
    return push(node);
}

bool PickleMachine::longInteger(std::uint64_t length)
{
    if (length > m_in.size() - m_at) return fail(message("a number extends beyond the end of the pickle"));
    Pickle::Node node;
    node.kind = Pickle::Kind::integer;
    if (length > 0 && length <= 8) {
        std::uint64_t raw = littleEndian(m_in, m_at, std::size_t(length)).value_or(0);
        const unsigned bits = static_cast<unsigned>(length) * 8;
        if (bits < 64 && (raw >> (bits - 1)) & 1) raw |= ~std::uint64_t(0) << bits;
        node.integer = static_cast<std::int64_t>(raw);
    } else if (length > 8) {
        node.kind = Pickle::Kind::bytes;  // larger than any step or size: kept as it is
        node.text = keep({m_in.substr(m_at, std::size_t(length))});
    }
    m_at += std::size_t(length);
    return push(node);
}

bool PickleMachine::line(std::string_view &out)
{
    const std::size_t end = m_in.substr(0, m_at + 1000).find('\n', m_at);
    if (end == std::string_view::npos) return fail(message("a name in the pickle has no end"));
    out = m_in.substr(m_at, end - m_at);
    m_at = end + 1;
    return true;
}

std::string_view PickleMachine::keep(std::initializer_list<std::string_view> parts)
{
    std::size_t bytes = 0;
    for (const std::string_view part : parts) bytes += part.size();
    if (bytes == 0) return {};
    char *const held = static_cast<char *>(m_out.m_memory->allocate(bytes, 1));
    char *to = held;
    for (const std::string_view part : parts) to = std::copy(part.begin(), part.end(), to);
    return {held, bytes};
}

bool PickleMachine::push(const Pickle::Node &node)
{
    if (m_out.m_nodes.size() >= maxNodes || m_stack.size() >= maxStack || m_links > maxLinks) return tooLarge();
    m_out.m_nodes.push_back(node);
    m_stack.push_back(static_cast<Ref>(m_out.m_nodes.size() - 1));
    return true;
}

bool PickleMachine::pop(Ref &out)
{
    if (m_stack.empty() || m_stack.back() == mark) return false;
    out = m_stack.back();
    m_stack.pop_back();
    return true;
}

bool PickleMachine::popMark()
{
    const auto at = std::find(m_stack.rbegin(), m_stack.rend(), mark);
    if (at == m_stack.rend()) return false;
    m_popped.assign(at.base(), m_stack.end());
    m_stack.erase(at.base() - 1, m_stack.end());
    return true;
}

bool PickleMachine::popItems(std::size_t count)
{
    if (m_stack.size() < count) return false;
    const auto first = m_stack.end() - std::ptrdiff_t(count);
    if (std::find(first, m_stack.end(), mark) != m_stack.end()) return false;
    m_popped.assign(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    return true;
}

// The capacity of a node's items is the next power of two, so many small additions copy each item only a few times.
void PickleMachine::append(Pickle::Items &to, std::span<const Ref> items)
{
    const std::size_t had = to.m_count, now = had + items.size();
    if (now > std::bit_ceil(had) || had == 0) {
        auto *const room = static_cast<Ref *>(m_out.m_memory->allocate(std::bit_ceil(now) * sizeof(Ref), alignof(Ref)));
        std::copy_n(to.m_first, had, room);
        to.m_first = room;
    }
    std::copy(items.begin(), items.end(), to.m_first + had);
    to.m_count = static_cast<std::uint32_t>(now);
}

bool PickleMachine::hold(Pickle::Kind kind, std::span<const Ref> items)
{
    m_links += items.size();
    if (m_links > maxLinks) return tooLarge();
    Pickle::Node node;
    node.kind = kind;
    if (!items.empty()) append(node.items, items);
    return push(node);
}

bool PickleMachine::addItems(std::span<const Ref> items)
{
    if (m_stack.empty() || m_stack.back() == mark) return false;
    m_links += items.size();
    if (m_links > maxLinks) return tooLarge();
    if (!items.empty()) append(m_out.m_nodes[m_stack.back()].items, items);
    return true;
}

bool PickleMachine::global(std::string_view module, std::string_view name)
{
    // Millions of names may refer to one long text: their length counts toward the limit, too.
    m_links += (module.size() + name.size()) / sizeof(Ref);
    if (m_links > maxLinks) return tooLarge();
    Pickle::Node node;
    node.kind = Pickle::Kind::global;
    node.text = keep({module, ".", name});
    if (isDangerous(node.text) && m_out.m_dangerous.size() < 20) m_out.m_dangerous.emplace_back(node.text);
    return push(node);
}

bool PickleMachine::remember(std::uint64_t slot)
{
    if (m_stack.empty() || m_stack.back() == mark || slot > maxMemo) return false;
    if (slot > m_memo.size() + 65536) return fail(message("the pickle uses a memo slot that no normal writer uses"));
    if (slot >= m_memo.size()) m_memo.resize(std::size_t(slot) + 1, unset);
    m_memo[std::size_t(slot)] = m_stack.back();
    return true;
}

bool PickleMachine::recall(std::uint64_t slot)
{
    if (slot >= m_memo.size() || m_memo[std::size_t(slot)] == unset || m_stack.size() >= maxStack) return false;
    m_stack.push_back(m_memo[std::size_t(slot)]);
    return true;
}

}  // namespace rankdeck
