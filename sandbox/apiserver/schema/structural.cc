// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/structural.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include "sandbox/apiserver/go/go_regexp.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/parse.h"
#include "sandbox/apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

using api::Child;
using api::FieldError;
using nlohmann::json;

enum class Level { kRoot, kItem, kField };

const json* Find(const json& source, const char* keyword) {
  const auto at = source.find(keyword);
  return at == source.end() || at->is_null() ? nullptr : &*at;
}

bool Flag(const json& source, const char* keyword) {
  const json* value = Find(source, keyword);
  return value != nullptr && *value == true;
}

std::string Text(const json& source, const char* keyword) {
  const json* value = Find(source, keyword);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::string Key(const std::string& path, const std::string& key) { return path + '[' + key + ']'; }

bool IsIntOrStringJunctor(const json& alternatives) {
  return alternatives == json::parse(R"([{"type":"integer"},{"type":"string"}])");
}

class StructuralCheck {
 public:
  explicit StructuralCheck(std::vector<FieldError>* errors) : errors_(errors) {}

  void Walk(const json& s, Level level, const std::string& path) {
    if (!s.is_object()) return;
    CheckType(s, level, path);
    CheckExtensions(s, level, path);
    CheckTopology(s, path);
    CheckMetadata(s, level, path);
    CheckJunctors(s, s, path);
    CheckPattern(s, path);
    CheckDefault(s, path);
    if (const json* items = Find(s, "items")) Walk(*items, Level::kItem, Child(path, "items"));
    if (const json* properties = Find(s, "properties"))
      for (const auto& [name, property] : properties->items())
        if (!(level == Level::kRoot && name == "metadata"))
          Walk(property, Level::kField, Key(Child(path, "properties"), name));
    if (const json* additional = Find(s, "additionalProperties"))
      Walk(*additional, Level::kField, Child(path, "additionalProperties"));
  }

 private:
  void Required(std::string path, std::string detail) {
    errors_->push_back(FieldError::Required(std::move(path), std::move(detail)));
  }
  void Forbidden(std::string path, std::string detail) {
    errors_->push_back(FieldError::Forbidden(std::move(path), std::move(detail)));
  }
  void Invalid(std::string path, const json& value, std::string detail) {
    errors_->push_back(FieldError::InvalidJson(std::move(path), value.dump(), std::move(detail)));
  }

  void CheckType(const json& s, Level level, const std::string& path) {
    static constexpr std::string_view kTypes[] = {"array",  "boolean", "integer",
                                                  "number", "object",  "string"};
    const std::string type = Text(s, "type");
    const std::string at = Child(path, "type");
    if (!type.empty() && std::ranges::find(kTypes, type) == std::end(kTypes))
      errors_->push_back(FieldError::NotSupported(at, type, kTypes));
    if (type == "array" && Find(s, "items") == nullptr)
      Required(Child(path, "items"), "must be specified");
    if (Flag(s, "x-kubernetes-embedded-resource") && type != "object") {
      const char* kDetail = "must be object if x-kubernetes-embedded-resource is true";
      type.empty() ? Required(at, kDetail) : Invalid(at, type, kDetail);
    } else if (type.empty() && !Flag(s, "x-kubernetes-int-or-string") &&
               !Flag(s, "x-kubernetes-preserve-unknown-fields")) {
      Required(at, level == Level::kRoot   ? "must not be empty at the root"
                   : level == Level::kItem ? "must not be empty for specified array items"
                                           : "must not be empty for specified object fields");
    }
    if (level == Level::kRoot && !type.empty() && type != "object")
      Invalid(at, type, "must be object at the root");
  }

  void CheckExtensions(const json& s, Level level, const std::string& path) {
    const bool is_embedded = Flag(s, "x-kubernetes-embedded-resource");
    const bool preserves = Flag(s, "x-kubernetes-preserve-unknown-fields");
    if (Find(s, "additionalProperties") != nullptr) {
      const std::string at = Child(path, "additionalProperties");
      if (level == Level::kRoot) Forbidden(at, "must not be used at the root");
      if (is_embedded) Forbidden(at, "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (Flag(s, "x-kubernetes-int-or-string")) {
      const char* kDetail = "must be false if x-kubernetes-int-or-string is true";
      if (preserves) Invalid(Child(path, "x-kubernetes-preserve-unknown-fields"), true, kDetail);
      if (is_embedded) Invalid(Child(path, "x-kubernetes-embedded-resource"), true, kDetail);
    }
    const json* properties = Find(s, "properties");
    if (is_embedded && !preserves && (properties == nullptr || properties->empty()))
      Required(Child(path, "properties"),
               "must not be empty if x-kubernetes-embedded-resource is true without "
               "x-kubernetes-preserve-unknown-fields");
    if (const json* unique = Find(s, "uniqueItems"); unique != nullptr && *unique == true)
      Forbidden(Child(path, "uniqueItems"),
                "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
  }

  void CheckTopology(const json& s, const std::string& path) {
    static constexpr std::string_view kListTypes[] = {"atomic", "set", "map"};
    static constexpr std::string_view kMapTypes[] = {"atomic", "granular"};
    const std::string list_type = Text(s, "x-kubernetes-list-type");
    const std::string map_type = Text(s, "x-kubernetes-map-type");
    const json* keys = Find(s, "x-kubernetes-list-map-keys");
    const bool has_keys = keys != nullptr && !keys->empty();
    if (!list_type.empty() && std::ranges::find(kListTypes, list_type) == std::end(kListTypes))
      errors_->push_back(
          FieldError::NotSupported(Child(path, "x-kubernetes-list-type"), list_type, kListTypes));
    if (!map_type.empty() && std::ranges::find(kMapTypes, map_type) == std::end(kMapTypes))
      errors_->push_back(
          FieldError::NotSupported(Child(path, "x-kubernetes-map-type"), map_type, kMapTypes));
    if (!list_type.empty() && Text(s, "type") != "array")
      Invalid(Child(path, "type"), Text(s, "type"),
              "must be array if x-kubernetes-list-type is specified");
    if (!map_type.empty() && Text(s, "type") != "object")
      Invalid(Child(path, "type"), Text(s, "type"),
              "must be object if x-kubernetes-map-type is specified");
    if (has_keys && list_type != "map")
      Required(Child(path, "x-kubernetes-list-type"),
               "must be map if x-kubernetes-list-map-keys is non-empty");
    if (list_type != "map") return;
    if (!has_keys) {
      Required(Child(path, "x-kubernetes-list-map-keys"),
               "must not be empty if x-kubernetes-list-type is map");
      return;
    }
    CheckMapKeys(s, *keys, path);
  }

  void CheckMapKeys(const json& s, const json& keys, const std::string& path) {
    const json* items = Find(s, "items");
    const json* properties = items == nullptr ? nullptr : Find(*items, "properties");
    for (const json& name : keys) {
      const std::string key = name.get<std::string>();
      if (properties == nullptr || !properties->contains(key))
        return Invalid(Child(path, "x-kubernetes-list-map-keys"), keys,
                       "entries must all be names of item properties");
      const json& property = properties->at(key);
      const json* required = Find(*items, "required");
      const bool is_required = required != nullptr && std::find(required->begin(), required->end(),
                                                                key) != required->end();
      if (!is_required && !property.contains("default"))
        Required(
            Child(Key(Child(Child(path, "items"), "properties"), key), "default"),
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a "
            "required property");
    }
  }

  void CheckMetadata(const json& s, Level level, const std::string& path) {
    const json* properties = Find(s, "properties");
    if (properties == nullptr) return;
    const bool checks = level == Level::kRoot || Flag(s, "x-kubernetes-embedded-resource");
    const std::string at = Child(path, "properties");
    for (const char* name : {"kind", "apiVersion"})
      if (const json* field = Find(*properties, name);
          checks && field != nullptr && Text(*field, "type") != "string")
        Invalid(Child(Key(at, name), "type"), Text(*field, "type"), "must be string");
    const json* metadata = Find(*properties, "metadata");
    if (!checks || metadata == nullptr) return;
    if (Text(*metadata, "type") != "object")
      Invalid(Child(Key(at, "metadata"), "type"), Text(*metadata, "type"), "must be object");
    if (level == Level::kRoot && !RestrictsNamesOnly(*metadata))
      Forbidden(Key(at, "metadata"),
                "must not specify anything other than name and generateName, but metadata is "
                "implicitly specified");
  }

  static bool RestrictsNamesOnly(const json& metadata) {
    for (const auto& [keyword, value] : metadata.items())
      if (keyword != "type" && keyword != "properties" && keyword != "description") return false;
    const json* properties = Find(metadata, "properties");
    if (properties == nullptr) return true;
    for (const auto& [name, value] : properties->items())
      if (name != "name" && name != "generateName") return false;
    return true;
  }

  void CheckPattern(const json& s, const std::string& path) {
    const std::string pattern = Text(s, "pattern");
    if (pattern.empty()) return;
    const re2::RE2 regex(pattern, re2::RE2::Quiet);
    if (!regex.ok())
      Invalid(Child(path, "pattern"), pattern,
              "must be a valid regular expression, but isn't: " + GoRegexpError(regex));
  }

  // A default must be valid where it stands. One of a schema that is wrong itself is not looked at.
  void CheckDefault(const json& s, const std::string& path) {
    const json* value = Find(s, "default");
    if (value == nullptr || !errors_->empty()) return;
    SchemaArena arena;
    Schema schema;
    SchemaParser parser(&arena,
                        [](std::string_view name) { return BuiltinSchemas::Get().Find(name); });
    if (!parser.Fill(s, &schema)) return;
    for (FieldError& error : Validate(schema, *value)) {
      error.path = Child(path, "default") + (error.path.empty() ? "" : "." + error.path);
      errors_->push_back(std::move(error));
    }
  }

  // `declared` is the structural schema that junctors in `s` may refine, or null when they refine
  // nothing that is declared.
  void CheckJunctors(const json& s, const json& declared, const std::string& path) {
    for (const char* junctor : {"allOf", "anyOf", "oneOf"}) {
      const json* list = Find(s, junctor);
      if (list == nullptr || (std::string_view(junctor) == "anyOf" && IsIntOrStringJunctor(*list)))
        continue;
      for (size_t i = 0; i < list->size(); ++i)
        WalkNested((*list)[i], &declared, api::Index(Child(path, junctor), i));
    }
    if (const json* none_of = Find(s, "not")) WalkNested(*none_of, &declared, Child(path, "not"));
  }

  void WalkNested(const json& s, const json* declared, const std::string& path) {
    struct Ban {
      const char* keyword;
      const char* detail;
    };
    static constexpr Ban kBans[] = {
        {"type", "must be empty to be structural"},
        {"additionalProperties", "must be undefined to be structural"},
        {"default", "must be undefined to be structural"},
        {"title", "must be empty to be structural"},
        {"description", "must be empty to be structural"},
        {"nullable", "must be false to be structural"},
        {"x-kubernetes-preserve-unknown-fields", "must be false to be structural"},
        {"x-kubernetes-embedded-resource", "must be false to be structural"},
        {"x-kubernetes-int-or-string", "must be false to be structural"},
        {"x-kubernetes-list-map-keys", "must be empty to be structural"},
        {"x-kubernetes-list-type", "must be undefined to be structural"},
        {"x-kubernetes-map-type", "must be undefined to be structural"},
        {"x-kubernetes-validations", "must be empty to be structural"},
    };
    if (!s.is_object()) return;
    for (const Ban& ban : kBans)
      if (const json* value = Find(s, ban.keyword); value != nullptr && *value != false)
        Forbidden(Child(path, ban.keyword), ban.detail);
    CheckPattern(s, path);
    CheckJunctors(s, declared != nullptr ? *declared : json::object(), path);
    if (const json* properties = Find(s, "properties")) {
      for (const auto& [name, property] : properties->items())
        WalkNestedProperty(name, property, declared, Child(path, "properties"));
    }
    if (const json* items = Find(s, "items")) {
      const json* target = declared == nullptr ? nullptr : Find(*declared, "items");
      if (target == nullptr)
        Required(Child(DeclaredPath(path), "items"),
                 "because it is defined in " + Child(path, "items"));
      WalkNested(*items, target, Child(path, "items"));
    }
  }

  void WalkNestedProperty(const std::string& name, const json& property, const json* declared,
                          const std::string& path) {
    const std::string at = Key(path, name);
    if (name == "metadata") Forbidden(at, "must not be specified in a nested context");
    const json* properties = declared == nullptr ? nullptr : Find(*declared, "properties");
    const json* target = properties == nullptr ? nullptr : Find(*properties, name.c_str());
    if (target == nullptr) Required(DeclaredPath(at), "because it is defined in " + at);
    WalkNested(property, target, at);
  }

  // Where a nested path would be declared: the path without its junctors.
  static std::string DeclaredPath(const std::string& path) {
    static const re2::RE2 kJunctor(R"(\.(?:(?:allOf|anyOf|oneOf)\[\d+\]|not))");
    std::string declared = path;
    re2::RE2::GlobalReplace(&declared, kJunctor, "");
    return declared;
  }

  std::vector<FieldError>* errors_;
};

}  // namespace

std::vector<FieldError> CheckStructural(const json& source, const std::string& path) {
  std::vector<FieldError> errors;
  StructuralCheck(&errors).Walk(source, Level::kRoot, path);
  std::sort(errors.begin(), errors.end(),
            [](const FieldError& a, const FieldError& b) { return a.ToString() < b.ToString(); });
  return errors;
}

}  // namespace berth::apiserver
