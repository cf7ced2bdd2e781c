#pragma once
// The corpus command language (McKenna 1990, appendices C and D): scripts that build figures, give them gaits
// and motor programs, and run them. docs/corpus.md describes it for people.

#include <string>
#include <vector>

#include <legwork/motion.h>
#include <legwork/run.h>
#include "scenario/world_words.h"

namespace legwork {

struct CorpusOptions {
  WorldOptions world;             // what is given here wins over the script
  std::vector<std::string> then;  // commands after the script's own
  double seconds = 0;             // how long it goes on after that
  bool build_only = false;        // time stands still and nothing is written
  long most_frames = 100000000;   // that the whole run may have
};

struct CorpusRun {
  Motion motion;
  World world;  // at the end
  StepOptions step;
  std::vector<std::string> printed;  // by `!` and by commands that print
  long dynamics_calls = 0;
  int attachments = 0, breaks = 0;
};

// text: a whole script (gather_corpus); file: its name in messages. Throws Error for a bad script; physics
// gone wrong is the motion's status. Nothing here is random: only progress and stop of the run matter.
CorpusRun run_corpus(const std::string& text, const std::string& file, const CorpusOptions& options = {},
                     const Run& run = {});

// The world that a script builds, at its start: what any verb takes as a creature.
World build_corpus_world(const std::string& text, const std::string& file);

}  // namespace legwork
