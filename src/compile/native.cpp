#include "compile/native.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/hash.h"
#include "base/version.h"

extern char** environ;

namespace legwork {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_kept = 200;  // files in the cache folder
constexpr const char* ending = ".native";

// What stands behind the code in a file that is kept: the system's loader does not mind.
struct Tail {
  std::array<char, 8> mark{'L', 'W', 'N', 'A', 'T', 'I', 'V', '1'};
  std::uint64_t size = 0, hash = 0;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool write(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  return bool(file);
}

bool is_whole(const fs::path& path) {
  const std::string bytes = read(path);
  Tail tail;
  const Tail wanted;
  if (bytes.size() < sizeof tail) return false;
  std::memcpy(&tail, bytes.data() + bytes.size() - sizeof tail, sizeof tail);
  const std::string_view code(bytes.data(), bytes.size() - sizeof tail);
  return tail.mark == wanted.mark && tail.size == code.size() && tail.hash == hash_of(code);
}

// Runs a program; its words go to the file. True: it ended well. Where `stop` says so it is ended, with all
// that it started.
bool run(const std::vector<std::string>& words, const fs::path& output,
         const std::atomic<bool>* stop = nullptr) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return false;
  int status = 0;
  for (pid_t ended = 0; ended != child;) {
    ended = waitpid(child, &status, stop ? WNOHANG : 0);
    if (ended < 0 && errno != EINTR) return false;
    if (ended != 0) continue;
    if (*stop) kill(-child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A folder that goes with this object.
class Scratch {
 public:
  Scratch() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "legwork-XXXXXX").string();
    if (!failed && mkdtemp(name.data())) path_ = name;
  }
  ~Scratch() {
    std::error_code failed;
    if (!path_.empty()) fs::remove_all(path_, failed);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string found_in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = folder + "/" + name; access(file.c_str(), X_OK) == 0) return file;
  return "";
}

// What -march=native depends on.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      text += line + "\n";
  return text;
}

// The files that were not used for the longest time go.
void keep_to_limit(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  std::error_code failed;
  for (const auto& item : fs::directory_iterator(folder, failed))
    if (item.path().extension() == ending) kept.emplace_back(item.last_write_time(failed), item.path());
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i + most_kept < kept.size(); ++i) fs::remove(kept[i].second, failed);
}

}  // namespace

CCompiler find_c_compiler() { return find_compiler({"cc", "gcc", "clang"}, "LEGWORK_CC"); }

std::vector<std::string> c_flags(const std::vector<std::string>& more) {
  std::vector<std::string> flags = {"-std=gnu99", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared"};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

CCompiler find_compiler(std::vector<std::string> names, const char* variable) {
  if (const char* wish = std::getenv(variable); wish && *wish) names = {wish};
  if (names.front() == "none") return {};
  const Scratch scratch;
  if (scratch.path().empty()) return {};
  for (const std::string& name : names) {
    const std::string command = found_in_path(name);
    const fs::path said = scratch.path() / "version";
    if (command.empty() || !run({command, "--version"}, said)) continue;
    const std::string text = read(said);
    return {command, text.substr(0, text.find('\n'))};
  }
  return {};
}

std::unique_ptr<NativeCode> NativeCode::make(const std::string& source, const NativeOptions& options,
                                             std::string& why, std::string& note) {
  why.clear(), note.clear();
  if (options.compiler.command.empty()) {
    why = "there is no C compiler (cc, gcc or clang)";
    return nullptr;
  }
  std::vector<std::string> words = {options.compiler.command};
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  std::string key =
      std::string("legwork ") + version() + "\n" + options.compiler.version + "\n" + processor();
  for (const std::string& word : words) key += word + "\n";
  const std::string name = hex(hash_of(source, hash_of(key))) + ending;

  std::unique_ptr<NativeCode> code(new NativeCode);
  const auto load = [&](const fs::path& file) {
    code->handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!code->handle_) why = std::string("what was compiled cannot be loaded: ") + dlerror();
    return code->handle_ != nullptr;
  };
  std::error_code failed;
  fs::path folder = options.folder;
  if (!folder.empty()) fs::create_directories(folder, failed);
  const fs::path kept = folder.empty() ? fs::path() : folder / name;
  if (!kept.empty() && fs::is_regular_file(kept, failed)) {
    if (is_whole(kept) && load(kept)) {
      code->was_kept_ = true;
      fs::last_write_time(kept, fs::file_time_type::clock::now(), failed);
      return code;
    }
    fs::remove(kept, failed);
  }

  const Scratch scratch;
  const fs::path text = scratch.path() / ("code" + options.ending), made = scratch.path() / "code.so",
                 said = scratch.path() / "said";
  if (scratch.path().empty() || !write(text, source)) {
    why = "there is no room for temporary files";
    return nullptr;
  }
  words.insert(words.end(), {text.string(), "-o", made.string(), "-lm"});
  if (!run(words, said, options.stop)) {
    const std::string words_of_it = read(said);
    why = options.compiler.command + " failed: " + words_of_it.substr(0, words_of_it.find('\n'));
    return nullptr;
  }
  if (!kept.empty()) {
    std::string bytes = read(made);
    Tail tail;
    tail.size = bytes.size(), tail.hash = hash_of(bytes);
    bytes.append(reinterpret_cast<const char*>(&tail), sizeof tail);
    const fs::path part = folder / (name + "." + scratch.path().filename().string() + ".part");
    if (write(part, bytes)) fs::rename(part, kept, failed);
    if (failed || !fs::is_regular_file(kept, failed)) {
      note = "compiled code is not kept: " + folder.string() + " cannot be written";
      fs::remove(part, failed);
    } else {
      keep_to_limit(folder);
    }
  }
  why.clear();
  if (!load(made)) return nullptr;
  return code;
}

NativeCode::~NativeCode() {
  if (handle_) dlclose(handle_);
}

void* NativeCode::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

}  // namespace legwork
