// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>

namespace rankdeck {

namespace {

// True for "sink_size=4": a number above one.
bool sinksSeveral(const std::string &script)
{
    const std::string word = "sink_size=";
    for (std::size_t at = script.find(word); at != std::string::npos; at = script.find(word, at + 1)) {
        const std::string_view rest = std::string_view(script).substr(at + word.size());
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        if (digits > 0 && digits < 10 && decimal(rest.substr(0, digits)).value_or(0) > 1) return true;
    }
    return false;
}

// True for modes that need MindIO; repeating a step (TRE) does not need it.
bool needsMindio(const std::string &modes)
{
    return contains(modes, "TTP:1") || contains(modes, "UCE:1") || contains(modes, "ARF:1") ||
           contains(modes, "HCCE:1");
}

void refuse(Findings &into, const std::string &node, const Message &text, const Message &fix)
{
    into.push_back(onNode(warning("fault_tolerance", text, fix), node));
}

// Settings that MindSpore refuses at start-up or silently ignores.
void checkScript(Findings &into, const std::string &node, const std::string &text, const std::string &modes)
{
    const std::string script = squeezedPython(text);
    if (needsMindio(modes) && contains(script, "PYNATIVE_MODE") && !contains(script, "GRAPH_MODE"))
        refuse(into, node,
               message("MS_ENABLE_TFT requests %1, which works only in graph mode, but the script runs in PyNative "
                       "mode: its ranks are not protected",
                       printable(modes)),
               message("set GRAPH_MODE in the script, or leave launch.fault_tolerance out"));
    if (needsMindio(modes) && sinksSeveral(script))
        refuse(into, node,
               message("MS_ENABLE_TFT requests %1, and the script has a sink_size above 1, which its fault tolerance "
                       "does not support",
                       printable(modes)),
               message("set sink_size=1 in the script"));
    const bool registers = contains(script, "TFTRegister(") || contains(script, "TrainFaultTolerance(");
    if (needsMindio(modes) && registers && !contains(script, "OptTFTWrapper") &&
        !contains(script, "get_optimizer_wrapper"))
        refuse(into, node,
               message("MS_ENABLE_TFT requests %1, and the script wraps no optimizer (OptTFTWrapper): MindIO cannot "
                       "see the weights change, so its ranks are not protected",
                       printable(modes)),
               message("wrap the optimizer in the script: nn.OptTFTWrapper(optimizer)"));
    const bool recompiles = contains(modes, "UCE:1") || contains(modes, "ARF:1");
    if (recompiles && (contains(script, "jit_level=\"O2\"") || contains(script, "jit_level='O2'") ||
                       contains(script, "\"jit_level\":\"O2\"")))
        refuse(into, node,
               message(
                   "MS_ENABLE_TFT requests %1, and the script sets jit_level O2, with which MindSpore refuses to train",
                   printable(modes)),
               message("set jit_level O0 or O1 in the script"));
}

// If a process of this job already uses the controller's port, it is listed among the leftover processes.
void checkController(Findings &into, const ResumeFacts &facts)
{
    const FaultController &controller = facts.controller;
    if (controller.port == 0 || controller.busy.isNo()) return;
    const std::string hold = "port " + std::to_string(controller.port);
    if (controller.busy.isUnknown()) {
        into.push_back(onNode(warning("port",
                                      message("cannot tell whether %1 on node %2 is free for MindIO's controller (%3)",
                                              hold, printable(controller.node), controller.by),
                                      message("check there with \"ss -ltn\"")),
                              controller.node));
        return;
    }
    const bool ours =
        std::any_of(facts.survivors.all.begin(), facts.survivors.all.end(), [&](const OrphanProcess &survivor) {
            return survivor.node == controller.node &&
                   std::find(survivor.holds.begin(), survivor.holds.end(), hold) != survivor.holds.end();
        });
    if (ours) return;
    into.push_back(
        onNode(refusal("port_in_use",
                       message("expected %1 on node %2 free for MindIO's controller (%3), found another listener", hold,
                               printable(controller.node), controller.by),
                       message("end that listener, or set a different port in MS_TFT_PORT or in the script")),
               controller.node));
}

}  // namespace

void checkProtection(Findings &into, const ResumeFacts &facts)
{
    const auto told = facts.view.job.launch.env.find("MS_ENABLE_TFT");
    if (told == facts.view.job.launch.env.end() || told->second.empty()) return;
    const std::string &modes = told->second;
    checkController(into, facts);
    if (const std::string plain = squeezedPython(modes); plain != modes && needsMindio(plain) && !needsMindio(modes))
        into.push_back(warning(
            "fault_tolerance",
            message(
                "MS_ENABLE_TFT is \"%1\": MindSpore looks for \"TTP:1\" without blanks, so the ranks are not protected",
                printable(modes)),
            message("write %1, or set the modes in launch.fault_tolerance", plain)));
    for (const auto &[node, script] : facts.programs.scriptTexts) checkScript(into, node, script, modes);
    if (!needsMindio(modes)) return;
    for (const auto &[node, searched] : facts.programs.withoutMindio)
        into.push_back(onNode(warning("fault_tolerance",
                                      message("MS_ENABLE_TFT requests %1, and the interpreter on node %2 has no "
                                              "mindio_ttp in %3: MindSpore would fail when it imports the module",
                                              printable(modes), printable(node), printable(searched)),
                                      message("install MindIO there, or leave launch.fault_tolerance out")),
                              node));
}

}  // namespace rankdeck
