// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"

namespace berth::apiserver {

// The discovery documents: the served groups, versions and resources.

nlohmann::json ApiVersions(const std::string& address);  // /api
nlohmann::json ApiGroupList(const KindRegistry& kinds);  // /apis
std::optional<nlohmann::json> ApiGroup(const KindRegistry& kinds, std::string_view group);
std::optional<nlohmann::json> ApiResourceList(const KindRegistry& kinds, std::string_view group,
                                              std::string_view version);
// The aggregated form (apidiscovery.k8s.io/v2) of /api or of /apis.
nlohmann::json AggregatedDiscovery(const KindRegistry& kinds, bool core);

nlohmann::json VersionDocument();  // /version

// OpenAPI v3: the index, and the document of one group version ("apis/apps/v1").
nlohmann::json OpenApiIndex(const KindRegistry& kinds);
std::optional<nlohmann::json> OpenApiDocument(const KindRegistry& kinds, std::string_view path);

// OpenAPI v2 in protobuf (openapi_v2.Document of gnostic), without any definition. kubectl before
// 1.30 needs this document to create an object. For a kind without a definition it leaves
// validation to the server.
inline constexpr std::string_view kOpenApiV2Type =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
std::string OpenApiV2Document();

}  // namespace berth::apiserver
