#include "formats/gltf/glb_file.h"

#include <array>
#include <bit>
#include <limits>

#include <legwork/error.h>

namespace legwork {

static_assert(std::endian::native == std::endian::little, "GLB is little-endian, and so must be the machine");

namespace {

constexpr std::uint32_t magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
constexpr std::uint32_t header_bytes = 12, chunk_head_bytes = 8;

}  // namespace

void write_glb_head(FileWriter& file, const std::string& path, std::string json, std::uint64_t binary_bytes) {
  while ((header_bytes + 2 * chunk_head_bytes + json.size()) % 8 != 0) json += ' ';
  const std::uint64_t total = header_bytes + 2 * chunk_head_bytes + json.size() + binary_bytes;
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw Error({path, 0}, "",
                "the motion needs " + std::to_string(total >> 20) + " MB, but a .glb ends at 4096 MB",
                "record less often or a shorter time");
  const std::array<std::uint32_t, 5> head = {magic, 2, std::uint32_t(total), std::uint32_t(json.size()),
                                             json_chunk};
  file.write(head.data(), sizeof head);
  file.write(json);
  const std::array<std::uint32_t, 2> binary_head = {std::uint32_t(binary_bytes), binary_chunk};
  file.write(binary_head.data(), sizeof binary_head);
}

GlbReader::GlbReader(const std::string& path) : path_(path), file_(path) {
  const auto fail = [&](const std::string& problem, const std::string& advice = {}) {
    throw Error({path, 0}, "", problem, advice);
  };
  std::array<std::uint32_t, 5> head{};
  if (file_.size() >= 4) file_.read(0, head.data(), 4);
  if (head[0] != magic)
    fail("not a .glb file (it does not begin with 'glTF')", "a motion is a .glb that legwork wrote");
  const auto cut_short = [&](std::uint64_t expected) {
    fail("the file is cut short: " + std::to_string(file_.size()) + " of " + std::to_string(expected) +
             " bytes",
         "make or copy it again");
  };
  if (file_.size() < sizeof head) cut_short(sizeof head);
  file_.read(0, head.data(), sizeof head);
  const std::uint64_t total = head[2], json_bytes = head[3];
  if (head[1] != 2)
    fail("glTF version " + std::to_string(head[1]) + " is not understood", "only version 2 is");
  if (file_.size() < total) cut_short(total);
  if (head[4] != json_chunk || header_bytes + chunk_head_bytes + json_bytes > total)
    fail("the file is damaged: its JSON chunk does not fit", "make or copy it again");
  json_.resize(json_bytes);
  file_.read(header_bytes + chunk_head_bytes, json_.data(), json_bytes);

  // the binary chunk is optional and comes second
  const std::uint64_t at = header_bytes + chunk_head_bytes + json_bytes;
  if (total < at + chunk_head_bytes) return;
  std::array<std::uint32_t, 2> binary_head{};
  file_.read(at, binary_head.data(), sizeof binary_head);
  if (binary_head[1] != binary_chunk) return;
  binary_at_ = at + chunk_head_bytes, binary_bytes_ = binary_head[0];
  if (binary_at_ + binary_bytes_ > total)
    fail("the file is damaged: its binary chunk does not fit", "make or copy it again");
}

void GlbReader::read(std::uint64_t offset, void* data, std::size_t bytes) {
  if (offset > binary_bytes_ || bytes > binary_bytes_ - offset)
    throw Error({path_, 0}, "", "the file is damaged: data beyond the end of its binary chunk",
                "make or copy it again");
  file_.read(binary_at_ + offset, data, bytes);
}

}  // namespace legwork
