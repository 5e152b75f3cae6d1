// SPDX-License-Identifier: GPL-3.0-or-later
// Lookup of a host key in the known_hosts files. Our own code, because libssh skips @revoked and @cert-authority lines,
// and has accepted a revoked key. Lookup is pure; files are read again for each connection.
#pragma once

#include "core/base/result.h"
#include "core/node/session/identity/public_key.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class HostKeyState {
    ok,
    unknown,        // nothing is known of this host
    changed,        // another key of the same type is known
    otherType,      // only keys of other types are known
    revoked,        // this very key is revoked for this host
    certAuthority,  // an authority certifies the host: libssh cannot verify that
};

struct HostKeyFinding {
    HostKeyState state = HostKeyState::unknown;
    std::string file = {};    // the line that decided; set for all states but unknown
    int line = 0;             // from 1
    PublicKey expected = {};  // changed, otherType: what the line holds
};

struct KnownHostsFile {
    std::string path;
    std::string text;
};

// Missing files are empty ones; an unreadable one is an Error, as it may hold a revocation.
Result<std::vector<KnownHostsFile>> readKnownHosts(const std::vector<std::string> &paths);

// name: as SshConfig::knownName. A revocation wins over everything, then a matching key.
HostKeyFinding checkHostKey(const std::string &name, const PublicKey &key, const std::vector<KnownHostsFile> &files);

// Types of the plain keys known for name, to ask the server for one of them first.
std::vector<std::string> knownKeyTypes(const std::string &name, const std::vector<KnownHostsFile> &files);

// The hosts field of a line: comma-separated patterns with * ? and !, or one hashed name.
bool matchesHosts(std::string_view field, const std::string &name);

// One write to the end of the file under its lock, as a separate line; makes the file and its directory. Nothing is
// added when the key is there already (another node of the same machine was quicker).
Status addKnownHost(const std::string &path, const std::string &name, const PublicKey &key, bool hashed);

}  // namespace rankdeck
