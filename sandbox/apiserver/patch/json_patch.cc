// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/json_patch.h"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/patch/merge_patch.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr size_t kMaxOperations = 10'000;
constexpr const char* kRefused = "the server rejected our request due to an error in our request";

// An operation fails with no more than that.
using Outcome = bool;

struct Pointer {
  std::vector<std::string> parents;
  std::string last;
};

std::string Unescape(std::string_view token) {
  std::string text;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
      text += token[++i] == '0' ? '~' : '/';
    } else {
      text += token[i];
    }
  }
  return text;
}

std::optional<Pointer> ParsePointer(std::string_view text) {
  if (text.empty() || text.front() != '/') return std::nullopt;
  Pointer pointer;
  for (const std::string_view token : Split(text.substr(1), '/'))
    pointer.parents.push_back(Unescape(token));
  pointer.last = std::move(pointer.parents.back());
  pointer.parents.pop_back();
  return pointer;
}

// A position in a list of `size` items; `size` itself is allowed when `may_end`.
std::optional<size_t> ParseIndex(std::string_view text, size_t size, bool may_end) {
  int64_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const auto limit = static_cast<int64_t>(size) + (may_end ? 1 : 0);
  if (index < 0) index += limit;
  if (index < 0 || index >= limit) return std::nullopt;
  return static_cast<size_t>(index);
}

json* Child(json* container, const std::string& token) {
  if (container->is_object()) {
    const auto at = container->find(token);
    return at == container->end() ? nullptr : &*at;
  }
  if (!container->is_array()) return nullptr;
  const auto index = ParseIndex(token, container->size(), false);
  return index ? &(*container)[*index] : nullptr;
}

json* Container(json* document, const Pointer& pointer) {
  json* at = document;
  for (const std::string& token : pointer.parents) {
    at = Child(at, token);
    if (at == nullptr) return nullptr;
  }
  return at->is_structured() ? at : nullptr;
}

Outcome Add(json* document, std::string_view path, json value) {
  if (path.empty()) {
    *document = std::move(value);
    return true;
  }
  const std::optional<Pointer> pointer = ParsePointer(path);
  json* container = pointer ? Container(document, *pointer) : nullptr;
  if (container == nullptr) return false;
  if (container->is_object()) {
    (*container)[pointer->last] = std::move(value);
  } else if (pointer->last == "-") {
    container->push_back(std::move(value));
  } else {
    const auto index = ParseIndex(pointer->last, container->size(), true);
    if (!index) return false;
    container->insert(container->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  }
  return true;
}

Outcome Remove(json* document, std::string_view path) {
  const std::optional<Pointer> pointer = ParsePointer(path);
  json* container = pointer ? Container(document, *pointer) : nullptr;
  if (container == nullptr) return false;
  if (container->is_object()) return container->erase(pointer->last) == 1;
  const auto index = ParseIndex(pointer->last, container->size(), false);
  if (index) container->erase(*index);
  return index.has_value();
}

Outcome Replace(json* document, std::string_view path, json value) {
  if (path.empty()) {
    *document = std::move(value);
    return true;
  }
  const std::optional<Pointer> pointer = ParsePointer(path);
  json* container = pointer ? Container(document, *pointer) : nullptr;
  if (container == nullptr) return false;
  if (container->is_object()) {
    (*container)[pointer->last] = std::move(value);
    return true;
  }
  json* place = Child(container, pointer->last);
  if (place != nullptr) *place = std::move(value);
  return place != nullptr;
}

// What stands at a path; null where a member of an object is absent, nothing where its container
// is.
std::optional<json> Get(json* document, std::string_view path) {
  if (path.empty()) return *document;
  const std::optional<Pointer> pointer = ParsePointer(path);
  json* container = pointer ? Container(document, *pointer) : nullptr;
  if (container == nullptr) return std::nullopt;
  if (json* place = Child(container, pointer->last)) return *place;
  return container->is_object() ? std::optional<json>(json()) : std::nullopt;
}

Outcome Run(json* document, const json& operation) {
  const auto text = [&](const char* field) -> std::optional<std::string> {
    const auto at = operation.find(field);
    if (at == operation.end() || !at->is_string()) return std::nullopt;
    return at->get<std::string>();
  };
  const std::optional<std::string> op = text("op"), path = text("path"), from = text("from");
  if (!op || !path) return false;
  const bool has_value = operation.contains("value");
  if (*op == "add") return has_value && Add(document, *path, operation["value"]);
  if (*op == "replace") return has_value && Replace(document, *path, operation["value"]);
  if (*op == "remove") return Remove(document, *path);
  if (*op == "test") {
    const std::optional<json> found = Get(document, *path);
    return found && *found == (has_value ? operation["value"] : json());
  }
  if (*op != "move" && *op != "copy") return false;
  std::optional<json> value = from ? Get(document, *from) : std::nullopt;
  if (!value) return false;
  if (*op == "move" && !Remove(document, *from)) return false;
  return Add(document, *path, std::move(*value));
}

}  // namespace

Result<json> ApplyJsonPatch(json document, std::string_view patch) {
  BERTH_TRY(const json operations, DecodePatch(patch));
  if (!operations.is_array())
    return Fail(Reason::kBadRequest, "error decoding patch: json: cannot unmarshal " +
                                         std::string(operations.type_name()) +
                                         " into Go value of type []handlers.jsonPatchOp");
  if (operations.size() > kMaxOperations)
    return Fail(
        Error(Reason::kRequestEntityTooLarge, "The allowed maximum operations in a JSON patch is " +
                                                  std::to_string(kMaxOperations) + ", got " +
                                                  std::to_string(operations.size()))
            .set_http_code(413));
  for (const json& operation : operations) {
    if (!operation.is_object())
      return Fail(Reason::kBadRequest, "error decoding patch: json: cannot unmarshal " +
                                           std::string(operation.type_name()) +
                                           " into Go value of type handlers.jsonPatchOp");
  }
  for (const json& operation : operations) {
    if (!Run(&document, operation))
      return Fail(Error(Reason::kInvalid, kRefused).set_http_code(422));
  }
  return document;
}

}  // namespace berth::apiserver
