#pragma once
// Files whole or not at all: what is written goes to a temporary name beside the target, then takes its name.
// An error, an exception or a full disk leaves the old file as it was and nothing else behind; so does the
// end of the process where the file system knows files without a name, as those of Linux do.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace legwork {

class FileWriter {
 public:
  // Devices and pipes (/dev/stdout) are written directly; a symbolic link keeps pointing at its file.
  explicit FileWriter(const std::string& path);
  ~FileWriter();  // removes what was written unless commit was reached
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();  // the file takes its name

 private:
  [[noreturn]] void fail(int code);
  void flush();

  std::string path_, target_, temporary_;  // temporary_ is empty for devices
  bool nameless_ = false;                  // the file gets its temporary name when it is complete
  int handle_ = -1;
  std::vector<char> buffer_;
};

void write_file(const std::string& path, std::string_view text);

// Whether a file of this name is what a FileWriter left behind whose process was killed.
bool is_abandoned(const std::string& name);

// Before long work: throws the Error that a FileWriter of this path would throw. Leaves nothing behind.
void check_can_write(const std::string& path);

// A file opened for reading anywhere in it.
class FileReader {
 public:
  explicit FileReader(const std::string& path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  std::uint64_t size() const { return size_; }
  // Exactly these bytes; an Error where the file ends before.
  void read(std::uint64_t offset, void* data, std::size_t bytes);

 private:
  std::string path_;
  int handle_ = -1;
  std::uint64_t size_ = 0;
};

// The whole file; an Error beyond `most` bytes.
std::string read_file(const std::string& path, std::uint64_t most = std::uint64_t(1) << 30);

}  // namespace legwork
