// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of frameworks for which there is no reader: they are reported with their likely format, never as
// incomplete, and never skipped.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::foreign_corpus_test {
namespace {

using test::Corpus;
using test::summary;
using testing::HasSubstr;
namespace pkl = test::pkl;

TEST(ForeignCorpus, U02_UnsupportedFormatsAreUnknownByTheirName)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> all{
        {{"ckpt_100.keras"}, "Keras"},
        {{"ckpt_100.weights.h5"}, "Keras weights"},
        {{"step_100.pdparams", "step_100.pdopt"}, "Paddle"},
        {{"step_100/0_0.distcp", "step_100/1_0.distcp", "step_100/0.metadata"}, "distributed Paddle checkpoint"},
        {{"step_100/.snapshot_metadata", "step_100/0/app/w"}, "torchsnapshot"},
        {{"checkpoint_100/checkpoint", "checkpoint_100/target.w/.zarray", "checkpoint_100/target.w/0.0"}, "zarr"},
        {{"model_100.gguf"}, "GGUF"},
        {{"checkpoint-100steps.pkl"}, "pickle"},
        {{"step_100.joblib"}, "pickle"},
        {{"ckpt_100.pt.gz"}, "gzip"},
        {{"step_100.tar.zst"}, "zstd"},
        {{"epoch_100.tar"}, "archive"},
        {{"checkpoint_100.jld2"}, "Julia"},
        {{"ckpt_100.eqx"}, "Equinox"}};
    for (const auto &[files, what] : all) {
        Corpus c;
        const bool tar = files.front().ends_with(".tar");  // torch's tutorials save under this name, too
        for (const std::string &file : files)
            c.put(file, tar ? std::string(257, '\0') + "ustar" + std::string(250, '\0') : "some bytes", 100, 0644);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.sets.size(), 1u) << what << ": " << summary(report);
        EXPECT_EQ(report.sets[0].verdict, Verdict::unknown) << what;
        ASSERT_FALSE(report.sets[0].reasons.empty()) << what;
        EXPECT_EQ(report.sets[0].reasons[0].code, ReasonCode("unknown_format")) << what;
        EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr(what));
        EXPECT_EQ(report.framework, "unknown") << what;
        EXPECT_FALSE(report.recommended);
    }
}

TEST(ForeignCorpus, UnsupportedFilesNextToKnownCheckpointsAreIgnored)
{
    Corpus c;
    const std::string file =
        test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(100)}, {"optimizer", pkl::floats("0", 2)}})),
                       {{"0", test::floatBytes({1, 2})}});
    c.put("step_100.pt", file, 100);
    c.put("model.onnx", "export", 100);
    EXPECT_EQ(summary(c.judgeAll()), "0:100o VALID");
}

TEST(ForeignCorpus, MegatronZarrIsUnknownAndNotIncomplete)
{
    Corpus c;
    c.put("iter_0000100/metadata.json", R"({"sharded_backend": "zarr", "sharded_backend_version": 1})", 100);
    c.put("iter_0000100/common.pt", test::torchZip(pkl::whole(pkl::dict({{"iteration", pkl::integer(100)}})), {}), 100);
    c.put("iter_0000100/model.weight/.zarray", "{}", 100);
    c.put("iter_0000100/model.weight/0.0", "bytes", 100);
    EXPECT_EQ(summary(c.judgeAll()), "0:100 UNKNOWN unknown_format");
}

}  // namespace
}  // namespace rankdeck::foreign_corpus_test
