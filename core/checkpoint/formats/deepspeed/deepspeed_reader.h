// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a DeepSpeed tag directory (ZeRO 0 to 3, bf16, pipeline layers, experts, universal). DeepSpeed writes the
// file `latest` before all ranks have written, and finds the files by a glob when it loads. Therefore the expected
// files are derived from dp_world_size, mp_world_size and partition_count in the files themselves. All files must have
// one step, and the optimizer's own count must fit it. Missing files and different numbers are problems in its
// evidence.
#pragma once

#include "core/checkpoint/formats/deepspeed/deepspeed_names.h"
#include "core/checkpoint/read/composite_reader.h"

#include <set>

namespace rankdeck {

class DeepspeedReader final : public CompositeReader {
public:
    DeepspeedReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    struct File {
        DeepspeedName name;
        const Part *part = nullptr;
    };
    using What = DeepspeedName::What;
    void findFiles();
    void takeDegrees();
    [[nodiscard]] bool beyond(const DeepspeedName &name) const;
    [[nodiscard]] int rankOf(const DeepspeedName &name) const;
    [[nodiscard]] bool has(What what) const;
    [[nodiscard]] std::vector<Voice> voices(bool models) const;
    void expect(const DeepspeedName &name, const Message &why);
    void expectModels();
    void expectOptimizer();
    void expectLayersAndExperts();
    void checkUniversal();
    void compareNumbers();
    void compareOptimizer(std::int64_t steps);

    std::vector<File> m_files;
    std::set<std::string> m_names;  // names of the files, whatever their flavour
    std::size_t m_universalFiles = 0;
    std::int64_t m_dp = 0, m_mp = 0, m_stage = -1;
};

}  // namespace rankdeck
