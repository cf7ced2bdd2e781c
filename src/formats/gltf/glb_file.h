#pragma once
// The GLB container of glTF 2.0 (section 4 of its specification): a header, a JSON chunk, a binary chunk.
// Little-endian. JSON goes in and out as text.

#include <string>

#include "formats/file.h"

namespace legwork {

// Writes header, JSON and the binary chunk's head; the caller then writes exactly `binary_bytes` (a multiple
// of 4). The JSON is padded so that the binary chunk's content begins at a multiple of 8 in the file.
void write_glb_head(FileWriter& file, const std::string& path, std::string json, std::uint64_t binary_bytes);

// A .glb opened for reading, its chunks located and its length checked.
class GlbReader {
 public:
  explicit GlbReader(const std::string& path);

  const std::string& json() const { return json_; }
  std::uint64_t binary_bytes() const { return binary_bytes_; }
  // Bytes of the binary chunk; an Error outside it.
  void read(std::uint64_t offset, void* data, std::size_t bytes);

 private:
  std::string path_;
  FileReader file_;
  std::string json_;
  std::uint64_t binary_at_ = 0, binary_bytes_ = 0;
};

}  // namespace legwork
