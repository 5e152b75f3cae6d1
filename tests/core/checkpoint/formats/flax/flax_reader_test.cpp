// SPDX-License-Identifier: GPL-3.0-or-later
// Real checkpoints of flax (tests/data/flax): complete, cut anywhere, changed in every byte, and with wrong lengths.
#include "core/checkpoint/formats/flax/flax_reader.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/read/weight_sample.h"
#include "tests/core/checkpoint/local_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::flax_reader_test {
namespace {

using test::data;
using testing::HasSubstr;

Evidence read(const std::string &bytes) { return test::readBytes(bytes, "checkpoint_30"); }
std::string firstText(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().text; }

std::string big(std::uint64_t value, int bytes)
{
    std::string out;
    for (int i = bytes; i-- > 0;) out += char(value >> (8 * i));
    return out;
}

std::string text(const std::string &value) { return char(0xa0 + value.size()) + value; }

// An array as flax writes it: an extension with shape, type and bytes, all lengths in their widest form.
std::string array(const std::vector<std::uint32_t> &shape, const std::string &type, const std::string &bytes)
{
    std::string payload = char(0x93) + std::string(1, char(0x90 + shape.size()));
    for (const std::uint32_t side : shape) payload += char(0xce) + big(side, 4);
    payload += text(type) + char(0xc6) + big(bytes.size(), 4) + bytes;
    return char(0xc9) + big(payload.size(), 4) + char(1) + payload;
}

TEST(Flax, ReadsRealCheckpointsDownToTheirWeights)
{
    const Evidence e = read(data("flax/checkpoint_30"));
    EXPECT_EQ(e.format, Format::flax);
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.level, EvidenceLevel::L3);
    EXPECT_EQ(e.number("global_step"), 30);
    EXPECT_EQ(e.number("optimizer_step"), 30);
    EXPECT_EQ(e.meta.count("holds"), 0u);
    EXPECT_NE(e.fingerprint, read(data("flax/checkpoint_20")).fingerprint);
    const auto &tensors = e.tensors;
    const auto kernel = std::find_if(tensors.begin(), tensors.end(),
                                     [](const TensorInfo &t) { return t.name == "params/Dense_0/kernel"; });
    ASSERT_NE(kernel, tensors.end());
    EXPECT_EQ(kernel->type, "float32");
    EXPECT_EQ(shapeText(kernel->shape), "[5, 3]");
    EXPECT_EQ(kernel->bytes, 60u);
}

// Half of a TrainState are moments. Some of them are positive everywhere, and would hide weights of another run.
TEST(Flax, OptaxStateIsNotTreatedAsWeights)
{
    EXPECT_TRUE(mayHoldZeros("opt_state/0/nu/Dense_0/kernel"));
    EXPECT_FALSE(mayHoldZeros("params/Dense_0/kernel"));
    EXPECT_FALSE(mayHoldZeros("trainable_variables/0/.ATTRIBUTES/VARIABLE_VALUE")) << "of Keras: no variance";
    EXPECT_TRUE(mayHoldZeros("layer1.bn.running_var"));
}

TEST(Flax, PropertyCutAtAnyLengthIsTorn)
{
    const std::string whole = data("flax/checkpoint_30");
    for (std::size_t length = 16; length < whole.size(); ++length) {
        const Evidence e = read(whole.substr(0, length));
        EXPECT_EQ(e.complete, false) << length;
        ASSERT_FALSE(e.problems.empty()) << length;
    }
    EXPECT_EQ(read(whole + "x").complete, false);
    EXPECT_THAT(firstText(read(whole + whole)), HasSubstr("after the end of the checkpoint"));
}

// No reader may fail or read for ever, whatever the value of a single byte.
TEST(Flax, PropertyAnyChangedByteIsHandled)
{
    const std::string whole = data("flax/checkpoint_30");
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int value : {0x00, 0x0f, 0x81, 0x9f, 0xc1, 0xc6, 0xc9, 0xdb, 0xdd, 0xdf, 0xff}) {
            std::string changed = whole;
            changed[at] = char(value);
            const Evidence e = read(changed);
            EXPECT_LT(e.roundTrips, 10) << at;
        }
}

TEST(Flax, ReportsWrongLengths)
{
    const std::string start = char(0x82) + text("step") + char(30) + text("params");
    EXPECT_THAT(firstText(read(start + char(0xdf) + "\xff\xff\xff\xff" + std::string(64, '\0'))),
                HasSubstr("claims to contain more values than it has bytes"));
    EXPECT_THAT(firstText(read(start + char(0xc9) + "\xff\xff\xff\xff\x01" + std::string(64, '\0'))),
                HasSubstr("is truncated"));
    EXPECT_THAT(firstText(read(start + array({4, 5}, "float32", std::string(79, 'w')))),
                HasSubstr("its shape needs 80"));
    EXPECT_THAT(firstText(read(start + array({0xffffffffu, 0xffffffffu, 2}, "float32", "1234"))),
                HasSubstr("larger than the file"));
    std::string deep = char(0x81) + text("step");
    for (int i = 0; i < 200; ++i) deep += char(0x91);
    const Evidence nested = read(deep + char(1));
    ASSERT_FALSE(nested.problems.empty());
    EXPECT_EQ(nested.problems[0].code, ReasonCode("too_many_records"));
    EXPECT_TRUE(nested.complete.isUnknown());
}

TEST(Flax, SkipsArraysLargerThanAReadWindow)
{
    std::string bytes = char(0x83) + text("step") + array({}, "int32", std::string("\x07\0\0\0", 4));
    std::string weights(1 << 20, '\0');
    for (std::size_t i = 0; i < weights.size(); i += 4) weights.replace(i, 4, std::string("\0\0\x80\x3f", 4));
    bytes += text("params") + char(0x82) + text("a") + array({512, 512}, "float32", weights);
    bytes += text("b") + array({512, 512}, "float32", weights) + text("opt_state") + char(0x81) + text("mu");
    bytes += array({1}, "float32", weights.substr(0, 4));
    const Evidence e = read(bytes);
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.number("global_step"), 7);
    ASSERT_EQ(e.tensors.size(), 4u);
    EXPECT_EQ(e.tensors[2].name, "params/b");
    EXPECT_EQ(bytes.compare(e.tensors[2].offset, weights.size(), weights), 0);
    EXPECT_LT(e.bytesRead, bytes.size()) << "the arrays are sampled, not read";
}

TEST(Flax, ParsesFlaxFileNames)
{
    const auto name = parseCheckpointName("checkpoint_300", {});
    ASSERT_TRUE(name);
    EXPECT_EQ(name->globalStep, 300);
    EXPECT_TRUE(name->sharedByRanks);
    EXPECT_FALSE(parseCheckpointName("checkpoint_tmp", {}));
    EXPECT_FALSE(parseFlaxName("my_checkpoint_300", {}));
    EXPECT_EQ(parseFlaxName("step_300.msgpack", {})->globalStep, 300);
}

}  // namespace
}  // namespace rankdeck::flax_reader_test
