# SPDX-License-Identifier: MIT
"""Nodes for ComfyUI: flames as images. Install kiln's wheel into ComfyUI's Python (docs/use/python.md), and put this file into
ComfyUI/custom_nodes/. There is then, under Add Node > kiln:

    Kiln Random Flame   seed -> a flame, as XML
    Kiln Mutant         a flame -> one like it
    Kiln Render         a flame (XML, or the path of a file) -> IMAGE and MASK; several frames: a batch

Images are sRGB as ComfyUI has them, [batch, height, width, 3] from 0 to 1. The mask is the flame's alpha where `mask` is on,
which renders a second time; else it is 1 everywhere.
"""
import os

import numpy


def tensor(array):
    """What ComfyUI hands from node to node: a tensor. Without torch, as in tests, the array itself."""
    try:
        import torch
    except ImportError:
        return array
    return torch.from_numpy(array)


def flames_of(text):
    import kiln
    return kiln.load(text.strip()) if os.path.exists(text.strip()) else kiln.parse(text)


class KilnRandom:
    CATEGORY, FUNCTION = "kiln", "make"
    RETURN_TYPES, RETURN_NAMES = ("STRING",), ("flame",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"seed": ("INT", {"default": 0, "min": 0, "max": 2**63 - 1})}}

    def make(self, seed):
        import kiln
        return (kiln.random(1, seed=seed)[0].xml,)


class KilnMutant:
    CATEGORY, FUNCTION = "kiln", "make"
    RETURN_TYPES, RETURN_NAMES = ("STRING",), ("flame",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"flame": ("STRING", {"multiline": True}), "seed": ("INT", {"default": 0, "min": 0, "max": 2**63 - 1}),
                             "strength": ("FLOAT", {"default": 0.5, "min": 0.0, "max": 1.0, "step": 0.05})}}

    def make(self, flame, seed, strength):
        import kiln
        return (kiln.mutate(flames_of(flame)[0], 1, seed=seed, strength=strength)[0].xml,)


class KilnRender:
    CATEGORY, FUNCTION = "kiln", "render"
    RETURN_TYPES, RETURN_NAMES = ("IMAGE", "MASK"), ("image", "mask")

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"flame": ("STRING", {"multiline": True}),
                             "width": ("INT", {"default": 1024, "min": 16, "max": 16384}),
                             "quality": ("FLOAT", {"default": 100.0, "min": 0.1, "max": 100000.0}),
                             "frames": ("INT", {"default": 1, "min": 1, "max": 4096}),
                             "seed": ("INT", {"default": 0, "min": 0, "max": 2**63 - 1})},
                "optional": {"mask": ("BOOLEAN", {"default": False})}}

    def render(self, flame, width, quality, frames, seed, mask=False):
        """One picture, or so many frames of an endless turn."""
        import kiln
        options = {"width": width, "quality": quality, "seed": seed}
        flame = flames_of(flame)[0]

        def pictures(**more):
            if frames == 1:
                return [kiln.render(flame, **options, **more)]
            return kiln.animate([flame], nframes=frames, frames=range(frames), **options, **more)

        image = numpy.stack([picture.pixels[..., :3] for picture in pictures()]).astype(numpy.float32) / 255
        # not the picture of both: its colors are cut off where they are brighter than its alpha
        alpha = (numpy.stack([picture.pixels[..., 3] for picture in pictures(transparent=True)]).astype(numpy.float32) / 255
                 if mask else numpy.ones(image.shape[:3], numpy.float32))
        return tensor(image), tensor(alpha)


NODE_CLASS_MAPPINGS = {"KilnRandom": KilnRandom, "KilnMutant": KilnMutant, "KilnRender": KilnRender}
NODE_DISPLAY_NAME_MAPPINGS = {"KilnRandom": "Kiln Random Flame", "KilnMutant": "Kiln Mutant", "KilnRender": "Kiln Render"}
