#include "cli/interrupt.h"

#include <csignal>

namespace legwork::cli {

namespace {
volatile std::sig_atomic_t wanted = 0;  // the one global: a signal handler can reach nothing else

extern "C" void remember(int) { wanted = 1; }
}  // namespace

void listen_for_interrupt() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = int(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() noexcept { return wanted != 0; }

}  // namespace legwork::cli
