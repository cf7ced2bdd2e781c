#include "search/dispatch.h"

#include <algorithm>
#include <numeric>

namespace legwork {

namespace {

constexpr double least_seconds = 1, most_seconds = 10;  // of work in a batch, while there is enough left
constexpr double patience = 10;                         // times the expected duration, and ...
constexpr double grace = 5;             // ... so many s more, until a batch is handed out again
constexpr double unknown_seconds = 60;  // expected of a worker that has never answered

}  // namespace

Dispatch::Dispatch(std::size_t jobs, int unit, int workers)
    : unit_(std::size_t(std::max(1, unit))),
      workers_(std::max(1, workers)),
      known_(jobs, false),
      open_(jobs),
      left_(jobs) {
  std::iota(open_.begin(), open_.end(), std::size_t(0));
}

// A share of what is left (guided self-scheduling, Polychronopoulos and Kuck 1987), within seconds.
std::size_t Dispatch::size_for(int worker) const {
  const auto units = [&](double jobs) {
    return unit_ * std::max<std::size_t>(1, std::size_t(jobs / double(unit_)));
  };
  const double fair = double(open_.size()) / (2.0 * workers_);
  const auto rate = seconds_a_job_.find(worker);
  if (rate == seconds_a_job_.end()) return units(std::min(fair, double(unit_)));
  const double least = least_seconds / rate->second, most = most_seconds / rate->second;
  // towards the end a fair share, although it takes less than a second
  return units(fair < least ? fair : std::min(fair, std::max(least, most)));
}

double Dispatch::due(const Given& given) const {
  const auto rate = seconds_a_job_.find(given.worker);
  const double expected =
      rate == seconds_a_job_.end() ? unknown_seconds : rate->second * double(given.jobs.size());
  return given.since + grace + patience * expected;
}

std::vector<std::size_t> Dispatch::overdue(int worker, double now) {
  std::vector<std::size_t> jobs;
  if (now < look_again_) return jobs;
  double soonest = now + unknown_seconds;
  for (auto& [id, given] : given_) {
    if (given.again) continue;
    const double time = due(given);
    if (now < time || given.worker == worker) {
      soonest = std::min(soonest, std::max(time, now));
      continue;
    }
    given.again = true;
    for (const std::size_t job : given.jobs)
      if (!known_[job]) jobs.push_back(job);
    if (!jobs.empty()) return jobs;
  }
  look_again_ = soonest;
  return jobs;
}

std::optional<JobBatch> Dispatch::next(int worker, double now) {
  JobBatch batch;
  const std::size_t size = open_.empty() ? 0 : size_for(worker);
  while (!open_.empty() && batch.jobs.size() < size) {
    const std::size_t job = open_.front();
    open_.pop_front();
    if (!known_[job]) batch.jobs.push_back(job);
  }
  if (batch.jobs.empty()) batch.jobs = overdue(worker, now);
  if (batch.jobs.empty()) return {};
  batch.id = next_id_++;
  look_again_ = std::min(look_again_, due(given_[batch.id] = {worker, now, batch.jobs}));
  return batch;
}

std::vector<std::size_t> Dispatch::jobs_of(int worker, std::uint64_t batch) const {
  const auto found = given_.find(batch);
  if (found == given_.end() || found->second.worker != worker) return {};
  return found->second.jobs;
}

void Dispatch::answered(int worker, std::uint64_t batch, double now) {
  const auto found = given_.find(batch);
  if (found == given_.end() || found->second.worker != worker) return;
  const Given& given = found->second;
  seconds_a_job_[worker] = std::max(1e-9, (now - given.since) / double(given.jobs.size()));
}

void Dispatch::done(int worker, std::uint64_t batch) {
  const auto found = given_.find(batch);
  if (found == given_.end() || found->second.worker != worker) return;
  for (const std::size_t job : found->second.jobs) {
    if (!known_[job]) --left_;
    known_[job] = true;
  }
  given_.erase(found);
}

void Dispatch::lost(int worker) {
  seconds_a_job_.erase(worker);
  for (auto at = given_.begin(); at != given_.end();) {
    if (at->second.worker != worker) {
      ++at;
      continue;
    }
    for (const std::size_t job : at->second.jobs)
      if (!known_[job]) open_.push_front(job);
    at = given_.erase(at);
  }
}

}  // namespace legwork
