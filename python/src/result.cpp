// What every method returns: arrays without copies, gait, account, files, pictures.

#include "result.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace legwork::python {

namespace {

using Class = py::class_<Result, ResultHandle>;

// What an instance holds: never null, unlike what pybind11 makes of None.
ResultHandle held(py::handle self) {
  self.cast<const Result&>();
  return self.cast<ResultHandle>();
}

py::ssize_t frames(const Result& r) { return r.motion.frames(); }

void bind_arrays(Class& c) {
  const auto array = [&c](const char* name, auto field, auto shape, const char* doc) {
    c.def_property_readonly(
        name,
        [field, shape](py::object self) {
          const Result& r = self.cast<const Result&>();
          const std::vector<double>& values = r.motion.*field;
          Shape wanted = shape(r);
          if (values.empty()) wanted[0] = 0;
          return view(values, wanted, self);
        },
        doc);
  };
  array(
      "time", &Motion::time, [](const Result& r) { return Shape{frames(r)}; },
      "s: (frames,); a read-only view");
  array(
      "q", &Motion::q,
      [](const Result& r) {
        return Shape{frames(r), r.motion.creature.nq()};
      },
      "positions: (frames, nq); a read-only view");
  array(
      "v", &Motion::v,
      [](const Result& r) {
        return Shape{frames(r), r.motion.creature.nv()};
      },
      "velocities: (frames, nv); a read-only view");
  array(
      "tau", &Motion::tau,
      [](const Result& r) {
        return Shape{frames(r), r.motion.creature.nv()};
      },
      "torques at the joints, springs included: (frames, nv), or (0, nv) without physics; a read-only view");
  array(
      "contact_force", &Motion::contact_force,
      [](const Result& r) {
        return Shape{frames(r), py::ssize_t(r.motion.creature.contacts.size()), 3};
      },
      "force of the ground on each contact point, N, world axes: (frames, contacts, 3); a read-only view");
  c.def_property_readonly(
      "channels",
      [](py::object self) {
        const Result& r = self.cast<const Result&>();
        py::dict out;
        for (const Channel& channel : r.motion.channels) {
          const py::ssize_t width = channel.width;
          out[py::str(channel.name)] =
              view(channel.values, width == 1 ? Shape{frames(r)} : Shape{frames(r), width}, self);
        }
        return out;
      },
      "further quantities over time by name: (frames,) or (frames, width); read-only views");
}

// Not checked again: it has moved.
PyCreature moved_body(const Result& r) {
  World world;
  world.body = r.motion.creature, world.terrain = r.motion.terrain, world.gravity = r.motion.creature.gravity;
  apply({}, world);
  return {std::make_shared<const World>(std::move(world))};
}

py::object cell(const TableCell& value) {
  if (const double* x = std::get_if<double>(&value)) return py::float_(*x);
  return py::str(std::get<std::string>(value));
}

void bind_account(Class& c) {
  c.def_property_readonly(
      "status", [](const Result& r) { return to_string(r.motion.status); },
      "'ok', 'fell', 'diverged' or 'stopped'");
  c.def_property_readonly(
      "status_text", [](const Result& r) { return r.motion.status_text; }, "when, which link, likely cause");
  c.def_property_readonly(
      "duration", [](const Result& r) { return r.motion.duration(); }, "s");
  c.def_property_readonly(
      "gravity", [](const Result& r) { return r.motion.gravity; }, "m/s^2");
  c.def_property_readonly("creature", moved_body, "the body that moved, on the ground that it moved on");
  c.def_property_readonly(
      "gait",
      [](py::object self) -> std::shared_ptr<Gait> {
        const ResultHandle r = held(self);
        return r->gait ? std::shared_ptr<Gait>(r, &*r->gait) : nullptr;
      },
      "how it walked; None where the body has no legs");
  c.def_property_readonly(
      "others",
      [](py::object self) {
        const ResultHandle r = held(self);
        py::list out;
        for (Result& other : r->others) out.append(py::cast(ResultHandle(r, &other)));
        return out;
      },
      "further motions of a gallery");
  c.def_property_readonly(
      "title", [](const Result& r) { return r.account.title; }, "its name among others");
  c.def_property_readonly(
      "account", [](const Result& r) { return sentences(r.account); }, "how it went, in words");
  c.def_property_readonly(
      "values", [](const Result& r) { return to_python(r.account.values); },
      "all that the method found, by name");
  c.def_property_readonly(
      "measures",
      [](const Result& r) {
        py::dict out;
        for (const Measure& measure : r.account.measures) out[py::str(measure.id)] = cell(measure.value);
        return out;
      },
      "numbers about the whole motion, by name");
  c.def_property_readonly(
      "scenario", [](const Result& r) { return scenario_text(r.scenario); },
      "the run as a scenario file: legwork.run() makes it again, bit for bit");
  c.def_property_readonly(
      "seconds_to_compute", [](const Result& r) { return r.effort.seconds; }, "s");
  c.def(
      "summary", [](const Result& r) { return to_python(summary(r)); }, "What --json writes.");
  c.def("__len__", [](const Result& r) { return r.motion.frames(); });
  c.def("__repr__", [](const Result& r) {
    const std::string verb = r.motion.made.verb.empty() ? "motion" : r.motion.made.verb;
    return "<legwork.Result: " + verb + " of '" + r.motion.creature.name + "', " +
           std::to_string(r.motion.frames()) + " frames, " + to_string(r.motion.status) + ">";
  });
}

struct Writing {
  double rate, unit;
  std::string clip;
};

void write_by_ending(const Result& result, const std::string& path, const Writing& how) {
  const double rate = how.rate, or_60 = rate == 0 ? 60 : rate;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (how.unit != 1 && ending != ".bvh") throw Error({}, path, "unit is of .bvh alone");
  if (!how.clip.empty() && ending != ".glb") throw Error({}, path, "clip is of .glb alone");
  if (ending == ".glb" && rate == 0 && how.clip.empty()) return save(result, path);
  if (ending == ".glb")
    return write_glb(result.motion, path, {.rate = or_60, .clip = how.clip, .account = result.account});
  if (ending == ".bvh") return write_bvh(result.motion, path, {.rate = or_60, .unit = how.unit});
  if (ending == ".csv") return write_csv(result.motion, path, {.rate = rate});
  if (ending == ".sto") return write_sto(result.motion, path, {.rate = rate});
  if (ending == ".html") return write_report(result, path);
  throw Error({}, path, "ends in no format that motions are saved in",
              "use .glb, .bvh, .csv, .sto or .html; .png and .mp4 come from render and film");
}

// A file in a folder that goes when this does.
struct TemporaryFile {
  py::object folder = py::module_::import("tempfile").attr("TemporaryDirectory")();
  std::string path = folder.attr("name").cast<std::string>() + "/result.glb";
  ~TemporaryFile() { folder.attr("cleanup")(); }
};

// Pickles of results are files of results.
py::bytes glb_bytes(const Result& result) {
  const TemporaryFile file;
  save(result, file.path);
  std::ifstream in(file.path, std::ios::binary);
  return py::bytes(std::string{std::istreambuf_iterator<char>(in), {}});
}

ResultHandle from_glb(const std::string& bytes) {
  const TemporaryFile file;
  std::ofstream(file.path, std::ios::binary) << bytes;
  return share(read_result(file.path));
}

void bind_files_of(Class& c) {
  c.def(
      "save",
      [](const Result& r, py::object file, double rate, double unit, const std::string& clip) {
        const std::string path = to_path(file, "path");
        const Unlocked free;
        write_by_ending(r, path, {rate, unit, clip});
      },
      py::arg("path"), py::kw_only(), py::arg("rate") = 0.0, py::arg("unit") = 1.0, py::arg("clip") = "",
      "Writes the motion by the name's ending: .glb (read back bit for bit), .bvh, .csv, .sto, .html. rate: "
      "Hz; 0 = what suits the format. unit: of .bvh, in metres. clip: name of the animation in a .glb.");
  c.def(
      "report",
      [](const Result& r, py::object file, const std::string& title, const std::string& text) {
        const std::string path = to_path(file, "path");
        const Unlocked free;
        write_report(r, path, {.title = title, .text = text});
      },
      py::arg("path"), py::arg("title") = "", py::arg("text") = "",
      "Writes a page that works offline: film, gait, plots, measures.");
  c.def(
      "loop",
      [](const Result& r, double rate, bool in_place, double start, double period) {
        return share(
            legwork::loop(r.motion, {.start = start, .period = period, .rate = rate, .in_place = in_place}));
      },
      py::arg("rate") = 30.0, py::arg("in_place") = true, py::arg("start") = -1.0, py::arg("period") = 0.0,
      "One clean stride, for animators: ends as it begins. start and period in s; -1 and 0 = the middle "
      "stride.");
  c.def(
      "skin",
      [](const Result& r, py::object rig, py::object file, double rate, const std::string& pose, double scale,
         const std::map<std::string, std::string>& names) {
        const std::string from = to_path(rig, "rig"), path = to_path(file, "path");
        std::error_code none;
        if (std::filesystem::equivalent(from, path, none))
          throw Error({path, 0}, "", "is the rig itself", "choose another name");
        const SkinReport report =
            write_skin(r.motion, from, path, {.rate = rate, .pose = pose, .scale = scale, .names = names});
        py::dict out;
        out["pairs"] = report.pairs, out["links"] = report.links, out["bones"] = report.bones;
        out["scale"] = report.scale;
        return out;
      },
      py::arg("rig"), py::arg("path"), py::kw_only(), py::arg("rate") = 30.0, py::arg("pose") = "",
      py::arg("scale") = 0.0, py::arg("names") = std::map<std::string, std::string>(),
      "Moves a rigged character (.glb): pairs of link and bone, links and bones without a partner, scale. "
      "names: link to bone, where neither names nor shape tell; pose: the body's that matches the rig's.");
  c.def(
      "measure_gait",
      [](const Result& r, const py::kwargs& options) {
        GaitOptions asked;
        const Options described(asked);
        set_options({&described}, options, "measure_gait");
        return std::make_shared<Gait>(measure_gait(r.motion, asked));
      },
      with_options("The gait measured with other thresholds.", {"gait"}).c_str());
  c.def(
      "appearance",
      [](const Result& r) {
        const Gait gait = r.gait ? *r.gait : measure_gait(r.motion);
        return to_python(appearance_value(measure_appearance(r.motion, gait)));
      },
      "How the motion looks: slide, sink, crossing legs, knees bent back, rough torques, by name.");
  copy_and_pickle(
      c,
      [](const Result& r) {
        py::list others;
        for (const Result& other : r.others) others.append(glb_bytes(other));
        return py::make_tuple(glb_bytes(r), others);
      },
      [](const py::tuple& kept) {
        if (kept.size() != 2) throw Error("this is no pickled result of this version of Legwork");
        ResultHandle result = from_glb(kept[0].cast<std::string>());
        for (const py::handle other : kept[1]) result->others.push_back(*from_glb(other.cast<std::string>()));
        return result;
      });
}

RenderOptions look(int width, int height, int samples, double azimuth, double elevation, double zoom,
                   bool follow, int threads) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384)
    throw Error({}, "render",
                std::to_string(width) + " x " + std::to_string(height) + " is no size of a picture",
                "use 1 to 16384");
  if (samples < 1 || samples > 65536) throw Error({}, "render: samples", "must be 1 to 65536");
  if (!std::isfinite(azimuth) || !std::isfinite(elevation))
    throw Error({}, "render", "azimuth and elevation must be finite");
  if (!(zoom >= 0.01 && zoom <= 100)) throw Error({}, "render: zoom", "must be 0.01 to 100");
  checked_threads(threads, "render");
  return {.width = width,
          .height = height,
          .samples = samples,
          .azimuth = azimuth,
          .elevation = elevation,
          .zoom = zoom,
          .follow = follow,
          .threads = threads};
}

py::array pixels(Picture&& picture) {
  auto* kept = new std::vector<unsigned char>(std::move(picture.rgb));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<unsigned char>*>(p); });
  return py::array(py::dtype::of<unsigned char>(), Shape{picture.height, picture.width, 3}, kept->data(),
                   owner);
}

void bind_pictures(Class& c) {
  c.def(
      "render",
      [](const Result& r, double time, int strip, bool stride, int width, int height, int samples,
         double azimuth, double elevation, double zoom, bool follow, int threads, py::object file) {
        RenderOptions options = look(width, height, samples, azimuth, elevation, zoom, follow, threads);
        options.stride = stride;
        if (!std::isfinite(time)) throw Error({}, "render: time", "must be finite");
        if (strip < 0) throw Error({}, "render: strip", std::to_string(strip) + " is less than 0");
        const std::string path = file.is_none() ? "" : to_path(file, "path");
        if (!path.empty() && std::filesystem::path(path).extension() != ".png")
          throw Error({}, path, "pictures are written as .png", "choose such a name");
        Picture picture;
        run_in_background({}, {}, [&](const Run& run) {
          options.stop = run.stop;
          picture =
              strip > 0 ? render_strip(r.motion, strip, options) : render_frame(r.motion, time, options);
          if (!path.empty()) write_png(picture, path);
        });
        return pixels(std::move(picture));
      },
      py::arg("time") = 0.0, py::kw_only(), py::arg("strip") = 0, py::arg("stride") = false,
      py::arg("width") = 640, py::arg("height") = 360, py::arg("samples") = 16, py::arg("azimuth") = -0.9,
      py::arg("elevation") = 0.28, py::arg("zoom") = 1.0, py::arg("follow") = true, py::arg("threads") = 0,
      py::arg("path") = py::none(),
      "A ray-traced picture as an array (height, width, 3) of bytes: one moment, or a strip of so many, of "
      "the whole motion or of its middle stride. path: also writes it as .png.");
  c.def(
      "film",
      [](const Result& r, py::object file, double fps, int width, int height, int samples, double azimuth,
         double elevation, double zoom, bool follow, int threads, py::object progress, py::object stop) {
        const std::string path = to_path(file, "path");
        if (std::filesystem::path(path).extension() != ".mp4")
          throw Error({}, path, "films are written as .mp4", "choose such a name");
        if (!(fps >= 1 && fps <= 240)) throw Error({}, "film: fps", "must be 1 to 240");
        RenderOptions options = look(width, height, samples, azimuth, elevation, zoom, follow, threads);
        run_in_background({}, {progress, stop}, [&](const Run& run) {
          options.stop = run.stop;
          write_mp4(r.motion, fps, options, path, run);
        });
      },
      py::arg("path"), py::kw_only(), py::arg("fps") = 30.0, py::arg("width") = 1280, py::arg("height") = 720,
      py::arg("samples") = 16, py::arg("azimuth") = -0.9, py::arg("elevation") = 0.28, py::arg("zoom") = 1.0,
      py::arg("follow") = true, py::arg("threads") = 0, py::arg("progress") = py::none(),
      py::arg("stop") = py::none(), "Writes an .mp4 through ffmpeg.");
  const auto display = [&c](const char* name, const char* function, const char* doc) {
    c.def(
        name,
        [function](py::object self, const py::args& args, const py::kwargs& kwargs) {
          return py::module_::import("legwork._display").attr(function)(self, *args, **kwargs);
        },
        doc);
  };
  c.def(
      "plot",
      [](py::object self, py::object figure) {
        return py::module_::import("legwork._display").attr("plot")(self, figure);
      },
      py::arg("figure") = py::none(),
      "Draws the gait diagram and the forces of the ground with matplotlib, or all positions where there are "
      "neither, into a figure of yours or a new one. Returns the panels: an array of Axes.");
  display("_repr_html_", "to_html", "What a notebook shows: the 3D page.");
  display("_repr_mimebundle_", "mime_bundle", "What a notebook shows, and words where it cannot.");
}

}  // namespace

ResultHandle share(Result&& result) { return std::make_shared<Result>(std::move(result)); }

ResultHandle share(Motion&& motion) {
  Result result;
  result.motion = std::move(motion);
  if (!result.motion.creature.legs.empty() && result.motion.frames() > 0)
    result.gait = measure_gait(result.motion);
  result.given = result.motion.creature;
  return share(std::move(result));
}

void bind_result(py::module_& m) {
  Class c(m, "Result",
          "What every method returns: the motion as arrays, its gait, an account of how it went, and the "
          "scenario that "
          "makes it again. Constant; its arrays are read-only views that keep it alive.");
  bind_arrays(c);
  bind_account(c);
  bind_files_of(c);
  bind_pictures(c);
}

}  // namespace legwork::python
