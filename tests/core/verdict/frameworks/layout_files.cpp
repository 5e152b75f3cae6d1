// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/frameworks/layout_files.h"

#include "tests/core/verdict/dcp_files.h"
#include "tests/core/verdict/torch_files.h"

#include <cstdio>
#include <cstring>

namespace rankdeck::test {
namespace {

constexpr unsigned values = 64;

std::string n(std::int64_t number) { return std::to_string(number); }

unsigned mixed(unsigned a, unsigned b, unsigned c)
{
    std::uint32_t hash = a * 0x9e3779b1U ^ (b + 1) * 0x85ebca6bU ^ (c + 1) * 0xc2b2ae35U;
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6dU;
    hash ^= hash >> 12;
    hash *= 0x297a2d39U;
    return hash ^ hash >> 15;
}

std::string padded(const char *format, std::int64_t a, std::int64_t b = 0)
{
    char text[80];
    std::snprintf(text, sizeof text, format, int(a), int(b));
    return text;
}

std::string scheduler(const Training &training, std::int64_t step)
{
    return schedulerState(step, training.rateAt(step));
}

std::string randomState(const Training &training, std::int64_t step, int rank)
{
    return pkl::dict(
        {{"step", pkl::integer(step)},
         {"random_state", pkl::integer(std::int64_t(mixed(training.run, unsigned(step), unsigned(rank)) >> 4))}});
}

}  // namespace

std::vector<float> weightsAt(const Training &training, std::int64_t step, unsigned part)
{
    std::vector<float> out;
    for (unsigned i = 0; i < values; ++i) {
        const unsigned own = mixed(training.run, part, i);
        out.push_back(((own & 1) != 0 ? -1.0F : 1.0F) * (1.0F + float(own % 97) / 97 + 0.001F * float(step)));
    }
    return out;
}

std::vector<float> firstMoments(const Training &training, std::int64_t step, unsigned part)
{
    std::vector<float> out;
    for (unsigned i = 0; i < values; ++i)
        out.push_back(float(int(mixed(training.run * 977 + unsigned(step), part, i) % 2001) - 1000) / 1e5F);
    return out;
}

std::vector<float> secondMoments(const Training &training, std::int64_t step, unsigned part)
{
    std::vector<float> out;
    for (unsigned i = 0; i < values; ++i)
        out.push_back(1e-6F * float(1 + mixed(training.run, part + 500, i) % 1000) * (1 + 0.002F * float(step)));
    return out;
}

std::string modelFile(const Training &training, std::int64_t step, unsigned part, const std::string &name)
{
    return torchZip(pkl::whole(pkl::dict({{"layer.weight", pkl::floats("0", values)}})),
                    {{"0", floatBytes(weightsAt(training, step, part))}}, name);
}

std::string optimizerFile(const Training &training, std::int64_t step, unsigned part, const std::string &name,
                          double rate)
{
    return torchZip(
        pkl::whole(optimizerState(step, rate > 0 ? rate : training.rateAt(step), values)),
        {{"0", floatBytes(firstMoments(training, step, part))}, {"1", floatBytes(secondMoments(training, step, part))}},
        name);
}

// stateful_dataloader.py 0.11, of one process.
std::string loaderFile(const Training &training, std::int64_t step)
{
    const std::int64_t epoch = (step - 1) / training.perEpoch, given = step - epoch * training.perEpoch;
    const std::string order = pkl::dict(
        {{"yielded", pkl::integer(given * training.batch)}, {"generator", pkl::bytes("0", std::int64_t{4} * values)}});
    const std::string sampler =
        pkl::dict({{"samples_yielded", pkl::integer(given * training.batch)}, {"sampler_iter_state", order}});
    return torchZip(pkl::whole(pkl::dict({{"_sampler_iter_state", sampler},
                                          {"_sampler_iter_yielded", pkl::integer(given)},
                                          {"_num_yielded", pkl::integer(given)},
                                          {"_iterator_finished", pkl::integer(0)}})),
                    {{"0", floatBytes(weightsAt(training, epoch, 900))}});
}

std::string safetensorsFile(const std::vector<NamedValues> &tensors, std::int64_t globalStep)
{
    std::string header, data;
    const auto add = [&](const std::string &name, const char *type, std::size_t count, const std::string &bytes) {
        header += std::string(header.empty() ? "{" : ",") + "\"" + name + R"(":{"dtype":")" + type + R"(","shape":[)" +
                  std::to_string(count) + R"(],"data_offsets":[)" + std::to_string(data.size()) + "," +
                  std::to_string(data.size() + bytes.size()) + "]}";
        data += bytes;
    };
    for (const NamedValues &tensor : tensors) add(tensor.name, "F32", tensor.values.size(), floatBytes(tensor.values));
    if (globalStep >= 0) {
        std::string count;
        for (int i = 0; i < 4; ++i) count += static_cast<char>(globalStep >> (8 * i));
        add("global_step", "I32", 1, count);
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i));
    return length + header + data;
}

// accelerate 1.15, checkpointing.py.
Files accelerateRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = "step_" + n(step) + "/";
        files[at + "model.safetensors"] = safetensorsFile({{"layer.weight", weightsAt(training, step, 0)}});
        files[at + "optimizer.bin"] = optimizerFile(training, step, 0, "optimizer");
        files[at + "scheduler.bin"] =
            torchZip(pkl::whole(schedulerState(step * training.world, training.rateAt(step))), {}, "scheduler");
        for (int rank = 0; rank < training.world; ++rank)
            files[at + "random_states_" + n(rank) + ".pkl"] =
                torchZip(pkl::whole(randomState(training, step, rank)), {}, "random_states_" + n(rank));
        files[at + "custom_checkpoint_0.pkl"] =
            torchZip(pkl::whole(pkl::dict({{"seen", pkl::integer(step * training.batch)}})), {}, "custom_checkpoint_0");
    }
    return files;
}

// diffusers 0.42: the hooks of its training scripts, over Accelerate; EMAModel.save_pretrained.
Files diffusersRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = "checkpoint-" + n(step) + "/", model = "diffusion_pytorch_model.safetensors";
        files[at + "unet/" + model] = safetensorsFile({{"conv.weight", weightsAt(training, step, 0)}});
        files[at + "unet_ema/" + model] = safetensorsFile({{"conv.weight", weightsAt(training, step - 3, 0)}});
        files[at + "unet/config.json"] = R"({"_class_name": "UNet2DConditionModel"})";
        files[at + "unet_ema/config.json"] =
            R"({"_class_name": "UNet2DConditionModel", "decay": 0.9999, "optimization_step": )" + n(step) + "}";
        files[at + "optimizer.bin"] = optimizerFile(training, step, 0, "optimizer");
        files[at + "scheduler.bin"] = torchZip(pkl::whole(scheduler(training, step)), {}, "scheduler");
        const std::string sampler = pkl::object("accelerate.data_loader", "SeedableRandomSampler",
                                                {{"initial_seed", pkl::integer(40 + training.run)},
                                                 {"epoch", pkl::integer((step - 1) / training.perEpoch)}});
        files[at + "sampler.bin"] = torchZip(pkl::whole(sampler), {}, "sampler");
        files[at + "random_states_0.pkl"] = torchZip(pkl::whole(randomState(training, step, 0)), {}, "random_states_0");
    }
    return files;
}

Files splitRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = "step_" + n(step) + "/";
        files[at + "model.pt"] = modelFile(training, step, 0, "model");
        files[at + "optim.pt"] = optimizerFile(training, step, 0, "optim");
        files[at + "scheduler.pt"] = torchZip(pkl::whole(scheduler(training, step)), {}, "scheduler");
        files[at + "ema.pt"] =
            torchZip(pkl::whole(pkl::dict({{"decay", pkl::real(0.999)},
                                           {"num_updates", pkl::integer(step)},
                                           {"shadow_params", pkl::list({pkl::floats("0", values)})}})),
                     {{"0", floatBytes(weightsAt(training, step - 3, 0))}}, "ema");
        files[at + "trainer.pt"] =
            torchZip(pkl::whole(pkl::dict(
                         {{"global_step", pkl::integer(step)}, {"samples_seen", pkl::integer(step * training.batch)}})),
                     {}, "trainer");
        files[at + "dataloader.pt"] = loaderFile(training, step);
    }
    return files;
}

// verl 0.5, utils/checkpoint/fsdp_checkpoint_manager.py and trainer/ppo/ray_trainer.py.
Files verlRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = "global_step_" + n(step) + "/";
        for (int rank = 0; rank < training.world; ++rank) {
            const auto name = [&](const char *half) {
                return std::string(half) + "_world_size_" + n(training.world) + "_rank_" + n(rank);
            };
            const std::string actor = at + "actor/";
            files[actor + name("model") + ".pt"] = modelFile(training, step, unsigned(rank), name("model"));
            files[actor + name("optim") + ".pt"] = optimizerFile(training, step, unsigned(rank), name("optim"));
            files[actor + name("extra_state") + ".pt"] =
                torchZip(pkl::whole(pkl::dict({{"lr_scheduler", scheduler(training, step)},
                                               {"rng", randomState(training, step, rank)}})),
                         {}, name("extra_state"));
        }
        files[at + "data.pt"] = loaderFile(training, step);
    }
    files["latest_checkpointed_iteration.txt"] = n(training.steps.back());
    return files;
}

// colossalai 0.5, checkpoint_io/general_checkpoint_io.py; the point as its examples' utils write it.
Files colossalRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = "epoch0-step" + n(step) + "/";
        const auto index = [&](const std::string &base, const std::string &more) {
            return R"({"metadata": {"total_size": 1024)" + more + R"(}, "weight_map": {"0": ")" + base +
                   R"(-00001.bin", "1": ")" + base + R"(-00002.bin"}})";
        };
        for (const unsigned shard : {0U, 1U}) {
            const std::string number = padded("-%05d", shard + 1);
            files[at + "modeling/pytorch_model" + number + ".bin"] =
                modelFile(training, step, shard, "pytorch_model" + number);
            const std::string state = pkl::dict({{"step", pkl::integer(step)},
                                                 {"exp_avg", pkl::floats("0", values)},
                                                 {"exp_avg_sq", pkl::floats("1", values)}});
            files[at + "optimizer/pytorch_optim" + number + ".bin"] =
                torchZip(pkl::whole(pkl::numbered({state})),
                         {{"0", floatBytes(firstMoments(training, step, shard))},
                          {"1", floatBytes(secondMoments(training, step, shard))}},
                         "pytorch_optim" + number);
        }
        files[at + "modeling/pytorch_model.bin.index.json"] = index("pytorch_model", "");
        files[at + "optimizer/pytorch_optim.bin.index.json"] =
            index("pytorch_optim", R"(, "param_groups": "pytorch_optim_group.bin")");
        const std::string group = pkl::dict(
            {{"lr", pkl::real(training.rateAt(step))}, {"params", pkl::list({pkl::integer(0), pkl::integer(1)})}});
        files[at + "optimizer/pytorch_optim_group.bin"] =
            torchZip(pkl::whole(pkl::list({group})), {}, "pytorch_optim_group");
        files[at + "lr_scheduler"] = torchZip(pkl::whole(scheduler(training, step)), {}, "lr_scheduler");
        files[at + "running_states.json"] =
            R"({"epoch": 0, "step": )" + n(step) + R"(, "sample_start_index": )" + n(step * training.batch) + "}";
    }
    return files;
}

// mindformers 1.8, checkpoint/checkpoint.py and metadata.py.
Files mindformersRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = padded("iteration_%08d/", step);
        std::string storage;
        for (int rank = 0; rank < training.world; ++rank) {
            const std::string numbers = padded("-%07d-%07d.safetensors", rank, training.world),
                              tensor = "decoder.layers." + n(rank) + ".weight";
            files[at + "llama-model" + numbers] =
                safetensorsFile({{tensor, weightsAt(training, step, unsigned(rank))}});
            files[at + "llama-opt" + numbers] =
                safetensorsFile({{"adam_m." + tensor, firstMoments(training, step, unsigned(rank))},
                                 {"adam_v." + tensor, secondMoments(training, step, unsigned(rank))}},
                                step);
            const auto place = [&](const std::string &name, const char *half) {
                storage += std::string(storage.empty() ? "" : ", ") + "\"('" + name +
                           "', (0,))\": [{\"file_name\": \"llama-" + half + numbers +
                           "\", \"storage_rank\": " + n(rank) + "}]";
            };
            place(tensor, "model");
            place("adam_m." + tensor, "opt");
            place("adam_v." + tensor, "opt");
        }
        files[at + "common.json"] = R"({"epoch_num": )" + n((step - 1) / training.perEpoch + 1) + R"(, "step_num": )" +
                                    n(step) + R"(, "global_step": )" + n(step) +
                                    R"(, "loss_scale": 1.0, "global_batch_size": )" + n(training.batch) + "}";
        files[at + "metadata.json"] = R"({"state_dict_metadata": {}, "storage_data": {)" + storage + "}}";
    }
    files["latest_checkpointed_iteration.txt"] = n(training.steps.back());
    return files;
}

// torchtune 0.6, training/checkpointing/_checkpointer.py: the weights of each epoch, the recipe's state of the newest.
Files torchtuneRun(const Training &training)
{
    Files files;
    std::int64_t epoch = 0;
    for (const std::int64_t step : training.steps) {
        const std::string at = "epoch_" + n(epoch++) + "/";
        std::string map;
        for (const unsigned shard : {0U, 1U}) {
            const std::string name = padded("model-%05d-of-%05d.safetensors", shard + 1, 2),
                              tensor = "layers." + n(shard) + ".weight";
            files[at + name] = safetensorsFile({{tensor, weightsAt(training, step, shard)}});
            map += std::string(shard ? ", " : "") + "\"" + tensor + "\": \"" + name + "\"";
        }
        files[at + "model.safetensors.index.json"] =
            R"({"metadata": {"total_size": 512}, "weight_map": {)" + map + "}}";
        files[at + "config.json"] = R"({"architectures": ["LlamaForCausalLM"]})";
    }
    const std::int64_t last = training.steps.back();
    files["recipe_state/recipe_state.pt"] = torchZip(
        pkl::whole(pkl::dict({{"optimizer", optimizerState(last, training.rateAt(last), values)},
                              {"seed", pkl::integer(1 + training.run)},
                              {"epochs_run", pkl::integer(epoch)},
                              {"total_epochs", pkl::integer(epoch + 3)}})),
        {{"0", floatBytes(firstMoments(training, last, 0))}, {"1", floatBytes(secondMoments(training, last, 0))}},
        "recipe_state");
    return files;
}

// torchtitan 0.1, components/checkpoint.py: all items in one distributed checkpoint.
Files distributedRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        DcpFiles save;
        for (int rank = 0; rank < training.world; ++rank) {
            const std::string file = "__" + n(rank) + "_0.distcp", tensor = "layers." + n(rank) + ".weight";
            save.addFloats(tensor, file, weightsAt(training, step, unsigned(rank)));
            save.addFloat("optimizer.state." + tensor + ".step", file, float(step));
            save.addFloats("optimizer.state." + tensor + ".exp_avg", file,
                           firstMoments(training, step, unsigned(rank)));
            save.addFloats("optimizer.state." + tensor + ".exp_avg_sq", file,
                           secondMoments(training, step, unsigned(rank)));
        }
        save.addInt32("train_state.step", "__0_0.distcp", std::int32_t(step));
        for (auto &[name, bytes] : save.files()) files["step-" + n(step) + "/" + name] = bytes;
    }
    return files;
}

// torch.distributed.checkpoint, once for the model and once for the optimizer.
Files distributedPartsRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        DcpFiles model, optimizer;
        for (int rank = 0; rank < training.world; ++rank) {
            const std::string file = "__" + n(rank) + "_0.distcp", tensor = "layers." + n(rank) + ".weight";
            model.addFloats(tensor, file, weightsAt(training, step, unsigned(rank)));
            optimizer.addFloat("state." + tensor + ".step", file, float(step));
            optimizer.addFloats("state." + tensor + ".exp_avg", file, firstMoments(training, step, unsigned(rank)));
            optimizer.addFloats("state." + tensor + ".exp_avg_sq", file, secondMoments(training, step, unsigned(rank)));
        }
        for (auto &[name, bytes] : model.files()) files["step_" + n(step) + "/model/" + name] = bytes;
        for (auto &[name, bytes] : optimizer.files()) files["step_" + n(step) + "/optim/" + name] = bytes;
    }
    return files;
}

// paddlenlp 3.0, trainer/plugins/unified_checkpoint.py.
Files paddleRun(const Training &training)
{
    Files files;
    for (const std::int64_t step : training.steps) {
        const std::string at = "checkpoint-" + n(step) + "/";
        files[at + "model.safetensors"] = safetensorsFile({{"layer.weight", weightsAt(training, step, 0)}});
        files[at + "optimizer.safetensors"] =
            safetensorsFile({{"layer.weight/moment1_0", firstMoments(training, step, 0)},
                             {"layer.weight/moment2_0", secondMoments(training, step, 0)}});
        files[at + "scheduler.pdparams"] = "\x80\x04}.";
        files[at + "rng_state.pth"] = "\x80\x04}.";
        files[at + "training_args.bin"] = "\x80\x04}.";
        files[at + "trainer_state.json"] = R"({"global_step": )" + n(step) + R"(, "log_history": []})";
    }
    return files;
}

}  // namespace rankdeck::test
