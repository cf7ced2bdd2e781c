"""usage: python3 mujoco_local.py FILE.xml OUT.xml

Writes an MJCF file in global coordinates, which MuJoCo refuses since 2.3.4, in local ones: with the older MuJoCo that
Debian packs (libmujoco-dev).
"""

import ctypes
import ctypes.util
import sys

library = ctypes.util.find_library("mujoco")
if library is None:
    sys.exit("mujoco_local.py: no MuJoCo 2 is installed; Debian's libmujoco-dev brings one")
mujoco = ctypes.CDLL(library)
problem = ctypes.create_string_buffer(1000)
mujoco.mj_loadXML.restype = ctypes.c_void_p
mujoco.mj_saveLastXML.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
model = mujoco.mj_loadXML(sys.argv[1].encode(), None, problem, len(problem))
if not model:
    sys.exit(f"mujoco_local.py: {problem.value.decode()}")
if not mujoco.mj_saveLastXML(sys.argv[2].encode(), model, problem, len(problem)):
    sys.exit(f"mujoco_local.py: {problem.value.decode()}")
