// SPDX-License-Identifier: GPL-3.0-or-later
// How the user's own ssh would connect to a host, as told by `ssh -G`. Nothing else reads the user's config: libssh's
// parser drops blocks that it does not understand and lets the file win over what we set (reproduced on 0.10 and 0.11). `Match exec` lines run at this moment, as they do when ssh is typed.
#pragma once

#include "core/base/result.h"
#include "core/node/session/reach/ssh_target.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class StrictHostKeys { ask, yes, no, acceptNew };
enum class AddressFamily { any, inet, inet6 };

struct SshConfig {
    std::string alias;       // as it was asked for
    std::string typed = {};  // what a person types after "ssh" to reach it: "-p 2222 bob@node"
    std::string hostname;
    int port = 22;
    std::string user;
    std::vector<std::string> identityFiles = {};  // absolute, in order
    bool identityFilesAreDefault = false;         // nobody configured them: keys of the agent come first
    std::vector<std::string> certificateFiles = {};
    bool identitiesOnly = false;
    std::string identityAgent = {};  // path of the socket; empty: none
    std::string hostKeyAlias = {};
    std::vector<std::string> userKnownHostsFiles = {};
    std::vector<std::string> globalKnownHostsFiles = {};
    bool hashKnownHosts = false;
    StrictHostKeys strictHostKeys = StrictHostKeys::ask;
    std::string revokedHostKeys = {};    // empty: none
    std::string knownHostsCommand = {};  // empty: none
    std::string proxyJump = {};          // comma-separated hops; empty: none
    std::string proxyCommand = {};       // empty: none
    AddressFamily addressFamily = AddressFamily::any;
    std::string bindAddress = {};
    int connectTimeoutSeconds = 0;  // 0: ours
    bool compression = false;
    bool publicKeyLogin = true;
    bool keyboardInteractiveLogin = true;
    bool passwordLogin = true;
    std::string ciphers = {};  // algorithm lists as ssh prints them, preferred first
    std::string kexAlgorithms = {};
    std::string hostKeyAlgorithms = {};
    std::string macs = {};
    std::string publicKeyAlgorithms = {};
    std::vector<std::string> preferredLogins = {};  // empty: ssh's own order

    // What known_hosts knows this machine by: the alias, host, or [host]:port.
    [[nodiscard]] std::string knownName() const;
    [[nodiscard]] std::string gateway() const { return hostname + ":" + std::to_string(port); }
};

// The machine's values that ~ and the %-tokens stand for.
struct SshUser {
    std::string home;
    std::string localUser;
    std::string localHost;
    std::string agentSocket;  // $SSH_AUTH_SOCK
    static SshUser current();
};

// Pure. Error invalid when a key that ssh always prints is missing.
Result<SshConfig> parseSshConfig(std::string_view output, const std::string &alias, const SshUser &user);

// Whether a config that somebody named may be used: as ssh does with the user's own, which it does not do with -F. Error
// refused when it belongs to another user or others may write it. One that is not there is left to ssh to complain of.
Status checkSshConfigFile(const std::string &configFile);

// Runs ssh -G. Error invalid with ssh's own words when it does not like the config; notFound when there is no ssh;
// refused as above. program: the ssh that is asked; configFile: its -F, empty: the user's own.
Result<SshConfig> querySshConfig(const SshTarget &target, const std::string &configFile,
                                 const std::function<bool()> &stopped, const std::string &program = "ssh");

}  // namespace rankdeck
