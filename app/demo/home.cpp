// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/home.h"

#include "app/demo/keeper_plan.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

constexpr std::string_view namePrefix = "rankdeck-demo-";

struct Owner {
    std::string id;
    std::string boot;
    ProcessStart process;
};

bool ownDirectory(const std::string &path)
{
    struct stat found {};
    return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid();
}

std::optional<Owner> readOwner(const std::string &home)
{
    const auto text = readLocalFile(ownerFile(home), 65536);
    if (!text) return std::nullopt;
    const auto json = nlohmann::json::parse(text.value(), nullptr, false);
    if (!json.is_object()) return std::nullopt;
    Owner owner;
    owner.id = json.value("id", "");
    owner.boot = json.value("boot", "");
    owner.process = {json.value("pid", 0), json.value("start", std::uint64_t{0})};
    // An id of another length is not ours; an empty one would match nothing.
    if (owner.id.size() != 32) return std::nullopt;
    return owner;
}

void endKeeper(const KeeperReady &ready)
{
    if (ready.boot == bootId() && isAlive(ready.keeper) && ready.keeper.pid > 1) kill(ready.keeper.pid, SIGKILL);
}

}  // namespace

std::string ownerFile(const std::string &home) { return joinPath(home, "owner.json"); }
std::string readyFile(const std::string &home) { return joinPath(home, "ready.json"); }
std::string nodeDirectory(const std::string &home, const std::string &node) { return joinPath(home, node); }

std::string newClusterId()
{
    std::random_device random;
    std::string id;
    for (int i = 0; i < 32; ++i) id += "0123456789abcdef"[random() % 16];
    return id;
}

std::string defaultParent()
{
    const char *const runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime && runtime[0] == '/' && ownDirectory(runtime) && access(runtime, W_OK | X_OK) == 0) return runtime;
    return "/tmp";
}

Result<std::string> makeHome(const std::string &parent, const std::string &id)
{
    std::string path = joinPath(parent, std::string(namePrefix) + "XXXXXX");
    if (!mkdtemp(path.data()))
        return fail(errno == ENOSPC ? ErrorKind::noSpace : ErrorKind::permission,
                    "cannot make the demo's directory under " + parent + ": " + std::strerror(errno));
    const auto self = processStart(getpid());
    const nlohmann::json owner = {{"id", id}, {"boot", bootId()}, {"pid", self.pid}, {"start", self.startTicks}};
    if (auto written = writeLocalFileAtomically(ownerFile(path), owner.dump()); !written) {
        removeHome(path);
        return written.error();
    }
    return path;
}

bool removeHome(const std::string &directory)
{
    if (baseName(directory).rfind(namePrefix, 0) != 0 || !ownDirectory(directory)) return false;
    std::error_code problem;
    std::filesystem::remove_all(directory, problem);
    return !problem;
}

std::vector<std::string> cleanLeftovers(const std::string &parent)
{
    std::vector<std::string> cleaned;
    std::vector<std::string> homes;
    if (DIR *open = opendir(parent.c_str())) {
        while (const dirent *entry = readdir(open))
            if (std::string_view(entry->d_name).starts_with(namePrefix))
                homes.push_back(joinPath(parent, entry->d_name));
        closedir(open);
    }
    for (const auto &home : homes) {
        if (!ownDirectory(home)) continue;
        const auto owner = readOwner(home);
        if (!owner || (owner->boot == bootId() && isAlive(owner->process))) continue;
        KeeperReady ready;
        if (const auto text = readLocalFile(readyFile(home)))
            if (auto read = readyFromJson(text.value())) ready = std::move(read.value());
        if (owner->boot == bootId()) {
            endKeeper(ready);
            if (ready.boot != owner->boot) ready.servers.clear();
            killProcessesOf(owner->id, ready.servers, 10);
        }
        if (removeHome(home)) cleaned.push_back(home);
    }
    return cleaned;
}

}  // namespace rankdeck::demo
