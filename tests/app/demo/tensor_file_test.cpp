// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/demo/demo_fixture.h"
#include "tests/testbed/paths.h"

#include "app/demo/trainer/checkpoint_store.h"
#include "app/demo/trainer/mindspore_log.h"

#include <limits>

namespace rankdeck::demo::tensor_file_test {
namespace {

class TensorFileTest : public DemoTest {
protected:
    static std::string sample(const std::string &name) { return readFile(testData() + "/demo/" + name); }
};

TEST_F(TensorFileTest, mindSporeFilesAreRewrittenByteForByte)
{
    for (const auto *name : {"LeNet5_train.ckpt", "lenet-2_4.ckpt"}) {
        const std::string bytes = sample(name);
        ASSERT_GT(bytes.size(), 2000u);
        const auto records = decodeTensors(bytes, name);
        ASSERT_TRUE(records.has_value()) << records.error().message;
        EXPECT_EQ(encodeTensors(records.value()), bytes);
    }
}

TEST_F(TensorFileTest, gracefulExitRecordsEqualThoseOfMindSpore)
{
    const auto records = decodeTensors(sample("LeNet5_train.ckpt"), "sample");
    ASSERT_TRUE(records.has_value());
    EXPECT_EQ(*findTensor(records.value(), "graceful_exit"), boolScalar("graceful_exit", true));
    EXPECT_EQ(*findTensor(records.value(), "graceful_init"), int32Vector("graceful_init", 1));
    EXPECT_EQ(*findTensor(records.value(), "global_step"), int64Scalar("global_step", 14));
    EXPECT_EQ(*findTensor(records.value(), "learning_rate"), floatScalar("learning_rate", 0.01F));
}

TEST_F(TensorFileTest, cutInsideARecordIsRefused)
{
    const std::string bytes = encodeTensors({floatScalar("a", 1), int64Scalar("epoch_num", 2)});
    const std::size_t boundary = encodeTensors({floatScalar("a", 1)}).size();
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_EQ(decodeTensors(bytes.substr(0, length), "f").has_value(), length == boundary) << length;
    EXPECT_FALSE(decodeTensors(bytes + '\0', "f").has_value());
}

TEST_F(TensorFileTest, contentLengthThatContradictsTheShapeIsRefused)
{
    auto record = floatScalar("a", 1);
    record.dims = {2};
    const auto refused = decodeTensors(encodeTensors({record}), "f");
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("The file may be corrupted"), std::string::npos);
}

TEST_F(TensorFileTest, rerunNumberFollowsTheRuleOfModelCheckpoint)
{
    EXPECT_EQ(rerunPrefix({}, "lenet"), "lenet");
    EXPECT_EQ(rerunPrefix({"lenet-1_5.ckpt"}, "lenet"), "lenet_1");
    EXPECT_EQ(rerunPrefix({"lenet-1_5.ckpt", "lenet_1-1_5.ckpt", "lenet_7-2_5.safetensors"}, "lenet"), "lenet_8");
    EXPECT_EQ(rerunPrefix({"lenet-1_5_breakpoint.ckpt", "lenet-graph.meta", "lenet-1_5.tmp"}, "lenet"), "lenet");
    EXPECT_EQ(rerunPrefix({"LeNet5_train.ckpt", "lenetwork-1_1.ckpt"}, "lenet"), "lenet");
}

TEST(PythonFloatTest, formatsFloatsAsPythonDoes)
{
    EXPECT_EQ(pythonFloat(2.2659149169921875), "2.2659149169921875");
    EXPECT_EQ(pythonFloat(2.0), "2.0");
    EXPECT_EQ(pythonFloat(0.0001), "0.0001");
    EXPECT_EQ(pythonFloat(0.00001), "1e-05");
    EXPECT_EQ(pythonFloat(1e16), "1e+16");
    EXPECT_EQ(pythonFloat(123456789012.5), "123456789012.5");
    EXPECT_EQ(pythonFloat(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(pythonFloat(-std::numeric_limits<double>::infinity()), "-inf");
}

}  // namespace
}  // namespace rankdeck::demo::tensor_file_test
