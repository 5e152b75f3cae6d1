// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/launch/launch_words.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"
#include "core/job/secrets.h"

#include <algorithm>
#include <array>
#include <set>

namespace rankdeck {

namespace {

// In order of preference; the frameworks' own scripts and the common trainers use these.
const std::array<std::string, 11> resumeOptions{"--resume",
                                                "--resume_from_checkpoint",
                                                "--resume-from-checkpoint",
                                                "--load_checkpoint",
                                                "--load-checkpoint",
                                                "--pre_trained",
                                                "--pretrained_ckpt",
                                                "--resume_ckpt",
                                                "--resume-ckpt",
                                                "--restore_path",
                                                "--restore"};

// Set by shells, logins and terminals; not meant for a job.
bool ofTheShell(const std::string &name)
{
    static const std::set<std::string> names{
        "_",        "PWD",      "OLDPWD",    "SHLVL",   "TERM",     "HOME",          "USER",
        "LOGNAME",  "SHELL",    "MAIL",      "DISPLAY", "LINES",    "COLUMNS",       "COLORTERM",
        "PS1",      "HISTFILE", "PAGER",     "EDITOR",  "LESSOPEN", "LESSCLOSE",     "LS_COLORS",
        "HOSTNAME", "TMUX",     "TMUX_PANE", "STY",     "WINDOWID", "INVOCATION_ID", "JOURNAL_STREAM"};
    return names.contains(name) || name.starts_with("SSH_") || name.starts_with("XDG_") || name.starts_with("DBUS_") ||
           name.starts_with("VSCODE_") || name.starts_with("TERM_") || name.starts_with("LC_") ||
           name.starts_with("BASH_FUNC_");
}

bool wordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// A switch ("store_true") takes no checkpoint.
bool takesAValue(const std::string &text, std::size_t at)
{
    const std::string declaration = text.substr(at, text.find('\n', at) - at);
    return declaration.find("store_true") == std::string::npos && declaration.find("bool") == std::string::npos;
}

}  // namespace

ChosenEnvironment chooseEnvironment(const std::map<std::string, std::string> &process,
                                    const std::map<std::string, std::string> &login, bool ownLauncher,
                                    const std::string &script)
{
    ChosenEnvironment chosen;
    for (const auto &[name, value] : process) {
        const auto own = login.find(name);
        if (own != login.end() && own->second == value) continue;
        if (ofTheShell(name) || name == "RANKDECK_LAUNCH_ID" || isToldAnew(name, ownLauncher) || value.size() > 32768)
            continue;
        const bool named = containsName(script, name);
        if (soundsSecret(name) || (named && mayBeSecret(name, value)))
            chosen.secrets.push_back(name);
        else if (named || isKnownVariable(name))
            chosen.job[name] = value;
    }
    return chosen;
}

std::string resumeOptionIn(const std::string &programText)
{
    for (const std::string &option : resumeOptions)
        for (std::size_t at = programText.find(option); at != std::string::npos;
             at = programText.find(option, at + 1)) {
            const bool begins = at == 0 || !wordCharacter(programText[at - 1]);
            const std::size_t end = at + option.size();
            const bool ends = end >= programText.size() || !wordCharacter(programText[end]);
            if (begins && ends && takesAValue(programText, at)) return option;
        }
    return {};
}

bool isResumeOption(const std::string &word)
{
    return std::find(resumeOptions.begin(), resumeOptions.end(), word) != resumeOptions.end();
}

}  // namespace rankdeck
