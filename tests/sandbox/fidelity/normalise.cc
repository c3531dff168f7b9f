// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/normalise.h"

#include <algorithm>
#include <chrono>
#include <regex>
#include <string_view>
#include <utility>

#include "base/time.h"

namespace berth::fidelity {
namespace {

constexpr size_t kSuffix = 5;  // letters that generateName adds

std::string Numbered(const char* what, std::map<std::string, size_t>& seen,
                     const std::string& value) {
  const size_t number = seen.try_emplace(value, seen.size() + 1).first->second;
  return "<" + std::string(what) + " " + std::to_string(number) + ">";
}

void ReplaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

// Reports whether a text is a time of this run; times in a case are far away.
bool IsNear(const std::string& text) {
  static const std::regex form(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)");
  if (!std::regex_match(text, form)) return false;
  const auto time = Time::Parse(text);
  const auto now = std::chrono::system_clock::now();
  return time && std::chrono::abs(time->point() - now) < std::chrono::hours(48);
}

bool IsVersion(const std::string& key, const std::string& text) {
  if (key != "resourceVersion" && !key.ends_with(".resourceVersion")) return false;
  return text != "0" && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string WithoutVersions(const std::string& text) {
  static const std::regex in_record(R"((ResourceVersion in (precondition|record) \()\d+(\)))");
  static const std::regex too_old(R"((resource version: \d+ \()\d+(\)))");
  static const std::regex too_large(R"((Too large resource version: \d+, current: )\d+)");
  std::string replaced = std::regex_replace(text, in_record, "$1<version>$3");
  replaced = std::regex_replace(replaced, too_old, "$1<version>$2");
  return std::regex_replace(replaced, too_large, "$1<version>");
}

// Removes the whole object from an error about a patch that does not decode; its text depends on
// Go's order of fields.
std::string WithoutObject(std::string text) {
  static constexpr std::string_view kBegin = "Invalid value: \"";
  static constexpr std::string_view kObject = R"({\"apiVersion\":)";
  const size_t begin = text.find(std::string(kBegin) + std::string(kObject));
  const size_t end = text.rfind("}\": ");
  if (begin == std::string::npos || end == std::string::npos) return text;
  const size_t from = begin + kBegin.size();
  return text.replace(from, end + 1 - from, "<object>");
}

void HideAges(Json& table) {
  static const std::regex age(R"(\d+[smh](\d+s)?)");
  for (Json& row : table["rows"]) {
    if (!row.contains("cells")) continue;
    for (Json& cell : row["cells"]) {
      if (cell.is_string() && std::regex_match(cell.get<std::string>(), age)) cell = "<age>";
    }
  }
}

bool IsBookmark(const Json& value) {
  return value.contains("type") && value["type"] == "BOOKMARK" && value.contains("object");
}

// Sorts entries independently of whether a second passed between two writes.
void SortManagers(Json& entries) {
  if (!entries.is_array()) return;
  const auto key = [](const Json& entry) {
    return entry.value("operation", "") + "/" + entry.value("manager", "") + "/" +
           entry.value("subresource", "");
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Json& a, const Json& b) { return key(a) < key(b); });
}

void HideVersion(Json& object) {
  if (!object.contains("metadata")) return;
  Json& metadata = object["metadata"];
  if (metadata.contains("resourceVersion")) metadata["resourceVersion"] = "<version>";
  if (metadata.contains("continue")) metadata["continue"] = "<continue>";
}

}  // namespace

Json Normaliser::Whole(Json body) {
  VisitWhole(body);
  return body;
}

void Normaliser::VisitWhole(Json& value) {
  if (!value.is_structured()) return;
  if (value.is_object()) {
    if (value.contains("items") || value.contains("rows")) HideVersion(value);
    if (value.contains("rows") && value["rows"].is_array()) HideAges(value);
    if (IsBookmark(value)) HideVersion(value["object"]);
    if (value.contains("managedFields")) SortManagers(value["managedFields"]);
    if (value.contains("fieldsV1")) value["fieldsV1"] = value["fieldsV1"].dump();
    const auto stem = value.find("generateName");
    if (stem != value.end() && stem->is_string() && value.value("name", "").size() > kSuffix) {
      generated_.emplace_back(value["name"], stem->get<std::string>() + "<suffix>");
    }
  }
  for (Json& inner : value) VisitWhole(inner);
}

Json Normaliser::Values(Json seen) {
  VisitValues(seen, "");
  return seen;
}

void Normaliser::VisitValues(Json& value, const std::string& key) {
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    value = IsVersion(key, text) ? Numbered("version", versions_, text) : Text(text);
  } else if (value.is_object()) {
    for (auto& [name, inner] : value.items()) VisitValues(inner, name);
  } else if (value.is_array()) {
    for (Json& inner : value) VisitValues(inner, key);
  }
}

std::string Normaliser::Text(std::string text) {
  static const std::regex token(R"(eyJ[\w-]+\.[\w-]+\.[\w-]+)");
  static const std::regex volume("kube-api-access-[a-z0-9]{5}");
  static const std::regex uid("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  if (IsNear(text)) return "<time>";
  if (std::regex_match(text, token)) return "<token>";
  for (const auto& [name, placeholder] : generated_) ReplaceAll(text, name, placeholder);
  ReplaceAll(text, ns_, "<ns>");
  text = std::regex_replace(text, volume, "kube-api-access-<suffix>");
  for (std::smatch found; std::regex_search(text, found, uid);) {
    const std::string value = found.str();
    ReplaceAll(text, value, Numbered("uid", uids_, value));
  }
  return WithoutVersions(WithoutObject(std::move(text)));
}

}  // namespace berth::fidelity
