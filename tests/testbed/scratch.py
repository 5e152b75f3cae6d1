# SPDX-License-Identifier: GPL-3.0-or-later
"""Temporary directory of a test, removed at its end. The files of a failed test are kept below $RANKDECK_KEEP. Python 3.6."""
import os
import shutil
import sys
import tempfile


def keep(directory, name, most=1 << 20, left=64 << 20, files=2000):
    """Copies the ends of the newest files below a directory to $RANKDECK_KEEP/NAME: no links, no sockets, no private keys."""
    target = os.path.join(os.environ.get("RANKDECK_KEEP", ""), name, os.path.basename(directory))
    paths = [os.path.join(folder, one) for folder, _, names in os.walk(directory) for one in names
             if not one.endswith("key") and (one.endswith(".pub") or not one.startswith("id_"))]
    paths = [path for path in paths if os.path.isfile(path) and not os.path.islink(path)]
    for path in sorted(paths, key=os.path.getmtime, reverse=True)[:files]:
        with open(path, "rb") as source:
            if b"PRIVATE KEY-----" in source.read(100) or not left:
                continue
            source.seek(max(0, os.path.getsize(path) - min(most, left)))
            end = source.read(min(most, left))
        left -= len(end)
        copy = target + path[len(directory):]
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(copy, "wb") as file:
            file.write(end)
    if os.path.isdir(target):
        print("kept: " + target, file=sys.stderr, flush=True)


class Scratch:
    """Directory of tempfile.mkdtemp(**how), or `path`. With `stays` it is not removed."""

    def __init__(self, path=None, module="__main__", test="", stays=False, **how):
        self.path, self.stays = path or tempfile.mkdtemp(**how), stays
        self.name = os.path.splitext(os.path.basename(sys.modules[module].__file__))[0] + test

    def __enter__(self):
        return self.path

    def __exit__(self, kind, error, trace):
        self.end(error is not None and not (isinstance(error, SystemExit) and error.code in (None, 0)))

    def end(self, failed):
        base = os.environ.get("RANKDECK_KEEP")
        try:
            if failed and base and self.path.startswith(base + "/"):  # whoever made that directory keeps it
                return
            if failed and base:
                keep(self.path, self.name)
        except OSError as error:
            print("what the test left could not be kept: %s" % error, file=sys.stderr)
        if not self.stays:
            shutil.rmtree(self.path, ignore_errors=True)


class Scratched:
    """Mixin of unittest.TestCase: scratch() makes a directory for the test, class_scratch() one for all tests of the class."""
    passed = None  # every test of the class that has run; None before the first

    def run(self, result=None):
        result = self.defaultTestResult() if result is None else result
        count = lambda: len(result.failures) + len(result.errors)
        before, self.scratches = count(), []
        self.has_failed = lambda: count() > before  # since Python 3.11 in cleanups, too
        try:
            return super().run(result)
        finally:
            type(self).passed = type(self).passed is not False and not self.has_failed()
            for one in self.scratches:
                one.end(self.has_failed())

    def scratch(self, **how):
        module = type(self).__module__
        self.scratches.append(Scratch(module=module, test=self.id()[len(module):], **how))
        return self.scratches[-1].path

    def keep(self, directory):
        """For a cleanup: keeps a directory that the program under test is about to remove."""
        self.scratch(path=directory, stays=True)
        self.scratches.pop().end(self.has_failed())

    @classmethod
    def class_scratch(cls, **how):
        made = Scratch(module=cls.__module__, test="." + cls.__qualname__, **how)
        cls.addClassCleanup(lambda: made.end(not cls.passed))
        return made.path
