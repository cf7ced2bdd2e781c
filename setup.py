"""pip install --no-build-isolation .    builds the library with CMake and puts it, its creatures and its algorithms into the
package, so that the package stands alone. LEGWORK_BUILD names a build folder of CMake to use; else build-pip is made, with the
options of CMAKE_ARGS. The 3D page is part of it where the viewer's packages of npm are there (make build)."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(legwork VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def build_with_cmake() -> pathlib.Path:
    """The build folder, with the library and the package in it."""
    build = pathlib.Path(os.environ.get("LEGWORK_BUILD", ROOT / "build-pip"))
    if not (build / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = ["-DLEGWORK_PYTHON=ON", "-DLEGWORK_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"]
        if not (ROOT / "viewer" / "node_modules").exists():
            print("legwork: without the 3D page; scripts/install_dependencies.sh viewer brings what it is made of", file=sys.stderr)
            options.append("-DLEGWORK_NODE=")
        options += os.environ.get("CMAKE_ARGS", "").split()
        subprocess.check_call(["cmake", *generator, *options, "-S", str(ROOT), "-B", str(build)])
    subprocess.check_call(["cmake", "--build", str(build), "--target", "legwork_python_package", "--parallel"])
    return build


class Build(build_py):
    """The package's own files, and those that CMake builds."""

    def run(self) -> None:
        super().run()
        build, package = build_with_cmake(), pathlib.Path(self.build_lib) / "legwork"
        install = pathlib.Path(self.build_lib).parent / "legwork-install"
        shutil.rmtree(install, ignore_errors=True)
        subprocess.check_call(["cmake", "--install", str(build), "--component", "python", "--prefix", str(install), "--strip"])
        subprocess.check_call(["cmake", "--install", str(build), "--component", "runtime", "--prefix", str(install), "--strip"])
        (module,) = install.rglob("_core*.so")
        shutil.copytree(module.parent, package, dirs_exist_ok=True)
        (package / "lib").mkdir(exist_ok=True)
        library = next(path for path in install.rglob("liblegwork.so.*") if not path.is_symlink())
        shutil.copy(library, package / "lib" / re.sub(r"(\.so\.\d+\.\d+).*", r"\1", library.name))
        for folder in ("creatures", "algorithms"):
            shutil.copytree(ROOT / folder, package / "share" / "legwork" / folder, dirs_exist_ok=True)
        shutil.rmtree(install)


class Binary(Distribution):
    """One Python, one machine."""

    def has_ext_modules(self) -> bool:
        return True


setup(version=VERSION, packages=["legwork"], package_dir={"legwork": "python/legwork"}, cmdclass={"build_py": Build}, distclass=Binary,
      options={"build": {"build_base": "build-pip/setuptools"}})
