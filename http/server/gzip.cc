// SPDX-License-Identifier: Apache-2.0
#include "http/server/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/strings.h"

namespace berth::http {
namespace {

constexpr int kLevel = 1;
constexpr int kGzipWindow = 15 + 16;  // 16: a gzip header instead of zlib's
constexpr int kMemoryLevel = 8;

bool IsRejected(std::string_view parameter) {
  parameter = TrimSpace(parameter);
  return parameter.starts_with("q=0") && parameter.find_first_of("123456789") == parameter.npos;
}

}  // namespace

bool AcceptsGzip(std::string_view accept_encoding) {
  for (const std::string_view part : Split(accept_encoding, ',')) {
    const std::vector<std::string_view> pieces = Split(part, ';');
    const std::string coding = ToLower(TrimSpace(pieces.front()));
    if (coding != "gzip" && coding != "*") continue;
    return std::none_of(pieces.begin() + 1, pieces.end(), IsRejected);
  }
  return false;
}

std::string Gzip(std::string_view text) {
  BERTH_CHECK(text.size() < std::numeric_limits<uInt>::max(), "too long for one call of zlib");
  z_stream stream{};
  const int ready =
      deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY);
  BERTH_CHECK(ready == Z_OK, "zlib has no memory");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  // zlib does not modify its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int done = deflate(&stream, Z_FINISH);
  BERTH_CHECK(done == Z_STREAM_END, "zlib's bound was too small");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace berth::http
