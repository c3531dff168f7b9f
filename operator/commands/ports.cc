// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/ports.h"

#include <charconv>

#include <fmt/format.h>

namespace berth::operator_ {

Result<std::set<uint16_t>> ReadPorts(std::string_view flag, std::span<const std::string> entries) {
  std::set<uint16_t> ports;
  for (const std::string& entry : entries) {
    uint16_t port = 0;
    const char* const end = entry.data() + entry.size();
    const auto [rest, error] = std::from_chars(entry.data(), end, port);
    if (error != std::errc() || rest != end || port == 0) {
      return ConfigError(fmt::format("{}: found \"{}\", allowed: 1 to 65535", flag, entry));
    }
    ports.insert(port);
  }
  return ports;
}

}  // namespace berth::operator_
