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
    reporter.Exact(at, std::string(now), "as the field is called");
  }
}

bool IsNumber(std::string_view text) { return std::ranges::all_of(text, IsDigit); }

// WithService gives the address with NAME.NAMESPACE in it written as NAME.NAMESPACE.svc, which is what
// the DNS of a cluster makes of it; the same address where it is none.
std::string WithService(const std::string& address) {
  const auto read = api::ReadOutboundAddress(api::MetricSource{.address = address}.Url());
  if (!read) return address;
  const auto labels = Split(read->host, '.');
  if (labels.size() != 2 || IsNumber(labels[1])) return address;
  const size_t scheme = address.find("://");
  std::string mended = address;
  mended.insert((scheme == address.npos ? 0 : scheme + 3) + read->host.size(), ".svc");
  return mended;
}

void ConvertAddress(const std::string& path, const Reporter& reporter, json::Raw& value) {
  const std::string_view text = value.text;
  // Anything else is no address, which is said when the arguments are checked.
  if (text.size() < 2 || text.front() != '"' || text.find('\\') != text.npos) return;
  const std::string address(text.substr(1, text.size() - 2));
  const std::string mended = WithService(address);
  if (mended == address) return;
  value.text = json::Quoted(mended);
  reporter.Approximate(path + ".address", mended,
                       "taken for a Service's NAME.NAMESPACE, as the cluster's DNS takes it first");
}

void ConvertRange(const std::string& path, const Reporter& reporter, json::Raw& value) {
  if (value.text.empty() || !IsNumber(value.text)) return;
  value.text = json::Quoted(value.text + "m");
  reporter.Exact(path + ".timeRange", value.text, "a bare number counts minutes");
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
