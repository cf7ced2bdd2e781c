#include "methods/study_results.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "formats/file.h"
#include "formats/value_json.h"

namespace legwork {

namespace {

Value object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Value object = Value::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

}  // namespace

StudyResults::StudyResults(const std::string& path) : path_(path) {
  if (path.empty()) return;
  open();
  try {
    read(read_file(path));
    if (torn_ >= 0 && ::ftruncate(handle_, torn_) != 0) fail();
  } catch (...) {
    ::close(handle_);
    throw;
  }
}

StudyResults::~StudyResults() {
  if (handle_ >= 0) ::close(handle_);
}

void StudyResults::open() {
  handle_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (handle_ < 0) fail();
  // two that do not know of each other would each do all of the work; the lock ends with its process
  if (::flock(handle_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(handle_);
    throw Error({path_, 0}, "results", "another study is writing to it",
                "wait until it ends, or name another file with --results");
  }
}

void StudyResults::add(const StudyRun& run) {
  const Value row{{"id", run.id},
                  {"varied", object_of(run.varied)},
                  {"repetition", run.repetition},
                  {"sampled", object_of(run.sampled)},
                  {"summary", run.summary}};
  const std::string line = to_json(row) + "\n";
  const std::lock_guard lock(mutex_);
  if (handle_ >= 0 && ::write(handle_, line.data(), line.size()) != ssize_t(line.size())) fail();
  // as the file has it, so that a study that went on gives the same table
  summaries_[run.id] = *parse_json(line)->find("summary");
}

void StudyResults::read(const std::string& text) {
  int number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    ++number;
    if (end == text.npos) {
      torn_ = long(begin);
      return;
    }
    const std::optional<Value> row = parse_json(std::string_view(text).substr(begin, end - begin));
    const Value* id = row ? row->find("id") : nullptr;
    const Value* summary = row ? row->find("summary") : nullptr;
    if (!id || !id->text() || !summary)
      throw Error({path_, number}, "results", "is no line of a study", "name another file with --results");
    summaries_[*id->text()] = *summary;
    begin = end + 1;
  }
}

void StudyResults::fail() const {
  const int code = errno;
  check_can_write(path_);  // says it better where the folder is at fault
  throw Error({path_, 0}, "results", std::string("cannot be written: ") + std::strerror(code),
              "name another file with --results");
}

}  // namespace legwork
