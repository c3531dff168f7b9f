// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/descriptor.h"

#include <array>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
namespace berth::scheduler {
namespace {

struct PointNames {
  std::string_view field;
  std::string_view interface;
};

// In the order of ExtensionPoint.
constexpr std::array<PointNames, kExtensionPointCount> kPointNames = {{
    {"preFilter", "PreFilterPlugin"},
    {"filter", "FilterPlugin"},
    {"postFilter", "PostFilterPlugin"},
    {"reserve", "ReservePlugin"},
    {"preScore", "PreScorePlugin"},
    {"score", "ScorePlugin"},
    {"preBind", "PreBindPlugin"},
    {"bind", "BindPlugin"},
    {"postBind", "PostBindPlugin"},
    {"permit", "PermitPlugin"},
    {"preEnqueue", "PreEnqueuePlugin"},
    {"queueSort", "QueueSortPlugin"},
    {"placementGenerate", "PlacementGeneratePlugin"},
    {"placementScore", "PlacementScorePlugin"},
    {"podGroupPostFilter", "PodGroupPostFilterPlugin"},
}};

constexpr std::string_view kConfigGroup = "kubescheduler.config.k8s.io";

// Checks apiVersion and kind, which args may contain, and removes them.
Result<std::string> WithoutIdentity(const std::string& text, const json::Identity& identity,
                                    std::string_view plugin) {
  const std::string group(kConfigGroup);
  const std::string version = group + "/v1";
  const std::string kind = std::string(plugin) + "Args";
  if (!identity.api_version.empty() && identity.api_version != version) {
    return ConfigError("apiVersion: found \"" + identity.api_version + "\"; allowed: \"" + version +
                       "\"");
  }
  if (!identity.kind.empty() && identity.kind != kind) {
    return ConfigError("args for plugin " + std::string(plugin) + " were not of type " + kind +
                       "." + group + ", got " + identity.kind + "." + group);
  }
  nlohmann::json document = json::ReadDocument(text);
  if (!document.is_object()) return ConfigError("args must be an object");
  document.erase("apiVersion");
  document.erase("kind");
  return json::DocumentText(document);
}

}  // namespace

std::string_view ToString(ExtensionPoint point) {
  return kPointNames[static_cast<size_t>(point)].field;
}

std::string_view InterfaceOf(ExtensionPoint point) {
  return kPointNames[static_cast<size_t>(point)].interface;
}

namespace internal {

bool IsAbsent(const json::Raw& args) { return args.text.empty() || args.text == "null"; }

Result<void> DecodeArgs(const json::Raw& raw, std::string_view plugin, const json::Type& type,
                        void* value) {
  if (IsAbsent(raw)) return {};
  const std::string context = "decoding args for plugin " + std::string(plugin);
  const auto decode = [&]() -> Result<void> {
    BERTH_TRY(const auto identity, json::Decode<json::Identity>(raw.text));
    if (identity.api_version.empty() && identity.kind.empty()) {
      return json::DecodeInto(raw.text, type, value, json::Mode::kStrict);
    }
    BERTH_TRY(const auto text, WithoutIdentity(raw.text, identity, plugin));
    return json::DecodeInto(text, type, value, json::Mode::kStrict);
  };
  if (auto decoded = decode(); !decoded) return Fail(decoded.error().With(context));
  return {};
}

std::vector<api::FieldError> DecodeError(const json::Raw& raw, const Error& error) {
  return {api::FieldError::InvalidJson("args", raw.text, error.message())};
}

Result<void> RejectArgs(const json::Raw& raw, std::string_view plugin) {
  if (IsAbsent(raw)) return {};
  struct NoArgs {
    static auto Fields() { return json::Object(); }
  } none;
  if (DecodeArgs(raw, plugin, json::TypeOf<NoArgs>(), &none)) return {};
  return ConfigError("plugin " + std::string(plugin) + " takes no args, found " + raw.text);
}

Failure InvalidArgs(std::span<const api::FieldError> errors) {
  return ConfigError(api::Aggregate(errors));
}

}  // namespace internal
}  // namespace berth::scheduler
