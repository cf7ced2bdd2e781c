#pragma once
// Processes that a launcher started together, as a plug-in knows them (cli/open_mpi).

#include "search/coordinator.h"

namespace legwork::cli {

class Launch : public Post {
 public:
  // The end of their work together: returns when everybody said goodbye, or after some seconds.
  virtual void part() = 0;
};

}  // namespace legwork::cli

// What the plug-in gives: the launch that this process belongs to, joined at the first call.
extern "C" using LegworkJoinLaunch = legwork::cli::Launch * ();
