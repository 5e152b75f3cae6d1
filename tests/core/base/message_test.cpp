// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: their English text, their parts, and the form in which they are stored.
#include "core/base/message.h"
#include "core/base/text.h"

#include <gtest/gtest.h>

namespace rankdeck::message_test {
namespace {

TEST(Message, EqualsItsEnglishText)
{
    const Message inner = message("%1 has no file", "rank 3");
    const Message outer = message("step %1: %2 (%1)", 40, inner);
    EXPECT_EQ(outer, "step 40: rank 3 has no file (40)");
    EXPECT_EQ(outer.format(), "step %1: %2 (%1)");
    ASSERT_EQ(outer.parts().size(), 2u);
    EXPECT_EQ(outer.parts()[1].format(), "%1 has no file");
    EXPECT_EQ("x: " + outer, "x: step 40: rank 3 has no file (40)");
}

TEST(Message, NeverReadsAPartAsAFormat)
{
    EXPECT_EQ(message("%1 and %2", "%2", "%1"), "%2 and %1");
    EXPECT_EQ(message("50 % of %3, %", "a"), "50 % of %3, %") << "no such part";
}

TEST(Message, HasNoPartsIfItIsAPlainText)
{
    for (const Message &plain : {Message(), Message("a %1 b"), Message(std::string("%1"))}) {
        EXPECT_TRUE(plain.format().empty());
        EXPECT_TRUE(plain.parts().empty());
        EXPECT_TRUE(plain.encoded().empty());
    }
}

TEST(Message, BecomesPlainWhenItsTextChanges)
{
    Message text = message("rank %1", 3);
    text += " is gone";
    EXPECT_EQ(text, "rank 3 is gone");
    EXPECT_TRUE(text.format().empty()) << "the format would show the old text";
}

TEST(Message, RestoresItsPartsFromTheirEncoding)
{
    const Message text = message("%1; %2", message("rank %1 has no file", 7), std::string("\"q\" \xff\n"));
    const Message again = Message::decoded(message("%1; %2", message("rank %1 has no file", 7), "plain"),
                                           message("%1; %2", message("rank %1 has no file", 7), "plain").encoded());
    EXPECT_EQ(again.format(), "%1; %2");
    ASSERT_EQ(again.parts().size(), 2u);
    EXPECT_EQ(again.parts()[0].format(), "rank %1 has no file");
    EXPECT_EQ(Message::decoded(text, text.encoded()), text) << "bytes that are no UTF-8 lose the parts, not the text";
}

TEST(Message, ListsAnyNumberOfClausesAndKeepsTheirParts)
{
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({message("rank %1 is gone", 1)}), "rank 1 is gone");
    EXPECT_EQ(listed({"a", "b", "c"}), "a; b; c");
    std::vector<Message> clauses;
    for (int rank = 0; rank < 500; ++rank) clauses.push_back(message("rank %1 is gone", rank));
    const Message all = listed(clauses);
    EXPECT_EQ(Message::decoded(all, all.encoded()).format(), "%1; %2")
        << "its parts are nested too deep to be read back";
}

TEST(Message, JoinsSentencesAndLeavesEmptyOnesOut)
{
    EXPECT_EQ(joined({}), "");
    EXPECT_EQ(joined({Message(), "One.", Message(), message("%1 two.", 2)}), "One. 2 two.");
}

TEST(Message, KeepsItsPartsAsAClauseAndAsPrintableText)
{
    const Message sentence = message("%1 is gone.", "n0");
    EXPECT_EQ(withoutStop(sentence), "n0 is gone");
    EXPECT_EQ(withoutStop(sentence).parts().front().format(), "%1 is gone.");
    EXPECT_EQ(withoutStop(message("%1 is gone", "n0")).format(), "%1 is gone") << "nothing to leave out";
    EXPECT_EQ(withoutStop(Message("plain.")), "plain");
    EXPECT_EQ(printable(sentence).format(), "%1 is gone.");
    EXPECT_EQ(printable(message("%1 is gone.", "\x1b[2J")), printable(std::string("\x1b[2J is gone.")));
    const Message unsafe = printable(message("%1 is gone.", message("rank %1", "\x1b[2J3")));
    EXPECT_EQ(unsafe.encoded(), R"(["%1 is gone.",["rank %1","3"]])");
}

TEST(Message, DropsPartsThatDoNotMatchTheText)
{
    std::string deep = "\"x\"";
    for (int i = 0; i < 100; ++i) deep = "[\"%1\"," + deep + "]";
    for (const std::string &kept :
         {std::string(), std::string("null"), std::string("{"), std::string("[]"), std::string("[1]"),
          std::string("[\"other text\"]"), std::string("[\"rank %1\", 3]"), std::string("[\"rank %1\", {}]"), deep}) {
        const Message text = Message::decoded("rank 3", kept);
        EXPECT_EQ(text, "rank 3") << kept;
        EXPECT_TRUE(text.format().empty()) << kept;
    }
}

}  // namespace
}  // namespace rankdeck::message_test
