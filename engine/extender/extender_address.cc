// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/extender_address.h"

#include "base/base64.h"
#include "base/strings.h"

namespace berth::engine {
namespace {

// The limit of running bindings.
constexpr size_t kBindsAtOnce = 128;

Result<http::Pem> PemOf(const std::string& data, const std::string& file, std::string_view field) {
  if (data.empty()) return http::Pem{.data = {}, .file = file};
  auto text = DecodeBase64(data, Whitespace::kSkipped);
  if (!text) return Fail(text.error().With("tlsConfig." + std::string(field)));
  return http::Pem{.data = std::move(*text), .file = {}};
}

bool IsHttps(std::string_view url) { return ToLower(url.substr(0, 6)) == "https:"; }

// User information before the host would appear in logs and messages.
bool HasUserInformation(std::string_view url) {
  const size_t scheme = url.find("://");
  const std::string_view rest = scheme == url.npos ? url : url.substr(scheme + 3);
  return rest.substr(0, rest.find_first_of("/?#")).find('@') != rest.npos;
}

}  // namespace

std::optional<std::string> WhyUnreachable(const ExtenderReach& reach, std::string_view address,
                                          uint16_t port) {
  if (!reach.is_rendered) return std::nullopt;
  if (api::IsLoopback(address) && reach.sidecar_ports.contains(port)) return std::nullopt;
  const auto what = api::ForbiddenReason(address);
  if (!what) return std::nullopt;
  return std::string(*what);
}

Result<http::TlsOptions> TlsOf(const api::Extender& extender, const ExtenderReach& reach) {
  const api::ExtenderTlsConfig tls = extender.tls_config.value_or(api::ExtenderTlsConfig());
  http::TlsOptions options{.ca = {},
                           .certificate = {},
                           .key = {},
                           .server_name = tls.server_name,
                           .insecure_skip_verify = tls.insecure};
  BERTH_TRY(options.ca, PemOf(tls.ca_data, tls.ca_file, "caData"));
  BERTH_TRY(options.certificate, PemOf(tls.cert_data, tls.cert_file, "certData"));
  BERTH_TRY(options.key, PemOf(tls.key_data, tls.key_file, "keyData"));
  if (extender.enable_https && options.ca.empty() && !reach.is_rendered) {
    options.insecure_skip_verify = true;
  }
  return options;
}

Result<bool> VerifiesCertificate(const api::Extender& extender, const ExtenderReach& reach) {
  if (!IsHttps(extender.url_prefix)) return true;
  BERTH_TRY(const http::TlsOptions options, TlsOf(extender, reach));
  return !options.insecure_skip_verify;
}

std::string ExtenderUrl(const api::Extender& extender) {
  std::string url = extender.url_prefix;
  while (url.ends_with('/')) url.pop_back();
  return url;
}

Result<std::unique_ptr<http::Transport>> MakeExtenderTransport(const api::Extender& extender,
                                                               const ExtenderReach& reach,
                                                               bool keeps_connections) {
  if (HasUserInformation(extender.url_prefix)) {
    return ConfigError("urlPrefix: must not contain a user's name or password");
  }
  http::TransportOptions options{.url = ExtenderUrl(extender)};
  options.normal_limit = kBindsAtOnce;
  if (IsHttps(options.url)) {
    BERTH_TRY(options.tls, TlsOf(extender, reach));
  }
  return http::CreateGuardedTransport(
      std::move(options),
      {.reject = [reach](std::string_view address,
                         uint16_t port) { return WhyUnreachable(reach, address, port); },
       .keeps_connections = keeps_connections});
}

}  // namespace berth::engine
