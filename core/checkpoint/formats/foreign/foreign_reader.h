// SPDX-License-Identifier: GPL-3.0-or-later
// Reader for a checkpoint that no other reader knows: it reads nothing and only names the likely kind. Its evidence is
// never complete.
#pragma once

#include "core/checkpoint/read/reader.h"

#include <string>

namespace rankdeck {

class ForeignReader : public FormatReader {
public:
    ForeignReader(const FileEntry &whole, const Message &what)
    {
        m_evidence.path = whole.path;
        m_evidence.stat = whole.stat;
        m_evidence.level = EvidenceLevel::L1;
        m_evidence.problems.push_back(
            {"unknown_format", 0, message("looks like %1, which Rankdeck does not read: its state is unknown", what)});
    }
    ReadStep advance(const ReadReplies &) override { return {}; }
    [[nodiscard]] Evidence evidence() const override { return m_evidence; }

private:
    Evidence m_evidence;
};

}  // namespace rankdeck
