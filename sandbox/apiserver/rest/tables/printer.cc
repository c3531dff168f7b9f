// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/tables/printer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/tables/json_path.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

Cells CreatedAt(const json& object, Time /*now*/) {
  return {NameCell(object), TextAt(object, "metadata/creationTimestamp")};
}

json CustomCell(const PrinterColumn& column, const json& object, Time now) {
  const std::vector<const json*> found = FindJsonPath(object, column.json_path);
  if (found.empty() || found[0]->is_null()) return nullptr;
  const json& value = *found[0];
  if (column.type == "date") {
    const auto time = value.is_string() ? Time::Parse(value.get<std::string>())
                                        : Result<Time>(Failure(Error(Reason::kConfig, "")));
    return time ? json(HumanDuration(now - *time)) : json("<invalid>");
  }
  if (column.type == "string") return value.is_string() ? value : json(DocumentText(value));
  if (column.type == "integer" && value.is_number()) return value.get<int64_t>();
  if (column.type == "number" && value.is_number()) return value.get<double>();
  if (column.type == "boolean" && value.is_boolean()) return value;
  return nullptr;
}

}  // namespace

const Printer& PrinterOf(const KindInfo& kind) {
  static const Printer kPlain = {{{"Name", "string", "name"}, {"Created At", "date"}}, CreatedAt};
  const std::string key = kind.group + "/" + kind.kind;
  for (const auto& find : {CorePrinter, WorkloadPrinter, PolicyPrinter}) {
    if (const Printer* printer = find(key)) return *printer;
  }
  return kPlain;
}

std::vector<Column> ColumnsOf(const KindInfo& kind) {
  if (!kind.custom) return PrinterOf(kind).columns;
  std::vector<Column> columns = {{"Name", "string", "name"}};
  for (const PrinterColumn& column : kind.columns) {
    columns.push_back(
        {column.name, column.type, column.format, column.description, column.priority});
  }
  return columns;
}

Cells CellsOf(const KindInfo& kind, const json& object, Time now) {
  if (!kind.custom) return PrinterOf(kind).cells(object, now);
  Cells cells = {NameCell(object)};
  for (const PrinterColumn& column : kind.columns) cells.push_back(CustomCell(column, object, now));
  return cells;
}

std::string HumanDuration(std::chrono::nanoseconds length) {
  using std::chrono::seconds;
  const int64_t total = std::chrono::duration_cast<seconds>(length).count();
  if (total < -1) return "<invalid>";
  if (total < 0) return "0s";
  const auto pair = [](int64_t big, const char* unit, int64_t small, const char* small_unit) {
    return std::to_string(big) + unit + (small == 0 ? "" : std::to_string(small) + small_unit);
  };
  if (total < 120) return std::to_string(total) + "s";
  const int64_t minutes = total / 60;
  if (minutes < 10) return pair(minutes, "m", total % 60, "s");
  if (minutes < 180) return std::to_string(minutes) + "m";
  const int64_t hours = total / 3600;
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (hours < 48) return std::to_string(hours) + "h";
  const int64_t days = hours / 24;
  if (hours < 192) return pair(days, "d", hours % 24, "h");
  if (days < 730) return std::to_string(days) + "d";
  if (days < 2920) return pair(days / 365, "y", days % 365, "d");
  return std::to_string(days / 365) + "y";
}

std::string NameCell(const json& object) { return TextAt(object, "metadata/name"); }

std::string AgeCell(const json& object, Time now) {
  return AgeAt(object, "metadata/creationTimestamp", now);
}

std::string AgeAt(const json& object, std::string_view path, Time now) {
  const auto time = Time::Parse(TextAt(object, path));
  return time && !time->IsZero() ? HumanDuration(now - *time) : "<unknown>";
}

std::string JoinTexts(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

namespace {
std::string ContainerField(const json* containers, const char* field) {
  std::vector<std::string> parts;
  if (containers != nullptr) {
    for (const json& container : *containers) parts.push_back(container.value(field, ""));
  }
  return JoinTexts(parts);
}
}  // namespace

std::string ContainerNames(const json* containers) { return ContainerField(containers, "name"); }
std::string ContainerImages(const json* containers) { return ContainerField(containers, "image"); }

std::string MapText(const json* map) {
  std::vector<std::string> parts;
  if (map != nullptr && map->is_object()) {
    for (const auto& [key, value] : map->items())
      parts.push_back(key + "=" +
                      (value.is_string() ? value.get<std::string>() : DocumentText(value)));
  }
  return parts.empty() ? "<none>" : JoinTexts(parts);
}

std::string SelectorText(const json* selector) {
  if (selector == nullptr || selector->is_null()) return "<none>";
  std::vector<std::pair<std::string, std::string>> parts;  // the key, the text
  if (const json* labels = At(*selector, "matchLabels")) {
    for (const auto& [key, value] : labels->items())
      parts.emplace_back(key, key + "=" + value.get<std::string>());
  }
  if (const json* expressions = At(*selector, "matchExpressions")) {
    for (const json& expression : *expressions) {
      const std::string key = expression.value("key", "");
      const std::string op = expression.value("operator", "");
      std::vector<std::string> values = expression.value("values", std::vector<std::string>());
      std::sort(values.begin(), values.end());
      const std::string list = " (" + JoinTexts(values) + ")";
      parts.emplace_back(key, op == "Exists"         ? key
                              : op == "DoesNotExist" ? "!" + key
                              : op == "In"           ? key + " in" + list
                                                     : key + " notin" + list);
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  for (auto& [key, text] : parts) texts.push_back(std::move(text));
  return texts.empty() ? "<none>" : JoinTexts(texts);
}

}  // namespace berth::apiserver
