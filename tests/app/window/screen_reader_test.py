# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as a screen reader reads it. A real AT-SPI client reads the deck of a real job, its lanes cell by cell, its plots and
buttons. On a display and a message bus of its own. Usage: screen_reader_test.py RANKDECK DATA"""
import json
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from scratch import Scratch  # noqa: E402

BOUND = 60  # seconds; nothing here depends on speed
INSIDE = "RANKDECK_TEST_ON_ITS_OWN_BUS"


def listen():
    """The library learns of changes only by messages, which arrive only while its loop runs."""
    from gi.repository import GLib
    turns, over = GLib.MainContext.default(), []
    GLib.timeout_add(100, lambda: over.append(True))
    while not over:
        turns.iteration(True)


def until(what, found):
    end = time.monotonic() + BOUND
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < end, f"after {BOUND} s still not: {what() if callable(what) else what}"
        listen()


def job_in(directory, data):
    """Two ranks that have logged and saved on this machine; rank 1 lacks the newest file."""
    line = ("2025-04-07 15:34:%02d,308 - mindformers./output/log[mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  %d/  3], step:[    %d/   10], "
            "loss: %.3f, per_step_time: 500ms, lr: 1.5e-05, overflow cond: False, loss_scale: 65536.0, global_norm: [0.75], train_throughput_per_npu: 171.250T\n")
    sample = os.path.join(data, "mindspore", "ckpt", "2.0.0", "append_info", "rank_0")
    for rank in (0, 1):
        os.makedirs(f"{directory}/ckpt/rank_{rank}")
        with open(f"{directory}/worker_{rank}.log", "w") as log:
            for step in range(1, 24):
                log.write(line % (step, (step - 1) // 10 + 1, (step - 1) % 10 + 1, 3 - step / 20 + rank / 100))
        for name in sorted(os.listdir(sample)):
            if rank == 0 or name != "lenet-2_10.ckpt":
                shutil.copy(os.path.join(sample, name), f"{directory}/ckpt/rank_{rank}/{name}")
    path = f"{directory}/reader.rankdeck.json"
    with open(path, "w") as file:
        json.dump({"rankdeck": 1, "name": "reader", "nodes": [{"name": "here", "host": "local", "ranks": [0, 1]}],
                   "logs": {"path": directory + "/worker_{rank}.log"}, "checkpoints": {"path": directory + "/ckpt/rank_{rank}"}}, file)
    return path


def children(node):
    return [child for child in (node.get_child_at_index(i) for i in range(node.get_child_count())) if child is not None]


def walk(node, depth=0):
    """All nodes below; the cells of a table are read by row and column, not walked."""
    yield node
    if depth > 30 or node.get_role_name() == "table":
        return
    for child in children(node):
        yield from walk(child, depth + 1)


def read(node, use):
    """A part that the window is rebuilding may be gone: it is read again."""
    from gi.repository import GLib
    try:
        return use(node)
    except GLib.Error:
        return None


def main():
    program, data = sys.argv[1], sys.argv[2]
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
    with Scratch(prefix="rankdeck-reader-") as directory:
        environment = dict(os.environ, HOME=directory, XDG_CONFIG_HOME=directory + "/config", QT_QPA_PLATFORM="xcb", LC_ALL="C.UTF-8",
                           QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
        window = subprocess.Popen([program, "--state-dir", directory + "/state", job_in(directory, data)], env=environment)
        try:
            look(Atspi, window)
        finally:
            window.terminate()
            window.wait(timeout=BOUND)


def look(Atspi, window):
    def application():
        assert window.poll() is None, "the window has ended"
        desktop = Atspi.get_desktop(0)
        return next((child for child in children(desktop) if child.get_process_id() == window.pid), None)

    def part(role, name):
        def found():
            app = read(None, lambda _: application())
            return app and read(app, lambda top: next((node for node in walk(top) if node.get_role_name() == role and node.get_name().startswith(name)), None))
        return until(f"a {role} named {name}", found)

    deck = part("panel", "Deck: ")
    loss = part("chart", "Loss over steps")
    until("the plot tells its newest median", lambda: "median" in (read(loss, lambda node: node.get_description()) or ""))
    part("chart", "Whole job")
    assert read(deck, lambda node: node.get_child_count()) > 0

    lanes = part("table", "Checkpoints per rank")

    def cells():
        def all_of(node):
            table = node.get_table_iface()
            rows, columns = table.get_n_rows(), table.get_n_columns()
            return [[table.get_accessible_at(row, column).get_name() for column in range(columns)] for row in range(rows)]
        return read(lanes, all_of) or []

    told = until(lambda: f"two lanes with the missing file: {cells()}", lambda: next((got for got in [cells()] if len(got) == 2 and len(got[0]) >= 2 and any("no file" in cell for cell in got[1])), None))
    for row, names in enumerate(told):
        for name in names:
            assert name.startswith(f"rank {row}, step "), name
    assert not any("no file" in name for name in told[0]), told
    print("cells:", told)

    def heads():
        def all_of(node):
            table = node.get_table_iface()
            return [table.get_row_header(row).get_name() for row in range(table.get_n_rows())], [table.get_column_header(column).get_name() for column in range(table.get_n_columns())]
        return read(lanes, all_of)
    rows, columns = until("the lanes' heads", heads)
    print("lanes:", rows, "sets:", columns)
    assert [row.split(",")[0] for row in rows] == ["Rank 0", "Rank 1"], rows
    assert all("here" in row and "loss " in row for row in rows), rows
    assert all(column.startswith("Set ") for column in columns) and any("VALID" in column for column in columns), columns

    # Each button has its role, and a name with its lost work or its reason.
    stop, resume = part("push button", "Stop gracefully"), part("push button", "Resume, ")
    for button in (stop, resume):
        assert "," in read(button, lambda node: node.get_name()), button
    print("a screen reader reads the deck, its lanes, its plots and its acts")


def on_its_own_bus():
    read_end, write_end = os.pipe()
    # Without -noreset the server restarts when its last client leaves, and refuses a window that connects just then.
    display = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1366x768x24", "-nolisten", "tcp", "-noreset"], pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    try:
        with os.fdopen(read_end) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        with Scratch(prefix="rankdeck-runtime-") as runtime:
            environment = dict(os.environ, DISPLAY=":" + number, XDG_RUNTIME_DIR=runtime, **{INSIDE: "1"})
            environment.pop("WAYLAND_DISPLAY", None)
            environment.pop("AT_SPI_BUS_ADDRESS", None)
            sys.exit(subprocess.run(["dbus-run-session", "--", sys.executable, *sys.argv], env=environment, timeout=10 * BOUND).returncode)
    finally:
        display.terminate()
        display.wait(timeout=BOUND)


if __name__ == "__main__":
    if INSIDE in os.environ:
        main()
    else:
        on_its_own_bus()
