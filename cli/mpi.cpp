#include "cli/mpi.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include <legwork/error.h>
#include "base/text.h"
#include "cli/launch.h"
#include "search/coordinator.h"

namespace legwork::cli {

namespace {

namespace fs = std::filesystem;

// How many processes a launcher says that it has started; 1 where there is none.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  // srun without MPI starts programs as well; with PMIx they are meant to find each other
  const char* tasks = std::getenv("PMIX_RANK") ? std::getenv("SLURM_NTASKS") : nullptr;
  return tasks ? std::atoi(tasks) : 1;
}

[[noreturn]] void refuse(int count, const std::string& why, const std::string& advice) {
  throw Error({}, std::to_string(count) + " processes", why + ", so that each of them would do the same work",
              advice + ", or use --shard");
}

// The plug-in beside the program, or where it is installed.
fs::path plug_in() {
  std::error_code failed;
  const fs::path own = fs::canonical("/proc/self/exe", failed).parent_path();
  for (const char* folder : {".", LEGWORK_PLUGINS})
    if (const fs::path file = own / folder / "legwork_open_mpi.so"; fs::exists(file, failed)) return file;
  return {};
}

Launch& join_launch(int count) {
  const fs::path file = plug_in();
  if (file.empty())
    refuse(count, "this legwork was built without Open MPI", "install libopenmpi-dev and build again");
  // of Open MPI 3 to 5; for everybody: its own plug-ins look for its symbols, as ours does
  void* mpi = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  if (!mpi)
    refuse(count, "Open MPI is not installed here (" + std::string(dlerror()) + ")", "install openmpi-bin");
  void* ours = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!ours)
    refuse(count, std::string("the plug-in for Open MPI does not load (") + dlerror() + ")",
           "install openmpi-bin");
  Launch& launch = *reinterpret_cast<LegworkJoinLaunch*>(dlsym(ours, "legwork_join_launch"))();
  if (launch.count() != count)
    refuse(count, "Open MPI knows " + std::to_string(launch.count()) + " of them",
           "start them with Open MPI's mpirun, or with srun --mpi=pmix");
  return launch;
}

std::string own_name() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return std::string(host) + ", pid " + std::to_string(getpid());
}

}  // namespace

int launched_number() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}

bool is_shared(const std::string& verb, const Words& words) {
  const auto asked = [&](const std::string& flag) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return word == flag || word.rfind(flag + "=", 0) == 0;
    });
  };
  if (words.empty() || asked("--help") || asked("-h") || asked("--show")) return false;
  if (verb == "walk") return asked("--tune");
  return verb == "discover" || verb == "evolve" || verb == "reach" || verb == "study";
}

struct Processes::Inside {
  explicit Inside(Launch& joined) : launch(joined) {}
  Launch& launch;
  PostedCrew crew{launch, own_name(),
                  [](const std::string& text) { std::cerr << "legwork: " << text << "\n"; }};
};

Processes::Processes(bool shared) {
  const int count = shared ? started_together() : 1;
  if (count > 1) inside_ = std::make_unique<Inside>(join_launch(count));
}

Crew* Processes::crew() const { return inside_ ? &inside_->crew : nullptr; }
bool Processes::works_only() const { return inside_ && inside_->crew.works_only(); }

// A worker with nothing to share waits until the first process is done, unless it is broken.
Processes::~Processes() {
  if (!inside_) return;
  PostedCrew& crew = inside_->crew;
  if (std::getenv("LEGWORK_TRAFFIC") && crew.traffic().since >= 0) {
    const Traffic& t = crew.traffic();
    std::string said = "process " + std::to_string(inside_->launch.number()) + " worked " + brief(t.worked) +
                       " s of " + brief(inside_->launch.now() - t.since) + " s";
    if (!crew.works_only())
      said += "; " + std::to_string(t.messages) + " messages, " + std::to_string(t.bytes) + " bytes, " +
              std::to_string(t.jobs) + " jobs";
    std::cerr << said << "\n";
  }
  crew.dismiss();
  if (std::uncaught_exceptions() == 0) crew.await_dismissal();
  inside_->launch.part();
}

}  // namespace legwork::cli
