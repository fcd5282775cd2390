# SPDX-License-Identifier: MIT
"""An add-on for Blender: a flame as an image of linear light, made again with the frame, and its points as a mesh.

Install kiln's wheel into Blender's Python once (docs/use/python.md), then this file by Edit > Preferences > Add-ons > Install. In the
image editor's sidebar (N) stands Kiln: a file of flames, a width, a quality, and Load. The image is a data-block as any other: for
textures, worlds, compositing nodes. A file with several flames is a film: frame 1 of the scene is its first one, and after its last
one it begins again. By script:

    bpy.ops.kiln.load(path="conch.flam3", width=640, quality=50)
    bpy.ops.kiln.points(path="conch.flam3", count=100000)

Points have the attributes `color` and `xform`; y goes up in Blender and down in a flame, so they stand as the picture shows them.
"""
import os

import bpy
import numpy

bl_info = {"name": "Kiln flames", "author": "kiln", "version": (1, 0), "blender": (3, 3, 0), "category": "Import-Export",
           "location": "Image editor > Sidebar > Kiln", "description": "Fractal flames as images and points"}


def flames_of(path):
    """The flames of a file, of which Blender may know the path as //relative."""
    import kiln
    return kiln.load(bpy.path.abspath(path))


def frame_count(flames):
    """Of the film that they are, without rendering; 0: it is a still."""
    import kiln
    return len(kiln.animate(flames)) if len(flames) > 1 or len(flames[0].tracks) > 0 else 0


def picture_at(image, frame):
    """The picture that the image shows at a frame of the scene."""
    import kiln
    flames = flames_of(image["kiln_path"])
    options = {"width": image["kiln_width"], "quality": image["kiln_quality"], "linear": True, "transparent": True}
    if not image["kiln_frames"]:
        return kiln.render(flames[0], **options)
    return next(kiln.animate(flames, frames=[(frame - 1) % image["kiln_frames"]], **options))


def fill(image, frame):
    """Puts the picture into the image; the rows of Blender's go up."""
    pixels = numpy.ascontiguousarray(picture_at(image, frame).pixels[::-1], numpy.float32)
    height, width = pixels.shape[:2]
    if tuple(image.size) != (width, height):
        image.scale(width, height)
    image.pixels.foreach_set(pixels.ravel())
    image.update()


def new_image(path, width, quality):
    frames = frame_count(flames_of(path))
    name = os.path.splitext(os.path.basename(path))[0]
    image = bpy.data.images.new(name, 4, 4, alpha=True, float_buffer=True)
    image.alpha_mode = "PREMUL"
    linear = [space for space in ("Linear Rec.709", "Linear") if space in
              bpy.types.ColorManagedInputColorspaceSettings.bl_rna.properties["name"].enum_items]
    if linear:
        image.colorspace_settings.name = linear[0]
    image["kiln_path"], image["kiln_width"], image["kiln_quality"] = path, width, quality
    image["kiln_frames"] = frames
    return image


@bpy.app.handlers.persistent
def on_frame(scene, _=None):
    """Films are made again with the frame; a still is what it is."""
    for image in bpy.data.images:
        if not image.get("kiln_frames"):
            continue
        try:
            fill(image, scene.frame_current)
        except Exception as trouble:  # a handler that raises is taken out by Blender
            print(f"kiln: {image.name}: {trouble}")


class LoadFlame(bpy.types.Operator):
    """Make an image of a flame, or of the film that a file's flames are"""
    bl_idname, bl_label, bl_options = "kiln.load", "Load a flame", {"REGISTER", "UNDO"}
    path: bpy.props.StringProperty(subtype="FILE_PATH")
    width: bpy.props.IntProperty(default=640, min=1, max=16384)
    quality: bpy.props.FloatProperty(default=50, min=0.1)

    def execute(self, context):
        image = None
        try:
            image = new_image(self.path, self.width, self.quality)
            fill(image, context.scene.frame_current)
        except Exception as trouble:
            if image:
                bpy.data.images.remove(image)
            self.report({"ERROR"}, str(trouble))
            return {"CANCELLED"}
        return {"FINISHED"}


class LoadPoints(bpy.types.Operator):
    """Make a mesh of a flame's points"""
    bl_idname, bl_label, bl_options = "kiln.points", "Load its points", {"REGISTER", "UNDO"}
    path: bpy.props.StringProperty(subtype="FILE_PATH")
    count: bpy.props.IntProperty(default=100000, min=1, max=100000000)

    def execute(self, context):
        try:
            flame = flames_of(self.path)[0]
            points = flame.points(self.count, inside=True)
        except Exception as trouble:
            self.report({"ERROR"}, str(trouble))
            return {"CANCELLED"}
        mesh = bpy.data.meshes.new(flame.name or "flame")
        mesh.vertices.add(self.count)
        mesh.vertices.foreach_set("co", (points.places * numpy.float32([1, -1, 1])).ravel())
        color = mesh.attributes.new("color", "FLOAT_COLOR", "POINT")
        color.data.foreach_set("color", (points.colors / numpy.float32(255)).ravel())
        xform = mesh.attributes.new("xform", "INT", "POINT")
        xform.data.foreach_set("value", points.xforms.astype(numpy.int32))
        mesh.update()
        context.collection.objects.link(bpy.data.objects.new(mesh.name, mesh))
        return {"FINISHED"}


class KilnPanel(bpy.types.Panel):
    bl_idname, bl_label, bl_category = "IMAGE_PT_kiln", "Kiln", "Kiln"
    bl_space_type, bl_region_type = "IMAGE_EDITOR", "UI"

    def draw(self, context):
        scene, column = context.scene, self.layout.column()
        for name in ("kiln_path", "kiln_width", "kiln_quality"):
            column.prop(scene, name)
        load = column.operator(LoadFlame.bl_idname)
        load.path, load.width, load.quality = scene.kiln_path, scene.kiln_width, scene.kiln_quality
        column.operator(LoadPoints.bl_idname).path = scene.kiln_path


classes = (LoadFlame, LoadPoints, KilnPanel)


def register():
    for one in classes:
        bpy.utils.register_class(one)
    bpy.types.Scene.kiln_path = bpy.props.StringProperty(name="File", subtype="FILE_PATH")
    bpy.types.Scene.kiln_width = bpy.props.IntProperty(name="Width", default=640, min=1)
    bpy.types.Scene.kiln_quality = bpy.props.FloatProperty(name="Quality", default=50, min=0.1)
    bpy.app.handlers.frame_change_post.append(on_frame)


def unregister():
    bpy.app.handlers.frame_change_post.remove(on_frame)
    del bpy.types.Scene.kiln_path, bpy.types.Scene.kiln_width, bpy.types.Scene.kiln_quality
    for one in reversed(classes):
        bpy.utils.unregister_class(one)


if __name__ == "__main__":
    register()
