// SPDX-License-Identifier: Apache-2.0
#include "base/names.h"

#include <algorithm>

#include "base/strings.h"

namespace berth {
namespace {

constexpr size_t kMaxLabel = 63;
constexpr size_t kMaxSubdomain = 253;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLowerOrDigit(char c) { return IsLower(c) || IsDigit(c); }
bool IsAlphanumeric(char c) { return IsLowerOrDigit(c) || IsUpper(c); }
bool IsLabelCharacter(char c) { return IsLowerOrDigit(c) || c == '-'; }
bool IsNameCharacter(char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; }

// Reports whether all characters are `inner` and the first and last are `outer`.
template <class Outer, class Inner>
bool Matches(std::string_view text, Outer outer, Inner inner) {
  return !text.empty() && outer(text.front()) && outer(text.back()) &&
         std::all_of(text.begin(), text.end(), inner);
}

bool IsDnsLabel(std::string_view text) { return Matches(text, IsLowerOrDigit, IsLabelCharacter); }

bool IsDnsSubdomain(std::string_view text) {
  const auto labels = Split(text, '.');
  return std::all_of(labels.begin(), labels.end(), IsDnsLabel);
}

std::string TooLong(size_t limit, std::string_view unit) {
  return "must be no more than " + std::to_string(limit) + " " + std::string(unit);
}

constexpr std::string_view kLabelRule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must "
    "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

}  // namespace

NameErrors CheckDnsLabel(std::string_view text) {
  NameErrors errors;
  if (text.size() > kMaxLabel) errors.push_back(TooLong(kMaxLabel, "characters"));
  if (!IsDnsLabel(text)) {
    const bool only_dots_are_wrong = IsDnsSubdomain(text);
    errors.emplace_back(only_dots_are_wrong ? "must not contain dots" : kLabelRule);
  }
  return errors;
}

NameErrors CheckDnsSubdomain(std::string_view text) {
  NameErrors errors;
  if (text.size() > kMaxSubdomain) errors.push_back(TooLong(kMaxSubdomain, "characters"));
  if (!IsDnsSubdomain(text)) errors.emplace_back(kSubdomainRule);
  return errors;
}

NameErrors CheckQualifiedName(std::string_view text) {
  const auto parts = Split(text, '/');
  if (parts.size() > 2) {
    return {"a valid label key " + std::string(kNameRule) +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  NameErrors errors;
  if (parts.size() == 2) {
    const std::string_view prefix = parts[0];
    if (prefix.empty()) {
      errors.emplace_back("prefix part must be non-empty");
    } else {
      if (prefix.size() > kMaxSubdomain) {
        errors.push_back("prefix part " + TooLong(kMaxSubdomain, "bytes"));
      }
      if (!IsDnsSubdomain(prefix)) {
        errors.push_back("prefix part " + std::string(kSubdomainRule));
      }
    }
  }
  const std::string_view name = parts.back();
  if (name.empty()) errors.emplace_back("name part must be non-empty");
  if (name.size() > kMaxLabel) errors.push_back("name part " + TooLong(kMaxLabel, "bytes"));
  if (!Matches(name, IsAlphanumeric, IsNameCharacter)) {
    errors.push_back("name part " + std::string(kNameRule));
  }
  return errors;
}

NameErrors CheckLabelValue(std::string_view text) {
  NameErrors errors;
  if (text.size() > kMaxLabel) errors.push_back(TooLong(kMaxLabel, "bytes"));
  if (!text.empty() && !Matches(text, IsAlphanumeric, IsNameCharacter)) {
    errors.emplace_back(kValueRule);
  }
  return errors;
}

uint64_t Fnv1a64(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<uint8_t>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

std::string HashHex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const uint64_t hash = Fnv1a64(text);
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[(hash >> shift) & 15];
  return out;
}

std::string NameHash(std::string_view text) {
  constexpr std::string_view kSafe = "bcdfghjklmnpqrstvwxz2456789";
  uint64_t hash = Fnv1a64(text);
  std::string out;
  for (int i = 0; i < 10; ++i) {
    out += kSafe[hash % kSafe.size()];
    hash /= kSafe.size();
  }
  return out;
}

}  // namespace berth
