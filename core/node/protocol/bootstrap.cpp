// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/bootstrap.h"

#include <array>
#include <cstdio>
#include <mutex>
#include <random>
#include <zlib.h>

namespace rankdeck {

namespace {

constexpr std::string_view noPython = "rankdeck: no python3 that is new enough";
constexpr std::size_t chatterLimit = 1u << 20;
constexpr std::size_t chatterKept = 2048;

// Python runs isolated: -I ignores PYTHON* variables and the current directory (otherwise a select.py in the home would
// be imported). It imports no site and writes no bytecode files. It reads one line byte by byte, so that the bytes
// after it are not lost.
constexpr std::string_view commandHead = "exec /bin/sh -c 'for p in ";
constexpr std::string_view commandTail =
    "/usr/bin/python3 python3; do command -v \"$p\" >/dev/null 2>&1 || continue; "
    "\"$p\" -ISBc \"import sys;sys.exit(sys.version_info<(3,6))\" 2>/dev/null && exec \"$p\" -ISBc "
    "\"import os;exec(bytes().join(iter(lambda:os.read(0,1)or os._exit(1),bytes([10]))))\" rankdeck-probe; "
    "echo \"$p: $(\"$p\" -V 2>&1)\" >&2; done; "
    "echo \"rankdeck: no python3 that is new enough\" >&2; exit 97'";

std::string packed(const std::string &source)
{
    uLongf size = ::compressBound(source.size());
    std::string out(size, '\0');
    // Cannot fail, because the buffer has the size that zlib requires.
    ::compress2(reinterpret_cast<Bytef *>(out.data()), &size, reinterpret_cast<const Bytef *>(source.data()),
                source.size(), Z_BEST_COMPRESSION);
    out.resize(size);
    return out;
}

}  // namespace

Result<std::string> probeCommand(const std::string &python)
{
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+@-";
    if (python.find_first_not_of(allowed) != std::string::npos || (!python.empty() && python.front() == '-'))
        return fail(ErrorKind::invalid, message("The interpreter \"%1\" contains characters other than letters, digits "
                                                "and ._/+@-; use a plain path, or a link to it.",
                                                python));
    std::string command(commandHead);
    if (!python.empty()) command += python + " ";
    return command += commandTail;
}

bool saysNoPython(std::string_view errorOutput) { return errorOutput.find(noPython) != std::string_view::npos; }

// The compressed text is made once: a thousand nodes get the same text, and compressing takes longer than sending.
std::string packedSource(const std::string &source)
{
    static std::mutex mutex;
    static std::string lastSource, lastPacked;
    const std::lock_guard lock(mutex);
    if (lastPacked.empty() || source != lastSource) {
        lastPacked = packed(source);
        lastSource = source;
    }
    return lastPacked;
}

std::string randomNonce()
{
    std::random_device device;
    std::string nonce;
    for (int word = 0; word < 4; ++word) {
        std::array<char, 9> text{};
        std::snprintf(text.data(), text.size(), "%08x", device());
        nonce += text.data();
    }
    return nonce;
}

Bootstrap::Bootstrap(std::string nonce, const std::string &source)
    : m_nonce(std::move(nonce)), m_packed(packedSource(source))
{}

std::string Bootstrap::firstBytes() const
{
    // The nonce is sent in two halves, so that an echo of this line is not mistaken for the answer.
    const std::string middle = m_nonce.substr(0, 16) + "\"+b\"" + m_nonce.substr(16);
    return "exec('import os,zlib\\nos.write(1,b\"\\\\n" + middle + "RDY\\\\n\")\\nb=bytes()\\nwhile len(b)<" +
           std::to_string(m_packed.size()) + ":\\n c=os.read(0," + std::to_string(m_packed.size()) +
           "-len(b))\\n if not c:os._exit(1)\\n b+=c\\n" +
           "g={\"__name__\":\"rankdeck_probe\"}\\n"
           // Each definition is compiled separately. Compiling all of them at once would leave 4 MB of memory behind.
           "for s in zlib.decompress(b).split(bytes([10])*3):\\n "
           "exec(compile(s,\"rankdeck-probe\",\"exec\",0,1,2),g)')\n";
}

Result<std::optional<std::string>> Bootstrap::feed(std::string &bytes)
{
    const std::string mark = "\n" + m_nonce + "RDY\n";
    const std::size_t at = bytes.find(mark);
    if (at != std::string::npos) {
        bytes.erase(0, at + mark.size());
        return std::optional<std::string>(m_packed);
    }
    // All bytes can be dropped, except those that may be the beginning of the mark.
    if (bytes.size() > mark.size()) {
        const std::size_t gone = bytes.size() - mark.size();
        m_chatter.append(bytes, 0, gone);
        if (m_chatter.size() > chatterKept) m_chatter.erase(0, m_chatter.size() - chatterKept);
        m_discarded += gone;
        bytes.erase(0, gone);
    }
    if (m_discarded > chatterLimit)
        return fail(ErrorKind::protocol, message("The login printed more than 1 MiB before the probe could start. Make "
                                                 "its start-up files silent for logins without a terminal."));
    return std::optional<std::string>();
}

}  // namespace rankdeck
