# SPDX-License-Identifier: MIT
"""kiln: renders fractal flames to numpy arrays and files.

    import kiln
    kiln.render("conch.flam3").save("conch.png")
    flame = kiln.load("conch.flam3")[0]
    flame.width = 640
    picture = kiln.render(flame, quality=50)
    picture.save("conch.png")
    picture.pixels          # [height, width, 4] uint8, the picture's own memory

One flame and one seed are one picture, to the last bit, on every machine. What fails raises
kiln.Error, whose `kind` is usage, input, unsupported, output, device or stopped; a wrong call
is a TypeError and a ValueError, too (kiln.UsageError).
"""

import collections
import difflib
import functools
import inspect
import json
import numbers
import os
import sys
import threading
import types
import warnings
import xml.etree.ElementTree

from . import _kiln, _parts
from ._kiln import Error
from ._parts import Track, Variation, Xform

__version__ = _kiln.version()
__all__ = ["Error", "UsageError", "Flame", "Frames", "Picture", "Points", "Session", "Song", "Track", "Variation", "Xform", "animate", "breed", "devices",
           "differences", "grade", "listen", "load", "merge", "mutate", "parse", "previews", "random", "render", "render_shard"]


class UsageError(Error, TypeError, ValueError):
    """A call that cannot be meant: an unknown option, a value of the wrong kind."""

    kind = "usage"


def _numbers(kind):
    return lambda text: tuple(kind(word) for word in text.split())


def _said(value):
    """A value as a flame's file says it, with all its digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, (tuple, list)):
        return " ".join(_said(v) for v in value)
    if hasattr(value, "__index__"):
        return str(value.__index__())
    return repr(float(value))


_kinds = {"number": float, "whole": int, "word": str, "text": str,
          "numbers": _numbers(float), "wholes": _numbers(int)}


def _attribute(row):
    """The property of a row of engine/model/flame_attributes.h."""
    name, read = row["name"], _kinds[row["type"]]
    usual = read(row["default"])

    def get(self):
        text = self._scene.attribute(name)
        return read(text) if text else usual

    def put(self, value):
        self._scene.set(name, _said(value))

    words = ": " + ", ".join(row["words"]) if "words" in row else ""
    return property(get, put, doc=f"{row['help']}{words}.")


class Flame:
    """One flame: what its file says, as properties, and its parts as objects: flame.xforms[0].coefs,
    flame.xforms[0].variations["julian"].weight, flame.final, flame.palette, flame.xaos, flame.tracks. Copies
    are independent. kiln.Flame() begins with nothing: no xforms, a white palette."""

    __slots__ = ("_scene",)

    def __init__(self, other=None, **attributes):
        self._scene = (_kiln.Scene() if other is None else
                       _kiln.Scene(other._scene if isinstance(other, Flame) else other))
        for name, value in attributes.items():
            if not isinstance(getattr(Flame, name, None), property):
                raise UsageError(f"Flame({name}=...): a flame has no such attribute")
            setattr(self, name, value)

    def copy(self):
        """The same flame, to be changed apart."""
        return Flame(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return Flame(self)

    def _state(self):
        """All that decides its picture; the XML has no place for the shape of pixels."""
        return self._scene.xml(), self._scene.pixel_aspect()

    def __reduce__(self):
        return _flame_of, self._state()

    def __eq__(self, other):
        return self._state() == other._state() if isinstance(other, Flame) else NotImplemented

    def __hash__(self):
        """That of its value: a flame that is a key of a dict, or in a set, must not change."""
        return hash(self._scene.digest())

    @property
    def digest(self):
        """SHA-256 of all that the flame is: equal flames have equal ones, on every machine."""
        return self._scene.digest()

    @property
    def xforms(self):
        """Its xforms: a list to add to, to remove from and to reorder; an edit of one is an edit of the flame."""
        return _parts.Xforms(self._scene)

    @xforms.setter
    def xforms(self, xforms):
        _parts.Xforms(self._scene)._replace(list(xforms))

    @property
    def final(self):
        """Its final xform, or None; the first, where JWildfire's dialect has several."""
        return self.finals[0] if len(self.finals) else None

    @final.setter
    def final(self, xform):
        self.finals = [] if xform is None else [xform] + [x.xml for x in self.finals[1:]]

    @property
    def finals(self):
        """Its final xforms, as `xforms`."""
        return _parts.Xforms(self._scene, "final")

    @finals.setter
    def finals(self, xforms):
        _parts.Xforms(self._scene, "final")._replace(list(xforms))

    @property
    def xaos(self):
        """[n, n] array: what xform i multiplies the weight of each xform by, when it chooses who is next. Read
        only; another one may be set."""
        n = len(self.xforms)
        return _parts.read_only(self._scene.numbers("xaos"), (n, n))

    @xaos.setter
    def xaos(self, matrix):
        self._scene.set_numbers("xaos", _parts.flat(matrix))

    @property
    def palette(self):
        """[256, 3] array of red, green, blue from 0 to 1; [n, 3] where it is longer, [n, 4] where it has alpha
        (colors multiplied by it). Read only; another one may be set, as by set_palette()."""
        colors = _parts.read_only(self._scene.numbers("palette_rgba"), (-1, 4))
        return colors if (colors[:, 3] != 1).any() else colors[:, :3]

    @palette.setter
    def palette(self, palette):
        import numpy
        if not isinstance(palette, (str, os.PathLike, numbers.Integral)) and numpy.shape(palette)[1:] == (4,):
            self._scene.set_numbers("palette_rgba", _parts.flat(_levels(palette)))
        else:
            self.set_palette(palette)

    @property
    def tracks(self):
        """Its tracks, kiln.Track, which make a film of it."""
        return _parts.Tracks(self._scene)

    @tracks.setter
    def tracks(self, tracks):
        _parts.Tracks(self._scene)._put(list(tracks))

    @property
    def links(self):
        """Its numbers that follow others, by name: {"xform2.turn": "xform1.turn + 72"}; xforms count from 1 there."""
        elements = xml.etree.ElementTree.fromstring(f"<links>{self._scene.get('links')}</links>")
        return types.MappingProxyType({one.get("number"): one.get("is") for one in elements})

    @links.setter
    def links(self, links):
        elements = (xml.etree.ElementTree.Element("kiln_link", number=number, **{"is": str(formula)})
                    for number, formula in dict(links).items())
        self._scene.set("links", "".join(xml.etree.ElementTree.tostring(one, "unicode") for one in elements))

    def get(self, part):
        """A part by its name, as --set and the other languages have it (docs/use/objects.md): "xform.0.julian"."""
        return self._scene.get(part)

    def set(self, part, value):
        """Sets a part by its name: flame.set("xform.*.color_speed", 0)."""
        self._scene.set(part, _said(value))

    def points(self, count=1000000, *, seed=0, inside=False, threads=0):
        """Points of the flame as arrays: places [count, 3] float32, colors [count, 4] uint8 and xforms [count]
        uint16, the number of the xform that made each. Places are those of the flame, behind its final xform; z is 0
        where it has no depth. inside: only those that fall into the picture. A named tuple, kiln.Points."""
        return Points(*self._scene.points(_count(count), int(seed), bool(inside), int(threads)))

    def save_points(self, path, count=1000000, *, seed=0, inside=False, threads=0, cells=256):
        """The same in a file, .ply or .csv, of up to 1e11 points. In a .npy or .nrrd the density: how many points of
        up to 4e9 fall into each cell of a box, uint32 [z, y, x]; its longest side has so many cells."""
        self._scene.save_points(path, _count(count), int(seed), bool(inside), int(threads), int(cells))

    def light_at(self, x, y, *, radius=0, seed=0, threads=0):
        """Whose light lies in the picture within radius pixels of x, y (0: a hundredth of the shorter side): a
        dictionary with "xforms" and "ways", those with most light first, and their shares of "light" and "hits"."""
        return json.loads(self._scene.light_at(float(x), float(y), float(radius), int(seed), int(threads)))

    def __repr__(self):
        return f"<kiln.Flame {self.name!r}, {self.width} x {self.height}, quality {self.quality:g}>"

    def _repr_png_(self):
        small = self.copy()
        small.width = min(self.width, 480)
        small.quality = min(self.quality, 50)
        return render(small).encode()

    @property
    def width(self):
        """Pixels. A new width keeps the framing: the height and `scale` follow."""
        return self._scene.width()

    @width.setter
    def width(self, pixels):
        self._scene.set_width(int(pixels))

    @property
    def height(self):
        """Pixels; `width` or `size` changes it."""
        return self._scene.height()

    @property
    def xml(self):
        """The flame as flam3 XML."""
        return self._scene.xml()

    def flam3_xml(self, approximate=False):
        """The flame as flam3 itself can say it, and with it all that read its files. approximate: what
        flam3 does not have is left out, with a warning, instead of refused."""
        return self._scene.flam3_xml(_warn, approximate)

    def set_palette(self, palette):
        """Another palette: its number or name in flam3's library, a file that has one (.map, .ugr,
        .gradient, a flame, a picture), "FILE#NUMBER", or colors, an array [n, 3] (n, 4: alpha is left out):
        whole numbers from 0 to 255 or others from 0 to 1, as those of matplotlib are."""
        if isinstance(palette, (str, os.PathLike, numbers.Integral)):
            self._scene.set("palette", str(palette))
        else:
            self._scene.set_palette(_colors(palette))


for _row in json.loads(_kiln.attributes()):
    if _row["type"] in _kinds:
        setattr(Flame, _row["name"].removeprefix("kiln_"), _attribute(_row))


#: What Flame.points() gives.
Points = collections.namedtuple("Points", "places colors xforms")


def _count(count):
    """1e6 is a whole number, too."""
    if not isinstance(count, numbers.Real) or not 1 <= count <= 1e11 or count != int(count):
        raise UsageError(f"count={count!r}: it is a whole number from 1 to 1e11")
    return int(count)


def _flame_of(xml, pixel_aspect):
    """Flame.__reduce__ backwards."""
    flame = Flame(_kiln.unfinished(xml))
    flame._scene.set_pixel_aspect(pixel_aspect)
    return flame


def _colors(palette):
    """[n][3], from 0 to 1."""
    return _levels(palette)[:, :3].tolist()


def _levels(palette):
    """[n, 3 or 4], from 0 to 1."""
    import numpy
    try:
        colors = numpy.asarray(palette)
        if colors.ndim != 2 or colors.shape[1] not in (3, 4) or colors.dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise UsageError("set_palette(): a number, a name, a file, or colors as an array [n, 3], are palettes, "
                         f"not this {type(palette).__name__}") from None
    return colors.astype(float) / (255 if colors.dtype.kind in "iu" else 1)


def differences(a, b):
    """What differs between two flames, as `kiln diff --json` says it: a dict of same, looks_same, words (a
    line each: "xform.0.julian: 1, then 0.5"), attributes, xforms (matched by likeness), palette, tracks."""
    flames = [flame if isinstance(flame, Flame) else load(flame)[0] for flame in (a, b)]
    return json.loads(_kiln.differences(flames[0]._scene, flames[1]._scene))


def _credits(title, author, copyright, source):
    for name, text in (("title", title), ("author", author), ("copyright", copyright), ("source", source)):
        if not isinstance(text, str):
            raise UsageError(f"{name}={text!r}: is no text")
    return title, author, copyright, source


class Picture:
    """A rendered picture; `numpy.asarray(picture)` is its pixels."""

    def __init__(self, native, frame=None, time=None):
        self._native = native
        #: Number and time of an animation's frame; None of a still.
        self.frame, self.time = frame, time

    @property
    def pixels(self):
        """[height, width, 4] R G B A, row 0 at the top: uint8 or uint16 with straight alpha, or
        float32, linear light, premultiplied, 1 is white. Read only, without a copy: the array is
        the picture's memory and keeps it."""
        return self._native.pixels()

    @property
    def hits(self):
        """[height, width] float32: samples of each pixel. None unless linear."""
        return self._native.hits()

    def __array__(self, dtype=None, copy=None):
        array = self.pixels if dtype is None else self.pixels.astype(dtype)
        return array.copy() if copy else array

    @property
    def hash(self):
        """SHA-256 of size, depth and pixels, as `kiln compare --hash` shows it."""
        return self._native.hash

    @property
    def record(self):
        """JSON: what it takes to make the picture again."""
        return self._native.record

    @property
    def statistics(self):
        """dict: samples, earlier_samples (of these, what a state brought), bad_values, seconds of the
        stages, peak_memory_bytes, device, warning; quality (samples per pixel that a still came to),
        noise and noise_error (root mean square of all pixels, fractions of full scale, within 95 %;
        None: not measured), ended_by ("noise", "time" or "")."""
        return self._native.statistics()

    def save(self, path, single_float=False, *, title="", author="", copyright="", source=""):
        """Writes a PNG, JPEG or PPM as the name ends, or an OpenEXR if linear, with the flame in it; whole or
        not at all. Another ending, and a file of flames that is there, raise kiln.Error.
        single_float: an OpenEXR of floats instead of halves. title, author, copyright and source: who made
        it, one line each, for the file to say."""
        self._native.save(os.fspath(path), single_float, _credits(title, author, copyright, source))

    def encode(self, single_float=False, *, title="", author="", copyright="", source=""):
        """The bytes of that file."""
        return self._native.encode(single_float, _credits(title, author, copyright, source))

    def _repr_png_(self):
        return None if self.hits is not None else self.encode()

    def __repr__(self):
        height, width, _ = self.pixels.shape
        return f"<kiln.Picture {width} x {height}, {self.pixels.dtype}>"


class Session:
    """A device that is kept, with its memory and kernels. `render` and `animate` have one of their
    own where none is given."""

    def __init__(self, backend="automatic", device=0, threads=0, devices=None):
        """backend: "automatic", "cpu" or "cuda"; device: number of the GPU; threads: 0 for all.
        devices: numbers of GPUs that share every picture, e.g. [0, 1], or "all"; the first one makes
        it."""
        options = _kiln.Options()
        if devices == "all":
            if backend == "cpu":
                raise UsageError('devices="all" are GPUs: not with backend="cpu"')
            options.threads = threads
            options.help_all()
            self._native = _kiln.Session(options)
            return
        numbers = [device] if devices is None else list(devices)
        if devices is not None and backend == "automatic":
            backend = "cuda"
        try:
            options.backend = _kiln.Backend.__members__[backend]
        except KeyError:
            raise UsageError(f"backend {backend!r}: is not automatic, cpu or cuda") from None
        options.device, options.threads = numbers[0], threads
        for number in numbers[1:]:
            options.help(number)
        self._native = _kiln.Session(options)

    @property
    def device(self):
        """"cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"."""
        return self._native.device()

    def __repr__(self):
        return f"<kiln.Session on {self.device}>"


def devices():
    """What can render here, the CPU first: a list of dict with kind ("cpu" or "cuda"), index (the
    GPU's number), name, memory_bytes, detail."""
    return _kiln.devices()


_usual_session = None
_opening = threading.Lock()


def _after_fork():  # another thread of the parent may have held it
    global _opening
    _opening = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def _session(given):
    global _usual_session
    if given is not None:
        if not isinstance(given, Session):
            raise UsageError(f"session={given!r} is not a kiln.Session")
        return given._native
    with _opening:
        if _usual_session is None:
            _usual_session = Session()
    return _usual_session._native


def _warn(line):
    warnings.warn(line, stacklevel=4)


def load(path, approximate=False):
    """The flames of a file, a list of Flame: .flam3, .flame, or a picture that carries its flame.
    approximate: a flame that needs what kiln lacks is loaded without it, with a warning."""
    if isinstance(path, str) and path.lstrip().startswith("<"):
        raise UsageError("this is XML, not the name of a file: kiln.parse(xml) gives its flames")
    return [Flame(scene) for scene in _kiln.load(os.fspath(path), _warn, approximate)]


def parse(xml, approximate=False):
    """The same for XML in a string."""
    return [Flame(scene) for scene in _kiln.parse(xml, _warn, approximate)]


def _plain(call):
    """A call that Python or pybind11 refuses is one that makes no sense: UsageError, in a line."""
    @functools.wraps(call)
    def checked(*args, **kwargs):
        try:
            return call(*args, **kwargs)
        except TypeError as error:
            if isinstance(error, Error):
                raise
            reason = str(error).partition("\n")[0].partition(" The following")[0].rstrip(".")
            raise UsageError(f"{reason}; it is {call.__name__}{inspect.signature(call)}") from None
    return checked


@_plain
def random(count=1, seed=0):
    """Flames by chance that are worth a look, a list of Flame; the same for a seed on every machine."""
    return [Flame(scene) for scene in _kiln.random(count, seed)]


@_plain
def mutate(flame, count=12, seed=0, *, strength=0.5, direction="any"):
    """Flames like one. strength: 0 to 1; direction: what changes, as `kiln mutate --help` lists it."""
    return [Flame(scene) for scene in _kiln.mutants(_flame(flame)._scene, count, seed, strength, direction)]


@_plain
def breed(flames, count=12, seed=0, *, method="any"):
    """Children, each of two of the flames. method: any, alternate, interpolate, unite or graft."""
    if isinstance(flames, (Flame, str, os.PathLike)):
        raise UsageError("breed() takes a list of flames: [flame, another]")
    return [Flame(scene) for scene in _kiln.children([_flame(one)._scene for one in flames], count, seed, method)]


def previews(flames, width, height, quality, *, session=None, seed=0, transparent=False):
    """Small pictures of many flames, or those of a file, thousands of them in the time that few renders take: an array
    [flames, height, width, 4] of uint8, R G B A. Each has the pixels of `kiln render --width W --height H
    --quality Q`, which sees as much of a flame's width as it says. A flame without a picture is 0 all over,
    with a warning. session: on whose device; seed, transparent: as of render()."""
    if isinstance(flames, (str, os.PathLike)):
        flames = load(flames)
    options = _options(previews, {"seed": seed, "transparent": transparent})
    scenes = [_flame(one)._scene for one in flames]
    try:
        return _session(session).previews(scenes, width, height, quality, options, _warn)
    except MemoryError:
        error = Error(f"out of memory for {len(scenes)} pictures of {width} x {height}; take fewer at once")
        error.kind = "device"
        raise error from None


class Song:
    """What is heard in a song (docs/use/music.md): `seconds`, `bpm` (0: no beat), `sha256`, `fps`; arrays of float64 seconds
    `onsets`, `beats`, `bars`, `loudest`; and `tracks`, arrays [frames] of float32 by name, which are attributes too:
    loudness, bass, low, mid, high, centroid, silence (0 to 1), centroid_hz, onset, beat, bar (1: there is one in the
    frame)."""

    def __init__(self, heard):
        self.__dict__.update(heard)

    def __getattr__(self, name):
        try:
            return self.__dict__["tracks"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self):
        return f"<kiln.Song, {self.seconds:.2f} s, {self.bpm:.2f} beats a minute>"


def listen(path, fps=30.0, *, attack=0.01, release=0.15, bar=4):
    """Listens to a song, or the sound of a film, by the program ffmpeg. The same samples give the same numbers on every
    machine. fps: of the tracks; attack, release: seconds in which a level goes most of its way; bar: beats of one."""
    return Song(_kiln.listen(os.fspath(path), fps, attack, release, bar))


def _bar(done, remaining_s, stage):
    """A line that rewrites itself, on a terminal as in a notebook."""
    line = "" if done >= 1 else f"{100 * done:3.0f} %  {remaining_s:.1f} s to go  {stage}"
    sys.stderr.write(f"\r{line:<50}" + ("\r" if done >= 1 else ""))
    sys.stderr.flush()


def _options(call, given):
    """Those of `given`, what `call` was called with beside its own."""
    options = _kiln.Options()
    for name, value in given.items():
        if name not in _kiln.settings:
            raise _unknown(call, name)
        try:
            setattr(options, _kiln.settings[name], value)
        except TypeError as error:
            if isinstance(error, Error):
                raise
            raise UsageError(f"{call.__name__}(): {name}={value!r} is no value for it; "
                             f"help(kiln.{call.__name__}) says what is") from None
    return options


def _unknown(call, name):
    near = difflib.get_close_matches(name, [*_kiln.settings, *(call.__kwdefaults__ or ())], 1)
    return UsageError(f"{call.__name__}() has no {name!r}: " +
                      (f"did you mean {near[0]!r}?" if near else f"help(kiln.{call.__name__}) has them all"))


def _flame(given):
    """The one flame of a Flame or a file. Raises Error."""
    if isinstance(given, Flame):
        return given
    if isinstance(given, (str, os.PathLike)):
        flames = load(given)
        if len(flames) != 1:
            raise UsageError(f"{os.fspath(given)} has {len(flames)} flames: "
                             f"kiln.load({os.fspath(given)!r})[0] is the first")
        return flames[0]
    many = "; it is a list: take one of it, [0] is the first" if isinstance(given, (list, tuple)) else ""
    raise UsageError(f"a kiln.Flame or the name of its file is needed, not {type(given).__name__}{many}")


def _changed(given, width, quality):
    flame = _flame(given)
    if width is None and quality is None:
        return flame
    flame = flame.copy()
    if width is not None:
        flame.width = width
    if quality is not None:
        flame.quality = quality
    return flame


def _keys_of_width(flames, width):
    """Key flames in pictures of this width, as `kiln animate --width` has them: each is seen as its own picture
    shows it, unless they are the frames of a sequence, one at each time."""
    keys = [flame.copy() for flame in flames]
    if not keys:
        return keys
    first = keys[0]
    are_frames = all(after.time == before.time + 1 for before, after in zip(keys, keys[1:]))
    if are_frames:
        for key in keys[1:]:
            key._scene.set("size", f"{first.width} {first.height}")
    for key in keys:
        key.width = width
    for key in keys[1:]:
        if (key.width, key.height) != (first.width, first.height):
            wider = first.width * first._scene.pixel_aspect() / (key.width * key._scene.pixel_aspect())
            key.scale *= min(wider, first.height / key.height)
            key._scene.set("size", f"{first.width} {first.height}")
    return keys


def _run(work, options, progress):
    say = _bar if progress is True else progress or None
    try:
        return work(options, say)
    finally:
        if progress is True:
            _bar(1, 0, "")


def render(flame, *, width=None, quality=None, progress=None, session=None, state=None,
           checkpoint=60.0, **options):
    """Renders a flame, or the file of one: a Picture.

    width, quality: in place of the flame's. progress: True for a line on standard error, or a
    function (done 0 to 1, seconds to go, stage), called about ten times a second; what it raises
    ends the render, as Ctrl-C (KeyboardInterrupt) does, within 0.1 s. session: a Session.
    state: a file (.kiln) that keeps what was played, written every `checkpoint` seconds, when the
    render is ended (within a second, as a rule) and when it is done; the same call goes on with it.
    Where it cannot be written when all is done, kiln.Error has the finished picture as `picture`.
    until_noise=0.005: as many samples as it takes, `quality` at most if that is given, until surely no
    more than 0.5 % is noise; time_limit: seconds of samples; halves=True measures the noise of another
    picture. `statistics` say what ended it.
    options: seed=0; bits=8 or 16; linear=False: float32 light and hits; transparent=False: alpha
    instead of the background; crop=(x, y, width, height) pixels; psf="FILE.png[,STRENGTH[,SIZE%]]";
    dpi=300: what the file says for prints; stages=True: hashes of the stages in the record;
    steer=True: samples go where the noise is; earlyclip, compat_flam3, exact_density, max_memory_bytes as of the
    program. Other threads of Python run meanwhile."""
    scene, native = _changed(flame, width, quality)._scene, _session(session)
    made = _options(render, options)
    made.most_quality = quality or 0

    def work(o, say):
        if state is None:
            return native.render(scene, o, say)
        try:
            return native.render_kept(scene, o, say, os.fspath(state), checkpoint)
        except Error as error:
            if hasattr(error, "picture"):
                error.picture = Picture(error.picture)
            raise

    return Picture(_run(work, made, progress))


def render_shard(flame, state, number, of, *, width=None, quality=None, progress=None, session=None,
                 checkpoint=60.0, **options):
    """Plays part `number` (from 1) of `of` of a flame's samples into the file `state` (.kiln), for
    other machines to play the others: the statistics of a Picture. The same call goes on where it was
    ended. merge() puts the parts together; options as of render(), without until_noise and time_limit."""
    scene, native = _changed(flame, width, quality)._scene, _session(session)
    return _run(lambda o, say: native.render_shard(scene, o, say, os.fspath(state), checkpoint, number, of),
                _options(render_shard, options), progress)


def merge(states, path, *, max_memory_bytes=0):
    """The parts of one picture, all these state files, as one state file; grade() makes its picture.
    Raises Error (input) where they do not belong together."""
    _kiln.merge([os.fspath(state) for state in states], os.fspath(path), max_memory_bytes)


def grade(flame, state, *, session=None, **options):
    """The picture of a finished state file with another look: a Picture, without rendering.

    flame: kiln.load(state)[0] with another brightness, gamma, filter, ...; options: as of render(),
    seed and compat_flam3 those of the render that made the state."""
    return Picture(_session(session).grade(_flame(flame)._scene, _options(grade, options), os.fspath(state)))


class Frames:
    """What animate() gives: an iterator of Pictures, whose len() is the number of frames that it gives in all."""

    def __init__(self, count, pictures):
        self._count, self._pictures = count, pictures

    def __len__(self):
        return self._count

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._pictures)


def animate(flames, *, nframes=None, loops=1, stagger=0.0, smooth=True, loop=False, step=1.0,
            easing="", hold=0.0, bpm=None, beats=4.0, fps=30.0, frames=None, width=None, quality=None, progress=None, session=None, **options):
    """Renders the frames between key flames, or those of a file, one Picture at a time: an iterator, of which
    len() says how many there are.

    Without nframes the flames are keys of increasing `time`, with a frame at every `step`. With
    nframes each flame turns in so many frames, `loops` times, then becomes the next in as many; loop
    leads back to the first, stagger 0 to 1 lets its xforms go one after the other. Transitions are gone
    as `easing` says ("ease-in", "bounce", "0.4 0 0.2 1"), and before one a flame stands still for `hold`
    frames. With bpm in place of nframes turns and transitions last so many beats, at fps frames a
    second, and begin on one. frames: which ones, counted from 0, e.g. range(0, 60, 10). The rest as
    for render(); motion blur follows the flames' temporal_samples."""
    if isinstance(flames, (str, os.PathLike)):
        flames = load(flames)
    if not hasattr(flames, "__iter__"):
        raise UsageError(f"animate() takes a list of flames, or their file, not {type(flames).__name__}: [flame]")
    is_film = nframes is None and bpm is None  # whose key flames get one size together
    flames = [_changed(flame, None if is_film else width, quality) for flame in flames]
    if is_film and width is not None:
        flames = _keys_of_width(flames, width)
    scenes = [flame._scene for flame in flames]
    if bpm is None:
        if nframes is None and (easing or hold):
            raise UsageError("animate(): easing and hold are of a sequence; give nframes or bpm, or flames a kiln_easing")
        part_frames = 0.0
    elif nframes is not None or not bpm > 0:
        raise UsageError(f"animate(bpm={bpm!r}): beats a minute, above 0, in place of nframes")
    else:
        part_frames = beats * fps * 60 / bpm
    animation = (_kiln.keys(scenes, step) if is_film else
                 _kiln.sequence(scenes, 1 if nframes is None else nframes, loops, stagger, smooth, loop, hold,
                                part_frames, easing))
    made, native = _options(animate, options), _session(session)
    if frames is None:
        frames = range(animation.frame_count())
    elif not hasattr(frames, "__len__"):
        frames = list(frames)

    def pictures():
        for i in frames:
            picture = _run(lambda o, say: native.frame(animation, i, o, say), made, progress)
            yield Picture(picture, animation.number(i), animation.time(i))

    return Frames(len(frames), pictures())
