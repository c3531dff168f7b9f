// SPDX-License-Identifier: Apache-2.0
#include "scenario/template.h"

#include <charconv>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/json/json.h"
#include "scenario/shorthand.h"

namespace berth::scenario {
namespace {

using Json = nlohmann::json;

constexpr int32_t kMaxCount = 200'000;

// Replaces $(i) with `i`, and $(i%N) with the remainder of `i` by N.
std::string Substitute(std::string_view text, int32_t i) {
  constexpr std::string_view kOpen = "$(i";
  std::string out;
  while (true) {
    const size_t open = text.find(kOpen);
    if (open == text.npos) return out.append(text);
    out.append(text.substr(0, open));
    text.remove_prefix(open + kOpen.size());
    int32_t divisor = 0;
    const char* end = text.data();
    if (text.starts_with('%')) {
      end = std::from_chars(text.data() + 1, text.data() + text.size(), divisor).ptr;
    }
    const bool is_closed = end != text.data() + text.size() && *end == ')';
    if (!is_closed || (end != text.data() && divisor <= 0)) {
      out.append(kOpen);
      continue;
    }
    out.append(std::to_string(divisor > 0 ? i % divisor : i));
    text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  }
}

// Returns the name field: at the top, or in the manifest's metadata.
Json& NameIn(Json& written) {
  return written.contains("name") || !written.contains("manifest")
             ? written["name"]
             : written["manifest"]["metadata"]["name"];
}

// Requires: CheckManifest succeeded.
std::string NamespaceIn(const Json& written) {
  const Json holder = written.contains("manifest")
                          ? written["manifest"].value("metadata", Json::object())
                          : written;
  const auto found = holder.find("namespace");
  return found == holder.end() || !found->is_string() ? "default" : found->get<std::string>();
}

template <class Fields>
Result<Fields> Read(const Json& written) {
  return json::Decode<Fields>(json::DocumentText(written), json::Mode::kStrict);
}

Result<void> CheckManifest(const Json& written) {
  if (!written.contains("manifest")) return {};
  for (const auto& [field, value] : written.items()) {
    if (field == "manifest" || field == "name" || field == "count") continue;
    return ConfigError(field + ": cannot be combined with manifest; move it into the manifest");
  }
  const Json& manifest = written["manifest"];
  if (!manifest.is_object()) return ConfigError("manifest: expected an object");
  if (!manifest.contains("metadata")) return {};
  const Json& metadata = manifest["metadata"];
  if (!metadata.is_object()) return ConfigError("manifest.metadata: expected an object");
  if (metadata.contains("namespace") && !metadata["namespace"].is_string()) {
    return ConfigError("manifest.metadata.namespace: expected a string");
  }
  return {};
}

// Validates an object; returns its count.
template <class Fields>
Result<std::optional<int32_t>> Check(Json& written) {
  BERTH_TRY(const Fields fields, Read<Fields>(written));
  BERTH_TRY_VOID(CheckManifest(written));
  const Json& name = NameIn(written);
  if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
    return ConfigError("name: is missing");
  }
  if (fields.count && (*fields.count < 0 || *fields.count > kMaxCount)) {
    return ConfigError("count: " + std::to_string(*fields.count) + " is outside of [0, " +
                       std::to_string(kMaxCount) + "]");
  }
  return fields.count;
}

Template MakeTemplate(Kind kind, Json written) {
  const std::string name = NameIn(written).get<std::string>();
  return {kind == Kind::kNode ? name : NamespaceIn(written) + "/" + name,
          json::DocumentText(written)};
}

}  // namespace

Result<std::vector<Template>> Expand(Kind kind, const json::Raw& written) {
  Json object = json::ReadDocument(written.text);
  if (!object.is_object()) return ConfigError("expected an object with a name");
  // Objects with a count are validated as the first one of them.
  Json checked =
      object.contains("count") ? json::ReadDocument(Substitute(written.text, 0)) : object;
  BERTH_TRY(const auto count,
            kind == Kind::kNode ? Check<NodeFields>(checked) : Check<PodFields>(checked));
  std::vector<Template> templates;
  if (!count) {
    templates.push_back(MakeTemplate(kind, std::move(object)));
    return templates;
  }
  object.erase("count");
  const std::string text = json::DocumentText(object);
  const auto name = NameIn(object).get<std::string>();
  for (int32_t i = 0; i < *count; ++i) {
    Json one = json::ReadDocument(Substitute(text, i));
    Json& own_name = NameIn(one);
    if (own_name == name) own_name = name + "-" + std::to_string(i);
    templates.push_back(MakeTemplate(kind, std::move(one)));
  }
  return templates;
}

Result<Template> Merge(Kind kind, const Template& current, const Template& patch) {
  Json merged = json::ReadDocument(current.json);
  merged.merge_patch(json::ReadDocument(patch.json));
  BERTH_TRY_VOID(kind == Kind::kNode ? Check<NodeFields>(merged) : Check<PodFields>(merged));
  return Template{current.key, json::DocumentText(merged)};
}

std::string PodKey(std::string_view name) {
  return name.find('/') == name.npos ? "default/" + std::string(name) : std::string(name);
}

std::string ShortKey(std::string_view key) {
  constexpr std::string_view kDefault = "default/";
  return std::string(key.starts_with(kDefault) ? key.substr(kDefault.size()) : key);
}

}  // namespace berth::scenario
