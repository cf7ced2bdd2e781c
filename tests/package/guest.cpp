// A stranger's program: only the installed headers and library.
#include <cstdio>

#include "legwork/base/random.h"

int main() {
  legwork::Random random(1, 0);
  const double sample = random.uniform();
  std::printf("sample %.17g\n", sample);
  return sample >= 0 && sample < 1 ? 0 : 1;
}
