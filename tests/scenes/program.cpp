#include "tests/scenes/program.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace legwork::test {

namespace fs = std::filesystem;

namespace {

// A word quoted for the shell.
std::string in_quotes(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "legwork_test_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return name;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> list;
  for (const auto& entry : fs::directory_iterator(path_)) list.push_back(entry.path().filename().string());
  std::sort(list.begin(), list.end());
  return list;
}

Outcome Folder::legwork(const std::vector<std::string>& words, const std::string& input) const {
  const fs::path streams = path_.string() + ".streams";
  fs::create_directories(streams);
  std::ofstream(streams / "in", std::ios::binary) << input;
  std::string command = "cd " + in_quotes(path_.string()) + " && " + in_quotes(LEGWORK_PROGRAM);
  for (const std::string& word : words) command += " " + in_quotes(word);
  for (const auto& [sign, name] : {std::pair{" <", "in"}, {" >", "out"}, {" 2>", "err"}})
    command += sign + in_quotes((streams / name).string());
  const int status = std::system(command.c_str());
  const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                        contents(streams / "out"), contents(streams / "err")};
  fs::remove_all(streams);
  return outcome;
}

}  // namespace legwork::test
