// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "controllers/plugin_reference.h"
#include "operator/commands/args_text.h"
#include "operator/commands/command.h"
#include "operator/commands/output.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

using controllers::EventReference;
using controllers::PermissionReference;
using controllers::PluginReference;

constexpr const char* kPluginsHelp =
    "List the plugins, or show one plugin.\n\n"
    "For one plugin, the command prints its extension points, its arguments, the events that\n"
    "may requeue a pod that it rejected, the permissions that its scheduler gets, and an\n"
    "example.";

constexpr std::string_view kWide = "wide";

struct PluginsFlags {
  std::string name;
  std::string output;
};

using Row = std::vector<std::string>;

Row RowOf(const PluginReference& plugin, bool wide) {
  Row row = {plugin.name, plugin.in_default_profile ? "yes" : "no",
             plugin.default_weight ? std::to_string(plugin.default_weight) : "-",
             plugin.served ? "yes" : "no", Join(plugin.points, ",")};
  if (!wide) return row;
  std::vector<std::string> arguments;
  for (const auto& argument : plugin.arguments) arguments.push_back(argument.name);
  std::vector<std::string> roles;
  for (const PermissionReference& rule : plugin.permissions) {
    if (std::ranges::find(roles, rule.cluster_role) == roles.end()) {
      roles.push_back(rule.cluster_role);
    }
  }
  const auto list = [](const std::vector<std::string>& words) {
    return words.empty() ? "-" : Join(words, ",");
  };
  row.insert(row.end(), {plugin.origin, list(arguments), list(roles), plugin.summary});
  return row;
}

// The last column is not padded.
void PrintTable(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      line += row[i] + std::string(widths[i] + 3 - row[i].size(), ' ');
    }
    out << line << row.back() << "\n";
  }
}

void PrintList(const controllers::PluginCatalogue& catalogue, bool wide, std::ostream& out) {
  std::vector<Row> rows = {{"NAME", "DEFAULT", "WEIGHT", "SERVED", "POINTS"}};
  if (wide) rows[0].insert(rows[0].end(), {"ORIGIN", "ARGUMENTS", "ROLES", "SUMMARY"});
  for (const PluginReference& plugin : controllers::ReferencesOf(catalogue).plugins) {
    rows.push_back(RowOf(plugin, wide));
  }
  PrintTable(rows, out);
}

std::string PointsText(const PluginReference& plugin) {
  std::string text = "Points:  " + Join(plugin.points, ", ") + "\nDefault: " +
                     (plugin.in_default_profile ? "in the default profile" : "not enabled");
  if (plugin.served && plugin.default_weight) {
    text += ", weight " + std::to_string(plugin.default_weight);
  }
  return text + "\n";
}

void PrintServed(const PluginReference& plugin, std::ostream& out) {
  out << plugin.name << ": " << plugin.summary << "\n\n"
      << PointsText(plugin) << "\nArguments:\n"
      << ArgsText(plugin.arguments);
  out << "\nEvents that requeue a pod it rejected:\n";
  if (plugin.events.empty()) out << "  none\n";
  for (const EventReference& event : plugin.events) {
    out << "  " << event.resource << " (" << Join(event.changes, ", ") << "): " << event.why
        << "\n";
  }
  out << "\nPermissions:\n";
  if (plugin.permissions.empty()) out << "  none besides those of every scheduler\n";
  for (const PermissionReference& rule : plugin.permissions) {
    out << "  " << rule.cluster_role << ": " << Join(rule.verbs, ", ") << " " << rule.resource
        << (rule.group.empty() ? "" : ".") << rule.group << "\n";
  }
  out << "\nExample of a profile's spec:\n" << Indented(plugin.example) << "\n";
  if (!plugin.manual.empty()) out << "\n" << plugin.manual;
}

Result<int> ShowOne(const PluginsFlags& flags, const controllers::PluginCatalogue& catalogue,
                    Program& program) {
  const crds::PluginView* view = catalogue.view().Find(flags.name);
  if (!view) {
    return ConfigError("unknown plugin \"" + flags.name + "\"" +
                       NearestHint(catalogue.view().Nearest(flags.name),
                                   "; `" + program.name + " plugins` lists all"));
  }
  const PluginReference plugin = controllers::ReferenceOf(*view, catalogue);
  if (IsDocument(flags.output)) {
    program.out << DocumentText(plugin, flags.output);
  } else if (plugin.served) {
    PrintServed(plugin, program.out);
  } else {
    program.out << plugin.name << " is a plugin of kube-scheduler, "
                << catalogue.view().WhyNotServed(*view) << ".\n\n"
                << PointsText(plugin);
  }
  return kExitSuccess;
}

Result<int> Show(const PluginsFlags& flags, Program& program) {
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  if (!flags.name.empty()) return ShowOne(flags, catalogue, program);
  if (IsDocument(flags.output)) {
    program.out << DocumentText(controllers::ReferencesOf(catalogue), flags.output);
  } else {
    PrintList(catalogue, flags.output == kWide, program.out);
  }
  return kExitSuccess;
}

}  // namespace

Command PluginsCommand(Program& program) {
  auto flags = std::make_shared<PluginsFlags>();
  CommandLine line{.name = "plugins", .help = kPluginsHelp};
  line.flags = {{.name = "NAME", .target = &flags->name, .help = "Plugin name"},
                {.name = "-o,--output",
                 .target = &flags->output,
                 .help = "json or yaml: all data, for programs; wide: more columns",
                 .type = "FORMAT",
                 .one_of = {std::string(kJson), std::string(kYaml), std::string(kWide)}}};
  line.footer =
      "Examples:\n  " + program.name + " plugins\n  " + program.name +
      " plugins NodeResourcesFit\n  " + program.name +
      " plugins -o json | jq -r '.plugins[] | select(.points | index(\"score\")) | .name'";
  return {.line = std::move(line), .run = [flags, &program] { return Show(*flags, program); }};
}

}  // namespace berth::operator_
