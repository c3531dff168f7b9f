// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/formats.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include <re2/re2.h>

#include "base/base64.h"
#include "base/time.h"

namespace berth::apiserver {
namespace {

bool IsAddress(int family, std::string_view text) {
  unsigned char address[sizeof(in6_addr)];
  return inet_pton(family, std::string(text).c_str(), address) == 1;
}

bool IsCidr(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const bool is_v4 = IsAddress(AF_INET, text.substr(0, slash));
  if (!is_v4 && !IsAddress(AF_INET6, text.substr(0, slash))) return false;
  const std::string_view bits = text.substr(slash + 1);
  if (bits.empty() || bits.size() > 3 || bits.find_first_not_of("0123456789") != bits.npos)
    return false;
  return std::stoi(std::string(bits)) <= (is_v4 ? 32 : 128);
}

using Form = std::pair<std::string_view, const char*>;

// Full matches, except that the case of hexadecimal digits is free.
constexpr Form kForms[] = {
    {"bsonobjectid", "(?i)[0-9a-f]{24}"},
    {"uri", "([A-Za-z][A-Za-z0-9+.-]*:[^\\s]+|/[^\\s]*)"},
    {"email", "[^@\\s]+@[^@\\s]+"},
    {"hostname",
     "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)"
     "*"},
    {"mac", "(?i)[0-9a-f]{2}([:-][0-9a-f]{2}){5,7}"},
    {"uuid", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"},
    {"uuid3", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}"},
    {"uuid4", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"},
    {"uuid5", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"},
    {"isbn10", "[0-9]{9}[0-9Xx]"},
    {"isbn13", "97[89]-?[0-9]{10}"},
    {"ssn", "\\d{3}[- ]?\\d{2}[- ]?\\d{4}"},
    {"hexcolor", "#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"},
    {"rgbcolor", "rgb\\(\\s*\\d{1,3}\\s*,\\s*\\d{1,3}\\s*,\\s*\\d{1,3}\\s*\\)"},
    {"date", "\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])"},
    {"duration", "[+-]?(0|(\\d+(\\.\\d*)?\\s*(ns|us|µs|ms|s|m|h|d|w))+)"},
    {"k8s-short-name", "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"},
    {"k8s-long-name", "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"},
};

}  // namespace

bool MatchesFormat(std::string_view format, std::string_view text) {
  if (format == "date-time" || format == "datetime") return Time::Parse(text).has_value();
  if (format == "ipv4") return IsAddress(AF_INET, text);
  if (format == "ipv6") return IsAddress(AF_INET6, text);
  if (format == "cidr") return IsCidr(text);
  if (format == "byte") return !FirstBadBase64(text);
  static const std::map<std::string_view, re2::RE2> kCompiled(std::begin(kForms), std::end(kForms));
  const auto form = kCompiled.find(format);
  return form == kCompiled.end() || re2::RE2::FullMatch({text.data(), text.size()}, form->second);
}

}  // namespace berth::apiserver
