// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/reach/ssh_config.h"

#include "core/base/text.h"
#include "core/node/session/reach/run_ssh.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <pwd.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck {

namespace {

using Settings = std::multimap<std::string, std::string>;

Settings readSettings(std::string_view output)
{
    Settings settings;
    for (const std::string &line : split(output, '\n')) {
        const std::size_t blank = line.find(' ');
        if (blank != std::string::npos) settings.emplace(line.substr(0, blank), line.substr(blank + 1));
    }
    return settings;
}

std::string one(const Settings &settings, const std::string &key, const std::string &otherwise = {})
{
    const auto it = settings.lower_bound(key);  // the first value, if there are several
    return it != settings.end() && it->first == key ? it->second : otherwise;
}

std::string unlessNone(const std::string &value) { return value == "none" ? std::string() : value; }
bool isYes(const std::string &value) { return value == "yes" || value == "true"; }

int number(const std::string &text, int otherwise)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

// Expands file names, which ssh prints as they were written, with ~, %-tokens and ${NAME}.
class Expander {
public:
    Expander(const SshConfig &config, const SshUser &user)
        : m_home(user.home), m_tokens({{'%', "%"},
                                       {'d', user.home},
                                       {'h', config.hostname},
                                       {'n', config.alias},
                                       {'p', std::to_string(config.port)},
                                       {'r', config.user},
                                       {'u', user.localUser},
                                       {'l', user.localHost},
                                       {'L', user.localHost.substr(0, user.localHost.find('.'))},
                                       {'i', std::to_string(getuid())},
                                       {'k', config.hostKeyAlias.empty() ? config.alias : config.hostKeyAlias}})
    {}

    [[nodiscard]] std::string operator()(const std::string &name) const
    {
        std::string path = name;
        if (path == "~" || path.starts_with("~/")) path = m_home + path.substr(1);
        std::string expanded;
        for (std::size_t i = 0; i < path.size(); ++i) {
            const char next = i + 1 < path.size() ? path[i + 1] : '\0';
            const std::size_t close = next == '{' ? path.find('}', i) : std::string::npos;
            if (path[i] == '%' && m_tokens.count(next)) {
                expanded += m_tokens.at(next);
                ++i;
            } else if (path[i] == '$' && close != std::string::npos) {
                const char *value = std::getenv(path.substr(i + 2, close - i - 2).c_str());
                expanded += value ? value : "";
                i = close;
            } else {
                expanded += path[i];
            }
        }
        return expanded;
    }

private:
    std::string m_home;
    std::map<char, std::string> m_tokens;
};

// Splits a list of files, which is printed in one line; a name that contains a blank is quoted.
std::vector<std::string> files(const std::string &text, const Expander &expand)
{
    std::vector<std::string> names;
    std::string name;
    bool quoted = false;
    for (const char c : text + " ") {
        if (c == '"')
            quoted = !quoted;
        else if (c != ' ' || quoted)
            name += c;
        else if (!name.empty())
            names.push_back(std::exchange(name, {}));
    }
    std::vector<std::string> expanded;
    for (const std::string &each : names)
        if (each != "none" && each != "/dev/null") expanded.push_back(expand(each));
    return expanded;
}

StrictHostKeys strictness(const std::string &value)
{
    if (isYes(value)) return StrictHostKeys::yes;
    if (value == "accept-new") return StrictHostKeys::acceptNew;
    return value == "no" || value == "false" || value == "off" ? StrictHostKeys::no : StrictHostKeys::ask;
}

AddressFamily family(const std::string &value)
{
    return value == "inet" ? AddressFamily::inet : value == "inet6" ? AddressFamily::inet6 : AddressFamily::any;
}

bool areDefault(const std::vector<std::string> &printed)
{
    static const std::set<std::string> names = {"~/.ssh/id_rsa",     "~/.ssh/id_ecdsa",      "~/.ssh/id_ecdsa_sk",
                                                "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk", "~/.ssh/id_xmss",
                                                "~/.ssh/id_dsa"};
    return printed.size() > 2 &&
           std::all_of(printed.begin(), printed.end(), [](const std::string &name) { return names.count(name) > 0; });
}

std::string agentSocket(const std::string &printed, const SshUser &user, const Expander &expand)
{
    if (printed.empty() || printed == "SSH_AUTH_SOCK") return user.agentSocket;
    if (printed == "none") return {};
    if (printed.front() == '$' && printed.find('{') == std::string::npos) {
        const char *value = std::getenv(printed.c_str() + 1);
        return value ? value : "";
    }
    return expand(printed);
}

void readIdentities(const Settings &settings, const SshUser &user, const Expander &expand, SshConfig &config)
{
    std::vector<std::string> printed;
    for (auto [it, end] = settings.equal_range("identityfile"); it != end; ++it)
        if (it->second != "none") printed.push_back(it->second);
    config.identityFilesAreDefault = areDefault(printed);
    for (const std::string &name : printed) config.identityFiles.push_back(expand(name));
    for (auto [it, end] = settings.equal_range("certificatefile"); it != end; ++it)
        if (it->second != "none") config.certificateFiles.push_back(expand(it->second));
    config.identitiesOnly = isYes(one(settings, "identitiesonly"));
    config.identityAgent = agentSocket(one(settings, "identityagent"), user, expand);
}

// The error output of ssh without the remark about terminals that ssh prints if it has none.
std::string complaint(const std::string &errors)
{
    std::string text;
    for (const std::string &line : split(errors, '\n'))
        if (!line.empty() && !line.starts_with("Pseudo-terminal")) text += (text.empty() ? "" : "; ") + printable(line);
    return text + ".";
}

}  // namespace

SshUser SshUser::current()
{
    SshUser user;
    // Uses the home directory of the account, whatever $HOME says, as ssh does.
    passwd entry = {};
    passwd *found = nullptr;
    std::vector<char> buffer(16384);
    if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) {
        user.home = found->pw_dir;
        user.localUser = found->pw_name;
    }
    char name[256] = {};
    if (gethostname(name, sizeof name - 1) == 0) user.localHost = name;
    if (const char *socket = std::getenv("SSH_AUTH_SOCK")) user.agentSocket = socket;
    return user;
}

std::string SshConfig::knownName() const
{
    if (!hostKeyAlias.empty()) return hostKeyAlias;
    std::string lower = hostname;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return char(c < 128 ? std::tolower(c) : c); });
    return port == 22 ? lower : "[" + lower + "]:" + std::to_string(port);
}

Result<SshConfig> parseSshConfig(std::string_view output, const std::string &alias, const SshUser &user)
{
    const Settings settings = readSettings(output);
    SshConfig config;
    config.alias = alias;
    config.hostname = one(settings, "hostname");
    config.user = one(settings, "user");
    config.port = number(one(settings, "port"), 0);
    if (config.hostname.empty() || config.user.empty() || config.port < 1 || config.port > 65535)
        return fail(ErrorKind::invalid,
                    message("Expected hostname, user and port in the output of \"ssh -G %1\", found other text. Run "
                            "the command by hand to see it.",
                            alias),
                    validUtf8(output.substr(0, 500)));
    config.hostKeyAlias = unlessNone(one(settings, "hostkeyalias"));
    const Expander expand(config, user);
    readIdentities(settings, user, expand, config);
    config.userKnownHostsFiles = files(one(settings, "userknownhostsfile"), expand);
    config.globalKnownHostsFiles = files(one(settings, "globalknownhostsfile"), expand);
    config.hashKnownHosts = isYes(one(settings, "hashknownhosts"));
    config.strictHostKeys = strictness(one(settings, "stricthostkeychecking"));
    config.revokedHostKeys = unlessNone(one(settings, "revokedhostkeys"));
    config.knownHostsCommand = unlessNone(one(settings, "knownhostscommand"));
    config.proxyJump = unlessNone(one(settings, "proxyjump"));
    config.proxyCommand = unlessNone(one(settings, "proxycommand"));
    config.addressFamily = family(one(settings, "addressfamily"));
    config.bindAddress = unlessNone(one(settings, "bindaddress"));
    config.connectTimeoutSeconds = std::max(0, number(one(settings, "connecttimeout"), 0));
    config.compression = isYes(one(settings, "compression"));
    config.publicKeyLogin =
        one(settings, "pubkeyauthentication", "yes") != "no" && one(settings, "pubkeyauthentication") != "false";
    config.keyboardInteractiveLogin = isYes(one(settings, "kbdinteractiveauthentication", "yes"));
    config.passwordLogin = isYes(one(settings, "passwordauthentication", "yes"));
    config.ciphers = one(settings, "ciphers");
    config.kexAlgorithms = one(settings, "kexalgorithms");
    config.hostKeyAlgorithms = one(settings, "hostkeyalgorithms");
    config.macs = one(settings, "macs");
    config.publicKeyAlgorithms = one(settings, "pubkeyacceptedalgorithms");
    const std::string preferred = unlessNone(one(settings, "preferredauthentications"));
    if (!preferred.empty()) config.preferredLogins = split(preferred, ',');
    return config;
}

Status checkSshConfigFile(const std::string &configFile)
{
    struct stat status = {};
    if (configFile.empty() || ::stat(configFile.c_str(), &status) != 0)
        return Done{};  // ssh itself reports the problem
    if ((status.st_uid == 0 || status.st_uid == ::geteuid()) && (status.st_mode & 022) == 0) return Done{};
    return fail(ErrorKind::refused,
                message("Other users can write to the ssh config %1, and its content can run programs here (Match "
                        "exec, ProxyCommand). Remove their write permission (chmod go-w), or use your own copy.",
                        printable(configFile)),
                "owner " + std::to_string(status.st_uid));
}

Result<SshConfig> querySshConfig(const SshTarget &target, const std::string &configFile,
                                 const std::function<bool()> &stopped, const std::string &program)
{
    if (auto own = checkSshConfigFile(configFile); !own) return own.error();
    std::vector<std::string> argv = {program, "-G"};
    if (!configFile.empty()) argv.insert(argv.end(), {"-F", configFile});
    if (target.port) argv.insert(argv.end(), {"-p", std::to_string(target.port)});
    if (!target.user.empty()) argv.insert(argv.end(), {"-l", target.user});
    argv.insert(argv.end(), {"--", target.host});
    auto ran = runToEnd(argv, std::chrono::seconds(10), stopped);
    // If the config puts ssh into the background, ssh needs a command, which -G does not have. The option that avoids
    // this is added only then, because clients before 8.7 do not know it.
    if (ran && ran->exitCode != 0 && contains(ran->errors, "fork into background")) {
        argv.insert(argv.begin() + 2, {"-o", "ForkAfterAuthentication=no"});
        ran = runToEnd(argv, std::chrono::seconds(10), stopped);
    }
    if (!ran) {
        if (ran.error().kind == ErrorKind::timeout)
            return fail(
                ErrorKind::invalid,
                message("\"ssh -G %1\" took longer than 10 s. A \"Match exec\" in the ssh config hangs.", target.host));
        return ran.error();
    }
    if (ran->exitCode != 0)
        return fail(
            ErrorKind::invalid,
            message("ssh does not accept its configuration for %1: %2. Correct it; \"ssh -G %3\" shows the same.",
                    target.text(), withoutStop(complaint(ran->errors)), target.host),
            validUtf8(ran->errors));
    auto config = parseSshConfig(ran->output, target.host, SshUser::current());
    if (config)
        config->typed = (target.port ? "-p " + std::to_string(target.port) + " " : "") +
                        (target.user.empty() ? "" : target.user + "@") + target.host;
    return config;
}

}  // namespace rankdeck
