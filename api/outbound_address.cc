// SPDX-License-Identifier: Apache-2.0
#include "api/outbound_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/strings.h"

namespace berth::api {
namespace {

using Bytes = std::span<const uint8_t>;

struct Range {
  std::string_view first;
  int bits;  // length of the common prefix with `first`
  std::string_view what;
};

constexpr std::string_view kLoopback = "a loopback address, except localhost at a sidecar's port";
constexpr std::string_view kLinkLocal = "a link-local address";
constexpr std::string_view kMetadata = "a cloud metadata address";
constexpr std::string_view kNoHost = "not a unicast address";

constexpr Range kIpv4[] = {
    {"0.0.0.0", 8, kLoopback},  // connects to the local host
    {"127.0.0.0", 8, kLoopback},
    {"169.254.0.0", 16, kLinkLocal},     // also the metadata address of most clouds
    {"100.100.100.200", 32, kMetadata},  // Alibaba
    {"168.63.129.16", 32, kMetadata},    // Azure
    {"192.0.0.192", 32, kMetadata},      // Oracle
    {"224.0.0.0", 3, kNoHost},           // multicast, reserved, broadcast
};

constexpr Range kIpv6[] = {
    {"::", 128, kLoopback},           {"::1", 128, kLoopback},
    {"fe80::", 10, kLinkLocal},       {"fd00:ec2::254", 128, kMetadata},  // AWS
    {"fd20:ce::254", 128, kMetadata},                                     // Google
    {"ff00::", 8, kNoHost},
};

// IPv6 prefixes of 96 bits that embed an IPv4 address: mapped, compatible, NAT64.
constexpr std::string_view kIpv4Behind[] = {"::ffff:0:0", "::", "64:ff9b::"};

struct Name {
  std::string_view name;
  std::string_view what;
};

constexpr Name kNames[] = {
    {"localhost", kLoopback},
    {"localhost.localdomain", kLoopback},
    {"ip6-localhost", kLoopback},
    {"ip6-loopback", kLoopback},
    {"metadata", kMetadata},
    {"metadata.google.internal", kMetadata},
    {"metadata.goog", kMetadata},
    {"instance-data", kMetadata},
    {"instance-data.ec2.internal", kMetadata},
};

template <size_t kSize>
std::optional<std::array<uint8_t, kSize>> BytesOf(std::string_view address) {
  std::array<uint8_t, kSize> bytes;
  const int family = kSize == 4 ? AF_INET : AF_INET6;
  if (inet_pton(family, std::string(address).c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

bool ShareBits(Bytes a, Bytes b, int bits) {
  for (size_t i = 0; bits > 0; ++i, bits -= 8) {
    const int mask = bits >= 8 ? 0xff : 0xff << (8 - bits) & 0xff;
    if ((a[i] & mask) != (b[i] & mask)) return false;
  }
  return true;
}

template <size_t kSize>
std::optional<std::string_view> WhatIn(std::span<const Range> ranges,
                                       const std::array<uint8_t, kSize>& address) {
  for (const Range& range : ranges) {
    if (ShareBits(address, *BytesOf<kSize>(range.first), range.bits)) return range.what;
  }
  return std::nullopt;
}

std::optional<std::string_view> WhatIsIpv6(const std::array<uint8_t, 16>& address) {
  if (const auto what = WhatIn<16>(kIpv6, address)) return what;
  for (const std::string_view prefix : kIpv4Behind) {
    if (!ShareBits(address, *BytesOf<16>(prefix), 96)) continue;
    std::array<uint8_t, 4> behind;
    std::copy_n(address.begin() + 12, 4, behind.begin());
    return WhatIn<4>(kIpv4, behind);
  }
  return std::nullopt;
}

// Resolvers also accept "127.1", "0x7f000001" and "2130706433" as addresses. Source: URL standard,
// "ends in a number".
bool EndsInNumber(std::string_view host) {
  const std::string_view last = host.substr(host.rfind('.') + 1);
  return last.starts_with("0x") || std::ranges::all_of(last, IsDigit);
}

bool IsNameCharacter(char c) {
  return IsDigit(c) || IsLetter(c) || c == '-' || c == '.' || c == '_';
}

Result<std::string> ReadHost(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    const std::string_view address = text.substr(1, text.size() - 2);
    if (BytesOf<16>(address)) return ToLower(address);
    return ConfigError("expected an IPv6 address between brackets");
  }
  if (text.ends_with('.')) text.remove_suffix(1);
  if (text.empty() || !std::ranges::all_of(text, IsNameCharacter)) {
    return ConfigError("expected a host's name or address");
  }
  if (EndsInNumber(text) && !BytesOf<4>(text)) {
    return ConfigError("expected an IPv4 address of four decimal numbers");
  }
  return ToLower(text);
}

// Requires: `default_port` is 0 if the text must have a port.
Result<OutboundAddress> ReadAuthority(std::string_view text, uint16_t default_port) {
  OutboundAddress address{.port = default_port};
  const size_t colon = text.rfind(':');
  const bool has_port = colon != text.npos && text.find(']', colon) == text.npos;
  if (has_port) {
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
    if (error != std::errc() || end != digits.data() + digits.size() || address.port == 0) {
      return ConfigError("expected a port from 1 to 65535");
    }
    text = text.substr(0, colon);
  } else if (default_port == 0) {
    return ConfigError("expected HOST:PORT");
  }
  BERTH_TRY(address.host, ReadHost(text));
  return address;
}

bool IsMounted(std::string_view path) {
  return path.starts_with(kMountedFolder) && path.find("/../") == path.npos &&
         !path.ends_with("/..");
}

constexpr std::string_view kNoBreak = "must not have spaces or control characters";

// Reports whether a text would end a line or a word of a request.
bool HasBreak(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; });
}

// The verbs are parts of the paths of requests.
void CheckVerbs(const ExtenderCalls& extender, const std::string& path,
                std::vector<FieldError>& errors) {
  const std::pair<std::string_view, const std::string*> verbs[] = {
      {"filterVerb", &extender.filter_verb},
      {"preemptVerb", &extender.preempt_verb},
      {"prioritizeVerb", &extender.prioritize_verb},
      {"bindVerb", &extender.bind_verb}};
  for (const auto& [field, verb] : verbs) {
    if (!HasBreak(*verb)) continue;
    errors.push_back(FieldError::Invalid(Child(path, field), *verb, std::string(kNoBreak)));
  }
}

void CheckFiles(const ExtenderTlsConfig& tls, const std::string& path,
                std::vector<FieldError>& errors) {
  const std::pair<std::string_view, const std::string*> files[] = {
      {"certFile", &tls.cert_file}, {"keyFile", &tls.key_file}, {"caFile", &tls.ca_file}};
  for (const auto& [field, file] : files) {
    if (file->empty() || IsMounted(*file)) continue;
    errors.push_back(FieldError::Invalid(Child(path, field), *file,
                                         "must be a file below " + std::string(kMountedFolder)));
  }
}

}  // namespace

std::string OutboundAddress::ToString() const {
  const bool is_ipv6 = host.find(':') != host.npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<OutboundAddress> ReadOutboundAddress(std::string_view url) {
  if (HasBreak(url)) return ConfigError(std::string(kNoBreak));
  const size_t scheme_end = url.find("://");
  const std::string scheme = ToLower(url.substr(0, scheme_end == url.npos ? 0 : scheme_end));
  if (scheme != "http" && scheme != "https") {
    return ConfigError("expected https://HOST[:PORT][/PATH]");
  }
  std::string_view authority = url.substr(scheme_end + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  const bool is_https = scheme == "https";
  BERTH_TRY(OutboundAddress address, ReadAuthority(authority, is_https ? 443 : 80));
  address.is_https = is_https;
  return address;
}

std::optional<std::string_view> ForbiddenReason(std::string_view host) {
  if (const auto address = BytesOf<4>(host)) return WhatIn<4>(kIpv4, *address);
  if (const auto address = BytesOf<16>(host)) return WhatIsIpv6(*address);
  if (host.ends_with(".localhost")) return kLoopback;
  const auto* found = std::ranges::find(kNames, host, &Name::name);
  if (found == std::end(kNames)) return std::nullopt;
  return found->what;
}

bool IsSidecar(const OutboundAddress& address, const SidecarPorts& ports) {
  constexpr std::string_view kHosts[] = {"localhost", "127.0.0.1", "::1"};
  return std::ranges::find(kHosts, address.host) != std::end(kHosts) &&
         ports.contains(address.port);
}

bool IsLoopback(std::string_view address) { return ForbiddenReason(address) == kLoopback; }

Result<OutboundAddress> ReadHostAndPort(std::string_view text) { return ReadAuthority(text, 0); }

std::optional<ServiceReference> ServiceOf(const OutboundAddress& address) {
  std::string_view host = address.host;
  constexpr std::string_view kDomain = ".cluster.local";
  if (host.ends_with(kDomain)) host.remove_suffix(kDomain.size());
  const std::vector<std::string_view> labels = Split(host, '.');
  const bool is_service =
      labels.size() == 3 && !labels[0].empty() && !labels[1].empty() && labels[2] == "svc";
  if (!is_service) return std::nullopt;
  return ServiceReference{.namespace_ = std::string(labels[1]), .name = std::string(labels[0])};
}

std::optional<std::string_view> ForbiddenReason(const ServiceSpec& service) {
  if (service.type == "ExternalName") return "is of type ExternalName, which leads to any host";
  if (service.selector.empty()) return "has no selector, so its endpoints may be any addresses";
  return std::nullopt;
}

std::string FileOfSecret(std::string_view secret, std::string_view key) {
  return std::string(kMountedFolder) + "secrets/" + std::string(secret) + "/" + std::string(key);
}

std::vector<FieldError> CheckOutboundUrl(std::string_view url, const SidecarPorts& sidecars,
                                         const std::string& at) {
  const auto address = ReadOutboundAddress(url);
  if (!address) return {FieldError::Invalid(at, url, address.error().message())};
  if (IsSidecar(*address, sidecars)) return {};  // requests to a sidecar stay in the pod
  if (const auto what = ForbiddenReason(address->host)) {
    return {FieldError::Invalid(at, url, "must not lead to " + std::string(*what))};
  }
  if (address->is_https || ServiceOf(*address)) return {};
  return {FieldError::Invalid(at, url,
                              "must begin with https:// unless the host is NAME.NAMESPACE.svc")};
}

std::vector<FieldError> CheckOutbound(const ExtenderCalls& extender, const ExtenderTlsConfig* tls,
                                      const SidecarPorts& sidecars, const std::string& path) {
  std::vector<FieldError> errors =
      CheckOutboundUrl(extender.url_prefix, sidecars, Child(path, "urlPrefix"));
  CheckVerbs(extender, path, errors);
  if (tls != nullptr) CheckFiles(*tls, Child(path, "tlsConfig"), errors);
  return errors;
}

}  // namespace berth::api
