// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a group_info.pb in one round trip; meta "restore_ranks" is its list of ranks, joined by commas.
#pragma once

#include "core/checkpoint/reader.h"

namespace rankdeck {

inline constexpr const char *groupInfoName = "group_info.pb";

class GroupInfoReader final : public FormatReader {
public:
    explicit GroupInfoReader(const FileEntry &file);
    ReadStep advance(const ReadReplies &replies) override;
    [[nodiscard]] Evidence evidence() const override { return m_evidence; }

private:
    Evidence m_evidence;
    bool m_asked = false;
};

}  // namespace rankdeck
