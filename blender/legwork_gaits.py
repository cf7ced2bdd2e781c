# Gaits for the selected armature, made by the program `legwork`.
# Edit, Preferences, Add-ons, Install: choose this file. Then, in the 3D view's sidebar (N), the tab Legwork.
#
# The selected character goes to Legwork as a .glb in its rest pose; the clip that comes back becomes an action of the
# armature. Nothing else of the scene changes.
import json
import math
import os
import shlex
import shutil
import struct
import subprocess
import tempfile

import bpy
import numpy
from mathutils import Matrix, Quaternion, Vector

bl_info = {
    "name": "Legwork gaits",
    "author": "Legwork",
    "version": (0, 2, 0),
    "blender": (3, 0, 0),
    "location": "3D view > Sidebar > Legwork",
    "description": "Makes the selected armature walk, by the program legwork",
    "category": "Animation",
}

# Debian's numpy is newer than its Blender, whose glTF exporter still says numpy.bool.
if "bool" not in vars(numpy):
    numpy.bool = bool

GAITS = [
    ("walk", "Walk by physics", "Balanced over its feet, on footholds of its own choice", ["walk"]),
    ("modes_walk", "Walk", "From the body's natural vibrations", ["modes", "--action", "walk"]),
    ("modes_trot", "Trot", "Four legs: diagonal pairs", ["modes", "--action", "trot"]),
    ("modes_amble", "Amble", "Four legs: one after the other", ["modes", "--action", "amble"]),
    ("modes_gallop", "Gallop", "Four legs", ["modes", "--action", "gallop"]),
    ("modes_run", "Run", "Two legs", ["modes", "--action", "run"]),
]

# glTF has Y up and Blender Z: x, y, z become x, -z, y.
TO_BLENDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


class Clip:
    """The last animation of a .glb, and its nodes."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        size = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + size])
        self.binary = data[28 + size:]
        self.nodes = self.json["nodes"]
        self.parent = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])}
        animation = self.json["animations"][-1]
        self.name = animation.get("name", "walk")
        self.tracks, self.times = {}, [0.0]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times, rows = self.rows(sampler["input"]), self.rows(sampler["output"])
            if len(times) > len(self.times):
                self.times = [row[0] for row in times]
            target = channel["target"]
            self.tracks[target["node"], target["path"]] = rows

    def rows(self, index):
        accessor = self.json["accessors"][index]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        view = self.json["bufferViews"][accessor["bufferView"]]
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        numbers = struct.unpack_from(f"<{width * accessor['count']}f", self.binary, begin)
        return [numbers[i:i + width] for i in range(0, len(numbers), width)]

    def local(self, node, frame=None):
        """Where a node is in its parent: in the file, or at a frame of the clip."""
        data = self.nodes[node]
        if "matrix" in data:
            m = data["matrix"]
            place = Matrix([m[row::4] for row in range(4)])
            move, turn, scale = place.decompose()
        else:
            move, scale = Vector(data.get("translation", (0, 0, 0))), Vector(data.get("scale", (1, 1, 1)))
            x, y, z, w = data.get("rotation", (0, 0, 0, 1))
            turn = Quaternion((w, x, y, z))
        if frame is not None:
            at = lambda path: self.tracks[node, path][min(frame, len(self.tracks[node, path]) - 1)]
            if (node, "translation") in self.tracks:
                move = Vector(at("translation"))
            if (node, "rotation") in self.tracks:
                x, y, z, w = at("rotation")
                turn = Quaternion((w, x, y, z))
        return Matrix.LocRotScale(move, turn, scale)

    def world(self, node, frame, known):
        if node not in known:
            place = self.local(node, frame)
            above = self.parent.get(node)
            known[node] = place if above is None else self.world(above, frame, known) @ place
        return known[node]


def program_of(context):
    addon = context.preferences.addons.get(__name__)
    named = addon.preferences.program if addon else ""
    return named or shutil.which("legwork") or "legwork"


def export_character(context, armature, path):
    """The armature in its rest pose with the meshes that it deforms."""
    meshes = [o for o in context.scene.objects
              if o.type == "MESH" and any(m.type == "ARMATURE" and m.object == armature for m in o.modifiers)]
    if not meshes:
        raise RuntimeError(f"no mesh follows the armature '{armature.name}': parent one to it with weights")
    chosen, active, pose = list(context.selected_objects), context.view_layer.objects.active, armature.data.pose_position
    data = armature.animation_data
    action = data.action if data else None
    try:
        bpy.ops.object.select_all(action="DESELECT")
        for o in [armature, *meshes]:
            o.select_set(True)
        context.view_layer.objects.active = armature
        armature.data.pose_position = "REST"
        if data:
            data.action = None
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", use_selection=True, export_animations=False,
                                  export_skins=True, export_morph=False, export_materials="NONE", export_yup=True)
    finally:
        armature.data.pose_position = pose
        if data:
            data.action = action
        bpy.ops.object.select_all(action="DESELECT")
        for o in chosen:
            o.select_set(True)
        context.view_layer.objects.active = active


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: it fell, and the motion until then is there
        said = (done.stderr or done.stdout).strip().splitlines()
        raise RuntimeError(said[-1] if said else f"{words[0]} ended with status {done.returncode}")
    return done


def make_action(armature, clip, fps, name):
    """The clip as an action of the armature: each bone moves in the world as its node does."""
    to_world = armature.matrix_world.copy()
    node_of = {node.get("name"): i for i, node in enumerate(clip.nodes)}
    bones = [b for b in armature.pose.bones if b.name in node_of]
    if not bones:
        raise RuntimeError("the clip moves none of the armature's bones")
    rest = {}
    for bone in bones:
        clip.world(node_of[bone.name], None, rest)
    keys = {bone.name: [] for bone in bones}
    for frame in range(len(clip.times)):
        world, pose = {}, {}
        for bone in bones:  # parents come first
            node = node_of[bone.name]
            moved = clip.world(node, frame, world) @ rest[node].inverted()
            pose[bone.name] = to_world.inverted() @ TO_BLENDER @ moved @ TO_BLENDER.inverted() @ to_world @ bone.bone.matrix_local
            local = bone.bone.matrix_local
            if bone.parent:
                above = pose.get(bone.parent.name, bone.parent.bone.matrix_local)
                local = above @ bone.parent.bone.matrix_local.inverted() @ local
            keys[bone.name].append((local.inverted() @ pose[bone.name]).decompose()[:2])
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    first = 1
    frames = [first + t * fps for t in clip.times]
    frames = [round(f) for f in frames if math.isclose(f, round(f), abs_tol=1e-3)]  # a part of a frame at the end is left out
    for bone in bones:
        bone.rotation_mode = "QUATERNION"
        path, last, rows = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].', None, []
        for move, turn in keys[bone.name]:
            if last is not None and turn.dot(last) < 0:
                turn.negate()
            last = turn
            rows.append((*turn, *move))
        for k in range(7):
            curve = action.fcurves.new(path + ("rotation_quaternion" if k < 4 else "location"),
                                       index=k if k < 4 else k - 4, action_group=bone.name)
            curve.keyframe_points.add(len(frames))
            curve.keyframe_points.foreach_set("co", [x for f, row in zip(frames, rows) for x in (f, row[k])])
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
            curve.update()
    armature.animation_data_create().action = action
    return action, frames


class LegworkPreferences(bpy.types.AddonPreferences):
    bl_idname = __name__
    program: bpy.props.StringProperty(name="legwork", subtype="FILE_PATH",
                                      description="The program; where empty, the one on the path")

    def draw(self, context):
        self.layout.prop(self, "program")


class LegworkSettings(bpy.types.PropertyGroup):
    gait: bpy.props.EnumProperty(name="Gait", items=[(key, label, text) for key, label, text, _ in GAITS])
    seconds: bpy.props.FloatProperty(name="Seconds", default=4, min=0.5, max=60, description="How long to walk")
    speed: bpy.props.FloatProperty(name="Speed", default=0, min=0, max=50, unit="VELOCITY",
                                   description="Wanted speed of a walk by physics; 0 = what suits the body")
    loop: bpy.props.BoolProperty(name="One loop", default=False, description="One stride whose last frame equals its first")
    in_place: bpy.props.BoolProperty(name="In place", default=False, description="A loop that does not travel")
    more: bpy.props.StringProperty(name="More", description="Further options of the program, for example --turn 0.2")
    program: bpy.props.StringProperty(name="Program", description="The program for this scene; else that of the preferences")


class LEGWORK_OT_gait(bpy.types.Operator):
    """Make an action of the chosen gait for the active armature"""

    bl_idname = "legwork.gait"
    bl_label = "Make gait"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "ARMATURE"

    def execute(self, context):
        settings, armature = context.scene.legwork, context.object
        program = settings.program or program_of(context)
        fps = context.scene.render.fps / context.scene.render.fps_base
        words = next(words for key, _, _, words in GAITS if key == settings.gait)
        with tempfile.TemporaryDirectory() as folder:
            rigged, made = os.path.join(folder, "character.glb"), os.path.join(folder, "made.glb")
            try:
                export_character(context, armature, rigged)
                command = [program, words[0], rigged, *words[1:], "--seconds", str(settings.seconds),
                           "--rate", str(fps), "--out", made]
                if settings.speed > 0 and words[0] == "walk":
                    command += ["--speed", str(settings.speed)]
                done = run(command + shlex.split(settings.more))
                # recorded frames lie where the simulation stepped; keys lie on frames of the scene
                even = os.path.join(folder, "even.glb")
                run([program, "export", made, "--fps", str(fps), "--out", even]
                    + (["--cycle"] if settings.loop or settings.in_place else [])
                    + (["--in-place"] if settings.in_place else []))
                made = even
                action, frames = make_action(armature, Clip(made), fps, settings.gait)
            except (RuntimeError, OSError, KeyError, struct.error) as problem:
                self.report({"ERROR"}, str(problem))
                return {"CANCELLED"}
        context.scene.frame_start, context.scene.frame_end = 1, int(math.ceil(frames[-1]))
        said = done.stdout.strip().splitlines()
        self.report({"WARNING" if done.returncode else "INFO"}, f"{action.name}: {said[0] if said else ''}")
        return {"FINISHED"}


class LEGWORK_PT_panel(bpy.types.Panel):
    bl_label = "Legwork"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Legwork"

    def draw(self, context):
        settings = context.scene.legwork
        for name in ("gait", "seconds", "speed", "loop", "in_place", "more"):
            self.layout.prop(settings, name)
        self.layout.operator("legwork.gait")


CLASSES = (LegworkPreferences, LegworkSettings, LEGWORK_OT_gait, LEGWORK_PT_panel)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.legwork = bpy.props.PointerProperty(type=LegworkSettings)


def unregister():
    del bpy.types.Scene.legwork
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)


if __name__ == "__main__":
    register()
