// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/sshd.h"

#include "tests/testbed/free_port.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck {

namespace {

constexpr const char *serverProgram = "/usr/sbin/sshd";  // it starts itself again per connection: absolute

std::string joined(const std::vector<std::string> &lines, const char *indent, const char *after = "\n")
{
    std::string text;
    for (const std::string &line : lines) text += indent + line + after;
    return text;
}

void makeKey(const std::string &type, const std::string &path)
{
    std::filesystem::remove(path);
    std::filesystem::remove(path + ".pub");
    const ProgramOutput made = runProgram({"ssh-keygen", "-q", "-t", type, "-N", "", "-C", "testbed", "-f", path});
    if (made.exitCode != 0) throw std::runtime_error("ssh-keygen: " + made.out);
}

std::size_t countOf(const std::string &text, const std::string &word)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

}  // namespace

Sshd::Sshd(SshdOptions options) : m_options(std::move(options))
{
    m_mark = "RANKDECK_TESTBED=" + m_dir.path();
    if (geteuid() == 0) mkdir("/run/sshd", 0755);  // chroot of the unprivileged half of a root sshd
    writeKeys();
    for (int attempt = 0; attempt < 5 && m_pid < 0; ++attempt) {
        m_port = freePort();
        writeServerConfig();
        tryStart();  // another process may have taken the port in between
    }
    if (m_pid < 0) throw std::runtime_error("sshd did not start:\n" + log());
    m_dir.write("known_hosts", m_options.known ? knownHostsLine() + "\n" : "");
    writeSshConfig(configBlock());
}

Sshd::~Sshd() { stop(); }

void Sshd::writeKeys() const
{
    makeKey(m_options.hostKeyType, hostKeyPath());
    makeKey("ed25519", keyPath());
    std::filesystem::copy_file(keyPath() + ".pub", authorizedKeysPath());
}

void Sshd::writeServerConfig() const
{
    std::string text = joined(m_options.config, "");
    text += "ListenAddress 127.0.0.1\nPort " + std::to_string(m_port) + "\nHostKey " + hostKeyPath() +
            "\nAuthorizedKeysFile " + authorizedKeysPath() + "\nPidFile none\nSetEnv " + m_mark +
            " HOME=" + m_dir.path() + joined(m_options.environment, " ", "") +
            "\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin yes\nPermitUserRC no\nPrintMotd no\nUseDNS no\nLogLevel VERBOSE\n"
            "Subsystem sftp internal-sftp\n";
    m_dir.write("sshd_config", text);
    // Newer servers block an address whose logins fail, and all tests use one address. Older servers do not know the
    // keyword.
    m_dir.write("sshd_config", text + "PerSourcePenalties no\n");
    if (runProgram({serverProgram, "-t", "-f", m_dir.file("sshd_config")}).exitCode != 0)
        m_dir.write("sshd_config", text);
}

bool Sshd::tryStart()
{
    const std::size_t before = countOf(log(), "Server listening on");
    const std::string config = m_dir.file("sshd_config");
    const std::string logFile = m_dir.file("sshd.log");
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("fork failed");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        const int null = open("/dev/null", O_RDWR);
        for (const int fd : {0, 1, 2}) dup2(null, fd);
        for (int fd = 3; fd < 1024; ++fd) close(fd);
        execl(serverProgram, serverProgram, "-D", "-f", config.c_str(), "-E", logFile.c_str(),
              static_cast<char *>(nullptr));
        _exit(127);
    }
    for (;;) {
        int status = 0;
        if (waitpid(pid, &status, WNOHANG) == pid) return false;
        if (countOf(log(), "Server listening on") > before) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    m_pid = pid;
    return true;
}

void Sshd::start()
{
    if (m_pid >= 0) return;
    // The old connections may occupy the port for a moment.
    if (!eventually([this] { return tryStart(); })) throw std::runtime_error("sshd did not start again:\n" + log());
}

void Sshd::killConnections() const
{
    // Each connection has its own session, so a signal to the server's group does not reach it. Therefore the process
    // tree is used.
    for (const int pid : processTree(m_pid))
        if (pid != m_pid && commandLine(pid).rfind("sshd", 0) == 0) kill(pid, SIGKILL);
}

void Sshd::dropConnections()
{
    if (m_pid > 0) killConnections();
}

void Sshd::stop()
{
    if (m_pid <= 0) return;
    kill(m_pid, SIGSTOP);  // no new connection slips in between the two
    killConnections();
    kill(m_pid, SIGKILL);
    while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {}
    m_pid = -1;
}

void Sshd::replaceHostKey()
{
    stop();
    makeKey(m_options.hostKeyType, hostKeyPath());
    start();
}

std::string Sshd::user()
{
    const passwd *entry = getpwuid(geteuid());
    if (!entry) throw std::runtime_error("the current user has no name");
    return entry->pw_name;
}

std::string Sshd::hostPublicKey() const
{
    std::istringstream words(m_dir.read("host_key.pub"));
    std::string type;
    std::string key;
    words >> type >> key;
    return type + " " + key;
}

std::string Sshd::hostFingerprint() const
{
    std::istringstream words(runProgram({"ssh-keygen", "-lf", hostKeyPath() + ".pub"}).out);
    std::string bits;
    std::string fingerprint;
    words >> bits >> fingerprint;
    return fingerprint;
}

std::string Sshd::knownHostsLine() const { return "[127.0.0.1]:" + std::to_string(m_port) + " " + hostPublicKey(); }

std::string Sshd::configBlock(int port) const
{
    std::string text = "Host " + m_options.alias + "\n" + joined(m_options.clientConfig, "  ");
    if (!m_options.proxyJump.empty()) text += "  ProxyJump " + m_options.proxyJump + "\n";
    // The key is still that of the real port, even through a proxy.
    if (port) text += "  HostKeyAlias [127.0.0.1]:" + std::to_string(m_port) + "\n";
    return text + "  HostName 127.0.0.1\n  Port " + std::to_string(port ? port : m_port) + "\n  User " + user() +
           "\n  IdentityFile " + keyPath() + "\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile " +
           knownHostsPath() + "\n  GlobalKnownHostsFile /dev/null\n  HashKnownHosts no\n";
}

void Sshd::writeSshConfig(const std::string &text) const { m_dir.write("ssh_config", text); }

std::string Sshd::log() const { return m_dir.read("sshd.log"); }

int Sshd::logins() const
{
    const std::string text = log();
    return int(countOf(text, "Accepted ") - countOf(text, "Accepted key "));  // the latter: a key would do
}

std::vector<int> Sshd::processes() const { return processesWithEnvironment(m_mark); }

std::string writeSshConfigOf(const std::vector<const Sshd *> &servers, const std::string &directory)
{
    std::string text;
    for (const Sshd *server : servers) text += server->configBlock();
    const std::string path = directory + "/ssh_config";
    std::ofstream(path, std::ios::trunc) << text;
    ::chmod(path.c_str(), 0600);  // independent of the umask: a config that others may write is refused
    return path;
}

}  // namespace rankdeck
