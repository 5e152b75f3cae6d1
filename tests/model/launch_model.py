#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The protocol of a launch as a small model, explored completely: two consoles, one node, every interleaving, every crash.

A console resumes in steps. It checks and plans, reserves the job on the node, checks again, backs up the old log, launches,
and watches. The node makes a step only for the action that has the reservation. When a step is refused, the console puts back
the files that it moved. A slow disk may hold up a launch on the node, which then begins when no console waits for it any more.
Therefore the launch is called off before anything is put back. The node decides once whether it begins or is called off. The
console may be killed after each step, and any answer of the node may be lost.
A later console reads the journal of the dead one. The node knows only three things: files, the lock of the job, and the
supervisor that holds it. The lock is a flock, which the kernel frees when its last holder is gone.

These invariants are true in every reachable state.
  `one`      At most one attempt runs.
  `log`      The live attempt's log has its name, and no other bytes were written over it.
  `bytes`    The old log's bytes are there, under its own name or under one with the id of the action.
  `plan`     The moved files are those of the plan.
  `word`     A console that reports "all files are back" or "started" is right.

`--broken NAME` removes a rule of the protocol and must find a state that breaks an invariant, which proves the check.
  `no-reserve`       Files are moved before anything is locked.
  `no-second-look`   The plan is the one that was made before the job was reserved.
  `lost-is-no`       A lost answer to the launch counts as "was not started", and the plan is undone.
  `late-is-no`       A launch that has not begun when the node is asked is not called off, and the plan is undone.
  `lookback-undoes`  A later console undoes a plan although the launch may have happened.
"""
import argparse
import sys
from collections import deque, namedtuple

# A console: at (its next step), moved (it knows that its move was done), said (its last message), alive
Console = namedtuple("Console", "at saw moved said alive")
# log: owner of the bytes under the log's own name ("old", "A", "B", None)
# `aside`: actions whose id is in the backup name of the old log; reserved: console whose probe holds the lock
# runs: attempts that run; late: launches that the node has and that have not begun. off: launches that never will
# journal: (action, state) in order
World = namedtuple("World", "log aside reserved runs late off journal flags a b")
ACTIONS = ("A", "B")
START = Console("look", None, False, None, True)
RULES = ("no-reserve", "no-second-look", "lost-is-no", "late-is-no", "lookback-undoes")


def other(name):
    return "B" if name == "A" else "A"


def console(world, name):
    return world.a if name == "A" else world.b


def put(world, name, **changes):
    changed = console(world, name)._replace(**changes)
    return world._replace(a=changed) if name == "A" else world._replace(b=changed)


def write(world, name, state):
    return world._replace(journal=world.journal + ((name, state),))


def held_by_other(world, name):
    """The kernel decides: the other console's probe holds the lock, or an attempt of another action does."""
    return world.reserved == other(name) or any(run != name for run in world.runs | world.late)


def act(world, name, broken):
    """All possible results of one step of one console: the answer comes, or it is lost after the step."""
    me = console(world, name)
    if me.at == "look":
        yield put(world, name, at="reserve", saw=world.log)
    elif me.at == "look again":
        yield put(world, name, at="move", saw=me.saw if broken == "no-second-look" else world.log)
    elif me.at == "reserve":
        if broken == "no-reserve":
            yield put(write(world, name, "planned"), name, at="move")
        elif held_by_other(world, name):
            yield put(world, name, at="done", said="refused")
        else:
            yield put(write(world._replace(reserved=name), name, "planned"), name, at="look again")
            # the answer is lost: the probe may hold the lock; nothing was done, and the end of the link releases it
            yield put(world, name, at="done", said="unknown")
    elif me.at == "move":
        if broken != "no-reserve" and world.reserved != name:  # the node asks for the reservation with every step
            yield put(world, name, at="roll back")
            return
        if world.log is None:  # nothing to move
            yield put(world, name, at="launch")
            return
        after = world._replace(log=None)
        if world.log == "old":
            after = after._replace(aside=world.aside | {name})
        elif world.log in world.runs or broken == "no-reserve":
            after = after._replace(flags=world.flags | {"live log moved"})
        if world.log != me.saw and broken != "no-reserve":
            after = after._replace(flags=after.flags | {"unseen log moved"})
        yield put(write(after, name, "moved"), name, at="launch", moved=True)
        yield put(after, name, at="roll back")       # lost after the step: recognised by the inode under its own name
        yield put(world, name, at="roll back")       # lost before the step
    elif me.at == "launch":
        if broken != "no-reserve" and world.reserved != name:
            yield put(world, name, at="roll back")   # the link was cut between: the reservation is gone
            return
        if any(run != name for run in world.runs | world.late):   # the node itself refuses
            yield put(world, name, at="roll back")
            return
        launching = write(world, name, "launching")
        started = launching._replace(runs=launching.runs | {name}, log=name)
        yield put(write(started, name, "started"), name, at="done", said="started")
        lost = "roll back" if broken == "lost-is-no" else "call off"
        yield put(started, name, at=lost)            # lost after the step
        yield put(launching, name, at=lost)          # lost before the step
        yield put(launching._replace(late=launching.late | {name}), name, at=lost)  # delayed for longer than any console waits
    elif me.at == "call off":
        yield put(world, name, at="done", said="unknown")  # no answer: the action stays open
        if name in world.runs:                       # it has begun: it is ended
            yield put(end(world, name), name, at="roll back")
        else:
            yield put(world if broken == "late-is-no" else world._replace(off=world.off | {name}), name, at="roll back")
    elif me.at == "roll back":
        after = world
        if name in world.aside:                      # the backup name has the action's id: no other action's file
            free = world.log is None or (world.log == name and name not in world.runs)  # its own output makes room
            if (free and not held_by_other(world, name)) or broken:
                after = after._replace(log="old", aside=world.aside - {name})
        back = name not in after.aside
        yield put(write(after, name, "rolled back" if back else "left"), name, at="done",
                  said="all files are back" if back else "left, and where")


def end(world, run):
    """An attempt ends, alone or on request; its log stays."""
    return world._replace(runs=world.runs - {run}, flags=world.flags | {"ended " + run})


def begin(world, name):
    """A delayed launch continues: it begins, unless it was called off since. Its output is appended to the log."""
    after = world._replace(late=world.late - {name})
    if name in world.off:
        return after
    return after._replace(runs=after.runs | {name}, log=after.log or name)


def end_of(world, name):
    """A console that is done or dead holds no reservation: its probe ends with its link."""
    return world._replace(reserved=None) if world.reserved == name else world


def look_back(world, name, broken):
    """A console at its beginning finds the remains of a dead one: by the journal and by asking the node."""
    dead = other(name)
    if console(world, dead).alive or console(world, name).at not in ("look", "reserve") or dead not in world.aside:
        return
    states = [state for action, state in world.journal if action == dead]
    if "rolled back" in states or "left" in states:
        return
    begun = "started" in states or dead in world.runs or "ended " + dead in world.flags
    if broken != "lookback-undoes" and (begun or held_by_other(world, dead)):
        return
    if world.log is not None and not broken:
        return
    after = world._replace(aside=world.aside - {dead}, log="old" if world.log is None or broken else world.log)
    if "launching" in states and broken not in ("lookback-undoes", "late-is-no"):
        after = after._replace(off=after.off | {dead})
    yield write(after, dead, "rolled back")


def moves(world, broken):
    for name in ACTIONS:
        me = console(world, name)
        if me.alive and me.at != "done":
            for after in act(world, name, broken):
                yield end_of(after, name) if console(after, name).at == "done" else after
            yield end_of(put(world, name, alive=False), name)  # kill -9, here
            yield from look_back(world, name, broken)
            if world.reserved == name:
                yield world._replace(reserved=None)            # the link is cut: the kernel frees the lock
    for run in world.runs:
        yield end(world, run)
    for name in world.late:
        yield begin(world, name)


def faults(world):
    if len(world.runs) > 1:
        yield "one: attempts %s run at once" % " and ".join(sorted(world.runs))
    if "live log moved" in world.flags and not any(flag.startswith("ended") for flag in world.flags):
        yield "log: the log of a live attempt was moved"
    if "unseen log moved" in world.flags:
        yield "plan: a log was moved that was not there when the plan was made"
    for run in world.runs:
        if world.log != run:
            yield "log: attempt %s runs and the log's name has the bytes of %s" % (run, world.log)
    if world.log != "old" and not world.aside:
        yield "bytes: the old log is nowhere"
    for name in ACTIONS:
        if console(world, name).said == "all files are back" and name in world.aside:
            yield "word: %s says that all files are back, and its own is not" % name
        if console(world, name).said == "all files are back" and name in world.runs:
            yield "word: %s says that nothing was started, and it runs" % name


def explore(broken=None):
    """Breadth first over all states: (number of states, shortest path to a fault or None)."""
    first = World("old", frozenset(), None, frozenset(), frozenset(), frozenset(), (), frozenset(), START, START)
    before = {first: None}
    queue = deque([first])
    while queue:
        world = queue.popleft()
        bad = list(faults(world))
        if bad:
            way = []
            at = world
            while at:
                way.append(at)
                at = before[at]
            return len(before), (bad, way[::-1])
        for after in moves(world, broken):
            if after not in before:
                before[after] = world
                queue.append(after)
    return len(before), None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--broken", choices=RULES)
    broken = options.parse_args().broken
    states, fault = explore(broken)
    if fault:
        print("%d states, broken after %d steps: %s" % (states, len(fault[1]) - 1, "; ".join(fault[0])))
        for world in fault[1]:
            print("  ", world)
        return 1
    print("%d states, all invariants hold" % states)
    if broken is None:  # each rule is needed: without it something breaks
        for rule in RULES:
            if explore(rule)[1] is None:
                print("without %s nothing breaks: the model does not see what the rule is for" % rule)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
