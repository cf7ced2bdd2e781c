// Compiled code that is kept: found again, and harmless when torn, unwritable or wanted by two at once.

#include "compile/native.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace legwork {
namespace {

namespace fs = std::filesystem;

class Native : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "legwork-test-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder_ = name;
    options_.compiler = find_c_compiler();
    options_.folder = (folder_ / "kept").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<NativeCode> make() { return NativeCode::make(source_, options_, why_, note_); }
  static int answer(const NativeCode& code) { return reinterpret_cast<int (*)()>(code.find("answer"))(); }
  fs::path kept() const {
    for (const auto& item : fs::directory_iterator(options_.folder)) return item.path();
    return {};
  }

  const std::string source_ = "int answer(void) { return 42; }\n";
  NativeOptions options_;
  fs::path folder_;
  std::string why_, note_;
};

TEST_F(Native, IsMadeOnceAndFoundAgain) {
  const auto first = make();
  ASSERT_TRUE(first) << why_;
  EXPECT_FALSE(first->was_kept());
  EXPECT_EQ(answer(*first), 42);
  const auto second = make();
  ASSERT_TRUE(second) << why_;
  EXPECT_TRUE(second->was_kept());
  EXPECT_EQ(answer(*second), 42);
  EXPECT_EQ(second->find("question"), nullptr);
}

TEST_F(Native, AFileThatIsTornOrOfAnotherVersionIsMadeAnew) {
  ASSERT_TRUE(make()) << why_;
  const fs::path file = kept();
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto torn = make();
  ASSERT_TRUE(torn) << why_;
  EXPECT_FALSE(torn->was_kept());
  EXPECT_EQ(answer(*torn), 42);
  // what an older version left: whole for it, without the mark at its end
  std::ofstream(file, std::ios::binary | std::ios::trunc) << std::string(1000, 'x');
  const auto older = make();
  ASSERT_TRUE(older) << why_;
  EXPECT_FALSE(older->was_kept());
  EXPECT_EQ(answer(*older), 42);
  EXPECT_TRUE(make()->was_kept());
}

TEST_F(Native, AFolderThatCannotBeWrittenIsSaidAndTheCodeWorks) {
  std::ofstream(folder_ / "file") << "a file where a folder is wanted";
  options_.folder = (folder_ / "file" / "kept").string();
  const auto code = make();
  ASSERT_TRUE(code) << why_;
  EXPECT_EQ(answer(*code), 42);
  EXPECT_NE(note_.find("cannot be written"), std::string::npos) << note_;
}

TEST_F(Native, TwoAtOnceBothGetIt) {
  std::vector<std::thread> crew;
  std::array<int, 4> answers{};
  for (int& a : answers)
    crew.emplace_back([this, &a] {
      std::string why, note;
      const auto code = NativeCode::make(source_, options_, why, note);
      if (code) a = answer(*code);
    });
  for (std::thread& t : crew) t.join();
  for (const int a : answers) EXPECT_EQ(a, 42);
  int files = 0;
  for ([[maybe_unused]] const auto& item : fs::directory_iterator(options_.folder)) ++files;
  EXPECT_EQ(files, 1);
}

TEST_F(Native, WithoutACompilerOrWithBadCodeItSaysWhy) {
  options_.compiler = {};
  EXPECT_FALSE(make());
  EXPECT_NE(why_.find("no C compiler"), std::string::npos) << why_;
  options_.compiler = find_c_compiler();
  EXPECT_FALSE(NativeCode::make("this is no C\n", options_, why_, note_));
  EXPECT_NE(why_.find("failed"), std::string::npos) << why_;
}

TEST_F(Native, ACompilerIsEndedOnRequest) {
  std::ofstream(folder_ / "slow") << "#!/bin/sh\nsleep 60\n";
  fs::permissions(folder_ / "slow", fs::perms::owner_all);
  options_.compiler = {(folder_ / "slow").string(), ""};
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(make());
  later.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace legwork
