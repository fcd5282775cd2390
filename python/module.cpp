// SPDX-License-Identifier: MIT
// The native half of the Python package: kiln.h's objects, rendered on a thread of their own while
// Python's waits with the lock of the interpreter released, hears signals and calls back. What users
// see is made of it in kiln/__init__.py.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/api/api_impl.h"
#include "engine/base/platform/process.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/model/flame_attributes.h"
#include "engine/render/light_at.h"

namespace py = pybind11;

namespace {

/// The time between two looks at Python's signals while it waits.
constexpr std::chrono::milliseconds turn{20};

/// A render on another thread.
class Background {
 public:
  Background(kiln::RenderOptions options,
             const std::function<kiln::Picture(const kiln::RenderOptions&)>& work) {
    options.stop = stop_.get_token();
    options.on_progress = [this](const kiln::Progress& progress) {
      const std::lock_guard lock(mutex_);
      progress_ = progress;
    };
    thread_ = std::jthread([this, options, work] {
      try {
        picture_ = work(options);
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    });
  }
  ~Background() { stop_.request_stop(); }

  /// Whether it is done after a turn; nobody needs the interpreter meanwhile.
  bool wait() {
    const py::gil_scoped_release released;
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, turn, [this] { return done_; });
  }
  std::optional<kiln::Progress> news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(progress_, std::nullopt);
  }
  void stop() {
    stop_.request_stop();
    const py::gil_scoped_release released;
    thread_.join();
  }
  kiln::Picture picture() {
    if (failure_) std::rethrow_exception(failure_);
    return std::move(*picture_);
  }

 private:
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::optional<kiln::Progress> progress_;
  std::optional<kiln::Picture> picture_;
  std::exception_ptr failure_;
  std::jthread thread_;
};

/// Waits for a render; a signal, or what the callback throws, ends it and goes on to the caller.
kiln::Picture rendered(const kiln::RenderOptions& options, const py::object& progress,
                       const std::function<kiln::Picture(const kiln::RenderOptions&)>& work) {
  Background render(options, work);
  try {
    while (!render.wait()) {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const std::optional<kiln::Progress> news = render.news();
      if (news && !progress.is_none())
        progress(news->done, news->remaining_s, std::string(news->stage));
    }
  } catch (...) {
    render.stop();
    throw;
  }
  return render.picture();
}

/// One device, for all threads of Python in turn. In a child of fork() another one of its kind: a
/// thread that stayed in the parent may have been using this.
struct Session {
  explicit Session(const kiln::RenderOptions& o) : opened(o) { open(); }
  const kiln::RenderOptions opened;
  std::optional<kiln::Session> session;
  std::unique_ptr<std::timed_mutex> mutex;
  int process = 0;

  void open() {
    session = kiln::Session(opened);
    mutex = std::make_unique<std::timed_mutex>();
    process = kiln::process_id();
  }

  /// The device for this render alone. Throws Error (stopped) where it is not waited for.
  std::unique_lock<std::timed_mutex> taken(const std::stop_token& stop) {
    std::unique_lock lock(*mutex, std::defer_lock);
    while (!lock.try_lock_for(turn))
      if (stop.stop_requested()) throw kiln::Error(kiln::ErrorKind::stopped, "stopped");
    return lock;
  }

  /// The device's own options with what the picture says. One thread at a time, as the
  /// interpreter's lock is held.
  kiln::RenderOptions with(kiln::RenderOptions options) {
    if (process != kiln::process_id()) open();
    options.backend = opened.backend;
    options.device = opened.device;
    options.threads = opened.threads;
    options.helpers = opened.helpers;
    return options;
  }
};

/// A view of the picture's own memory, which lives as long as the view.
template <class T>
py::array view(const py::object& picture, const T* data, std::vector<py::ssize_t> shape) {
  py::array array(py::dtype::of<T>(), std::move(shape), data, picture);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array pixels_of(const py::object& self) {
  const kiln::Image& image = self.cast<const kiln::Picture&>().image;
  const std::vector<py::ssize_t> shape{image.height, image.width, 4};
  if (image.bits() == 8) return view(self, image.pixels8().data(), shape);
  if (image.bits() == 16) return view(self, image.pixels16().data(), shape);
  return view(self, image.linear().rgba.data(), shape);
}

py::object hits_of(const py::object& self) {
  const kiln::Image& image = self.cast<const kiln::Picture&>().image;
  if (image.bits() != 32) return py::none();
  return view(self, image.linear().hits.data(), {image.height, image.width});
}

py::dict statistics_of(const kiln::Picture& picture) {
  const kiln::RenderStatistics& s = picture.statistics;
  py::dict all;
  all["samples"] = s.samples;
  all["earlier_samples"] = s.earlier_samples;
  all["bad_values"] = s.bad_values;
  all["iterate_s"] = s.iterate_s;
  all["output_s"] = s.output_s;
  all["quality"] = s.quality;
  all["noise"] = s.noise < 0 ? py::object(py::none()) : py::float_(s.noise);
  all["noise_error"] = s.noise < 0 ? py::object(py::none()) : py::float_(s.noise_error);
  all["ended_by"] = s.ended_by;
  all["light_lost"] = s.light_lost;
  all["peak_memory_bytes"] = s.peak_memory_bytes;
  all["device"] = s.device;
  all["warning"] = s.warning;
  return all;
}

kiln::ExrPrecision precision(bool single_float) {
  return single_float ? kiln::ExrPrecision::single_float : kiln::ExrPrecision::half_float;
}

const char* name_of(kiln::ErrorKind kind) {
  switch (kind) {
    case kiln::ErrorKind::usage:
      return "usage";
    case kiln::ErrorKind::input:
      return "input";
    case kiln::ErrorKind::unsupported:
      return "unsupported";
    case kiln::ErrorKind::output:
      return "output";
    case kiln::ErrorKind::stopped:
      return "stopped";
    default:
      return "device";
  }
}

/// kiln::Error as kiln.Error, with its kind.
void add_error(py::module_& module) {
  static const py::handle type = PyErr_NewException("kiln.Error", PyExc_RuntimeError, nullptr);
  module.add_object("Error", type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const kiln::StateNotWritten& error) {
      const py::object value = type(error.what());
      value.attr("kind") = name_of(error.kind);
      value.attr("picture") = std::move(*error.picture);
      PyErr_SetObject(type.ptr(), value.ptr());
    } catch (const kiln::Error& error) {
      const py::object value = type(error.what());
      value.attr("kind") = name_of(error.kind);
      PyErr_SetObject(type.ptr(), value.ptr());
    }
  });
}

void add_options(py::module_& module) {
  py::enum_<kiln::Backend>(module, "Backend")
      .value("automatic", kiln::Backend::automatic)
      .value("cpu", kiln::Backend::cpu)
      .value("cuda", kiln::Backend::cuda);
  py::class_<kiln::RenderOptions>(module, "Options")
      .def(py::init<>())
#define KILN_SETTING(name, ...) .def_readwrite(#name, &kiln::RenderOptions::name)
#define KILN_CPP_SETTING(...)
#include "engine/io/picture/picture_settings.inc"
#undef KILN_CPP_SETTING
#undef KILN_SETTING
      .def(
          "help_all", [](kiln::RenderOptions& o) { kiln::share_work(kiln::all_gpus(), o); },
          py::call_guard<py::gil_scoped_release>())  // CUDA starts
      .def("help",
           [](kiln::RenderOptions& o, int device) {
             o.helpers.push_back({o.backend, device, o.threads});
           })
      .def_property("crop", nullptr,
                    [](kiln::RenderOptions& o, const std::optional<std::array<int, 4>>& w) {
                      if (w) o.crop = kiln::Window{(*w)[0], (*w)[1], (*w)[2], (*w)[3]};
                    })
      .def_property("psf", nullptr,
                    [](kiln::RenderOptions& o, const std::optional<std::filesystem::path>& option) {
                      if (option) o.psf = kiln::load_point_spread(option->string());
                    });
  py::dict names;  // of keyword arguments, and of their members
  for (const kiln::PictureSetting& setting : kiln::picture_settings())
    if (setting.python) names[setting.python] = setting.name;
  module.attr("settings") = names;
}

/// An array whose memory is the vector's.
template <class T>
py::array array_of(std::vector<T> values, const std::vector<py::ssize_t>& shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* all) { delete static_cast<std::vector<T>*>(all); });
  return py::array(py::dtype::of<T>(), shape, kept->data(), owner);
}

kiln::PointOptions point_options(std::uint64_t count, std::uint64_t seed, bool inside,
                                 int threads) {
  kiln::PointOptions options;
  options.count = count;
  options.seed = seed;
  options.inside = inside;
  options.threads = threads;
  return options;
}

py::tuple points_of(const kiln::Scene& scene, std::uint64_t count, std::uint64_t seed, bool inside,
                    int threads) {
  kiln::Points points;
  {
    const py::gil_scoped_release others;
    points = kiln::points(scene, point_options(count, seed, inside, threads));
  }
  const auto n = py::ssize_t(points.xforms.size());
  return py::make_tuple(array_of(std::move(points.places), {n, 3}),
                        array_of(std::move(points.colors), {n, 4}),
                        array_of(std::move(points.xforms), {n}));
}

void add_flames(py::module_& module) {
  const auto unsupported = [](bool approximate) {
    return approximate ? kiln::Unsupported::approximate : kiln::Unsupported::refuse;
  };
  using Warn = std::function<void(const std::string&)>;
  py::class_<kiln::Scene>(module, "Scene")
      .def(py::init<>())
      .def(py::init<const kiln::Scene&>())
      .def("get", &kiln::Scene::get)
      .def("numbers", &kiln::Scene::numbers)
      .def("set_numbers", &kiln::Scene::set_numbers)
      .def("names", &kiln::Scene::names)
      .def("count", &kiln::Scene::count)
      .def("insert", &kiln::Scene::insert)
      .def("remove", &kiln::Scene::remove)
      .def("move", &kiln::Scene::move)
      .def("take", [](kiln::Scene& s, const kiln::Scene& other) { s = other; })
      .def("digest", &kiln::Scene::digest)
      .def("light_at",
           [](const kiln::Scene& s, double x, double y, double radius, std::uint64_t seed,
              int threads) {
             const py::gil_scoped_release others;
             kiln::LightOptions options;
             options.x = x;
             options.y = y;
             options.radius = radius;
             options.seed = seed;
             options.threads = threads;
             return kiln::light_json(kiln::light_at(s, options));
           })
      .def("points", &points_of)
      .def("save_points",
           [](const kiln::Scene& s, const std::filesystem::path& path, std::uint64_t count,
              std::uint64_t seed, bool inside, int threads, int cells) {
             const py::gil_scoped_release others;
             kiln::PointOptions options = point_options(count, seed, inside, threads);
             options.cells = cells;
             kiln::save_points(s, path.string(), options);
           })
      .def("width", &kiln::Scene::width)
      .def("height", &kiln::Scene::height)
      .def("set_width", &kiln::Scene::set_width)
      .def("attribute", &kiln::Scene::attribute)
      .def("set", &kiln::Scene::set)
      .def("set_palette", &kiln::Scene::set_palette)
      .def("pixel_aspect", [](const kiln::Scene& s) { return s.impl().flame.pixel_aspect; })
      .def("set_pixel_aspect",
           [](kiln::Scene& s, double aspect) { s.impl().flame.pixel_aspect = aspect; })
      .def("xml", &kiln::Scene::xml)
      .def("flam3_xml", [=](const kiln::Scene& s, const Warn& warn, bool approximate) {
        return s.flam3_xml(warn, unsupported(approximate));
      });
  module.def("attributes", &kiln::flame_attributes_json);
  module.def("xform_numbers", &kiln::xform_number_names);
  module.def("differences", &kiln::differences_json);
  module.def("unfinished", [](const std::string& xml) {  // flames that have no xforms yet, too
    kiln::ReaderOptions options;
    options.unfinished = options.approximate = true;
    return kiln::scene_of(kiln::parse_flames(xml, "memory", options).flames.at(0));
  });
  module.def("load", [=](const std::string& path, const Warn& warn, bool approximate) {
    return kiln::load_scenes(path, warn, unsupported(approximate));
  });
  module.def("parse", [=](const std::string& xml, const Warn& warn, bool approximate) {
    return kiln::parse_scenes(xml, warn, unsupported(approximate));
  });
  module.def("random", [](int count, std::uint64_t seed) {
    const py::gil_scoped_release others;
    return kiln::random_scenes(count, seed);
  });
  // a flame of its own: meanwhile another thread may change the one that was given
  module.def("mutants", [](const kiln::Scene scene, int count, std::uint64_t seed, double strength,
                           const std::string& direction) {
    const py::gil_scoped_release others;
    return kiln::mutants(scene, count, seed, strength, direction);
  });
  module.def("children", [](const std::vector<kiln::Scene>& parents, int count, std::uint64_t seed,
                            const std::string& method) {
    const py::gil_scoped_release others;
    return kiln::children(parents, count, seed, method);
  });
  py::class_<kiln::Animation>(module, "Animation")
      .def("frame_count", &kiln::Animation::frame_count)
      .def("number", &kiln::Animation::number)
      .def("time", &kiln::Animation::time)
      .def("scene", &kiln::Animation::scene);
  module.def("keys", [](const std::vector<kiln::Scene>& scenes, double step) {
    return kiln::Animation(scenes, step);
  });
  module.def("sequence", [](const std::vector<kiln::Scene>& scenes, int nframes, int loops,
                            double stagger, bool smooth, bool loop, double hold, double part_frames,
                            const std::string& easing) {
    return kiln::Animation::sequence(
        scenes, {nframes, loops, stagger, smooth, hold, part_frames, easing}, loop);
  });
}

/// Title, author, copyright, source.
using Texts = std::array<std::string, 4>;
kiln::Credits credits_of(const Texts& texts) { return {texts[0], texts[1], texts[2], texts[3]}; }

void add_pictures(py::module_& module) {
  py::class_<kiln::Picture>(module, "Picture")
      .def("pixels", &pixels_of)
      .def("hits", &hits_of)
      .def("statistics", &statistics_of)
      .def_readonly("hash", &kiln::Picture::hash)
      .def_readonly("genome", &kiln::Picture::genome)
      .def_readonly("record", &kiln::Picture::record)
      .def("encode",
           [](const kiln::Picture& picture, bool single_float, const Texts& credits) {
             std::string bytes;
             {
               const py::gil_scoped_release released;
               bytes = kiln::encode(picture, credits_of(credits), precision(single_float));
             }
             return py::bytes(bytes);
           })
      .def("save", [](const kiln::Picture& picture, const std::string& path, bool single_float,
                      const Texts& credits) {
        const py::gil_scoped_release released;
        kiln::save(picture, path, credits_of(credits), precision(single_float));
      });
}

void add_sessions(py::module_& module) {
  py::class_<Session>(module, "Session")
      .def(py::init<const kiln::RenderOptions&>(), py::call_guard<py::gil_scoped_release>())
      .def("device", [](const Session& s) { return s.session->device(); })
      .def("render",
           [](Session& s, const kiln::Scene& scene, const kiln::RenderOptions& options,
              const py::object& progress) {
             const kiln::Scene own = scene;  // another thread of Python may change it meanwhile
             return rendered(s.with(options), progress, [&](const kiln::RenderOptions& o) {
               const auto lock = s.taken(o.stop);
               return s.session->render(own, o);
             });
           })
      .def("render_kept",
           [](Session& s, const kiln::Scene& scene, const kiln::RenderOptions& options,
              const py::object& progress, const std::string& path, double every_s) {
             const kiln::Scene own = scene;
             return rendered(s.with(options), progress, [&](const kiln::RenderOptions& o) {
               const auto lock = s.taken(o.stop);
               return s.session->render(own, o, kiln::StateFile{path, every_s});
             });
           })
      .def("render_shard",
           [](Session& s, const kiln::Scene& scene, const kiln::RenderOptions& options,
              const py::object& progress, const std::string& path, double every_s, int number,
              int of) {
             const kiln::Scene own = scene;
             return statistics_of(
                 rendered(s.with(options), progress, [&](const kiln::RenderOptions& o) {
                   const auto lock = s.taken(o.stop);
                   kiln::Picture none;
                   none.statistics = s.session->render_shard(own, o, {path, every_s}, {number, of});
                   return none;
                 }));
           })
      .def("grade",
           [](Session& s, const kiln::Scene& scene, const kiln::RenderOptions& options,
              const std::string& path) {
             const kiln::Scene own = scene;
             return rendered(s.with(options), py::none(), [&](const kiln::RenderOptions& o) {
               const auto lock = s.taken(o.stop);
               return s.session->grade(own, o, path);
             });
           })
      .def("previews",
           [](Session& s, const std::vector<kiln::Scene>& scenes, int width, int height,
              double quality, const kiln::RenderOptions& options,
              const std::function<void(const std::string&)>& warn) {
             // as kiln::previews() has it, before there is an array
             const int most = kiln::most_preview_side;
             if (width < 1 || height < 1 || width > most || height > most)
               throw kiln::Error(kiln::ErrorKind::usage,
                                 "width and height of a small picture must be 1 to " +
                                     std::to_string(most) + " pixels; a larger one is rendered");
             const auto count = static_cast<py::ssize_t>(scenes.size());
             py::array_t<std::uint8_t> pixels(
                 {count, py::ssize_t(height), py::ssize_t(width), py::ssize_t(4)});
             std::uint8_t* const first = pixels.mutable_data();
             const std::size_t bytes = std::size_t(width) * std::size_t(height) * 4;
             std::vector<std::string> failures;
             rendered(s.with(options), py::none(), [&](const kiln::RenderOptions& o) {
               kiln::previews(scenes, width, height, quality, o,
                              [&](int index, const kiln::Image& image, const std::string& failure) {
                                std::uint8_t* const place = first + std::size_t(index) * bytes;
                                if (failure.empty())
                                  std::copy_n(image.pixels8().data(), bytes, place);
                                else
                                  std::fill_n(place, bytes, std::uint8_t(0));
                                if (!failure.empty()) failures.push_back(failure);
                              });
               return kiln::Picture{};
             });
             for (const std::string& failure : failures) warn(failure);
             return pixels;
           })
      .def("frame", [](Session& s, const kiln::Animation& animation, int frame,
                       const kiln::RenderOptions& options, const py::object& progress) {
        return rendered(s.with(options), progress, [&](const kiln::RenderOptions& o) {
          const auto lock = s.taken(o.stop);
          return s.session->render(animation, frame, o);
        });
      });
}

/// Numbers as an array of their own.
template <class Number>
py::array_t<Number> array_of(const std::vector<Number>& values) {
  return py::array_t<Number>(static_cast<py::ssize_t>(values.size()), values.data());
}

void add_music(py::module_& module) {
  module.def("listen",
             [](const std::string& path, double fps, double attack, double release, int bar) {
               kiln::SongTracks song;
               {
                 const py::gil_scoped_release released;
                 song = kiln::listen(path, {fps, attack, release, bar});
               }
               py::dict tracks, all;
               for (const auto& [name, values] : song.columns)
                 tracks[py::str(name)] = array_of(values);
               all["seconds"] = song.seconds;
               all["sha256"] = song.sha256;
               all["fps"] = song.fps;
               all["bpm"] = song.bpm;
               all["onsets"] = array_of(song.onsets);
               all["beats"] = array_of(song.beats);
               all["bars"] = array_of(song.bars);
               all["loudest"] = array_of(song.loudest);
               all["tracks"] = tracks;
               return all;
             });
}

void add_machine(py::module_& module) {
  module.def("merge", [](const std::vector<std::string>& states, const std::string& path,
                         std::uint64_t max_memory_bytes) {
    kiln::RenderOptions options;
    options.max_memory_bytes = max_memory_bytes;
    rendered(options, py::none(), [&](const kiln::RenderOptions& o) {
      kiln::merge(states, path, o);
      return kiln::Picture{};
    });
  });
  module.def("devices", [] {
    std::vector<kiln::DeviceInfo> devices;
    {
      const py::gil_scoped_release others;
      devices = kiln::list_devices();
    }
    py::list all;
    for (const kiln::DeviceInfo& device : devices) {
      py::dict one;
      one["kind"] = device.kind;
      one["index"] = device.index;
      one["name"] = device.name;
      one["memory_bytes"] = device.memory_bytes;
      one["detail"] = device.detail;
      all.append(one);
    }
    return all;
  });
}

}  // namespace

PYBIND11_MODULE(_kiln, module) {
  add_error(module);
  add_options(module);
  add_flames(module);
  add_pictures(module);
  add_sessions(module);
  add_machine(module);
  add_music(module);
  module.def("version", &kiln::version);
}
