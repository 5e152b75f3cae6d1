// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/pickle.h"

#include "core/checkpoint/codec/pickle_machine.h"

namespace rankdeck {

Result<Pickle> Pickle::parse(std::string_view bytes) { return PickleMachine(bytes).run(); }

const Pickle::Node *Pickle::find(const Node &node, std::string_view key) const
{
    if (node.kind != Kind::dict && node.kind != Kind::call) return nullptr;
    const std::size_t first = node.kind == Kind::dict ? 0 : 2;
    for (std::size_t i = first; i + 1 < node.items.size(); i += 2) {
        const Node &name = at(node.items[i]);
        if (name.kind == Kind::text && name.text == key) return &at(node.items[i + 1]);
    }
    // Follows only one step into the state: an object whose state is the object itself must not cause a loop.
    if (!node.state) return nullptr;
    const Node &state = at(*node.state);
    if (state.kind != Kind::dict) return nullptr;
    for (std::size_t i = 0; i + 1 < state.items.size(); i += 2) {
        const Node &name = at(state.items[i]);
        if (name.kind == Kind::text && name.text == key) return &at(state.items[i + 1]);
    }
    return nullptr;
}

std::optional<std::int64_t> Pickle::integer(const Node &node, std::string_view key) const
{
    const Node *value = find(node, key);
    if (!value || value->kind != Kind::integer) return std::nullopt;
    return value->integer;
}

std::string_view Pickle::callee(const Node &node) const
{
    if (node.kind != Kind::call || node.items.empty()) return {};
    const Node &function = at(node.items.front());
    return function.kind == Kind::global ? std::string_view(function.text) : std::string_view();
}

}  // namespace rankdeck
