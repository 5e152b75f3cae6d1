// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/shell/job_choice.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace rankdeck::ctl {
namespace {

const char *const extension = ".rankdeck.json";

std::vector<std::string> jobFilesOf(const std::string &directory)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.ends_with(extension) && name.front() != '.') names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string listOf(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names) text += (text.empty() ? "" : ", ") + printable(name);
    return text;
}

Result<std::string> picked(const std::vector<std::string> &names)
{
    for (std::size_t i = 0; i < names.size(); ++i) std::cerr << "  " << i + 1 << "  " << printable(names[i]) << "\n";
    std::cerr << "Which job? 1 to " << names.size() << ": " << std::flush;
    std::string typed;
    if (!std::getline(std::cin, typed)) return fail(ErrorKind::cancelled, "no job was picked");
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
    if (error != std::errc() || end != typed.data() + typed.size() || number < 1 || number > names.size())
        return fail(ErrorKind::invalid,
                    "expected a number from 1 to " + std::to_string(names.size()) + ", found \"" + typed + "\"");
    return names[number - 1];
}

}  // namespace

Result<std::string> jobOfDirectory(const std::string &directory, Asking asking)
{
    const std::vector<std::string> names = jobFilesOf(directory);
    if (names.empty())
        return fail(
            ErrorKind::notFound,
            "this command needs a job: --job FILE, or a directory with a file NAME.rankdeck.json; found none in " +
                directory);
    Result<std::string> name = names.front();
    if (names.size() > 1) {
        if (asking == Asking::never || isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0)
            return fail(ErrorKind::invalid, "this directory has " + std::to_string(names.size()) +
                                                " jobs: " + listOf(names) + "; choose one with --job FILE");
        name = picked(names);
        if (!name) return name;
    }
    return (std::filesystem::path(directory) / *name).string();
}

}  // namespace rankdeck::ctl
