// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apiserver/rest/discovery.h"
#include "apiserver/rest/handler.h"
#include "apiserver/rest/replies.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

Answer<Reply> Document(const std::optional<json>& document) {
  if (!document) return Refuse(NotFoundPath());
  return JsonReply(200, document->dump());
}

Reply Aggregated(const KindRegistry& kinds, bool core) {
  Reply reply = JsonReply(200, AggregatedDiscovery(kinds, core).dump());
  reply.response.headers.Set("Content-Type", kAggregated);
  return reply;
}

}  // namespace

Answer<Reply> Handler::ServePath(const Exchange& exchange) {
  std::string path = exchange.info.path;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::vector<std::string> parts;
  for (const std::string_view part : Split(path, '/')) {
    if (!part.empty()) parts.emplace_back(part);
  }
  if (parts.empty())
    return JsonReply(
        200,
        json({{"paths",
               {"/api", "/apis", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"}}})
            .dump());
  const std::string& head = parts[0];
  if (head == "livez" || head == "readyz" || head == "healthz") return TextReply(200, "ok");
  if (path == "/version") return JsonReply(200, VersionDocument().dump());
  if (path == "/api")
    return exchange.media.aggregated_discovery
               ? Aggregated(state_.kinds, true)
               : JsonReply(200, ApiVersions(options_.address).dump());
  if (path == "/apis")
    return exchange.media.aggregated_discovery ? Aggregated(state_.kinds, false)
                                               : JsonReply(200, ApiGroupList(state_.kinds).dump());
  if (head == "api" && parts.size() == 2)
    return Document(ApiResourceList(state_.kinds, "", parts[1]));
  if (head == "apis" && parts.size() > 1 && state_.kinds.FindGroup(parts[1]) == nullptr)
    return TextReply(404, "404 page not found\n");
  if (head == "apis" && parts.size() == 2) return Document(ApiGroup(state_.kinds, parts[1]));
  if (head == "apis" && parts.size() == 3)
    return Document(ApiResourceList(state_.kinds, parts[1], parts[2]));
  if (path == "/openapi/v3") return JsonReply(200, OpenApiIndex(state_.kinds).dump());
  static constexpr std::string_view kOpenApi = "/openapi/v3/";
  if (path.starts_with(kOpenApi))
    return Document(OpenApiDocument(state_.kinds, std::string_view(path).substr(kOpenApi.size())));
  if (path == "/.well-known/openid-configuration")
    return JsonReply(200, json({{"issuer", kIssuer},
                                {"response_types_supported", {"id_token"}},
                                {"subject_types_supported", {"public"}},
                                {"id_token_signing_alg_values_supported", {"ES256"}}})
                              .dump());
  return TextReply(404, "404 page not found\n");
}

}  // namespace berth::apiserver
