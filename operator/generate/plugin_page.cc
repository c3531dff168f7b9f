// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/plugin_page.h"

#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::operator_ {
namespace {

using controllers::ArgumentReference;
using controllers::EventReference;
using controllers::PermissionReference;
using controllers::PluginReference;

constexpr std::string_view kIntroduction = R"(# Plugins

Written by `make generate` from the plugins' own descriptions in the code; edit those. `berth plugins NAME` prints the same of one plugin, `berth plugins -o json` all of it for programs.

A profile runs the plugins of the default profile unless it says otherwise in `spec.plugins`; `berth enable`, `berth disable` and `berth weight` change that. Arguments stand in `spec.pluginConfig`. The
examples are parts of a profile's `spec`; the tests run each of them.

)";

// Table cells hold no line ends and no bars.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string Code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string Codes(const std::vector<std::string>& texts) {
  std::vector<std::string> codes;
  for (const std::string& text : texts) codes.push_back(Code(text));
  return Join(codes, ", ");
}

std::string Anchor(const PluginReference& plugin) {
  return fmt::format("[{}](#{})", plugin.name, ToLower(plugin.name));
}

std::string InDefault(const PluginReference& plugin) {
  if (!plugin.in_default_profile) return "";
  return plugin.default_weight == 0 ? "yes" : fmt::format("weight {}", plugin.default_weight);
}

std::string Overview(const std::vector<PluginReference>& plugins) {
  std::string text = "| plugin | of | in the default profile | points | |\n|---|---|---|---|---|\n";
  for (const PluginReference& plugin : plugins) {
    if (!plugin.served) continue;
    text += fmt::format("| {} | {} | {} | {} | {} |\n", Anchor(plugin), plugin.origin,
                        InDefault(plugin), Join(plugin.points, ", "), Cell(plugin.summary));
  }
  return text;
}

std::string NotServed(const std::vector<PluginReference>& plugins) {
  std::vector<std::string> names;
  for (const PluginReference& plugin : plugins) {
    if (!plugin.served) names.push_back(plugin.name);
  }
  if (names.empty()) return "";
  return "\nKnown by name and not served by this version: " + Join(names, ", ") + ".\n";
}

std::string Allowed(const ArgumentReference& argument) {
  std::vector<std::string> parts;
  if (argument.required) parts.emplace_back("required");
  if (!argument.one_of.empty()) parts.push_back(Codes(argument.one_of));
  if (argument.minimum) parts.push_back(fmt::format("at least {}", *argument.minimum));
  if (argument.maximum) parts.push_back(fmt::format("at most {}", *argument.maximum));
  return Join(parts, "; ");
}

void AddArguments(const std::vector<ArgumentReference>& arguments, const std::string& parent,
                  std::string& text) {
  for (const ArgumentReference& argument : arguments) {
    const std::string path = parent + argument.name;
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", path, argument.type,
                    Code(argument.default_.text), Allowed(argument), Cell(argument.description));
    const bool is_list = argument.type.starts_with("list");
    AddArguments(argument.fields, path + (is_list ? "[]." : "."), text);
  }
}

std::string Arguments(const std::vector<ArgumentReference>& arguments, std::string_view title) {
  if (arguments.empty()) return "";
  std::string text =
      fmt::format("\n| {} | type | default | allowed | |\n|---|---|---|---|---|\n", title);
  AddArguments(arguments, "", text);
  return text;
}

// What `-o json` prints is described like the arguments of a plugin.
std::string ForPrograms() {
  return "\n## For programs\n\nWhat `berth plugins -o json` and `-o yaml` print; with a NAME, one "
         "of "
         "`plugins`. The names of the fields stay as they are, others may come.\n" +
         Arguments(controllers::ArgumentsOf(json::TypeOf<controllers::PluginReferences>()),
                   "field");
}

std::string Events(const PluginReference& plugin) {
  if (plugin.events.empty()) return "";
  std::string text = "\nEvents that may help a pod that it refused:\n\n";
  for (const EventReference& event : plugin.events) {
    text += fmt::format("- {} ({}): {}\n", event.resource, Join(event.changes, ", "), event.why);
  }
  return text;
}

std::string Permissions(const PluginReference& plugin) {
  if (plugin.permissions.empty()) return "";
  std::string text = "\nWhat its scheduler may do for it:\n\n";
  for (const PermissionReference& rule : plugin.permissions) {
    text += fmt::format("- `{}`: {} {}{}{}\n", rule.cluster_role, Join(rule.verbs, ", "),
                        rule.resource, rule.group.empty() ? "" : ".", rule.group);
  }
  return text;
}

std::string Section(const PluginReference& plugin) {
  std::string text = fmt::format("\n## {}\n\n{}\n\nPoints: {}.", plugin.name, plugin.summary,
                                 Join(plugin.points, ", "));
  if (!plugin.in_default_profile) text += " Not in the default profile.";
  if (plugin.default_weight != 0) text += fmt::format(" Weight: {}.", plugin.default_weight);
  text += "\n" + Arguments(plugin.arguments, "argument") + Events(plugin) + Permissions(plugin);
  text += "\n```yaml\n" + plugin.example + "\n```\n";
  if (!plugin.manual.empty()) text += "\n```text\n" + plugin.manual + "```\n";
  return text;
}

}  // namespace

std::string PluginPage(const controllers::PluginReferences& references) {
  std::string text(kIntroduction);
  text += Overview(references.plugins) + NotServed(references.plugins);
  for (const PluginReference& plugin : references.plugins) {
    if (plugin.served) text += Section(plugin);
  }
  return text + ForPrograms();
}

}  // namespace berth::operator_
