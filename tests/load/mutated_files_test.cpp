// Damaged and hostile files: every reader reads them or says what is wrong; nothing crashes. Under the
// sanitizers (make test-sanitize) this sees what a plain run cannot. LEGWORK_MUTATIONS=100000 tries as many
// of each.

#include <gtest/gtest.h>

#include <cstdlib>

#include <legwork/error.h>
#include "tests/scenes/readers.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

int mutations() {
  const char* asked = std::getenv("LEGWORK_MUTATIONS");
  return asked ? std::atoi(asked) : 60;
}

TEST(MutatedFiles, AreReadOrRefusedByEveryReader) {
  const Scratch scratch;
  for (const Reader& reader : all_readers(scratch.path())) {
    ASSERT_FALSE(reader.seeds.empty()) << reader.name;
    int refused = 0;
    for (int i = 0; i < mutations(); ++i) {
      try {
        reader.read(mutated(reader, 1, i));
      } catch (const Error& e) {
        ++refused;
        EXPECT_STRNE(e.what(), "") << reader.name << " " << i;
      } catch (const std::exception& e) {
        ADD_FAILURE() << reader.name << ", mutation " << i << ": " << e.what();
      }
    }
    RecordProperty(reader.name, refused);
  }
}

TEST(MutatedFiles, SeedsAreSound) {
  const Scratch scratch;
  for (const Reader& reader : all_readers(scratch.path())) {
    int read = 0;
    for (const std::string& seed : reader.seeds) try {
        reader.read(seed);
        ++read;
      } catch (const Error& e) {
        std::printf("%s: %s\n", reader.name.c_str(), e.what());
      }
    EXPECT_GT(read, 0) << reader.name;
  }
}

TEST(MutatedFiles, AMotionCutAtAnyByteIsRefused) {
  const Scratch scratch;
  for (const Reader& reader : all_readers(scratch.path())) {
    if (reader.name != "glb") continue;
    const std::string& whole = reader.seeds[0];
    const size_t stride = whole.size() / 200 + 1;
    for (size_t at = 0; at < whole.size(); at += stride)
      EXPECT_THROW(reader.read(whole.substr(0, at)), Error) << at;
  }
}

}  // namespace
}  // namespace legwork
