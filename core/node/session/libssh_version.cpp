// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/libssh_version.h"

#include <libssh/libssh.h>

namespace rankdeck {

std::string libsshVersion()
{
    const std::string all = ssh_version(0);  // "0.10.6/openssl/zlib"
    return all.substr(0, all.find('/'));
}

}  // namespace rankdeck
