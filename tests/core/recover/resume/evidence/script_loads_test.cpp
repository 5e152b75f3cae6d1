// SPDX-License-Identifier: GPL-3.0-or-later
// The loads of scripts, found in their text: one row per way of loading, with names that are in no list of Rankdeck.
#include "core/recover/resume/evidence/script_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace rankdeck::script_loads_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool searches(const std::string &script)
{
    const auto loads = loadsOf(script);
    return std::any_of(loads.begin(), loads.end(),
                       [](const ScriptLoad &one) { return one.searches && one.needs.empty(); });
}

TEST(ScriptLoads, ScriptSearchesIfItLoadsAPathFromAListing)
{
    for (const char *script : {
             "p = max(glob.glob('./ckpt/*.ckpt'), key=os.path.getmtime)\nparam = load_checkpoint(p)\n",
             "for f in sorted(os.listdir(d)):\n    best = os.path.join(d, f)\nnet.load_state_dict(torch.load(best))\n",
             "def newest(d):\n    files = os.listdir(d)\n    return files[-1]\nmodel.restore(newest('out'))\n",
             "def resume(path):\n    torch.load(path)\nfor q in Path('x').iterdir():\n    resume(q)\n",
             "class T:\n  def go(self):\n    self.last = list(os.scandir(d))[0]\n    load_weights(self.last)\n",
             "trainer.train(\n    resume_from_checkpoint=True,\n)\n",
             "trainer.fit(model, ckpt_path='last')\n",
         })
        EXPECT_TRUE(searches(script)) << script;
}

TEST(ScriptLoads, ListingWithoutALoadDoesNotCount)
{
    for (const char *script : {
             "for f in os.listdir(d):\n    os.remove(f)\nload_checkpoint(args.resume)\n",  // rotation
             "data = load_dataset(glob('*.npy'))\n",
             "loader = DataLoader(os.listdir(d))\n",
             "# load_checkpoint(glob('*.ckpt')[0])\nmodel.train(1)\n",
             "'''\nload_checkpoint(glob('*')[0])\n'''\nmodel.train(1)\n",
             "def clean():\n    for f in glob('*'):\n        os.remove(f)\nf = args.resume\ntorch.load(f)\n",
         })
        EXPECT_FALSE(searches(script)) << script;
}

std::vector<std::string> needsOf(const std::string &script)
{
    const auto loads = loadsOf(script);
    return loads.empty() ? std::vector<std::string>{"(no load)"} : loads.back().needs;
}

TEST(ScriptLoads, FindsTheOptionsThatALoadRequires)
{
    EXPECT_THAT(needsOf("load_checkpoint(args.resume)\n"), ElementsAre("resume"));
    EXPECT_THAT(needsOf("p.add_argument('--from-file', default=None)\nx = opt.from_file\ntorch.load(x)\n"),
                ElementsAre("from_file"));
    EXPECT_THAT(needsOf("p.add_argument('--init', default='out/last.pt')\ntorch.load(args.init)\n"), IsEmpty());
    EXPECT_THAT(needsOf("if args.go_on:\n    load_checkpoint(max(glob('*.ckpt')))\n"), ElementsAre("go_on"));
    EXPECT_THAT(needsOf("if args.go_on and not args.fresh:\n    load_checkpoint(max(glob('*.ckpt')))\n"),
                ElementsAre("go_on"));
    EXPECT_THAT(needsOf("if args.go_on or args.auto:\n    load_checkpoint(max(glob('*.ckpt')))\n"),
                ElementsAre("go_on|auto"));
    EXPECT_THAT(needsOf("def f():\n    if not args.go_on:\n        return\n    load_checkpoint(max(glob('*')))\n"),
                ElementsAre("go_on"));
    EXPECT_THAT(needsOf("if not args.fresh:\n    load_checkpoint(max(glob('*.ckpt')))\n"), IsEmpty());
    EXPECT_THAT(needsOf("def again():\n    load_checkpoint(max(glob('*.ckpt')))\nif args.go_on:\n    again()\n"),
                ElementsAre("go_on"));
    EXPECT_THAT(
        needsOf(
            "def again():\n    load_checkpoint(max(glob('*')))\nif args.a:\n    again()\nif args.b:\n    again()\n"),
        IsEmpty());
    EXPECT_THAT(needsOf("def main(options):\n    torch.load(options.start)\nmain(parser.parse_args())\n"),
                ElementsAre("start"));
}

TEST(ScriptLoads, FindsTheTextsThatFormTheLoadedPath)
{
    const auto loads = loadsOf("name = 'last.pt'\npath = os.path.join(out_dir, name)\nstate = torch.load(path)\n");
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_THAT(loads[0].texts, Contains("last.pt"));
    EXPECT_EQ(loads[0].call, "load");
}

TEST(ScriptLoads, AnyTextIsParsedWithoutAnException)
{
    for (const char *text :
         {"", "(((", "'", "\"\"\"", "def (:\n  if", "a = a\nload(a)\n", "def f(x):\n    f(x)\n    load(x)\nf(f)\n",
          "x = y\ny = x\nrestore(x)\n", "load(", "\\\n\\\n", "if x:\nload(x)\n"})
        EXPECT_NO_THROW((void)loadsOf(text)) << text;
    EXPECT_NO_THROW((void)loadsOf(std::string(300000, '(')));
}

TEST(ScriptLoads, RecognisesAScriptWithoutArguments)
{
    EXPECT_FALSE(takesArguments("model.train(1)\n"));
    EXPECT_TRUE(takesArguments("print(sys.argv)\n"));
}

}  // namespace
}  // namespace rankdeck::script_loads_test
