// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a save of several components, each a complete file. Components that count a step or an epoch must agree. A
// missing component is visible only from the other saves of the run.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

namespace rankdeck {

class ComponentsReader final : public CompositeReader {
public:
    ComponentsReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    void takeCounters();
    void compareStructures();
};

}  // namespace rankdeck
