#include "cli/mpi.h"

#include <cstdlib>
#include <string>

#include <legwork/error.h>

#ifdef LEGWORK_HAS_MPI
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <list>
#include <thread>
#include <vector>

#include "search/coordinator.h"
#endif

namespace legwork::cli {

namespace {

// How many processes a launcher says that it has started; 1 where there is none.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  // srun without MPI starts programs as well; with PMIx they are meant to find each other
  const char* tasks = std::getenv("PMIX_RANK") ? std::getenv("SLURM_NTASKS") : nullptr;
  return tasks ? std::atoi(tasks) : 1;
}

}  // namespace

int launched_number() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}

#ifdef LEGWORK_HAS_MPI

namespace {

constexpr int tag = 22;

std::string own_name() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return std::string(host) + ", pid " + std::to_string(getpid());
}

// Messages of any length; sends do not wait, so that a process that died holds nobody up.
class MpiPost : public Post {
 public:
  MpiPost() {
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

 private:
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
  static constexpr std::chrono::microseconds shortest{20}, longest{1000};
  int number_ = 0, count_ = 1;
  std::string own_host_;
  std::vector<Place> places_;
  std::list<Sent> sent_;
  std::chrono::microseconds pause_ = shortest;
};

}  // namespace

struct Processes::Inside {
  MpiPost post;
  PostedCrew crew{post, own_name(),
                  [](const std::string& text) { std::cerr << "legwork: " << text << "\n"; }};
};

namespace {

// Whether all others are still there.
template <class Inside>
bool part(Inside& inside) {
  if (std::getenv("LEGWORK_TRAFFIC")) {
    const Traffic& t = inside.crew.traffic();
    std::cerr << t.messages << " messages, " << t.bytes << " bytes, " << t.jobs << " jobs\n";
  }
  inside.crew.dismiss();
  return inside.post.hear_goodbyes();
}

}  // namespace

Processes::Processes() {
  if (started_together() < 2) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  inside_ = std::make_unique<Inside>();
}

Crew* Processes::crew() const { return inside_ ? &inside_->crew : nullptr; }
bool Processes::works_only() const { return inside_ && inside_->crew.works_only(); }

// MPI_Finalize waits for everybody, also for those that died: it is called where all say goodbye. Where one
// does not, the program ends without it, which mpirun --enable-recovery takes as an end like any other.
Processes::~Processes() {
  if (!inside_) return;
  const bool all = inside_->crew.works_only() ? inside_->post.take_leave() : part(*inside_);
  if (all) {
    MPI_Finalize();
    return;
  }
  std::cout.flush();
  std::fflush(nullptr);
}

#else

struct Processes::Inside {};
Processes::Processes() {
  if (const int count = started_together(); count > 1)
    throw Error({}, std::to_string(count) + " processes",
                "this legwork was built without MPI, so that each of them would do the same work",
                "install libopenmpi-dev and build again, or use --shard");
}
Processes::~Processes() = default;
Crew* Processes::crew() const { return nullptr; }
bool Processes::works_only() const { return false; }

#endif

}  // namespace legwork::cli
