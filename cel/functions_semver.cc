// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <compare>
#include <optional>

#include "base/strings.h"
#include "cel/cost.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

// Version is a semver.org 2.0.0 version. Build metadata does not affect the order.
struct Version {
  uint64_t major = 0;
  uint64_t minor = 0;
  uint64_t patch = 0;
  std::vector<std::string> prerelease;
  std::vector<std::string> build;
};

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsIdentifier(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

// Parses a number and returns an error text, empty on success.
std::string ReadVersionNumber(std::string_view text, std::string_view part, uint64_t& number) {
  std::string lower = ToLower(part);
  if (!IsDigits(text)) return "Invalid character(s) found in " + lower + " number " + Quote(text);
  if (text.size() > 1 && text[0] == '0') {
    return std::string(part) + " number must not contain leading zeroes " + Quote(text);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? "" : "parsing " + Quote(text) + ": value out of range";
}

std::string ReadPrerelease(std::string_view text, std::vector<std::string>& out) {
  for (const std::string_view part : Split(text, '.')) {
    if (part.empty()) return "Prerelease is empty";
    if (!IsIdentifier(part)) return "Invalid character(s) found in prerelease " + Quote(part);
    if (IsDigits(part) && part.size() > 1 && part[0] == '0') {
      return "Numeric PreRelease version must not contain leading zeroes " + Quote(part);
    }
    out.emplace_back(part);
  }
  return "";
}

std::string ReadBuild(std::string_view text, std::vector<std::string>& out) {
  for (const std::string_view part : Split(text, '.')) {
    if (part.empty()) return "Build meta data is empty";
    if (!IsIdentifier(part)) return "Invalid character(s) found in build meta data " + Quote(part);
    out.emplace_back(part);
  }
  return "";
}

// Removes the text after the first `mark` from `text` and returns it.
std::optional<std::string_view> CutBehind(std::string_view& text, char mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

std::string ReadVersion(std::string_view text, Version& version) {
  if (text.empty()) return "Version string empty";
  const size_t first = text.find('.');
  const size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos) return "No Major.Minor.Patch elements found";
  std::string error = ReadVersionNumber(text.substr(0, first), "Major", version.major);
  if (!error.empty()) return error;
  error = ReadVersionNumber(text.substr(first + 1, second - first - 1), "Minor", version.minor);
  if (!error.empty()) return error;
  std::string_view patch = text.substr(second + 1);
  const auto build = CutBehind(patch, '+');
  const auto prerelease = CutBehind(patch, '-');
  error = ReadVersionNumber(patch, "Patch", version.patch);
  if (error.empty() && prerelease) error = ReadPrerelease(*prerelease, version.prerelease);
  if (error.empty() && build) error = ReadBuild(*build, version.build);
  return error;
}

// Normalises "v01.2" to "1.2.0": drops the "v" and leading zeros and adds missing numbers.
std::string Normalize(std::string_view text, std::string& error) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  for (size_t dot = 0; parts.size() < 2 && dot != std::string_view::npos;) {
    dot = text.find('.');
    parts.emplace_back(text.substr(0, dot));
    text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
    if (parts.size() == 2 && dot != std::string_view::npos) parts.emplace_back(text);
  }
  for (std::string& part : parts) {
    const size_t zeros = std::min(part.find_first_not_of('0'), part.size());
    const bool keeps_one =
        zeros > 0 && (zeros == part.size() || part[zeros] < '0' || part[zeros] > '9');
    part.erase(0, keeps_one ? zeros - 1 : zeros);
  }
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos) {
    error = "short version cannot contain PreRelease/Build meta data";
  }
  while (parts.size() < 3) parts.emplace_back("0");
  return Join(parts, ".");
}

int64_t Sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

// Numbers order before words, shorter numbers before longer ones.
std::strong_ordering CompareIdentifiers(std::string_view a, std::string_view b) {
  if (IsDigits(a) != IsDigits(b)) return IsDigits(b) <=> IsDigits(a);
  if (IsDigits(a) && a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::strong_ordering CompareVersions(const Version& a, const Version& b) {
  if (const auto order = a.major <=> b.major; order != 0) return order;
  if (const auto order = a.minor <=> b.minor; order != 0) return order;
  if (const auto order = a.patch <=> b.patch; order != 0) return order;
  if (a.prerelease.empty() || b.prerelease.empty()) {
    return a.prerelease.empty() <=> b.prerelease.empty();
  }
  return std::lexicographical_compare_three_way(a.prerelease.begin(), a.prerelease.end(),
                                                b.prerelease.begin(), b.prerelease.end(),
                                                CompareIdentifiers);
}

class SemverValue final : public Opaque {
 public:
  explicit SemverValue(Version version) : version_(std::move(version)) {}
  const TypePtr& type() const override { return SemverType(); }
  bool Equals(const Opaque& other) const override {
    return CompareVersions(version_, static_cast<const SemverValue&>(other).version_) == 0;
  }
  std::string ToString() const override {
    std::string out = std::to_string(version_.major) + "." + std::to_string(version_.minor) + "." +
                      std::to_string(version_.patch);
    if (!version_.prerelease.empty()) out += "-" + Join(version_.prerelease, ".");
    if (!version_.build.empty()) out += "+" + Join(version_.build, ".");
    return out;
  }
  const Version& version() const { return version_; }

 private:
  Version version_;
};

const Version& VersionOf(const Value& value) {
  return static_cast<const SemverValue&>(value.AsOpaque()).version();
}

Value Semver(Arguments a) {
  std::string error;
  std::string text(a[0].AsString());
  if (a.size() > 1 && a[1].AsBool()) text = Normalize(a[0].AsString(), error);
  Version version;
  if (error.empty()) error = ReadVersion(text, version);
  if (!error.empty()) return Value::Error(error);
  return Value::Of(
      std::shared_ptr<const Opaque>(std::make_shared<SemverValue>(std::move(version))));
}
Value IsSemver(Arguments a) { return Value::Bool(!Semver(a).IsError()); }
Value SemverCompareTo(Arguments a) {
  return Value::Int(Sign(CompareVersions(VersionOf(a[0]), VersionOf(a[1]))));
}
Value SemverIsLessThan(Arguments a) {
  return Value::Bool(CompareVersions(VersionOf(a[0]), VersionOf(a[1])) < 0);
}
Value SemverIsGreaterThan(Arguments a) {
  return Value::Bool(CompareVersions(VersionOf(a[0]), VersionOf(a[1])) > 0);
}
Value Major(Arguments a) { return Value::Int(static_cast<int64_t>(VersionOf(a[0]).major)); }
Value Minor(Arguments a) { return Value::Int(static_cast<int64_t>(VersionOf(a[0]).minor)); }
Value Patch(Arguments a) { return Value::Int(static_cast<int64_t>(VersionOf(a[0]).patch)); }

constexpr FunctionRow kSemverRows[] = {
    {"semver(string) -> semver", Semver, TraversalCost},
    {"semver(string, bool) -> semver", Semver, TraversalCost},
    {"isSemver(string) -> bool", IsSemver, TraversalCost},
    {"isSemver(string, bool) -> bool", IsSemver, TraversalCost},
    {"(semver).compareTo(semver) -> int", SemverCompareTo},
    {"(semver).isLessThan(semver) -> bool", SemverIsLessThan},
    {"(semver).isGreaterThan(semver) -> bool", SemverIsGreaterThan},
    {"(semver).major() -> int", Major},
    {"(semver).minor() -> int", Minor},
    {"(semver).patch() -> int", Patch},
};

}  // namespace

const TypePtr& SemverType() {
  static const TypePtr* const kType = new TypePtr(OpaqueOf("kubernetes.Semver"));
  return *kType;
}

std::span<const FunctionRow> SemverFunctions() { return kSemverRows; }

}  // namespace berth::cel
