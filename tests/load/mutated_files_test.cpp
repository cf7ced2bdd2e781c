// Damaged and hostile files: every reader reads them or says what is wrong; nothing crashes. Under the
// sanitizers (make test-sanitize) this sees what a plain run cannot. LEGWORK_MUTATIONS=100000 tries as many
// of each.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <legwork/error.h>
#include "formats/file.h"
#include "tests/scenes/readers.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

int mutations() {
  const char* asked = std::getenv("LEGWORK_MUTATIONS");
  return asked ? std::atoi(asked) : 60;
}

// Whether it was read; if not, that it was refused with an Error.
bool is_read(const Reader& reader, const std::string& bytes, const std::string& which) {
  try {
    reader.read(bytes);
    return true;
  } catch (const Error& e) {
    EXPECT_STRNE(e.what(), "") << reader.name << ", " << which;
  } catch (const std::exception& e) {
    ADD_FAILURE() << reader.name << ", " << which << ": " << e.what();
  }
  return false;
}

void expect_handled(const std::vector<Reader>& readers, int mutations) {
  for (const Reader& reader : readers) {
    ASSERT_FALSE(reader.seeds.empty()) << reader.name;
    int refused = 0;
    for (int i = 0; i < mutations; ++i)
      refused += !is_read(reader, mutated(reader, 1, i), "mutation " + std::to_string(i));
    ::testing::Test::RecordProperty(reader.name, refused);
  }
}

TEST(MutatedFiles, AreReadOrRefusedByEveryReader) {
  const Scratch scratch;
  expect_handled(all_readers(scratch.path()), mutations());
}

// Verbs take longer, so they get fewer.
TEST(MutatedFiles, AreMovedOrRefusedByEveryVerb) { expect_handled(all_verbs(), mutations() / 5); }

// The files that make fuzz begins with, and what it has found: tests/fuzz/corpus/TARGET/*.
TEST(MutatedFiles, TheCorpusOfFuzzingIsReadOrRefused) {
  const Scratch scratch;
  std::vector<Reader> all = all_readers(scratch.path());
  for (Reader& verb : all_verbs()) all.push_back(std::move(verb));
  int found = 0;
  for (const Reader& reader : all) {
    const std::filesystem::path folder = LEGWORK_SOURCE_DIR "/tests/fuzz/corpus/" + reader.name;
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      is_read(reader, read_file(file.path().string()), file.path().filename().string());
      ++found;
    }
  }
  EXPECT_GT(found, 0);
}

TEST(MutatedFiles, SeedsAreSound) {
  const Scratch scratch;
  std::vector<Reader> all = all_readers(scratch.path());
  for (Reader& verb : all_verbs()) all.push_back(std::move(verb));
  for (const Reader& reader : all) {
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
