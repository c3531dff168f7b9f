// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/openapi.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kPublishedPrefix = "#/components/schemas/";
constexpr const char* kListMetaType = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
// Types that the paths of every group version refer to.
constexpr const char* kCommonTypes[] = {
    "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList",
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
    "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent",
};
constexpr const char* kAboutApiVersion = "The versioned schema of this object, as group/version.";
constexpr const char* kAboutKind = "The type of this object, in CamelCase.";

json Reference(std::string_view name) { return {{"$ref", kPublishedPrefix + std::string(name)}}; }

class Components {
 public:
  void AddBuiltin(std::string_view name) {
    if (schemas_.contains(name)) return;
    const json* source = BuiltinSchemas::Get().Source(name);
    if (source == nullptr) return;
    json& schema = schemas_[std::string(name)];
    schema = json::object();  // visible from here on: types may be recursive
    json published = Publish(*source);
    schemas_[std::string(name)] = std::move(published);
  }

  void AddCustom(const PublishedKind& kind) {
    const std::string name = ComponentName(kind.kind);
    json schema = *kind.custom_schema;
    schema["x-kubernetes-group-version-kind"] = KindList(kind.kind);
    json& properties = schema["properties"];
    AddTypeMeta(&properties);
    properties["metadata"] = Reference(kObjectMetaType);
    AddBuiltin(kObjectMetaType);
    schemas_[name] = std::move(schema);

    GroupVersionKind list = kind.kind;
    list.kind += "List";
    json items = {{"type", "array"}, {"items", Reference(name)}};
    json list_properties = {{"items", std::move(items)}, {"metadata", Reference(kListMetaType)}};
    AddTypeMeta(&list_properties);
    AddBuiltin(kListMetaType);
    schemas_[ComponentName(list)] = {{"type", "object"},
                                     {"required", {"items"}},
                                     {"properties", std::move(list_properties)},
                                     {"x-kubernetes-group-version-kind", KindList(list)}};
  }

  json Take() { return std::move(schemas_); }

 private:
  static json KindList(const GroupVersionKind& kind) {
    return json::array({{{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}}});
  }

  static void AddTypeMeta(json* properties) {
    (*properties)["apiVersion"] = {{"type", "string"}, {"description", kAboutApiVersion}};
    (*properties)["kind"] = {{"type", "string"}, {"description", kAboutKind}};
  }

  // Converts the table's form to OpenAPI's: puts references beside other keywords into allOf, and
  // expands Berth's own keywords.
  json Publish(const json& source) {
    json out = json::object();
    for (const auto& [keyword, value] : source.items()) {
      if (keyword == "$ref") {
        AddBuiltin(value.get_ref<const std::string&>());
        out["allOf"] = json::array({Reference(value.get_ref<const std::string&>())});
      } else if (keyword == "properties") {
        for (const auto& [name, property] : value.items()) out[keyword][name] = Publish(property);
      } else if ((keyword == "items" || keyword == "additionalProperties") && value.is_object()) {
        out[keyword] = Publish(value);
        // As upstream publishes it: map entries refer directly, all others beside other keywords.
        if (keyword == "additionalProperties" && value.contains("$ref") && value.size() == 1)
          out[keyword] = Reference(value["$ref"].get_ref<const std::string&>());
      } else if (keyword == "format" && value == "quantity") {
        out["oneOf"] = ReadDocument(R"([{"type":"string"},{"type":"number"}])");
      } else if (keyword == "format" && value == "micro-time") {
        out[keyword] = "date-time";
      } else if (keyword == "x-kubernetes-int-or-string") {
        out["format"] = "int-or-string";
        out["oneOf"] = ReadDocument(R"([{"type":"integer"},{"type":"string"}])");
      } else if (keyword != "x-empty" && keyword != "x-go-type" &&
                 keyword != "x-kubernetes-preserve-unknown-fields") {
        out[keyword] = value;
      }
    }
    return out;
  }

  json schemas_ = json::object();
};

}  // namespace

json ComponentSchemas(std::span<const PublishedKind> kinds) {
  Components components;
  for (const char* name : kCommonTypes) components.AddBuiltin(name);
  for (const PublishedKind& kind : kinds) {
    if (kind.custom_schema != nullptr) {
      components.AddCustom(kind);
    } else if (const Schema* schema = BuiltinSchemas::Get().FindKind(kind.kind)) {
      components.AddBuiltin(schema->name);
    }
  }
  return components.Take();
}

std::string ComponentName(const GroupVersionKind& kind) {
  std::vector<std::string_view> labels = Split(kind.group, '.');
  std::reverse(labels.begin(), labels.end());
  return Join(labels, ".") + "." + kind.version + "." + kind.kind;
}

}  // namespace berth::apiserver
