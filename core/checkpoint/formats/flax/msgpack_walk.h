// SPDX-License-Identifier: GPL-3.0-or-later
// Walker over the output of flax.serialization: one msgpack map, in which arrays are extension values of shape, type
// and bytes. It is fed with windows of the file and skips the bytes of the arrays. Pure. Depth and number of values are
// bounded, whatever the bytes claim. Impossible bytes are reported as a fault, too many values as too much.
#pragma once

#include "core/base/message.h"
#include "core/checkpoint/tensor_list.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class MsgpackWalk {
public:
    static constexpr std::size_t maxValues = 1'000'000, maxDepth = 64;

    explicit MsgpackWalk(std::uint64_t fileBytes) : m_size(fileBytes) {}
    // Continues in a window of the file that begins at `offset`, up to the end of the window. At the end of the map:
    // done or fault.
    void feed(std::string_view window, std::uint64_t offset);
    [[nodiscard]] bool over() const { return m_done || !m_fault.empty() || m_tooMuch; }
    [[nodiscard]] std::uint64_t wanted() const { return m_at; }  // required start of the next window
    [[nodiscard]] bool tooMuch() const { return m_tooMuch; }
    [[nodiscard]] const Message &fault() const { return m_fault; }

    std::vector<TensorInfo> tensors = {};
    std::map<std::string, std::int64_t> numbers = {};  // whole numbers by their path, "step", "opt_state/0/count"

private:
    struct Frame {
        std::uint64_t left = 0;  // values, and keys of a map, that are still to come
        bool isMap = false;
        std::string key = {};  // key of the next value
        bool keyRead = false;
    };
    struct Token;
    bool token(std::string_view bytes, Token &out);
    void take(const Token &token, std::string_view payload);
    void takeKey(const Token &token, std::string_view payload);
    void takeArray(const Token &token, std::string_view payload);
    void takeNumber(std::int64_t value);
    void open(const Token &token);
    void finishValue();
    void close();
    void refuse(Message why);
    [[nodiscard]] std::string path() const;

    std::uint64_t m_size = 0, m_at = 0;
    std::size_t m_values = 0;
    std::vector<Frame> m_frames;
    Message m_fault;
    bool m_done = false, m_tooMuch = false;
};

}  // namespace rankdeck
