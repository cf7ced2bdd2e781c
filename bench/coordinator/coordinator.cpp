// usage: coordinator [SECONDS_A_JOB]
// Where the process that hands out the work of a search saturates: the real coordinator with a real archive,
// and up to 10,000 workers without processors behind them, who answer after the time that the work would have
// taken. The clock is that of the simulation; the coordinator's own work is charged to it as the processor
// time that it takes, and each message besides with what MPI takes for one.

#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <queue>

#include "archive/ledger.h"
#include "base/hash.h"
#include "discover/trials.h"
#include "search/coordinator.h"
#include "search/packet.h"

using namespace legwork;

namespace {

constexpr double message_seconds = 5e-6;  // of MPI on one machine, sending or receiving

double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

class Simulated : public Post {
 public:
  Simulated(int workers, double seconds_a_job, std::string identity, std::string answer)
      : workers_(workers), seconds_(seconds_a_job), answer_(std::move(answer)) {
    for (int i = 1; i <= workers; ++i) events_.push({0, i, pack({"hello", identity, "w"})});
  }
  int number() const override { return 0; }
  int count() const override { return workers_ + 1; }
  void send(int to, const std::string& message) override {
    offset_ += message_seconds;
    const std::vector<std::string> words = *unpack(message);
    if (words[0] != "batch") return;
    std::vector<std::string> answer(words.size(), answer_);
    answer[0] = "done", answer[1] = words[1];
    const double work = seconds_ * double(words.size() - 2);
    busy_ += work;
    events_.push({now() + work, to, pack(answer)});
  }
  std::optional<std::pair<int, std::string>> receive() override {
    if (events_.empty() || events_.top().time > now()) return {};
    std::pair<int, std::string> message{events_.top().from, events_.top().text};
    events_.pop();
    offset_ += message_seconds;
    return message;
  }
  void rest() override {
    const double wait = events_.empty() ? 1e-4 : events_.top().time - now();
    if (wait > 0) offset_ += wait, idle_ += wait;
  }
  double now() override { return offset_ + processor_seconds() - start_; }

  double busy() const { return busy_; }  // s: of all workers together
  double idle() const { return idle_; }  // s: of the coordinator

 private:
  struct Event {
    double time;
    int from;
    std::string text;
    bool operator<(const Event& other) const { return time > other.time; }
  };
  const int workers_;
  const double seconds_;
  const std::string answer_;
  const double start_ = processor_seconds();
  double offset_ = 0, busy_ = 0, idle_ = 0;
  std::priority_queue<Event> events_;
};

void simulate(int workers, double seconds_a_job) {
  Record example;
  example.stage = "vary";
  example.candidate.weights.assign(240, 1);
  example.evaluation = {Status::ok,         1.0 / 3,          2.0 / 3, 0.123456789012345,
                        0.4166666666666667, 0.98765432109876, {}};
  example.evaluation.descriptor.assign(7, 0.3333333333333333);
  const std::string job = Trials::job(as_it_is, example), answer = Trials::result_text(example.evaluation);
  const std::size_t count = std::size_t(workers) * std::size_t(5 / seconds_a_job);

  const std::string path = (std::filesystem::temp_directory_path() / "legwork_coordinator.db").string();
  std::filesystem::remove(path);
  {
    ArchiveLedger ledger(path, {"body", "scenario", "version"});
    Simulated post(workers, seconds_a_job, hex(hash_of("search")), answer);
    PostedCrew crew(
        post, "coordinator", [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); },
        false);
    crew.begin("search", {});
    std::uint64_t number = 0;
    crew.share(std::vector<std::string>(count, job), 8, [&](const auto& which, const auto& texts) {
      std::vector<Record> records(which.size(), example);
      for (std::size_t i = 0; i < which.size(); ++i) {
        records[i].number = number++;
        if (!Trials::parse_result(texts[i], records[i].evaluation)) return false;
      }
      ledger.keep(records);
      return true;
    });
    const double took = post.now(), ideal = post.busy() / workers;
    const Traffic& t = crew.traffic();
    std::printf("%8d %10zu %10.2f %12.1f %10.1f %12.0f %10.0f\n", workers, count, took, 100 * ideal / took,
                100 * (1 - post.idle() / took), double(t.messages) / took, double(t.bytes) / double(count));
  }
  std::filesystem::remove(path);
}

}  // namespace

int main(int count, char** words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const double seconds_a_job = count > 1 ? std::atof(words[1]) : 0.02;
  std::printf("%g s a job; efficiency is the share of the time in which the workers work\n", seconds_a_job);
  std::printf("%8s %10s %10s %12s %10s %12s %10s\n", "workers", "jobs", "took (s)", "efficient (%)",
              "busy (%)", "messages/s", "bytes/job");
  for (const int workers : {10, 100, 300, 1000, 3000, 10000}) simulate(workers, seconds_a_job);
}
