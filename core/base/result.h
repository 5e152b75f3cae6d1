// SPDX-License-Identifier: GPL-3.0-or-later
// A value, or the reason why there is none. Callers branch on Error::kind; Error::message is a sentence for the
// operator (what was expected, what was found, what to do); Error::detail is for the log. Nothing here throws.
#pragma once

#include "core/base/message.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace rankdeck {

enum class ErrorKind {
    invalid,      // malformed input: job file, config, protocol payload, argument
    notFound,     // path, host, program or rank that does not exist
    permission,   // the login may not do this
    unreachable,  // no connection to the node
    refused,      // refused by a rule of this program, a host key, a server or a login
    timeout,
    conflict,  // changed by another writer since it was read
    noSpace,
    unsupported,  // missing on the node or not in this version
    cancelled,
    protocol,  // the peer broke the wire format
    internal,
};

struct Error {
    ErrorKind kind = ErrorKind::internal;
    Message message;
    std::string detail = {};
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T &value() &
    {
        assert(has_value());
        return std::get<0>(m_state);
    }
    const T &value() const &
    {
        assert(has_value());
        return std::get<0>(m_state);
    }
    // By value, so that `for (… : read().value())` keeps the value during the loop.
    T value() &&
    {
        assert(has_value());
        return std::get<0>(std::move(m_state));
    }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    [[nodiscard]] const Error &error() const
    {
        assert(!has_value());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

struct Done {};
using Status = Result<Done>;

inline Error fail(ErrorKind kind, Message message, std::string detail = {})
{
    return Error{kind, std::move(message), std::move(detail)};
}

}  // namespace rankdeck
