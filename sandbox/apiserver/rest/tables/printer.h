// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Column is one of a table.
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

// Printer says how objects of a kind look in a table. Cells are JSON scalars, one per column.
// Source: pkg/printers/internalversion/printers.go.
struct Printer {
  std::vector<Column> columns;
  Cells (*cells)(const nlohmann::json& object, Time now) = nullptr;
};

// PrinterOf gives that of a built-in kind; other kinds are shown by name and time of creation.
const Printer& PrinterOf(const KindInfo& kind);

// ColumnsOf and CellsOf serve every kind, custom ones by their JSON paths.
std::vector<Column> ColumnsOf(const KindInfo& kind);
Cells CellsOf(const KindInfo& kind, const nlohmann::json& object, Time now);

// The tables of printers, by "group/Kind"; null for a kind they do not know.
const Printer* CorePrinter(const std::string& key);
const Printer* WorkloadPrinter(const std::string& key);
const Printer* PolicyPrinter(const std::string& key);

// HumanDuration is an age as kubectl shows it: "5s", "3m20s", "2d3h". Source: apimachinery
// util/duration.
std::string HumanDuration(std::chrono::nanoseconds length);
// AgeAt is how long ago the time at a path was; "<unknown>" without one.
std::string AgeAt(const nlohmann::json& object, std::string_view path, Time now);

// Pieces that several printers share.
std::string NameCell(const nlohmann::json& object);
std::string AgeCell(const nlohmann::json& object, Time now);
std::string JoinTexts(const std::vector<std::string>& parts, std::string_view separator = ",");
std::string ContainerNames(const nlohmann::json* containers);
std::string ContainerImages(const nlohmann::json* containers);
std::string SelectorText(const nlohmann::json* selector);  // of a LabelSelector
std::string MapText(const nlohmann::json* map);            // "a=b,c=d"; "<none>" when empty

}  // namespace berth::apiserver
