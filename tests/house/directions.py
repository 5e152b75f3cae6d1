# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads every #include and fails on one that runs against the flow. Usage: directions.py SOURCE_DIRECTORY"""
import os
import re
import sys

LISTED = {"base", "framework", "job", "node", "node/protocol"}   # folders that a listing needs
# a framework's folder, and those of frameworks whose checkpoints its own checkpoints contain
FORMATS = {
    "mindspore": set(), "torch": set(), "safetensors": set(), "tensorflow": set(), "orbax": set(), "huggingface": set(),
    "colossalai": set(), "foreign": set(), "splitstate": set(), "components": {"checkpoint/formats/torch", "checkpoint/formats/mindspore", "checkpoint/formats/numpy"}, "torchtune": set(), "deepspeed": {"checkpoint/formats/torch"},
    "dcp": {"checkpoint/formats/torch"}, "numpy": {"checkpoint/formats/torch"}, "flax": {"checkpoint/formats/torch"}, "megatron": {"checkpoint/formats/dcp"},
}
CHECKPOINT = {"checkpoint", "checkpoint/codec", "checkpoint/read", "checkpoint/formats", "checkpoint/inventory", "checkpoint/inventory/folders", "checkpoint/inventory/prefixes", "checkpoint/survey"} | {
    f"checkpoint/formats/{name}" for name in FORMATS}
LOGS = {"parse", "parse/lines", "run", "run/series"}
# facts for the decision about an action; none of these rooms includes the engine
SEEN = {"base", "framework", "job", "node", "node/protocol", "node/session", "follow", "verdict", "scheduler", "state", "journal"} | LOGS | CHECKPOINT
ACT = SEEN | {"recover"}


def acts(*rooms):
    return ACT | {f"recover/{room}" for room in rooms}


# folders that a folder of core may include, in addition to itself
CORE = {
    "base": set(),
    "framework": {"base"},
    "job/text": {"base", "framework"},
    "job": {"base", "framework", "job/text"},
    "node/transport": {"base", "job", "node/protocol"},
    "node/protocol": {"base", "job"},
    "node": {"base", "job", "node/transport", "node/protocol"},
    "node/session/reach": {"base"},
    "node/session/identity": {"base", "job", "node/transport", "node/protocol", "node/session/reach"},
    "node/session/container": {"base", "job", "node/transport", "node/protocol"},
    "node/session/relay": {"base", "node/transport", "node/protocol", "node/session/reach"},
    "node/session/cluster": {"base", "job", "node", "node/transport", "node/protocol", "node/session/container"},
    "node/session": {"base", "job", "node/transport", "node/protocol", "node/session/reach", "node/session/identity", "node/session/container", "node/session/relay"},
    "follow": {"base", "node", "node/protocol"},
    "parse/lines": {"base", "framework"},
    "parse/fields": {"base", "parse/lines"},
    "parse": {"base", "framework", "job", "parse/lines", "parse/fields"},
    "checkpoint": LISTED,
    "checkpoint/codec": {"base"},
    "checkpoint/read": LISTED | {"checkpoint", "checkpoint/codec"},
    **{f"checkpoint/formats/{name}": LISTED | {"checkpoint", "checkpoint/codec", "checkpoint/read"} | others for name, others in FORMATS.items()},
    "checkpoint/formats": LISTED | {"checkpoint", "checkpoint/read"} | {f"checkpoint/formats/{name}" for name in FORMATS},
    "checkpoint/inventory/folders": LISTED | {"checkpoint", "checkpoint/read", "checkpoint/formats", "checkpoint/formats/tensorflow"},
    "checkpoint/inventory/prefixes": {"base", "checkpoint"},
    "checkpoint/inventory": LISTED | {"checkpoint", "checkpoint/inventory/folders", "checkpoint/inventory/prefixes", "checkpoint/read", "checkpoint/formats"} | {f"checkpoint/formats/{name}" for name in FORMATS},
    "checkpoint/survey": LISTED | {"checkpoint", "checkpoint/codec", "checkpoint/read", "checkpoint/formats", "checkpoint/formats/mindspore"},
    "run/series": {"base", "parse/lines"},
    "run": {"base", "node", "node/protocol", "parse", "parse/lines", "run/series"},
    "run/history": {"base", "node/protocol"} | LOGS,
    "verdict/frameworks": {"base", "framework", "job"} | CHECKPOINT,
    "verdict": LISTED | LOGS | {"verdict/frameworks"} | CHECKPOINT,
    "verdict/table": {"base", "verdict"} | CHECKPOINT,
    "verdict/origin": LISTED | LOGS | {"verdict", "verdict/frameworks"} | CHECKPOINT,
    "scheduler": {"base", "job"},
    "state": {"base", "framework", "job", "node/protocol", "verdict"} | LOGS | CHECKPOINT,
    "alarm": {"base", "framework", "job", "node/protocol", "verdict", "scheduler", "state"} | LOGS | CHECKPOINT,
    "journal": {"base"},
    "report": {"base", "framework", "job", "node/protocol", "verdict", "state", "alarm", "journal"} | LOGS | CHECKPOINT,
    "recover": SEEN,
    "recover/edit": {"base"},
    "recover/stacks": ACT,
    "recover/host": ACT,
    "recover/flag": acts("edit", "host"),
    "recover/plan": acts("host"),
    "recover/keep": acts("host", "plan"),
    "recover/launch": acts("edit", "host", "flag", "plan"),
    "recover/launch/cluster": acts("edit", "host", "launch"),
    "recover/launch/recipes": acts("edit", "host", "launch", "launch/cluster"),
    "recover/lookback": acts("flag", "host", "launch", "plan"),
    "recover/stop/checks": acts("edit", "flag", "host", "launch"),
    "recover/stop": acts("edit", "flag", "host", "launch", "plan", "stop/checks"),
    "recover/resume/aside": acts("edit", "flag", "host", "launch"),
    "recover/resume/facts": acts("edit", "flag", "host", "launch", "launch/cluster", "resume/aside"),
    "recover/resume/evidence": acts("edit", "flag", "host", "launch", "launch/cluster", "resume/aside", "resume/facts"),
    "recover/resume/checks": acts("edit", "flag", "host", "launch", "launch/cluster", "resume/aside", "resume/facts", "resume/evidence"),
    "recover/resume": acts("edit", "flag", "host", "launch", "launch/cluster", "plan", "resume/aside", "resume/facts", "resume/checks"),
    "discover/launch": {"base", "framework", "job", "job/text", "recover", "recover/launch/cluster"},
    "discover/text": {"base", "framework", "job", "job/text"},
    "discover": LISTED | {"recover", "recover/edit", "recover/flag", "recover/host", "discover/launch", "discover/text"} | CHECKPOINT,
    "engine/logs": LISTED | LOGS | {"follow", "run/history"},
    "engine/scheduler": LISTED | LOGS | {"node/session/container", "node/session/cluster", "scheduler", "recover/launch"},
    "engine/checkpoints": LISTED | {"node/transport", "verdict", "verdict/table"} | CHECKPOINT,
    "engine/discovery": LISTED | LOGS | CHECKPOINT | {
        "node/transport", "node/session/reach", "node/session/cluster", "verdict", "recover", "recover/flag", "recover/host", "recover/launch",
        "recover/resume/facts", "discover", "engine/checkpoints"},
    "engine": None,   # all of core
}
# rooms that a room of ui may include, in addition to itself; each may include core
UI = {
    "feed": set(),
    "style": set(),
    "kit": {"style"},
    "state": {"style", "kit", "feed"},
    "deck/scene": {"style", "state"},
    "deck/plot": {"style", "deck/scene"},
    "deck/lanes": {"style", "deck/scene"},
    "deck": {"feed", "style", "kit", "state", "deck/scene", "deck/plot", "deck/lanes"},
    "panels": {"feed", "style", "kit", "state", "dialogs"},
    "dialogs": {"feed", "style", "kit", "state"},
    "panes": {"feed", "style", "kit", "state", "dialogs"},
    "editor": {"style", "kit", "state"},
    "start": {"feed", "style", "kit", "state", "dialogs", "editor"},
    "files": {"feed", "style"},
    "window": {"feed", "style", "kit", "state", "files", "start", "deck", "deck/scene", "panels", "dialogs", "panes"},
}
TOOLTIP = re.compile(r"(?:setToolTip\(|ToolTipRole\b[^\n]*?\breturn )(?!toolTipOf\()[^\n]*")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def part(path):
    """core/node/session/x.h → node/session; core/engine.h → engine, whose entry point it is."""
    return "/".join(path.split("/")[1:-1]) or "engine"


def room(path):
    """ui/deck/plot/x.h → deck/plot; ui/x.h → "ui"."""
    return "/".join(path.split("/")[1:-1]) or "ui"


def faults(path, text):
    top = path.split("/")[0]
    for quote, name in INCLUDE.findall(text):
        if top == "core" and re.match(r"Q[A-Za-z]|qcustomplot", name):
            yield f"core has no Qt: {name}"
        if quote == "<" and name.startswith("libssh/") and not (path.startswith("core/node/session/") or path.startswith("tests/")):
            yield f"only core/node/session includes libssh: {name}"
        if top == "ui" and name.startswith("nlohmann"):
            yield f"the window never sees the JSON library: {name}"
        if "qcustomplot" in name and path != "ui/deck/plot/loss_plot.cpp" and top != "tests":
            yield f"only ui/deck/plot/loss_plot.cpp includes {name}"
        if quote != '"':
            continue
        target = name.split("/")[0]
        if target not in ("core", "ui", "app", "tests"):
            yield f'includes are rooted at the repository: "{name}"'
        if top == "core" and target != "core":
            yield f"core includes only core: {name}"
        if top == "ui" and target not in ("core", "ui"):
            yield f"ui includes only ui and core: {name}"
        if top == "ui" and target == "ui":
            here, there = room(path), room(name)
            if here not in UI or there not in UI:
                yield f"ui has the rooms {', '.join(UI)}: {name}"
            elif here != there and there not in UI[here]:
                yield f"ui/{here} may not include ui/{there}: {name}"
        if top == "app" and target == "tests":
            yield f"programs include no tests: {name}"
        if top == "core" and target == "core":
            here, there = part(path), part(name)
            allowed = CORE.get(here, set())
            if here != there and allowed is not None and there not in allowed:
                yield f"{here} may not include {there}: {name}"
            if here == "node" and there == "node/session" and name != "core/node/transport/session_factory.h":
                yield f"node knows only the abstract session factory: {name}"


def without_row(folders):
    """Rooms of core without a row: their includes would be unrestricted."""
    return [f"core/{room} has no row in tests/house/directions.py: say what it may include" for room in sorted(folders - set(CORE))]


def tooltips(path, text):
    """A tooltip that Qt might read as markup: text of a node would be rendered, and its links fetched."""
    for found in TOOLTIP.finditer(text):
        if path.startswith("ui/") and "toolTipOf(" not in found.group(0):
            yield f"a tooltip goes through toolTipOf(): {found.group(0)}"


def main():
    root = sys.argv[1]
    read = 0
    rooms = set()
    bad = []
    for top in ("core", "ui", "app"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".h", ".cpp")):
                    full = os.path.join(folder, name)
                    path = os.path.relpath(full, root)
                    with open(full, encoding="utf-8") as file:
                        text = file.read()
                        bad += [f"{path}: {fault}" for fault in [*faults(path, text), *tooltips(path, text)]]
                    read += 1
                    if top == "core":
                        rooms.add(part(path))
    bad += without_row(rooms)
    bad += [f"core/{room} is not there any more: its row in tests/house/directions.py goes, too" for room in sorted(set(CORE) - rooms)]
    print("\n".join(bad) or f"{read} files, all includes run with the flow")
    # proves that the rules themselves can fail
    assert list(faults("core/parse/x.cpp", '#include "core/run/run.h"')), "a forward include is not noticed"
    assert list(faults("core/recover/edit/x.cpp", '#include "core/recover/resume/resume_plan.h"')), "nor one between rooms of a room"
    assert without_row({"base", "base/attic"}) and not without_row({"base"}), "a room of which nothing is said is not noticed"
    assert list(faults("core/base/x.cpp", "#include <QString>")), "Qt in core is not noticed"
    assert list(faults("ui/kit/x.cpp", '#include "ui/window/job_page.h"')), "a forward include of ui is not noticed"
    assert list(faults("ui/x.cpp", '#include "ui/kit/card.h"')), "a file outside all rooms is not noticed"
    assert list(tooltips("ui/kit/x.cpp", "x->setToolTip(fromNode(text));")), "a tooltip with markup is not noticed"
    assert list(tooltips("ui/kit/x.cpp", "case Qt::ToolTipRole: return row.why;")), "nor one of a model"
    assert read > 100
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
