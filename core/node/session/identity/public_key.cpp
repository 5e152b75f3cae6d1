// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/identity/public_key.h"

#include <algorithm>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace rankdeck {

namespace {

const unsigned char *raw(std::string_view text) { return reinterpret_cast<const unsigned char *>(text.data()); }

}  // namespace

std::string PublicKey::fingerprint() const
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (EVP_Digest(blob.data(), blob.size(), digest, &size, EVP_sha256(), nullptr) != 1) return {};
    std::string text = toBase64({reinterpret_cast<char *>(digest), size});
    while (text.ends_with('=')) text.pop_back();
    return "SHA256:" + text;
}

std::string PublicKey::base64() const { return toBase64(blob); }

std::optional<PublicKey> publicKeyFromBlob(std::string_view blob)
{
    if (blob.size() < 5) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(blob[i]);
    if (length == 0 || length > 64 || length > blob.size() - 4) return std::nullopt;
    const std::string_view type = blob.substr(4, length);
    if (!std::all_of(type.begin(), type.end(), [](char c) { return c > ' ' && c < 127; })) return std::nullopt;
    return PublicKey{std::string(type), std::string(blob)};
}

std::optional<PublicKey> publicKeyFromBase64(std::string_view text)
{
    const auto blob = fromBase64(text);
    return blob ? publicKeyFromBlob(*blob) : std::nullopt;
}

std::string toBase64(std::string_view bytes)
{
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char *>(text.data()), raw(bytes), int(bytes.size()));
    text.resize(std::size_t(size));
    return text;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    // EVP_DecodeBlock accepts blanks at both ends and does not report the amount of padding.
    const auto isDigit = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    };
    std::string_view digits = text;
    while (text.size() - digits.size() < 2 && digits.ends_with('=')) digits.remove_suffix(1);
    if (text.empty() || text.size() > (1u << 20) || text.size() % 4 != 0 ||
        !std::all_of(digits.begin(), digits.end(), isDigit))
        return std::nullopt;
    std::string bytes(text.size() / 4 * 3, '\0');
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char *>(bytes.data()), raw(text), int(text.size())) < 0)
        return std::nullopt;
    bytes.resize(bytes.size() - (text.size() - digits.size()));
    return bytes;
}

std::string hmacSha1(std::string_view key, std::string_view text)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (!HMAC(EVP_sha1(), key.data(), int(key.size()), raw(text), text.size(), digest, &size)) return {};
    return {reinterpret_cast<char *>(digest), size};
}

std::string randomBytes(std::size_t count)
{
    std::string bytes(count, '\0');
    return RAND_bytes(reinterpret_cast<unsigned char *>(bytes.data()), int(count)) == 1 ? bytes : std::string();
}

}  // namespace rankdeck
