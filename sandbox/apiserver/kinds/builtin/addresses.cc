// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/addresses.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace berth::apiserver {

std::string_view FamilyOf(std::string_view address) {
  const std::string text(address);
  in6_addr bytes;
  if (inet_pton(AF_INET, text.c_str(), &bytes) == 1) return "IPv4";
  return inet_pton(AF_INET6, text.c_str(), &bytes) == 1 ? "IPv6" : "";
}

std::string_view FamilyOfRange(std::string_view range) {
  const size_t slash = range.find('/');
  if (slash == std::string_view::npos) return "";
  const std::string_view family = FamilyOf(range.substr(0, slash));
  const std::string_view length = range.substr(slash + 1);
  int bits = -1;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  const bool whole = error == std::errc() && end == length.data() + length.size();
  return whole && bits >= 0 && bits <= (family == "IPv4" ? 32 : 128) ? family : "";
}

}  // namespace berth::apiserver
