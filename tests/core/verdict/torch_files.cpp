// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/torch_files.h"

#include <zlib.h>

#include <cstring>

namespace rankdeck::test {
namespace {

std::string little(std::uint64_t value, int width)
{
    std::string out;
    for (int i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
}

std::string arguments(const std::string &key, std::int64_t count, const std::string &shape, const std::string &stride)
{
    const std::string storage = "(" + pkl::text("storage") + "ctorch\nFloatStorage\n" + pkl::text(key) +
                                pkl::text("cpu") + pkl::integer(count) + "tQ";
    return "(" + storage + pkl::integer(0) + shape + stride + "\x89" + "ccollections\nOrderedDict\n)Rt";
}

constexpr const char *maker = "ctorch._utils\n_rebuild_tensor_v2\n";

std::string tensor(const std::string &key, std::int64_t count, const std::string &shape, const std::string &stride)
{
    return maker + arguments(key, count, shape, stride) + "R";
}

}  // namespace

namespace pkl {

std::string text(const std::string &value) { return "X" + little(value.size(), 4) + value; }

std::string integer(std::int64_t value) { return "J" + little(static_cast<std::uint64_t>(value), 4); }

std::string real(double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    std::string out = "G";
    for (int i = 7; i >= 0; --i) out += static_cast<char>(bits >> (8 * i));
    return out;
}

std::string numbered(const std::vector<std::string> &values)
{
    std::string out = "}(";
    for (std::size_t i = 0; i < values.size(); ++i) out += integer(std::int64_t(i)) + values[i];
    return out + "u";
}

std::string dict(const std::vector<std::pair<std::string, std::string>> &items)
{
    std::string out = "}(";
    for (const auto &[key, value] : items) out += text(key) + value;
    return out + "u";
}

std::string list(const std::vector<std::string> &items)
{
    std::string out = "](";
    for (const std::string &item : items) out += item;
    return out + "e";
}

std::string object(const std::string &module, const std::string &name,
                   const std::vector<std::pair<std::string, std::string>> &attributes)
{
    return "c" + module + "\n" + name + "\n)\x81" + dict(attributes) + "b";
}

std::string floats(const std::string &key, std::int64_t count)
{
    return tensor(key, count, "(" + integer(count) + "t", "(" + integer(1) + "t");
}

std::string bytes(const std::string &key, std::int64_t count)
{
    std::string out = floats(key, count);
    const std::string type = "FloatStorage";
    return out.replace(out.find(type), type.size(), "ByteStorage");
}

std::string attributed(const std::string &key, std::int64_t count)
{
    return std::string("ctorch._tensor\n_rebuild_from_type_v2\n(") + maker + "ctorch\nTensor\n" +
           arguments(key, count, "(" + integer(count) + "t", "(" + integer(1) + "t") + dict({{"ds_id", text("0_20")}}) +
           "tR";
}

std::string scalar(const std::string &key) { return tensor(key, 1, ")", ")"); }

std::string whole(const std::string &value) { return "\x80\x02" + value + "."; }

}  // namespace pkl

std::string schedulerState(std::int64_t count, double rate)
{
    return pkl::dict({{"base_lrs", pkl::list({pkl::real(0.5)})},
                      {"last_epoch", pkl::integer(count)},
                      {"_step_count", pkl::integer(count + 1)},
                      {"_last_lr", pkl::list({pkl::real(rate)})}});
}

std::string optimizerState(std::int64_t step, double rate, std::int64_t values)
{
    const std::string state = pkl::dict({{"step", pkl::integer(step)},
                                         {"exp_avg", pkl::floats("0", values)},
                                         {"exp_avg_sq", pkl::floats("1", values)}});
    const std::string group = pkl::dict({{"lr", pkl::real(rate)}, {"params", pkl::list({pkl::integer(0)})}});
    return pkl::dict({{"state", pkl::numbered({state})}, {"param_groups", pkl::list({group})}});
}

std::string floatBytes(const std::vector<float> &values)
{
    std::string out(values.size() * 4, '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

std::string storedZip(const std::vector<TorchRecord> &entries)
{
    std::string out, directory;
    for (const auto &[name, bytes] : entries) {
        const auto crc = static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), static_cast<uInt>(bytes.size())));
        const std::string common = little(0, 2) + little(0, 2) + little(0, 4) + little(crc, 4) +
                                   little(bytes.size(), 4) + little(bytes.size(), 4) + little(name.size(), 2) +
                                   little(0, 2);
        directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + common + little(0, 2) + little(0, 2) +
                     little(0, 2) + little(0, 4) + little(out.size(), 4) + name;
        out += "PK\x03\x04" + little(20, 2) + common + name + bytes;
    }
    const std::size_t at = out.size(), count = entries.size();
    return out + directory + "PK\x05\x06" + little(0, 4) + little(count, 2) + little(count, 2) +
           little(directory.size(), 4) + little(at, 4) + little(0, 2);
}

std::string torchZip(const std::string &pickle, const std::vector<TorchRecord> &records, const std::string &root)
{
    std::vector<TorchRecord> entries{{root + "/data.pkl", pickle}};
    for (const TorchRecord &record : records) entries.push_back({root + "/data/" + record.key, record.bytes});
    entries.push_back({root + "/version", "3\n"});
    return storedZip(entries);
}

std::string npzFile(const std::vector<std::pair<std::string, std::vector<float>>> &arrays,
                    std::optional<std::int64_t> step)
{
    std::vector<TorchRecord> entries;
    const auto add = [&](const std::string &name, const std::string &type, const std::string &shape,
                         const std::string &bytes) {
        std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
        header.resize(117, ' ');  // a multiple of 64 together with the 10 bytes before and the newline
        entries.push_back({name + ".npy", "\x93NUMPY\x01" + std::string(1, '\0') + little(header.size() + 1, 2) +
                                              header + "\n" + bytes});
    };
    for (const auto &[name, values] : arrays) add(name, "<f4", std::to_string(values.size()) + ",", floatBytes(values));
    if (step) add("step", "<i8", "", little(std::uint64_t(*step), 8));
    return storedZip(entries);
}

std::string mindioFile(const std::string &pickle, const std::vector<TorchRecord> &records)
{
    std::string out = pickle;
    const auto range = [](std::size_t start, std::size_t size) {
        return "(" + pkl::integer(std::int64_t(start)) + pkl::integer(std::int64_t(size)) + "t";
    };
    std::vector<std::pair<std::string, std::string>> map{{"data.pkl", range(0, pickle.size())}};
    for (const TorchRecord &record : records) {
        map.emplace_back("data/" + record.key, range(out.size(), record.bytes.size()));
        out += record.bytes;
    }
    const std::string mapBytes = pkl::whole(pkl::dict(map));
    const std::size_t start = out.size();
    return out + mapBytes + little(start, 8) + little(mapBytes.size(), 8) + std::string("mindio\0", 7);
}

}  // namespace rankdeck::test
