#pragma once
// The ledger of a search (discover/record.h) as an archive file: tables `evaluation` and `gait`, lists as
// JSON.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "archive/archive.h"
#include "discover/record.h"

namespace legwork {

class ArchiveLedger : public Ledger {
 public:
  // Continues the search that the file holds, or begins one. Another search's file is an Error.
  ArchiveLedger(const std::string& path, const SearchIdentity& identity);

  const Record* find(std::uint64_t number) override;
  void keep(const std::vector<Record>& records) override;
  void keep_gaits(const std::vector<GaitRecord>& gaits) override;

  // How many evaluations an earlier run had finished.
  std::size_t found() const { return found_.size(); }

 private:
  Archive archive_;
  std::unordered_map<std::uint64_t, Record> found_;
  std::unordered_set<std::uint64_t> kept_;  // by this run: a record that is handed over twice is kept once
};

// All that an archive holds, to look at and to make its motions again.
struct ArchivedSearch {
  SearchIdentity identity;
  std::vector<Record> records;    // by number
  std::vector<GaitRecord> gaits;  // by rank; none while the search is unfinished
};
ArchivedSearch read_search(const std::string& path);

}  // namespace legwork
