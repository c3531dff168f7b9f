// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

Quantity Parsed(std::string_view text) {
  auto quantity = Quantity::Parse(text);
  EXPECT_TRUE(quantity.has_value()) << text;
  return quantity.value_or(Quantity());
}

struct QuantityRow {
  std::string_view text;
  std::string_view canonical;
  int64_t value;
  int64_t milli;
};

// Results of resource.Quantity in apimachinery 0.36.3, except for rows marked as saturated.
TEST(Quantity, ReadsAndWritesLikeUpstream) {
  const QuantityRow rows[] = {
      {"0", "0", 0, 0},
      {"1", "1", 1, 1000},
      {"-1", "-1", -1, -1000},
      {"+1", "1", 1, 1000},
      {"1.5", "1500m", 2, 1500},
      {".5", "500m", 1, 500},
      {"5.", "5", 5, 5000},
      {".", "0", 0, 0},
      {"-.5", "-500m", -1, -500},
      {"100m", "100m", 1, 100},
      {"1500m", "1500m", 2, 1500},
      {"0.1", "100m", 1, 100},
      {"0.0001m", "100n", 1, 1},
      {"1n", "1n", 1, 1},
      {"0.5n", "1n", 1, 1},
      {"1.5n", "2n", 1, 1},
      {"-0.5n", "-1n", -1, -1},
      {"1k", "1k", 1000, 1000000},
      {"1000", "1k", 1000, 1000000},
      {"1000m", "1", 1, 1000},
      {"1000000n", "1m", 1, 1},
      {"100000k", "100M", 100000000, 100000000000},
      {"1P", "1P", 1000000000000000, 1000000000000000000},
      {"1e3", "1e3", 1000, 1000000},
      {"1E3", "1e3", 1000, 1000000},
      {"1e+3", "1e3", 1000, 1000000},
      {"1e00003", "1e3", 1000, 1000000},
      {"1.5e3", "1500", 1500, 1500000},
      {"3e0", "3", 3, 3000},
      {"1e-3", "1e-3", 1, 1},
      {"1e-1", "100e-3", 1, 100},
      {"1e-9", "1e-9", 1, 1},
      {"1e-12", "1e-9", 1, 1},
      {"12e6", "12e6", 12000000, 12000000000},
      {"0e5", "0", 0, 0},
      {"0Ki", "0", 0, 0},
      {"00012", "12", 12, 12000},
      {"1Ki", "1Ki", 1024, 1024000},
      {"1Mi", "1Mi", 1048576, 1048576000},
      {"1.5Gi", "1536Mi", 1610612736, 1610612736000},
      {"0.5Ki", "512", 512, 512000},
      {"0.5Mi", "512Ki", 524288, 524288000},
      {"1.1Ki", "1126400m", 1127, 1126400},
      {"0.1Ki", "102400m", 103, 102400},
      {"1024Ki", "1Mi", 1048576, 1048576000},
      {"1023Ki", "1023Ki", 1047552, 1047552000},
      {"-1.2Ki", "-1228800m", -1229, -1228800},
      {"0.5Ei", "512Pi", 576460752303423488, kMax},   // milli saturated
      {"7Ei", "7Ei", 8070450532247928832, kMax},      // milli saturated
      {"8Ei", "9223372036854775807", kMax, kMax},     // milli saturated
      {"-8Ei", "-9223372036854775807", -kMax, kMin},  // milli saturated
      {"100Ei", "9223372036854775807", kMax, kMax},   // milli saturated
      {"1E", "1E", 1000000000000000000, kMax},        // milli saturated
      {"9E", "9E", 9000000000000000000, kMax},        // milli saturated
      {"10E", "10E", kMax, kMax},                     // saturated
      {"-10E", "-10E", kMin, kMin},                   // saturated
      {"1000E", "1000E", kMax, kMax},                 // saturated
      {"1e21", "1e21", kMax, kMax},                   // saturated
      {"1e400", "50e27", kMax, kMax},                 // saturated
      {"-1e400", "-50e27", kMin, kMin},               // saturated
      {"1e99999999999", "50e27", kMax, kMax},         // saturated
      {"1e-99999999999", "1e-9", 1, 1},
      {"9223372036854775808", "9223372036854775808", kMax, kMax},  // saturated
      {"0.123456789012345", "123456790n", 1, 124},
      {"1234567890.123456789", "1234567890123456789n", 1234567891, 1234567890124},
      {"0.0009", "900u", 1, 1},
      {"1.0005", "1000500u", 2, 1001},
      {" 1Gi ", "1Gi", 1073741824, 1073741824000},
  };
  for (const QuantityRow& row : rows) {
    const Quantity quantity = Parsed(row.text);
    EXPECT_EQ(quantity.ToString(), row.canonical) << row.text;
    EXPECT_EQ(quantity.Value(), row.value) << row.text;
    EXPECT_EQ(quantity.MilliValue(), row.milli) << row.text;
  }
}

TEST(Quantity, RejectsInvalidText) {
  for (const std::string_view text :
       {"",    " ",     "+",   "-",   "k",  "1K",  "1ki",   "1 Gi", "1Kib", "abc", "1x",
        "--1", "1.2.3", "1mm", "1m5", "1e", "1E+", "1e1.5", "1Gi0", "0x10", "1,5"}) {
    const auto quantity = Quantity::Parse(text);
    ASSERT_FALSE(quantity.has_value()) << text;
    EXPECT_EQ(quantity.error().reason(), Reason::kConfig);
    EXPECT_NE(quantity.error().message().find("\"" + std::string(text) + "\""), std::string::npos);
    EXPECT_NE(quantity.error().message().find("1.5Gi"), std::string::npos);
  }
}

TEST(Quantity, ReadsVeryLongNumbersExactly) {
  const std::string zeros(2000, '0');
  EXPECT_EQ(Parsed(zeros + "7").Value(), 7);
  EXPECT_EQ(Parsed("7" + zeros).Value(), kMax);
  EXPECT_EQ(Parsed("7." + zeros + "1").ToString(), "7000000001n");
  EXPECT_EQ(Parsed("0." + zeros + "1Ei").ToString(), "1n");
}

TEST(Quantity, ComparesAmountsNotFormats) {
  EXPECT_EQ(Parsed("1Gi"), Parsed("1024Mi"));
  EXPECT_EQ(Parsed("1"), Parsed("1000m"));
  EXPECT_EQ(Parsed("1e3"), Parsed("1k"));
  EXPECT_LT(Parsed("1G"), Parsed("1Gi"));
  EXPECT_LT(Parsed("-1"), Parsed("0"));
  EXPECT_GT(Parsed("1n"), Quantity());
  EXPECT_LT(Parsed("1E"), Parsed("1e400"));
}

TEST(Quantity, AddsAndSaturates) {
  EXPECT_EQ((Parsed("100m") + Parsed("1")).ToString(), "1100m");
  EXPECT_EQ((Parsed("1Gi") - Parsed("512Mi")).ToString(), "512Mi");
  EXPECT_EQ((Parsed("1Gi") - Parsed("1Gi")).ToString(), "0");
  EXPECT_EQ((Quantity() + Parsed("1Gi")).ToString(), "1Gi") << "zero takes the other's format";
  const Quantity most = Parsed("1e400");
  EXPECT_EQ(most + most, most);
  EXPECT_EQ(most + Parsed("1"), most);
  EXPECT_EQ(Quantity() - most - most, Parsed("-1e400"));
  EXPECT_EQ(most - most, Quantity());
}

// A binary suffix is parsed up to int64 only.
TEST(Quantity, WritesBinarySumBeyondInt64WithoutSuffix) {
  const Quantity sum = Parsed("7Ei") + Parsed("7Ei");
  EXPECT_EQ(sum.ToString(), "16140901064495857664");
  EXPECT_EQ(Parsed(sum.ToString()), sum);
}

TEST(Quantity, ConvertsFromNumbers) {
  EXPECT_EQ(Quantity::FromMilli(1500).ToString(), "1500m");
  EXPECT_EQ(Quantity::FromValue(2048, Quantity::Format::kBinarySi).ToString(), "2Ki");
  EXPECT_EQ(Quantity::FromValue(2000).ToString(), "2k");
  EXPECT_EQ(Quantity::FromValue(kMin).Value(), kMin);
  EXPECT_EQ(Quantity::FromMilli(kMax).MilliValue(), kMax);
  EXPECT_TRUE(Quantity().IsZero());
  EXPECT_TRUE(Quantity().IsEmpty());
  EXPECT_FALSE(Quantity::FromMilli(1).IsEmpty());
}

TEST(Quantity, ParsesItsOwnText) {
  std::mt19937_64 random(20260101);
  for (int i = 0; i < 20000; ++i) {
    const auto shift = static_cast<int>(random() % 64);
    const auto amount = static_cast<int64_t>(random()) >> shift;
    const auto format = static_cast<Quantity::Format>(random() % 3);
    Quantity quantity = Quantity::FromValue(amount, format);
    if (random() % 2 == 0) quantity += Quantity::FromMilli(static_cast<int64_t>(random() % 1000));
    const std::string text = quantity.ToString();
    const Quantity again = Parsed(text);
    ASSERT_EQ(again, quantity) << text;
    // A binary amount without a suffix parses as decimal, as upstream.
    if (format != Quantity::Format::kBinarySi) {
      ASSERT_EQ(again.ToString(), text);
    }
  }
}

}  // namespace
}  // namespace berth
