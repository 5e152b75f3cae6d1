// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/identity/known_hosts.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <optional>

namespace rankdeck {

namespace {

enum class Marker { none, revoked, certAuthority };

struct Line {
    Marker marker = Marker::none;
    std::string_view hosts;
    PublicKey key;
};

std::string_view word(std::string_view &rest)
{
    const std::size_t start = rest.find_first_not_of(" \t");
    if (start == std::string_view::npos) return rest = {};
    rest.remove_prefix(start);
    const std::string_view found = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(found.size());
    return found;
}

std::optional<Line> parseLine(std::string_view text)
{
    if (text.ends_with('\r')) text.remove_suffix(1);
    Line line;
    line.hosts = word(text);
    if (line.hosts.empty() || line.hosts.front() == '#') return std::nullopt;
    if (line.hosts.front() == '@') {
        if (line.hosts == "@revoked")
            line.marker = Marker::revoked;
        else if (line.hosts == "@cert-authority")
            line.marker = Marker::certAuthority;
        else
            return std::nullopt;
        line.hosts = word(text);
    }
    const std::string_view type = word(text);
    const auto key = publicKeyFromBase64(word(text));
    if (!key || key->type != type) return std::nullopt;  // a damaged line, or the old protocol
    line.key = *key;
    return line;
}

bool wildcard(std::string_view pattern, std::string_view name)
{
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool matchesHash(std::string_view field, const std::string &name)
{
    const std::size_t bar = field.find('|', 3);
    if (!field.starts_with("|1|") || bar == std::string_view::npos) return false;
    const auto salt = fromBase64(field.substr(3, bar - 3));
    const auto hash = fromBase64(field.substr(bar + 1));
    return salt && hash && hash->size() == 20 && hmacSha1(*salt, name) == *hash;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    for (char &c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

template <class Use>
void eachLine(const std::string &name, const std::vector<KnownHostsFile> &files, Use use)
{
    for (const KnownHostsFile &file : files) {
        int number = 0;
        for (std::string_view rest = file.text; !rest.empty();) {
            const std::string_view text = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(rest.size(), text.size() + 1));
            ++number;
            const auto line = parseLine(text);
            if (line && matchesHosts(line->hosts, name)) use(*line, file.path, number);
        }
    }
}

// Priority of a result if several lines name the host; the highest counts.
int weight(HostKeyState state)
{
    switch (state) {
    case HostKeyState::unknown: return 0;
    case HostKeyState::otherType: return 1;
    case HostKeyState::certAuthority: return 2;
    case HostKeyState::changed: return 3;
    case HostKeyState::ok: return 4;
    case HostKeyState::revoked: return 5;
    }
    return 0;
}

HostKeyState stateOf(const Line &line, const PublicKey &key)
{
    const bool same = line.key == key;
    if (line.marker == Marker::revoked) return same ? HostKeyState::revoked : HostKeyState::unknown;
    if (line.marker == Marker::certAuthority) return HostKeyState::certAuthority;
    if (same) return HostKeyState::ok;
    return line.key.type == key.type ? HostKeyState::changed : HostKeyState::otherType;
}

}  // namespace

bool matchesHosts(std::string_view field, const std::string &name)
{
    if (field.starts_with('|')) return matchesHash(field, name);
    bool matched = false;
    for (const std::string &part : split(field, ',')) {
        const bool negated = part.starts_with('!');
        if (!wildcard(lowered(negated ? part.substr(1) : part), lowered(name))) continue;
        if (negated) return false;
        matched = true;
    }
    return matched;
}

Result<std::vector<KnownHostsFile>> readKnownHosts(const std::vector<std::string> &paths)
{
    std::vector<KnownHostsFile> files;
    for (const std::string &path : paths) {
        auto text = readLocalFile(path, 16u << 20);
        if (text)
            files.push_back({path, std::move(*text)});
        else if (text.error().kind != ErrorKind::notFound)
            return fail(ErrorKind::refused,
                        message("The known hosts in %1 cannot be read (%2), so a revoked key would go unnoticed. Make "
                                "the file readable or remove it.",
                                path, text.error().message),
                        text.error().detail);
    }
    return files;
}

HostKeyFinding checkHostKey(const std::string &name, const PublicKey &key, const std::vector<KnownHostsFile> &files)
{
    HostKeyFinding finding;
    eachLine(name, files, [&](const Line &line, const std::string &path, int number) {
        const HostKeyState state = stateOf(line, key);
        if (weight(state) > weight(finding.state)) finding = {state, path, number, line.key};
    });
    return finding;
}

std::vector<std::string> knownKeyTypes(const std::string &name, const std::vector<KnownHostsFile> &files)
{
    std::vector<std::string> types;
    eachLine(name, files, [&](const Line &line, const std::string &, int) {
        const bool seen = std::find(types.begin(), types.end(), line.key.type) != types.end();
        if (line.marker == Marker::none && !seen) types.push_back(line.key.type);
    });
    return types;
}

}  // namespace rankdeck
