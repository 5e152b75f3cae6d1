// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer, in every build. It takes the first inputs of a directory, then mutations of
// them in a fixed order until the time is over. A crash leaves its input in the working directory. Usage: mutate_NAME
// SEED_DIRECTORY SECONDS
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size);

namespace {

using Input = std::vector<unsigned char>;

const Input *underTest = nullptr;

void keepInput(int signal)
{
    const int file = ::open("crash-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && underTest && ::write(file, underTest->data(), underTest->size()) >= 0) ::close(file);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

std::vector<Input> readSeeds(const std::string &directory)
{
    std::vector<std::filesystem::path> paths;
    for (const auto &item : std::filesystem::directory_iterator(directory)) paths.push_back(item.path());
    std::sort(paths.begin(), paths.end());  // the same order everywhere
    std::vector<Input> seeds;
    for (const auto &path : paths) {
        std::ifstream in(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return seeds;
}

// Readers use lengths and offsets, so extreme values are frequent.
void mutate(Input &input, const std::vector<Input> &seeds, std::mt19937 &random)
{
    const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    static constexpr unsigned char extremes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    for (std::size_t times = 1 + below(4); times > 0; --times) {
        const std::size_t at = below(input.size());
        switch (below(7)) {
        case 0: input.resize(at); break;
        case 1:
            if (!input.empty()) input[at] = static_cast<unsigned char>(input[at] ^ (1u << below(8)));
            break;
        case 2:
            for (std::size_t i = at; i < std::min(input.size(), at + 1 + below(8)); ++i)
                input[i] = extremes[below(std::size(extremes))];
            break;
        case 3:
            input.insert(input.begin() + std::ptrdiff_t(at), 1 + below(16), extremes[below(std::size(extremes))]);
            break;
        case 4: {
            const Input &other = seeds[below(seeds.size())];
            const std::size_t from = below(other.size()),
                              length = below(std::min<std::size_t>(other.size() - from, 4096));
            input.insert(input.begin() + std::ptrdiff_t(at), other.begin() + std::ptrdiff_t(from),
                         other.begin() + std::ptrdiff_t(from + length));
            break;
        }
        case 5: {
            const std::size_t length = below(std::min<std::size_t>(input.size() - at, 64));
            input.erase(input.begin() + std::ptrdiff_t(at), input.begin() + std::ptrdiff_t(at + length));
            break;
        }
        default:
            if (input.size() > 8) std::swap(input[at], input[below(input.size())]);
        }
    }
}

void run(const Input &input)
{
    underTest = &input;
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s SEED_DIRECTORY SECONDS\n", argv[0]);
        return 2;
    }
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, &keepInput);
    const std::vector<Input> seeds = readSeeds(argv[1]);
    if (seeds.empty()) {
        std::fprintf(stderr, "%s: no first inputs in %s\n", argv[0], argv[1]);
        return 2;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(long(std::atof(argv[2]) * 1000));
    for (const Input &seed : seeds) run(seed);
    std::mt19937 random(1);
    std::size_t runs = seeds.size();
    for (; std::chrono::steady_clock::now() < end; ++runs) {
        Input input = seeds[random() % seeds.size()];
        mutate(input, seeds, random);
        run(input);
    }
    std::printf("%zu inputs, no crash\n", runs);
    return 0;
}
