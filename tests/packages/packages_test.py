# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian packages and the tarball of this build: their contents and dependencies. Their programs run from the directory of the
unpacked files; that of the tarball also if only glibc is installed. Usage: packages_test.py SOURCE_DIRECTORY BUILD_DIRECTORY"""
import glob
import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
from scratch import Scratched  # noqa: E402

ROOT, BUILD = sys.argv[1], sys.argv[2]
ID = "io.github.rankdeck.Rankdeck"


def said(*words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout.decode(errors="replace")


class Packages(Scratched, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = cls.class_scratch(prefix="rankdeck-packages-")
        cls.out = os.path.join(cls.directory, "out")
        code, text = said(os.path.join(ROOT, "packaging", "package.sh"), "--build", BUILD, "--out", cls.out)
        assert code == 0, text
        cls.roots = {}
        for package in ("rankdeckctl", "rankdeck"):
            (deb,) = glob.glob(os.path.join(cls.out, package + "_*.deb"))
            cls.roots[package] = os.path.join(cls.directory, package)
            subprocess.run(["dpkg-deb", "-x", deb, cls.roots[package]], check=True)
        (packed,) = glob.glob(os.path.join(cls.out, "rankdeckctl-*.tar.gz"))
        with tarfile.open(packed) as tar:
            tar.extractall(os.path.join(cls.directory, "tarball"))
        (cls.tarball,) = glob.glob(os.path.join(cls.directory, "tarball", "*"))

    def file(self, package, path):
        return os.path.join(self.roots[package], "usr", path)

    def field(self, package, name):
        (deb,) = glob.glob(os.path.join(self.out, package + "_*.deb"))
        return said("dpkg-deb", "-f", deb, name)[1].strip()

    def test_the_headless_program_needs_no_qt(self):
        self.assertNotIn("qt", self.field("rankdeckctl", "Depends").lower())
        self.assertIn("openssh-client", self.field("rankdeckctl", "Depends"))
        self.assertIn("libqt6widgets6", self.field("rankdeck", "Depends"))
        version = self.field("rankdeckctl", "Version")
        self.assertIn("rankdeckctl (= %s)" % version, self.field("rankdeck", "Depends"))

    def test_both_run_from_where_they_were_unpacked(self):
        environment = {"HOME": self.directory, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        self.assertEqual(said(self.file("rankdeckctl", "bin/rankdeckctl"), "--version", env=environment)[0], 0)
        self.assertEqual(said(self.file("rankdeck", "bin/rankdeck"), "--version", env=environment)[0], 0, "without a display")
        code, text = said(self.file("rankdeckctl", "bin/rankdeckctl"), "demo", "--ranks", "1", "--nodes", "1", "--for", "1", env=environment)
        self.assertEqual(code, 0, text)

    def test_pages_and_completion_are_there(self):
        for package, page in (("rankdeckctl", "man1/rankdeckctl.1"), ("rankdeckctl", "man5/rankdeck-job.5"), ("rankdeck", "man1/rankdeck.1")):
            with gzip.open(self.file(package, "share/man/%s.gz" % page)) as text:
                self.assertIn(b".Sh NAME", text.read())
        for shell, place in (("bash", "bash-completion/completions/rankdeckctl"), ("zsh", "zsh/vendor-completions/_rankdeckctl"),
                             ("fish", "fish/vendor_completions.d/rankdeckctl.fish")):
            with open(self.file("rankdeckctl", "share/" + place)) as text:
                self.assertEqual(text.read(), said(self.file("rankdeckctl", "bin/rankdeckctl"), "completion", shell)[1])

    def test_the_desktop_knows_the_window(self):
        for size in (16, 32, 48, 64, 128, 256):
            self.assertTrue(os.path.isfile(self.file("rankdeck", "share/icons/hicolor/%dx%d/apps/%s.png" % (size, size, ID))))
        self.assertTrue(os.path.isfile(self.file("rankdeck", "share/icons/hicolor/scalable/apps/%s.svg" % ID)))
        code, text = said("desktop-file-validate", self.file("rankdeck", "share/applications/%s.desktop" % ID))
        self.assertEqual((code, text), (0, ""))
        code, text = said("appstreamcli", "validate", "--no-net", self.file("rankdeck", "share/metainfo/%s.metainfo.xml" % ID))
        self.assertEqual(code, 0, text)

    def test_lintian_finds_nothing(self):
        code, text = said("lintian", "--fail-on", "error,warning", "--allow-root", *glob.glob(os.path.join(self.out, "*.deb")))
        self.assertEqual(code, 0, text)
        self.assertEqual([line for line in text.splitlines() if line[:2] in ("E:", "W:")], [])

    def needed(self, program):
        """The libraries that the loader finds for it, by name."""
        text = subprocess.run(["ldd", program], stdout=subprocess.PIPE, check=True).stdout.decode()
        return dict(line.split(" (")[0].strip().split(" => ") for line in text.splitlines() if " => " in line)

    def test_the_tarball_brings_all_but_glibc(self):
        glibc = said("dpkg-query", "-L", "libc6")[1].split()
        brought = os.path.join(self.tarball, "lib")
        for program in ("bin/rankdeckctl", "libexec/rankdeck/rankdeck-demo-trainer"):
            for name, path in self.needed(os.path.join(self.tarball, program)).items():
                if os.path.realpath(path) not in [os.path.realpath(one) for one in glibc]:
                    self.assertEqual(os.path.realpath(os.path.dirname(path)), os.path.realpath(brought), name)
        self.assertTrue(glob.glob(os.path.join(self.tarball, "share/doc/rankdeck/copyright.libssh*")), "whose licences ask for it")

    def test_the_tarball_runs_with_only_glibc(self):
        bare = os.path.join(self.directory, "bare")
        shutil.copytree(self.tarball, os.path.join(bare, "opt/rankdeckctl"), symlinks=True)
        loader = said("patchelf", "--print-interpreter", os.path.join(self.tarball, "bin/rankdeckctl"))[1].strip()
        kept = [path for path in self.needed("/bin/ls").values() if "libc.so" in path]
        kept += [os.path.join(os.path.dirname(kept[0]), name) for name in ("libm.so.6", "libresolv.so.2", "libpthread.so.0", "libdl.so.2")]
        for path in kept + [loader]:
            os.makedirs(bare + os.path.dirname(path), exist_ok=True)
            shutil.copy(os.path.realpath(path), bare + path)
        # Without /proc the loader cannot find the path of the program.
        there = {"PATH": os.environ["PATH"], "LC_ALL": "C", "LD_ORIGIN_PATH": "/opt/rankdeckctl/bin"}
        enter = ["chroot"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "chroot"]
        program = "/opt/rankdeckctl/bin/rankdeckctl"
        whole = os.path.join(self.tarball, "bin/rankdeckctl")
        for words in (["--version"], ["--help"], ["completion", "bash"]):
            code, text = said(*enter, bare, program, *words, env=there)
            self.assertEqual((code, text), said(whole, *words, env={"LC_ALL": "C"}))
            self.assertEqual(code, 0, text)

    def test_the_two_have_no_file_in_common(self):
        def files(package):
            top = self.roots[package]
            return {os.path.relpath(os.path.join(folder, name), top) for folder, _, names in os.walk(top) for name in names}
        self.assertEqual(files("rankdeck") & files("rankdeckctl"), set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
