#pragma once
// The cells of a row, one after the other.

#include <string>

#include "archive/archive.h"

namespace legwork {

class RowCells {
 public:
  explicit RowCells(const ArchiveRow& row) : row_(row) {}

  std::int64_t integer() { return std::get<std::int64_t>(row_[next_++]); }
  double real() { return std::get<double>(row_[next_++]); }
  const std::string& text() { return std::get<std::string>(row_[next_++]); }

 private:
  const ArchiveRow& row_;
  std::size_t next_ = 0;
};

}  // namespace legwork
