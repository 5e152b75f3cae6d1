// SPDX-License-Identifier: GPL-3.0-or-later
// The stack machine behind Pickle::parse. Private to checkpoint/.
#pragma once

#include "core/checkpoint/codec/pickle.h"

#include <initializer_list>
#include <span>

namespace rankdeck {

class PickleMachine {
public:
    explicit PickleMachine(std::string_view bytes) : m_in(bytes) {}
    Result<Pickle> run();

private:
    using Ref = Pickle::Ref;
    bool step(unsigned char op);  // false: m_error is set, or the end
    bool scalar(unsigned char op);
    bool container(unsigned char op);
    bool memo(unsigned char op);
    bool construct(unsigned char op);

    [[nodiscard]] bool fetchesMembersOnly() const;
    bool fail(Message why);
    bool tooLarge();
    std::optional<std::uint64_t> number(std::size_t width);
    bool text(std::uint64_t length, Pickle::Kind kind);
    bool longInteger(std::uint64_t length);
    bool line(std::string_view &out);
    bool push(const Pickle::Node &node);
    bool pop(Ref &out);
    bool popMark();  // into m_popped
    bool popItems(std::size_t count);
    bool addItems(std::span<const Ref> items);
    bool addItems(std::initializer_list<Ref> items) { return addItems(std::span(items.begin(), items.size())); }
    bool hold(Pickle::Kind kind, std::span<const Ref> items);
    bool hold(Pickle::Kind kind, std::initializer_list<Ref> items)
    {
        return hold(kind, std::span(items.begin(), items.size()));
    }
    bool global(std::string_view module, std::string_view name);
    void append(Pickle::Items &to, std::span<const Ref> items);
    std::string_view keep(std::initializer_list<std::string_view> parts);
    bool remember(std::uint64_t slot);
    bool recall(std::uint64_t slot);

    static constexpr std::size_t maxNodes = 3'000'000, maxStack = 2'000'000;
    static constexpr std::uint64_t maxLinks = 16'000'000, maxMemo = 3'000'000;
    static constexpr Ref mark = 0xffffffffu;
    static constexpr Ref unset = 0xfffffffeu;
    std::string_view m_in;
    std::size_t m_at = 0;
    Pickle m_out;
    std::vector<Ref> m_stack, m_memo, m_popped;
    std::uint64_t m_links = 0;  // items held by all nodes: a memo can multiply them
    Message m_error;
    bool m_done = false;
    bool m_tooLarge = false;
};

}  // namespace rankdeck
