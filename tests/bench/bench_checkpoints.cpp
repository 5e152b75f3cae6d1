// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of judging checkpoints: bytes and round trips for one set of each format, and the time of the verdict engine
// alone. Also the first and second check of the newest of many sets on this machine, through the real probe.
// `--engine`: only the engine. `--read FILE`: seconds to judge one file.
#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/read/layouts.h"
#include "core/checkpoint/survey/survey.h"
#include "core/node/protocol/node_link.h"
#include "core/verdict/read_plan.h"
#include "core/verdict/verdict.h"
#include "tests/core/node/local_sessions.h"
#include "tests/testbed/paths.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace rankdeck;
namespace fs = std::filesystem;

double seconds(const std::function<void()> &work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double best(int times, const std::function<void()> &work)
{
    double least = 1e300;
    for (int i = 0; i < times; ++i) least = std::min(least, seconds(work));
    return least;
}

// This machine, through the real probe.
class Here {
public:
    Here()
    {
        m_node = std::make_unique<Node>(NodeSpec{"n0", "local"}, ConnectOptions{}, std::make_shared<LocalSessions>(),
                                        m_recorder);
        m_node->start({});
        while (m_node->status().state != NodeState::live) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    Node &node() { return *m_node; }

private:
    Recorder m_recorder;
    std::unique_ptr<Node> m_node;
};

struct Judged {
    CheckpointReport report;
    std::size_t members = 0;
};

Judged judgeTree(Here &here, Survey &survey, const std::string &root)
{
    Job job;
    job.nodes = {{"n0", "local", {}}};
    job.checkpoints.path = root;
    auto listing = here.node().list(checkpointRoots(job, job.nodes[0]).front()).get();
    if (!listing) throw std::runtime_error(listing.error().message);
    const Inventory inventory = buildInventory(job, {{"n0", std::move(*listing)}});
    const auto known = [&](const Member &member) { return survey.known(member); };
    Expectation expected;
    expected.running = false;
    expected.now = std::chrono::system_clock::now();
    for (;;) {
        Judged out{judge(inventory, known, expected), inventory.members.size()};
        const std::vector<Member> wanted = wantedEvidence(inventory, out.report, known);
        if (wanted.empty()) return out;
        survey.read(wanted, EvidenceLevel::L3);
    }
}

std::uint64_t bytesBelow(const std::string &root)
{
    std::uint64_t bytes = 0;
    for (const auto &item : fs::recursive_directory_iterator(root))
        if (item.is_regular_file()) bytes += item.file_size();
    return bytes;
}

// Measures each format with the samples of tests/data. They are small, but the number of bytes read does not grow with
// the tensors.
void formats(Here &here, const std::string &data)
{
    std::printf("%-34s %6s %12s %12s %6s  %s\n", "format", "files", "bytes", "bytes read", "trips", "verdict");
    for (const char *sample :
         {"mindspore/dp4/2.7.0/sigkill", "mindspore/ckpt/2.7.0/safetensors", "mindspore/ckpt/2.7.0/crc",
          "torch/per_rank", "torch/dcp/step-100", "megatron/legacy-layout", "megatron/torch_dist",
          "deepspeed/zero1-bf16", "deepspeed/zero3", "huggingface/trainer", "huggingface/sharded",
          "tensorflow/saver-v1", "tensorflow/saver-v2", "tensorflow/saver-v2-sharded", "tensorflow/tf2-manager"}) {
        const std::string root = data + "/" + sample;
        Survey survey([&](const std::string &) { return &here.node(); });
        const Judged judged = judgeTree(here, survey, root);
        std::size_t files = 0;
        for (const auto &item : fs::recursive_directory_iterator(root)) files += item.is_regular_file() ? 1 : 0;
        std::printf("%-34s %6zu %12s %12s %6llu  %s\n", sample, files, grouped(std::int64_t(bytesBelow(root))).c_str(),
                    grouped(std::int64_t(survey.bytesRead())).c_str(),
                    static_cast<unsigned long long>(survey.roundTrips()),
                    judged.report.sets.empty() ? "-" : verdictName(judged.report.sets.front().verdict));
    }
}

struct Matrix {
    Inventory inventory;
    std::vector<EvidencePtr> evidence;  // parallel to its members
};

// readSets: number of newest sets whose files were all read.
Matrix matrix(int ranks, int sets, int readSets)
{
    Matrix out;
    const auto unread = std::make_shared<const Evidence>();
    std::vector<TensorInfo> tensors;
    for (int i = 0; i < 300; ++i) tensors.push_back({"layer." + std::to_string(i), "Float32", {64, 64}, 16384, 0});
    const TensorList list(tensors);
    std::vector<Meta> metas;  // shared between the ranks, as in the survey's evidence
    for (int set = 0; set < sets; ++set)
        metas.push_back(
            {{"epoch_num", "1"}, {"step_num", std::to_string(set + 1)}, {"global_step", std::to_string(set + 1)}});
    for (int rank = 0; rank < ranks; ++rank)
        for (int set = 0; set < sets; ++set) {
            Member member;
            member.rank = rank;
            member.node = "n" + std::to_string(rank / 8);
            member.file.path =
                "/job/ckpt/rank_" + std::to_string(rank) + "/lenet-1_" + std::to_string(set + 1) + ".ckpt";
            member.file.stat.size = 494246;
            member.file.stat.mtimeNs = 1'700'000'000'000'000'000 + set * 60'000'000'000ll + rank * 1000ll;
            member.name.prefix = "lenet";
            member.name.epoch = 1;
            member.name.step = set + 1;
            member.series = "/job/ckpt";
            EvidencePtr known = unread;
            if (set >= sets - readSets) {
                Evidence e;
                e.path = member.file.path;
                e.stat = member.file.stat;
                e.format = Format::mindsporeCkpt;
                e.level = EvidenceLevel::L3;
                e.complete = true;
                e.tensors = list;
                e.meta = metas[std::size_t(set)];
                known = std::make_shared<const Evidence>(std::move(e));
            }
            out.evidence.push_back(std::move(known));
            out.inventory.members.push_back(std::move(member));
        }
    out.inventory.worldSizeFromDirectories = ranks;
    return out;
}

void engine()
{
    for (const int read : {1, 200}) {
        const Matrix m = matrix(1024, 200, read);
        const Member *first = m.inventory.members.data();
        const auto known = [&, first](const Member &member) { return m.evidence[std::size_t(&member - first)]; };
        Expectation expected;
        expected.running = false;
        expected.now = wallFromNs(1'800'000'000'000'000'000);
        CheckpointReport report;
        const double copy = best(3, [&] {
            std::vector<Member> all = m.inventory.members;
            if (all.size() != m.inventory.members.size()) std::abort();
        });
        const std::clock_t began = std::clock();
        const double ours = best(5, [&] { report = judge(m.inventory, known, expected); });
        const double cpu = double(std::clock() - began) / CLOCKS_PER_SEC / 5;
        std::printf("verdicts of 1,024 ranks x 200 sets, %3d of them read: %6.1f ms (%.1f ms of CPU), %5.0f ns a cell, "
                    "%.1f times a copy of the inventory; newest %s\n",
                    read, ours * 1e3, cpu * 1e3, ours * 1e9 / double(m.inventory.members.size()), ours / copy,
                    verdictName(report.sets.front().verdict));
    }
}

// The value behind the last record of this name, which is an Int64.
void patch(std::string &bytes, const std::string &tag, std::uint64_t value)
{
    const std::size_t name = bytes.rfind(tag), at = bytes.find(std::string("\x1a\x08", 2), name);
    if (name == std::string::npos || at == std::string::npos) throw std::runtime_error("the sample has no " + tag);
    for (std::size_t i = 0; i < 8; ++i) bytes[at + 2 + i] = static_cast<char>(value >> (8 * i));
}

void newestOfMany(Here &here, const std::string &sample, int ranks, int sets)
{
    std::string root = "/tmp/rankdeck-bench-XXXXXX";
    if (!::mkdtemp(root.data())) throw std::runtime_error("no directory");
    std::ifstream in(sample, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    std::string bytes = text.str();
    patch(bytes, "epoch_num", std::uint64_t(sets));
    patch(bytes, "step_num", std::uint64_t(sets) * 10);
    for (int rank = 0; rank < ranks; ++rank) {
        const fs::path folder = fs::path(root) / ("rank_" + std::to_string(rank));
        fs::create_directory(folder);
        const fs::path newest = folder / ("lenet-" + std::to_string(sets) + "_10.ckpt");
        std::ofstream(newest, std::ios::binary) << bytes;
        for (int set = 1; set < sets; ++set)
            fs::create_hard_link(newest, folder / ("lenet-" + std::to_string(set) + "_10.ckpt"));
    }
    ::sync();  // the first read of a file waits for recent writes to its directory
    Survey survey([&](const std::string &) { return &here.node(); });
    Judged judged;
    const double listed = seconds([&] { (void)here.node().list({root, 5}).get(); });
    const double first = seconds([&] { judged = judgeTree(here, survey, root); });
    const std::uint64_t read = survey.bytesRead(), trips = survey.roundTrips();
    const double again = seconds([&] { judged = judgeTree(here, survey, root); });
    std::printf(
        "newest of %d ranks x %d sets: %.2f s, of it %.2f s for a listing (%.1f times); %s bytes in %llu round trips; "
        "%s\n  again: %.2f s, %llu bytes of content\n",
        ranks, sets, first, listed, first / listed, grouped(std::int64_t(read)).c_str(),
        static_cast<unsigned long long>(trips), verdictName(judged.report.sets.front().verdict), again,
        static_cast<unsigned long long>(survey.bytesRead() - read));
    fs::remove_all(root);
}

void readOne(Here &here, const std::string &path)
{
    Member member;
    member.node = "n0";
    auto look = here.node().read({{path, 0, 1, false}}).get();
    if (!look || look->empty() || !look->front().error.empty()) throw std::runtime_error("cannot read " + path);
    member.file.path = path;
    member.file.stat = look->front().stat;
    std::uint64_t bytes = 0, trips = 0;
    Evidence evidence;
    const double taken = best(5, [&] {
        Survey survey([&](const std::string &) { return &here.node(); });
        evidence = survey.read({member}, EvidenceLevel::L3).front();
        bytes = survey.bytesRead();
        trips = survey.roundTrips();
    });
    std::printf("{\"seconds\": %.6f, \"bytes\": %llu, \"trips\": %llu, \"tensors\": %zu, \"complete\": %s}\n", taken,
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(trips), evidence.tensors.size(),
                evidence.complete == true ? "true" : "false");
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        if (argc == 2 && std::string(argv[1]) == "--engine") {
            engine();
            return 0;
        }
        Here here;
        if (argc == 3 && std::string(argv[1]) == "--read") {
            readOne(here, argv[2]);
            return 0;
        }
        const std::string data = testData();
        formats(here, data);
        engine();
        newestOfMany(here, data + "/mindspore/ckpt/2.7.0/append_info/rank_0/lenet-2_10.ckpt", 1024, 100);
    } catch (const std::exception &error) {
        std::cerr << "bench_checkpoints: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
