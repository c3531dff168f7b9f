// SPDX-License-Identifier: Apache-2.0
#include "api/metric_source.h"

#include <algorithm>

#include "api/outbound_address.h"
#include "base/json/field_path.h"
#include "base/json/json.h"
#include "base/names.h"

namespace berth::api {
namespace {

// Plugins with arguments that extend MetricSource.
constexpr std::string_view kPlugins[] = {"NetworkTraffic"};

}  // namespace

std::string MetricSource::Url() const {
  const bool has_scheme = address.find("://") != address.npos;
  std::string url = has_scheme ? address : "http://" + address;
  while (url.ends_with('/')) url.pop_back();
  return url;
}

const json::Type& MetricSource::JsonType() {
  static const json::Type type = json::Describe<MetricSource>(json::Object(
      json::Field("address", &MetricSource::address)
          .Doc("URL of Prometheus: http(s)://HOST[:PORT][/PATH]. Without a scheme: http.")
          .MaxLength(2048)
          .Required(),
      json::Field("secretName", &MetricSource::secret_name)
          .Doc("Secret in the scheduler's namespace with the credentials for Prometheus: token (a "
               "bearer token), tls.crt and tls.key, or both. ca.crt is the CA bundle for "
               "Prometheus' certificate; absent: the system's CAs. Requires https.")
          .MaxLength(253)
          .Default(R"("")")));
  return type;
}

std::vector<FieldError> Check(const MetricSource& source, const std::string& path) {
  const std::string at = Child(path, "address");
  if (source.address.empty()) {
    return {FieldError::Required(at, "expected http(s)://HOST[:PORT][/PATH]")};
  }
  const auto address = ReadOutboundAddress(source.Url());
  if (!address) {
    return {FieldError::Invalid(
        at, source.address, "expected http(s)://HOST[:PORT][/PATH]: " + address.error().message())};
  }
  if (source.address.find_first_of("?#") != source.address.npos) {
    return {FieldError::Invalid(at, source.address, "must not have a query or a fragment")};
  }
  if (source.secret_name.empty()) return {};
  const std::string secret_at = Child(path, "secretName");
  if (const auto errors = CheckDnsSubdomain(source.secret_name); !errors.empty()) {
    return {FieldError::Invalid(secret_at, source.secret_name, errors.front())};
  }
  if (!address->is_https) {
    return {FieldError::Invalid(secret_at, source.secret_name,
                                "requires https, but the address is http")};
  }
  return {};
}

std::vector<FieldError> CheckOutbound(const MetricSource& source, const std::string& path) {
  return CheckOutboundUrl(source.Url(), {}, Child(path, "address"));
}

std::vector<ConfiguredMetricSource> MetricSourcesOf(const std::vector<PluginConfig>& configs) {
  std::vector<ConfiguredMetricSource> sources;
  for (const PluginConfig& config : configs) {
    if (std::ranges::find(kPlugins, config.name) == std::end(kPlugins)) continue;
    auto source = json::Decode<MetricSource>(config.args.text);
    if (!source || !Check(*source, "").empty()) continue;
    sources.push_back(
        {std::move(*source), json::ListEntryPath("pluginConfig", "name", config.name) + ".args"});
  }
  return sources;
}

}  // namespace berth::api
