# usage: blender --background --factory-startup --python places.py -- OUT.json FPS FILE...
# Imports each .glb or .bvh into an empty scene at FPS frames a second, and writes what an animator finds: armatures,
# meshes with their vertex groups, actions with their frames, and the head of every bone at every frame, in world
# coordinates.
import json
import sys

import bpy
import numpy
from io_anim_bvh import import_bvh

# Debian's Python is newer than its Blender, whose importers still say numpy.bool and open(path, "rU").
if not hasattr(numpy, "bool"):
    numpy.bool = bool
import_bvh.open = lambda path, mode: open(path)


def import_file(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    if path.endswith(".bvh"):
        bpy.ops.import_anim.bvh(filepath=path, axis_forward="-Z", axis_up="Y")
    else:
        bpy.ops.import_scene.gltf(filepath=path)


def keys_of(action):
    return sorted({key.co[0] for curve in action.fcurves for key in curve.keyframe_points})


def heads(armature, frames):
    rows = {bone.name: [] for bone in armature.pose.bones}
    for frame in frames:
        whole = int(frame // 1)
        bpy.context.scene.frame_set(whole, subframe=frame - whole)
        for bone in armature.pose.bones:
            rows[bone.name].append(list(armature.matrix_world @ bone.head))
    return rows


def describe(path, fps):
    import_file(path, fps)
    objects = bpy.data.objects
    armatures = [o for o in objects if o.type == "ARMATURE"]
    found = {
        "armatures": [o.name for o in armatures],
        "empties": [o.name for o in objects if o.type == "EMPTY"],
        "meshes": [
            {"name": o.name, "vertices": len(o.data.vertices), "groups": len(o.vertex_groups),
             "weighted": sum(1 for v in o.data.vertices if v.groups),
             "armature": any(m.type == "ARMATURE" for m in o.modifiers)}
            for o in objects if o.type == "MESH" and o.users_collection and o.users_collection[0].name != "glTF_not_exported"
        ],
        "actions": [{"name": a.name, "keys": keys_of(a)} for a in bpy.data.actions],
    }
    for armature in armatures:
        data = armature.animation_data
        action = data and (data.action or (data.nla_tracks and data.nla_tracks[0].strips[0].action))
        frames = keys_of(action) if action else [0]
        found["frames"], found["heads"] = frames, heads(armature, frames)
        found["parents"] = {b.name: b.parent.name if b.parent else None for b in armature.data.bones}
    return found


out, fps, *files = sys.argv[sys.argv.index("--") + 1:]
with open(out, "w") as file:
    json.dump({path: describe(path, int(fps)) for path in files}, file)
