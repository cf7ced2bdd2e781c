#include "search/coordinator.h"

#include <atomic>
#include <charconv>
#include <exception>
#include <thread>

#include "base/hash.h"
#include "base/stopwatch.h"
#include "search/packet.h"

namespace legwork {

// One batch at a time on a thread of its own, so that messages are answered meanwhile.
class PostedCrew::Own {
 public:
  explicit Own(const Work& work) : work_(work) {}
  ~Own() {
    if (thread_.joinable()) thread_.join();
  }

  bool busy() const { return batch_ != 0; }
  double seconds() const { return seconds_; }  // of work that is finished
  void start(std::uint64_t batch, std::vector<std::string> jobs) {
    if (thread_.joinable()) thread_.join();
    batch_ = batch, ready_ = false;
    thread_ = std::thread([this, jobs = std::move(jobs)] {
      const Stopwatch watch;
      try {
        results_ = work_(jobs);
      } catch (...) {
        failure_ = std::current_exception();
      }
      took_ = watch.seconds();
      ready_ = true;
    });
  }
  // The batch that is done, or 0. Throws what the work threw.
  std::uint64_t finished(std::vector<std::string>& results) {
    if (batch_ == 0 || !ready_) return 0;
    thread_.join();
    const std::uint64_t batch = batch_;
    batch_ = 0, seconds_ += took_;
    if (failure_) std::rethrow_exception(failure_);
    results = std::move(results_);
    return batch;
  }

 private:
  const Work& work_;
  std::thread thread_;
  std::atomic<bool> ready_ = false;
  std::uint64_t batch_ = 0;
  double seconds_ = 0, took_ = 0;
  std::vector<std::string> results_;
  std::exception_ptr failure_;
};

PostedCrew::PostedCrew(Post& post, std::string name, std::function<void(const std::string&)> warn, bool works)
    : post_(post), name_(std::move(name)), warn_(std::move(warn)), works_(works) {
  for (int i = 1; i < post.count(); ++i) workers_[i];
}

void PostedCrew::dismiss() {
  if (works_only()) return;
  for (const auto& [number, worker] : workers_)
    if (worker.standing != Standing::gone) say(number, {"over"});
}

void PostedCrew::say(int to, const std::vector<std::string>& words) {
  const std::string message = pack(words);
  ++traffic_.messages;
  traffic_.bytes += message.size();
  post_.send(to, message);
}

void PostedCrew::begin(const std::string& identity, const Work& work) {
  identity_ = hex(hash_of(identity));
  work_ = work;
  if (traffic_.since < 0) traffic_.since = post_.now();
  if (works_only()) serve();
}

void PostedCrew::serve() {
  say(0, {"hello", identity_, name_});
  while (const auto words = hear_first()) {
    if (words->front() != "batch" || words->size() < 3) continue;
    const double start = post_.now();
    std::vector<std::string> answer = work_({words->begin() + 2, words->end()});
    traffic_.worked += post_.now() - start;
    answer.insert(answer.begin(), {"done", (*words)[1]});
    say(0, answer);
  }
  throw Dismissed{};
}

void PostedCrew::await_dismissal() {
  if (works_only() && !dismissed_)
    while (hear_first()) {
    }
}

std::optional<std::vector<std::string>> PostedCrew::hear_first() {
  while (!post_.gone(0)) {
    const auto message = post_.receive();
    if (!message) {
      post_.rest();
      continue;
    }
    auto words = unpack(message->second);
    if (!words || words->empty()) continue;
    if (words->front() == "over") break;
    return words;
  }
  dismissed_ = true;
  return {};
}

void PostedCrew::refuse(int worker, const std::string& why) {
  const Worker& w = workers_[worker];
  stand(worker, Standing::refused);
  warn_("process " + std::to_string(worker) + (w.name.empty() ? "" : " (" + w.name + ")") + " " + why +
        "; it is left out, and its work is done by the others");
  say(worker, {"refused", why});
}

// Once a second: those that died without a word.
void PostedCrew::miss_the_gone(Dispatch& dispatch) {
  if (post_.now() - looked_ < 1) return;
  looked_ = post_.now();
  for (auto& [number, worker] : workers_) {
    if (worker.standing == Standing::refused || worker.standing == Standing::gone || !post_.gone(number))
      continue;
    stand(number, Standing::gone);
    dispatch.lost(number);
    warn_("process " + std::to_string(number) + (worker.name.empty() ? "" : " (" + worker.name + ")") +
          " has died; its work is done by the others");
  }
}

void PostedCrew::hear_hello(int from, const std::vector<std::string>& words) {
  Worker& w = workers_[from];
  w.name = words.size() > 2 ? words[2] : "";
  if (words.size() == 3 && words[1] == identity_)
    stand(from, Standing::ready);
  else
    refuse(from, "runs another command, creature or version");
}

bool PostedCrew::take(int worker, std::uint64_t batch, const std::vector<std::string>& results, List& list) {
  const std::vector<std::size_t> jobs = list.dispatch.jobs_of(worker, batch);
  if (jobs.empty()) return true;  // of a list that is over
  if (results.size() != jobs.size()) return false;
  std::vector<std::size_t> fresh;
  std::vector<std::string> news;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (!list.dispatch.is_done(jobs[i])) fresh.push_back(jobs[i]), news.push_back(results[i]);
  if (!fresh.empty() && !list.arrived(fresh, news)) return false;
  traffic_.jobs += fresh.size();
  list.dispatch.done(worker, batch);
  return true;
}

// It works on while its results are read and kept.
void PostedCrew::hear_done(int from, const std::vector<std::string>& words, List& list) {
  std::uint64_t batch = 0;
  std::from_chars(words[1].data(), words[1].data() + words[1].size(), batch);
  list.dispatch.answered(from, batch, post_.now());
  stand(from, Standing::ready);
  give(from, list);
  if (take(from, batch, {words.begin() + 2, words.end()}, list)) return;
  list.dispatch.lost(from);
  refuse(from, "answered what is no result");
}

void PostedCrew::hear(int from, const std::string& message, List& list) {
  ++traffic_.messages;
  traffic_.bytes += message.size();
  if (workers_[from].standing == Standing::refused) return;
  const auto words = unpack(message);
  const std::string verb = words && words->size() >= 2 ? words->front() : "";
  if (verb == "hello") {
    hear_hello(from, *words);
  } else if (verb == "done" && workers_[from].standing == Standing::busy) {
    hear_done(from, *words, list);
  } else {
    list.dispatch.lost(from);
    refuse(from, "answered what is no result");
  }
}

void PostedCrew::stand(int worker, Standing standing) {
  workers_[worker].standing = standing;
  if (standing == Standing::ready)
    ready_.insert(worker);
  else
    ready_.erase(worker);
}

bool PostedCrew::give(int worker, List& list) {
  const std::optional<JobBatch> batch = list.dispatch.next(worker, post_.now());
  if (!batch) return false;
  std::vector<std::string> words = {"batch", std::to_string(batch->id)};
  for (const std::size_t job : batch->jobs) words.push_back(list.jobs[job]);
  say(worker, words);
  stand(worker, Standing::busy);
  return true;
}

void PostedCrew::share(const std::vector<std::string>& jobs, int unit, const Arrived& arrived) {
  List list{jobs, arrived, Dispatch(jobs.size(), unit, post_.count())};
  Dispatch& dispatch = list.dispatch;
  Own own(work_);
  while (!dispatch.finished()) {
    miss_the_gone(dispatch);
    bool busy = false;
    for (const int worker : std::vector<int>(ready_.begin(), ready_.end())) {
      if (!give(worker, list)) break;  // nobody else will get any
      busy = true;
    }
    std::vector<std::string> results;
    const std::uint64_t finished = own.finished(results);
    if (finished) dispatch.answered(0, finished, post_.now());
    if (works_ && !own.busy())
      if (const std::optional<JobBatch> batch = dispatch.next(0, post_.now())) {
        std::vector<std::string> some;
        for (const std::size_t job : batch->jobs) some.push_back(jobs[job]);
        own.start(batch->id, std::move(some));
        busy = true;
      }
    if (finished) {
      take(0, finished, results, list);
      busy = true;
    }
    while (const auto message = post_.receive()) {
      hear(message->first, message->second, list);
      busy = true;
    }
    if (!busy) post_.rest();
  }
  traffic_.worked += own.seconds();
}

}  // namespace legwork
