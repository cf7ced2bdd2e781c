// The messages of a launch by Open MPI: a plug-in, loaded where several processes were started together, so
// that the program runs without Open MPI as well.
//
// It is not linked with libmpi: cli/mpi.cpp loads that before.

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <list>
#include <thread>
#include <vector>

#include "cli/launch.h"

namespace legwork::cli {

namespace {

constexpr int tag = 22;

// Messages of any length; sends do not wait, so that a process that died holds nobody up.
class MpiLaunch : public Launch {
 public:
  MpiLaunch() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &number_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    exchange_places();
  }

  int number() const override { return number_; }
  int count() const override { return count_; }

  void send(int to, const std::string& message) override {
    sent_.push_back({message, MPI_REQUEST_NULL});
    Sent& s = sent_.back();
    MPI_Isend(s.bytes.data(), int(s.bytes.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD, &s.request);
    forget_delivered();
  }

  std::optional<std::pair<int, std::string>> receive() override {
    int there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) return {};
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string message(std::size_t(size), '\0');
    if (MPI_Recv(message.data(), size, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD, &status) !=
        MPI_SUCCESS)
      return {};
    pause_ = shortest;
    return std::pair{status.MPI_SOURCE, std::move(message)};
  }

  // Short at first, so that an answer comes at once; longer while nothing happens, so that waiting costs
  // nothing.
  void rest() override {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(pause_ * 2, longest);
    forget_delivered();
  }

  double now() override { return MPI_Wtime(); }

  // Seen by its process number, on the same machine.
  bool gone(int number) override {
    const Place& place = places_[size_t(number)];
    return own_host_ == place.host && kill(pid_t(place.pid), 0) != 0;
  }

  // MPI_Finalize waits for everybody, also for those that died: it is called where all say goodbye. Where one
  // does not, the program ends without it, which mpirun --enable-recovery takes as an end like any other.
  void part() override {
    if (number_ > 0 ? take_leave() : hear_goodbyes()) {
      MPI_Finalize();
      return;
    }
    std::cout.flush();
    std::fflush(nullptr);
  }

 private:
  // Of a worker: says goodbye, and hears whether all others did.
  bool take_leave() {
    send(0, "bye");
    const double until = now() + 2 * farewell;
    while (now() < until && !gone(0)) {
      if (const auto message = receive()) {
        if (message->second == "all") return true;
        if (message->second == "not all") return false;
      } else {
        rest();
      }
    }
    return false;
  }
  // Of the first: hears everybody's goodbye, and tells them.
  bool hear_goodbyes() {
    int missing = count_ - 1;
    for (const double until = now() + farewell; missing > 0 && now() < until;) {
      if (const auto message = receive())
        missing -= message->second == "bye";
      else
        rest();
    }
    for (int i = 1; i < count_; ++i) send(i, missing == 0 ? "all" : "not all");
    for (const double until = now() + farewell; !sent_.empty() && now() < until;) rest();
    return missing == 0;
  }

  struct Sent {
    std::string bytes;
    MPI_Request request;
  };

  void forget_delivered() {
    std::erase_if(sent_, [](Sent& s) {
      int done = 0;
      return MPI_Test(&s.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
    });
  }

  struct Place {
    char host[248] = {};
    long pid = 0;
  };
  // Where everybody runs.
  void exchange_places() {
    Place own;
    gethostname(own.host, sizeof own.host - 1);
    own.pid = getpid();
    own_host_ = own.host;
    places_.resize(size_t(count_));
    MPI_Allgather(&own, sizeof own, MPI_CHAR, places_.data(), sizeof own, MPI_CHAR, MPI_COMM_WORLD);
  }

  static constexpr double farewell = 3;  // s
  static constexpr std::chrono::microseconds shortest{20}, longest{4000};
  int number_ = 0, count_ = 1;
  std::string own_host_;
  std::vector<Place> places_;
  std::list<Sent> sent_;
  std::chrono::microseconds pause_ = shortest;
};

}  // namespace

}  // namespace legwork::cli

extern "C" legwork::cli::Launch* legwork_join_launch() {
  static legwork::cli::MpiLaunch launch;
  return &launch;
}
