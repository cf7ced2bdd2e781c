#pragma once

namespace legwork::cli {

// From here on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the program at once.
void listen_for_interrupt();
bool interrupted() noexcept;

}  // namespace legwork::cli
