// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/huggingface/models_within.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/formats/huggingface/huggingface_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace rankdeck {
namespace {

// The folder of a backup: old/model.safetensors, model-bak/…; not fold_1.
bool isAside(std::string_view folder)
{
    static constexpr std::array words{"old", "bak", "backup", "copy", "tmp", "temp", "trash", "stale"};
    const auto isLetter = [&](std::size_t at) {
        return at < folder.size() && std::isalpha(static_cast<unsigned char>(folder[at])) != 0;
    };
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        const std::size_t at = folder.find(word);
        return at != std::string_view::npos && !(at > 0 && isLetter(at - 1)) && !isLetter(at + word.size());
    });
}

}  // namespace

bool isDeepspeedDirectory(std::string_view name)
{
    if (name.starts_with("global_step")) return true;
    return takeStart(name, "pytorch_model") && (name.empty() || (takeStart(name, "_") && decimal(name)));
}

bool isPartDirectory(std::string_view name)
{
    return name.starts_with("pytorch_model_fsdp") || name.starts_with("optimizer_") || isDeepspeedDirectory(name);
}

bool isModelWithin(std::string_view name)
{
    return isInner(name) && !isPartDirectory(topOf(name)) && !isAside(topOf(name)) &&
           isWeightFile(baseName(std::string(name)));
}

// unet_ema/config.json
bool isConfigWithin(std::string_view name)
{
    return isInner(name) && !isPartDirectory(topOf(name)) && !isAside(topOf(name)) &&
           name.substr(topOf(name).size() + 1) == "config.json";
}

Result<std::vector<std::string>> foldersOfPipeline(const std::string &bytes)
{
    const nlohmann::json index = parseJsonText(bytes);
    if (!index.is_object()) return fail(ErrorKind::invalid, message("is not a JSON object"));
    std::vector<std::string> folders;
    for (const auto &[name, value] : index.items())
        if (!name.starts_with("_") && value.is_array() && value.size() == 2 && value[0].is_string())
            folders.push_back(name);
    return folders;
}

}  // namespace rankdeck
