// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of invented trainers, with random labels, separators, orders, numbers, prefixes and shapes. The reader finds the
// right loss and step, or reads nothing; it never reads anything else.
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace rankdeck::generated_lines_test {
namespace {

struct Drawn {
    std::vector<std::string> lines;
    double loss = 0;
    std::int64_t step = 0;
};

class Generator {
public:
    explicit Generator(unsigned seed) : m_random(seed) {}
    Drawn draw();

private:
    std::size_t below(std::size_t count) { return m_random() % count; }
    bool oneIn(std::size_t count) { return below(count) == 0; }
    template <std::size_t N>
    std::string of(const std::array<const char *, N> &list)
    {
        return list[below(N)];
    }
    std::string number(double value, const char *format)
    {
        if (std::isnan(value)) return of(std::array{"nan", "NaN"});
        char text[64];
        std::snprintf(text, sizeof text, format, value);
        return text;
    }
    std::string counted(std::int64_t value) const
    {
        return (m_wide ? std::string(std::max<std::size_t>(1, 6 - std::to_string(value).size()), ' ') : "") +
               std::to_string(value);
    }
    void format();
    std::vector<std::string> fields(std::int64_t step, const std::string &loss);
    std::string extra(std::size_t which);
    std::vector<std::string> line(std::int64_t step, const std::string &loss);
    std::string pair(const std::string &label, const std::string &value) const
    {
        return m_quote + label + m_quote + m_is + value;
    }

    std::mt19937 m_random;
    // Values for one log.
    std::string m_lossLabel, m_stepLabel, m_epochLabel, m_is, m_between, m_prefix, m_quote, m_open, m_close;
    const char *m_lossFormat = "%.4f";
    std::size_t m_stepForm = 0, m_shape = 0;
    std::int64_t m_total = 0, m_stride = 1;
    bool m_wide = false, m_epoch = false, m_lossFirst = false, m_colours = false, m_average = false;
    std::vector<std::size_t> m_extras;
};

void Generator::format()
{
    m_lossLabel = of(std::array{"loss", "Loss", "LOSS", "train_loss", "train loss", "Training loss", "total_loss",
                                "loss/train", "train/loss", "lm loss", "batch_loss", "avg_loss", "TrainLoss",
                                "train-loss", "loss (train)", "mean loss"});
    m_stepLabel = of(std::array{"step", "Step", "iter", "Iter", "iteration", "global_step", "global step", "batch",
                                "it", "train_step", "update", "num_updates", "Iteration", "steps"});
    m_epochLabel = of(std::array{"epoch", "Epoch", "ep"});
    m_is = of(std::array{": ", "=", " ", " = ", ":"});
    m_between = of(std::array{", ", " | ", "  ", "; ", "\t", " - ", ","});
    m_prefix =
        of(std::array{"", "", "[rank0]: ", "[default3]:", "3: ", "[1,0]<stdout>:", "2026-11-24T05:34:35.679Z ",
                      "2026-01-02 03:04:05,123 - root - INFO - ", "[2026-01-02 03:04:05] ",
                      "INFO:train:", "I0102 03:04:05.123456 4711 train.py:88] ", "01/02 03:04:05 INFO ", "[INFO] ",
                      "2026-01-02 03:04:05 | INFO | ", "pod-0 trainer ", "train: ", "[default0]:[rank0]: "});
    m_lossFormat = std::array{"%.4f", "%.3e", "%.6f", "%g", "%8.4f", "%.2f"}[below(6)];
    m_stepForm = below(6);
    m_shape = below(8);  // 0 to 4 a line, 5 JSON, 6 a dict, 7 a record of several lines
    m_total = 1000 * static_cast<std::int64_t>(1 + below(100));
    m_stride = std::array{1, 10, 50, 100}[below(4)];
    m_wide = oneIn(4);
    m_epoch = oneIn(2);
    m_lossFirst = oneIn(4);
    m_colours = oneIn(6);
    m_average = oneIn(5);
    m_quote.clear(), m_open.clear(), m_close.clear();
    if (m_shape == 5)
        m_quote = "\"", m_is = ": ", m_between = ", ", m_open = "{", m_close = "}", m_stepForm = 0, m_average = false;
    if (m_shape == 6)
        m_quote = "'", m_is = ": ", m_between = ", ", m_open = "{", m_close = "}", m_stepForm = 0, m_average = false;
    if (m_shape >= 5) m_wide = false;
    // A single blank both within and between fields would not separate them.
    if (m_is == " " && m_between == ",") m_between = ", ";
    m_extras.clear();
    for (std::size_t i = below(6); i > 0; --i) m_extras.push_back(below(12));
}

std::string Generator::extra(std::size_t which)
{
    const std::string plain = std::to_string(below(1000));
    switch (which) {
    case 0: return pair("lr", number(1e-4 * static_cast<double>(1 + below(9)), "%.2e"));
    case 1: return pair("grad_norm", number(0.1 * static_cast<double>(below(90)), "%.3f"));
    case 2: return pair("acc", number(0.01 * static_cast<double>(below(99)), "%.3f"));
    case 3: return pair("time", number(0.1 * static_cast<double>(below(90)), "%.3f"));
    case 4: return pair("tokens_per_sec", plain);
    case 5: return pair("val_loss", number(7.0 + static_cast<double>(below(9)), "%.3f"));
    case 6: return pair("loss_scale", "65536.0");
    case 7: return pair("mem", plain);
    case 8: return pair("batch_size", "32");
    case 9: return pair("data_time", "0.010");
    case 10: return pair("samples/s", plain);
    default: return pair("ppl", number(8.0 + static_cast<double>(below(9)), "%.1f"));
    }
}

std::vector<std::string> Generator::fields(std::int64_t step, const std::string &loss)
{
    const std::string n = counted(step), total = std::to_string(m_total);
    const std::array<std::string, 6> forms{n,
                                           n + "/" + total,
                                           "[" + n + "/" + total + "]",
                                           "(" + n + "/" + total + ")",
                                           n + " / " + total,
                                           n + " of " + total};
    std::vector<std::string> all;
    const std::string counter = pair(m_stepLabel, forms[m_stepForm]);
    const std::string value = pair(m_lossLabel, loss + (m_average ? " (" + loss + ")" : ""));
    if (m_epoch) all.push_back(pair(m_epochLabel, m_shape >= 5 || oneIn(2) ? "1" : "1"));
    if (m_lossFirst) all.push_back(value);
    all.push_back(counter);
    if (!m_lossFirst) all.push_back(value);
    for (const std::size_t which : m_extras) all.push_back(extra(which));
    return all;
}

std::vector<std::string> Generator::line(std::int64_t step, const std::string &loss)
{
    const std::vector<std::string> all = fields(step, loss);
    if (m_shape == 7 && !m_lossFirst) {
        std::vector<std::string> record{m_prefix + "[" + (m_epoch ? all[0] + "," : "") + all[m_epoch ? 1 : 0] + "]"};
        for (std::size_t i = m_epoch ? 2 : 1; i < all.size(); ++i) record.push_back("    " + all[i]);
        return record;
    }
    std::string text = m_prefix + m_open;
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i > 0 ? m_between : "") + (m_colours ? "\x1b[3" + std::to_string(i % 8) + "m" : "") + all[i];
    return {text + (m_colours ? "\x1b[0m" : "") + m_close};
}

Drawn Generator::draw()
{
    format();
    Drawn drawn;
    double loss = 5;
    drawn.step = static_cast<std::int64_t>(below(3)) * m_stride;
    for (int i = 0; i < 8; ++i) {
        drawn.step += m_stride;
        loss *= 0.97;
        const std::string printed = number(i == 7 && oneIn(10) ? std::nan("") : loss, m_lossFormat);
        drawn.loss = std::strtod(printed.c_str(), nullptr);
        for (std::string &text : line(drawn.step, printed)) drawn.lines.push_back(std::move(text));
        if (oneIn(6))
            drawn.lines.push_back(of(std::array{"Saving checkpoint to out/ckpt.pt", "validation: loss 9.87 acc 0.5",
                                                "some text", "eval_loss: 9.5 step 3", "GPU memory 1234 MB"}));
    }
    return drawn;
}

enum class Outcome { right, unknown, wrong };

Outcome outcomeOf(const Drawn &drawn)
{
    Lines lines;
    for (const std::string &line : drawn.lines) lines << line;
    if (lines.parsed.samples.empty()) return Outcome::unknown;
    for (auto sample = lines.parsed.samples.rbegin(); sample != lines.parsed.samples.rend(); ++sample) {
        if (!sample->hasLoss) continue;
        const bool loss = sample->loss == drawn.loss || (std::isnan(sample->loss) && std::isnan(drawn.loss));
        const bool step = sample->globalStep == drawn.step || sample->step == drawn.step;
        return loss && step ? Outcome::right : Outcome::wrong;
    }
    return Outcome::unknown;
}

TEST(GeneratedLines, AreReadCorrectlyOrNotAtAll)
{
    constexpr int count = 10000;
    std::array<int, 3> seen{};
    Generator generator(20261129);
    for (int i = 0; i < count; ++i) {
        const Drawn drawn = generator.draw();
        const Outcome outcome = outcomeOf(drawn);
        if (outcome != Outcome::right && seen[1] + seen[2] < 12) {
            std::string text;
            for (const std::string &line : drawn.lines) text += line + "\n";
            std::printf("%s: loss %g step %lld\n%s\n", outcome == Outcome::wrong ? "wrong" : "unknown", drawn.loss,
                        static_cast<long long>(drawn.step), text.c_str());
        }
        ++seen[static_cast<std::size_t>(outcome)];
    }
    std::printf("right %d, unknown %d, wrong %d of %d\n", seen[0], seen[1], seen[2], count);
    EXPECT_GE(seen[0], count * 99 / 100);
    EXPECT_EQ(seen[2], 0);
}

}  // namespace
}  // namespace rankdeck::generated_lines_test
