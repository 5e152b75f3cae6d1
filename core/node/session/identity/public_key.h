// SPDX-License-Identifier: GPL-3.0-or-later
// A public key in SSH's wire form: the blob, and the type that it names. Bytes that are not a key give nullopt. Pure;
// any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

struct PublicKey {
    std::string type;  // "ssh-ed25519"; for a certificate "ssh-ed25519-cert-v01@openssh.com"
    std::string blob;
    [[nodiscard]] std::string fingerprint() const;  // "SHA256:…", as ssh prints it
    [[nodiscard]] std::string base64() const;
    bool operator==(const PublicKey &) const = default;
};

// nullopt if the blob does not begin with a type name.
std::optional<PublicKey> publicKeyFromBlob(std::string_view blob);
std::optional<PublicKey> publicKeyFromBase64(std::string_view text);

std::string toBase64(std::string_view bytes);
std::optional<std::string> fromBase64(std::string_view text);  // strict: padding, no blanks
std::string hmacSha1(std::string_view key, std::string_view text);
std::string randomBytes(std::size_t count);

}  // namespace rankdeck
