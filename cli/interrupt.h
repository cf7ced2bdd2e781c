#pragma once

namespace legwork::cli {

// Thrown where work can stop cleanly after the user pressed Ctrl-C: unfinished files vanish on the way out.
struct Interrupted {};

// From here on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the program at once.
void listen_for_interrupt();
bool interrupted() noexcept;
// Throws Interrupted if the user wants to stop.
void stop_if_interrupted();

}  // namespace legwork::cli
