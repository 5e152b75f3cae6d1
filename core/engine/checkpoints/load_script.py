import hashlib, json, math, os, pickle, signal, sys, time, zipfile

LIMIT, BATCH = int(sys.argv[1]), 1 << 30
OLD_LOADER = "Unsupported operand"  # of torch 1.13: its tensors-only loader supports no real numbers
HASHES = 400  # by name; with more tensors only the hash of all is reported
STEPS = ("global_step", "iteration", "global_steps", "step_num", "step", "iter_num")


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, path + "." + str(key) if path else str(key))
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from leaves(item, path + "." + str(number))
    else:
        yield path, value


class Seen:
    def __init__(self):
        self.by, self.tensors, self.bad, self.step = "", 0, 0, None
        self.hashes, self.unhashed = {}, False

    def number(self, name, value):
        if self.step is None and name.split(".")[-1] in STEPS and ".state." not in name:
            self.step = int(value)

    def hash(self, name, kind, data):
        """Hashes type, shape and bytes; data: the values as numpy has them."""
        made = hashlib.blake2b(kind.encode(), digest_size=6)
        made.update(data)
        self.hashes[name] = made.hexdigest()

    def torch(self, torch, name, value):
        self.tensors += 1
        try:
            plain = value.detach().to("cpu").contiguous()
            self.hash(name, "%s %s" % (str(plain.dtype).split(".")[-1], tuple(plain.shape)), plain.reshape(-1).view(torch.uint8).numpy())
        except (RuntimeError, TypeError, ImportError):  # sparse, quantized; no numpy there
            self.unhashed = True
        if value.is_floating_point() or value.is_complex():
            self.bad += int((~torch.isfinite(value.detach().to("cpu").to(torch.float32))).sum())
        if value.numel() == 1 and not value.is_complex():
            self.number(name, value.item())

    def array(self, numpy, name, value):
        self.tensors += 1
        plain = numpy.ascontiguousarray(value)
        self.hash(name, "%s %s" % (value.dtype, tuple(value.shape)), plain.reshape(-1).view(numpy.uint8))
        if value.dtype.kind not in "fiub":  # of a kind that numpy has from another package
            value = value.astype("float32")
        if value.dtype.kind == "f":
            self.bad += int((~numpy.isfinite(value)).sum())
        if value.size == 1:
            self.number(name, value.reshape(-1)[0])


# All that a .metadata is made of, each by its whole name: other modules have the same names, too ("torch", "os.system").
VALUES = {"TensorProperties", "TensorStorageMetadata", "ChunkStorageMetadata", "BytesStorageMetadata", "MetadataIndex", "Metadata",
          "StorageMeta", "_MEM_FORMAT_ENCODING", "MEM_FORMAT_ENCODING", "ShardMetadata"}
KNOWN = {
    "torch.distributed.checkpoint.metadata": VALUES,
    "torch.distributed._shard.sharded_tensor.metadata": VALUES,
    "torch.distributed._shard.metadata": VALUES,
    "torch.distributed.checkpoint.filesystem": {"_StorageInfo", "_StoragePrefix"},
    "torch.serialization": {"_get_layout"},
    "torch": {"Size", "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
              "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"},
    "pathlib": {"PosixPath", "PurePosixPath"},
    "pathlib._local": {"PosixPath", "PurePosixPath"},
    "collections": {"OrderedDict"},
}


class Metadata(pickle.Unpickler):
    def find_class(self, module, name):
        if name in KNOWN.get(module, ()):
            return super().find_class(module, name)
        raise pickle.UnpicklingError("needs " + module + "." + name + ", which is not loaded")


# Functions that rebuild a dictionary of tensors. The first tensors-only loaders, of torch 1.13, do not know numbers such as a
# learning rate.
TENSORS = {
    "torch._utils": {"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_parameter"},
    "torch._tensor": {"_rebuild_from_type_v2"},     # of a tensor that has attributes: calls one of these, and sets them
    "torch.nn.parameter": {"Parameter"},
    "torch": {"Tensor", "Size", "device", *(kind + "Storage" for kind in ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool"))},
    "torch.storage": {"TypedStorage", "UntypedStorage"},
    "collections": {"OrderedDict"},
}


class TensorsOnly(pickle.Unpickler):
    def find_class(self, module, name):
        if name in TENSORS.get(module, ()):
            return super().find_class(module, name)
        raise pickle.UnpicklingError("needs " + module + "." + name + ", which is not loaded")


class TensorPickles:  # used in place of the module; never given to torch.load, which of 1.13 does not use it
    Unpickler = TensorsOnly


def make_room(size):
    """Refuses what would not fit into the node's free memory beside the training."""
    try:
        with open("/proc/meminfo") as file:
            free = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return
    if size > free * 0.8:
        raise ValueError("needs %.1f GB of memory, %.1f GB are free on the node" % (size / 1e9, free / 1e9))


def load_distributed(path, seen):
    import torch
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint.metadata import TensorStorageMetadata
    seen.by = "torch.distributed.checkpoint " + torch.__version__
    with open(os.path.join(path, ".metadata"), "rb") as file:
        metadata = Metadata(file).load()

    class Reader(dcp.FileSystemReader):
        def read_metadata(self, *_, **__):
            return metadata

    batch, size = {}, 0
    wanted = [(name, meta) for name, meta in metadata.state_dict_metadata.items() if isinstance(meta, TensorStorageMetadata)]
    for index, (name, meta) in enumerate(wanted):
        make_room(size + math.prod(meta.size) * 8)
        batch[name] = torch.empty(meta.size, dtype=meta.properties.dtype)
        size += batch[name].numel() * batch[name].element_size()
        if size < BATCH and index + 1 < len(wanted):
            continue
        if hasattr(dcp, "load"):  # works without a process group
            dcp.load(batch, storage_reader=Reader(path))
        else:  # before torch 2.2
            dcp.load_state_dict(batch, Reader(path), no_dist=True)
        for key, value in batch.items():
            seen.torch(torch, key, value)
        batch, size = {}, 0


def load_torch(path, seen):
    import torch
    seen.by = "torch " + torch.__version__
    try:
        state = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except (RuntimeError, TypeError):  # files from before the zip format; a torch from before mmap
        make_room(2 * os.path.getsize(path))
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
        except pickle.UnpicklingError as refused:
            if OLD_LOADER not in str(refused) or not zipfile.is_zipfile(path):
                raise
            with torch.serialization._open_zipfile_reader(path) as file:
                state = torch.serialization._load(file, "cpu", TensorPickles, encoding="utf-8")
    for name, value in leaves(state):
        if isinstance(value, torch.Tensor):
            seen.torch(torch, name, value)
        elif isinstance(value, int) and not isinstance(value, bool):
            seen.number(name, value)


def load_safetensors(path, seen):
    import safetensors
    try:
        import torch
        framework, look = "pt", lambda name, value: seen.torch(torch, name, value)
    except ImportError:
        import numpy
        framework, look = "np", lambda name, value: seen.array(numpy, name, value)
    seen.by = "safetensors " + safetensors.__version__
    with safetensors.safe_open(path, framework=framework) as file:
        for name in file.keys():
            look(name, file.get_tensor(name))


def load_mindspore(path, seen):
    import mindspore
    import numpy
    seen.by = "mindspore " + mindspore.__version__
    make_room(2 * os.path.getsize(path))
    for name, value in mindspore.load_checkpoint(path, crc_check=True).items():
        if isinstance(value, str):
            continue
        data = value.asnumpy() if hasattr(value, "asnumpy") else numpy.asarray(value)
        seen.array(numpy, name, data)


def load_tensorflow(path, seen):
    import numpy
    import tensorflow
    seen.by = "tensorflow " + tensorflow.__version__
    reader = tensorflow.train.load_checkpoint(path[: -len(".index")])
    for name in reader.get_variable_to_shape_map():
        value = reader.get_tensor(name)
        if isinstance(value, numpy.ndarray) or numpy.isscalar(value):
            data = numpy.asarray(value)
            if data.dtype.kind in "fiub":
                seen.array(numpy, name, data)


def loader_of(path):
    """The loader of this file or directory; None: it is of no known framework."""
    if os.path.isdir(path):
        return load_distributed
    with open(path, "rb") as file:
        head = file.read(16)
    if head[:4] in (b"PK\x03\x04", b"\x80\x02\x8a\x0a"):
        return load_torch
    if head[8:9] == b"{":
        return load_safetensors
    if path.endswith(".index"):
        return load_tensorflow
    return load_mindspore if head[:1] == b"\x0a" else None


# Random states and arguments are pickles of more than tensors, and no weights.
SKIPPED = ("rng_state", "random_states", "training_args", "scheduler")


def units(path):
    """The parts of a checkpoint that are loaded separately."""
    if not os.path.isdir(path):
        yield path if os.path.exists(path) else path + ".index"
        return
    if os.path.exists(os.path.join(path, ".metadata")):
        yield path
    for name in sorted(os.listdir(path)):
        inner = os.path.join(path, name)
        if os.path.isdir(inner):
            yield from units(inner)
        elif not name.startswith(SKIPPED) and not name.endswith((".distcp", ".json", ".txt")) and name[0] != "." and loader_of(inner):
            yield inner


def prove(path):
    seen, begun, error, lacks, count = Seen(), time.monotonic(), None, False, 0
    try:
        for unit in units(path):
            loader = loader_of(unit)
            if loader is None:
                raise ValueError("no known framework loads it")
            loader(unit, seen)
            count += 1
        if count == 0:
            raise ValueError("nothing in it belongs to a known framework")
    except ImportError as missing:
        error, lacks = "the framework is not installed: " + str(missing), True
    except pickle.UnpicklingError as refused:  # a file that this torch cannot read may still be right
        error, lacks = type(refused).__name__ + ": " + str(refused), OLD_LOADER in str(refused)
    except Exception as refused:  # any exception of a framework means that it does not load
        error = type(refused).__name__ + ": " + str(refused)
    whole = hashlib.blake2b("".join(name + kind for name, kind in sorted(seen.hashes.items())).encode(), digest_size=8)
    known = bool(seen.hashes) and not seen.unhashed and error is None
    named = {name[:100]: made for name, made in sorted(seen.hashes.items())} if known and len(seen.hashes) <= HASHES else {}
    return {"hash": whole.hexdigest() if known else None, "hashes": named, "path": path, "by": seen.by, "tensors": seen.tensors, "non_finite": seen.bad, "step": seen.step,
            "seconds": round(time.monotonic() - begun, 3), "error": error and error[:500], "lacks_framework": lacks}


os.nice(19)
signal.alarm(LIMIT)
for given in sys.argv[2:]:
    print(json.dumps(prove(given)), flush=True)
