// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/console.h"

#include <array>
#include <pwd.h>
#include <unistd.h>

namespace rankdeck {

std::string userName()
{
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd *found = nullptr;
    if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_name;
    return std::to_string(::geteuid());
}

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::string consoleName() { return userName() + "@" + hostName(); }

}  // namespace rankdeck
