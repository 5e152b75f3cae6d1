// SPDX-License-Identifier: GPL-3.0-or-later
// Lookup of a host key in the known_hosts files. This is separate from libssh, which skips @revoked and @cert-authority
// lines and has accepted a revoked key. The lookup is pure; the files are read again for each connection.
#pragma once

#include "core/base/result.h"
#include "core/node/session/identity/public_key.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class HostKeyState {
    ok,
    unknown,        // no key of this host is known
    changed,        // another key of the same type is known
    otherType,      // only keys of other types are known
    revoked,        // this key is revoked for this host
    certAuthority,  // an authority certifies the host: libssh cannot verify that
};

struct HostKeyFinding {
    HostKeyState state = HostKeyState::unknown;
    std::string file = {};    // file of the line that decided; set for all states except unknown
    int line = 0;             // from 1
    PublicKey expected = {};  // changed, otherType: the key in that line
};

struct KnownHostsFile {
    std::string path;
    std::string text;
};

// A missing file counts as empty. An unreadable one is an Error, because it may contain a revocation.
Result<std::vector<KnownHostsFile>> readKnownHosts(const std::vector<std::string> &paths);

// name: as in SshConfig::knownName. A revocation has precedence over everything, then a matching key.
HostKeyFinding checkHostKey(const std::string &name, const PublicKey &key, const std::vector<KnownHostsFile> &files);

// Types of the plain keys that are known for this name; the server is first asked for a key of these types.
std::vector<std::string> knownKeyTypes(const std::string &name, const std::vector<KnownHostsFile> &files);

// Matches the hosts field of a line: comma-separated patterns with * ? and !, or one hashed name.
bool matchesHosts(std::string_view field, const std::string &name);

// Appends the key as a separate line, in one write under the file's lock. Creates the file and its directory. If the
// key is there already (another node of the same machine was faster), nothing is added.
Status addKnownHost(const std::string &path, const std::string &name, const PublicKey &key, bool hashed);

}  // namespace rankdeck
