#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Images without a registry, as docker-archive tars for `ctr images import`. Usage: images.py PAUSE_PROGRAM STATIC_BUSYBOX DIRECTORY
pause.tar: the program that holds a pod's namespaces. host.tar: an empty root whose /usr is the machine's own, mounted by
the pod; so a pod has this machine's sh and python3. bare.tar: a static shell and no python3."""
import hashlib
import io
import json
import os
import sys
import tarfile


def layer(entries):
    """entries: (name, bytes | link target as str | None for a directory, mode)"""
    text = io.BytesIO()
    with tarfile.open(fileobj=text, mode="w") as tar:
        for name, what, mode in entries:
            info = tarfile.TarInfo(name)
            info.mode = mode
            if what is None:
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
            elif isinstance(what, str):
                info.type, info.linkname = tarfile.SYMTYPE, what
                tar.addfile(info)
            else:
                info.size = len(what)
                tar.addfile(info, io.BytesIO(what))
    return text.getvalue()


def write_image(path, name, entries, config):
    data = layer(entries)
    image = json.dumps({"architecture": "amd64", "os": "linux", "config": config,
                        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(data).hexdigest()]}}).encode()
    manifest = json.dumps([{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]).encode()
    with tarfile.open(path, "w") as tar:
        for member, content in (("layer.tar", data), ("config.json", image), ("manifest.json", manifest)):
            info = tarfile.TarInfo(member)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


def main():
    pause, busybox, directory = sys.argv[1:4]
    with open(pause, "rb") as file:
        program = file.read()
    write_image(os.path.join(directory, "pause.tar"), "localhost/pause:1", [("pause", program, 0o755)], {"Entrypoint": ["/pause"]})
    passwd = b"root:x:0:0:root:/root:/bin/sh\n"
    root = [("usr", None, 0o755), ("bin", "usr/bin", 0o777), ("lib", "usr/lib", 0o777), ("lib64", "usr/lib64", 0o777), ("etc", None, 0o755),
            ("etc/passwd", passwd, 0o644), ("tmp", None, 0o1777), ("root", None, 0o700), ("job", None, 0o755)]
    environment = {"Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"]}
    write_image(os.path.join(directory, "host.tar"), "localhost/host:1", root, environment)
    with open(busybox, "rb") as file:
        shell = file.read()
    links = [("bin/" + name, "busybox", 0o777) for name in ("sh", "sleep", "echo", "cat")]
    write_image(os.path.join(directory, "bare.tar"), "localhost/bare:1",
                [("bin", None, 0o755), ("bin/busybox", shell, 0o755), *links, ("tmp", None, 0o1777)], {"Env": ["PATH=/bin"]})


main()
