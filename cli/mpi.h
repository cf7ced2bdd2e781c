#pragma once
// Many processes started by mpirun or srun, as one crew.

#include <memory>

#include <string>

#include <legwork/run.h>
#include "cli/verbs.h"

namespace legwork::cli {

// Which of the processes that a launcher started together this one is; 0 without a launcher.
int launched_number();

// Whether processes of one launch share this work; else the first does the whole.
bool is_shared(const std::string& verb, const Words& words);

// The processes that were started together with this one; its end is the end of their work together.
class Processes {
 public:
  // shared: false where this one works alone, whatever was started. Throws Error where several were started
  // and Open MPI is missing.
  explicit Processes(bool shared = true);
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  // Null where this is the only one.
  Crew* crew() const;
  // Whether this process works for another one: it writes and says nothing.
  bool works_only() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace legwork::cli
