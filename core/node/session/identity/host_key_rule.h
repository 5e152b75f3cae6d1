// SPDX-License-Identifier: GPL-3.0-or-later
// Decision about a host key, by the config, the options and the known keys: go on, add it, ask, or refuse. The message
// of a refusal has the fingerprints, the file and line, and the command to use. A changed or revoked key is always
// refused.
#pragma once

#include "core/node/session/identity/known_hosts.h"
#include "core/node/session/reach/ssh_config.h"
#include "core/node/transport/session_factory.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rankdeck {

// Keys that this process has accepted for hosts whose config has no known_hosts file. Thread-safe.
class AcceptedKeys {
public:
    [[nodiscard]] bool holds(const std::string &name, const PublicKey &key) const;
    void add(const std::string &name, const PublicKey &key);

private:
    mutable std::mutex m_mutex;
    std::map<std::string, std::string> m_blobs;
};

class HostKeyRule {
public:
    // Reads the known_hosts files now. Error refused if one cannot be read.
    static Result<HostKeyRule> read(const SshConfig &config, const ConnectOptions &options, AcceptedKeys &accepted);

    enum class Verdict { goOn, ask };
    // Error refused or unsupported. Adds the key if the options allow that.
    Result<Verdict> judge(const PublicKey &key);
    // Call it only if no connection is open: an unauthenticated connection must not wait for a person.
    Status ask(const PublicKey &key, const Questions &questions);
    [[nodiscard]] std::vector<std::string> knownTypes() const;

private:
    HostKeyRule(const SshConfig &config, const ConnectOptions &options, AcceptedKeys &accepted,
                std::vector<KnownHostsFile> files);
    Status keep(const PublicKey &key);
    [[nodiscard]] std::string file() const;
    [[nodiscard]] Error unknown(const PublicKey &key) const;
    [[nodiscard]] Error mismatch(const PublicKey &key, const HostKeyFinding &finding) const;

    const SshConfig *m_config;
    const ConnectOptions *m_options;
    AcceptedKeys *m_accepted;
    std::vector<KnownHostsFile> m_files;
};

}  // namespace rankdeck
