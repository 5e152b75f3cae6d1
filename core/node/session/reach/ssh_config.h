// SPDX-License-Identifier: GPL-3.0-or-later
// Settings with which the user's own ssh would connect to a host, from `ssh -G`. No other code reads the user's config.
// The parser of libssh is not used: it drops unknown blocks, and lets the file override our settings (reproduced on
// 0.10 and 0.11). `Match exec` lines run during this call, as they do when the user types ssh.
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
    std::string alias;       // host name as requested
    std::string typed = {};  // what to type after "ssh" to reach it: "-p 2222 bob@node"
    std::string hostname;
    int port = 22;
    std::string user;
    std::vector<std::string> identityFiles = {};  // absolute, in order
    bool identityFilesAreDefault = false;         // the user configured none, so keys of the agent come first
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
    int connectTimeoutSeconds = 0;  // 0: Rankdeck's own limit
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

    // The name of this machine in known_hosts: the alias, host, or [host]:port.
    [[nodiscard]] std::string knownName() const;
    [[nodiscard]] std::string gateway() const { return hostname + ":" + std::to_string(port); }
};

// Values of this machine for ~ and the %-tokens.
struct SshUser {
    std::string home;
    std::string localUser;
    std::string localHost;
    std::string agentSocket;  // $SSH_AUTH_SOCK
    static SshUser current();
};

// Pure. Error invalid if a key is missing that ssh always prints.
Result<SshConfig> parseSshConfig(std::string_view output, const std::string &alias, const SshUser &user);

// Checks whether a config that the user named may be used. ssh makes these checks for the user's own config, but not
// for -F. Error refused if the file belongs to another user or others may write to it. If it is missing, ssh itself
// reports that.
Status checkSshConfigFile(const std::string &configFile);

// Runs ssh -G. Errors: invalid with ssh's message if it refuses the config, notFound if there is no ssh, refused as
// above. program: the ssh to run. configFile: its -F; empty: the user's own.
Result<SshConfig> querySshConfig(const SshTarget &target, const std::string &configFile,
                                 const std::function<bool()> &stopped, const std::string &program = "ssh");

}  // namespace rankdeck
