// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/discovery.h"
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/replies.h"
#include "sandbox/apiserver/rest/routes.h"

// Documents other than objects: discovery, OpenAPI, health, version.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

Reply DocumentReply(const json& document) { return JsonReply(200, DocumentText(document)); }

Reply Aggregated(const KindRegistry& kinds, bool core) {
  Reply reply = DocumentReply(AggregatedDiscovery(kinds, core));
  reply.response.headers.Set("Content-Type", kAggregated);
  return reply;
}

Reply OpenApi(const KindRegistry& kinds, const std::string& path) {
  static constexpr std::string_view kIndex = "/openapi/v3";
  if (path == kIndex) return DocumentReply(OpenApiIndex(kinds));
  if (path == "/openapi/v2") {
    Reply reply = JsonReply(200, OpenApiV2Document());
    reply.response.headers.Set("Content-Type", kOpenApiV2Type);
    return reply;
  }
  if (!path.starts_with(std::string(kIndex) + "/")) return PageNotFound();
  if (const auto document =
          OpenApiDocument(kinds, std::string_view(path).substr(kIndex.size() + 1)))
    return DocumentReply(*document);
  Reply none;
  none.response.code = 404;
  return none;
}

}  // namespace

Answer<Reply> Handler::ServePath(Exchange& exchange) {
  const std::string& path = exchange.info.path;
  const std::vector<std::string> parts = PathParts(path);
  if (parts.empty()) return PageNotFound();
  const std::string& head = parts[0];
  if (head == "api" || head == "apis") return ServeDiscovery(exchange, parts);
  if (head == "livez" || head == "readyz" || head == "healthz")
    return parts.size() == 1 ? TextReply(200, "ok") : PageNotFound();
  if (head == "openapi") return OpenApi(state_.kinds, path);
  if (head == "version" && parts.size() == 1) {
    if (exchange.request.method != "GET") return Reject(MethodNotAllowed());
    return DocumentReply(VersionDocument());
  }
  return PageNotFound();
}

Answer<Reply> Handler::ServeDiscovery(Exchange& exchange, const std::vector<std::string>& parts) {
  const KindRegistry& kinds = state_.kinds;
  const bool core = parts[0] == "api";
  const std::string group = core || parts.size() == 1 ? "" : parts[1];
  if (kinds.FindGroup(group) == nullptr) return PageNotFound();
  if (const auto accepted = ReadAccept(exchange); !accepted) return Reject(accepted.error());
  if (parts.size() == 1 && exchange.media.aggregated_discovery) return Aggregated(kinds, core);
  const size_t version_at = core ? 1 : 2;
  if (!core && parts.size() == 1) return DocumentReply(ApiGroupList(kinds));
  if (!core && parts.size() == version_at) return DocumentReply(*ApiGroup(kinds, group));
  std::optional<json> document = ApiVersions(options_.address);
  if (parts.size() > version_at) document = ApiResourceList(kinds, group, parts[version_at]);
  const bool custom = IsCustomGroup(kinds, group);
  if (!document) return custom ? Answer<Reply>(PageNotFound()) : Reject(NotFoundPath());
  if (!custom && exchange.request.method != "GET") return Reject(MethodNotAllowed());
  return DocumentReply(*document);
}

}  // namespace berth::apiserver
