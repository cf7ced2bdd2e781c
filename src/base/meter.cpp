#include "base/meter.h"

#include <legwork/options.h>

namespace legwork {

void Meter::advance(long pieces) {
  const std::lock_guard lock(mutex_);
  tell(progress_.done + pieces);
}

void Meter::reach(long done) {
  const std::lock_guard lock(mutex_);
  if (done > progress_.done) tell(done);
}

void Meter::enter(std::string what) {
  const std::lock_guard lock(mutex_);
  progress_.what = std::move(what);
}

void Meter::tell(long done) {
  progress_.done = done;
  if (run_.progress) run_.progress(progress_);
}

void stop_if_asked(const Run& run) {
  if (run.stopped()) throw Stopped{};
}

void stop_unless_kept(const Run& run) {
  if (!run.keep_partial) stop_if_asked(run);
}

void describe(Options& v, Run& run) {
  v.integer("seed", run.seed, {0, 9e18, "", "seed of all random numbers: same seed, same bits"});
  v.integer("threads", run.threads,
            {0, 4096, "", "threads to use; 0 = all cores; the result does not depend on it"});
}

}  // namespace legwork
