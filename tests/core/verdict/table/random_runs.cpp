// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/table/random_runs.h"

#include "core/base/text.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::test {
namespace {

// The path of a component in a save, for each naming.
constexpr Naming allNamings[] = {
    [](const std::string &w, const std::string &n) { return w + "_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return n + "_" + w + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "-step" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "_epoch" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "ckpt-" + n + "-" + w + ".pth"; },
    [](const std::string &w, const std::string &n) { return "net34_" + w + "_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "step_" + n + "/" + w + ".pt"; },
    [](const std::string &w, const std::string &n) { return n + "/" + w + ".pth"; },
    [](const std::string &w, const std::string &n) { return "checkpoint-" + n + "/" + w + ".pt"; },
    [](const std::string &w, const std::string &n) { return "save_" + n + "/" + w + "_" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "/" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "/step_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return w + "." + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "v1.5-" + w + "-" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "_" + n + ".pyth"; },
    [](const std::string &w, const std::string &n) { return "run#3#" + w + "_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "step_" + n + "/" + w + "/model.pt"; },
    [](const std::string &w, const std::string &n) { return "checkpoint-" + n + "/" + w + "/" + w + ".pth"; },
    [](const std::string &w, const std::string &n) { return n + "/models/" + w + "/state.pt"; },
    [](const std::string &w, const std::string &n) { return w + "-it-" + n + "/model.pt"; },
    [](const std::string &w, const std::string &n) { return "out2/" + w + ".step_" + n + "/state.pt"; },
    [](const std::string &w, const std::string &n) { return "iter" + n + "/exp1/" + w + ".pth"; },
};

}  // namespace

std::span<const Naming> namings() { return allNamings; }

namespace {

// layer: name of the tensor. values: number of the file that determines the values.
std::string stateOf(const std::string &layer, int values, std::int64_t step, bool counts, const std::string &root)
{
    std::mt19937 signs(static_cast<unsigned>(values) + 1);
    std::vector<float> weights;
    for (int i = 0; i < 64; ++i) {
        const bool negative = (signs() >> 7 & 1) != 0;
        weights.push_back((negative ? -1.0f : 1.0f) * (1.0f + float(i) + 0.001f * float(step % 997)));
    }
    std::vector<std::pair<std::string, std::string>> moments{{"exp_avg", pkl::floats("1", 64)}}, items;
    if (counts) moments.insert(moments.begin(), {"step", pkl::integer(step)});
    items = {{"model", pkl::dict({{layer + ".weight", pkl::floats("0", 64)}})},
             {"optimizer", pkl::dict({{"state", "}(" + pkl::integer(0) + pkl::dict(moments) + "u"},
                                      {"param_groups", pkl::list({pkl::dict({})})}})}};
    if (counts) items.emplace_back("iteration", pkl::integer(step));
    return torchZip(pkl::whole(pkl::dict(items)), {{"0", floatBytes(weights)}, {"1", floatBytes(weights)}}, root);
}

}  // namespace

std::string componentState(int component, std::int64_t step, bool alike, bool counts, const std::string &root)
{
    return stateOf("layer" + (alike ? std::string() : std::to_string(component)), component, step, counts, root);
}

// torch names the folder in an archive after the file.
std::string stemOf(const std::string &path)
{
    const std::string name = baseName(path);
    return name.substr(0, name.rfind('.'));
}

SavedRun randomRun(std::mt19937 &random, Naming naming, std::size_t counting)
{
    const auto upTo = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
    std::vector<std::string> words;
    for (int i = upTo(2, 4); i > 0; --i) {
        std::string word(std::size_t(upTo(1, 9)), 'a');
        for (char &c : word) c = static_cast<char>('a' + upTo(0, 25));
        if (upTo(0, 3) == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
        words.push_back(word + std::string(1, static_cast<char>('a' + i)));  // no two are the same
    }
    if (upTo(0, 2) == 0) {
        static const std::vector<std::vector<std::string>> known{{"generator", "discriminator"},
                                                                 {"actor", "critic"},
                                                                 {"policy", "value"},
                                                                 {"student", "teacher"},
                                                                 {"netG", "netD"},
                                                                 {"model_a", "model_b"},
                                                                 {"ckpt", "ema"},
                                                                 {"ckpt", "optim"},
                                                                 {"encoder", "decoder"},
                                                                 {"\xe7\x94\x9f", "\xe5\x88\xa4"}};
        words = known[std::size_t(upTo(0, int(known.size()) - 1))];
    }
    const int first = upTo(0, 3), pace = std::vector<int>{1, 5, 500, 1000}[std::size_t(upTo(0, 3))];
    const bool padded = upTo(0, 1) == 1;
    const auto stepOf = [&](int save) { return (first + save + 1) * std::int64_t(pace); };
    const auto numberOf = [&](int save) {
        const std::string number = std::to_string(stepOf(save));
        return padded && number.size() < 7 ? std::string(7 - number.size(), '0') + number : number;
    };
    SavedRun run;
    run.naming = naming;
    run.words = words;
    for (int save = 0; save < upTo(3, 4) || save < 3; ++save) {
        const std::int64_t step = stepOf(save);
        const std::string number = numberOf(save);
        run.numbers.push_back(number);
        run.saves.emplace_back();
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string path = naming(words[i], number);
            run.files.put(path, componentState(int(i), step, false, i < counting, stemOf(path)),
                          std::int64_t(save) * 3600 + std::int64_t(i) * 3, 0644);
            run.saves.back().push_back(path);
        }
    }
    for (const std::string &path : run.saves.back()) run.text += path + " ";
    run.nextNumber = numberOf(int(run.saves.size()));
    return run;
}

std::span<const char *const> rankedForms()
{
    static constexpr const char *forms[] = {"rank_{r}/{w}_{n}.pth",
                                            "rank_{r}/step_{n}/{w}.pt",
                                            "step_{n}/rank_{r}/{w}.pt",
                                            "step_{n}/{w}_rank{r}.pt",
                                            "ckpt_{n}/{w}/rank_{r}.pt",
                                            "{w}_{n}_rank{r}.pt",
                                            "{n}/gpu{r}/{w}.pth",
                                            "epoch_{n}/rank{r}_{w}.pt",
                                            "save{n}/{w}/rank_{r}.pt",
                                            "step_{n}/device_{r}/{w}.pt",
                                            "step_{n}-rank{r}/{w}.pt",
                                            "{w}_rank{r}/checkpoint-{n}.pt",
                                            "device{r}-step_{n}-{w}/state.pth",
                                            "step_{n}-{w}/rank{r}.pth",
                                            "model2/rank{r}-{w}-s{n}.pth",
                                            "{w}-it-{n}/x7/rank_{r}.pt"};
    return forms;
}

SavedRun randomRankedRun(std::mt19937 &random, const std::string &form)
{
    const auto upTo = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
    const int ranks = upTo(2, 4), pace = std::vector<int>{1, 5, 500, 1000}[std::size_t(upTo(0, 3))];
    const std::vector<std::string> words =
        std::vector<std::vector<std::string>>{{"model"}, {"gen", "zork"}, {"x", "yy", "zzz"}}[std::size_t(upTo(0, 2))];
    SavedRun run;
    run.naming = [form](const std::string &word, const std::string &number) {
        const std::size_t bar = word.find('|');
        return replaceAll(replaceAll(replaceAll(form, "{r}", word.substr(0, bar)), "{w}", word.substr(bar + 1)), "{n}",
                          number);
    };
    for (int rank = 0; rank < ranks; ++rank)
        for (const std::string &word : words) run.words.push_back(std::to_string(rank) + "|" + word);
    for (int save = 1; save <= 4; ++save) {
        const std::int64_t step = std::int64_t(save) * pace;
        run.numbers.push_back(std::to_string(step));
        run.saves.emplace_back();
        for (std::size_t i = 0; i < run.words.size(); ++i) {
            const int rank = int(i / words.size()), word = int(i % words.size());
            const std::string path = run.naming(run.words[i], run.numbers.back());
            run.files.put(path, stateOf("layer" + std::to_string(word), word + 10 * rank, step, true, stemOf(path)),
                          std::int64_t(save) * 3600 + std::int64_t(i) * 3, 0644);
            run.saves.back().push_back(path);
        }
    }
    for (const std::string &path : run.saves.back()) run.text += path + " ";
    run.nextNumber = std::to_string(5 * pace);
    return run;
}

void eachSeed(std::size_t naming, unsigned seeds, const std::function<void(std::mt19937 &, Naming)> &check)
{
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE("naming " + std::to_string(naming) + ", seed " + std::to_string(seed));
        std::mt19937 random(seed * 100 + unsigned(naming));
        check(random, allNamings[naming]);
    }
}

void eachRun(unsigned seeds, const std::function<void(std::mt19937 &, Naming)> &check)
{
    for (std::size_t naming = 0; naming < namings().size(); ++naming) eachSeed(naming, seeds, check);
}

}  // namespace rankdeck::test
