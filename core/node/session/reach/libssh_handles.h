// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of libssh's objects. A channel must be destroyed before its session. Nothing here fails.
#pragma once

#include <libssh/libssh.h>
#include <memory>

namespace rankdeck {

struct SshFree {
    void operator()(ssh_session session) const { ssh_free(session); }
    void operator()(ssh_key key) const { ssh_key_free(key); }
    void operator()(ssh_channel channel) const { ssh_channel_free(channel); }
};
using SessionHandle = std::unique_ptr<ssh_session_struct, SshFree>;
using KeyHandle = std::unique_ptr<ssh_key_struct, SshFree>;
using ChannelHandle = std::unique_ptr<ssh_channel_struct, SshFree>;

}  // namespace rankdeck
