// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/cluster/config_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rankdeck::config_map_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// An answer of the API server of Kubernetes 1.20.
constexpr const char *object =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"reset-config-lenet","namespace":"vcjob","uid":"a","resourceVersion":"245","creationTimestamp":"2026-11-22T14:00:00Z","labels":{"reset":"true"},"managedFields":[{"manager":"kubectl-create","operation":"Update","time":"2026-11-22T14:00:00Z"},{"manager":"device-plugin","operation":"Update","time":"2026-11-22T14:02:03Z"}]},"data":{"checkCode":"old","reset.json":"{\"RankList\":[{\"RankId\":1}],\"GracefulExit\":0}","restartType":"x"}})";

TEST(ConfigMap, ReadsTheKeyWithTheResourceVersionThatGuardsTheWrite)
{
    const auto value = readConfigMapValue(object, "reset.json");
    ASSERT_TRUE(value.has_value()) << value.error().message;
    EXPECT_EQ(value->text, R"({"RankList":[{"RankId":1}],"GracefulExit":0})");
    EXPECT_EQ(value->resourceVersion, "245");
    EXPECT_EQ(value->changedNs, 1795356123LL * 1000000000) << "the newest of its writers";
}

TEST(ConfigMap, ChangesOnlyTheKeyAndItsCheckCode)
{
    const auto changed = withConfigMapValue(object, "reset.json", "{\"GracefulExit\":1,\"é\":0}");
    ASSERT_TRUE(changed.has_value()) << changed.error().message;
    json expected = json::parse(object);
    expected["data"]["reset.json"] = "{\"GracefulExit\":1,\"é\":0}";
    expected["data"]["checkCode"] = sha256Hex("{\"GracefulExit\":1,\"é\":0}");
    expected["metadata"].erase("managedFields");
    EXPECT_EQ(json::parse(*changed), expected);
    EXPECT_EQ(changed->find('\n'), std::string::npos) << "it is one line of a here-document";
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(ConfigMap, AddsNoCheckCodeIfThereWasNone)
{
    const auto changed =
        withConfigMapValue(R"({"kind":"ConfigMap","metadata":{"resourceVersion":"1"},"data":{"reset.json":"{}"}})",
                           "reset.json", "{\"GracefulExit\":1}");
    ASSERT_TRUE(changed.has_value());
    EXPECT_FALSE(json::parse(*changed)["data"].contains("checkCode"));
}

TEST(ConfigMap, RefusesTextThatIsNotAConfigMapOrLacksTheKey)
{
    for (const char *text : {"", "[]", "null", "{", "{\"kind\":\"Status\"}", R"({"kind":"ConfigMap","metadata":{}})",
                             R"({"kind":"ConfigMap","metadata":{"resourceVersion":7},"data":{"reset.json":"{}"}})"}) {
        const auto value = readConfigMapValue(text, "reset.json");
        ASSERT_FALSE(value.has_value()) << text;
        EXPECT_EQ(value.error().kind, ErrorKind::invalid) << text;
    }
    for (const char *data :
         {R"("data":{"other":"{}","b":"c"})", R"("data":{"reset.json":7})", R"("data":null)", R"("binaryData":{})"}) {
        const std::string text = R"({"kind":"ConfigMap","metadata":{"resourceVersion":"1"},)" + std::string(data) + "}";
        const auto value = readConfigMapValue(text, "reset.json");
        ASSERT_FALSE(value.has_value()) << text;
        EXPECT_EQ(value.error().kind, ErrorKind::notFound) << text;
        EXPECT_FALSE(withConfigMapValue(text, "reset.json", "{}").has_value()) << text;
    }
    EXPECT_THAT(
        readConfigMapValue(R"({"kind":"ConfigMap","metadata":{"resourceVersion":"1"},"data":{"other":"{}","b":"c"}})",
                           "reset.json")
            .error()
            .message,
        HasSubstr("expected the key reset.json in its data, found other, b"));
}

}  // namespace
}  // namespace rankdeck::config_map_test
