# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether processes of a login outlive it: the probe's answer, compared with a real systemd-logind. The test boots systemd with
logind and an sshd in a container of this machine's /usr. It logs in as a user, asks the probe, leaves a process behind, logs out,
and checks whether the process lives. Cases: the default, KillUserProcesses yes and no, an excluded user, and linger, which keeps
the user's services but not the processes of a login. Run by hand as root, with systemd-container, libpam-systemd and
openssh-server: logout_logind.py --probe BUILD/core/node/probe.py"""
import argparse
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
from checks import wait_for  # noqa: E402
from scratch import Scratch  # noqa: E402

USER, DROP_IN = "rankdeck-logout", "/run/systemd/logind.conf.d/9.conf"
ETC = ["pam.d", "passwd", "shadow", "group", "nsswitch.conf", "ssh", "security", "login.defs", "dbus-1", "ld.so.cache", "ld.so.conf",
       "alternatives"]
TARGET = """[Unit]
Requires=dbus.service systemd-logind.service
Wants=rankdeck-sshd.service systemd-user-sessions.service
After=basic.target
"""
SSHD = """[Service]
ExecStartPre=/bin/mkdir -p /run/sshd
ExecStart=/usr/sbin/sshd -D -e -f %s/sshd_config
"""
CONFIG = """Port %d
ListenAddress 127.0.0.1
HostKey %s/host_key
AuthorizedKeysFile %s/key.pub
StrictModes no
UsePAM yes
PidFile none
"""
ASK = """import os
names = {"__name__": "probe"}
exec(compile(open("%s/probe.py").read(), "probe", "exec"), names)
groups = names["slurp"]("/proc/self/cgroup").split(b"\\n")
inside = any(b"/session-" in line and line.endswith(b".scope") for line in groups)
print(*names["logout_rule"](names["logind_settings"](), names["user_name"](os.geteuid()), inside))
"""
# (settings of logind, whether linger is on, expected answer of the probe: 0 no, 1 yes, 2 unknown)
CASES = [("", False, "2"), ("KillUserProcesses=yes", False, "1"), ("KillUserProcesses=no", False, "0"),
         ("KillUserProcesses=yes\nKillExcludeUsers=root " + USER, False, "0"), ("KillUserProcesses=yes", True, "1")]


class Machine:
    def __init__(self, folder, probe):
        self.folder = folder
        os.chmod(self.folder, 0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        os.mkdir(self.path("units"))
        for name in ("key", "host_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(name)], check=True)
        for name, text in (("units/rankdeck.target", TARGET), ("units/rankdeck-sshd.service", SSHD % self.folder),
                           ("sshd_config", CONFIG % (self.port, self.folder, self.folder)), ("ask.py", ASK % self.folder)):
            with open(self.path(name), "w") as file:
                file.write(text)
        shutil.copy(probe, self.path("probe.py"))
        binds = ["--bind-ro=/etc/" + name for name in ETC if os.path.exists("/etc/" + name)]
        self.process = subprocess.Popen(["systemd-nspawn", "-q", "-b", "-D", "/", "--volatile=yes", "--register=no", "--keep-unit",
                                         "--console=pipe", "--bind=" + self.folder, "--bind-ro=%s:/etc/systemd/system" % self.path("units")]
                                        + binds + ["systemd.unit=rankdeck.target"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def boot(self):
        wait_for("a login", lambda: self.login("true").returncode == 0)
        with open("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)) as file:
            self.leader = file.read().split()[0]

    def path(self, name):
        return os.path.join(self.folder, name)

    def login(self, command):
        return subprocess.run(["ssh", "-i", self.path("key"), "-p", str(self.port), "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
                               "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=" + self.path("known"), USER + "@127.0.0.1",
                               command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=False)

    def root(self, command):
        return subprocess.run(["nsenter", "-t", self.leader, "-m", "-u", "-i", "-n", "-p", "sh", "-c", command], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()

    def logged_out(self):
        """Whether logind is done with every session: it has ended the processes left behind, or has left them alone."""
        *scopes, last = self.root("systemctl list-units --plain --no-legend --type=scope 'session-*'; echo end").splitlines() or [""]
        return last == "end" and all(scope.split()[3] == "abandoned" for scope in scopes)

    def case(self, settings, linger):
        """(answer of the probe, whether the process left behind lives)."""
        self.root("mkdir -p $(dirname %s); printf '[Login]\\n%s\\n' > %s; systemctl restart systemd-logind; loginctl %s-linger %s" % (
            DROP_IN, settings.replace("\n", "\\n"), DROP_IN, "enable" if linger else "disable", USER))
        said = self.login("python3 %s; setsid sleep 98765 < /dev/null > /dev/null 2>&1 &" % self.path("ask.py")).stdout.decode()
        wait_for("the logout", self.logged_out)
        lives = bool(self.root("pgrep -f 'sleep 9876[5]'").strip())
        self.root("pkill -f 'sleep 9876[5]'")
        return said.split(" ")[0].strip(), lives

    def end(self):
        self.process.send_signal(signal.SIGTERM)  # halt
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGTERM)  # at once
            self.process.wait()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--probe", required=True)
    options = options.parse_args()
    with Scratch(prefix="rankdeck-logind-", dir="/tmp") as folder:
        sys.exit(1 if run(folder, options.probe) else 0)


def run(folder, probe):
    """The number of cases in which the probe is wrong."""
    made = USER not in {entry.pw_name for entry in pwd.getpwall()}
    if made:
        subprocess.run(["useradd", "--no-create-home", "--shell", "/bin/sh", USER], check=True)
    bad, machine = 0, None
    try:
        machine = Machine(folder, probe)
        machine.boot()
        for settings, linger, expected in CASES:
            said, lives = machine.case(settings, linger)
            right = said == expected and (said == "2" or lives == (said == "0"))
            bad += not right
            print("%s %s%s: the probe says %s, what was left behind %s" % (
                "ok  " if right else "FAIL", settings.replace("\n", ", ") or "nothing set", ", linger" if linger else "", said,
                "lives" if lives else "was ended"), flush=True)
    finally:
        if machine:
            machine.end()
        if made:
            subprocess.run(["userdel", USER], check=False)
    return bad


if __name__ == "__main__":
    main()
