// Long work, away from the interpreter: the lock is free, Ctrl-C works, callbacks run in the thread that
// called.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "core.h"

namespace legwork::python {

namespace {

constexpr auto look_up = std::chrono::milliseconds(40);  // between two looks at signals and callbacks

// What the worker and the caller share.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Progress> news;
  bool done = false;
  std::atomic<bool> stop = false;
  std::exception_ptr failure;
};

// The caller's side of one look: signals, news, the wish to stop. Throws what they throw.
void look(Shared& shared, const Callbacks& callbacks) {
  std::optional<Progress> news;
  {
    const std::lock_guard lock(shared.mutex);
    news.swap(shared.news);
  }
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (news && !callbacks.progress.is_none()) callbacks.progress(news->what, news->done, news->total);
  if (!callbacks.stop.is_none() && py::bool_(callbacks.stop())) shared.stop = true;
}

// Python ends this thread: see Unlocked.
[[noreturn]] void wait_for_exit() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

Unlocked::~Unlocked() {
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {
    wait_for_exit();
  }
}

bool run_in_background(const Run& asked, const Callbacks& given,
                       const std::function<void(const Run&)>& work) {
  Callbacks callbacks = given;
  py::object line;  // what progress=True shows
  if (callbacks.progress.is(py::bool_(true)))
    callbacks.progress = line = py::module_::import("legwork._progress").attr("Line")();
  if (callbacks.progress.is(py::bool_(false))) callbacks.progress = py::none();
  for (const auto& [name, callback] :
       {std::pair{"progress", callbacks.progress}, std::pair{"stop", callbacks.stop}})
    if (!callback.is_none() && !PyCallable_Check(callback.ptr()))
      throw Error({}, name, "is not a function",
                  std::string(name) == "progress" ? "give True for a line on stderr, or a function" : "");
  Shared shared;
  Run run = asked;
  run.stop = [&shared] { return shared.stop.load(std::memory_order_relaxed); };
  run.progress = [&shared](const Progress& progress) {
    const std::lock_guard lock(shared.mutex);
    shared.news = progress;
  };
  std::exception_ptr from_callback;
  std::thread worker([&] {
    try {
      work(run);
    } catch (...) {
      shared.failure = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    shared.done = true;
    shared.changed.notify_all();
  });
  for (bool done = false; !done;) {
    {
      const Unlocked free;
      std::unique_lock lock(shared.mutex);
      done = shared.changed.wait_for(lock, look_up, [&] { return shared.done; });
    }
    try {
      if (!from_callback) look(shared, callbacks);
    } catch (const std::exception&) {
      from_callback = std::current_exception();
      shared.stop = true;
    } catch (...) {
      wait_for_exit();
    }
  }
  worker.join();
  if (line) line.attr("end")(!from_callback && !shared.failure && !shared.stop);
  if (from_callback) std::rethrow_exception(from_callback);
  if (shared.failure) std::rethrow_exception(shared.failure);
  return shared.stop;
}

}  // namespace legwork::python
