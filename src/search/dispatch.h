#pragma once
// Which process does which jobs of a list.
//
// Batches of at least a second's work, which shrink towards the end so that all end together; a batch that
// nobody answers for is handed out again, and the first answer counts. It knows neither processes nor clocks,
// so that tests and simulations can drive it.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace legwork {

struct JobBatch {
  std::uint64_t id = 0;
  std::vector<std::size_t> jobs;  // places in the list
};

class Dispatch {
 public:
  // unit: jobs that a process does as fast as one.
  Dispatch(std::size_t jobs, int unit, int workers);

  // For a worker without work, at a time in s; none where there is nothing for it now.
  std::optional<JobBatch> next(int worker, double now);
  // All jobs of the batch; none for a batch that this worker was not given.
  std::vector<std::size_t> jobs_of(int worker, std::uint64_t batch) const;
  bool is_done(std::size_t job) const { return known_[job]; }
  // Its answer has come: how long this worker takes is known, but not yet whether the answer holds.
  void answered(int worker, std::uint64_t batch, double now);
  // That batch is done.
  void done(int worker, std::uint64_t batch);
  // A worker that is gone, or not to be trusted: its jobs go to others.
  void lost(int worker);

  bool finished() const { return left_ == 0; }
  std::size_t left() const { return left_; }

 private:
  struct Given {
    int worker;
    double since;
    std::vector<std::size_t> jobs;
    bool again = false;  // handed out once more
  };
  std::size_t size_for(int worker) const;
  double due(const Given& given) const;  // s: when it is handed out again
  // A batch that is overdue, but for those of this worker.
  std::vector<std::size_t> overdue(int worker, double now);

  const std::size_t unit_;
  const int workers_;
  std::vector<bool> known_;       // for each job: done
  std::deque<std::size_t> open_;  // jobs that nobody has
  std::map<std::uint64_t, Given> given_;
  std::map<int, double> seconds_a_job_;  // of each worker that has answered
  std::size_t left_;
  double look_again_ = 0;  // s: nothing that is given can be overdue before
  std::uint64_t next_id_ = 1;
};

}  // namespace legwork
