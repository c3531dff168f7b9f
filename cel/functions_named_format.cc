// SPDX-License-Identifier: Apache-2.0
// Kubernetes' format library: named formats that validate a string.
#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/names.h"
#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/libraries.h"
#include "cel/url.h"

namespace berth::cel {
namespace {

// A name that a suffix will follow may end in a dash; the check looks at it as if a letter stood
// there.
std::string MaskTrailingDash(std::string_view text) {
  std::string masked(text);
  if (masked.size() > 1 && masked.back() == '-') masked.back() = 'a';
  return masked;
}

NameProblems CheckLabelPrefix(std::string_view text) {
  return CheckDnsLabel(MaskTrailingDash(text));
}
NameProblems CheckSubdomainPrefix(std::string_view text) {
  return CheckDnsSubdomain(MaskTrailingDash(text));
}
NameProblems Check1035LabelPrefix(std::string_view text) {
  return CheckDns1035Label(MaskTrailingDash(text));
}

NameProblems CheckUri(std::string_view text) {
  const auto url = ParseUrl(text);
  return url ? NameProblems{} : NameProblems{url.error().message()};
}

// Eight, four, four, four and twelve hexadecimal digits; the dashes may be left out.
NameProblems CheckUuid(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  size_t digits = 0;
  bool valid = true;
  for (const char c : text) {
    if (c != '-') {
      valid = valid && kHex.find(c) != std::string_view::npos;
      ++digits;
      continue;
    }
    valid = valid && (digits == 8 || digits == 12 || digits == 16 || digits == 20);
  }
  valid = valid && digits == 32 && text.find("--") == std::string_view::npos;
  return valid ? NameProblems{} : NameProblems{"does not match the UUID format"};
}

NameProblems CheckBase64(std::string_view text) {
  return !text.empty() && DecodeBase64(text) ? NameProblems{} : NameProblems{"invalid base64"};
}

NameProblems CheckDate(std::string_view text) {
  const bool valid = text.size() == 10 && ParseTimestamp(std::string(text) + "T00:00:00Z");
  return valid ? NameProblems{} : NameProblems{"invalid date"};
}

NameProblems CheckDateTime(std::string_view text) {
  return ParseTimestamp(text) ? NameProblems{} : NameProblems{"invalid datetime"};
}

struct NamedFormat {
  std::string_view name;
  NameProblems (*check)(std::string_view text);
  uint64_t pattern_size;  // of the regular expression that the price supposes
};

constexpr std::array kFormats = {
    NamedFormat{"dns1123Label", CheckDnsLabel, 30},
    NamedFormat{"dns1123Subdomain", CheckDnsSubdomain, 60},
    NamedFormat{"dns1035Label", CheckDns1035Label, 30},
    NamedFormat{"qualifiedName", CheckQualifiedName, 60},
    NamedFormat{"dns1123LabelPrefix", CheckLabelPrefix, 30},
    NamedFormat{"dns1123SubdomainPrefix", CheckSubdomainPrefix, 60},
    NamedFormat{"dns1035LabelPrefix", Check1035LabelPrefix, 30},
    NamedFormat{"labelValue", CheckLabelValue, 40},
    NamedFormat{"uri", CheckUri, 1103},
    NamedFormat{"uuid", CheckUuid, 70},
    NamedFormat{"byte", CheckBase64, 84},
    NamedFormat{"date", CheckDate, 72},
    NamedFormat{"datetime", CheckDateTime, 72},
};

class FormatValue final : public Opaque {
 public:
  explicit FormatValue(const NamedFormat& format) : format_(format) {}
  const TypePtr& type() const override { return FormatType(); }
  bool Equals(const Opaque& other) const override {
    return format_.name == static_cast<const FormatValue&>(other).format_.name;
  }
  std::string ToString() const override { return std::string(format_.name); }
  const NamedFormat& format() const { return format_; }

 private:
  const NamedFormat& format_;
};

const NamedFormat& Get(const Value& value) {
  return static_cast<const FormatValue&>(value.AsOpaque()).format();
}

Value Wrap(const NamedFormat& format) {
  return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<FormatValue>(format)));
}

template <size_t index>
Value Constant(Arguments /*a*/) {
  return Wrap(kFormats[index]);
}

Value Named(Arguments a) {
  const auto* const found =
      std::find_if(kFormats.begin(), kFormats.end(),
                   [&](const NamedFormat& format) { return format.name == a[0].AsString(); });
  return found == kFormats.end() ? Value::None() : Value::Some(Wrap(*found));
}

Value Validate(Arguments a) {
  const NameProblems problems = Get(a[0]).check(a[1].AsString());
  if (problems.empty()) return Value::None();
  std::vector<Value> list;
  for (const std::string& problem : problems) list.push_back(Value::String(problem));
  return Value::Some(Value::ListOf(std::move(list)));
}

uint64_t ValidateCost(Arguments a, const Value& /*result*/) {
  return PatternCost(SizeOf(a[1]), Get(a[0]).pattern_size);
}

constexpr FunctionRow kRows[] = {
    {"format.named(string) -> optional(format)", Named},
    {"(format).validate(string) -> optional(list(string))", Validate, ValidateCost},
    {"format.dns1123Label() -> format", Constant<0>},
    {"format.dns1123Subdomain() -> format", Constant<1>},
    {"format.dns1035Label() -> format", Constant<2>},
    {"format.qualifiedName() -> format", Constant<3>},
    {"format.dns1123LabelPrefix() -> format", Constant<4>},
    {"format.dns1123SubdomainPrefix() -> format", Constant<5>},
    {"format.dns1035LabelPrefix() -> format", Constant<6>},
    {"format.labelValue() -> format", Constant<7>},
    {"format.uri() -> format", Constant<8>},
    {"format.uuid() -> format", Constant<9>},
    {"format.byte() -> format", Constant<10>},
    {"format.date() -> format", Constant<11>},
    {"format.datetime() -> format", Constant<12>},
};

}  // namespace

const TypePtr& FormatType() {
  static const TypePtr* const kType = new TypePtr(OpaqueOf("kubernetes.NamedFormat"));
  return *kType;
}

std::span<const FunctionRow> NamedFormatFunctions() { return kRows; }

}  // namespace berth::cel
