// SPDX-License-Identifier: GPL-3.0-or-later
// Parser that reads a pickle as data: a symbolic interpreter that never imports and never calls. Constructed objects
// become opaque nodes with a name and arguments. Bounded: every length is checked against the remaining bytes, and
// opcodes, nodes and depth have limits. Supports protocols 2 to 5, as torch, DCP and related libraries write them.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class Pickle {
public:
    enum class Kind : std::uint8_t {
        none,
        boolean,
        integer,
        real,
        text,
        bytes,
        list,
        tuple,
        dict,
        set,
        global,
        call,
        persistent
    };
    using Ref = std::uint32_t;
    // Contents of a node. The .metadata of a checkpoint has a hundred thousand small nodes, so all contents share one
    // array.
    class Items {
    public:
        [[nodiscard]] const Ref *begin() const { return m_first; }
        [[nodiscard]] const Ref *end() const { return m_first + m_count; }
        [[nodiscard]] std::size_t size() const { return m_count; }
        [[nodiscard]] bool empty() const { return m_count == 0; }
        [[nodiscard]] Ref operator[](std::size_t i) const { return m_first[i]; }
        [[nodiscard]] Ref front() const { return *m_first; }
        [[nodiscard]] Ref back() const { return m_first[m_count - 1]; }

    private:
        friend class PickleMachine;
        Ref *m_first = nullptr;  // has capacity for the next power of two
        std::uint32_t m_count = 0;
    };
    struct Node {
        Kind kind = Kind::none;
        std::optional<Ref> state = {};  // state that BUILD set, for a call
        std::int64_t integer = 0;       // boolean, integer
        double real = 0;
        std::string_view text = {};  // text, bytes, global ("torch.FloatStorage")
        Items items = {};            // list, tuple, set. dict: key, value, key, value … call: function, arguments
    };

    // One pickle at the beginning of bytes. Error invalid: damaged, hostile or of an unknown kind; unsupported: larger
    // than the limit.
    static Result<Pickle> parse(std::string_view bytes);

    [[nodiscard]] const Node &root() const { return m_nodes[m_root]; }
    [[nodiscard]] const Node &at(Ref ref) const { return m_nodes[ref]; }
    [[nodiscard]] const std::vector<Node> &nodes() const { return m_nodes; }
    [[nodiscard]] std::size_t size() const { return m_size; }  // bytes up to and with STOP
    // Value of a text key of a dict. Also works for a call that was filled like a dict (OrderedDict) or has a dict as
    // its state.
    [[nodiscard]] const Node *find(const Node &node, std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> integer(const Node &node, std::string_view key) const;
    // Name of the function or class that a call node calls.
    [[nodiscard]] std::string_view callee(const Node &node) const;
    // Globals that would run commands if the file were unpickled.
    [[nodiscard]] const std::vector<std::string> &dangerous() const { return m_dangerous; }

private:
    friend class PickleMachine;
    // Texts and items of all nodes.
    std::unique_ptr<std::pmr::monotonic_buffer_resource> m_memory =
        std::make_unique<std::pmr::monotonic_buffer_resource>();
    std::vector<Node> m_nodes;
    Ref m_root = 0;
    std::size_t m_size = 0;
    std::vector<std::string> m_dangerous;
};

}  // namespace rankdeck
