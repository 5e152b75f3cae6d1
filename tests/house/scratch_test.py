# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs tests that pass and fail with tests/testbed/scratch.py, and checks what each of them leaves. Usage: scratch_test.py"""
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

TESTBED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed")
FILES = """
import os, sys
sys.path.insert(0, %r)
from scratch import Scratch, Scratched


def fill(directory):
    with open(os.path.join(os.environ["SEEN"], "directories"), "a") as file:
        file.write(directory + "\\n")
    os.makedirs(directory + "/sshd")
    for name, text in (("sshd/log", "a line"), ("host_key", "secret"), ("id_rsa", "secret"), ("id_rsa.pub", "public"),
                       ("sshd/host", "-----BEGIN OPENSSH PRIVATE KEY-----\\nsecret"), ("big", "a" * (1 << 20) + "the end")):
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)
    os.mkfifo(directory + "/fifo")
    os.symlink("/etc/passwd", directory + "/link")


""" % TESTBED
SCRIPT = FILES + """
with Scratch(prefix="scene-") as directory:
    fill(directory)
    %s
"""
UNITTEST = FILES + """
import unittest


class Scene(Scratched, unittest.TestCase):
    def test_one(self):
        fill(self.scratch(prefix="scene-"))
        %s

    def test_other(self):
        fill(self.scratch(prefix="other-"))


unittest.main()
"""
CLASS = FILES + """
import unittest


class Scene(Scratched, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fill(cls.class_scratch(prefix="scene-"))
        %s

    def test_one(self):
        %s


unittest.main()
"""
KEPT = ["big", "id_rsa.pub", "sshd/log"]


class FilesOfATest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder, self.base = made.name, os.path.join(made.name, "kept")

    def left(self, text, code, keeps=True):
        """name of a test → names of its kept files, after a run that ends with that code."""
        script = os.path.join(self.folder, "scene_test.py")
        with open(script, "w") as file:
            file.write(text)
        env = {name: value for name, value in os.environ.items() if name != "RANKDECK_KEEP"}
        env.update({"SEEN": self.folder, "TMPDIR": self.folder}, **({"RANKDECK_KEEP": self.base} if keeps else {}))
        done = subprocess.run([sys.executable, "-B", script], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, code, done.stderr)
        with open(os.path.join(self.folder, "directories")) as file:
            self.assertEqual([path for path in file.read().split() if os.path.exists(path)], [], "the directories are removed")
        found = {}
        for folder, _, names in os.walk(self.base):
            for name in names:
                test, _, path = os.path.relpath(os.path.join(folder, name), self.base).partition("/")
                found.setdefault(test, []).append(path.partition("/")[2])
        self.assertEqual(done.stderr.count("kept: " + self.base), len(found), done.stderr)
        return {test: sorted(paths) for test, paths in found.items()}

    def test_a_script_that_passes_leaves_nothing(self):
        for end in ("pass", "sys.exit()", "sys.exit(0)"):
            self.assertEqual(self.left(SCRIPT % end, 0), {}, end)

    def test_a_script_that_fails_leaves_its_files(self):
        for end in ("sys.exit(1)", "raise AssertionError", "sys.exit('no')"):
            self.setUp()
            self.assertEqual(self.left(SCRIPT % end, 1), {"scene_test": KEPT}, end)

    def test_a_unittest_that_fails_leaves_its_files(self):
        for end in ("self.fail()", "raise OSError", "self.addCleanup(self.fail)", "with self.subTest(): self.fail()"):
            self.setUp()
            self.assertEqual(self.left(UNITTEST % end, 1), {"scene_test.Scene.test_one": KEPT}, end)

    def test_a_unittest_that_passes_leaves_nothing(self):
        for end in ("pass", "self.skipTest('')"):
            self.assertEqual(self.left(UNITTEST % end, 0), {}, end)

    def test_a_class_keeps_its_files_if_one_of_its_tests_fails(self):
        self.assertEqual(self.left(CLASS % ("pass", "pass"), 0), {})
        self.assertEqual(self.left(CLASS % ("pass", "self.fail()"), 1), {"scene_test.Scene": KEPT})
        self.setUp()
        self.assertEqual(self.left(CLASS % ("raise OSError", "pass"), 1), {"scene_test.Scene": KEPT})

    def test_a_big_file_is_cut_at_its_beginning(self):
        self.left(SCRIPT % "sys.exit(1)", 1)
        (directory,) = os.listdir(os.path.join(self.base, "scene_test"))
        with open(os.path.join(self.base, "scene_test", directory, "big")) as file:
            text = file.read()
        self.assertEqual((len(text), text[-8:]), (1 << 20, "athe end"))

    def test_all_files_have_one_limit(self):
        sys.path.insert(0, TESTBED)
        from scratch import keep
        source = os.path.join(self.folder, "source")
        os.mkdir(source)
        for age in range(9):
            path = os.path.join(source, "file%d" % age)
            with open(path, "w") as file:
                file.write("%d" % age * 10)
            os.utime(path, (1000 - age, 1000 - age))
        with unittest.mock.patch.dict(os.environ, RANKDECK_KEEP=self.base), unittest.mock.patch("sys.stderr"):
            keep(source, "bytes", left=25)
            keep(source, "files", files=3)
        sizes = {name: {one: os.path.getsize(os.path.join(self.base, name, "source", one)) for one in os.listdir(os.path.join(self.base, name, "source"))}
                 for name in ("bytes", "files")}
        self.assertEqual(sizes["bytes"], {"file0": 10, "file1": 10, "file2": 5}, "the newest files")
        self.assertEqual(sorted(sizes["files"]), ["file0", "file1", "file2"])

    def test_a_socket_is_not_kept(self):
        self.assertEqual(self.left(SCRIPT % "import socket; socket.socket(socket.AF_UNIX).bind(directory + '/s'); sys.exit(1)", 1), {"scene_test": KEPT})

    def test_nothing_is_kept_without_the_variable(self):
        self.assertEqual(self.left(SCRIPT % "sys.exit(1)", 1, keeps=False), {})

    def test_a_directory_below_that_of_another_test_stays(self):
        os.mkdir(self.base)
        text = SCRIPT.replace('prefix="scene-"', 'dir=os.environ["RANKDECK_KEEP"]') % "sys.exit(1)"
        with self.assertRaisesRegex(AssertionError, "the directories are removed"):
            self.left(text, 1)
        (directory,) = os.listdir(self.base)
        self.assertTrue(os.path.exists(os.path.join(self.base, directory, "host_key")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
