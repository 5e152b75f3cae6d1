// SPDX-License-Identifier: GPL-3.0-or-later
// Handlers of the opcodes; the stack, the memo and their limits are in pickle_machine.cpp.
#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/codec/pickle_machine.h"

#include <bit>

namespace rankdeck {

bool PickleMachine::step(unsigned char op)
{
    switch (op) {
    case 0x80: return number(1).has_value();  // PROTO
    case 0x95: return number(8).has_value();  // FRAME
    case 0x2e:                                // STOP
        m_done = pop(m_out.m_root);
        return m_done;
    case 0x28: m_stack.push_back(mark); return m_stack.size() < maxStack;
    case 0x30: {  // POP
        if (m_stack.empty()) return false;
        m_stack.pop_back();
        return true;
    }
    case 0x31: return popMark();  // POP_MARK
    default: break;
    }
    if (scalar(op)) return true;
    if (!m_error.empty()) return false;
    if (memo(op)) return true;
    if (!m_error.empty()) return false;
    if (container(op)) return true;
    return m_error.empty() && construct(op);
}

bool PickleMachine::scalar(unsigned char op)
{
    using Kind = Pickle::Kind;
    const auto integer = [this](std::int64_t value, Kind kind = Kind::integer) {
        Pickle::Node node;
        node.kind = kind;
        node.integer = value;
        return push(node);
    };
    const auto sized = [this](std::size_t width, Kind kind) {
        const auto length = number(width);
        return length && text(*length, kind);
    };
    switch (op) {
    case 0x4e: return push({});  // NONE
    case 0x88: return integer(1, Kind::boolean);
    case 0x89: return integer(0, Kind::boolean);
    case 0x4b: {
        const auto v = number(1);
        return v && integer(std::int64_t(*v));
    }
    case 0x4d: {
        const auto v = number(2);
        return v && integer(std::int64_t(*v));
    }
    case 0x4a: {
        const auto v = number(4);
        return v && integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(*v)));
    }
    case 0x8a: {
        const auto v = number(1);
        return v && longInteger(*v);
    }
    case 0x8b: {
        const auto v = number(4);
        return v && longInteger(*v);
    }
    case 0x47: {  // BINFLOAT
        const auto raw = bigEndian(m_in, m_at, 8);
        if (!raw) return false;
        m_at += 8;
        Pickle::Node node;
        node.kind = Kind::real;
        node.real = std::bit_cast<double>(*raw);
        return push(node);
    }
    case 0x58: return sized(4, Kind::text);
    case 0x8c: return sized(1, Kind::text);
    case 0x8d: return sized(8, Kind::text);
    case 0x54: return sized(4, Kind::bytes);
    case 0x55: return sized(1, Kind::bytes);
    case 0x42: return sized(4, Kind::bytes);
    case 0x43: return sized(1, Kind::bytes);
    case 0x8e: return sized(8, Kind::bytes);
    default: return false;
    }
}

bool PickleMachine::memo(unsigned char op)
{
    switch (op) {
    case 0x71: {
        const auto slot = number(1);
        return slot && remember(*slot);
    }
    case 0x72: {
        const auto slot = number(4);
        return slot && remember(*slot);
    }
    case 0x94: return remember(m_memo.size());
    case 0x68: {
        const auto slot = number(1);
        return slot && recall(*slot);
    }
    case 0x6a: {
        const auto slot = number(4);
        return slot && recall(*slot);
    }
    default: return false;
    }
}

bool PickleMachine::container(unsigned char op)
{
    using Kind = Pickle::Kind;
    const auto empty = [this](Kind kind) {
        Pickle::Node node;
        node.kind = kind;
        return push(node);
    };
    Ref a = 0, b = 0;
    switch (op) {
    case 0x7d: return empty(Kind::dict);
    case 0x5d: return empty(Kind::list);
    case 0x29: return empty(Kind::tuple);
    case 0x8f: return empty(Kind::set);
    case 0x85: return popItems(1) && hold(Kind::tuple, m_popped);
    case 0x86: return popItems(2) && hold(Kind::tuple, m_popped);
    case 0x87: return popItems(3) && hold(Kind::tuple, m_popped);
    case 0x74: return popMark() && hold(Kind::tuple, m_popped);
    case 0x91: return popMark() && hold(Kind::set, m_popped);  // FROZENSET
    case 0x61: return pop(a) && addItems({a});
    case 0x73: return pop(b) && pop(a) && addItems({a, b});
    case 0x65:
    case 0x75:
    case 0x90: return popMark() && addItems(m_popped);
    default: return false;
    }
}

bool PickleMachine::construct(unsigned char op)
{
    Ref first = 0, second = 0, third = 0;
    using Kind = Pickle::Kind;
    switch (op) {
    case 0x63: {  // GLOBAL
        std::string_view module, name;
        return line(module) && line(name) && global(module, name);
    }
    case 0x93: {  // STACK_GLOBAL
        if (!pop(second) || !pop(first)) return false;
        return global(m_out.m_nodes[first].text, m_out.m_nodes[second].text);
    }
    case 0x52:                                                                         // REDUCE
    case 0x81: return pop(second) && pop(first) && hold(Kind::call, {first, second});  // NEWOBJ
    case 0x92: return pop(third) && pop(second) && pop(first) && hold(Kind::call, {first, second, third});
    case 0x62:  // BUILD
        if (!pop(first) || m_stack.empty() || m_stack.back() >= m_out.m_nodes.size()) return false;
        m_out.m_nodes[m_stack.back()].state = first;
        return true;
    case 0x51: return pop(first) && hold(Kind::persistent, {first});  // BINPERSID
    default:
        return fail(message("the pickle has opcode %1 at byte %2, which no checkpoint uses", op,
                            grouped(std::int64_t(m_at - 1))));
    }
}

}  // namespace rankdeck
