// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/identity/host_key_rule.h"

#include "core/base/text.h"

namespace rankdeck {

namespace {

std::string described(const PublicKey &key) { return key.type + " " + key.fingerprint(); }

std::string place(const HostKeyFinding &finding) { return finding.file + ":" + std::to_string(finding.line); }

}  // namespace

bool AcceptedKeys::holds(const std::string &name, const PublicKey &key) const
{
    const std::lock_guard lock(m_mutex);
    const auto it = m_blobs.find(name);
    return it != m_blobs.end() && it->second == key.blob;
}

void AcceptedKeys::add(const std::string &name, const PublicKey &key)
{
    const std::lock_guard lock(m_mutex);
    m_blobs[name] = key.blob;
}

HostKeyRule::HostKeyRule(const SshConfig &config, const ConnectOptions &options, AcceptedKeys &accepted,
                         std::vector<KnownHostsFile> files)
    : m_config(&config), m_options(&options), m_accepted(&accepted), m_files(std::move(files))
{}

Result<HostKeyRule> HostKeyRule::read(const SshConfig &config, const ConnectOptions &options, AcceptedKeys &accepted)
{
    const char *onlySsh = !config.revokedHostKeys.empty()     ? "RevokedHostKeys"
                          : !config.knownHostsCommand.empty() ? "KnownHostsCommand"
                                                              : nullptr;
    if (onlySsh != nullptr)
        return fail(ErrorKind::unsupported, message("The ssh config has %1 for %2, which only ssh itself can check. "
                                                    "Set \"transport\": \"ssh\" for this node in the job file.",
                                                    onlySsh, config.alias));
    std::vector<std::string> paths = config.userKnownHostsFiles;
    paths.insert(paths.end(), config.globalKnownHostsFiles.begin(), config.globalKnownHostsFiles.end());
    auto files = readKnownHosts(paths);
    if (!files) return files.error();
    return HostKeyRule(config, options, accepted, std::move(*files));
}

std::vector<std::string> HostKeyRule::knownTypes() const { return knownKeyTypes(m_config->knownName(), m_files); }

std::string HostKeyRule::file() const
{
    return m_config->userKnownHostsFiles.empty() ? std::string() : m_config->userKnownHostsFiles.front();
}

Result<HostKeyRule::Verdict> HostKeyRule::judge(const PublicKey &key)
{
    const HostKeyFinding finding = checkHostKey(m_config->knownName(), key, m_files);
    switch (finding.state) {
    case HostKeyState::ok: return Verdict::goOn;
    case HostKeyState::changed:
    case HostKeyState::otherType:
    case HostKeyState::revoked: return mismatch(key, finding);
    case HostKeyState::certAuthority:
        return fail(ErrorKind::unsupported, message("%1 is signed by a certificate authority (%2), which libssh cannot "
                                                    "verify. Set \"transport\": \"ssh\" for this node in the job file.",
                                                    m_config->alias, place(finding)));
    case HostKeyState::unknown: break;
    }
    if (m_accepted->holds(m_config->knownName(), key)) return Verdict::goOn;
    const bool agreed = m_options->acceptNewHostKeys || m_config->strictHostKeys == StrictHostKeys::acceptNew ||
                        m_config->strictHostKeys == StrictHostKeys::no;
    if (agreed) {
        if (const Status kept = keep(key); !kept) return kept.error();
        return Verdict::goOn;
    }
    if (m_options->interactive && m_config->strictHostKeys != StrictHostKeys::yes) return Verdict::ask;
    return unknown(key);
}

Status HostKeyRule::ask(const PublicKey &key, const Questions &questions)
{
    if (!questions.hostKey) return unknown(key);
    const Answer answer =
        questions.hostKey({m_config->alias, m_config->gateway(), key.type, key.fingerprint(), file()});
    if (questions.stopped && questions.stopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
    if (!answer.accept)
        return fail(ErrorKind::refused,
                    message("The host key of %1 (%2) was not accepted. Try again when you have compared the key.",
                            m_config->alias, described(key)));
    return keep(key);
}

Status HostKeyRule::keep(const PublicKey &key)
{
    m_accepted->add(m_config->knownName(), key);
    return file().empty() ? Status(Done{}) : addKnownHost(file(), m_config->knownName(), key, m_config->hashKnownHosts);
}

Error HostKeyRule::unknown(const PublicKey &key) const
{
    const std::string command = "ssh " +
                                (m_options->sshConfig.empty() ? "" : "-F " + shellQuoted(m_options->sshConfig) + " ") +
                                m_config->typed;
    return fail(ErrorKind::refused,
                message("The host key of %1 (%2) is unknown: %3. Compare it with the key that the administrator gives "
                        "you, then connect once with \"%4\"%5.",
                        m_config->alias, m_config->gateway(), described(key), command,
                        terminalWords(", or run again with --accept-new-host-keys")));
}

Error HostKeyRule::mismatch(const PublicKey &key, const HostKeyFinding &finding) const
{
    const std::string host = m_config->alias + " (" + m_config->gateway() + ")";
    if (finding.state == HostKeyState::revoked)
        return fail(ErrorKind::refused, message("The host key of %1 is REVOKED: found %2, revoked in %3. Do not "
                                                "connect; ask the administrator for the new key.",
                                                host, described(key), place(finding)));
    const char *what =
        finding.state == HostKeyState::changed ? " has CHANGED" : " has a different type than the known one";
    return fail(ErrorKind::refused, message("The host key of %1%2: expected %3 (%4), found %5. Somebody may be "
                                            "listening in, or the machine was reinstalled. Only if its administrator "
                                            "confirms the new key, remove the old one with: ssh-keygen -f %6 -R %7",
                                            host, what, described(finding.expected), place(finding), described(key),
                                            shellQuoted(finding.file), shellQuoted(m_config->knownName())));
}

}  // namespace rankdeck
