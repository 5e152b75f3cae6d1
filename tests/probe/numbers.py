#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The two ends of the protocol are in two languages, and their numbers must be equal. Usage: numbers.py SOURCE_DIRECTORY"""
import os
import re
import signal
import sys
import types

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import probe_client  # noqa: E402

SIGNAL_NAMES = {"interrupt": "INT", "user1": "USR1", "user2": "USR2"}
KIND_NAMES = {"PROTOCOL": "PROTOCOL_ERROR"}


def upper(name):
    """readFile → READ_FILE."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def enum(text, name):
    """[(name, value)] of an enum class; without values they count from 0."""
    body = re.search(r"enum class %s\b[^{]*\{(.*?)\};" % name, text, re.S).group(1)
    items = [item.split("=") for item in re.sub(r"//.*", "", body).replace("\n", " ").split(",") if item.strip()]
    return [(item[0].strip(), int(item[1]) if len(item) > 1 else index) for index, item in enumerate(items)]


def constant(text, name):
    """The value of a C++ number: 1u << 20, {60000}, "text"."""
    found = re.search(r"\b%s\s*(?:=\s*([^;]+);|\{(\w+)\};)" % name, text)
    value = (found.group(1) or found.group(2)).strip()
    return eval(re.sub(r"(\d)(?:u|ull|'')*\b", r"\1", value), {"__builtins__": {}})


def different(root, probe):
    def read(path):
        with open(os.path.join(root, "core", path), encoding="utf-8") as file:
            return file.read()

    frame, messages, tails = read("node/protocol/frame.h"), read("node/protocol/file_messages.h"), read("node/protocol/tail_messages.h")
    processes, codec, link = read("node/protocol/process_messages.h"), read("node/protocol/reply_codec.cpp"), read("node/protocol/node_link.h")
    pairs = [(upper(name), value) for name, value in enum(frame, "FrameType")]
    pairs += [(KIND_NAMES.get(upper(name), upper(name)), value) for name, value in enum(read("base/result.h"), "ErrorKind")]
    pairs += [(upper(name), value) for name, value in enum(tails, "TailChange")]
    pairs += [(upper(name), value) for name, value in enum(messages, "FileAction")]
    pairs += [("MAX_PAYLOAD", constant(frame, "maxFramePayload")), ("MAX_REQUEST", constant(frame, "maxRequestBytes")),
              ("PROTOCOL", constant(codec, "probeProtocol")), ("HELD", constant(processes, "jobHeldDetail").encode()),
              ("LEASE", constant(link, "lease") / 1000),
              ("LOST", constant(link, "lost") / 1000)]
    found = ["%s is %r in C++, %r in the probe" % (name, value, getattr(probe, name, None)) for name, value in pairs
             if getattr(probe, name, None) != value]
    signals = tuple("SIG" + SIGNAL_NAMES.get(name, name.upper()) for name, _ in enum(processes, "Signal"))
    if tuple(int(getattr(signal, name)) for name in signals) != tuple(map(int, probe.SIGNALS)):
        found.append("the signals are %r in C++, %r in the probe" % (signals, probe.SIGNALS))
    for name, size, here in (("a frame's header", constant(frame, "frameHeaderBytes"), probe.HEADER.size),
                             ("a stat", constant(codec, "statBytes"), probe.STAT.size)):
        if size != here:
            found.append("%s has %d bytes in C++, %d in the probe" % (name, size, here))
    types_of_frames = {value for _, value in enum(frame, "FrameType")}
    found += ["the probe answers to %d, which C++ does not know" % kind for kind in probe.JOBS if kind not in types_of_frames]
    if read("node/protocol/request_codec.cpp").count("maxRangeBytes") < 2 or constant(frame, "maxRangeBytes") != probe.MAX_RANGE:
        found.append("the longest range differs")
    return found, len(pairs)


def main():
    probe = types.ModuleType("probe_under_test")
    exec(compile(probe_client.joined(), "probe", "exec"), probe.__dict__)
    found, count = different(sys.argv[1], probe)
    print("\n".join(found) or "%d numbers are the same on both ends" % count)
    probe.LAUNCH += 1                    # proves that the comparison can fail
    assert different(sys.argv[1], probe)[0], "another number is not noticed"
    return 1 if found or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
