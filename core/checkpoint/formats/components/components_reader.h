// SPDX-License-Identifier: GPL-3.0-or-later
// A save of several components, each a whole file of its own. Those that count a step or an epoch must agree. A missing
// component shows only by the other saves of the run.
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
