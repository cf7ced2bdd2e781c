#pragma once
// A crew of processes that exchange messages: number 0 keeps the list and hands out batches (dispatch.h),
// works itself beside, and the others work.
//
//   worker -> 0   "hello" identity name             before its first batch
//                 "done" batch result...
//   0 -> worker   "batch" batch job...
//                 "refused" why                     it is not asked again
//                 "over"                            it is dismissed, refused or not
// What carries the messages is a Post: MPI, or in tests and simulations anything.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "search/crew.h"
#include "search/dispatch.h"

namespace legwork {

class Post {
 public:
  virtual ~Post() = default;
  virtual int number() const = 0;  // of this process
  virtual int count() const = 0;   // of all
  virtual void send(int to, const std::string& message) = 0;
  // A message that has come, with who sent it.
  virtual std::optional<std::pair<int, std::string>> receive() = 0;
  // Nothing is to be done: sleeps a moment.
  virtual void rest() = 0;
  virtual double now() = 0;  // s
  // Whether a process is known to have died; one that runs elsewhere may have without anybody knowing.
  virtual bool gone(int /*number*/) { return false; }
};

// What was said, and how long this process worked, for measurements.
struct Traffic {
  std::uint64_t messages = 0, bytes = 0, jobs = 0;
  double since = -1, worked = 0;  // s: when its work began, and how much of the time since then it worked
};

class PostedCrew : public Crew {
 public:
  // warn: gets a sentence about each process that is left out. name: of this process, for such sentences.
  // works: number 0 does jobs besides handing them out.
  PostedCrew(Post& post, std::string name, std::function<void(const std::string&)> warn, bool works = true);

  void begin(const std::string& identity, const Work& work) override;
  void share(const std::vector<std::string>& jobs, int unit, const Arrived& arrived) override;

  // No more work: all others end.
  void dismiss();
  // Of one that only works and has nothing to do: returns when it is dismissed.
  void await_dismissal();

  bool works_only() const { return post_.number() != 0; }
  const Traffic& traffic() const { return traffic_; }

 private:
  enum class Standing { silent, ready, busy, refused, gone };
  struct Worker {
    Standing standing = Standing::silent;
    std::string name = {};
  };
  class Own;  // the work of number 0 itself, on a thread of its own
  struct List {
    const std::vector<std::string>& jobs;
    const Arrived& arrived;
    Dispatch dispatch;
  };

  [[noreturn]] void serve();
  // The next words of number 0; none once it dismisses this process, or is gone.
  std::optional<std::vector<std::string>> hear_first();
  void hear(int from, const std::string& message, List& list);
  void hear_hello(int from, const std::vector<std::string>& words);
  void hear_done(int from, const std::vector<std::string>& words, List& list);
  // Passes on what nobody had done yet. False: these are no results.
  bool take(int worker, std::uint64_t batch, const std::vector<std::string>& results, List& list);
  void refuse(int worker, const std::string& why);
  void miss_the_gone(Dispatch& dispatch);
  void stand(int worker, Standing standing);
  void say(int to, const std::vector<std::string>& words);
  // False: there is nothing for it now.
  bool give(int worker, List& list);

  Post& post_;
  const std::string name_;
  const std::function<void(const std::string&)> warn_;
  const bool works_;
  std::string identity_;
  Work work_;
  std::map<int, Worker> workers_;
  std::set<int> ready_;  // those without work
  Traffic traffic_;
  double looked_ = 0;  // s: when it last looked who is gone
  bool dismissed_ = false;
};

}  // namespace legwork
