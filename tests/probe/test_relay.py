# SPDX-License-Identifier: GPL-3.0-or-later
"""The relay alone: its program with local commands instead of ssh, any split of the bytes, and inputs that break it."""
import os
import random
import select
import struct
import subprocess
import sys
import time
import unittest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "core", "node", "session", "relay", "relay.py")
HELLO, PING, TEXT, OPEN, DATA, SEND_TEXT, CREDIT, CLOSE = range(1, 9)
GREETING, PONG, OUTPUT, TAKEN, END = range(16, 21)
DOWN, UP = 1 << 20, 256 << 10
LOADER = ("import sys;g={'__name__':'rankdeck_probe'}\n"
          "for s in open(sys.argv[1],encoding='utf-8').read().split(chr(10)*3):\n exec(compile(s,'relay','exec'),g)")


def blob(data):
    return struct.pack(">I", len(data)) + data


class Console(object):
    """Keeps the windows like the real console; `sent` and `got` are the bytes of the streams."""

    def __init__(self, seed=0):
        self.random = random.Random(seed)
        self.process = subprocess.Popen([sys.executable, "-ISBc", LOADER, SOURCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        self.out, self.input = b"", b""
        self.window, self.got, self.ends, self.frames = {}, {}, {}, []
        os.set_blocking(self.process.stdin.fileno(), False)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.frame(HELLO, 0, struct.pack(">I", 60000))

    def frame(self, kind, stream, payload=b""):
        self.out += struct.pack(">IBI", len(payload), kind, stream) + payload

    def open(self, stream, *argv, down=DOWN):
        self.window[stream], self.got[stream] = UP, []
        self.frame(OPEN, stream, struct.pack(">I", down) + b"".join(blob(os.fsencode(word)) for word in argv))

    def write(self, stream, data):
        """As much as the window allows."""
        part = data[:self.window[stream]]
        self.window[stream] -= len(part)
        if part:
            self.frame(DATA, stream, part)
        return len(part)

    def heard(self, stream):
        return b"".join(self.got[stream])

    def turn(self, most=1 << 20, seconds=0.2):
        """Sends some bytes and receives some."""
        size = min(len(self.out), self.random.randint(1, most))
        if size:
            try:
                size = os.write(self.process.stdin.fileno(), self.out[:size])
                self.out = self.out[size:]
            except BlockingIOError:
                size = 0
        if not select.select([self.process.stdout], [], [], 0 if size else seconds)[0]:
            return True
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        self.input += data
        at = 0
        while len(self.input) - at >= 9:
            length, kind, stream = struct.unpack_from(">IBI", self.input, at)
            if len(self.input) - at < 9 + length:
                break
            self.take(kind, stream, self.input[at + 9:at + 9 + length])
            at += 9 + length
        self.input = self.input[at:]
        return bool(data)

    def take(self, kind, stream, payload):
        self.frames.append((kind, stream))
        if kind == OUTPUT:
            self.got[stream].append(payload)
            self.frame(CREDIT, stream, struct.pack(">I", len(payload)))
        elif kind == TAKEN:
            self.window[stream] += struct.unpack(">I", payload)[0]
        elif kind == END:
            self.ends[stream] = (struct.unpack_from(">i", payload)[0], payload[4:])

    def until(self, reached):
        end = time.monotonic() + 60
        while not reached() and time.monotonic() < end:
            if not self.turn():
                break
        return reached()

    def last_words(self):
        """The relay's output on stderr when it ends without being stopped."""
        try:
            while self.turn():
                pass
        except BrokenPipeError:
            pass
        self.process.wait(60)
        return self.process.stderr.read()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        return self.process.stderr.read()

    def clean(self):
        """It ends at the end of its input, and ends what it runs."""
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        self.process.wait(60)


class RelayTest(unittest.TestCase):
    def console(self, seed=0):
        console = Console(seed)
        self.addCleanup(console.clean)
        return console

    def test_any_interleaving_and_any_split_gives_each_stream_its_own_bytes(self):
        for seed in range(4):
            console = self.console(seed)
            text = bytes(console.random.getrandbits(8) for _ in range(20000))
            console.frame(TEXT, 1, text[:7000])
            console.frame(TEXT, 1, text[7000:])
            sent = {stream: b"" for stream in range(1, 7)}
            for stream in sent:
                console.open(stream, "cat")
            for _ in range(300):
                stream = console.random.choice(list(sent))
                if console.random.random() < 0.05 and console.window[stream] >= len(text):
                    console.window[stream] -= len(text)
                    console.frame(SEND_TEXT, stream, struct.pack(">I", 1))
                    sent[stream] += text
                else:
                    data = bytes(bytearray([stream])) * console.random.randint(1, 20000) + b"\0%d" % len(sent[stream])
                    sent[stream] += data[:console.write(stream, data)]
                console.turn(console.random.choice((3, 100, 100000)), 0)
            self.assertTrue(console.until(lambda: all(sum(map(len, console.got[s])) >= len(sent[s]) for s in sent)))
            for stream in sent:
                self.assertEqual(console.heard(stream) == sent[stream], True, "seed %d, stream %d" % (seed, stream))
            self.assertEqual(console.close(), b"")

    def test_a_stalled_stream_and_an_endless_one_delay_no_other(self):
        console = self.console()
        console.open(1, "sleep", "1000")
        console.open(2, "sh", "-c", "exec cat /dev/zero", down=100000)
        console.open(3, "cat")
        self.assertEqual(console.write(1, b"x" * (1 << 20)), UP)
        console.write(3, b"hello")
        self.assertTrue(console.until(lambda: console.heard(3) == b"hello"))
        self.assertTrue(console.until(lambda: sum(map(len, console.got[2])) > 1000000))
        console.frame(PING, 0)
        console.write(3, b" again")
        self.assertTrue(console.until(lambda: console.heard(3) == b"hello again" and (PONG, 0) in console.frames))
        self.assertLess(console.window[1], UP)
        with open("/proc/%d/status" % console.process.pid) as file:
            peak = int(next(line for line in file if line.startswith("VmHWM")).split()[1])
        self.assertLess(peak, 40000, "kB")

    def test_a_stream_without_credit_is_not_read_on(self):
        console = self.console()
        console.take = lambda kind, stream, payload: console.got.setdefault(stream, []).append(payload) if kind == OUTPUT else None
        console.open(1, "sh", "-c", "exec cat /dev/zero", down=100000)
        console.open(2, "sh", "-c", "exec seq 20000")
        self.assertTrue(console.until(lambda: sum(map(len, console.got[2])) == 108894 and sum(map(len, console.got[1])) == 100000))
        for _ in range(3):
            console.turn()
        self.assertEqual(sum(map(len, console.got[1])), 100000)

    def test_the_end_comes_after_all_output_with_status_and_last_words(self):
        console = self.console()
        console.open(1, "sh", "-c", "seq 100000; echo bad >&2; exit 3")
        console.open(2, "no-such-program")
        console.open(3, "sh", "-c", "kill -9 $$")
        console.open(4, "sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x >&2; echo last >&2")
        self.assertTrue(console.until(lambda: len(console.ends) == 4))
        self.assertEqual((len(console.heard(1)), console.ends[1]), (588895, (3, b"bad\n")))
        self.assertEqual(console.ends[2], (127, b"rankdeck: cannot run no-such-program: No such file or directory\n"))
        self.assertEqual(console.ends[3], (-9, b""))
        self.assertEqual((len(console.ends[4][1]), console.ends[4][1][-6:]), (8192, b"xlast\n"))

    def test_a_closed_stream_ends_its_program_and_is_silent(self):
        console = self.console()
        console.open(1, "sh", "-c", "echo $$; exec cat")
        self.assertTrue(console.until(lambda: console.got[1]))
        pid = int(console.heard(1))
        console.frame(CLOSE, 1)
        console.open(2, "sh", "-c", "while kill -0 %d; do sleep 0.02; done 2>/dev/null; echo gone" % pid)
        self.assertTrue(console.until(lambda: console.heard(2) == b"gone\n"))
        self.assertNotIn(1, console.ends)

    def test_streams_that_hang_while_opening_delay_no_other_for_long(self):
        console = self.console()
        for stream in range(1, 41):
            console.open(stream, "sleep", "1000")
        console.open(99, "echo", "hello")
        self.assertTrue(console.until(lambda: console.heard(99) == b"hello\n"))

    def test_an_invalid_frame_ends_it_with_a_message(self):
        window = struct.pack(">IBI", UP + 1, DATA, 1) + b"x" * (UP + 1)
        for broken in (b"\xff" * 9, window, struct.pack(">IBI", 4, SEND_TEXT, 1) + struct.pack(">I", 7),
                       struct.pack(">IBI", 2, CREDIT, 1) + b"xx"):
            console = self.console()
            console.open(1, "sleep", "1000")
            console.out += broken
            self.assertIn(b"does not understand the console", console.last_words())

    def test_a_silent_console_ends_it(self):
        console = self.console()
        console.out = b""
        console.frame(HELLO, 0, struct.pack(">I", 1000))
        console.open(1, "sleep", "1000")
        self.assertEqual(console.last_words(), b"")


if __name__ == "__main__":
    unittest.main()
