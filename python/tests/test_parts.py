# SPDX-License-Identifier: MIT
"""A flame as an object: its xforms, variations, palettes and tracks, and a notebook of them."""

import copy
import json
import pathlib
import pickle
import random

import numpy
import pytest

import kiln

root = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def flame():
    return kiln.load(root / "flames" / "conch.flam3")[0]


def small_hash(flame):
    return kiln.render(flame, width=32, quality=5).hash


def test_what_is_set_to_what_it_is_changes_no_byte():
    for path in sorted((root / "flames").glob("*.flam3"))[::4]:
        flame = kiln.load(path)[0]
        before, hash_before = flame.xml, small_hash(flame)
        for xform in list(flame.xforms) + list(flame.finals):
            xform.coefs, xform.post = xform.coefs, xform.post
            for name in kiln._kiln.xform_numbers():
                # turns of a map are computed, and so is its size
                if not any(word in name for word in ("size", "turn")) and not (flame.final and name in ("weight", "chaos")):
                    setattr(xform, name, getattr(xform, name))
            for name, variation in xform.variations.items():
                xform.variations[name] = {"weight": variation.weight, **variation.parameters}
        flame.xaos, flame.palette = flame.xaos, flame.palette
        flame.tracks, flame.xforms, flame.finals = list(flame.tracks), list(flame.xforms), list(flame.finals)
        flame.xforms.reverse()
        flame.xforms.reverse()
        assert flame.xml == before and small_hash(flame) == hash_before, path


def test_variations_are_a_mapping(flame):
    xform = flame.xforms[3]
    before = list(xform.variations)
    xform.variations["julian"].weight = 0.5
    xform.variations["julian"]["power"] = 5
    assert 'julian="0.5" julian_power="5"' in flame.xml
    assert "julian" in xform.variations and "heart" not in xform.variations
    assert xform.variations["julian"].parameters == {"power": 5.0, "dist": 1.0}
    assert xform.variations["heart"].weight == 0 and xform.variations.get("heart") is None
    del xform.variations["julian"]
    assert list(xform.variations) == before and "julian" not in xform.xml
    xform.variations = {"linear": 1, "pre_crop": {"weight": 0.5, "left": -0.25}}
    assert dict(xform.variations) == {"linear": 1, "pre_crop": 0.5} and 'pre_crop_left="-0.25"' in flame.xml
    with pytest.raises(KeyError):
        del xform.variations["heart"]
    with pytest.raises(kiln.UsageError, match="no parameter 'powr'; it has power, dist"):
        xform.variations["julian"]["powr"] = 1


def test_what_no_file_may_have_is_refused(flame):
    before = flame.xml
    xform = flame.xforms[0]
    for words, wrong in (("did you mean \"julian\"", lambda: xform.variations["juliann"]),
                         ("must not be negative", lambda: setattr(xform, "weight", -1)),
                         ("6", lambda: setattr(xform, "coefs", [1, 2, 3])),
                         ("matrix of", lambda: setattr(flame, "xaos", [1.0])),
                         ("from 0 to 1", lambda: setattr(flame, "palette", numpy.full((4, 3), 2.0))),
                         ("no such attribute", lambda: kiln.Flame(gama=1)),
                         ("is no kiln.Xform", lambda: flame.xforms.append(3)),
                         ("is no kiln.Track", lambda: flame.tracks.append("turn")),
                         ("gamma", lambda: flame.tracks.append(kiln.Track("gama", [(0, 1)]))),
                         ("sort the", lambda: flame.tracks.append(kiln.Track("gamma", [(1, 1), (0, 1)]))),
                         ("each of the", lambda: flame.xforms.reorder([0])),
                         ("numbers are wanted", lambda: setattr(xform, "weight", "much"))):
        with pytest.raises(kiln.Error, match=words) as raised:
            wrong()
        assert raised.value.kind == "usage"
        assert flame.xml == before, words
    with pytest.raises(IndexError):
        flame.xforms[99]
    with pytest.raises(ValueError):
        xform.coefs[0, 0] = 1  # would be lost
    with pytest.raises(ValueError):
        flame.palette[0] = 0


def test_xforms_are_a_list_of_live_parts(flame):
    n = len(flame.xforms)
    own = flame.xforms[0].copy()
    own.weight = 7
    assert flame.xforms[0].weight != 7
    flame.xforms.append(own)
    flame.xforms[-1].color = 0.125
    assert len(flame.xforms) == n + 1 and flame.xforms[n].weight == 7 and own.color != 0.125
    weights = [xform.weight for xform in flame.xforms]
    flame.xforms.reorder(range(n, -1, -1))
    assert [xform.weight for xform in flame.xforms] == weights[::-1]
    flame.xforms.move(0, n)
    taken = flame.xforms.pop()
    assert taken.weight == 7 and len(flame.xforms) == n
    assert flame.xforms[1:3] == [flame.xforms[1], flame.xforms[2]] and flame.xforms[0] != flame.xforms[1]
    flame.xforms = [taken, kiln.Xform(variations={"spherical": 1})]
    assert [list(xform.variations) for xform in flame.xforms][1] == ["spherical"]
    flame.final = kiln.Xform(variations={"swirl": 0.5}, opacity=0.5)
    assert flame.final.opacity == 0.5 and "<finalxform" in flame.xml
    flame.final = None
    assert flame.final is None and "finalxform" not in flame.xml
    again = pickle.loads(pickle.dumps(taken))
    assert again == taken and hash(again) == hash(taken)


def test_xforms_change_places_by_move_and_reorder_alone(flame):
    before = flame.xml

    def swap():
        flame.xforms[0], flame.xforms[1] = flame.xforms[1], flame.xforms[0]

    for wrong in swap, lambda: random.Random(1).shuffle(flame.xforms):
        with pytest.raises(kiln.UsageError, match=r"same flame.*move\(\) and reorder\(\).*\.copy\(\)"):
            wrong()
        assert flame.xml == before
    flame.xforms[1] = flame.xforms[1]
    assert flame.xml == before
    elements = [xform.xml for xform in flame.xforms]
    order = list(range(len(elements)))
    random.Random(1).shuffle(order)
    flame.xforms.reorder(order)
    assert [xform.xml for xform in flame.xforms] == [elements[i] for i in order] != elements


def test_an_xform_whose_list_changed_is_refused(flame):
    n = len(flame.xforms)
    edits = {"delete": lambda xforms: xforms.__delitem__(0), "insert": lambda xforms: xforms.insert(0, kiln.Xform()),
             "move": lambda xforms: xforms.move(0, n - 1), "reverse": lambda xforms: xforms.reorder([*range(1, n), 0]),
             "set": lambda xforms: xforms.__setitem__(2, kiln.Xform()), "clear": lambda xforms: xforms.clear(),
             "all": lambda xforms: xforms._replace([kiln.Xform()] * n), "own": lambda xforms: xforms._replace(xforms[1:])}
    for name, edit in edits.items():
        other = flame.copy()
        x = other.xforms[2]
        variations, some = x.variations, x.variations[next(iter(x.variations))]
        kept = x.copy()
        edit(other.xforms)
        after = other.xml
        for use in (lambda: x.weight, lambda: setattr(x, "weight", 3), lambda: x.coefs, x.copy, lambda: x == kept,
                    lambda: variations.update(julian=1), lambda: setattr(some, "weight", 2), lambda: other.xforms.append(x),
                    lambda: other.xforms.remove(x), lambda: setattr(other, "final", x)):
            with pytest.raises(kiln.UsageError, match=r"list of xforms changed.*anew.*\.copy\(\)"):
                use()
        assert other.xml == after and "xform.2" in repr(x), name
        assert kept == flame.xforms[2]
    first, last = flame.xforms[0], flame.xforms[n - 1]  # nobody else comes to their places
    flame.xforms.append(kiln.Xform())
    del flame.xforms[n]
    flame.xforms.move(1, 2)
    assert first == flame.xforms[0] and last == flame.xforms[n - 1]
    elements = [xform.xml for xform in flame.xforms]
    with pytest.raises(kiln.UsageError, match="list of xforms changed"):
        for xform in list(flame.xforms)[:2]:
            flame.xforms.remove(xform)
    assert [xform.xml for xform in flame.xforms] == elements[1:]


def test_one_of_equal_xforms_is_removed_by_its_place(flame):
    flame.xforms.append(flame.xforms[0])
    flame.tracks = [kiln.Track("turn", [(0, 1)], xform=0)]
    n = len(flame.xforms)
    assert flame.xforms.index(flame.xforms[n - 1]) == n - 1 and flame.xforms.index(flame.xforms[0].copy()) == 0
    flame.xforms.remove(flame.xforms[n - 1])
    assert len(flame.tracks) == 1 and len(flame.xforms) == n - 1
    flame.xforms.extend(flame.xforms)
    assert len(flame.xforms) == 2 * (n - 1)


def test_numbers_follow_others(flame):
    flame.links = {"xform2.weight": "xform1.weight * 2 + 1", "zoom": 0.5}
    flame.xforms[0].weight = 3
    assert flame.xforms[1].weight == 7 and flame.zoom == 0.5
    assert dict(flame.links) == {"xform2.weight": "xform1.weight * 2 + 1", "zoom": "0.5"}
    with pytest.raises(TypeError):
        flame.links["zoom"] = "1"
    flame.xforms.move(0, 1)
    assert flame.links["xform1.weight"] == "xform2.weight * 2 + 1"
    for wrong, says in ({"xform1.weigth": 1}, "did you mean"), ({"zoom": "zoom"}, "circle"), ({"xform99.weight": 1}, "xform99.weight"):
        with pytest.raises(kiln.Error, match=says) as raised:
            flame.links = wrong
        assert raised.value.kind == "usage"
    assert len(flame.links) == 2
    assert dict(kiln.parse(flame.xml)[0].links) == dict(flame.links)
    flame.links = {}
    flame.tile = 1
    assert 'kiln_tile="1"' in flame.xml and "kiln_link" not in flame.xml


def test_a_flame_keeps_xaos_and_tracks_of_its_own_xforms():
    for path in sorted((root / "flames").glob("*.flam3")):
        flame = kiln.load(path)[0]
        n = len(flame.xforms)
        flame.tracks = [kiln.Track("turn", [(0, i)], xform=i) for i in range(n)]
        before = flame.xml
        flame.xforms = list(flame.xforms)
        flame.xforms += []
        assert flame.xml == before, path
        for i in range(n):
            flame.xforms[i] = flame.xforms[i].copy()
        assert (flame.xaos == kiln.parse(before)[0].xaos).all() and len(flame.tracks) == n, path
        flame = kiln.parse(before)[0]
        xaos = flame.xaos
        flame.xforms = flame.xforms[::-1]
        assert (flame.xaos == xaos[::-1, ::-1]).all(), path
        assert [track.xform for track in flame.tracks] == list(range(n))[::-1], path
        flame.xforms = list(flame.xforms)[::-1][1:]
        assert (flame.xaos == xaos[1:, 1:]).all() and len(flame.tracks) == n - 1, path
        other = kiln.Flame()
        other.xforms = kiln.parse(before)[0].xforms
        assert (other.xaos == xaos).all(), path
        other.xforms.insert(0, other.xforms[1])
        assert (other.xaos[0, 1:] == xaos[1]).all() and (other.xaos[1:, 1:] == xaos).all(), path
        other.xforms = [kiln.Xform(), *other.xforms[1:], other.xforms[1]]
        assert (other.xaos[1:-1, 1:-1] == xaos).all() and (other.xaos[-1, 1:-1] == xaos[0]).all(), path


def test_a_flame_keeps_the_tracks_of_its_final(flame):
    flame.final = kiln.Xform(variations={"swirl": 0.5})
    flame.tracks = [kiln.Track("turn", [(0, 0), (12, 90)], xform="final")]
    before, final = flame.xml, flame.final
    flame.final = flame.final
    flame.finals = list(flame.finals)
    assert flame.xml == before and final.turn == 0
    flame.final = kiln.Xform(variations={"bent": 1})
    assert list(flame.final.variations) == ["bent"] and len(flame.tracks) == 1
    with pytest.raises(kiln.UsageError, match="list of finals changed"):
        final.turn = 1
    flame.final = None
    assert len(flame.tracks) == 0


def test_a_flame_is_made_from_nothing():
    flame = kiln.Flame(size=(64, 48), quality=5)
    assert len(flame.xforms) == 0 and pickle.loads(pickle.dumps(flame)) == flame
    with pytest.raises(kiln.Error, match="no xform"):
        kiln.render(flame)
    for x, y in (0, 0), (0.5, 0), (0.25, 0.5):
        flame.xforms.append(kiln.Xform(coefs=[[0.5, 0, x], [0, 0.5, y]], color=x))
    assert flame.palette.shape == (256, 3) and (flame.palette == 1).all()
    assert kiln.render(flame).hash == kiln.render(kiln.parse(flame.xml)[0]).hash
    assert flame.xforms[1].coefs.tolist() == [[0.5, 0, 0.5], [0, 0.5, 0]]
    assert flame.xforms[1].position.tolist() == [0.5, 0]


def test_flames_are_equal_hashed_and_copied(flame):
    other = copy.deepcopy(flame)
    assert flame == other and hash(flame) == hash(other) and flame.digest == other.digest
    assert len({flame, other}) == 1
    other.xforms[0].weight += 1
    assert flame != other and flame.digest != other.digest
    assert kiln.differences(flame, flame)["same"]
    words = kiln.differences(flame, other)["words"]
    assert len(words) == 1 and words[0].startswith("xform.0.weight: ")


def test_matrices_and_palettes_are_arrays(flame):
    n = len(flame.xforms)
    xaos = flame.xaos.copy()
    xaos[0] = range(n)
    flame.xaos = xaos
    assert (flame.xaos == xaos).all() and flame.xforms[0].chaos.tolist() == list(range(n))
    flame.palette = flame.palette[::-1]
    flame.palette = numpy.linspace(0, 1, 6).reshape(2, 3)
    assert flame.palette.shape == (256, 3)
    flame.palette = numpy.ones((256, 4)) * [0.5, 0.5, 0.5, 0.5]
    assert flame.palette.shape == (256, 4)
    assert kiln.parse(flame.xml)[0] == flame


def test_tracks_make_a_film(flame):
    turn = kiln.Track("turn", [(0, 0), (12, 120, "ease-in")], xform=0, ends="cycle")
    flame.tracks = [turn, kiln.Track("center", [(0, (0, 0)), (12, (1, 0.5))])]
    assert flame.tracks == [turn, kiln.Track("center", [(0, (0, 0)), (12, (1, 0.5))])]
    assert 'xform="1" name="turn" ends="cycle"' in flame.xml
    del flame.tracks[1]
    flame.tracks.append(kiln.Track("gamma", [(0, 3.5)]))
    assert [track.name for track in flame.tracks] == ["turn", "gamma"]
    flame.xforms.insert(0, kiln.Xform())
    assert flame.tracks[0].xform == 1
    with pytest.raises(AttributeError, match="puts another"):
        turn.name = "size"
    assert pickle.loads(pickle.dumps(turn)) == turn and hash(turn) == hash(pickle.loads(pickle.dumps(turn)))


def test_tracks_that_a_song_drives_are_kept(flame):
    flame._scene.set("tracks", '''<kiln_track name="zoom" sound="bass" from="0" to="0.4" release="0.3" delay="-0.1"/>
        <kiln_track xform="2" name="turn" sound="60-250" each="bar" shape="steps" from="0" to="45" attack="0.1"/>
        <kiln_track name="center" sound="high" from="0 0" to="1 0.5" threshold="0.2" easing="ease-in"/>
        <kiln_track name="brightness" ends="cycle"><key time="0" value="4"/><key time="9" value="5"/></kiln_track>''')
    before = flame.xml
    assert 'threshold="0.2"' in before and 'each="bar"' in before
    flame.tracks = list(flame.tracks)
    assert flame.xml == before
    zoom, turn, center, keyed = flame.tracks
    assert zoom.song == {"sound": "bass", "from": 0, "to": 0.4, "release": 0.3, "delay": -0.1} and zoom.keys == ()
    assert turn.xform == 1 and turn.song["sound"] == "60-250" and center.song["to"] == (1, 0.5) and keyed.song == {}
    assert zoom == kiln.Track("zoom", song=zoom.song) != kiln.Track("zoom", song={**zoom.song, "to": 0.5})
    for track in flame.tracks:
        again = pickle.loads(pickle.dumps(track))
        assert again == track and hash(again) == hash(track) and eval(repr(track)) == track
    flame.tracks.append(kiln.Track("gamma", [(0, 3)]))
    del flame.tracks[4]
    assert flame.xml == before
    for words, song in ("each", {**zoom.song, "each": "tooth"}), ("no attribute", {'x="1" y': 1}):
        with pytest.raises(kiln.UsageError if words != "each" else kiln.Error, match=words):
            flame.tracks.append(kiln.Track("zoom", song=song))
    with pytest.raises(kiln.UsageError, match="keys and ends, or a song"):
        kiln.Track("zoom", [(0, 1)], song=zoom.song)
    assert flame.xml == before


def test_parts_have_names(flame):
    flame.set("xform.*.color_speed", 0.25)
    assert flame.get("xform.1.color_speed") == "0.25"
    assert all(xform.color_speed == 0.25 for xform in flame.xforms)
    assert isinstance(flame.xforms[0].weight, float) and flame.xforms[0].name == ""
    flame.xforms[0].name = "first"
    assert flame.xforms[0].name == "first" and 'name="first"' in flame.xforms[0].xml


def test_stubs_name_the_parts():
    stub = (pathlib.Path(kiln.__file__).parent / "_parts.pyi").read_text()
    for name in list(kiln._kiln.xform_numbers()) + ["coefs", "post", "xml", "name"]:
        assert f"\n    {name}: " in stub, name


def test_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flames").symlink_to(root / "flames")
    notebook = json.loads((root / "examples" / "flames.ipynb").read_text())
    names = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5 and all(not cell["outputs"] for cell in cells)
    for cell in cells:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    assert len(names["frames"]) > 1
