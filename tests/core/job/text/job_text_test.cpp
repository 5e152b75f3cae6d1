// SPDX-License-Identifier: GPL-3.0-or-later
// A job file that is changed key by key: other keys stay byte for byte. The text of a form field can be typed in again.
#include "core/job/text/job_text.h"

#include "core/job/job_file.h"

#include <gtest/gtest.h>

namespace rankdeck::job_text_test {
namespace {

const std::string file = R"({
  "rankdeck": 1,
  "name": "lenet",
  "note to self": [1, {"x": null}],
  "nodes": [ {"name": "n0", "host": "node-a", "ranks": [0, 1]},
             {"host": "bob@10.0.0.2:2222",   "ranks": [2, 3]} ],
  "logs":  {"path": "/job/worker_{rank}.log"},
  "launch": {
    "recipe": "msrun",
    "command": ["train.py", "--resume", "{checkpoint}"]
  }
}
)";

std::string field(const std::string &text, const std::string &path)
{
    const auto span = valueAt(text, path);
    return span ? fieldOf(jobKeyOf(path)->value, span->of(text)) : "(none)";
}

TEST(JobText, FindsValuesByTheirPath)
{
    EXPECT_EQ(field(file, "name"), "lenet");
    EXPECT_EQ(field(file, "nodes[1].host"), "bob@10.0.0.2:2222");
    EXPECT_EQ(field(file, "nodes[1].name"), "(none)");
    EXPECT_EQ(field(file, "nodes[2].host"), "(none)");
    EXPECT_EQ(field(file, "launch.command"), "train.py --resume {checkpoint}");
    EXPECT_EQ(elementsAt(file, "nodes"), 2u);
    EXPECT_EQ(elementsAt(file, "name"), 0u);
    EXPECT_FALSE(valueAt("{\"name\": ", "name")) << "no JSON";
    EXPECT_EQ(field(R"({"name": "a", "name": "b"})", "name"), "b") << "as the reader takes it";
}

TEST(JobText, ChangesOneValueAndNothingElse)
{
    auto changed = withValue(file, "nodes[1].host", "\"node-b\"");
    ASSERT_TRUE(changed);
    std::string expected = file;
    expected.replace(expected.find("\"bob@10.0.0.2:2222\""), 19, "\"node-b\"");
    EXPECT_EQ(*changed, expected);
}

TEST(JobText, NewKeyFollowsTheLastKeyOfItsObjectInTheSameStyle)
{
    auto inline_ = withValue(file, "logs.launcher", "\"/job/msrun.out\"");
    ASSERT_TRUE(inline_);
    EXPECT_NE(inline_->find(R"("logs":  {"path": "/job/worker_{rank}.log", "launcher": "/job/msrun.out"},)"),
              std::string::npos);
    auto onALine = withValue(file, "launch.workdir", "\"/job\"");
    ASSERT_TRUE(onALine);
    EXPECT_NE(onALine->find("\"{checkpoint}\"],\n    \"workdir\": \"/job\"\n  }"), std::string::npos) << *onALine;
    auto made = withValue(file, "launch.volcano.image", "\"ms:2.7\"");
    ASSERT_TRUE(made);
    EXPECT_NE(made->find("\"volcano\": {\"image\": \"ms:2.7\"}"), std::string::npos) << *made;
    auto node = withValue(file, "nodes[2].host", "\"node-c\"");
    ASSERT_TRUE(node);
    EXPECT_EQ(elementsAt(*node, "nodes"), 3u);
    EXPECT_EQ(field(*node, "nodes[2].host"), "node-c");
    EXPECT_EQ(*withValue("{}", "name", "\"x\""), R"({"name": "x"})");
}

TEST(JobText, RemovesAKeyWithItsCommaAndItsEmptyObject)
{
    for (const char *path : {"rankdeck", "nodes[0].host", "launch.recipe", "launch.command", "nodes[1]"}) {
        const auto without = withoutValue(file, path);
        ASSERT_TRUE(without) << path;
        EXPECT_FALSE(valueAt(*without, path) && std::string(path) != "nodes[1]") << path;
        EXPECT_TRUE(valueAt(*without, "note to self")) << path << "\n" << *without;
    }
    const auto noLogs = withoutValue(file, "logs.path");
    ASSERT_TRUE(noLogs);
    EXPECT_FALSE(valueAt(*noLogs, "logs"));
    EXPECT_EQ(*withoutValue(file, "kubernetes.via"), file);
    EXPECT_FALSE(withoutValue("{\"name\"", "name"));
}

// Converts the value of every key to field text and back. Only text that a job file may contain is typed.
TEST(JobText, FieldTextRoundTripsForEveryKey)
{
    const std::pair<JobValue, std::vector<std::string>> values[] = {
        {JobValue::text, {R"("")", R"("/a b/\"c\"\n")", R"("{rank}")"}},
        {JobValue::number, {"1", "8118"}},
        {JobValue::boolean, {"true", "false"}},
        {JobValue::ranks, {"[0]", "[0,1,2,3,8]", "[3,5]"}},
        {JobValue::words, {R"j(["python","-c","print('x y')"])j", R"(["","\\","a\"b"])", "[]"}},
        {JobValue::map, {R"({"A":"1","B":"x y='z'","C":""})", "{}"}},
        {JobValue::other, {R"("all")", "[[0,2],[1,3]]", R"({"lr":0.1,"b":true})"}}};
    for (const auto &[kind, all] : values)
        for (const std::string &json : all) {
            if (json == "[]" || json == "{}") continue;  // an empty field removes the key
            const auto back = jsonOfField(kind, fieldOf(kind, json));
            ASSERT_TRUE(back) << json;
            EXPECT_EQ(*back, json);
        }
    EXPECT_EQ(fieldOf(JobValue::number, "\"x\""), "\"x\"") << "what is of another kind is shown as it is";
    EXPECT_EQ(fieldOf(JobValue::words, "[1]"), "[1]");
}

TEST(JobText, SplitsAPastedLaunchCommandIntoArguments)
{
    const auto words = jsonOfField(JobValue::words, "msrun --worker_num=8 \\\n  train.py --data '/my data'\n");
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, R"(["msrun","--worker_num=8","train.py","--data","/my data"])");
    const auto job = parseJob(*withValue(file, "launch.command", *words));
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(job->job.launch.command.front(), "train.py") << "taken apart: the recipe starts it";
}

TEST(JobText, RefusesValuesOfTheWrongType)
{
    const std::pair<JobValue, const char *> wrong[] = {
        {JobValue::number, "many"},   {JobValue::number, "-1"},  {JobValue::boolean, "yes"}, {JobValue::ranks, "3-1"},
        {JobValue::ranks, "a"},       {JobValue::words, "a 'b"}, {JobValue::map, "A"},       {JobValue::map, "=x"},
        {JobValue::other, "[[0, 1]"}, {JobValue::ranks, "1--2"}};
    for (const auto &[kind, text] : wrong) {
        const auto json = jsonOfField(kind, text);
        ASSERT_FALSE(json) << text;
        EXPECT_NE(json.error().message.find("expected"), std::string::npos);
    }
    EXPECT_EQ(*jsonOfField(JobValue::number, "007"), "7");
}

// The reader accepts every key of the table, and no other key.
TEST(JobText, ReaderAcceptsExactlyTheKeysOfTheTable)
{
    for (const JobKey &key : jobKeys) {
        std::string path(key.path);
        if (const auto index = path.find("[]"); index != std::string::npos) path.replace(index, 2, "[0]");
        const auto with =
            withValue(R"({"rankdeck": 1, "name": "x", "nodes": [{"host": "h", "ranks": [0]}]})", path, "null");
        ASSERT_TRUE(with) << path;
        const auto job = parseJob(*with);
        EXPECT_TRUE(!job || job->warnings.empty()) << path << ": " << (job ? job->warnings.front() : "");
        const auto slip = parseJob(
            *withValue(R"({"rankdeck": 1, "name": "x", "nodes": [{"host": "h", "ranks": [0]}]})", path + "x", "null"));
        EXPECT_TRUE(!slip || !slip->warnings.empty()) << path << "x";
    }
}

}  // namespace
}  // namespace rankdeck::job_text_test
