// SPDX-License-Identifier: GPL-3.0-or-later
// Files as torch.save makes them, byte by byte, for worlds larger than the real samples. Pickle fragments of protocol 2
// without a memo, in a zip of stored entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck::test {

namespace pkl {
std::string text(const std::string &value);
std::string integer(std::int64_t value);
std::string real(double value);
std::string dict(const std::vector<std::pair<std::string, std::string>> &items);  // keys are plain, values fragments
std::string numbered(const std::vector<std::string> &values);                     // a dict with the keys 0, 1, …
std::string list(const std::vector<std::string> &items);
std::string object(const std::string &module, const std::string &name,
                   const std::vector<std::pair<std::string, std::string>> &attributes);
std::string floats(const std::string &key, std::int64_t count);      // a tensor [count] of the storage `key`
std::string bytes(const std::string &key, std::int64_t count);       // the same with type uint8
std::string scalar(const std::string &key);                          // a tensor without dimensions
std::string attributed(const std::string &key, std::int64_t count);  // floats with an attribute (ds_id of ZeRO-3)
std::string whole(const std::string &value);
}  // namespace pkl

// state_dict() of a torch scheduler: the number of its steps, and the rate that it has set.
std::string schedulerState(std::int64_t count, double rate);
// state_dict() of an optimizer with one parameter, whose step is a number: its group and its moments. The moments are
// in the records "0" and "1", with `values` values each.
std::string optimizerState(std::int64_t step, double rate, std::int64_t values);

std::string floatBytes(const std::vector<float> &values);
struct TorchRecord {
    std::string key, bytes;
};
// A zip of stored entries; the keys are the paths in it.
std::string storedZip(const std::vector<TorchRecord> &entries);
// The file of numpy.savez with these arrays of one dimension, and with an array "step" without dimensions.
std::string npzFile(const std::vector<std::pair<std::string, std::vector<float>>> &arrays,
                    std::optional<std::int64_t> step = {});
// root: name of the folder within the archive, for which torch takes the name of the saved file.
std::string torchZip(const std::string &pickle, const std::vector<TorchRecord> &records,
                     const std::string &root = "archive");
// The same content in the format of MindIO's accelerator.
std::string mindioFile(const std::string &pickle, const std::vector<TorchRecord> &records);

}  // namespace rankdeck::test
