// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of Megatron's legacy layout: iter_N/mp_rank_TT[_PPP[_EEE]]/model_optim_rng.pt, with distrib_optim.pt beside it
// if the optimizer is distributed. Every tensor, pipeline and expert rank has one folder; the arguments in the files
// give their number. Megatron's loader compares neither iterations nor arguments between ranks; here they must be
// equal. Missing folders and different numbers are problems in its evidence.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <map>

namespace rankdeck {

class MegatronReader final : public CompositeReader {
public:
    MegatronReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    struct Folder {
        const Part *model = nullptr;
        const Part *optimizer = nullptr;  // distrib_optim.pt
        std::vector<const Part *> others = {};
        bool expected = false;
        int rank = -1;
    };
    void collect();
    void takeDegrees();
    [[nodiscard]] int rankOf(int tp, int pp, int ep) const;
    void expectFolders();
    void expectFolder(int tp, int pp, int ep);
    void compare();
    void compareSavers();
    void compareLayers();
    void compareState();

    std::map<std::string, Folder> m_folders;
    std::int64_t m_tp = 1, m_pp = 1, m_ep = 1, m_world = 0;
    bool m_distributedOptimizer = false;
};

// Arguments of a run that every file of it repeats; shared by the readers of Megatron's layouts.
extern const std::vector<std::string> megatronArguments;

}  // namespace rankdeck
