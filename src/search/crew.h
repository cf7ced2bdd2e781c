#pragma once
// Who does a list of jobs: many processes that share it. Threads, shards (search/shard.h) and processes are
// three ways to the same results.
//
// A job and its result are bytes, and the work is a pure function of the job, the same in every process. So
// it does not matter who did a job, nor how often: a job of a process that died is handed out again.
//
//   run.crew->begin(identity, work);                     a process that only works does not return from here
//   run.crew->share(jobs, 8, [&](auto& which, auto& results) { ... });

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace legwork {

class Crew {
 public:
  // Does jobs in this process: their results, in their order.
  using Work = std::function<std::vector<std::string>(const std::vector<std::string>& jobs)>;
  // Results of the jobs of these places in the list: told once for every job, in any order, on the caller's
  // thread. False: these are no results of such jobs; they are then asked of another process.
  using Arrived =
      std::function<bool(const std::vector<std::size_t>& which, const std::vector<std::string>& results)>;

  virtual ~Crew() = default;

  // identity: all that determines the results; a process with another one is refused by name. A process that
  // only works does so until it is dismissed, and then throws Dismissed. May be called again, with other
  // work.
  virtual void begin(const std::string& identity, const Work& work) = 0;
  // Returns when all jobs are done. unit: jobs that a process does as fast as one (lanes x threads). Throws
  // what `arrived` and this process's own work throw.
  virtual void share(const std::vector<std::string>& jobs, int unit, const Arrived& arrived) = 0;
};

// Thrown in a process that has worked for another one, when that one needs no more work.
struct Dismissed {};

}  // namespace legwork
