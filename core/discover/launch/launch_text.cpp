// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/launch/launch_text.h"

#include "core/base/text.h"
#include "core/job/launch_keys.h"
#include "core/job/launcher_words.h"
#include "core/job/text/job_text.h"
#include "core/recover/launch/cluster/vcjob_template.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace rankdeck {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Argv = std::vector<std::string>;

bool isOneOf(const std::string &word, const std::vector<std::string_view> &words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isName(std::string_view text)
{
    return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

bool isAssignment(const std::string &word)
{
    const std::size_t equals = word.find('=');
    return equals != std::string::npos && isName(std::string_view(word).substr(0, equals));
}

// Splits at line ends and at && and ; outside quotes. Lines that end with a backslash continue.
std::vector<std::string> commandsOf(std::string_view text)
{
    std::vector<std::string> commands(1);
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool goesOn = c == '\\' && i + 1 < text.size() && text[i + 1] == '\n';
        if (goesOn) {
            commands.back() += ' ';
            ++i;
            continue;
        }
        if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote)
            quote = 0;
        const bool both = quote == 0 && c == '&' && i + 1 < text.size() && text[i + 1] == '&';
        if (quote == 0 && (c == '\n' || c == ';' || both)) {
            commands.emplace_back();
            i += both ? 1 : 0;
        } else if (c != '\r') {
            commands.back() += c;
        }
    }
    return commands;
}

std::optional<Argv> wordsIn(const std::string &command)
{
    const auto words = jsonOfField(JobValue::words, command);
    if (!words) return {};
    return json::parse(*words).get<Argv>();
}

class Script {
public:
    Result<LaunchText> read(const std::string &text)
    {
        for (const std::string &command : commandsOf(text)) take(command);
        if (m_out.launch.command.empty())
            return fail(ErrorKind::invalid,
                        message("found no training command: expected a command (msrun, torchrun, mpirun, srun, "
                                "python), a batch script with one, or the YAML of a vcjob"));
        return std::move(m_out);
    }

private:
    void note(Message text) { m_out.notes.push_back(std::move(text)); }

    void take(const std::string &line)
    {
        const std::string command = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
        if (command.starts_with("#SBATCH")) return sbatch(command.substr(7));
        if (command.empty() || command.front() == '#') return;
        auto words = wordsIn(command);
        if (!words) return note(message("not used, because a quote is not closed: %1", printable(command)));
        const bool plain = strip(*words);
        while (!words->empty() && isAssignment(words->front())) {
            assign(words->front());
            words->erase(words->begin());
        }
        while (!words->empty() && isOneOf(words->front(), {"exec", "nohup", "time", "env"}))
            words->erase(words->begin());
        if (words->empty()) return;
        const std::string first = words->front();
        if (first == "export") {
            for (const std::string &word : *words) assign(word);  // "export" itself assigns nothing
            return;
        }
        if (first == "cd" && words->size() == 2) return workdir((*words)[1]);
        if (isOneOf(first, {"set", "echo", "date", "hostname", "wait", "sleep", "mkdir", "trap", "ulimit", "exit"}))
            return;
        const bool starts = launcherWords(*words) || first == "srun" || isPython(first);
        if (!starts || !plain) return note(message("not used: %1", printable(command)));
        if (!m_out.launch.command.empty())
            return note(message("a second command was not used: %1", printable(command)));
        start(std::move(*words));
    }

    static bool isPython(const std::string &word)
    {
        const std::string name = baseName(word);
        return name.starts_with("python") || name.ends_with(".py");
    }

    // Removes redirections: the job file sets the place of the output. False: a shell construct that a job file cannot
    // express.
    static bool strip(Argv &words)
    {
        Argv kept;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string &word = words[i];
            if (word == "&") continue;
            if (word == "|" || word == "||" || word == "<") return false;
            const std::size_t arrow = word.find_first_not_of("0123456789&");
            const bool redirects = arrow != std::string::npos && word[arrow] == '>' && arrow <= 1;
            if (!redirects) {
                kept.push_back(word);
                continue;
            }
            if (word.find_first_not_of(">&0123456789", arrow) == std::string::npos && !word.ends_with("1"))
                ++i;  // > FILE
        }
        words = std::move(kept);
        return true;
    }

    // "$NAME" and "${NAME}", if the script itself sets them.
    std::string filled(std::string text)
    {
        for (const auto &[name, value] : m_values) {
            text = replaceAll(text, "${" + name + "}", value);
            const std::string plain = "$" + name;
            for (std::size_t at = text.find(plain); at != std::string::npos; at = text.find(plain, at)) {
                const std::size_t end = at + plain.size();
                if (end < text.size() && isName("x" + text.substr(end, 1)))
                    at = end;
                else
                    text.replace(at, plain.size(), value);
            }
        }
        if (text.find('$') != std::string::npos && m_told.emplace(text, true).second)
            note(message("only a shell would know the value of %1: write the value instead", printable(text)));
        return text;
    }

    void assign(const std::string &word)
    {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) return;
        const std::string name = word.substr(0, equals), value = filled(word.substr(equals + 1));
        m_values[name] = value;
        m_out.launch.env[name] = value;
    }

    void workdir(const std::string &path)
    {
        if (m_out.launch.workdir.empty() || path.starts_with('/'))
            m_out.launch.workdir = filled(path);
        else
            m_out.launch.workdir += "/" + filled(path);
    }

    // The recipe itself sets the job's name and the place of its output.
    void sbatch(const std::string &line)
    {
        const auto words = wordsIn(line.substr(0, line.find(" #")));
        if (!words) return note(message("not used: #SBATCH%1", printable(line)));
        for (std::size_t i = 0; i < words->size(); ++i) {
            std::string word = (*words)[i], value;
            const bool isLong = word.starts_with("--");
            const std::size_t equals = isLong ? word.find('=') : std::string::npos;
            const std::string name = isLong ? word.substr(0, equals) : word.substr(0, 2);
            const bool joined = isLong ? equals != std::string::npos : word.size() > 2;
            if (joined) value = isLong ? word.substr(equals + 1) : word.substr(2);
            const bool follows = !joined && i + 1 < words->size() && !(*words)[i + 1].starts_with('-');
            if (follows) value = (*words)[++i];
            count(name, value);
            if (isOneOf(name, {"-D", "--chdir"})) m_out.launch.workdir = value;
            if (isOneOf(name, {"-J", "--job-name", "-o", "--output", "-e", "--error", "-D", "--chdir"})) continue;
            m_out.launch.options.push_back(word);
            if (follows) m_out.launch.options.push_back(value);
        }
        m_batch = true;
    }

    void count(const std::string &name, const std::string &value)
    {
        const auto number = static_cast<int>(decimal(value).value_or(0));
        if (isOneOf(name, {"-n", "--ntasks", "-np", "--np"})) m_tasks = number;
        if (isOneOf(name, {"-N", "--nodes", "--nnodes"})) m_nodes = number;
        if (isOneOf(name, {"--ntasks-per-node", "--nproc_per_node", "--nproc-per-node"})) m_perNode = number;
        if (name == "--worker_num") m_tasks = number;
    }

    void countOptions(const Argv &words)
    {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::size_t equals = words[i].find('=');
            const bool glued = words[i].size() > 2 && words[i][0] == '-' && decimal(words[i].substr(2));  // -n8
            if (glued)
                count(words[i].substr(0, 2), words[i].substr(2));
            else if (equals != std::string::npos)
                count(words[i].substr(0, equals), words[i].substr(equals + 1));
            else if (i + 1 < words.size())
                count(words[i], words[i + 1]);
        }
    }

    void start(Argv words)
    {
        for (std::string &word : words) word = filled(word);
        LaunchSpec &launch = m_out.launch;
        launch.command = std::move(words);
        const bool bySlurm = launch.command.front() == "srun" || m_batch;
        const auto own = launcherWords(launch.command);
        countOptions(own ? Argv(launch.command.begin(), launch.command.end() - std::ptrdiff_t(own->command.size()))
                         : launch.command);
        if (bySlurm && launch.command.front() != "srun") launch.recipe = "slurm";
        const int many = 2;  // any number above 1: a launcher is taken apart if there are several ranks
        for (Message &said : adoptLauncher(launch, many)) note(std::move(said));
        // srun torchrun …: the recipe starts each rank itself.
        if (const auto inner = launch.recipe == "slurm" ? launcherWords(launch.command) : std::nullopt) {
            countOptions(launch.command);
            note(message("srun starts the launcher %1, but the recipe slurm starts each rank itself: only the command "
                         "of the launcher is used",
                         inner->kind));
            launch.command = inner->command;
        }
        if (!launch.command.empty() && launch.command.front().ends_with(".py") && launch.recipe == "slurm")
            launch.command.insert(launch.command.begin(), "python");
        if (launch.recipe.empty()) launch.recipe = "command";
        m_out.ranks = m_tasks > 0 ? m_tasks : m_nodes > 0 && m_perNode > 0 ? m_nodes * m_perNode : m_perNode;
    }

    LaunchText m_out;
    std::map<std::string, std::string> m_values;
    std::map<std::string, bool> m_told;
    bool m_batch = false;
    int m_tasks = 0, m_nodes = 0, m_perNode = 0;
};

// ---- a vcjob

const json &at(const json &object, const char *path)
{
    static const json nothing;
    const json::json_pointer pointer(path);
    return object.contains(pointer) ? object.at(pointer) : nothing;
}

std::string textAt(const json &object, const char *path)
{
    const json &value = at(object, path);
    return value.is_string() ? value.get<std::string>() : std::string();
}

void readMounts(const json &pod, LaunchText &into)
{
    for (const json &mount : at(pod, "/containers/0/volumeMounts")) {
        const std::string name = textAt(mount, "/name"), path = textAt(mount, "/mountPath");
        for (const json &volume : at(pod, "/volumes")) {
            if (textAt(volume, "/name") != name) continue;
            auto &mounts = into.launch.volcano.mounts;
            if (const std::string host = textAt(volume, "/hostPath/path"); !host.empty())
                mounts[path] = host;
            else if (const std::string server = textAt(volume, "/nfs/server"); !server.empty())
                mounts[path] = "nfs://" + server + textAt(volume, "/nfs/path");
            else if (textAt(volume, "/emptyDir/medium") == "Memory" && !textAt(volume, "/emptyDir/sizeLimit").empty())
                mounts[path] = "memory://" + textAt(volume, "/emptyDir/sizeLimit");
            else
                into.notes.push_back(
                    message("the volume %1 at %2 has a type that launch.volcano.mounts cannot express: keep your YAML "
                            "on the node that submits, and set launch.volcano.file to it",
                            printable(name), printable(path)));
        }
    }
}

void readEnvironment(const json &container, LaunchText &into)
{
    for (const json &variable : at(container, "/env")) {
        const std::string name = textAt(variable, "/name");
        if (at(variable, "/value").is_string())
            into.launch.env[name] = textAt(variable, "/value");
        else
            into.notes.push_back(
                message("the variable %1 gets its value from the cluster, so it was not used", printable(name)));
    }
}

void readCommand(const json &container, LaunchText &into)
{
    Argv words;
    for (const char *key : {"/command", "/args"})
        for (const json &word : at(container, key))
            if (word.is_string()) words.push_back(word.get<std::string>());
    const bool shell = words.size() >= 3 && isOneOf(baseName(words[0]), {"sh", "bash"}) && words[1].ends_with("c");
    if (!shell) {
        into.launch.command = words;
        return;
    }
    const auto inner = Script().read(words[2]);
    if (!inner) {
        into.launch.command = words;
        into.notes.push_back(
            message("the command is a shell line, used unchanged: write {checkpoint} where it names the file to load"));
        return;
    }
    into.launch.command = inner->launch.command;
    into.launch.workdir = inner->launch.workdir;
    into.launch.env.insert(inner->launch.env.begin(), inner->launch.env.end());
    into.notes.insert(into.notes.end(), inner->notes.begin(), inner->notes.end());
}

Result<LaunchText> launchOfVcjob(const std::string &yaml)
{
    const auto found = parseVcjobTemplate(yaml);
    if (!found) return found.error();
    const json object = json::parse(found->json, nullptr, false);
    const json &pod = at(object, "/spec/tasks/0/template/spec"), &container = at(pod, "/containers/0");
    LaunchText out;
    LaunchSpec &launch = out.launch;
    launch.recipe = "volcano";
    launch.volcano.image = found->image;
    launch.volcano.nameSpace = found->nameSpace;
    launch.volcano.labels = found->labels;
    if (const std::string queue = textAt(object, "/spec/queue"); !queue.empty()) launch.volcano.queue = queue;
    for (const auto &[key, value] : at(pod, "/nodeSelector").items())
        if (value.is_string()) launch.volcano.nodeSelector[key] = value.get<std::string>();
    if (const json &grace = at(pod, "/terminationGracePeriodSeconds"); grace.is_number_unsigned())
        launch.volcano.graceSeconds = static_cast<int>(std::min<std::uint64_t>(grace.get<std::uint64_t>(), 3600));
    int devices = 0;
    launch.volcano.resource.clear();
    for (const auto &[key, value] : at(container, "/resources/limits").items()) {
        if (key.find('/') == std::string::npos) continue;  // cpu, memory
        launch.volcano.resource = key;
        devices = static_cast<int>(decimal(value.is_string() ? value.get<std::string>() : value.dump()).value_or(0));
    }
    launch.volcano.perPod = devices > 1;
    readEnvironment(container, out);
    readCommand(container, out);
    readMounts(pod, out);
    if (launch.command.empty())
        return fail(ErrorKind::invalid, message("expected a command in the container, found none"));
    out.ranks = static_cast<int>(std::min<std::size_t>(found->pods, 100000)) * std::max(devices, 1);
    return out;
}

}  // namespace

Result<LaunchText> launchOfText(const std::string &text)
{
    constexpr std::size_t longest = 1u << 20;
    if (text.size() > longest) return fail(ErrorKind::invalid, message("expected at most 1 MB of text, found more"));
    return text.find("batch.volcano.sh") != std::string::npos ? launchOfVcjob(text) : Script().read(text);
}

Result<std::string> withLaunch(std::string_view text, const LaunchSpec &launch)
{
    std::string filled(text);
    const ordered_json keys = launchToJson(launch);
    for (const auto &[name, value] : keys.items()) {
        auto next =
            withValue(filled, "launch." + name, value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
        if (!next) return next;
        filled = std::move(*next);
    }
    return filled;
}

}  // namespace rankdeck
