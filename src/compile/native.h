#pragma once
// C made into code of this machine, by the compiler that is found on it, and kept for the next time.
//
// What was made lies in the user's cache folder under a hash of everything that it depends on: the text, the
// compiler and its version, the flags and the processor. A file is written under another name and then
// renamed, and carries its length and a hash, so that neither two processes at once nor one that was killed
// leave something behind that would be taken for whole.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace legwork {

struct CCompiler {
  std::string command;  // a path
  std::string version;  // its first line
};
// $LEGWORK_CC, else the first of cc, gcc and clang that can be run; no command: there is none.
// LEGWORK_CC=none means none.
CCompiler find_c_compiler();
// The first of these names or paths that can be run, or the one that the environment variable names.
CCompiler find_compiler(std::vector<std::string> names, const char* variable);
// What the same bits need of a C compiler, and a shared library.
std::vector<std::string> c_flags(const std::vector<std::string>& more);

struct NativeOptions {
  CCompiler compiler;
  std::vector<std::string> flags = c_flags({"-O1"});
  std::string ending = ".c";
  std::string folder;                       // where it is kept; empty: nowhere
  const std::atomic<bool>* stop = nullptr;  // true ends the compiler
};

class NativeCode {
 public:
  // Null where it cannot be made: why then says so. note: what the user should know though it could.
  static std::unique_ptr<NativeCode> make(const std::string& source, const NativeOptions& options,
                                          std::string& why, std::string& note);
  ~NativeCode();
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  // Null where it has no such function.
  void* find(const std::string& name) const;
  bool was_kept() const { return was_kept_; }  // not made anew

 private:
  NativeCode() = default;
  void* handle_ = nullptr;
  bool was_kept_ = false;
};

}  // namespace legwork
