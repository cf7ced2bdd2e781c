#include "formats/file.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <legwork/error.h>

namespace legwork {

namespace {

constexpr std::size_t buffer_bytes = 1 << 18;

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool may_write(const std::string& path) { return faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0; }

// What went wrong with writing `path`, and what to try.
Error write_trouble(const std::string& path, int code) {
  const Where file{path, 0};
  const std::string folder = "'" + folder_of(path) + "'";
  struct stat info;
  switch (code) {
    case ENOENT:
      return {file, "", "cannot be written: there is no folder " + folder, "make it first"};
    case ENOTDIR:
      return {file, "", "cannot be written: " + folder + " is not a folder", "choose another path"};
    case EISDIR:
      return {file, "", "is a folder", "give the name of a file"};
    case EROFS:
      return {file, "", "cannot be written: " + folder + " is on a read-only disk", "choose another folder"};
    case EACCES:
    case EPERM:
      if (stat(path.c_str(), &info) == 0 && !may_write(path))
        return {file, "", "cannot be written: the file is read-only",
                "choose another name or change its permissions"};
      return {file, "", "cannot be written: the folder " + folder + " is read-only", "choose another folder"};
    case ENOSPC:
    case EDQUOT:
      return {file, "", "cannot be written: the disk is full",
              "nothing was left behind, make room and try again"};
    case EFBIG:
      return {file, "",
              "cannot be written: the file is too large for this disk or for the limit set (ulimit -f)"};
    case ENAMETOOLONG:
      return {file, "", "cannot be written: the name is too long"};
    default:
      return {file, "", std::string("cannot be written: ") + std::strerror(code)};
  }
}

Error read_trouble(const std::string& path, int code) {
  const Where file{path, 0};
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return {file, "", "there is no such file", "check the path"};
    case EISDIR:
      return {file, "", "is a folder", "give the name of a file"};
    case EACCES:
    case EPERM:
      return {file, "", "cannot be read: permission denied", "change its permissions"};
    case ETIMEDOUT:
      return {file, "", "is a pipe that nobody writes to", "start what writes to it first"};
    default:
      return {file, "", std::string("cannot be read: ") + std::strerror(code)};
  }
}

// Where a chain of symbolic links ends.
std::string resolve(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  const std::filesystem::path end = std::filesystem::weakly_canonical(path, ignored);
  return ignored ? path : end.string();
}

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};  // only for names: no effect on what is written
  const std::filesystem::path path(target);
  const std::string name = ".legwork-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".part";
  return (path.parent_path() / name).string();
}

// A file that has no name yet, so that nothing remains where the process is killed; -1 where the file system
// knows none, or /proc, which gives it its name, is absent.
int open_nameless(const std::string& folder, mode_t mode) {
#ifdef O_TMPFILE
  if (access("/proc/self/fd", X_OK) == 0) return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#endif
  return -1;
}

// Opens without waiting for the other end of a pipe.
int open_to_read(const std::string& path) { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }

// The first bytes of a file, or of a pipe that somebody writes to: one who has not come yet is waited for,
// but not for ever. As ::read; ETIMEDOUT where nobody came. Later reads wait for data.
ssize_t read_first(int handle, void* to, std::size_t most) {
  constexpr int most_waits = 40, wait_microseconds = 50000;
  struct stat info;
  const bool pipe = fstat(handle, &info) == 0 && S_ISFIFO(info.st_mode);
  ssize_t got = pipe ? 0 : -1;
  for (int i = 0; pipe && got == 0; ++i) {
    got = ::read(handle, to, most);  // 0: nobody there; EAGAIN: somebody who has written nothing yet
    pollfd asked{handle, POLLIN, 0};
    const bool left = got == 0 && poll(&asked, 1, 0) > 0;
    if (left) return 0;
    if (got == 0 && i == most_waits) return errno = ETIMEDOUT, -1;
    if (got == 0) usleep(wait_microseconds);
  }
  if (fcntl(handle, F_SETFL, 0) != 0) return -1;
  return got > 0 ? got : ::read(handle, to, most);
}

}  // namespace

FileWriter::FileWriter(const std::string& path) : path_(path), target_(resolve(path)) {
  if (path.empty()) throw Error("the name of the file to write is empty", "give one");
  mode_t mode = 0666;
  struct stat info;
  const bool exists = stat(target_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail(EISDIR);
  if (exists && !may_write(target_)) fail(errno);
  if (exists && !S_ISREG(info.st_mode)) {
    handle_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (exists) mode = info.st_mode & 0777;
    temporary_ = temporary_name(target_);
    handle_ = open_nameless(folder_of(target_), mode);
    nameless_ = handle_ >= 0;
    if (!nameless_) handle_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (handle_ < 0) temporary_.clear();
  }
  if (handle_ < 0) fail(errno);
  buffer_.reserve(buffer_bytes);
}

FileWriter::~FileWriter() {
  if (handle_ >= 0) close(handle_);
  if (!temporary_.empty() && !nameless_) unlink(temporary_.c_str());
}

void FileWriter::fail(int code) { throw write_trouble(path_, code); }

void FileWriter::write(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  if (buffer_.size() + bytes <= buffer_bytes) {
    buffer_.insert(buffer_.end(), from, from + bytes);
    return;
  }
  flush();
  if (bytes < buffer_bytes) {
    buffer_.assign(from, from + bytes);
    return;
  }
  while (bytes > 0) {
    const ssize_t written = ::write(handle_, from, std::min<std::size_t>(bytes, 1 << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    from += written, bytes -= std::size_t(written);
  }
}

void FileWriter::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(handle_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    done += std::size_t(written);
  }
  buffer_.clear();
}

void FileWriter::commit() {
  flush();
  if (nameless_) {
    const std::string self = "/proc/self/fd/" + std::to_string(handle_);
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) fail(errno);
    nameless_ = false;
  }
  const int handle = handle_;
  handle_ = -1;
  if (close(handle) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void write_file(const std::string& path, std::string_view text) {
  FileWriter file(path);
  file.write(text);
  file.commit();
}

bool is_abandoned(const std::string& name) {
  int process = 0, number = 0, end = 0;
  if (std::sscanf(name.c_str(), ".legwork-%d-%d.part%n", &process, &number, &end) != 2) return false;
  return end == int(name.size()) && process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

void check_can_write(const std::string& path) {
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return;  // a pipe would wait for its reader
  FileWriter probe(path);
}

FileReader::FileReader(const std::string& path) : path_(path) {
  const auto fail = [&](int code) {
    if (handle_ >= 0) close(handle_);
    throw read_trouble(path, code);
  };
  if (path.empty()) throw Error("the name of the file to read is empty", "give one");
  handle_ = open_to_read(path);
  if (handle_ < 0) fail(errno);
  struct stat info;
  if (fstat(handle_, &info) != 0) fail(errno);
  if (S_ISDIR(info.st_mode)) fail(EISDIR);
  if (!S_ISREG(info.st_mode)) {
    close(handle_);
    throw Error({path, 0}, "", "is a device or a pipe", "give a file");
  }
  size_ = std::uint64_t(info.st_size);
}

FileReader::~FileReader() { close(handle_); }

void FileReader::read(std::uint64_t offset, void* data, std::size_t bytes) {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = pread(handle_, to, std::min<std::size_t>(bytes, 1 << 30), off_t(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw read_trouble(path_, errno);
    if (got == 0) throw Error({path_, 0}, "", "the file is cut short", "make it again");
    to += got, offset += std::uint64_t(got), bytes -= std::size_t(got);
  }
}

std::string read_file(const std::string& path, std::uint64_t most) {
  if (path.empty()) throw Error("the name of the file to read is empty", "give one");
  const int handle = open_to_read(path);
  if (handle < 0) throw read_trouble(path, errno);
  // read to the end instead of asking for the size: pipes have none
  std::string text;
  std::size_t used = 0;
  int code = 0;
  bool first = true;
  while (used <= most) {
    if (text.size() - used < buffer_bytes) text.resize(std::max(2 * text.size(), 4 * buffer_bytes));
    const ssize_t got = (first ? read_first : ::read)(handle, text.data() + used, text.size() - used);
    first = false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) code = errno;
    if (got <= 0) break;
    used += std::size_t(got);
  }
  close(handle);
  if (code != 0) throw read_trouble(path, code);
  if (used > most)
    throw Error({path, 0}, "", "the file has more than the " + std::to_string(most) + " bytes that are read",
                "is it the right one?");
  text.resize(used);
  return text;
}

}  // namespace legwork
