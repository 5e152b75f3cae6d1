// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/config_outputs.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/yaml_root.h"
#include "core/recover/flag/tft_callback.h"

#include <algorithm>
#include <filesystem>

namespace rankdeck {

namespace {

constexpr std::uint32_t yamlBytes = 256u << 10;
constexpr std::size_t mostYamls = 4;

// output_path, checkpoint_dir, save_checkpoint_path, train_url. Not load_path, and not the files from which training
// starts.
bool keyNamesASave(const std::string &key)
{
    const bool place = key.ends_with("path") || key.ends_with("dir") || key.ends_with("directory") ||
                       key.ends_with("folder") || key.ends_with("url");
    const bool saves = contains(key, "output") || contains(key, "save") || contains(key, "checkpoint") ||
                       contains(key, "ckpt") || key == "train_url";
    return place && saves && !contains(key, "load") && !contains(key, "pre") && !contains(key, "resume") &&
           !contains(key, "file_path");
}

std::string absoluteIn(const std::string &directory, const std::string &path)
{
    namespace fs = std::filesystem;
    const std::string text = (fs::path(directory) / path).lexically_normal().string();
    return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

// --config_path=/job/resnet50.yaml, --config llama.yaml
std::vector<std::string> configsOf(const RankTrace &rank)
{
    std::vector<std::string> configs;
    for (std::size_t at = 1; at < rank.process.argv.size() && configs.size() < mostYamls; ++at) {
        std::string value = rank.process.argv[at];
        if (const std::size_t equals = value.find('='); value.starts_with("-") && equals != std::string::npos)
            value = value.substr(equals + 1);
        const bool yaml = value.ends_with(".yaml") || value.ends_with(".yml");
        if (yaml && !value.starts_with("-") && !rank.process.cwd.empty())
            configs.push_back(absoluteIn(rank.process.cwd, value));
    }
    return configs;
}

}  // namespace

std::string dumpsOf(const std::string &script, const std::string &directory)
{
    const auto callback = tftCallbackOf(script);
    return callback && !callback->path.empty() ? absoluteIn(directory, callback->path) : std::string();
}

Result<std::vector<std::string>> outputsIn(const std::string &yaml, const std::string &directory)
{
    const auto root = yamlRoot(yaml);
    if (!root) return root.error();
    std::vector<std::string> places;
    for (const YamlKey &key : root->keys) {
        if (!keyNamesASave(key.name) || key.value.empty() || contains(key.value, "://") || contains(key.value, "\n"))
            continue;
        const std::string place = absoluteIn(directory, key.value);
        if (place.starts_with("/") && std::find(places.begin(), places.end(), place) == places.end())
            places.push_back(place);
    }
    return places;
}

ConfigOutputs configOutputs(const FoundNode &node, NodeClient &client, SteadyTime deadline)
{
    ConfigOutputs found;
    const RankTrace &rank = node.ranks.begin()->second;
    std::vector<std::pair<std::string, Reply<FileContent>>> replies;
    for (const std::string &path : configsOf(rank)) replies.emplace_back(path, client.readFile(path, yamlBytes));
    auto script = client.readFile(programOf(rank), yamlBytes);
    for (auto &[path, reply] : replies) {
        const auto content = waitFor(reply, deadline, node.name);
        if (!content) continue;  // relative to the script's directory, or gone
        auto places = outputsIn(content->bytes, rank.process.cwd);
        if (places)
            found.directories.insert(found.directories.end(), places->begin(), places->end());
        else
            found.problems.push_back(printable(path) + ": " + places.error().message);
    }
    if (const auto text = waitFor(script, deadline, node.name))
        if (std::string dumps = dumpsOf(text->bytes, rank.process.cwd); !dumps.empty())
            found.directories.push_back(std::move(dumps));
    return found;
}

}  // namespace rankdeck
