# SPDX-License-Identifier: MIT
import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt
from typing_extensions import TypedDict, Unpack

from ._kiln import Error as Error
from ._parts import Track as Track
from ._parts import Tracks, Xforms
from ._parts import Variation as Variation
from ._parts import Xform as Xform

class UsageError(Error, TypeError, ValueError): ...

__version__: str
Path = Union[str, "os.PathLike[str]"]
Progress = Union[bool, Callable[[float, float, str], None], None]

class Flame:
    time: float
    name: str
    nick: str
    url: str
    width: int
    size: Tuple[int, int]
    center: Tuple[float, float]
    scale: float
    zoom: float
    rotate: float
    cam_zpos: float
    cam_persp: float
    cam_pitch: float
    cam_yaw: float
    cam_dof: float
    blur_curve: float
    projection: str
    dome: float
    eyes: float
    tile: int
    quality: float
    supersample: int
    filter: float
    filter_kernel: str
    filter_shape: str
    background: Tuple[float, float, float]
    background_type: str
    background_ul: Tuple[float, float, float]
    background_ur: Tuple[float, float, float]
    background_ll: Tuple[float, float, float]
    background_lr: Tuple[float, float, float]
    background_cc: Tuple[float, float, float]
    brightness: float
    gamma: float
    gamma_threshold: float
    vibrancy: float
    highlight_power: float
    hue: float
    palette_mode: str
    estimator_radius: float
    estimator_minimum: float
    estimator_curve: float
    clean: float
    saturation: float
    white_level: float
    contrast: float
    fg_opacity: float
    antialias_amount: float
    antialias_radius: float
    low_density_brightness: float
    preserve_z: int
    logscale_k2: float
    bloom: Tuple[float, ...]
    glare: Tuple[float, ...]
    vignette: float
    passes: int
    temporal_samples: int
    temporal_filter_width: float
    temporal_filter_exp: float
    temporal_filter_type: str
    interpolation: str
    easing: str
    interpolation_type: str
    palette_interpolation: str
    hsv_rgb_palette_blend: float
    def __init__(self, other: Optional[Flame] = None, **attributes: Any) -> None: ...
    def copy(self) -> Flame: ...
    @property
    def xforms(self) -> Xforms: ...
    @xforms.setter
    def xforms(self, xforms: Iterable[Xform]) -> None: ...
    @property
    def final(self) -> Optional[Xform]: ...
    @final.setter
    def final(self, xform: Optional[Xform]) -> None: ...
    @property
    def finals(self) -> Xforms: ...
    @finals.setter
    def finals(self, xforms: Iterable[Xform]) -> None: ...
    @property
    def xaos(self) -> npt.NDArray[np.float64]: ...
    @xaos.setter
    def xaos(self, matrix: npt.ArrayLike) -> None: ...
    @property
    def palette(self) -> npt.NDArray[np.float64]: ...
    @palette.setter
    def palette(self, palette: Union[Path, int, npt.ArrayLike]) -> None: ...
    @property
    def tracks(self) -> Tracks: ...
    @tracks.setter
    def tracks(self, tracks: Iterable[Track]) -> None: ...
    @property
    def links(self) -> Mapping[str, str]: ...
    @links.setter
    def links(self, links: Mapping[str, Union[str, float]]) -> None: ...
    @property
    def digest(self) -> str: ...
    def get(self, part: str) -> str: ...
    def set(self, part: str, value: Any) -> None: ...
    def set_palette(self, palette: Union[Path, int, npt.NDArray[Any], Sequence[Sequence[float]]]) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def xml(self) -> str: ...
    def flam3_xml(self, approximate: bool = False) -> str: ...
    def points(self, count: float = 1000000, *, seed: int = 0, inside: bool = False, threads: int = 0) -> Points: ...
    def save_points(self, path: Path, count: float = 1000000, *, seed: int = 0, inside: bool = False,
                    threads: int = 0, cells: int = 256) -> None: ...
    def light_at(self, x: float, y: float, *, radius: float = 0, seed: int = 0, threads: int = 0) -> Dict[str, Any]: ...

class Points(NamedTuple):
    places: npt.NDArray[np.float32]
    colors: npt.NDArray[np.uint8]
    xforms: npt.NDArray[np.uint16]

class Picture:
    frame: Optional[int]
    time: Optional[float]
    @property
    def pixels(self) -> npt.NDArray[Any]: ...
    @property
    def hits(self) -> Optional[npt.NDArray[np.float32]]: ...
    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]: ...
    @property
    def hash(self) -> str: ...
    @property
    def record(self) -> str: ...
    @property
    def statistics(self) -> Dict[str, Any]: ...
    def save(self, path: Path, single_float: bool = False, *, title: str = "", author: str = "", copyright: str = "",
             source: str = "") -> None: ...
    def encode(self, single_float: bool = False, *, title: str = "", author: str = "", copyright: str = "",
               source: str = "") -> bytes: ...

class Session:
    def __init__(self, backend: str = "automatic", device: int = 0, threads: int = 0,
                 devices: Union[Iterable[int], str, None] = None) -> None: ...
    @property
    def device(self) -> str: ...

def differences(a: Union[Flame, Path], b: Union[Flame, Path]) -> Dict[str, Any]: ...
def devices() -> List[Dict[str, Any]]: ...
def load(path: Path, approximate: bool = False) -> List[Flame]: ...
def parse(xml: str, approximate: bool = False) -> List[Flame]: ...

class _Frame(TypedDict, total=False):
    seed: int
    bits: int
    linear: bool
    transparent: bool
    earlyclip: bool
    compat_flam3: bool
    exact_density: bool
    steer: bool
    dpi: float
    crop: Optional[Tuple[int, int, int, int]]
    psf: Optional[Path]
    max_memory_bytes: int
    stages: bool

class _Shard(_Frame, total=False):
    halves: bool

class _Still(_Shard, total=False):
    until_noise: float
    time_limit: float

def random(count: int = 1, seed: int = 0) -> List[Flame]: ...
def mutate(flame: Union[Flame, Path], count: int = 12, seed: int = 0, *, strength: float = 0.5,
           direction: str = "any") -> List[Flame]: ...
def breed(flames: Iterable[Union[Flame, Path]], count: int = 12, seed: int = 0, *,
          method: str = "any") -> List[Flame]: ...
def previews(flames: Union[Path, Iterable[Union[Flame, Path]]], width: int, height: int, quality: float, *,
             session: Optional[Session] = None, seed: int = 0,
             transparent: bool = False) -> npt.NDArray[np.uint8]: ...
class Song:
    seconds: float
    bpm: float
    fps: float
    sha256: str
    onsets: npt.NDArray[np.float64]
    beats: npt.NDArray[np.float64]
    bars: npt.NDArray[np.float64]
    loudest: npt.NDArray[np.float64]
    tracks: Dict[str, npt.NDArray[np.float32]]
    def __getattr__(self, name: str) -> npt.NDArray[np.float32]: ...

def listen(path: Path, fps: float = 30.0, *, attack: float = 0.01, release: float = 0.15, bar: int = 4) -> Song: ...
def render(flame: Union[Flame, Path], *, width: Optional[int] = None, quality: Optional[float] = None,
           progress: Progress = None, session: Optional[Session] = None, state: Optional[Path] = None,
           checkpoint: float = 60.0, **options: Unpack[_Still]) -> Picture: ...
def render_shard(flame: Union[Flame, Path], state: Path, number: int, of: int, *, width: Optional[int] = None,
                 quality: Optional[float] = None, progress: Progress = None, session: Optional[Session] = None,
                 checkpoint: float = 60.0, **options: Unpack[_Shard]) -> Dict[str, Any]: ...
def merge(states: Iterable[Path], path: Path, *, max_memory_bytes: int = 0) -> None: ...
def grade(flame: Union[Flame, Path], state: Path, *, session: Optional[Session] = None,
          **options: Unpack[_Frame]) -> Picture: ...
class Frames(Iterator[Picture]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Frames: ...
    def __next__(self) -> Picture: ...
def animate(flames: Union[Iterable[Union[Flame, Path]], Path], *, nframes: Optional[int] = None, loops: int = 1,
            stagger: float = 0.0, smooth: bool = True, loop: bool = False, step: float = 1.0,
            easing: str = "", hold: float = 0.0, bpm: Optional[float] = None, beats: float = 4.0, fps: float = 30.0,
            frames: Optional[Iterable[int]] = None, width: Optional[int] = None, quality: Optional[float] = None,
            progress: Progress = None, session: Optional[Session] = None,
            **options: Unpack[_Frame]) -> Frames: ...
