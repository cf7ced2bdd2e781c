#include "search/coordinator.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "base/hash.h"
#include "search/packet.h"
#include "search/shard.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

TEST(Dispatch, EveryJobIsDoneOnceWhoeverTakesIt) {
  Dispatch dispatch(100, 8, 3);
  std::set<std::size_t> seen;
  double now = 0;
  for (int worker = 0; !dispatch.finished(); worker = (worker + 1) % 3, now += 0.1)
    if (const auto batch = dispatch.next(worker, now)) {
      for (const std::size_t job : batch->jobs) EXPECT_TRUE(seen.insert(job).second) << job;
      dispatch.answered(worker, batch->id, now + 0.1);
      dispatch.done(worker, batch->id);
    }
  EXPECT_EQ(seen.size(), 100u);
}

TEST(Dispatch, BatchesAreASecondsWorkAndShrinkTowardsTheEnd) {
  Dispatch dispatch(4000, 8, 2);
  double now = 0;
  std::vector<std::size_t> sizes;
  while (const auto batch = dispatch.next(0, now)) {
    sizes.push_back(batch->jobs.size());
    now += 0.01 * double(batch->jobs.size());  // 100 jobs a second
    dispatch.answered(0, batch->id, now);
    dispatch.done(0, batch->id);
  }
  EXPECT_EQ(sizes[0], 8u) << "of a worker that nobody knows yet";
  EXPECT_GE(sizes[1], 96u) << "a second's";
  EXPECT_LE(sizes[1], 1000u) << "ten seconds'";
  EXPECT_EQ(sizes.back() % 8, 0u);
  EXPECT_LE(sizes.back(), 8u);
}

TEST(Dispatch, WorkOfTheLostAndTheSilentIsHandedOutAgain) {
  Dispatch dispatch(16, 8, 3);
  const auto lost = dispatch.next(1, 0), silent = dispatch.next(2, 0);
  ASSERT_TRUE(lost && silent);
  EXPECT_FALSE(dispatch.next(0, 1)) << "all is given";
  dispatch.lost(1);
  const auto again = dispatch.next(0, 1);
  ASSERT_TRUE(again);
  EXPECT_EQ(std::set(again->jobs.begin(), again->jobs.end()), std::set(lost->jobs.begin(), lost->jobs.end()));
  dispatch.done(0, again->id);
  EXPECT_TRUE(dispatch.jobs_of(1, lost->id).empty()) << "what it says now does not count";
  EXPECT_FALSE(dispatch.next(0, 3)) << "too early";
  const auto late = dispatch.next(0, 1000);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->jobs, silent->jobs);
  dispatch.done(2, silent->id);  // it was only slow
  EXPECT_TRUE(dispatch.finished());
}

TEST(Packet, TextsComeBackAndGarbageDoesNot) {
  const std::vector<std::string> texts = {"done", "", std::string("a\0b", 3), std::string(1000, 'x')};
  EXPECT_EQ(*unpack(pack(texts)), texts);
  EXPECT_FALSE(unpack("garbage that is long enough to be read"));
  EXPECT_FALSE(unpack(pack(texts).substr(1)));
}

TEST(Shard, PartsAreDisjointAndAll) {
  std::set<std::uint64_t> seen;
  for (const std::string part : {"1/3", "2/3", "3/3"})
    for (std::uint64_t n = 0; n < 20; ++n)
      if (parse_shard(part, "x").has(n)) EXPECT_TRUE(seen.insert(n).second);
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_TRUE(parse_shard("", "x").whole());
  for (const std::string bad : {"0/3", "4/3", "3", "a/3", "1/0", "1/3x"})
    EXPECT_EQ(error_of([&] { parse_shard(bad, "x"); }),
              "x: '" + bad + "' is no part of a whole; write 3/16 for the third of sixteen");
}

// Workers that answer at once: honest ones double a number, others do not.
class Office : public Post {
 public:
  explicit Office(std::string identity) : identity_(std::move(identity)) {}
  int number() const override { return 0; }
  int count() const override { return 5; }
  void send(int to, const std::string& message) override {
    const std::vector<std::string> words = *unpack(message);
    if (words[0] == "refused") refused.insert(to);
    if (words[0] != "batch" || to == 3) return;  // 3 never answers
    if (to == 2) {
      inbox_.push_back({2, "@@@@@@@@ what is this @@@@@@@@"});
      return;
    }
    std::vector<std::string> answer = {"done", words[1]};
    for (std::size_t i = 2; i < words.size(); ++i) answer.push_back(std::to_string(2 * std::stoi(words[i])));
    inbox_.push_back({to, pack(answer)});
  }
  std::optional<std::pair<int, std::string>> receive() override {
    if (!greeted_) {
      greeted_ = true;
      for (int i = 1; i < 5; ++i)
        inbox_.push_back({i, pack({"hello", i == 4 ? "another" : identity_, "w" + std::to_string(i)})});
    }
    if (inbox_.empty()) return {};
    auto message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }
  void rest() override { time_ += 5; }
  double now() override { return time_ += 0.001; }

  std::set<int> refused;

 private:
  std::string identity_;
  std::deque<std::pair<int, std::string>> inbox_;
  bool greeted_ = false;
  double time_ = 0;
};

TEST(PostedCrew, TheWorkIsDoneAlthoughSomeLieOrKeepSilent) {
  Office office(hex(hash_of("cart, seed 1")));
  std::vector<std::string> warnings;
  PostedCrew crew(office, "me", [&](const std::string& text) { warnings.push_back(text); });
  const auto work = [](const std::vector<std::string>& jobs) {
    std::vector<std::string> results;
    for (const std::string& job : jobs) results.push_back(std::to_string(2 * std::stoi(job)));
    return results;
  };
  crew.begin("cart, seed 1", work);
  std::vector<std::string> jobs;
  for (int i = 0; i < 200; ++i) jobs.push_back(std::to_string(i));
  std::vector<int> results(jobs.size(), -1);
  const auto arrived = [&](const std::vector<std::size_t>& which, const std::vector<std::string>& texts) {
    for (std::size_t k = 0; k < which.size(); ++k) {
      EXPECT_EQ(results[which[k]], -1) << "told once";
      results[which[k]] = std::stoi(texts[k]);
    }
    return true;
  };
  crew.share(jobs, 8, arrived);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(results[size_t(i)], 2 * i);
  EXPECT_EQ(office.refused, (std::set<int>{2, 4}));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0],
            "process 4 (w4) runs another command, creature or version; it is left out, and its work is "
            "done by the others");
  EXPECT_EQ(warnings[1],
            "process 2 (w2) answered what is no result; it is left out, and its work is done by the others");
}

}  // namespace
}  // namespace legwork
