// SPDX-License-Identifier: GPL-3.0-or-later
// Following and parsing of one worker's log. With --file=PATH it reads that file once, as it would come from a node,
// and prints "samples seconds". Otherwise it runs Google Benchmark on lines of several forms.
#include "core/follow/line_follower.h"
#include "core/parse/log_parser.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

namespace {

using namespace rankdeck;

constexpr std::size_t chunkBytes = 64u << 10;

std::unique_ptr<LogParser> parserOf() { return std::move(LogParser::make({}, LogRole::worker)).value(); }

int readOnce(const std::string &path)
{
    const auto begin = std::chrono::steady_clock::now();
    std::ifstream file(path, std::ios::binary);
    const std::unique_ptr<LogParser> parser = parserOf();
    LineFollower follower;
    Parsed parsed;
    std::size_t samples = 0;
    double sum = 0;
    TailChunk chunk;
    for (;;) {
        chunk.bytes.resize(chunkBytes);
        file.read(chunk.bytes.data(), static_cast<std::streamsize>(chunkBytes));
        chunk.bytes.resize(static_cast<std::size_t>(file.gcount()));
        if (chunk.bytes.empty()) break;
        follower.chunk(chunk, [&](std::string_view line, std::uint64_t offset) { parser->line(line, offset, parsed); });
        chunk.offset += chunk.bytes.size();
        samples += parsed.samples.size();
        for (const Sample &sample : parsed.samples) sum += sample.loss;
        parsed.samples.clear();
        parsed.events.clear();
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    std::printf("%zu %.4f\n", samples, passed.count());
    return sum > 0 || samples == 0 ? 0 : 1;
}

void parseLines(benchmark::State &state, const std::string &line)
{
    std::string text;
    while (text.size() < chunkBytes) text += line + "\n";
    std::size_t lines = 0;
    const std::unique_ptr<LogParser> parser = parserOf();
    Parsed parsed;
    TailChunk chunk;
    chunk.bytes = text;
    for (auto _ : state) {
        LineFollower follower;
        follower.chunk(chunk, [&](std::string_view one, std::uint64_t offset) {
            parser->line(one, offset + 1, parsed);
            ++lines;
        });
        benchmark::DoNotOptimize(parsed.samples.data());
        parsed.samples.clear();
        parsed.events.clear();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
    state.SetItemsProcessed(static_cast<std::int64_t>(lines));
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc == 2 && std::string(argv[1]).rfind("--file=", 0) == 0) return readOnce(std::string(argv[1]).substr(7));
    const std::pair<const char *, const char *> lines[] = {
        {"LossMonitor", "epoch: 12 step: 1042, loss is 2.2659149169921875"},
        {"MindFormers",
         "2025-04-07 15:34:27,308 - mindformers./output/log[mindformers/core/callback/callback.py:529] - INFO - { "
         "Epoch:[  1/  2], "
         "step:[   10/ 1875], loss: 7.123, per_step_time: 1234ms, lr: 1e-05, overflow cond: False, loss_scale: 1024.0, "
         "global_norm: [1.5], train_throughput_per_npu: 12.345T"},
        {"HuggingFace",
         "{'loss': 4.1646, 'grad_norm': 0.6652958989143372, 'learning_rate': 0.0008333333333333334, 'epoch': 0.5}"},
        {"Generic", "2026-01-02 03:04:05 INFO train: step 120 loss 2.31 lr 3e-4"},
        {"HeaderWarning", "[WARNING] DISTRIBUTED(31064,7f085841ce40,python):2026-11-21-09:17:57.984.436 "
                          "[mindspore/ccsrc/a.cc:494] Connect] Waiting "
                          "for the state of the connection to 127.0.0.1:8704 to be connected...Retry number: 1"},
        {"Unknown", "some output of a script that says nothing that is known"},
    };
    for (const auto &[name, line] : lines) benchmark::RegisterBenchmark(name, parseLines, std::string(line));
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
