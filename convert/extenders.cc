// SPDX-License-Identifier: Apache-2.0
#include "convert/extenders.h"

#include <algorithm>
#include <chrono>

#include "base/json/field_path.h"
#include "base/time.h"

namespace berth::convert {
namespace {

// Wrapped holds a value in the object that decoding needs.
template <class T>
struct Wrapped {
  T value{};
  static auto Fields() { return json::Object(json::Field("value", &Wrapped::value)); }
};

// A client needs longer than this for any call.
constexpr std::chrono::nanoseconds kNoCallIsFaster = std::chrono::microseconds(100);

Result<Duration> TimeoutOf(const json::Raw& timeout, TimeoutForm form) {
  const std::string object = R"({"value":)" + timeout.text + "}";
  if (form == TimeoutForm::kText) {
    const auto text = json::Decode<Wrapped<std::string>>(object);
    if (text) return Duration::Parse(text->value);
    return ConfigError("expected a duration, such as \"30s\", found " + timeout.text);
  }
  const auto number = json::Decode<Wrapped<int64_t>>(object);
  if (number) return Duration(std::chrono::nanoseconds(number->value));
  return ConfigError("expected a number of nanoseconds, such as 30000000000, found " +
                     timeout.text);
}

void ReportTls(const api::ExtenderTlsConfig& source, const Reporter& reporter,
               crds::ExtenderTls& tls) {
  static_cast<api::ExtenderTlsConfig&>(tls) = source;
  if (!source.key_data.empty()) {
    tls.key_data.clear();
    reporter.Dropped("tlsConfig.keyData",
                     "profiles are not secret: put the key into a Secret and set "
                     "tlsConfig.secretName");
  }
  const auto file = [&](const char* name, const std::string& path) {
    if (path.empty()) return;
    reporter.Approximate(
        std::string("tlsConfig.") + name, path,
        "the path is on the old scheduler's host: put the file into a Secret and set "
        "tlsConfig.secretName");
  };
  file("certFile", source.cert_file);
  file("keyFile", source.key_file);
  file("caFile", source.ca_file);
}

Result<crds::Extender> ExtenderOf(const api::LegacyExtender& source, TimeoutForm form,
                                  const Reporter& reporter) {
  crds::Extender extender;
  extender.url_prefix = source.url_prefix;
  extender.filter_verb = source.filter_verb;
  extender.preempt_verb = source.preempt_verb;
  extender.prioritize_verb = source.prioritize_verb;
  extender.bind_verb = source.bind_verb;
  extender.enable_https = source.enable_https || source.enable_https_old;
  extender.node_cache_capable = source.node_cache_capable;
  extender.managed_resources = source.managed_resources;
  extender.ignorable = source.ignorable;
  extender.weight = static_cast<int32_t>(std::min(source.weight, kMostWeight));
  std::string result = json::ListEntryPath("extenders", "urlPrefix", source.url_prefix);
  if (!source.http_timeout.text.empty() && source.http_timeout.text != "null") {
    auto timeout = TimeoutOf(source.http_timeout, form);
    if (!timeout) return Fail(timeout.error().With(reporter.PathOf("httpTimeout")));
    extender.http_timeout = *timeout;
    if (!timeout->IsEmpty()) result += " with httpTimeout " + timeout->ToString();
  }
  reporter.Exact("", std::move(result));
  if (!extender.http_timeout.IsEmpty() && extender.http_timeout.length() < kNoCallIsFaster) {
    reporter.Approximate("httpTimeout", extender.http_timeout.ToString(),
                         "every call exceeds it; a number is in nanoseconds: 30000000000 is 30s");
  }
  if (source.weight > kMostWeight) {
    reporter.Approximate("weight", std::to_string(kMostWeight), "this is the maximum weight");
  }
  if (source.api_version) {
    reporter.Dropped("apiVersion", "the protocol has only one version; the field is unused");
  }
  if (source.enable_https_old) {
    reporter.Exact("enableHttps", "enableHTTPS", "the field was renamed");
  }
  if (source.tls_config) ReportTls(*source.tls_config, reporter, extender.tls_config.emplace());
  return extender;
}

}  // namespace

Result<void> AddExtenders(const std::vector<api::LegacyExtender>& extenders, TimeoutForm form,
                          const Reporter& reporter, Draft& draft) {
  for (size_t i = 0; i < extenders.size(); ++i) {
    const Reporter inner = reporter.In(api::Index("extenders", i));
    BERTH_TRY(crds::Extender extender, ExtenderOf(extenders[i], form, inner));
    draft.spec.extenders.push_back(std::move(extender));
  }
  return {};
}

}  // namespace berth::convert
