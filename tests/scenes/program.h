#pragma once
// Runs the built program in a folder of its own and captures its output.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace legwork::test {

struct Outcome {
  int code = -1;  // exit code; 128 + signal if it was killed
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

std::string contents(const std::filesystem::path& path);

// A folder for the files of one test, removed afterwards.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string write(const std::string& name, const std::string& text) const;
  std::vector<std::string> names() const;

  // legwork with these words, run in this folder.
  Outcome legwork(const std::vector<std::string>& words, const std::string& input = {}) const;

 private:
  std::filesystem::path path_;
};

}  // namespace legwork::test
