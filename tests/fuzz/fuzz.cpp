// usage: fuzz list                      names of all targets: every reader, every verb on the bodies of files
//        fuzz seeds FOLDER              writes FOLDER/TARGET/N, whole files to begin with
//        fuzz TARGET [OPTION|FILE...]   libFuzzer's options and corpora; a FILE alone is tried once
// A finding is a crash, what a sanitizer says, an exception that is no Error, or numbers that are not finite.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <legwork/error.h>
#include "formats/file.h"
#include "tests/scenes/readers.h"
#include "tests/scenes/scratch.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace legwork {
namespace {

const Reader* target = nullptr;

// Never freed: libFuzzer ends the process where it stands.
const std::vector<Reader>& targets() {
  static const Scratch& scratch = *new Scratch;
  static const std::vector<Reader>& all = *[] {
    auto* found = new std::vector<Reader>(all_readers(scratch.path()));
    for (Reader& verb : all_verbs()) found->push_back(std::move(verb));
    return found;
  }();
  static const int removed = std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all(scratch.path(), ignored);
  });
  return removed == 0 ? all : all;
}

int list() {
  for (const Reader& reader : targets()) std::puts(reader.name.c_str());
  return 0;
}

int write_seeds(const std::filesystem::path& folder) {
  for (const Reader& reader : targets()) {
    std::filesystem::create_directories(folder / reader.name);
    for (size_t i = 0; i < reader.seeds.size(); ++i)
      write_file((folder / reader.name / std::to_string(i)).string(), reader.seeds[i]);
  }
  return 0;
}

const Reader* find(const std::string& name) {
  for (const Reader& reader : targets())
    if (reader.name == name) return &reader;
  return nullptr;
}

}  // namespace
}  // namespace legwork

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace legwork;
  const std::string first = *argc > 1 ? (*argv)[1] : "";
  if (first == "list") std::exit(list());
  if (first == "seeds" && *argc == 3) std::exit(write_seeds((*argv)[2]));
  target = find(first);
  if (!target) {
    std::fprintf(stderr, "usage: fuzz list | fuzz seeds FOLDER | fuzz TARGET [OPTION|FILE...]\n");
    std::exit(2);
  }
  std::memmove(*argv + 1, *argv + 2, sizeof(char*) * std::size_t(*argc - 1));
  --*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    legwork::target->read({reinterpret_cast<const char*>(data), size});
  } catch (const legwork::Error& e) {
    if (!*e.what()) std::abort();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", legwork::target->name.c_str(), e.what());
    std::abort();
  }
  return 0;
}

// Half of the time libFuzzer's changes of bytes, else ours, which know what texts are made of.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  if (seed % 2 == 0 || size == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text =
      legwork::changed(*legwork::target, {reinterpret_cast<const char*>(data), size}, seed);
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(data, text.data(), length);
  return length;
}
