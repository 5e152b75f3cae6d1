// SPDX-License-Identifier: GPL-3.0-or-later
// Check of checkpoints without a job: one directory, or single files, on one machine. It infers layout, framework,
// ranks and world size. Blocks on the node.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/job/job.h"
#include "core/node/node.h"
#include "core/verdict/verdict.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

// One connected machine without watches.
class SingleNode {
public:
    // host: "" or "local" is this machine. Error unreachable with the node's own reason.
    static Result<std::unique_ptr<SingleNode>> connect(const std::string &host, const ConnectOptions &options,
                                                       double timeoutSeconds);
    // A node of a job, with its own transport and interpreter.
    static Result<std::unique_ptr<SingleNode>> connect(NodeSpec spec, const ConnectOptions &options,
                                                       double timeoutSeconds);
    ~SingleNode();
    NodeClient &client() { return *m_node; }

private:
    SingleNode();
    struct NullListener;  // receives the node's messages and ignores them
    std::unique_ptr<NullListener> m_listener;
    std::unique_ptr<Node> m_node;  // destroyed before its listener
};

Result<CheckpointReport> judgeDirectory(NodeClient &node, const std::string &directory, int worldSize, bool explain,
                                        const std::function<bool()> &stopped);
// One Evidence per path, in order, at least L3 if the format allows it.
std::vector<Result<Evidence>> inspectFiles(NodeClient &node, const std::vector<std::string> &paths);

}  // namespace rankdeck
