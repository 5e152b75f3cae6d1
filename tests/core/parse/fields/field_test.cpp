// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a line with their labels, and what a label means.
#include "core/parse/fields/field.h"

#include "core/job/job.h"
#include "core/parse/fields/label_text.h"
#include "core/parse/fields/pieces.h"
#include "core/parse/fields/role.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace rankdeck::field_test {
namespace {

// "label=value/of unit", one for each number
std::string read(std::string_view line)
{
    LineFields fields;
    readFields(line, fields);
    std::string text;
    for (const Field &field : fields.fields) {
        text += (text.empty() ? "" : "; ") + std::string(field.label) + "=" + std::string(field.text);
        if (field.of) text += "/" + std::to_string(*field.of);
        if (!field.unit.empty()) text += " " + std::string(field.unit);
        if (field.repeats) text += " again";
    }
    return text;
}

TEST(Fields, AreReadInManyForms)
{
    const std::pair<const char *, const char *> forms[] = {
        {"loss: 2.5, lr=1e-05 | step 7", "loss=2.5; lr=1e-05; step=7"},
        {"{'loss': '2.5', \"epoch\": 0.5}", "loss=2.5; epoch=0.5"},
        {"Epoch(train)  [1][210/735]  time (ms): 424.9", "Epoch(train)=1; =210/735; time (ms)=424.9"},
        {"Train: 0 [  50/1251 (  4%)]  Loss: 6.9 (7.0)", "Train=0; =50/1251; =4 % again; Loss=6.9; Loss=7.0 again"},
        {"| epoch   1 |   200/ 2983 batches | ms/batch 12.3", "epoch=1; =200/2983 batches; ms/batch=12.3"},
        {"60 of 300 done", "=60/300 done"},
        {"loss=tensor(2.5, device='npu:0') step 3", "loss=2.5; npu=0; step=3"},
        {"loss: Tensor(shape=[], dtype=Float32, value= 2.25) step 3", "loss=2.25; step=3"},
        {"consumed 1,023,456 tokens_per_sec: 11.5K", "consumed=1,023,456; tokens_per_sec=11.5"},
        {"loss nan grad_norm -inf, number of nan iterations: 0",
         "loss=nan; grad_norm=-inf; number of nan iterations=0"},
        {"| train/loss  | 0.25 |", "train/loss=0.25"},
        {"10/30 22:21:02 - 2026-02-18T10:20:01,496 eta: 2:46:39 v1.12.3 127.0.0.1:80", ""},
        {"rank5 pod-0 gpt-2 v2", ""},
        {"GET /runs?step=300&loss=0.52 HTTP", ""},
        {"INFO: step 5", "step=5"},
        {"2.5e 50% 3.4s/it", "=2.5 e; =50 %; =3.4 s/it"},
    };
    for (const auto &[line, wanted] : forms) EXPECT_EQ(read(line), wanted) << line;
}

TEST(Fields, AreReadWithThousandsSeparatorsAndUnitSuffixes)
{
    LineFields fields;
    readFields("step 1,023,456 loss 2", fields);
    ASSERT_EQ(fields.fields.size(), 2u);
    EXPECT_EQ(fields.fields[0].value, 1023456);
    readFields("tokens: 1.05M, step 2K", fields);
    EXPECT_EQ(fields.fields[0].value, 1.05e6);
    EXPECT_TRUE(fields.fields[1].integer);
    EXPECT_EQ(fields.fields[1].value, 2000);
}

TEST(Fields, StayWithinTheLineForAnyBytes)
{
    std::mt19937 random(7);
    const std::string letters = "loss: =[](){}|/%0123456789.,-+eEnaif \t\r'\"K\x1b\xff\0";
    LineFields fields;
    for (int round = 0; round < 20000; ++round) {
        std::string line;
        for (auto length = random() % 80; length > 0; --length) line += letters[random() % letters.size()];
        readFields(line, fields);
        EXPECT_LE(fields.fields.size(), mostFields);
        std::size_t from = 0;
        for (const Field &field : fields.fields) {
            EXPECT_LE(from, field.begin) << line;
            EXPECT_LE(field.end, line.size()) << line;
            from = field.begin;
        }
    }
    readFields(std::string(1u << 20, '1') + std::string(1u << 20, '(') + std::string(1u << 20, ' '), fields);
    EXPECT_LE(fields.fields.size(), mostFields);
}

TEST(Labels, AreNormalisedToPlainWords)
{
    EXPECT_EQ(plainLabel("TrainLoss/lm_loss"), "train loss lm loss");
    EXPECT_EQ(plainLabel("LRScale (ms)"), "lr scale ms");
    EXPECT_EQ(plainLabel("  Acc@1 "), "acc");
}

TEST(Labels, HaveTheExpectedRoles)
{
    const std::pair<FieldRole, std::vector<const char *>> roles[] = {
        {FieldRole::loss,
         {"loss", "Loss", "train_loss", "total_loss", "lm loss", "Train loss/train/total", "reduced_train_loss",
          "CrossEntropyLoss", "avr_loss", "Cost", "xent", "train-logloss"}},
        {FieldRole::step,
         {"step", "Iteration", "global_step", "num_updates", "batch", "it", "Up.", "total_timesteps", "train_step",
          "batch_idx", "optimizer step"}},
        {FieldRole::epoch, {"epoch", "Ep.", "Train Epoch", "Epoch(train)"}},
        {FieldRole::total, {"Total optimization steps", "max_steps", "total steps"}},
        {FieldRole::epochs, {"Num Epochs", "max_epochs", "total epochs"}},
        {FieldRole::learningRate, {"lr", "learning rate", "optim0_lr0", "train/learning_rate"}},
        {FieldRole::gradNorm, {"grad_norm", "gnorm", "gradient norm", "norm", "global_norm", "grad"}},
        {FieldRole::lossScale, {"loss scale", "loss_scale", "grad_scale", "scale"}},
        {FieldRole::stepTime,
         {"elapsed time per iteration (ms)", "ms/batch", "iter_time", "step time", "time/step",
          "train_step_timing in s", "dt"}},
        {FieldRole::throughput,
         {"throughput", "samples/s", "tokens_per_sec", "tps", "img/s", "Speed", "tokens per second"}},
        {FieldRole::evaluation, {"val_loss", "eval/loss", "test loss", "Validation loss", "Epoch(val)"}},
        {FieldRole::none,
         {"acc", "number of skipped iterations", "number of nan iterations", "batch size", "global batch size",
          "packet loss", "best_loss", "loss_weight", "consumed samples", "Peak GPU Memory (MB)", "warmup_steps",
          "weight norm", "data_time", "Logit Scale", "epoch time", ""}},
    };
    for (const auto &[role, labels] : roles)
        for (const char *label : labels)
            EXPECT_EQ(int(meaningOf(label).role), int(role)) << label << " is " << fieldRoleName(meaningOf(label).role);
}

TEST(Labels, HaveOnlyTheRolesOfTheJobFileIfItNamesAny)
{
    FieldRoles roles({{"loss", "my_value"}, {"step", "tick_no"}});
    LineFields fields;
    readFields("tick_no 7 step 9 my_value 2.5 loss 3", fields);
    std::vector<FieldRole> found;
    for (const Field &field : fields.fields) found.push_back(roles.of(field).role);
    EXPECT_EQ(found, (std::vector<FieldRole>{FieldRole::step, FieldRole::none, FieldRole::loss, FieldRole::none}));
}

TEST(Roles, HaveTheSameNamesInTheJobFile)
{
    std::vector<std::string> names;
    for (const FieldRole role :
         {FieldRole::loss, FieldRole::step, FieldRole::epoch, FieldRole::total, FieldRole::learningRate,
          FieldRole::gradNorm, FieldRole::lossScale, FieldRole::stepTime, FieldRole::throughput})
        names.emplace_back(fieldRoleName(role));
    EXPECT_EQ(names, std::vector<std::string>(logFieldRoles.begin(), logFieldRoles.end()));
}

TEST(Pieces, AreSplitAtCarriageReturnsAndAfterProgressBars)
{
    const auto piecesOf = [](std::string_view line) {
        std::vector<std::string> all;
        Pieces pieces(line);
        while (const auto next = pieces.next()) all.emplace_back(*next);
        return all;
    };
    EXPECT_EQ(piecesOf("\r 10%|#  | 1/10 [00:01<00:09,  1.00it/s]\r   \r{'loss': 1.5}"),
              (std::vector<std::string>{" 10%|#  | 1/10 [00:01<00:09,  1.00it/s]", "{'loss': 1.5}"}));
    EXPECT_EQ(
        piecesOf(" 20%|##  | 2/10 [00:01<00:09, 1.0it/s]Traceback (most recent call last):"),
        (std::vector<std::string>{" 20%|##  | 2/10 [00:01<00:09, 1.0it/s]", "Traceback (most recent call last):"}));
    EXPECT_EQ(piecesOf("Epoch 0: 10%|# | 1/10 [00:01, x=[1, 2]]Epoch 0: 20%|# | 2/10 [00:01]").size(), 2u);
    EXPECT_EQ(piecesOf("plain"), std::vector<std::string>{"plain"});
    EXPECT_TRUE(piecesOf("\r\r \r").empty());
    EXPECT_EQ(piecesOf("100%|never closed").size(), 1u);
}

}  // namespace
}  // namespace rankdeck::field_test
