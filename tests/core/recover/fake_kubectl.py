#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kubectl with a stand-in for a cluster, as far as a vcjob needs them. Like a server, it checks created objects against the fields
of the CRD (unknown fields, types, required fields, events and actions). It keeps the objects below $FAKE_KUBE. It starts the pods
of a vcjob as processes, each with its number from Volcano, and reports a phase. It records every call in $FAKE_KUBE/argv."""
import json
import os
import re
import subprocess
import sys
import uuid

import yaml

HOME = os.environ["FAKE_KUBE"]
with open(os.environ["FAKE_KUBE_FIELDS"]) as source:
    FIELDS = json.load(source)


def fail(text):
    print("Error from server: " + text, file=sys.stderr)
    sys.exit(1)


def validate(value, kind, where):
    if kind in ("metadata", "podMetadata"):
        kind = FIELDS[kind]
    if isinstance(kind, list):
        if not isinstance(value, list):
            fail("%s: must be an array" % where)
        for number, item in enumerate(value):
            validate(item, kind[0], "%s[%d]" % (where, number))
    elif isinstance(kind, dict):
        if not isinstance(value, dict):
            fail("%s: must be an object" % where)
        for name in kind.get("required", []):
            if name not in value:
                fail("%s.%s: required value" % (where, name))
        for name, item in value.items():
            if "values" not in kind and name not in kind["fields"]:
                fail('unknown field "%s.%s"' % (where, name))
            validate(item, kind["values"] if "values" in kind else kind["fields"][name], "%s.%s" % (where, name))
    else:
        types = {"string": str, "integer": int, "boolean": bool, "quantity": (str, int)}
        if not isinstance(value, types[kind]) or (kind != "boolean" and isinstance(value, bool)):
            fail("%s: must be of type %s" % (where, kind))


def check(document, namespace):
    if not isinstance(document, dict) or document.get("kind") not in ("Job", "ConfigMap"):
        fail("no kind")
    validate(document, FIELDS[document["kind"]], document["kind"])
    if document["metadata"].get("namespace", namespace) != namespace:
        fail("the namespace of the object does not match")
    if not re.fullmatch("[a-z]([-a-z0-9]*[a-z0-9])?", document["metadata"]["name"]) or len(document["metadata"]["name"]) > 63:
        fail("metadata.name: invalid value")
    if document["kind"] == "Job":
        if document["apiVersion"] != "batch.volcano.sh/v1alpha1":
            fail("no matches for kind Job")
        spec = document["spec"]
        if spec["minAvailable"] > sum(task["replicas"] for task in spec["tasks"]):
            fail("job 'minAvailable' should not be greater than total replicas in tasks")
        for policy in spec.get("policies", []):
            if policy["event"] not in FIELDS["events"] or policy["action"] not in FIELDS["actions"]:
                fail("invalid policy")
        for task in spec["tasks"]:
            volumes = {volume["name"] for volume in task["template"]["spec"].get("volumes", [])}
            for container in task["template"]["spec"]["containers"]:
                for mount in container.get("volumeMounts", []):
                    if mount["name"] not in volumes:
                        fail("volumeMounts: not found: " + mount["name"])


KINDS = {"vcjob": "Job", "configmap": "ConfigMap", "lease": "Lease"}


def place(kind, name):
    return os.path.join(HOME, "%s-%s" % (KINDS[kind], name))


def load(kind, name):
    try:
        with open(place(kind, name)) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def store(document):
    with open(os.path.join(HOME, "%s-%s" % (document["kind"], document["metadata"]["name"])), "w") as file:
        json.dump(document, file)


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return ") Z" not in stat.read()
    except OSError:
        return False


def mount(spec, container):
    """ConfigMaps become files, at paths that the test chooses."""
    maps = {volume["name"]: volume["configMap"]["name"] for volume in spec["volumes"] if "configMap" in volume}
    for point in container["volumeMounts"]:
        if point["name"] in maps and point["mountPath"].startswith(os.path.dirname(HOME) + "/"):
            os.makedirs(point["mountPath"], exist_ok=True)
            for key, text in (load("configmap", maps[point["name"]]) or {"data": {}})["data"].items():
                with open(os.path.join(point["mountPath"], key), "w") as file:
                    file.write(text)


def start(document):
    pids, number = [], 0
    for task in document["spec"]["tasks"]:
        container = task["template"]["spec"]["containers"][0]
        mount(task["template"]["spec"], container)
        for number in range(task["replicas"]):
            env = dict(os.environ, VC_TASK_INDEX=str(number))
            env.update({entry["name"]: entry["value"] for entry in container["env"] if "value" in entry})
            pids.append(subprocess.Popen(container["command"], env=env, cwd=container["workingDir"], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True).pid)
    document["pids"] = pids


def make_lease(document):
    if load("lease", document["metadata"]["name"]):
        print('Error from server (AlreadyExists): leases "%s" already exists' % document["metadata"]["name"], file=sys.stderr)
        sys.exit(1)
    document["metadata"]["uid"] = str(uuid.uuid4())
    store(document)
    print(document["metadata"]["uid"], end="")


def get(words, options):
    document = load(words[1], words[2])
    if document is None:
        if "ignore-not-found" in options:
            return
        fail("not found")
    if options["output"] == "name":
        print("%s/%s" % (words[1], words[2]))
    elif words[1] == "lease":
        print(document["metadata"]["uid"], document["metadata"].get("resourceVersion", "1"), document["spec"]["holderIdentity"], end="")
    elif "uid" in options["output"]:
        print(document["metadata"].get("uid", ""), end="")
    elif "annotations" in options["output"]:
        print(document["metadata"].get("annotations", {}).get("rankdeck/action", ""), end="")
    elif "pids" in document:
        print("Running" if any(alive(pid) for pid in document["pids"]) else "Completed", end="")
    else:
        print(document.get("phase", ""), end="")


def main():
    with open(os.path.join(HOME, "argv"), "a") as log:
        log.write(json.dumps(sys.argv[1:]) + "\n")
    words, options = [], {}
    for argument in sys.argv[1:]:
        name, _, value = argument[2:].partition("=")
        if argument.startswith("--"):
            options[name] = value
        else:
            words.append(argument)
    if words[0] == "get":
        get(words, options)
    elif words[0] == "create":
        with sys.stdin if options["filename"] == "-" else open(options["filename"]) as file:
            document = yaml.safe_load(file)
        if document["kind"] == "Lease":
            make_lease(document)
            return
        check(document, options["namespace"])
        kind = "vcjob" if document["kind"] == "Job" else "configmap"
        if load(kind, document["metadata"]["name"]):
            fail("already exists")
        if options.get("dry-run") != "server":
            if document["kind"] == "Job":
                document["metadata"]["uid"] = str(uuid.uuid4())
                start(document)
            store(document)
    elif words[0] == "patch" and words[1] == "lease":
        document = load(*words[1:3]) or fail("not found")
        if json.loads(options["patch"])["metadata"]["uid"] != document["metadata"]["uid"]:
            fail("Precondition failed: UID in precondition")
        document["metadata"]["resourceVersion"] = str(int(document["metadata"].get("resourceVersion", "1")) + 1)
        store(document)
    elif words[0] == "patch":
        document = load(words[1], words[2])
        with open(options["patch-file"]) as file:
            patch = json.load(file)
        if options["type"] != "merge" or set(patch) != {"data"}:
            fail("expected a merge patch of the data")
        document["data"].update(patch["data"])
        store(document)
    elif words[0] == "delete":
        kind, name = options["raw"].rsplit("/", 2)[1:]
        kind = {"jobs": "vcjob", "leases": "lease"}[kind]
        document = load(kind, name) or fail("not found")
        wanted = json.load(sys.stdin)["preconditions"]
        if wanted["uid"] != document["metadata"].get("uid", ""):
            fail("the UID in the precondition does not match")
        if "resourceVersion" in wanted and wanted["resourceVersion"] != document["metadata"].get("resourceVersion", "1"):
            fail("the ResourceVersion in the precondition does not match")
        for pid in document.get("pids", []):
            if alive(pid):
                os.killpg(pid, 15)
        os.unlink(place(kind, name))
    else:
        fail("unknown command")


main()
