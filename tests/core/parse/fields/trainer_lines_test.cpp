// SPDX-License-Identifier: GPL-3.0-or-later
// Output of public trainers: tests/data/recorded_logs/trainers.txt has some lines of each, and their meaning. Logs of
// real runs are in the same directory. Sections that are marked as unread are known to be read only in part or not at
// all. Programs that train nothing give no sample.
#include "tests/core/parse/fields/log_sections.h"
#include "tests/core/parse/parsed_lines.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace rankdeck::trainer_lines_test {
namespace {

std::string shown(const Sample &sample)
{
    const auto text = [](const auto &value) { return value ? std::to_string(*value) : std::string("-"); };
    return "loss " + (sample.hasLoss ? std::to_string(sample.loss) : std::string("none")) + " epoch " +
           text(sample.epoch) + " step " + text(sample.step) + " global " + text(sample.globalStep) + " fraction " +
           text(sample.fractionalEpoch) + " total " + std::to_string(sample.total) + " per epoch " +
           std::to_string(sample.stepsPerEpoch) + " lr " + text(sample.learningRate) + " norm " + text(sample.gradNorm);
}

bool isSame(double read, const std::string &printed)
{
    const double wanted = std::strtod(printed.c_str(), nullptr);
    return (std::isnan(read) && std::isnan(wanted)) || std::abs(read - wanted) <= 1e-9 * std::abs(wanted);
}

// Difference between the last observation and the expectation of the section; empty if there is none.
std::string difference(const LogSection &section, const std::vector<Sample> &samples)
{
    const auto has = [&](const char *key) { return section.says.count(key) != 0; };
    const auto said = [&](const char *key) { return section.says.at(key); };
    if (samples.empty()) return "no sample";
    const Sample &last = samples.back();
    std::string wrong;
    if (has("loss") != last.hasLoss || (last.hasLoss && !isSame(last.loss, said("loss")))) wrong += " loss";
    const std::optional<std::int64_t> step = last.step ? last.step : last.globalStep;
    if (has("step")) {
        // A bar is redrawn ten times a second, while a recorded step takes a millisecond.
        const bool late = last.globalStep && last.total > 0 &&
                          static_cast<double>(*step) >= 0.8 * std::strtod(said("step").c_str(), nullptr);
        const bool same = step && (late || isSame(static_cast<double>(*step), said("step")) ||
                                   isSame(static_cast<double>(*step - 1), said("step")));
        if (!same) wrong += " step";
        // In the first epoch both are equal.
        const bool later = has("epoch") && std::strtod(said("epoch").c_str(), nullptr) > 1;
        if (has("in_epoch") && later && step && last.step.has_value() != (said("in_epoch") == "yes"))
            wrong += " in_epoch";
    }
    if (has("epoch") && last.epoch && !isSame(static_cast<double>(*last.epoch), said("epoch")) &&
        !isSame(static_cast<double>(*last.epoch - 1), said("epoch")))
        wrong += " epoch";
    if (has("total") && has("step") && !isSame(static_cast<double>(last.total), said("total")) &&
        !isSame(static_cast<double>(last.stepsPerEpoch), said("total")))
        wrong += " total";
    if (has("lr") && !(last.learningRate && isSame(*last.learningRate, said("lr")))) wrong += " lr";
    if (has("grad_norm") && !(last.gradNorm && isSame(*last.gradNorm, said("grad_norm")))) wrong += " grad_norm";
    if (has("samples") && said("samples") != "*" && std::to_string(samples.size()) != said("samples"))
        wrong += " samples=" + std::to_string(samples.size());
    return wrong;
}

TEST(Trainers, LinesAreReadCorrectly)
{
    int bad = 0, all = 0;
    std::vector<LogSection> sections = sectionsOf("recorded_logs/trainers.txt");
    for (LogSection &section : sectionsOf("recorded_logs/public_trainers.txt")) sections.push_back(std::move(section));
    for (const LogSection &section : sections) {
        if (section.says.count("loss") + section.says.count("step") + section.says.count("epoch") == 0 ||
            section.kind != "=")
            continue;
        ++all;
        Lines lines;
        for (const std::string &line : section.lines) lines << line;
        const std::string wrong = difference(section, lines.parsed.samples);
        if (wrong.empty()) continue;
        ++bad;
        ADD_FAILURE() << section.name << ": " << wrong << "\n  wanted " << section.head << "\n  read   "
                      << (lines.parsed.samples.empty() ? "" : shown(lines.parsed.samples.back()));
    }
    EXPECT_GE(all, 155);
    std::printf("%d of %d trainers are read\n", all - bad, all);
}

TEST(RecordedTrainings, LinesAreReadCorrectly)
{
    std::ifstream table(testData() + "/recorded_logs/training/expected.txt");
    int all = 0;
    for (std::string row; std::getline(table, row); ++all) {
        LogSection section{.name = row.substr(0, row.find(' ')), .kind = "=", .head = row};
        std::istringstream words(row);
        for (std::string word; words >> word;)
            if (word.find('=') != std::string::npos)
                section.says[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
        Lines lines;
        std::ifstream file(testData() + "/recorded_logs/training/" + section.name, std::ios::binary);
        EXPECT_TRUE(file.good()) << section.name;
        for (std::string line; std::getline(file, line);) lines << line;
        const std::string wrong = difference(section, lines.parsed.samples);
        EXPECT_EQ(wrong, "") << section.head << "\n  read   "
                             << (lines.parsed.samples.empty() ? "" : shown(lines.parsed.samples.back()));
    }
    EXPECT_GE(all, 20);
}

TEST(OtherPrograms, GiveNoSample)
{
    int all = 0;
    for (const LogSection &section : sectionsOf("recorded_logs/negative.txt")) {
        ++all;
        Lines lines;
        for (const std::string &line : section.lines) lines << line;
        EXPECT_TRUE(lines.parsed.samples.empty()) << section.name << ": " << shown(lines.parsed.samples.back());
    }
    EXPECT_GE(all, 35);
}

}  // namespace
}  // namespace rankdeck::trainer_lines_test
