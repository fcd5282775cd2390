# SPDX-License-Identifier: MIT
"""The parts of a flame as objects: they hold their flame and their place in it, so an edit of one is an edit of
the flame. Names, ranges and messages are the native module's (engine/io/flame/flame_parts.h)."""

import collections.abc
import itertools
import numbers as kinds_of_numbers
import weakref
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from . import _kiln


def read_only(values, shape=None):
    """A numpy array that says so when one of its numbers is set: it is no part of the flame."""
    import numpy
    array = numpy.array(values, dtype=float)
    if shape is not None:
        array = array.reshape(shape)
    array.flags.writeable = False
    return array


def flat(values):
    """A number, or numbers of any shape, as a list."""
    if isinstance(values, kinds_of_numbers.Real):
        return [float(values)]
    import numpy
    try:
        return numpy.asarray(values, dtype=float).ravel().tolist()
    except (TypeError, ValueError):
        raise wrong(f"numbers are wanted, not {values!r}") from None


def wrong(text):
    from . import UsageError
    return UsageError(text)


# The edits of the lists of a flame: of {"xform": {2: 17}} the 17th edit put another xform in place 2. A place that is
# not here holds what it held when its flame was made.
_edits = weakref.WeakKeyDictionary()
_edit_numbers = itertools.count(1)


def edit_of(scene, kind, place):
    return _edits.get(scene, {}).get(kind, {}).get(place, 0)


def note_edit(scene, kind, places):
    """Whoever holds a part at one of these places holds it no longer."""
    number = next(_edit_numbers)
    _edits.setdefault(scene, {}).setdefault(kind, {}).update((place, number) for place in places)


class Variation:
    """A variation of an xform, or a pre_ or post_ form: `weight`, and parameters as items:
    xform.variations["julian"]["power"] = 3. One that the xform does not use has weight 0."""

    __slots__ = ("_xform", "name")

    def __init__(self, xform, name):
        self._xform, self.name = xform, name
        self._scene.names(f"{self._of}.{name}")  # raises for what is none

    _scene = property(lambda self: self._xform._scene)
    _of = property(lambda self: self._xform._place)

    @property
    def weight(self):
        return self._scene.numbers(f"{self._of}.{self.name}")[0]

    @weight.setter
    def weight(self, value):
        self._scene.set_numbers(f"{self._of}.{self.name}", flat(value))

    @property
    def parameters(self):
        """dict of all parameters by their names, to be looked at."""
        return {self._short(full): self._scene.numbers(f"{self._of}.{full}")[0]
                for full in self._scene.names(f"{self._of}.{self.name}")}

    def _short(self, full):
        begin = self.name + "_"
        return full[len(begin):] if full.startswith(begin) else full

    def _full(self, parameter):
        for full in self._scene.names(f"{self._of}.{self.name}"):
            if parameter in (full, self._short(full)):
                return f"{self._of}.{full}"
        raise wrong(f"{self.name} has no parameter {parameter!r}; it has {', '.join(self.parameters) or 'none'}")

    def __getitem__(self, parameter):
        return self._scene.numbers(self._full(parameter))[0]

    def __setitem__(self, parameter, value):
        self._scene.set_numbers(self._full(parameter), flat(value))

    def __float__(self):
        return self.weight

    def __eq__(self, other):
        if isinstance(other, kinds_of_numbers.Real):
            return self.weight == other
        if not isinstance(other, Variation):
            return NotImplemented
        return (self.name, self.weight, self.parameters) == (other.name, other.weight, other.parameters)

    __hash__ = None

    def __repr__(self):
        return f"<kiln.Variation {self.name} {self.weight:g}{''.join(f' {k}={v:g}' for k, v in self.parameters.items())}>"


class Variations(collections.abc.MutableMapping):
    """The variations of an xform by their names. Its length and its names are of those in use; any other of
    kiln's can be asked for, and has weight 0."""

    __slots__ = ("_xform",)

    def __init__(self, xform):
        self._xform = xform

    _scene = property(lambda self: self._xform._scene)
    _of = property(lambda self: self._xform._place)

    def __getitem__(self, name):
        return Variation(self._xform, name)

    def __setitem__(self, name, value):
        """A weight, a dict of weight and parameters, or another Variation."""
        variation = self[name]
        if isinstance(value, Variation):
            value = {"weight": value.weight, **value.parameters}
        if not isinstance(value, collections.abc.Mapping):
            value = {"weight": value}
        for key, number in value.items():
            if key == "weight":
                variation.weight = number
            else:
                variation[key] = number

    def __delitem__(self, name):
        if name not in self:
            raise KeyError(name)
        self._scene.remove(f"{self._of}.{name}")

    def __contains__(self, name):
        return name in self._scene.names(f"{self._of}.variations")

    def get(self, name, default=None):
        return self[name] if name in self else default

    def __iter__(self):
        return iter(self._scene.names(f"{self._of}.variations"))

    def __len__(self):
        return len(self._scene.names(f"{self._of}.variations"))

    def __repr__(self):
        return f"{{{', '.join(f'{name!r}: {self[name].weight:g}' for name in self)}}}"


class Xform:
    """An xform: one of a flame, or one of its own until it is put into a flame, which takes a copy.

    kiln.Xform(coefs=[[0.5, 0, 0.25], [0, 0.5, 0]], color=1, variations={"spherical": 0.7})

    One of a flame is what stands at its place in the list; where an edit of the list puts another one there, a use of
    it is an error."""

    __slots__ = ("_holder", "_kind", "_number", "_edit")

    def __init__(self, other=None, *, variations=None, **parts):
        """other: an Xform, or an element <xform .../>, to begin with; without variations linear is 1."""
        self._holder, self._kind, self._number, self._edit = _kiln.Scene(), "xform", 0, 0
        self._scene.insert("xform.0", "" if other is None else element_of(other))
        if variations is not None:
            self.variations.clear()
            self.variations.update(variations)
        for name, value in parts.items():
            setattr(self, name, value)

    @classmethod
    def _at(cls, scene, kind, number):
        xform = object.__new__(cls)
        xform._holder, xform._kind, xform._number = scene, kind, number
        xform._edit = edit_of(scene, kind, number)
        return xform

    _place = property(lambda self: f"{self._kind}.{self._number}")

    def _is_there(self):
        return self._edit == edit_of(self._holder, self._kind, self._number)

    @property
    def _scene(self):
        if not self._is_there():
            raise wrong(f"the list of {self._kind}s changed, and another one may be {self._place} now; take it anew from "
                        "the flame, or keep a .copy()")
        return self._holder

    def _number_in(self, scene, kind):
        """Its place in this list; None: it is of none, or of another."""
        return self._number if self._scene is scene and self._kind == kind else None

    def copy(self):
        """The same xform, of no flame."""
        return Xform(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return Xform, (self.xml,)

    def __eq__(self, other):
        return element_of(self) == element_of(other) if isinstance(other, Xform) else NotImplemented

    def __hash__(self):
        return hash(element_of(self))

    def __repr__(self):
        if not self._is_there():
            return f"<kiln.Xform that was {self._place} before the list changed>"
        return f"<kiln.Xform weight {self.weight:g}, {self.variations!r}>"

    @property
    def xml(self):
        """The element <xform>, with its motions. Another one may be set."""
        return self._scene.get(self._place)

    @xml.setter
    def xml(self, element):
        self._scene.set(self._place, element)

    @property
    def name(self):
        return self._scene.get(f"{self._place}.name")

    @name.setter
    def name(self, text):
        self._scene.set(f"{self._place}.name", text)

    @property
    def variations(self):
        """Its variations by name."""
        return Variations(self)

    @variations.setter
    def variations(self, values):
        values = dict(values)
        self.variations.clear()
        self.variations.update(values)


def matrix_part(name):
    def get(self):
        a, d, b, e, c, f = self._scene.numbers(f"{self._place}.{name}")
        return read_only([[a, b, c], [d, e, f]])

    def put(self, values):
        import numpy
        numbers = flat(values)
        if numpy.shape(values) == (2, 3):
            a, b, c, d, e, f = numbers
            numbers = [a, d, b, e, c, f]
        self._scene.set_numbers(f"{self._place}.{name}", numbers)

    return property(get, put, doc="[2, 3] array: x' = m[0] @ (x, y, 1), y' = m[1] @ (x, y, 1). Six numbers are set in "
                                  "the order of files: a d b e c f.")


def number_part(name):
    def get(self):
        numbers = self._scene.numbers(f"{self._place}.{name}")
        return numbers[0] if len(numbers) == 1 and name != "chaos" else read_only(numbers)

    def put(self, value):
        self._scene.set_numbers(f"{self._place}.{name}", flat(value))

    return property(get, put, doc=f"What tracks call {name} (docs/inside/animation.md).")


for _name in _kiln.xform_numbers():
    setattr(Xform, _name, number_part(_name))
for _name in ("coefs", "post"):
    setattr(Xform, _name, matrix_part(_name))


def element_of(xform):
    if isinstance(xform, Xform):
        return xform.xml
    if isinstance(xform, str):
        return xform
    raise wrong(f"{xform!r} is no kiln.Xform")


def row_of(element):
    """The row of xaos that an element says."""
    try:
        return [float(word) for word in ElementTree.fromstring(element).get("chaos", "").split()]
    except ElementTree.ParseError as error:
        raise wrong(f"the element of an xform is no XML: {error}") from None


class Xforms(collections.abc.MutableSequence):
    """The xforms of a flame. What is put in is copied; xaos and tracks stay with their xforms."""

    __slots__ = ("_scene", "_kind")

    def __init__(self, scene, kind="xform"):
        self._scene, self._kind = scene, kind

    def _index(self, index):
        place = index.__index__()
        place += len(self) if place < 0 else 0
        if not 0 <= place < len(self):
            raise IndexError(f"{self._kind} {index}: the flame has {len(self)}, counted from 0")
        return place

    def _number_of(self, xform):
        return xform._number_in(self._scene, self._kind) if isinstance(xform, Xform) else None

    def __len__(self):
        return self._scene.count(self._kind)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return Xform._at(self._scene, self._kind, self._index(index))

    def __setitem__(self, index, xform):
        """The place keeps its xaos and its tracks; its row is that of `xform` where that has one."""
        if isinstance(index, slice):
            raise wrong("xforms are set one by one, or all: flame.xforms = [...]")
        place, number = self._index(index), self._number_of(xform)
        if number == place:
            return
        if number is not None:
            raise wrong(f"{self._kind}.{number} is of the same flame, and would be there twice; move() and reorder() change "
                        f"places (random.shuffle: of a list of numbers, for reorder()), .copy() sets another like it")
        element = element_of(xform)
        after = _kiln.Scene(self._scene)
        after.set(f"{self._kind}.{place}", element)
        if self._kind == "xform" and len(self) > 1 and len(row_of(after.get(f"xform.{place}"))) < 2:
            row = f"xform.{place}.chaos"
            if self._scene.get(row):
                after.set(row, self._scene.get(row))
            else:
                after.set_numbers(row, self._scene.numbers(row))
        self._scene.take(after)
        note_edit(self._scene, self._kind, [place])

    def __delitem__(self, index):
        places = range(*index.indices(len(self))) if isinstance(index, slice) else [self._index(index)]
        if not places:
            return
        count = len(self)
        for place in sorted(places, reverse=True):
            self._scene.remove(f"{self._kind}.{place}")
        note_edit(self._scene, self._kind, range(min(places), count))

    def insert(self, index, xform):
        count = len(self)
        place = min(max(index + count if index < 0 else index, 0), count)
        if self._number_of(xform) is None:
            self._scene.insert(f"{self._kind}.{place}", element_of(xform))
        else:  # its row of xaos goes by the places before
            self._scene.insert(f"{self._kind}.{count}", xform.xml)
            self._scene.move(f"{self._kind}.{count}", place)
        note_edit(self._scene, self._kind, range(place, count + 1))

    def extend(self, xforms):
        for xform in list(xforms):
            self.append(xform)

    def index(self, xform, *limits):
        """The place of one of the flame's own; else of the first that is equal."""
        number = self._number_of(xform)
        return super().index(xform, *limits) if number is None or limits else number

    def pop(self, index=-1):
        xform = self[index].copy()
        del self[index]
        return xform

    def move(self, index, to):
        """Moves one to another place; those between close up."""
        index, to = self._index(index), self._index(to)
        if index != to:
            self._scene.move(f"{self._kind}.{index}", to)
            note_edit(self._scene, self._kind, range(min(index, to), max(index, to) + 1))

    def reorder(self, order):
        """The same xforms in another order: reorder([2, 0, 1]) begins with the third."""
        order = [self._index(i) for i in order]
        if sorted(order) != list(range(len(self))):
            raise wrong(f"{order}: has to name each of the {len(self)} xforms once")
        self._order(self._scene, list(range(len(self))), order)
        note_edit(self._scene, self._kind, [place for place, which in enumerate(order) if place != which])

    def _order(self, scene, now, order):
        """Moves those that are `now` in these places into another order."""
        for place, which in enumerate(order):
            if now[place] != which:
                scene.move(f"{self._kind}.{now.index(which)}", place)
                now.remove(which)
                now.insert(place, which)

    def reverse(self):
        self.reorder(range(len(self) - 1, -1, -1))

    def _replace(self, xforms):
        """Those of the flame's own stay what they are, at other places: xaos and tracks stay with them."""
        before, numbers = len(self), [self._number_of(xform) for xform in xforms]
        elements = [element_of(xform) for xform in xforms]
        after = _kiln.Scene(self._scene)
        if self._kind == "final":  # in place: a flame may have but one, and its tracks go with the last
            order = [place if place < before and element == self._scene.get(f"final.{place}") else None
                     for place, element in enumerate(elements)]
            for place in range(before - 1, len(elements) - 1, -1):
                after.remove(f"final.{place}")
            for place, element in enumerate(elements):
                if order[place] is None:
                    (after.set if place < before else after.insert)(f"final.{place}", element)
        else:
            order = self._put_all(after, numbers, elements)
        self._scene.take(after)
        note_edit(self._scene, self._kind, [place for place in range(max(before, len(order)))
                                            if place >= len(order) or order[place] != place])

    def _put_all(self, after, numbers, elements):
        """Makes these the xforms of `after`. Returns who stays: numbers before, above them are new ones."""
        now = sorted({number for number in numbers if number is not None})
        for place in reversed(range(len(self))):
            if place not in now:
                after.remove(f"xform.{place}")
        order, rows, new = [], {}, itertools.count(len(self))
        for place, (number, element) in enumerate(zip(numbers, elements)):
            if number is not None and number not in order:
                order.append(number)
                continue
            if number is None:
                rows[place] = element
            else:  # once more, with the row of xaos as it has become
                element = after.get(f"xform.{now.index(number)}")
            after.insert(f"xform.{len(now)}", element)
            order.append(next(new))
            now.append(order[-1])
        self._order(after, now, order)
        for place, element in rows.items():  # who was put in had too few beside it for all of its row
            row = row_of(element)[:len(order)] if element else []
            if row:
                after.set_numbers(f"xform.{place}.chaos", row + [1.0] * (len(order) - len(row)))
        return order

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, (Xforms, list)) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return repr(list(self))


class Track:
    """What one number of a film does: Track("brightness", [(0, 4), (60, 8, "ease-in")]), Track("turn", ..., xform=0),
    xform="final". It does not change: put another one in its place. A song drives one that has no keys (docs/use/music.md):
    Track("zoom", song={"sound": "bass", "from": 0, "to": 0.4})."""

    __slots__ = ("name", "keys", "xform", "ends", "_song")

    def __init__(self, name, keys=(), xform=None, ends="hold", song=()):
        put = object.__setattr__
        put(self, "name", name)
        put(self, "keys", tuple((float(key[0]), key[1] if isinstance(key[1], (str, tuple)) else
                                 float(key[1]) if isinstance(key[1], kinds_of_numbers.Real) else tuple(key[1]),
                                 key[2] if len(key) > 2 else "linear") for key in keys))
        put(self, "xform", xform)
        put(self, "ends", ends)
        song = {attribute: _value_of(_value_text(value)) for attribute, value in dict(song).items()}
        for attribute in song:
            if not str(attribute).isidentifier():
                raise wrong(f"{attribute!r} is no attribute of a track that a song drives")
        if song and (self.keys or ends != "hold"):
            raise wrong("a track has keys and ends, or a song; leave out one of both")
        put(self, "_song", tuple(sorted(song.items())))

    @property
    def song(self):
        """dict of what it says of a song: "sound", "from", "to", "each", "shape" ...; empty where it has keys."""
        return dict(self._song)

    def __setattr__(self, name, value):
        raise AttributeError(f"a track does not change: flame.tracks[0] = kiln.Track(...) puts another in its place")

    __delattr__ = None

    def __reduce__(self):
        return Track, (self.name, self.keys, self.xform, self.ends, self._song)

    def __eq__(self, other):
        return self.__reduce__() == other.__reduce__() if isinstance(other, Track) else NotImplemented

    def __hash__(self):
        return hash(self.__reduce__()[1])

    def __repr__(self):
        if self._song:
            return f"kiln.Track({self.name!r}, xform={self.xform!r}, song={self.song!r})"
        return f"kiln.Track({self.name!r}, {list(self.keys)!r}, xform={self.xform!r}, ends={self.ends!r})"

    def _element(self):
        of = "" if self.xform is None else f" xform={quoteattr('final' if self.xform == 'final' else str(self.xform + 1))}"
        if self._song:
            song = "".join(f" {attribute}={quoteattr(_value_text(value))}" for attribute, value in self._song)
            return f"<kiln_track{of} name={quoteattr(self.name)}{song}/>"
        keys = "".join(f'<key time="{time!r}" value={quoteattr(_value_text(value))}' +
                       (f" easing={quoteattr(easing)}" if easing != "linear" else "") + "/>"
                       for time, value, easing in self.keys)
        return f"<kiln_track{of} name={quoteattr(self.name)} ends={quoteattr(self.ends)}>{keys}</kiln_track>"


def _value_text(value):
    return value if isinstance(value, str) else " ".join(repr(float(number)) for number in flat(value))


def _value_of(text):
    try:
        numbers = tuple(float(word) for word in text.split())
    except ValueError:
        return text
    return numbers[0] if len(numbers) == 1 else numbers


def _track_of(element):
    which = element.get("xform")
    xform = None if which is None else "final" if which == "final" else int(which) - 1
    keys = [(float(key.get("time")), _value_of(key.get("value")), key.get("easing", "linear")) for key in element]
    song = {name: text for name, text in element.items() if name not in ("name", "xform", "ends")}
    return Track(element.get("name"), keys, xform, element.get("ends", "hold"), song)


class Tracks(collections.abc.MutableSequence):
    """The tracks of a flame, as kiln.Track."""

    __slots__ = ("_scene",)

    def __init__(self, scene):
        self._scene = scene

    def _all(self):
        return [_track_of(element) for element in ElementTree.fromstring(f"<all>{self._scene.get('tracks')}</all>")]

    def _put(self, tracks):
        for track in tracks:
            if not isinstance(track, Track):
                raise wrong(f"{track!r} is no kiln.Track")
        self._scene.set("tracks", "".join(track._element() for track in tracks))

    def __len__(self):
        return self._scene.count("track")

    def __getitem__(self, index):
        return self._all()[index]

    def __setitem__(self, index, track):
        tracks = self._all()
        tracks[index] = track
        self._put(tracks)

    def __delitem__(self, index):
        tracks = self._all()
        del tracks[index]
        self._put(tracks)

    def insert(self, index, track):
        tracks = self._all()
        tracks.insert(index, track)
        self._put(tracks)

    def __eq__(self, other):
        return self._all() == list(other) if isinstance(other, (Tracks, list)) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return repr(self._all())
