// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/node/session/interactive_server.h"
#include "tests/core/node/session/node_session.h"

namespace rankdeck::interactive_login_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Operator {
    std::vector<std::vector<std::string>> answers;  // to the questions in turn
    std::vector<AuthQuestion> asked = {};
    bool accept = true;

    Questions questions()
    {
        Questions made;
        made.auth = [this](const AuthQuestion &question) {
            asked.push_back(question);
            if (!accept || asked.size() > answers.size()) return Answer{false, {}};
            return Answer{true, answers[asked.size() - 1]};
        };
        return made;
    }
};

Opening with(const InteractiveServer &server, Operator &person)
{
    Opening opening{server.host(), server.sshConfigPath(), "whatever"};
    opening.interactive = true;
    opening.questions = person.questions();
    return opening;
}

TEST(InteractiveLogin, AcceptsAKeyFollowedByTwoRoundsOfQuestions)
{
    const InteractiveServer server({.keyFirst = true});
    Operator person{{{"ann", "123456"}, {"yes"}}};
    const auto opened = openNode(with(server, person));
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_EQ(readToEnd(**opened).text, "served\n");
    ASSERT_EQ(person.asked.size(), 2u);
    EXPECT_EQ(person.asked[0].host, "asks");
    EXPECT_EQ(person.asked[0].name, "Second factor");
    EXPECT_EQ(person.asked[0].instruction, "Look at your phone.");
    ASSERT_EQ(person.asked[0].prompts.size(), 2u);
    EXPECT_EQ(person.asked[0].prompts[0].text, "Name: ");
    EXPECT_TRUE(person.asked[0].prompts[0].echo);
    EXPECT_FALSE(person.asked[0].prompts[1].echo);
    ASSERT_EQ(person.asked[1].prompts.size(), 1u);
    EXPECT_EQ(person.asked[1].prompts[0].text, "Really? ");
}

TEST(InteractiveLogin, AcceptsQuestionsWithoutAKey)
{
    const InteractiveServer server;
    Operator person{{{"ann", "123456"}, {"yes"}}};
    const auto opened = openNode(with(server, person));
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(InteractiveLogin, WrongAnswerEndsTheAttempt)
{
    const InteractiveServer server;
    Operator person{{{"ann", "000000"}, {"yes"}}};
    const auto opened = openNode(with(server, person));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("keyboard-interactive"), Not(HasSubstr("000000"))));
    EXPECT_EQ(person.asked.size(), 1u);
    EXPECT_EQ(server.connections(), 1);
}

TEST(InteractiveLogin, UnansweredQuestionIsNotRepeatedAutomatically)
{
    const InteractiveServer server;
    Operator person{{}, {}, false};
    const auto opened = openNode(with(server, person));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), HasSubstr("was not answered"));
    EXPECT_EQ(person.asked.size(), 1u);
    EXPECT_EQ(server.connections(), 1);
}

TEST(InteractiveLogin, RefusesToStartWithoutAnOperator)
{
    const InteractiveServer server({.keyFirst = true});
    Operator person{{{"ann", "123456"}, {"yes"}}};
    Opening opening = with(server, person);
    opening.interactive = false;
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("wants an answer from a person"), HasSubstr("window")));
    EXPECT_TRUE(person.asked.empty());
}

TEST(InteractiveLogin, PasswordPromptHasNoEcho)
{
    const InteractiveServer server({.password = true, .code = "hunter2"});
    Operator person{{{"hunter2"}}};
    auto opened = openNode(with(server, person));
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    opened->reset();  // the server takes one connection at a time
    ASSERT_EQ(person.asked.size(), 1u);
    EXPECT_FALSE(person.asked[0].prompts.at(0).echo);
    EXPECT_THAT(person.asked[0].prompts.at(0).text, HasSubstr("ann@127.0.0.1"));
    Operator wrong{{{"hunter3"}}};
    const auto refused = openNode(with(server, wrong));
    EXPECT_EQ(kindOf(refused), ErrorKind::refused);
    EXPECT_EQ(wrong.asked.size(), 1u);
}

}  // namespace
}  // namespace rankdeck::interactive_login_test
