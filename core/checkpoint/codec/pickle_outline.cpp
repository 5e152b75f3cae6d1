// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/pickle_outline.h"

#include "core/checkpoint/codec/bytes.h"

#include <algorithm>
#include <cstdint>

namespace rankdeck {
namespace {

constexpr std::size_t frameBytes = 8;
constexpr unsigned char frameCode = 0x95, stopCode = 0x2e, globalCode = 0x63, stackGlobalCode = 0x93;

struct Op {
    unsigned char code = 0;
    std::string_view argument;  // without its own length
    bool isText = false;
    std::size_t next = 0;
};

// Length of an opcode's argument: either fixed, or given by a length field of this many bytes.
struct Form {
    std::size_t fixed = 0, counted = 0;
    bool isText = false;
};

Form formOf(unsigned char code)
{
    switch (code) {
    case 0x80:
    case 0x4b:
    case 0x71:
    case 0x68: return {1};
    case 0x4d: return {2};
    case 0x4a:
    case 0x72:
    case 0x6a: return {4};
    case 0x47:
    case frameCode: return {frameBytes};
    case 0x8a: return {0, 1};
    case 0x8b: return {0, 4};
    case 0x8c: return {0, 1, true};
    case 0x58: return {0, 4, true};
    case 0x8d: return {0, 8, true};
    case 0x55:
    case 0x43: return {0, 1};
    case 0x54:
    case 0x42: return {0, 4};
    case 0x8e: return {0, 8};
    default: return {};
    }
}

std::optional<Op> opAt(std::string_view in, std::size_t at)
{
    if (at >= in.size()) return std::nullopt;
    Op op;
    op.code = static_cast<unsigned char>(in[at++]);
    if (op.code == globalCode) {  // two lines
        std::size_t end = in.find('\n', at);
        end = end == std::string_view::npos ? end : in.find('\n', end + 1);
        if (end == std::string_view::npos) return std::nullopt;
        op.argument = in.substr(at, end - at);
        op.next = end + 1;
        return op;
    }
    const Form form = formOf(op.code);
    std::uint64_t length = form.fixed;
    if (form.counted > 0) {
        const auto told = littleEndian(in, at, form.counted);
        if (!told) return std::nullopt;
        length = *told;
        at += form.counted;
    }
    if (length > in.size() - at) return std::nullopt;
    op.argument = in.substr(at, std::size_t(length));
    op.isText = form.isText;
    op.next = at + std::size_t(length);
    return op;
}

}  // namespace

std::optional<PickleOutline> PickleOutline::of(std::string_view bytes, std::string_view from)
{
    PickleOutline out;
    bool found = false;
    std::size_t at = 0;
    for (;;) {
        const auto op = opAt(bytes, at);
        if (!op) return std::nullopt;
        const bool begins = op->isText && op->argument == from;
        found = found || begins;
        if (begins || op->code == globalCode || op->code == stackGlobalCode) out.m_end = op->next;
        if (op->code == frameCode) out.m_frames.push_back(op->next - frameBytes);
        if (op->code == stopCode) {
            if (!found) out.m_end = at;
            at = op->next;
            break;
        }
        at = op->next;
    }
    std::erase_if(out.m_frames, [&](std::size_t frame) { return frame >= out.m_end; });
    out.m_bytes = std::string(bytes.substr(0, at));
    return out;
}

std::optional<std::vector<std::string_view>> PickleOutline::textsOf(std::string_view other) const
{
    const std::string_view own = m_bytes;
    if (other.size() < m_end) return std::nullopt;
    std::size_t from = 0;
    const auto isAlikeUpTo = [&](std::size_t to) {
        return own.substr(from, to - from) == other.substr(from, to - from);
    };
    for (const std::size_t frame : m_frames) {
        if (!isAlikeUpTo(frame)) return std::nullopt;
        from = frame + frameBytes;
    }
    if (!isAlikeUpTo(m_end)) return std::nullopt;
    std::vector<std::string_view> texts;
    for (std::size_t mine = m_end, theirs = m_end;;) {
        const auto one = opAt(own, mine), two = opAt(other, theirs);
        if (!one || !two || one->isText != two->isText) return std::nullopt;
        if (one->isText)  // of any length, which may be encoded in different ways
            texts.push_back(two->argument);
        else if (one->code != two->code || (one->code != frameCode && one->argument != two->argument))
            return std::nullopt;
        if (one->code == stopCode) return texts;
        mine = one->next;
        theirs = two->next;
    }
}

}  // namespace rankdeck
