// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/plan/plan_secrets.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

namespace {

// Writes single bytes with printf, which every shell has. The file may be read-only.
std::string patched(const FileActionRequest &step)
{
    if (step.patches.empty()) return {};
    const std::string path = shellQuoted(step.path), target = shellQuoted(step.target);
    std::string text = " && chmod u+w -- " + path;
    for (const BytePatch &patch : step.patches) {
        std::string bytes;
        for (const char c : patch.after) {
            const auto byte = static_cast<unsigned char>(c);
            for (const int shift : {6, 3, 0})
                bytes += (shift == 6 ? "\\" : "") + std::to_string((static_cast<unsigned>(byte) >> shift) & 7U);
        }
        text += " && printf '" + bytes + "' | dd of=" + path + " bs=1 seek=" + std::to_string(patch.offset) +
                " conv=notrunc status=none";
    }
    return text + " && chmod --reference=" + target + " -- " + path + " && touch --reference=" + target + " -- " + path;
}

std::string fileStep(const FileActionRequest &step)
{
    const std::string path = shellQuoted(step.path), target = shellQuoted(step.target);
    switch (step.action) {
    case FileAction::move: return "test ! -e " + target + " && mv -nT -- " + path + " " + target;
    case FileAction::makeDirectory: return "mkdir -p -- " + shellQuoted(dirName(step.path)) + " && mkdir -- " + path;
    case FileAction::makeLink: return "ln -s -- " + target + " " + path;
    case FileAction::remove: return "rm -- " + path;
    case FileAction::removeEmptyDirectory: return "rmdir -- " + path;
    case FileAction::makeHardLink: return "ln -T -- " + target + " " + path + " || cp -pnT -- " + target + " " + path;
    case FileAction::copyFile: return "test ! -e " + path + " && cp -pnT -- " + target + " " + path + patched(step);
    }
    return {};
}

// Quotes text for the shell. Each secret is replaced by a variable that the user of the script must set.
std::string quoted(const std::string &text, const Secrets &secrets)
{
    std::string hidden = secrets.hide(text);
    const auto names = secrets.namesIn(text);
    if (names.empty()) return shellQuoted(text);
    hidden = "'" + replaceAll(std::move(hidden), "'", "'\\''") + "'";
    for (const std::string &name : names)
        hidden = replaceAll(std::move(hidden), hiddenText(name), "'\"${" + name + ":?set it first}\"'");
    return hidden;
}

std::string diffLines(const FileEdit &edit, const Secrets &secrets)
{
    std::string text;
    for (const std::string &line : split(secrets.hide(edit.diff), '\n'))
        if (!line.empty()) text += "    # " + printable(line) + "\n";
    return text;
}

// Edits a key of a ConfigMap; the server refuses the patch if the object has changed since the plan was made.
std::string configMapSteps(const FileEdit &edit, const Secrets &secrets)
{
    const std::vector<std::string> parts = split(edit.path, '/');
    if (parts.size() != 4) return {};
    nlohmann::ordered_json patch;
    patch["metadata"]["resourceVersion"] = edit.expectedSha256;
    patch["data"][parts[3]] = validUtf8(edit.after);
    return diffLines(edit, secrets) + "    kubectl patch configmap " + shellQuoted(parts[2]) +
           " --namespace=" + shellQuoted(parts[1]) + " --type=merge --patch=" + shellQuoted(patch.dump()) + "\n";
}

std::string editSteps(const FileEdit &edit, const Secrets &secrets)
{
    const std::string path = shellQuoted(edit.path);
    std::string text = diffLines(edit, secrets);
    text += "    echo " + shellQuoted(edit.expectedSha256 + "  " + edit.path) +
            " | sha256sum --check --status - || { echo " +
            shellQuoted(edit.path + " has changed since the plan was made") + " >&2; exit 1; }\n";
    text += "    file=$(readlink -e -- " + path + ") && cp -p -- \"$file\" \"$file.new\" && printf %s " +
            quoted(edit.after, secrets) + " > \"$file.new\" && mv -fT -- \"$file.new\" \"$file\"\n";
    return text;
}

std::string newFileSteps(const FileEdit &edit, const Secrets &secrets)
{
    const std::string path = shellQuoted(edit.path);
    const std::string mask = secrets.namesIn(edit.after).empty() ? "" : "umask 077; ";
    return "    test ! -e " + path + " && (" + mask + "printf %s " + quoted(edit.after, secrets) + " > " + path + ")\n";
}

// Ends a process only if it is still the same one: another process may have its pid by then.
std::string endStep(const ProcessEnd &end)
{
    const std::string pid = std::to_string(end.process.pid);
    const std::string same = "[ \"$(sed 's/.*) //' /proc/" + pid +
                             "/stat 2>/dev/null | cut -d' ' -f20)\" = " + std::to_string(end.process.startTicks) + " ]";
    const std::string first = end.signal == Signal::interrupt ? "INT" : end.signal == Signal::kill ? "KILL" : "TERM";
    return "    # " + printable(end.text) + "\n    if " + same + "; then kill -" + first + " " + pid +
           "; for _ in 1 2 3 4 5 6 7 8 9 10; do " + same + " && sleep 1; done; " + same + " && kill -KILL " + pid +
           "; fi || true\n";
}

std::string launchSteps(const LaunchRequest &launch, const Secrets &secrets)
{
    std::string text = "    mkdir -p -- " + shellQuoted(dirName(launch.output)) + "\n    (";
    if (!launch.workdir.empty()) text += "cd -- " + shellQuoted(launch.workdir) + " && ";
    text += "exec env";
    for (const auto &[name, value] : launch.env) text += " " + quoted(name + "=" + value, secrets);
    text += " setsid";
    for (const std::string &argument : launch.argv) text += " " + quoted(argument, secrets);
    return text + " </dev/null >>" + shellQuoted(launch.output) + " 2>&1) &\n";
}

}  // namespace

std::string planAsScript(const Plan &plan)
{
    // The user of the script must supply the secrets. Everything else must be in the script, otherwise it would not do
    // the same as the plan.
    const Secrets secrets = secretsOf(plan, Secrets::Which::byName);
    std::string names;
    for (const NodePlan &node : plan.nodes) names += (names.empty() ? "" : ", ") + printable(node.node);
    std::string text = "#!/bin/bash\n# " + printable(plan.id) + ": " + printable(secrets.hide(plan.summary)) +
                       "\n# Run it on each node, first with \"prepare\", then with \"launch\":  bash SCRIPT NODE "
                       "prepare|launch\n# Nodes: " +
                       names + "\nset -eu\ncase \"${1:?which node}/${2:?prepare or launch}\" in\n";
    for (const NodePlan &node : plan.nodes) {
        text += shellQuoted(node.node + "/prepare") + ")\n";
        for (const ProcessEnd &end : node.ends) text += endStep(end);
        for (const FileCopy &copy : node.copies)
            text += "    test -e " + shellQuoted(copy.path) + " || { echo " +
                    shellQuoted("copy " + copy.from + " of node " + copy.fromNode + " to " + copy.path + " first") +
                    " >&2; exit 1; }\n";
        for (const FileEdit &edit : node.edits)
            if (!edit.expectedSha256.empty())
                text += node.node == clusterNodeName ? configMapSteps(edit, secrets) : editSteps(edit, secrets);
        for (const FileActionRequest &step : node.files) text += "    " + fileStep(step) + "\n";
        for (const FileEdit &edit : node.edits)
            if (edit.expectedSha256.empty()) text += newFileSteps(edit, secrets);
        text += "    ;;\n" + shellQuoted(node.node + "/launch") + ")\n";
        for (const LaunchRequest &launch : node.launches) text += launchSteps(launch, secrets);
        text += "    ;;\n";
    }
    return text + "*)\n    echo \"no such node or step: $1 $2\" >&2\n    exit 2\n    ;;\nesac\n";
}

}  // namespace rankdeck
