#pragma once
// Many processes started by mpirun or srun, as one crew. Built only where MPI is found.

#include <memory>

#include <legwork/run.h>

namespace legwork::cli {

// Which of the processes that a launcher started together this one is; 0 without a launcher.
int launched_number();

// The processes that were started together with this one; its end is the end of their work together.
class Processes {
 public:
  // Throws Error where several were started of a program that was built without MPI.
  Processes();
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
