// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/kept.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace rankdeck {

namespace {

namespace fs = std::filesystem;

constexpr std::streamoff mostOfAFile = 1 << 20;
constexpr std::streamoff mostInAll = 64 << 20;

bool isPrivateKey(const fs::path &file)
{
    std::string beginning(100, '\0');
    std::ifstream(file, std::ios::binary).read(beginning.data(), std::streamsize(beginning.size()));
    return beginning.find("PRIVATE KEY-----") != std::string::npos;
}

// Copies the end of a file; returns the bytes that it copied.
std::streamoff copyEnd(const fs::path &from, const fs::path &to)
{
    std::ifstream in(from, std::ios::binary | std::ios::ate);
    if (!in) return 0;
    const std::streamoff size = in.tellg();
    in.seekg(std::max<std::streamoff>(0, size - mostOfAFile));
    fs::create_directories(to.parent_path());
    std::ofstream(to, std::ios::binary) << in.rdbuf();
    return std::min(size, mostOfAFile);
}

void keep(const fs::path &directory, const fs::path &target)
{
    std::streamoff copied = 0;
    const auto options = fs::directory_options::skip_permission_denied;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(directory, options)) {
        if (!entry.is_regular_file() || entry.is_symlink() || isPrivateKey(entry.path())) continue;
        if (copied > mostInAll) break;
        copied += copyEnd(entry.path(), target / fs::relative(entry.path(), directory));
    }
    if (copied > 0) std::fprintf(stderr, "kept: %s\n", target.c_str());
}

}  // namespace

std::string keptDirectory()
{
    const char *base = std::getenv("RANKDECK_KEEP");
    const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
    if (!base || !*base || !test) return {};
    std::string name = std::string(program_invocation_short_name) + "." + test->test_suite_name() + "." + test->name();
    for (char &c : name)
        if (c == '/') c = '_';
    return std::string(base) + "/" + name;
}

void keepIfFailed(const std::string &directory) noexcept
try {
    if (!testing::Test::HasFailure() && std::uncaught_exceptions() == 0) return;
    const std::string target = keptDirectory();
    if (!target.empty()) keep(directory, fs::path(target) / fs::path(directory).filename());
} catch (const std::exception &error) {
    std::fprintf(stderr, "what the test left could not be kept: %s\n", error.what());
}

}  // namespace rankdeck
