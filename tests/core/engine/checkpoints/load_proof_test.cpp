// SPDX-License-Identifier: GPL-3.0-or-later
// Proof by loading, on this machine: reports about files that cannot be loaded, and cleanup. The output of the loading
// process is treated as hostile text.
#include "core/engine/checkpoints/load_proof.h"
#include "core/engine/checkpoints/proof_cache.h"

#include "tests/core/node/node_fixture.h"

#include <gtest/gtest.h>

namespace rankdeck::load_proof_test {
namespace {

namespace fs = std::filesystem;

class LoadProofTest : public NodeFixture {
protected:
    Result<std::vector<LoadProof>> proven(const std::vector<std::string> &paths,
                                          std::map<std::string, std::string> env = {})
    {
        LoadOrder order{.paths = paths};
        order.env = std::move(env);
        order.seconds = 60;
        return proveByLoading(*node, order, [] { return false; });
    }
    static std::size_t traces()
    {
        std::size_t count = 0;
        for (const auto &entry : fs::directory_iterator("/tmp"))
            count += entry.path().filename().string().starts_with("rankdeck-prove-") ? 1 : 0;
        return count;
    }
};

// One test for everything, because leftovers are searched on the whole machine.
TEST_F(LoadProofTest, ReportsFilesThatCannotBeLoadedAndCleansUp)
{
    write(path("notes.pt"), "hello, this is no checkpoint");
    write(path("x.pt"), "PK\x03\x04 and so on, as torch begins");
    write(path("torch.py"), "raise ImportError('no torch here')");
    connect();
    const std::size_t before = traces();
    const auto proofs = proven({path("notes.pt"), path("missing.pt")});
    ASSERT_TRUE(proofs.has_value()) << proofs.error().message;
    ASSERT_EQ(proofs->size(), 2u);
    for (const LoadProof &proof : *proofs) EXPECT_FALSE(proof.error.empty()) << proof.path;
    const auto without = proven({path("x.pt")}, {{"PYTHONPATH", folder}});
    ASSERT_TRUE(without.has_value()) << without.error().message;
    EXPECT_NE(without->front().error.find("no torch here"), std::string::npos) << without->front().error;
    EXPECT_TRUE(without->front().lacksFramework);
    EXPECT_FALSE(proofs->front().lacksFramework);
    EXPECT_EQ(traces(), before);
}

// A successful load is remembered as long as none of its files changes; a failed load is tried again.
TEST_F(LoadProofTest, RemembersASuccessfulLoadUntilAFileChanges)
{
    fs::create_directories(path("dcp/step-1"));
    for (const char *name : {"a.pt", "tf.index", "tf.data-00000-of-00001", "tfx", "dcp/step-1/.metadata"})
        write(path(name), "bytes");
    connect();
    const WallTime then = wallFromNs(1'700'000'000'000'000'000);
    const auto keyOf = [&](const std::string &name) {
        return ProofCache::Key{"local", path(name), "python3", filesIdentity(*node, path(name), inSeconds(60))};
    };
    LoadProof proof{"", "torch 2.6.0", 3, 0, 20, 0.5, "ab"};
    proof.hashes = {{"w", "cd"}};
    {
        ProofCache cache(path("state"));
        for (const char *name : {"a.pt", "tf", "dcp/step-1"}) cache.keep(keyOf(name), proof, then);
        LoadProof failed = proof;
        failed.error = "no memory";
        cache.keep(keyOf("tfx"), failed, then);
        EXPECT_TRUE(cache.save().has_value());
    }
    const ProofCache cache(path("state"));
    EXPECT_FALSE(cache.find(keyOf("tfx")).has_value());
    EXPECT_TRUE(filesIdentity(*node, path("nowhere"), inSeconds(60)).empty());
    Node silent(NodeSpec{"n1", "local"}, {}, sessions, recorder);  // a node that was never started
    EXPECT_TRUE(filesIdentity(silent, path("a.pt"), SteadyTime()).empty())
        << "who does not answer in time is not waited for";
    const struct {
        const char *name, *changed;
    } cases[] = {{"a.pt", "a.pt"}, {"tf", "tf.index"}, {"dcp/step-1", "dcp/step-1/__0_0.distcp"}};
    for (const auto &[name, changed] : cases) {
        const auto kept = cache.find(keyOf(name));
        ASSERT_TRUE(kept.has_value()) << name;
        EXPECT_EQ(kept->loaded, then);
        EXPECT_EQ(kept->by + kept->hash + kept->hashes.at("w"), "torch 2.6.0abcd");
        EXPECT_EQ(kept->step, 20);
        write(path(changed), "others");
        EXPECT_FALSE(cache.find(keyOf(name)).has_value()) << changed;
    }
    write(path("state/proofs.json"), "[{\"host\": 3}, 7");
    EXPECT_FALSE(ProofCache(path("state")).find(keyOf("tf")).has_value());
}

TEST(LoadProof, ReadsOutputInOrderAndReportsWhyOutputIsMissing)
{
    const std::string printed =
        "a warning of some library\n"
        R"({"path": "a", "by": "torch 2.15", "tensors": 3, "non_finite": 1, "step": 20, "seconds": 0.5, "error": null})"
        "\n{ not json\n";
    const auto proofs = parseProofs({"a", "b"}, printed, "was not loaded within 9 s");
    ASSERT_EQ(proofs.size(), 2u);
    EXPECT_EQ(proofs[0].by, "torch 2.15");
    EXPECT_EQ(proofs[0].tensors, 3);
    EXPECT_EQ(proofs[0].nonFinite, 1);
    EXPECT_EQ(proofs[0].step, 20);
    EXPECT_TRUE(proofs[0].error.empty());
    EXPECT_TRUE(proofs[0].hash.empty());
    EXPECT_EQ(proofs[1].error, "was not loaded within 9 s");
}

TEST(LoadProof, ReadsAndBoundsTensorHashes)
{
    std::string many = "{";
    for (int i = 0; i < 1000; ++i) many += (i == 0 ? "\"w" : ",\"w") + std::to_string(i) + "\": \"00ff\"";
    const auto proofs = parseProofs({"a", "b", "c"},
                                    R"({"path": "a", "hash": "12ab", "hashes": {"fc\u001b.weight": "0a0b", "x": 7}})"
                                    "\n{\"path\": \"b\", \"hashes\": " +
                                        many + "}}\n{\"path\": \"c\", \"hash\": 5, \"hashes\": [1]}\n",
                                    "");
    ASSERT_EQ(proofs.size(), 3u);
    EXPECT_EQ(proofs[0].hash, "12ab");
    ASSERT_EQ(proofs[0].hashes.size(), 1u) << "what is no text is no hash";
    EXPECT_EQ(proofs[0].hashes.begin()->first.find('\x1b'), std::string::npos);
    EXPECT_EQ(proofs[0].hashes.begin()->second, "0a0b");
    EXPECT_EQ(proofs[1].hashes.size(), 400u);
    EXPECT_TRUE(proofs[2].hash.empty());
}

}  // namespace
}  // namespace rankdeck::load_proof_test
