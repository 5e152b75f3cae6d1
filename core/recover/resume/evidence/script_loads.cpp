// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/evidence/script_loads.h"

#include "core/base/text.h"
#include "core/recover/resume/evidence/python_lines.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace rankdeck {

namespace {

using Names = std::vector<std::string>;

bool isOneOf(const std::string &word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool lists(const std::string &call)
{
    return isOneOf(call, {"listdir", "glob", "iglob", "rglob", "scandir", "iterdir"});
}

// True for calls whose name shows a load: load_checkpoint, torch.load, restore, resume_from, from_pretrained. False for
// calls that read data or settings.
bool loads(std::string call)
{
    for (char &c : call) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char *other : {"loader", "data", "config", "json", "yaml", "token", "vocab", "download", "image", "env"})
        if (call == "load_state_dict" ? false : contains(call, other)) return false;
    for (const char *part : {"load", "restor", "resum", "from_pretrained", "safe_open"})
        if (contains(call, part)) return true;
    return false;
}
bool isLoadingKeyword(const std::string &argument)
{
    return argument.starts_with("ckpt_path=") || argument.starts_with("resume_from_checkpoint=");
}

// Words with which frameworks mean the newest save.
bool takesLast(const std::string &argument)
{
    const std::string text = replaceAll(replaceAll(argument, " ", ""), "'", "\"");
    return text == "resume_from_checkpoint=True" || text == "ckpt_path=\"last\"";
}

// Objects whose attributes are options of the command.
bool holdsOptions(const std::string &name)
{
    return isOneOf(name, {"args", "arg", "opt", "opts", "options", "FLAGS", "flags", "cli", "parsed", "hparams",
                          "config", "cfg", "conf", "params", "args_opt", "parsed_args"});
}

struct Fact {  // NAME = EXPRESSION
    std::string expression;
    std::size_t line = 0;
};
using Scoped = std::pair<std::string, std::string>;  // function ("" outside of all) and name

class Reader {
public:
    explicit Reader(std::string_view script) : m_lines(pythonLines(script))
    {
        for (std::size_t i = 0; i < m_lines.size(); ++i) readHead(i);
        for (std::size_t i = 0; i < m_lines.size(); ++i) readLine(i);
    }

    std::vector<ScriptLoad> run()
    {
        std::vector<ScriptLoad> found;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            for (const PythonCall &call : callsIn(m_lines[i].text)) {
                if (m_lines[i].text.starts_with("def ") || m_lines[i].text.starts_with("class ")) continue;
                const bool keyword = std::any_of(call.arguments.begin(), call.arguments.end(), isLoadingKeyword);
                if (!keyword && !loads(call.name)) continue;
                found.push_back(loadAt(i, call));
            }
        return found;
    }

private:
    // "def f(a, b=1):" and "parser.add_argument("--name", default=…)"
    void readHead(std::size_t at)
    {
        const std::string &text = m_lines[at].text;
        const auto calls = callsIn(text);
        if (text.starts_with("def ") && !calls.empty()) {
            Names &parameters = m_functions[calls.front().name];
            for (const std::string &argument : calls.front().arguments) {
                const Names names = namesIn(argument);
                if (!names.empty() && names.front() != "self") parameters.push_back(names.front());
            }
        }
        for (const PythonCall &call : calls) {
            if (call.name != "add_argument" && !call.name.starts_with("DEFINE_")) continue;
            std::string preset;
            for (const std::string &argument : call.arguments)
                if (const std::size_t value = argument.find("default="); value != std::string::npos)
                    preset = argument.substr(value + 8);
            for (const std::string &argument : call.arguments)
                for (const std::string &name : stringsIn(argument))
                    if (argument.find('=') == std::string::npos) m_presets[optionName(name)] = preset;
        }
    }

    static std::string optionName(std::string name)
    {
        name.erase(0, name.find_first_not_of('-'));
        return replaceAll(name, "-", "_");
    }

    [[nodiscard]] std::string functionOf(std::size_t at) const
    {
        for (auto block = m_lines[at].blocks.rbegin(); block != m_lines[at].blocks.rend(); ++block) {
            const std::string &text = m_lines[*block].text;
            if (text.starts_with("def ")) return text.substr(4, text.find('(') - 4);
        }
        return {};
    }

    void assign(const std::string &function, const std::string &target, const std::string &expression, std::size_t at)
    {
        for (const std::string &name : namesIn(target)) m_facts[{function, name}].push_back({expression, at});
    }

    void readLine(std::size_t at)
    {
        const std::string &text = m_lines[at].text, function = functionOf(at);
        if (text.starts_with("def ") || text.starts_with("class ")) return;
        if (text.starts_with("return ") && !function.empty()) assign("", function, text.substr(7), at);
        if (const std::size_t in = text.find(" in "); text.starts_with("for ") && in != std::string::npos)
            assign(function, text.substr(4, in - 4), text.substr(in + 4), at);
        if (const std::size_t as = text.rfind(" as "); text.starts_with("with ") && as != std::string::npos)
            assign(function, text.substr(as + 4), text.substr(5, as - 5), at);
        if (const auto equal = assignment(text)) assign(function, text.substr(0, *equal), text.substr(*equal + 1), at);
        for (const PythonCall &call : callsIn(text)) {
            const auto known = m_functions.find(call.name);
            if (known == m_functions.end()) continue;
            m_calls[call.name].push_back(at);
            for (std::size_t i = 0; i < call.arguments.size(); ++i) giveArgument(*known, call.arguments[i], i, at);
        }
    }

    // A call f(x) gives a value to the parameter of f, whatever the parameter is called.
    void giveArgument(const std::pair<const std::string, Names> &function, const std::string &argument,
                      std::size_t place, std::size_t at)
    {
        const auto equal = assignment(argument);
        std::string name = place < function.second.size() ? function.second[place] : std::string();
        if (equal) name = argument.substr(0, *equal);
        if (!name.empty())
            m_given[{function.first, withoutBlanks(name)}].push_back({argument.substr(equal ? *equal + 1 : 0), at});
    }

    static std::string withoutBlanks(const std::string &text) { return replaceAll(text, " ", ""); }

    // Index of the "=" of an assignment such as "a, b = c". Comparisons, and "=" within brackets, are not assignments.
    static std::optional<std::size_t> assignment(const std::string &text)
    {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '(' || c == '[' || c == '{' || c == '"' || c == '\'' || c == ':') return {};
            if (c != '=') continue;
            const char before = i > 0 ? text[i - 1] : ' ';
            const bool compares =
                (i + 1 < text.size() && text[i + 1] == '=') || before == '!' || before == '<' || before == '>';
            if (compares) return {};
            return i;
        }
        return {};
    }

    // ---- parts of an expression
    struct Made {
        ScriptLoad of;
        std::set<Scoped> seen;
    };

    void follow(Made &made, const std::string &function, const std::string &expression) const
    {
        for (const std::string &text : stringsIn(expression)) made.of.texts.push_back(text);
        for (const PythonCall &call : callsIn(expression)) made.of.searches = made.of.searches || lists(call.name);
        for (const std::string &option : optionsIn(expression)) {
            if (std::find(made.of.options.begin(), made.of.options.end(), option) != made.of.options.end()) continue;
            made.of.options.push_back(option);
            if (const auto preset = m_presets.find(option); preset != m_presets.end())
                for (const std::string &text : stringsIn(preset->second)) made.of.texts.push_back(text);
        }
        for (const std::string &name : namesIn(expression)) {
            if (!follows(made, m_facts, {function, name}) && !function.empty()) follows(made, m_facts, {"", name});
            follows(made, m_given, {function, name});
            if (m_functions.contains(name)) followBody(made, name);
        }
    }

    bool follows(Made &made, const std::map<Scoped, std::vector<Fact>> &facts, const Scoped &name) const
    {
        const auto found = facts.find(name);
        if (found == facts.end()) return false;
        if (!made.seen.insert({name.first + (&facts == &m_given ? "()" : ""), name.second}).second) return true;
        for (const Fact &fact : found->second) follow(made, functionOf(fact.line), fact.expression);
        return true;
    }

    // If a function lists a directory, its result is what it found in that directory.
    void followBody(Made &made, const std::string &function) const
    {
        if (!made.seen.insert({function, "{}"}).second) return;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if (functionOf(i) == function)
                for (const PythonCall &call : callsIn(m_lines[i].text))
                    if (lists(call.name)) follow(made, function, m_lines[i].text);
    }

    static Names optionsIn(const std::string &expression)
    {
        Names options;
        const auto dotted = [&](const std::string &name) {
            for (std::size_t at = expression.find(name + "."); at != std::string::npos;
                 at = expression.find(name + ".", at + 1)) {
                const Names rest = namesIn("x" + expression.substr(at + name.size() + 1));
                if (!rest.empty() && rest.front().size() > 1) options.push_back(rest.front().substr(1));
            }
        };
        const Names names = namesIn(expression);
        for (const std::string &name : std::set<std::string>(names.begin(), names.end()))
            if (holdsOptions(name)) dotted(name);
        for (const PythonCall &call : callsIn(expression))
            if ((call.name == "getattr" && call.arguments.size() > 1) ||
                (call.name == "get" && !call.arguments.empty()))
                for (const std::string &text : stringsIn(call.arguments[call.name == "get" ? 0 : 1]))
                    options.push_back(text);
        return options;
    }

    // ---- options that must be given
    [[nodiscard]] bool isEmptyByDefault(const std::string &option) const
    {
        const auto preset = m_presets.find(option);
        if (preset == m_presets.end()) return true;
        const std::string value = withoutBlanks(preset->second);
        return value.empty() || isOneOf(value, {"None", "False", "\"\"", "''", "0"});
    }

    // Options that a condition needs. The parts of "and" are separate needs; "a or b" needs one of its options, "not a"
    // needs none.
    void addNeeds(Names &needs, const std::string &condition, std::size_t at) const
    {
        for (const std::string &part : split(replaceAll(condition, " and ", "\n"), '\n')) {
            if (contains(part, "not ") || contains(part, " is None")) continue;
            Made made;
            follow(made, functionOf(at), part);
            const auto empty = [this](const std::string &option) { return isEmptyByDefault(option); };
            if (made.of.options.empty() || !std::all_of(made.of.options.begin(), made.of.options.end(), empty))
                continue;
            std::string any;
            for (const std::string &option : made.of.options) any += (any.empty() ? "" : "|") + option;
            needs.push_back(any);
        }
    }

    // "if not args.x: return" before a line of the same function means that the line needs x.
    void addGuards(Names &needs, std::size_t at) const
    {
        for (std::size_t i = 0; i < at; ++i) {
            const std::string &text = m_lines[i].text;
            if (!text.starts_with("if ") || functionOf(i) != functionOf(at)) continue;
            const std::size_t colon = text.rfind(':');
            const std::string body =
                i + 1 < at && colon + 1 == text.size() ? m_lines[i + 1].text : text.substr(colon + 1);
            const bool leaves = contains(body, "return") || contains(body, "exit(") || body.starts_with("raise");
            if (!leaves || contains(text, " or ") || contains(text, " and ")) continue;
            const std::string condition = text.substr(3, colon - 3);
            if (condition.starts_with("not ")) addNeeds(needs, condition.substr(4), i);
            if (condition.ends_with(" is None")) addNeeds(needs, condition.substr(0, condition.size() - 8), i);
        }
    }

    // Options that are needed by the conditions around a line, by earlier guards, and by all calls of its function.
    [[nodiscard]] Names asked(std::size_t at, int depth = 0) const
    {
        Names needs;
        for (const std::size_t block : m_lines[at].blocks) {
            const std::string &text = m_lines[block].text;
            if (!text.starts_with("if ") && !text.starts_with("elif ")) continue;
            addNeeds(needs, text.substr(text.find(' ') + 1, text.rfind(':') - text.find(' ') - 1), block);
        }
        addGuards(needs, at);
        const std::string function = functionOf(at);
        const auto calls = m_calls.find(function);
        if (function.empty() || calls == m_calls.end() || depth > 4) return needs;
        Names common = asked(calls->second.front(), depth + 1);
        for (const std::size_t call : calls->second) {  // any of the calls may be the one that runs
            const Names others = asked(call, depth + 1);
            std::erase_if(common, [&](const std::string &one) {
                return std::find(others.begin(), others.end(), one) == others.end();
            });
        }
        needs.insert(needs.end(), common.begin(), common.end());
        return needs;
    }

    [[nodiscard]] ScriptLoad loadAt(std::size_t at, const PythonCall &call) const
    {
        Made made;
        for (const std::string &argument : call.arguments) follow(made, functionOf(at), argument);
        if (std::any_of(call.arguments.begin(), call.arguments.end(), takesLast)) {
            made.of.searches = true;  // searches the directory to which it saves, which may be named anywhere
            for (const PythonLine &line : m_lines)
                for (const std::string &text : stringsIn(line.text)) made.of.texts.push_back(text);
        }
        made.of.call = call.name;
        made.of.needs = asked(at);
        if (!made.of.searches)
            for (const std::string &option : made.of.options)
                if (isEmptyByDefault(option)) made.of.needs.push_back(option);
        std::sort(made.of.needs.begin(), made.of.needs.end());
        made.of.needs.erase(std::unique(made.of.needs.begin(), made.of.needs.end()), made.of.needs.end());
        return std::move(made.of);
    }

    std::vector<PythonLine> m_lines;
    std::map<std::string, Names> m_functions;                 // parameters, by name
    std::map<std::string, std::vector<std::size_t>> m_calls;  // lines that call them
    std::map<std::string, std::string> m_presets;             // option → its default as written
    std::map<Scoped, std::vector<Fact>> m_facts, m_given;
};

}  // namespace

std::vector<ScriptLoad> loadsOf(std::string_view script) { return Reader(script).run(); }

bool takesArguments(std::string_view script)
{
    for (const char *word : {"arg", "Arg", "FLAGS", "flags", "click", "fire", "typer", "tyro", "hydra", "getopt"})
        if (contains(script, word)) return true;
    return false;
}

bool startsScripts(std::string_view script)
{
    if (!contains(script, ".py") && !contains(script, "sys.executable")) return false;
    const auto starts = [](std::string_view text, const std::string &call) {
        const bool ofOs = contains(text, "os." + call);
        return call == "Popen" || call.starts_with("create_subprocess_") || contains(text, "subprocess." + call) ||
               contains(text, "runpy." + call) ||
               (ofOs && (call == "system" || call == "popen" || contains(call, "exec") || contains(call, "spawn")));
    };
    for (const PythonLine &line : pythonLines(script))
        for (const PythonCall &call : callsIn(line.text))
            if (starts(line.text, call.name)) return true;
    return false;
}

}  // namespace rankdeck
