// SPDX-License-Identifier: Apache-2.0
#include "convert/network_traffic.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/metric_source.h"
#include "api/outbound_address.h"
#include "base/json/json.h"
#include "base/strings.h"

namespace berth::convert {
namespace {

void Rename(const std::string& path, const Reporter& reporter, Members& args) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"ip", "address"}, {"device_name", "deviceName"}, {"time_range", "timeRange"}};
  for (const auto& [old, now] : kNames) {
    auto node = args.extract(std::string(old));
    if (node.empty()) continue;
    const std::string at = path + "." + std::string(old);
    if (args.contains(std::string(now))) {
      reporter.Dropped(at, std::string(now) + " is given, too");
      continue;
    }
    node.key() = now;
    args.insert(std::move(node));
    reporter.Exact(at, std::string(now), "the field was renamed");
  }
}

bool IsNumber(std::string_view text) { return std::ranges::all_of(text, IsDigit); }

// Returns the address with NAME.NAMESPACE replaced by NAME.NAMESPACE.svc, as the cluster's DNS
// resolves it. Other addresses are returned unchanged.
std::string WithService(const std::string& address) {
  const auto read = api::ReadOutboundAddress(api::MetricSource{.address = address}.Url());
  if (!read) return address;
  const auto labels = Split(read->host, '.');
  if (labels.size() != 2 || IsNumber(labels[1])) return address;
  const size_t scheme = address.find("://");
  std::string converted = address;
  converted.insert((scheme == address.npos ? 0 : scheme + 3) + read->host.size(), ".svc");
  return converted;
}

void ConvertAddress(const std::string& path, const Reporter& reporter, json::Raw& value) {
  const std::string_view text = value.text;
  // Validation of the arguments reports anything else as an invalid address.
  if (text.size() < 2 || text.front() != '"' || text.find('\\') != text.npos) return;
  const std::string address(text.substr(1, text.size() - 2));
  const std::string converted = WithService(address);
  if (converted == address) return;
  value.text = json::Quoted(converted);
  reporter.Approximate(path + ".address", converted,
                       "interpreted as a Service's NAME.NAMESPACE, like the cluster's DNS");
}

void ConvertRange(const std::string& path, const Reporter& reporter, json::Raw& value) {
  if (value.text.empty() || !IsNumber(value.text)) return;
  value.text = json::Quoted(value.text + "m");
  reporter.Exact(path + ".timeRange", value.text, "a bare number means minutes");
}

}  // namespace

void ConvertNetworkTraffic(const std::string& path, const Reporter& reporter, Members& args) {
  Rename(path, reporter, args);
  if (const auto found = args.find("address"); found != args.end()) {
    ConvertAddress(path, reporter, found->second);
  }
  if (const auto found = args.find("timeRange"); found != args.end()) {
    ConvertRange(path, reporter, found->second);
  }
}

}  // namespace berth::convert
