// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/identity/identities.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/node/protocol/wire.h"
#include "core/node/session/reach/libssh_handles.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::string_view certificateSuffix = "-cert-v01@openssh.com";

std::optional<PublicKey> publicKeyOfFile(const std::string &path)
{
    const auto text = readLocalFile(path, 1u << 20);
    return text ? parsePublicKeyLine(*text) : std::nullopt;
}

// In OpenSSH's own format, the private file contains the public half unencrypted.
std::optional<PublicKey> publicHalf(const std::string &privateFile)
{
    if (auto key = publicKeyOfFile(privateFile)) return key;  // IdentityFile may name the .pub of a key in the agent
    if (auto key = publicKeyOfFile(privateFile + ".pub")) return key;
    ssh_key raw = nullptr;
    char *text = nullptr;
    if (ssh_pki_import_pubkey_file(privateFile.c_str(), &raw) != SSH_OK) return std::nullopt;
    const KeyHandle key(raw);
    if (ssh_pki_export_pubkey_base64(raw, &text) != SSH_OK || !text) return std::nullopt;
    auto parsed = publicKeyFromBase64(text);
    ssh_string_free_char(text);
    return parsed;
}

bool holds(const std::vector<AgentKey> &agent, const std::optional<PublicKey> &key)
{
    return key && std::any_of(agent.begin(), agent.end(), [&](const AgentKey &each) { return each.key == *key; });
}

bool exists(const std::string &path)
{
    const auto text = readLocalFile(path, 1u << 20);
    return text || text.error().kind != ErrorKind::notFound;
}

std::vector<Identity> ofFile(const std::string &path, const SshConfig &config, const std::vector<AgentKey> &agent)
{
    const std::optional<PublicKey> key = publicHalf(path);
    const bool inAgent = holds(agent, key);
    if (!exists(path) && !inAgent) return {};
    std::vector<Identity> found;
    std::vector<std::string> certificates = config.certificateFiles;
    certificates.push_back(path + "-cert.pub");
    for (const std::string &file : certificates) {
        const auto certificate = publicKeyOfFile(file);
        const auto certified = certificate ? certifiedKey(*certificate) : std::nullopt;
        if (certified && certified == key)
            found.push_back({path + " with certificate " + file, certificate, key, path, file, inAgent});
    }
    found.push_back({path, key, key, path, {}, inAgent});
    return found;
}

}  // namespace

std::optional<PublicKey> certifiedKey(const PublicKey &certificate)
{
    if (!certificate.type.ends_with(certificateSuffix)) return std::nullopt;
    std::string type = certificate.type.substr(0, certificate.type.size() - certificateSuffix.size());
    const bool hardware = type.starts_with("sk-");
    // Number of fields of the key itself, which follow the nonce (PROTOCOL.certkeys). A hardware key has one more, its
    // application.
    int fields = type.find("ed25519") != std::string::npos ? 1 : type.find("dss") != std::string::npos ? 4 : 2;
    if (hardware) {
        ++fields;
        type += "@openssh.com";
    }
    WireReader reader(certificate.blob);
    reader.blob();
    reader.blob();
    std::string blob;
    WireWriter writer(blob);
    writer.blob(type);
    for (int i = 0; i < fields; ++i) writer.blob(reader.blob());
    return reader.ok() ? publicKeyFromBlob(blob) : std::nullopt;
}

std::optional<PublicKey> parsePublicKeyLine(std::string_view text)
{
    const std::vector<std::string> words = split(text.substr(0, text.find_first_of("\r\n")), ' ');
    if (words.size() < 2) return std::nullopt;
    auto key = publicKeyFromBase64(words[1]);
    return key && key->type == words[0] ? key : std::nullopt;
}

std::vector<Identity> identitiesFor(const SshConfig &config, const std::vector<AgentKey> &agent,
                                    const std::string &remembered)
{
    std::vector<Identity> fromFiles;
    for (const std::string &path : config.identityFiles)
        for (Identity &each : ofFile(path, config, agent)) fromFiles.push_back(std::move(each));
    std::vector<Identity> fromAgent;
    for (const AgentKey &each : agent) {
        const bool seen = std::any_of(fromFiles.begin(), fromFiles.end(),
                                      [&](const Identity &file) { return file.shown == each.key; });
        // A certificate in the agent belongs to the key file that it certifies, even with IdentitiesOnly.
        const auto certified = certifiedKey(each.key);
        const bool ofOurs = certified && std::any_of(fromFiles.begin(), fromFiles.end(),
                                                     [&](const Identity &file) { return file.plain == certified; });
        if (!seen && (!config.identitiesOnly || ofOurs))
            fromAgent.push_back({"agent key " + printable(each.comment) + " " + each.key.fingerprint(),
                                 each.key,
                                 each.key,
                                 {},
                                 {},
                                 true});
    }
    std::vector<Identity> &first = config.identityFilesAreDefault ? fromAgent : fromFiles;
    std::vector<Identity> &second = config.identityFilesAreDefault ? fromFiles : fromAgent;
    std::vector<Identity> all = std::move(first);
    for (Identity &each : second) all.push_back(std::move(each));
    std::stable_partition(all.begin(), all.end(), [&](const Identity &each) { return each.label == remembered; });
    return all;
}

}  // namespace rankdeck
