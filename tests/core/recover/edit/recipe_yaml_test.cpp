// SPDX-License-Identifier: GPL-3.0-or-later
// The editors of configuration files: what they change, and that they change nothing else.
#include "core/recover/edit/python_edit.h"
#include "core/recover/edit/unified_diff.h"
#include "core/recover/edit/yaml_edit.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace rankdeck::recipe_yaml_test {
namespace {

using ::testing::HasSubstr;

const std::vector<ConfigSetting> resume{{.key = "load_checkpoint", .value = "/job/.rankdeck/views/resume-1"},
                                        {.key = "resume_training", .value = "true", .literal = true},
                                        {.key = "auto_trans_ckpt", .value = "false", .literal = true}};

std::string edited(const std::string &text, const std::vector<ConfigSetting> &settings = resume)
{
    const auto result = editYaml(text, settings);
    return result ? result.value() : "REFUSED " + result.error().message;
}

std::string refused(const std::string &text, const std::vector<ConfigSetting> &settings = resume)
{
    const auto result = editYaml(text, settings);
    return result ? "EDITED" : result.error().message;
}

std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST(YamlEdit, ChangesThreeLinesOfAMindFormersFileAndNoOtherByte)
{
    std::ostringstream file;
    file << std::ifstream(testData() + "/recipes/pretrain_llama2_7b.yaml", std::ios::binary).rdbuf();
    const std::string before = file.str();
    ASSERT_GT(before.size(), 2000u);
    const auto old = linesOf(before), now = linesOf(edited(before));
    ASSERT_EQ(old.size(), now.size());
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (old[i] != now[i]) changed.push_back(now[i]);
    EXPECT_THAT(changed, testing::ElementsAre("load_checkpoint: '/job/.rankdeck/views/resume-1'",
                                              "auto_trans_ckpt: False  # resharding when the strategy changes",
                                              "resume_training: True"));
    EXPECT_EQ(edited(edited(before)), edited(before));
}

TEST(YamlEdit, KeepsQuotesCommentsAndLineEnds)
{
    EXPECT_EQ(
        edited("a: 1\r\nload_checkpoint: \"\"   # here\r\nresume_training: false\r\nauto_trans_ckpt: yes # c\r\n"),
        "a: 1\r\nload_checkpoint: \"/job/.rankdeck/views/resume-1\"   # here\r\nresume_training: true\r\n"
        "auto_trans_ckpt: False # c\r\n");
    EXPECT_EQ(edited("load_checkpoint:\nresume_training:   # none\nauto_trans_ckpt: False"),
              "load_checkpoint: /job/.rankdeck/views/resume-1\nresume_training: True   # none\nauto_trans_ckpt: False");
    EXPECT_EQ(edited("'load_checkpoint' : x\n\"resume_training\": false\nauto_trans_ckpt: true\n"),
              "'load_checkpoint' : /job/.rankdeck/views/resume-1\n\"resume_training\": true\nauto_trans_ckpt: false\n");
}

TEST(YamlEdit, AppendsMissingKeysAtTheEnd)
{
    EXPECT_EQ(edited("seed: 0"), "seed: 0\nload_checkpoint: /job/.rankdeck/views/resume-1\nresume_training: True\n"
                                 "auto_trans_ckpt: False\n");
    EXPECT_EQ(edited("# only a comment\n---\nmodel:\n  load_checkpoint: other\n", {resume[0]}),
              "# only a comment\n---\nmodel:\n  load_checkpoint: other\nload_checkpoint: "
              "/job/.rankdeck/views/resume-1\n");
}

TEST(YamlEdit, QuotesValuesThatYamlWouldReadAsAnotherType)
{
    const auto value = [](const std::string &text) { return edited("k: old\n", {{.key = "k", .value = text}}); };
    EXPECT_EQ(value("a: b"), "k: 'a: b'\n");
    EXPECT_EQ(value("it's"), "k: it's\n");
    EXPECT_EQ(value("'q"), "k: '''q'\n");
    EXPECT_EQ(value("yes"), "k: 'yes'\n");
    EXPECT_EQ(value("1_000"), "k: '1_000'\n");
    EXPECT_EQ(value("#x"), "k: '#x'\n");
    EXPECT_EQ(value("/a b #c"), "k: '/a b #c'\n");
    EXPECT_EQ(value(""), "k: ''\n");
    EXPECT_EQ(edited("k: \"old\"\n", {{.key = "k", .value = "a\"\\b"}}), "k: \"a\\\"\\\\b\"\n");
    EXPECT_THAT(refused("k: old\n", {{.key = "k", .value = "a\nb: c"}}), HasSubstr("on one line"));
}

TEST(YamlEdit, DoesNotTakeTextInBlocksAndListsForKeys)
{
    const std::string text =
        "note: |\n  load_checkpoint: no\n   deeper\nlist:\n- load_checkpoint: no\n- 'x: y'\nflow: [1,\n"
        "2,\n  3]  # c\nauto_trans_ckpt: true\nload_checkpoint: ''\nresume_training: true\n";
    const std::string now = edited(text);
    EXPECT_THAT(now, HasSubstr("  load_checkpoint: no\n"));
    EXPECT_THAT(now, HasSubstr("- load_checkpoint: no\n"));
    EXPECT_THAT(now, HasSubstr("\nload_checkpoint: '/job/.rankdeck/views/resume-1'\n"));
}

TEST(YamlEdit, RefusesUnsafeEditsAndNamesTheLine)
{
    EXPECT_THAT(refused("{load_checkpoint: ''}\n"), HasSubstr("line 1: expected one key on each line, found a flow"));
    EXPECT_THAT(refused("a: 1\nload_checkpoint: {a: 1}\n"), HasSubstr("line 2"));
    EXPECT_THAT(refused("load_checkpoint: [1,\n2]\n"), HasSubstr("found more lines below it"));
    EXPECT_THAT(refused("load_checkpoint: &here x\n"), HasSubstr("an anchor"));
    EXPECT_THAT(refused("base: &b x\nload_checkpoint: *b\n"), HasSubstr("an alias"));
    EXPECT_THAT(refused("<<: *base\nload_checkpoint: ''\n"), HasSubstr("merge key"));
    EXPECT_THAT(refused("load_checkpoint: !!str x\n"), HasSubstr("a tag"));
    EXPECT_THAT(refused("load_checkpoint: |\n  x\n"), HasSubstr("a block of text"));
    EXPECT_THAT(refused("load_checkpoint:\n  path: x\n"), HasSubstr("found more lines below it"));
    EXPECT_THAT(refused("load_checkpoint: a\n  b\n"), HasSubstr("found more lines below it"));
    EXPECT_THAT(refused("load_checkpoint: 'a\n  b'\n"), HasSubstr("found more lines below it"));
    EXPECT_THAT(refused("load_checkpoint: 'a\n"), HasSubstr("line 1: expected YAML, found: "));
    EXPECT_THAT(refused("a: \xff\nload_checkpoint: ''\n"), HasSubstr("UTF-8"));
    EXPECT_THAT(refused("a:\n\tb: 1\n"), HasSubstr("expected YAML, found: "));
    EXPECT_THAT(refused("load_checkpoint: a\nx: 1\n\"load_checkpoint\": b\n"),
                HasSubstr("line 3: expected each key once, found load_checkpoint here and in line 1"));
    EXPECT_THAT(refused("? load_checkpoint\n: x\n"), HasSubstr("expected a plain key"));
    EXPECT_THAT(refused("just text\n"), HasSubstr("found no colon"));
    EXPECT_THAT(refused("- a\n"), HasSubstr("expected a key"));
    EXPECT_THAT(refused("flow: {a: 1\n"), HasSubstr("expected YAML, found: "));
}

// Files of ResNet: the configuration, then a second document with the same keys and their help texts.
TEST(YamlEdit, ChangesTheFirstDocumentOnly)
{
    const std::vector<ConfigSetting> one{{.key = "pre_trained", .value = "/job/rank_0/a.ckpt"}};
    const std::string help =
        "---\n# Help description for each configuration\npre_trained: \"file path of pretrained\"\n";
    EXPECT_EQ(edited("# Builtin\npre_trained: \"\"\nrun_eval: False\n" + help, one),
              "# Builtin\npre_trained: \"/job/rank_0/a.ckpt\"\nrun_eval: False\n" + help);
    EXPECT_EQ(edited("---\nrun_eval: False\n" + help, one),
              "---\nrun_eval: False\npre_trained: /job/rank_0/a.ckpt\n" + help);
    EXPECT_EQ(edited("run_eval: False\n...\n", one), "run_eval: False\npre_trained: /job/rank_0/a.ckpt\n...\n");
    EXPECT_THAT(refused("---\n---\npre_trained: 1\n", one), HasSubstr("line 2: expected a document with a mapping"));
}

TEST(YamlEdit, DiffShowsOnlyTheChangedLine)
{
    const std::string before = "a: 1\nload_checkpoint: ''  # set me\nb: 2\n";
    EXPECT_EQ(unifiedDiff("/c.yaml", before, edited(before, {resume[0]})),
              "--- /c.yaml\n+++ /c.yaml\n@@ -1,3 +1,3 @@\n a: 1\n-load_checkpoint: ''  # set me\n+load_checkpoint: "
              "'/job/.rankdeck/views/resume-1'  # set me\n b: 2\n");
}

std::string python(const std::string &text)
{
    const auto result = editPython(text, {{.key = "restore_path", .value = "/v"}});
    return result ? result.value() : result.error().message;
}

TEST(PythonEdit, ChangesTheStringAssignedToTheKey)
{
    EXPECT_EQ(python("c = {\n  'restore_path': '/xxx/ d/ckpt0 ',  # old\n  'n': 1}\n"),
              "c = {\n  'restore_path': '/v',  # old\n  'n': 1}\n");
    EXPECT_EQ(python("# restore_path = 'no'\nrestore_path = \"x\"\nmy_restore_path = 'y'\n"),
              "# restore_path = 'no'\nrestore_path = \"/v\"\nmy_restore_path = 'y'\n");
}

TEST(PythonEdit, RefusesValuesThatAreNotOnePlainString)
{
    EXPECT_THAT(python("x = 1\n"), HasSubstr("found 0"));
    EXPECT_THAT(python("restore_path = 'a'\nrestore_path = 'b'\n"), HasSubstr("found 2"));
    EXPECT_THAT(python("restore_path = os.path.join(a, b)\n"), HasSubstr("expected a string"));
    EXPECT_THAT(python("restore_path = '''a\nb'''\n"), HasSubstr("expected a string"));
    EXPECT_THAT(python("restore_path = 'a\\'b'\n"), HasSubstr("plain string"));
    EXPECT_THAT(python("if restore_path == 'x': pass\n"), HasSubstr("found 0"));
}

}  // namespace
}  // namespace rankdeck::recipe_yaml_test
