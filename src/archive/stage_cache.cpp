#include "archive/stage_cache.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/cache_folder.h"
#include "formats/file.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

struct Head {
  char mark[8] = {'L', 'W', 'S', 'T', 'A', 'G', 'E', '1'};
  std::uint64_t size = 0, hash = 0;
};

// Eight bytes at a time: files are large, and only chance damage is sought.
std::uint64_t hash_of(const std::string& bytes) {
  std::uint64_t h = 14695981039346656037ull;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
  }
  for (; i < bytes.size(); ++i)
    h = (h ^ std::uint64_t(static_cast<unsigned char>(bytes[i]))) * 1099511628211ull;
  return h;
}

}  // namespace

std::string StageCache::default_folder() { return cache_folder(); }

StageCache::StageCache(std::string folder, double limit_bytes)
    : folder_(std::move(folder)), limit_(limit_bytes) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) folder_.clear();
  remove_leftovers();
}

void StageCache::remove_leftovers() const {
  std::error_code failed;
  if (folder_.empty()) return;
  for (const auto& item : fs::directory_iterator(folder_, failed))
    if (is_abandoned(item.path().filename().string())) fs::remove(item.path(), failed);
}

std::string StageCache::path(const std::string& key) const { return folder_ + "/" + key + ".stage"; }

bool StageCache::load(const std::string& key, std::string& bytes) {
  std::error_code failed;
  if (folder_.empty() || !fs::is_regular_file(path(key), failed)) return false;
  try {
    FileReader file(path(key));
    Head head, wanted;
    if (file.size() >= sizeof head) file.read(0, &head, sizeof head);
    if (std::memcmp(head.mark, wanted.mark, sizeof head.mark) == 0 &&
        file.size() == sizeof head + head.size) {
      bytes.resize(head.size);
      file.read(sizeof head, bytes.data(), head.size);
      if (hash_of(bytes) == head.hash) {
        fs::last_write_time(path(key), fs::file_time_type::clock::now(), failed);
        return true;
      }
    }
  } catch (const Error&) {
  }
  fs::remove(path(key), failed);
  return false;
}

void StageCache::save(const std::string& key, const std::string& bytes) {
  if (folder_.empty() || double(bytes.size()) > limit_) return;
  try {
    Head head;
    head.size = bytes.size();
    head.hash = hash_of(bytes);
    FileWriter file(path(key));
    file.write(&head, sizeof head);
    file.write(bytes);
    file.commit();
  } catch (const Error&) {
    return;  // a full disk costs time, not the result
  }
  keep_to_limit();
}

void StageCache::keep_to_limit() const {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    double size;
  };
  std::vector<Entry> entries;
  std::error_code failed;
  double sum = 0;
  for (const auto& item : fs::directory_iterator(folder_, failed)) {
    if (item.path().extension() != ".stage") continue;
    const double size = double(item.file_size(failed));
    entries.push_back({item.last_write_time(failed), item.path(), size});
    sum += size;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (sum <= limit_) break;
    fs::remove(entry.path, failed);
    sum -= entry.size;
  }
}

}  // namespace legwork
