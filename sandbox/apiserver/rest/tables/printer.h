// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Column is one column of a table.
struct Column {
  std::string name;
  std::string type = "string";
  std::string format = {};
  std::string description = {};
  int priority = 0;  // above 0: shown by -o wide only
};

inline Column NameColumn() { return {"Name", "string", "name"}; }
inline Column AgeColumn() { return {"Age"}; }
inline Column TextColumn(const char* name, int priority = 0) {
  return {name, "string", "", "", priority};
}
inline Column TypedColumn(const char* name, const char* type) { return {name, type}; }

using Cells = std::vector<nlohmann::json>;  // of one object

// Printer renders objects of a kind as table rows. Cells are JSON scalars, one per column. Source:
// pkg/printers/internalversion/printers.go.
struct Printer {
  std::vector<Column> columns;
  Cells (*cells)(const nlohmann::json& object, Time now) = nullptr;
};

// Returns the printer of a built-in kind; the default prints name and creation time.
const Printer& PrinterOf(const KindInfo& kind);

// Return columns and cells for every kind; custom kinds use their JSON paths.
std::vector<Column> ColumnsOf(const KindInfo& kind);
Cells CellsOf(const KindInfo& kind, const nlohmann::json& object, Time now);

// The printers by "group/Kind"; null for an unknown kind.
const Printer* CorePrinter(const std::string& key);
const Printer* WorkloadPrinter(const std::string& key);
const Printer* PolicyPrinter(const std::string& key);

// Formats an age like kubectl: "5s", "3m20s", "2d3h". Source: apimachinery util/duration.
std::string HumanDuration(std::chrono::nanoseconds length);
// Returns the time elapsed since the time at a path; "<unknown>" if it is absent.
std::string AgeAt(const nlohmann::json& object, std::string_view path, Time now);

// Helpers of the printers.
std::string NameCell(const nlohmann::json& object);
std::string AgeCell(const nlohmann::json& object, Time now);
std::string JoinTexts(const std::vector<std::string>& parts, std::string_view separator = ",");
std::string ContainerNames(const nlohmann::json* containers);
std::string ContainerImages(const nlohmann::json* containers);
std::string SelectorText(const nlohmann::json* selector);  // of a LabelSelector
std::string MapText(const nlohmann::json* map);            // "a=b,c=d"; "<none>" when empty

}  // namespace berth::apiserver
