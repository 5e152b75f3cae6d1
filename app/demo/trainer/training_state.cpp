// SPDX-License-Identifier: GPL-3.0-or-later
// Saving and restoring the state of a Training.
#include "app/demo/trainer/training.h"

#include <cstring>

namespace rankdeck::demo {
namespace {

std::string shapeText(const std::vector<std::int64_t> &dims)
{
    std::string text = "(";
    for (std::size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
    return text + (dims.size() == 1 ? ",)" : ")");
}

// The same checks as _update_param in MindSpore's serialization.py.
Status checkFits(const TensorRecord &expected, const TensorRecord &found, const MindSporeLog &log)
{
    const bool shape = expected.dims != found.dims;
    if (!shape && expected.type == found.type) return Done{};
    log.python("CRITICAL", "mindspore/train/serialization.py:282",
               "Failed to combine the net and the parameters for param " + found.name + ".");
    if (shape)
        return fail(ErrorKind::invalid,
                    "For 'load_param_into_net', " + found.name +
                        " in the argument 'net' should have the same shape as " + found.name +
                        " in the argument 'parameter_dict'. But got its shape " + shapeText(expected.dims) +
                        " in the argument 'net' and shape " + shapeText(found.dims) +
                        " in the argument 'parameter_dict'.May you need to check whether the checkpoint you loaded is "
                        "correct or the batch size and so on in the 'net' and 'parameter_dict' are same.",
                    "RuntimeError");
    return fail(
        ErrorKind::invalid,
        "For 'load_param_into_net', " + found.name + " in the argument 'net' should have the same type as " +
            found.name + " in the argument 'parameter_dict'. but got its type " + expected.type +
            " in the argument 'net' and type " + found.type +
            " in the argument 'parameter_dict'.May you need to check whether the checkpoint you loaded is correct.",
        "RuntimeError");
}

}  // namespace

std::vector<TensorRecord> Training::networkRecords() const
{
    std::vector<TensorRecord> records;
    for (const auto &p : m_network.parameters())
        records.push_back(floatTensor(p.name, p.dims, m_network.weights().data() + p.offset, p.count));
    if (m_exit.enabled()) {
        records.push_back(boolScalar("graceful_exit", m_exit.flags().exit));
        records.push_back(int32Vector("graceful_init", m_exit.flags().init));
    }
    records.push_back(int32Vector("global_step", m_optimizer.globalStep));
    records.push_back(floatScalar("learning_rate", m_optimizer.learningRate));
    records.push_back(floatScalar("momentum", m_optimizer.momentum));
    for (const auto &p : m_network.parameters())
        records.push_back(floatTensor("moments." + p.name, p.dims, m_optimizer.moments.data() + p.offset, p.count));
    return records;
}

Status Training::savePeriodic(std::int64_t step)
{
    auto records = networkRecords();
    records.push_back(int64Scalar("epoch_num", epochOf(step)));
    records.push_back(int64Scalar("step_num", step));
    m_lastSaved = step;
    return m_store->save(epochOf(step), inEpoch(step), records, m_log, takeSaveFault());
}

Status Training::saveGracefulExit(std::int64_t step)
{
    auto records = networkRecords();
    for (auto &record : records)
        if (record.name == "global_step") record = int64Scalar("global_step", m_optimizer.globalStep);
    records.push_back(int64Scalar("epoch_num", epochOf(step)));
    records.push_back(int64Scalar("step_num", step));
    records.push_back(int64Scalar("batch_num", m_options.steps));
    return saveCheckpoint(m_exit.savePath(), records, m_log, takeSaveFault());
}

// trainNetwork: also check the parameters of the train cell, as OnRequestExit does; a script's own load does not have
// them.
Status Training::restore(const std::vector<TensorRecord> &records, bool trainNetwork)
{
    const auto expected = networkRecords();
    for (const auto &want : expected) {
        const auto *const have = findTensor(records, want.name);
        const bool ofTrainCell = want.name == "graceful_exit" || want.name == "graceful_init";
        if (!have || (ofTrainCell && !trainNetwork)) continue;
        if (auto fits = checkFits(want, *have, m_log); !fits) return fits;
    }
    const auto floats = [&](const std::string &name, float *into) {
        if (const auto *const have = findTensor(records, name))
            std::memcpy(into, have->bytes.data(), have->bytes.size());
        return findTensor(records, name) != nullptr;
    };
    std::string missing;
    for (const auto &p : m_network.parameters()) {
        if (!floats(p.name, m_network.weights().data() + p.offset))
            missing += (missing.empty() ? "'" : ", '") + p.name + "'";
        floats("moments." + p.name, m_optimizer.moments.data() + p.offset);
    }
    if (!missing.empty())
        m_log.python("WARNING", "mindspore/train/serialization.py:1764", "[" + missing + "] are not loaded.");
    floats("learning_rate", &m_optimizer.learningRate);
    floats("momentum", &m_optimizer.momentum);
    if (const auto *const have = findTensor(records, "global_step"))
        m_optimizer.globalStep = static_cast<std::int32_t>(integerOf(*have).value());
    if (!trainNetwork || !m_exit.enabled()) return Done{};
    GracefulFlags flags = m_exit.flags();
    if (const auto *const have = findTensor(records, "graceful_exit")) flags.exit = have->bytes == std::string(1, '\1');
    if (const auto *const have = findTensor(records, "graceful_init"))
        flags.init = static_cast<int>(integerOf(*have).value());
    m_exit.restore(flags);
    return Done{};
}

}  // namespace rankdeck::demo
