// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/login.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstring>

namespace rankdeck {

namespace {

constexpr int mostOffers = 4;  // sshd's default allows six failures; two are left for the operator's own try
constexpr std::chrono::seconds machineTime(20);
constexpr std::chrono::seconds humanTime(120);  // for a push to a phone, a touch of a key, a slow PAM

void forget(std::vector<std::string> &secrets)
{
    for (std::string &each : secrets) explicit_bzero(each.data(), each.size());
    secrets.clear();
}

int notePassphraseWanted(const char *, char *, size_t, int, int, void *wanted)
{
    *static_cast<bool *>(wanted) = true;
    return -1;
}

KeyHandle importPublic(const PublicKey &key)
{
    ssh_key raw = nullptr;
    const ssh_keytypes_e type = ssh_key_type_from_name(key.type.c_str());
    const bool certificate = key.type.find("-cert-") != std::string::npos;
    const std::string text = key.base64();
    const int rc = certificate ? ssh_pki_import_cert_base64(text.c_str(), type, &raw)
                               : ssh_pki_import_pubkey_base64(text.c_str(), type, &raw);
    return KeyHandle(rc == SSH_OK ? raw : nullptr);
}

std::string listed(const std::vector<std::string> &items, const char *separator)
{
    std::string text;
    for (const std::string &item : items) text += (text.empty() ? "" : separator) + item;
    return text;
}

std::string methodNames(int methods)
{
    std::vector<std::string> names;
    for (const auto &[bit, name] : {std::pair{SSH_AUTH_METHOD_PUBLICKEY, "publickey"},
                                    {SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive"},
                                    {SSH_AUTH_METHOD_PASSWORD, "password"},
                                    {SSH_AUTH_METHOD_GSSAPI_MIC, "gssapi-with-mic"},
                                    {SSH_AUTH_METHOD_HOSTBASED, "hostbased"}})
        if (methods & bit) names.emplace_back(name);
    return names.empty() ? "no method that Rankdeck knows" : listed(names, ", ");
}

}  // namespace

Login::Login(SshConnection &connection, const ConnectOptions &options, const Questions &questions,
             std::string remembered)
    : m_connection(connection), m_options(options), m_questions(questions), m_remembered(std::move(remembered))
{}

Status Login::run()
{
    Result<Outcome> outcome = call(machineTime, [this] { return ssh_userauth_none(m_connection.session(), nullptr); });
    if (outcome && *outcome == Outcome::loggedIn) return Done{};
    for (int step = 0; outcome && step < 8; ++step) {  // each accepted method may require another one
        m_methods = ssh_userauth_list(m_connection.session(), nullptr);
        outcome = Outcome::denied;
        if (allows(SSH_AUTH_METHOD_PUBLICKEY, "publickey")) outcome = tryKeys();
        if (outcome && *outcome == Outcome::denied) {
            if (allows(SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive"))
                outcome = tryKeyboard();
            else if (allows(SSH_AUTH_METHOD_PASSWORD, "password"))
                outcome = tryPassword();
        }
        if (outcome && *outcome != Outcome::partial) break;
    }
    if (!outcome) return outcome.error();
    return *outcome == Outcome::loggedIn ? Status(Done{}) : Status(refusal());
}

bool Login::allows(int method, const char *name) const
{
    const SshConfig &config = m_connection.config();
    if (!(m_methods & method)) return false;
    if (method == SSH_AUTH_METHOD_PUBLICKEY && !config.publicKeyLogin) return false;
    if (method == SSH_AUTH_METHOD_INTERACTIVE && !config.keyboardInteractiveLogin) return false;
    if (method == SSH_AUTH_METHOD_PASSWORD && !config.passwordLogin) return false;
    const auto &preferred = config.preferredLogins;
    return preferred.empty() || std::find(preferred.begin(), preferred.end(), name) != preferred.end();
}

Result<Login::Outcome> Login::outcomeOf(const Result<int> &answer)
{
    const SshConfig &config = m_connection.config();
    if (!answer && answer.error().kind == ErrorKind::cancelled) return answer.error();
    if (!answer) return fail(ErrorKind::unreachable, message("%1 did not answer the login in time.", config.alias));
    if (*answer == SSH_AUTH_SUCCESS) return Outcome::loggedIn;
    if (*answer == SSH_AUTH_PARTIAL) return Outcome::partial;
    if (*answer == SSH_AUTH_DENIED) return Outcome::denied;
    const std::string why = m_connection.errorText();
    if (why.find("Too many authentication failures") != std::string::npos) {
        m_hints.push_back(
            "the server counted too many failures: give the right key with IdentityFile and IdentitiesOnly yes");
        return refusal();
    }
    return fail(ErrorKind::unreachable, message("%1 ended the connection during the login: %2.", config.alias, why),
                why);
}

Result<Login::Outcome> Login::tryKeys()
{
    const SshConfig &config = m_connection.config();
    if (m_next == 0) {
        std::vector<AgentKey> agent;
        if (!config.identityAgent.empty()) {
            auto keys = agentKeys(config.identityAgent, Phase::lasting(std::chrono::seconds(5), m_questions.stopped));
            if (keys)
                agent = std::move(*keys);
            else
                m_hints.push_back(keys.error().message.substr(0, keys.error().message.size() - 1));
        }
        m_identities = identitiesFor(config, agent, m_remembered);
    }
    while (m_next < m_identities.size()) {
        if (m_offered == mostOffers) {
            m_hints.push_back(std::to_string(m_identities.size() - m_next) +
                              " more keys were not offered, because servers refuse a login that tries too many: give "
                              "the right one with IdentityFile and IdentitiesOnly yes");
            m_next = m_identities.size();
            break;
        }
        const Identity &identity = m_identities[m_next++];
        const Result<Outcome> outcome = tryKey(identity);
        if (!outcome || *outcome != Outcome::denied) {
            if (outcome) m_worked = identity.label;
            return outcome;
        }
    }
    return Outcome::denied;
}

Result<Login::Outcome> Login::tryKey(const Identity &identity)
{
    ++m_offered;
    m_tried.push_back(identity.label);
    return identity.inAgent ? tryAgentKey(identity) : tryFileKey(identity);
}

Result<Login::Outcome> Login::tryAgentKey(const Identity &identity)
{
    if (!m_filter) {
        auto filter = AgentFilter::start(m_connection.config().identityAgent, m_questions.stopped);
        if (!filter) return filter.error();
        m_filter = std::move(*filter);
        if (ssh_set_agent_socket(m_connection.session(), m_filter->takeClientEnd()) != SSH_OK)
            return fail(ErrorKind::internal, message("libssh cannot use the ssh-agent: %1.", m_connection.errorText()));
    }
    m_filter->offer(*identity.shown, *identity.plain);
    const Result<Outcome> outcome =
        call(humanTime, [this] { return ssh_userauth_agent(m_connection.session(), nullptr); });
    if (m_questions.stopped && m_questions.stopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
    if (m_filter->signRefused() && ssh_is_connected(m_connection.session())) {
        m_hints.push_back("the ssh-agent did not sign with " + identity.label + " (locked, or not confirmed)");
        return Outcome::denied;
    }
    return outcome;
}

Result<Login::Outcome> Login::tryFileKey(const Identity &identity)
{
    // First asks whether the server would accept the key; only then asks the operator for its passphrase.
    if (identity.shown) {
        const KeyHandle key = importPublic(*identity.shown);
        if (!key) {
            --m_offered;
            m_hints.push_back(identity.label + " is of a kind (" + identity.shown->type +
                              ") that libssh can use only through the ssh-agent: add the key with ssh-add");
            return Outcome::denied;
        }
        const auto wanted =
            call(machineTime, [&] { return ssh_userauth_try_publickey(m_connection.session(), nullptr, key.get()); });
        if (!wanted || *wanted == Outcome::denied) return wanted;
    }
    const Result<KeyHandle> key = loadPrivateKey(identity);
    if (!key && (m_declined || key.error().kind == ErrorKind::cancelled)) return key.error();
    if (!key) {
        m_hints.push_back(key.error().message);
        return Outcome::denied;
    }
    return call(machineTime, [&] { return ssh_userauth_publickey(m_connection.session(), nullptr, key->get()); });
}

Result<KeyHandle> Login::loadPrivateKey(const Identity &identity)
{
    ssh_key raw = nullptr;
    bool encrypted = false;
    const char *path = identity.privateFile.c_str();
    int rc = ssh_pki_import_privkey_file(path, nullptr, notePassphraseWanted, &encrypted, &raw);
    if (rc != SSH_OK && !encrypted)
        return fail(ErrorKind::invalid,
                    rc == SSH_EOF ? message("%1 cannot be read; the private key is needed here or in the ssh-agent",
                                            identity.privateFile)
                                  : message("%1 is not a private key that libssh can read", identity.privateFile));
    if (rc != SSH_OK && !m_options.interactive)
        return fail(ErrorKind::refused, message("%1 is protected by a passphrase: run \"ssh-add %2\" first",
                                                identity.privateFile, shellQuoted(identity.privateFile)));
    if (rc != SSH_OK) {
        auto answers =
            ask({m_connection.config().alias, "Key file", "", {{"Passphrase for " + identity.privateFile, false}}});
        if (!answers) return answers.error();
        rc = ssh_pki_import_privkey_file(path, answers->front().c_str(), nullptr, nullptr, &raw);
        forget(*answers);
        if (rc != SSH_OK)
            return fail(ErrorKind::refused, message("the passphrase for %1 was wrong", identity.privateFile));
    }
    KeyHandle key(raw);
    if (identity.certificateFile.empty()) return key;
    ssh_key certificate = nullptr;
    rc = ssh_pki_import_cert_file(identity.certificateFile.c_str(), &certificate);
    const KeyHandle owner(certificate);
    if (rc == SSH_OK && ssh_pki_copy_cert_to_privkey(certificate, raw) == SSH_OK) return key;
    // libssh 0.11 compares key and certificate with the wrong function, and refuses all such pairs.
    if (rc == SSH_OK && ssh_key_type(raw) == SSH_KEYTYPE_ED25519 && ssh_version(SSH_VERSION_INT(0, 11, 0)))
        return fail(ErrorKind::unsupported,
                    message("libssh %1 cannot join an ed25519 certificate to its key: run \"ssh-add %2\" (it adds %3 "
                            "as well), or set \"transport\": \"ssh\" for this node",
                            ssh_version(0), shellQuoted(identity.privateFile), identity.certificateFile));
    return fail(ErrorKind::invalid,
                message("%1 is not a certificate for %2", identity.certificateFile, identity.privateFile));
}

Result<std::vector<std::string>> Login::ask(AuthQuestion question)
{
    const std::size_t wanted = question.prompts.size();
    Answer answer = m_questions.auth ? m_questions.auth(question) : Answer{};
    if (m_questions.stopped && m_questions.stopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
    if (!answer.accept) {
        // A missing answer counts as an answer, because the same question at each try would never end.
        m_declined = true;
        return fail(
            ErrorKind::refused,
            message(
                "The login question of %1 was not answered, so the login was cancelled. Try again when you are ready.",
                m_connection.config().alias));
    }
    answer.answers.resize(wanted);
    return std::move(answer.answers);
}

Result<Login::Outcome> Login::tryKeyboard()
{
    if (!m_options.interactive) {
        m_hints.push_back("the server wants an answer from a person (keyboard-interactive): connect from the window, "
                          "or set \"transport\": \"ssh\" for this "
                          "node and share a ControlMaster connection");
        return Outcome::denied;
    }
    ssh_session session = m_connection.session();
    m_tried.push_back("keyboard-interactive");
    for (int round = 0; round < 16; ++round) {
        const Result<int> answer = m_connection.finish(SSH_AUTH_AGAIN, Phase::lasting(humanTime, m_questions.stopped),
                                                       [&] { return ssh_userauth_kbdint(session, nullptr, nullptr); });
        if (!answer || *answer != SSH_AUTH_INFO) return outcomeOf(answer);
        const int count = std::min(ssh_userauth_kbdint_getnprompts(session), 64);
        const auto text = [](const char *bytes) {
            return bytes ? printableLines(std::string_view(bytes).substr(0, 4096)) : std::string();
        };
        AuthQuestion question{m_connection.config().alias,
                              text(ssh_userauth_kbdint_getname(session)),
                              text(ssh_userauth_kbdint_getinstruction(session)),
                              {}};
        for (int i = 0; i < count; ++i) {
            char echo = 0;
            const std::string prompt = text(ssh_userauth_kbdint_getprompt(session, unsigned(i), &echo));
            question.prompts.push_back({prompt, echo != 0});
        }
        if (count <= 0) continue;  // only an information message, or the end of a round
        auto answers = ask(std::move(question));
        if (!answers) return answers.error();
        for (int i = 0; i < count; ++i)
            ssh_userauth_kbdint_setanswer(session, unsigned(i), (*answers)[std::size_t(i)].c_str());
        forget(*answers);
    }
    return fail(ErrorKind::refused,
                message("%1 asked questions sixteen times without finishing the login.", m_connection.config().alias));
}

Result<Login::Outcome> Login::tryPassword()
{
    const SshConfig &config = m_connection.config();
    if (!m_options.interactive) {
        m_hints.push_back(
            "the server wants a password, which only the window can ask for: set up a key with ssh-copy-id");
        return Outcome::denied;
    }
    m_tried.push_back("password");
    auto answers = ask({config.alias, "", "", {{config.user + "@" + config.hostname + "'s password", false}}});
    if (!answers) return answers.error();
    const auto outcome = call(
        humanTime, [&] { return ssh_userauth_password(m_connection.session(), nullptr, answers->front().c_str()); });
    forget(*answers);
    return outcome;
}

Error Login::refusal() const
{
    const SshConfig &config = m_connection.config();
    const Message text =
        message("%1 refused the login as %2. It accepts: %3. Offered: %4.",
                config.alias + " (" + config.gateway() + ")", config.user, methodNames(m_methods),
                m_tried.empty() ? message("nothing, as no key was found") : Message(listed(m_tried, ", ")));
    return fail(
        ErrorKind::refused,
        joined({text, m_hints.empty() ? message("Check the user name, and that the key is in authorized_keys there.")
                                      : message("Note: %1.", listed(m_hints, "; "))}));
}

}  // namespace rankdeck
