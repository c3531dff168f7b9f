// SPDX-License-Identifier: Apache-2.0
#include "http/server/gzip.h"

#include <zlib.h>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

std::string Unpack(const std::string& packed, size_t size) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string copy = packed;
  std::string text(size + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(Gzip, CompressesAndDecompressesToSameText) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "line " + std::to_string(i * i) + "\n";
  const std::string packed = Gzip(text);
  EXPECT_LT(packed.size(), text.size() / 2);
  EXPECT_EQ(Unpack(packed, text.size()), text);
  EXPECT_EQ(Unpack(Gzip(""), 0), "");
}

TEST(Gzip, AcceptsGzipParsesAcceptEncoding) {
  for (const char* accepted :
       {"gzip", "deflate, GZIP;q=0.5", "*", "gzip;q=1.0, identity; q=0.5, *;q=0", " gzip "}) {
    EXPECT_TRUE(AcceptsGzip(accepted)) << accepted;
  }
  for (const char* rejected : {"", "identity", "gzip;q=0", "gzip; q=0.0", "xgzip", "*;q=0"}) {
    EXPECT_FALSE(AcceptsGzip(rejected)) << rejected;
  }
}

}  // namespace
}  // namespace berth::http
