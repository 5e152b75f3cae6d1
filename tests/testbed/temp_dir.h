// SPDX-License-Identifier: GPL-3.0-or-later
// A new directory under $TMPDIR (or /tmp), which is removed with its contents at the end of the scope. A failed test
// keeps its files. Throws std::runtime_error if it cannot be created, because a test cannot continue without it.
#pragma once

#include "tests/testbed/kept.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rankdeck {

class TempDir {
public:
    TempDir()
    {
        const char *base = std::getenv("TMPDIR");
        std::string name = std::string(base && *base ? base : "/tmp") + "/rankdeck-test-XXXXXX";
        if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a directory like " + name);
        m_path = name;
    }
    ~TempDir()
    {
        keepIfFailed(m_path);
        std::error_code ignored;  // files that a test has made unreadable are left
        std::filesystem::remove_all(m_path, ignored);
    }
    TempDir(const TempDir &) = delete;
    TempDir &operator=(const TempDir &) = delete;

    [[nodiscard]] const std::string &path() const { return m_path; }
    [[nodiscard]] std::string file(std::string_view name) const { return m_path + "/" + std::string(name); }
    // Makes the directories above it; returns the absolute path.
    std::string write(std::string_view name, std::string_view bytes) const
    {
        const std::filesystem::path at = file(name);
        std::filesystem::create_directories(at.parent_path());
        std::ofstream(at, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(bytes.size()));
        return at.string();
    }
    [[nodiscard]] std::string read(std::string_view name) const
    {
        std::ostringstream all;
        all << std::ifstream(file(name), std::ios::binary).rdbuf();
        return all.str();
    }

private:
    std::string m_path;
};

}  // namespace rankdeck
