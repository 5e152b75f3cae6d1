# SPDX-License-Identifier: GPL-3.0-or-later
"""Real sshd sessions to the simulated nodes, over proxies that delay each byte. One sshd serves all nodes, with a port for each, so
that a console sees separate machines. Nothing outside of the given directory is written."""
import asyncio
import os
import socket
import subprocess
import threading
import time

SERVER = "/usr/sbin/sshd"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Proxy:
    """A port for each node, which delays every piece by `delay` seconds; a node can be cut off and joined. targets: node →
    port."""

    def __init__(self, targets, delay):
        self.targets, self.delay, self.nodes = targets, delay, list(targets)
        nodes = self.nodes
        self.ports, self.cut, self.open = {}, set(), {node: set() for node in nodes}
        self.loop, ready = asyncio.new_event_loop(), threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._listen())
        ready.set()
        self.loop.run_forever()

    async def _listen(self):
        for node in self.nodes:
            server = await asyncio.start_server(lambda reader, writer, node=node: self._serve(node, reader, writer), "127.0.0.1")
            self.ports[node] = server.sockets[0].getsockname()[1]

    async def _serve(self, node, reader, writer):
        if node in self.cut:
            return writer.transport.abort()
        there, back = await asyncio.open_connection("127.0.0.1", self.targets[node])
        self.open[node] |= {writer, back}
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer), return_exceptions=True)
        self.open[node] -= {writer, back}

    async def _pass(self, reader, writer):
        """Each piece leaves `delay` after its arrival; several pieces can be on their way at the same time."""
        queue = asyncio.Queue(64)

        async def leave():
            while True:
                due, piece = await queue.get()
                if due > self.loop.time():
                    await asyncio.sleep(due - self.loop.time())
                if not piece:
                    return writer.close()
                writer.write(piece)
                await writer.drain()

        leaving = asyncio.ensure_future(leave())
        try:
            while piece := await reader.read(1 << 16):
                await queue.put((self.loop.time() + self.delay, piece))
        except ConnectionError:
            pass
        await queue.put((self.loop.time() + self.delay, b""))
        await leaving

    def cut_off(self, node):
        def now():
            self.cut.add(node)
            for writer in self.open[node]:
                writer.transport.abort()
        self.loop.call_soon_threadsafe(now)

    def join(self, node):
        self.loop.call_soon_threadsafe(self.cut.discard, node)


class Way:
    """Each node has a proxy of its own, and an ssh config with every node as a host. delay: seconds of a round trip."""

    def __init__(self, root, targets, delay):
        self.root = root
        self.proxy = Proxy(targets, delay / 2)
        with open(self.file("host.pub")) as file:
            key = " ".join(file.read().split()[:2])
        self.write("known_hosts", "".join("[127.0.0.1]:%d %s\n" % (at, key) for at in self.proxy.ports.values()))
        self.write("config", "".join("Host %s\n  HostName 127.0.0.1\n  Port %d\n" % pair for pair in self.proxy.ports.items()) +
                   "Host *\n  IdentityFile %s\n  IdentitiesOnly yes\n  UserKnownHostsFile %s\n  StrictHostKeyChecking yes\n"
                   % (self.file("key"), self.file("known_hosts")))

    @staticmethod
    def make_keys(root):
        os.makedirs(root, mode=0o700)
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        for name in ("host", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(root, name)], check=True)

    @property
    def config(self):
        return self.file("config")

    def file(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        with open(self.file(name), "w") as file:
            file.write(text)
        os.chmod(self.file(name), 0o600)


class SshLinks(Way):
    """One sshd that represents all nodes."""

    def __init__(self, root, nodes, delay):
        self.root = os.path.join(root, "ssh")
        self.make_keys(self.root)
        port = free_port()
        self.write("sshd_config", "ListenAddress 127.0.0.1\nPort %d\nHostKey %s\nAuthorizedKeysFile %s.pub\nPidFile none\n"
                   "UsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\nUseDNS no\n"
                   # the start-up files of the user's own login are not part of the measurement
                   "SetEnv HOME=%s\n"
                   # in reality each node has an sshd, and a limit, of its own
                   "MaxStartups 10000\n" % (port, self.file("host"), self.file("key"), self.root))
        self.server = subprocess.Popen([SERVER, "-D", "-f", self.file("sshd_config"), "-E", self.file("log")])
        while "Server listening" not in (open(self.file("log")).read() if os.path.exists(self.file("log")) else ""):
            if self.server.poll() is not None:
                raise SystemExit("sshd did not start: " + open(self.file("log")).read())
            time.sleep(0.02)
        super().__init__(self.root, {node: port for node in nodes}, delay)

    def end(self):
        self.server.terminate()
        self.server.wait()
