// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the few bytes of a tracker in one round trip; meta "tracker" is its text, unchanged and bounded.
#pragma once

#include "core/checkpoint/reader.h"

namespace rankdeck {

class TrackerReader final : public FormatReader {
public:
    explicit TrackerReader(const FileEntry &file);
    ReadStep advance(const ReadReplies &replies) override;
    [[nodiscard]] Evidence evidence() const override { return m_evidence; }

private:
    Evidence m_evidence;
    bool m_asked = false;
};

}  // namespace rankdeck
