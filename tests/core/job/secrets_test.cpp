// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/secrets.h"

#include <gtest/gtest.h>

namespace rankdeck::secrets_test {
namespace {

TEST(Secrets, AreRecognisedByTheNameOfTheVariable)
{
    for (const char *name : {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "wandb_api_key", "DB_PASSWORD", "SSH_KEY"})
        EXPECT_TRUE(soundsSecret(name)) << name;
    for (const char *name : {"RANK_ID", "MS_WORKER_NUM", "KEYBOARD", "PATH"}) EXPECT_FALSE(soundsSecret(name)) << name;
}

TEST(Secrets, IncludeAnyValueOfAnUnknownVariableThatCouldBeSecret)
{
    EXPECT_TRUE(mayBeSecret("MY_SETTING", "d41d8cd98f"));
    EXPECT_TRUE(mayBeSecret("MS_TOKEN", "d41d8cd98f"));
    EXPECT_TRUE(mayBeSecret("PIN", "12345678"));
    EXPECT_FALSE(mayBeSecret("NCCL_SOCKET_IFNAME", "eth0,eth1"));
    EXPECT_FALSE(mayBeSecret("MS_SCHED_HOST", "10.0.0.1"));
    EXPECT_FALSE(mayBeSecret("DATA_ROOT", "/data"));
    EXPECT_FALSE(mayBeSecret("WORKERS", "16"));
    EXPECT_FALSE(mayBeSecret("DEBUG", "False"));
    EXPECT_FALSE(mayBeSecret("MODE", "train")) << "it is a part of train.py";
}

TEST(Secrets, AreHiddenInAnyQuotingAndTheLongestFirst)
{
    Secrets secrets;
    secrets.add({{"A_TOKEN", "ab'c\"d"}, {"B_TOKEN", "ab'c\"defg"}, {"C_TOKEN", "x"}, {"NCCL_DEBUG", "words"}});
    EXPECT_EQ(secrets.hide("ab'c\"defg ab'c\"d words x"), "<B_TOKEN is hidden> <A_TOKEN is hidden> words x");
    EXPECT_EQ(secrets.hide(R"("ab'c\"d" 'ab'\''c"d' 'ab\'c"d')"),
              R"("<A_TOKEN is hidden>" '<A_TOKEN is hidden>' '<A_TOKEN is hidden>')");
    EXPECT_EQ(secrets.namesIn("-- ab'c\"d --"), std::vector<std::string>{"A_TOKEN"});
}

TEST(Secrets, MatchesComparesTextWithHiddenValues)
{
    const std::string hidden = "a=" + hiddenText("A_TOKEN") + "\nb=" + hiddenText("B_TOKEN") + "\nend\n";
    EXPECT_TRUE(Secrets::matches("a=1234\nb=5678\nend\n", hidden));
    EXPECT_FALSE(Secrets::matches("a=1234\nb=5678\nend\nmore\n", hidden));
    EXPECT_FALSE(Secrets::matches("x=1234\nb=5678\nend\n", hidden));
    EXPECT_FALSE(Secrets::matches("a=1234\nc=5678\nend\n", hidden));
    EXPECT_FALSE(Secrets::matches("a=\nend\n", hidden));
    EXPECT_TRUE(Secrets::matches("x is hidden>", "x is hidden>")) << "no value was hidden there";
    EXPECT_FALSE(Secrets::matches("y", "x"));
}

}  // namespace
}  // namespace rankdeck::secrets_test
