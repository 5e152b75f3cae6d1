// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of a resume that a test sets by hand, without any request to a node.
#pragma once

#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace rankdeck {

inline CheckpointSet setOfTwo(const std::string &id, CheckpointKind kind)
{
    CheckpointSet set{.id = id, .kind = kind, .verdict = Verdict::valid};
    set.position = 30;
    for (int rank = 0; rank < 2; ++rank)
        set.members.push_back({.rank = rank,
                               .node = "n" + std::to_string(rank),
                               .path = "/job/ckpt/rank_" + std::to_string(rank) + "/" + id + ".ckpt",
                               .bytes = 100});
    return set;
}

// Two live nodes, each with one rank and its file of the set. Nothing runs, and nothing prevents the resume.
class FactsOfAResume : public testing::Test {
protected:
    FactsOfAResume()
    {
        Job &job = view.job;
        job.name = "lenet";
        job.worldSize = 2;
        job.nodes = {{.name = "n0", .host = "a", .ranks = {0}}, {.name = "n1", .host = "b", .ranks = {1}}};
        job.logs.path = "/job/log/worker_{rank}.log";
        job.checkpoints.path = "/job/ckpt/rank_{rank}";
        job.launch.recipe = "command";
        job.launch.workdir = "/job";
        job.launch.command = {"python3", "train.py", "--resume", "{checkpoint}"};
        for (const NodeSpec &node : job.nodes) view.nodes.push_back({.name = node.name, .state = NodeState::live});
        view.checkpoints.sets = {setOfTwo("3-10", CheckpointKind::periodic)};
        view.checkpoints.recommended = "3-10";
    }

    // The facts that readResumeFacts would return if every node had answered that nothing of the old attempt is left.
    ResumeFacts facts(const ResumeOptions &options = {})
    {
        ResumeFacts made;
        made.id = "resume-7";
        made.options = options;
        made.view = view;
        made.choice = chooseResume(view, options);
        if (!made.choice.fit()) return made;
        made.view.job = made.choice.script.job;
        for (const NodeSpec &node : made.view.job.nodes)
            for (const char *root : {"/job", "/job/log", "/job/ckpt/rank_0", "/job/ckpt/rank_1"}) {
                Listing listing;
                for (const std::string &path : there)
                    if (dirName(path) == root)
                        listing.entries.push_back({.path = path, .stat = {.kind = 'f', .size = 100}});
                made.book.answer(node.name, root, listing);
            }
        made.layout = layoutOf(made.view, made.choice, made.book, {}, made.id);
        return made;
    }
    static std::vector<std::string> refusals(const ResumeFacts &facts)
    {
        std::vector<std::string> codes;
        for (const Finding &finding : resumeFindings(facts))
            if (finding.result == Finding::Result::refuse) codes.emplace_back(finding.code.word());
        return codes;
    }
    JobState view;
    std::set<std::string> there{"/job/ckpt/rank_0/3-10.ckpt", "/job/ckpt/rank_1/3-10.ckpt",
                                "/job/ckpt/rank_0/graceful.ckpt", "/job/ckpt/rank_1/graceful.ckpt"};
};

}  // namespace rankdeck
