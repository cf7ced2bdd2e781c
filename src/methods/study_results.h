#pragma once
// The file of a study's results: every line is a finished run, appended and flushed as it ends.

#include <map>
#include <mutex>
#include <string>

#include <legwork/study.h>

namespace legwork {

class StudyResults {
 public:
  // Reads what the file holds; a last line that was cut off while it was written goes. Empty: no file. Throws
  // Error.
  explicit StudyResults(const std::string& path);
  ~StudyResults();
  StudyResults(const StudyResults&) = delete;
  StudyResults& operator=(const StudyResults&) = delete;

  bool has(const std::string& id) const { return summaries_.contains(id); }
  const Value& summary(const std::string& id) const { return summaries_.at(id); }
  // Any thread may call it.
  void add(const StudyRun& run);

 private:
  void read(const std::string& text);
  void open();
  [[noreturn]] void fail() const;

  std::string path_;
  int handle_ = -1;
  long torn_ = -1;  // where the line begins that was cut off; -1: none was
  std::map<std::string, Value> summaries_;
  std::mutex mutex_;
};

}  // namespace legwork
