# SPDX-License-Identifier: GPL-3.0-or-later
"""rankdeckctl on a real terminal (a pty): the live view, progress, the choice of a job, completion.
Usage: --bin DIR"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from scratch import Scratched  # noqa: E402

CTL = os.path.abspath(os.path.join(sys.argv[sys.argv.index("--bin") + 1], "rankdeckctl"))
ENTER, LEAVE = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"
RED = b"\x1b[1;31m"


class Terminal:
    """A program on a terminal of its own, with its output and the final state of the terminal."""

    def __init__(self, words, columns=80, rows=24, directory=None, **environment):
        self.master, slave = pty.openpty()
        self.slave = slave
        self.size(columns, rows)
        self.before = termios.tcgetattr(slave)
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        env.update({"TERM": "xterm"}, **environment)

        def own():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=directory, preexec_fn=own)
        self.out = b""

    def size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        while select.select([self.master], [], [], 0.05)[0]:
            self.out += os.read(self.master, 65536)

    def until(self, what, test, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read()
            found = test(self)
            if found:
                return found
        raise AssertionError("not in time: " + what + "\n" + self.out[-4000:].decode(errors="replace"))

    def type(self, keys):
        os.write(self.master, keys)

    def end(self):
        self.until("its end", lambda t: t.process.poll() is not None)
        self.read()
        after = termios.tcgetattr(self.slave)
        os.close(self.master)
        os.close(self.slave)
        return self.process.returncode, after

    def screen(self):
        """The lines of the last complete screen."""
        pictures = re.findall(rb"\x1b\[H(.*?)\x1b\[J", self.out, re.S)
        return pictures[-1].replace(b"\x1b[K", b"").decode().replace("\r", "").split("\n") if pictures else []


def wide(line):
    return len(re.sub(r"\x1b\[[0-9;]*m", "", line))


class OnTheDemo(Scratched, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = cls.class_scratch(prefix="rankdeck-terminal-")
        cls.demo = subprocess.Popen([CTL, "--json", "demo", "--ranks", "4", "--nodes", "2", "--step-seconds", "0.2"], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.end_demo)
        started = json.loads(cls.demo.stdout.readline())
        cls.class_scratch(path=started["directory"], stays=True)  # ends first
        with open(started["job"]) as file:
            job = json.load(file)
        cls.job = os.path.join(cls.directory, "job.rankdeck.json")
        with open(cls.job, "w") as file:
            json.dump(job, file)
        cls.state = ["--state-dir", os.path.join(cls.directory, "state")]
        cls.words = [CTL, "--job", cls.job, *cls.state]

    @classmethod
    def end_demo(cls):
        cls.demo.send_signal(signal.SIGINT)
        cls.demo.wait(60)
        cls.demo.stdout.close()
        cls.demo.stdin.close()

    def watching(self, *more, **how):
        terminal = Terminal(self.words + ["watch", *more], **how)
        terminal.until("all ranks and a VALID set", lambda t: len([x for x in t.screen() if x.endswith("  runs")]) == 4 and
                       any("<- newest VALID" in x for x in t.screen()))
        return terminal

    def test_1_the_view_shows_the_job_and_leaves_the_terminal_as_it_was(self):
        terminal = self.watching()
        self.assertEqual(terminal.out.count(ENTER), 1)
        self.assertTrue(any("▁" in line for line in terminal.until("a curve", lambda t: t.screen())))
        self.assertNotIn(RED, terminal.out)
        quiet = termios.tcgetattr(terminal.slave)
        self.assertEqual(quiet[3] & termios.ECHO, 0)
        terminal.type(b"\x03")
        code, after = terminal.end()
        self.assertEqual(code, 130)
        self.assertTrue(terminal.out.endswith(LEAVE), terminal.out[-80:])
        self.assertEqual(after, terminal.before)

    def test_1_q_and_the_time_end_it_too(self):
        terminal = self.watching()
        terminal.type(b"xq")
        self.assertEqual(terminal.end(), (0, terminal.before))
        self.assertTrue(terminal.out.endswith(LEAVE))
        timed = Terminal(self.words + ["watch", "--for", "3"])
        self.assertEqual(timed.end()[1], timed.before)
        self.assertTrue(timed.out.endswith(LEAVE))

    def test_1_it_follows_the_size_of_the_terminal(self):
        terminal = self.watching()
        for columns, rows in ((40, 12), (120, 40)):
            terminal.size(columns, rows)
            mark = len(terminal.out)

            def fits(t, size=(columns, rows), since=mark):
                lines = t.screen()
                return t.out.count(b"\x1b[J", since) > 1 and len(lines) <= size[1] and max(map(wide, lines)) <= size[0]
            terminal.until("a picture of that size", fits)
        terminal.type(b"q")
        terminal.end()

    def test_1_ctrl_z_gives_the_terminal_back(self):
        shell = "set -m; " + " ".join(self.words) + " watch; echo HELD; read -r answer; fg >/dev/null"
        terminal = Terminal(["bash", "-c", shell])
        terminal.until("a picture", lambda t: t.screen())
        terminal.type(b"\x1a")
        terminal.until("held", lambda t: b"HELD" in t.out)
        self.assertIn(LEAVE, terminal.out[:terminal.out.index(b"HELD")])
        self.assertTrue(termios.tcgetattr(terminal.slave)[3] & termios.ECHO)
        terminal.type(b"\n")
        terminal.until("a picture again", lambda t: t.out.count(ENTER) == 2 and b"\x1b[J" in t.out[t.out.rindex(ENTER):])
        terminal.type(b"q")
        self.assertEqual(terminal.end()[1], terminal.before)

    def test_1_plain_lines_if_the_terminal_cannot_redraw(self):
        for words, how in ((["--plain"], {}), ([], {"TERM": "dumb"})):
            terminal = Terminal(self.words + ["watch", "--for", "120", *words], **how)
            terminal.until("a sample", lambda t: re.search(rb"rank \d  step ", t.out))
            terminal.type(b"\x03")
            self.assertEqual(terminal.end()[0], 130)
            self.assertNotIn(b"\x1b", terminal.out)
        piped = subprocess.Popen(self.words + ["watch", "--for", "120"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = []
        while not lines or not re.search(rb"  rank \d  step ", lines[-1]):
            lines.append(piped.stdout.readline())
        piped.send_signal(signal.SIGINT)
        piped.communicate()
        self.assertNotIn(b"\x1b", b"".join(lines))
        heads = [i for i, line in enumerate(lines) if re.search(rb"  \d+ of \d+ nodes live", line)]
        self.assertEqual(len(heads), 1, "how the job is stands there once, before what comes")
        self.assertFalse([line for line in lines[:heads[0]] if b"  node " not in line], lines)

    def test_2_known_sets_are_completed(self):
        deadline, ids = time.monotonic() + 60, []
        while not ids and time.monotonic() < deadline:  # a console that ends within seconds may have kept nothing yet
            subprocess.run(self.words + ["watch", "--for", "3"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            known = subprocess.run(self.words + ["known-sets"], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
            ids = [line.split("\t")[0] for line in known if line]
        self.assertTrue(ids and all(re.fullmatch(r"\d+:\d+-\d+", one) for one in ids), known)
        script = os.path.join(self.directory, "completion.bash")
        with open(script, "w") as file:
            subprocess.run([CTL, "completion", "bash"], stdout=file, check=True)

        def completed(line, breaks):
            program = ('compopt() { :; }; . "$1"; COMP_WORDBREAKS=$3; COMP_LINE=$2; COMP_POINT=${#2}; _rankdeckctl; '
                       'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "-c", program, "bash", script, line, breaks], cwd=self.directory, stdout=subprocess.PIPE, check=True)
            return sorted(done.stdout.decode().split())
        head = " ".join([CTL, *self.state]) + " resume --set "
        self.assertEqual(completed(head, " "), sorted(ids), "the job of the directory")
        self.assertEqual(completed(head + "0:", " :"), sorted(one[2:] for one in ids), "bash keeps what stands before the colon")
        self.assertEqual(completed(" ".join(self.words) + " keep --set 9", " :"), [])

    def test_3_a_death_is_red_if_colours_are_wanted(self):
        plain, coloured = self.watching(NO_COLOR="1"), self.watching()
        for terminal in (plain, coloured):  # a console cannot call a rank dead that it never saw alive
            terminal.until("all ranks alive", lambda t: sum("  runs" in line for line in t.screen()) == 4)
        self.demo.stdin.write("kill:1\n")
        self.demo.stdin.flush()
        for terminal in (plain, coloured):
            terminal.until("the death", lambda t: any("  died" in line for line in t.screen()) and
                           any("ALARM: " in line and "rank 1" in line.lower() for line in t.screen()))
            terminal.type(b"q")
            terminal.end()
        self.assertIn(RED + b"ALARM: ", coloured.out)
        self.assertNotIn(b"\x1b[1", plain.out)


class WithoutACluster(Scratched, unittest.TestCase):
    def setUp(self):
        self.directory = self.scratch(prefix="rankdeck-terminal-")
        self.state = ["--state-dir", os.path.join(self.directory, "state")]

    def job(self, name, host="local"):
        with open(os.path.join(self.directory, name + ".rankdeck.json"), "w") as file:
            json.dump({"rankdeck": 1, "name": name, "nodes": [{"host": host, "ranks": [0]}]}, file)

    def piped(self, *words):
        done = subprocess.run([CTL, *self.state, *words], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=180)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_a_wait_is_shown_with_its_seconds_and_disappears(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts the connection and never answers
            self.job("quiet", "nobody@127.0.0.1:%d" % silent.getsockname()[1])
            terminal = Terminal([CTL, *self.state, "--timeout", "4", "status"], directory=self.directory)
            self.assertEqual(terminal.end()[0], 3)
            self.assertRegex(terminal.out, rb"\r\x1b\[Kwaiting for [^\r\n]*\(connecting\)  2 s")
            self.assertIn(b"\r\x1b[K", terminal.out[terminal.out.rindex(b"waiting for "):], "wiped before the answer")
            code, _, err = self.piped("--timeout", "3", "status")
            self.assertEqual(code, 3)
            self.assertNotIn("waiting for", err)

    def test_help_fits_the_terminal(self):
        for words in ([], ["resume"], ["checkpoints"], ["demo"]):
            terminal = Terminal([CTL, *words, "--help"])
            self.assertEqual(terminal.process.wait(60), 0)
            terminal.read()
            lines = terminal.out.decode().replace("\r", "").split("\n")
            self.assertEqual([line for line in lines if len(line) > 80], [])
            whole = subprocess.run([CTL, *words, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertGreater(max(map(len, whole.split("\n"))), 80, "into a pipe it is as it was")
            self.assertEqual(" ".join(whole.split()), " ".join(" ".join(lines).split()), "no word is lost")

    def test_a_job_without_its_option(self):
        self.job("pangu")
        self.job("lenet")
        script = os.path.join(self.directory, "completion.bash")
        with open(script, "w") as file:
            subprocess.run([CTL, "completion", "bash"], stdout=file, check=True)
        program = ('compopt() { :; }; . "$1"; COMP_LINE=$2; COMP_POINT=${#2}; _rankdeckctl; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", program, "bash", script, "rankdeckctl status pa"], cwd=self.directory, stdout=subprocess.PIPE, check=True)
        self.assertEqual(done.stdout.decode().split(), ["pangu.rankdeck.json"])
        code, out, _ = self.piped("status", "pangu.rankdeck.json")
        self.assertEqual((code, out.split("\n")[0]), (0, "pangu"))
        code, _, err = self.piped("status", "pangu.rankdeck.json", "--job", "lenet.rankdeck.json")
        self.assertEqual(code, 2)
        self.assertIn("expected one job, found --job and pangu.rankdeck.json", err)
        self.assertIn("[JOB]", self.piped("status", "--help")[1])

    def test_findings_are_broken_between_words(self):
        self.job("pangu")
        terminal = Terminal([CTL, *self.state, "--job", "pangu.rankdeck.json", "resume", "--dry-run"], directory=self.directory)
        self.assertEqual(terminal.end()[0], 1)
        lines = terminal.out.decode().replace("\r", "").split("\n")
        said = [line for line in lines if line.startswith("  refuse  ") or line.startswith("          ")]
        self.assertTrue(said)
        self.assertEqual([line for line in said if len(line) > 80 and " " in line.strip()], [])

    def test_the_job_of_the_directory(self):
        code, _, err = self.piped("status")
        self.assertEqual(code, 2)
        self.assertIn("--job FILE, or a directory with a file NAME.rankdeck.json; found none in " + self.directory, err)
        self.job("pangu")
        code, out, err = self.piped("status")
        self.assertEqual((code, out.split("\n")[0]), (0, "pangu"))
        self.assertIn("using the job of this directory: " + os.path.join(self.directory, "pangu.rankdeck.json"), err)
        self.job("lenet")
        code, out, err = self.piped("exit", "--dry-run")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("2 jobs: lenet.rankdeck.json, pangu.rankdeck.json; choose one with --job FILE", err)

    def test_the_user_picks_one_of_several_jobs(self):
        self.job("pangu")
        self.job("lenet")
        for typed, code, said in ((b"2\n", 0, b"pangu\r\n  node local: "), (b"3\n", 2, b"expected a number from 1 to 2, found"), (b"\x04", 130, b"no job was picked"),
                                  (b"\x03", 130, b"")):
            terminal = Terminal([CTL, *self.state, "status"], directory=self.directory)
            terminal.until("the question", lambda t: b"Which job? 1 to 2: " in t.out)
            terminal.type(typed)
            self.assertEqual(terminal.end()[0], code, typed)
            self.assertIn(said, terminal.out)

    def test_every_slip_of_two_letters_is_answered_with_the_right_name(self):
        names = re.findall(r"^  ([a-z]+) {2,}", self.piped("--help")[1].split("Subcommands:")[1], re.M)
        self.assertGreater(len(names), 10)
        swapped = lambda word: word[:-2] + word[-1] + word[-2]
        for name in names:
            code, _, err = self.piped(swapped(name))
            self.assertEqual((code, 'did you mean "%s"?' % name in err), (2, True), err)
            code, text, _ = self.piped(name, "--help")
            self.assertIn("Exit codes:\n  0    done", text, name)
            options = sorted(set(re.findall(r"^ +(?:-\w,)?(--[a-z][a-z-]{2,})", text, re.M)) - {"--help-all"})  # a swap of its last two letters changes nothing
            for index, option in enumerate(options):  # each position of the slip for every third option
                words = ([name, swapped(option) + "=1"], [name, swapped(option)], [swapped(option) + "=1", name])[index % 3]
                code, _, err = self.piped(*words)
                self.assertEqual((code, 'did you mean "%s"?' % option in err), (2, True), (words, err))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
