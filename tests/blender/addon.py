# usage: blender --background --factory-startup --python addon.py -- OUT.json LEGWORK ADDON.py FILE.glb
# Imports a rigged character, enables the add-on, makes a gait for it as an animator would, and writes what came of it.
import importlib.util
import json
import sys

import bpy

out, program, addon, path = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
spec = importlib.util.spec_from_file_location("legwork_gaits", addon)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.register()

scene = bpy.context.scene
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=path)
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
old = {a.name for a in bpy.data.actions}
bpy.ops.object.select_all(action="DESELECT")
bpy.context.view_layer.objects.active = armature
armature.select_set(True)
scene.legwork.program, scene.legwork.gait, scene.legwork.seconds = program, "walk", 3
result = bpy.ops.legwork.gait()

action = armature.animation_data.action
keys = sorted({k.co[0] for c in action.fcurves for k in c.keyframe_points})
lowest, heads = [], {b.name: [] for b in armature.pose.bones}
mesh = next(o for o in bpy.data.objects if o.type == "MESH" and o.vertex_groups)
for frame in keys:
    scene.frame_set(int(frame))
    for bone in armature.pose.bones:
        heads[bone.name].append(list(armature.matrix_world @ bone.head))
    shape = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    lowest.append(min((shape.matrix_world @ v.co).z for v in shape.data.vertices))

# without an armature it says so, and nothing is made
bpy.context.view_layer.objects.active = mesh
can_run = module.LEGWORK_OT_gait.poll(bpy.context)
with open(out, "w") as file:
    json.dump({"result": list(result), "action": action.name, "old": sorted(old), "keys": keys, "lowest": lowest,
               "heads": heads, "runs_without_armature": can_run}, file)
