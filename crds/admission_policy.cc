// SPDX-License-Identifier: Apache-2.0
#include "crds/admission_policy.h"

#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "crds/argument_rules.h"
#include "crds/manifest.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {
namespace {

// Minimum similarity of names in percent: the share of letter pairs in common (Dice's coefficient).
constexpr std::string_view kLeastLikeness = "50";
// Letter pairs after this number are ignored, which bounds the cost of a comparison.
constexpr int kPairs = 40;

std::string Literal(std::string_view word) { return "'" + std::string(word) + "'"; }

std::string ListLiteral(const std::vector<std::string>& words) {
  std::vector<std::string> literals;
  literals.reserve(words.size());
  for (const std::string& word : words) literals.push_back(Literal(word));
  return "[" + Join(literals, ", ") + "]";
}

std::string PointsLiteral(const PluginCatalogueView& catalogue) {
  std::vector<std::string> entries;
  for (const PluginView& plugin : catalogue.plugins) {
    entries.push_back(Literal(plugin.name) + ": " + ListLiteral(plugin.points));
  }
  return "{" + Join(entries, ", ") + "}";
}

std::string NamesLiteral(const PluginCatalogueView& catalogue) {
  std::vector<std::string> names;
  for (const PluginView& plugin : catalogue.plugins) names.push_back(plugin.name);
  return ListLiteral(names);
}

// Returns a map literal from known plugins that are not served to their messages.
std::string UnservedLiteral(const PluginCatalogueView& catalogue) {
  std::vector<std::string> entries;
  for (const PluginView& plugin : catalogue.plugins) {
    if (plugin.served) continue;
    entries.push_back(Literal(plugin.name) + ": " + Literal(catalogue.WhyNotServed(plugin)));
  }
  return "{" + Join(entries, ", ") + "}";
}

std::string PointNamesLiteral() {
  std::vector<std::string> names;
  for (const api::PluginPoint& point : api::kPluginPoints) names.emplace_back(point.name);
  return ListLiteral(names);
}

std::string PositionsLiteral() {
  std::vector<std::string> positions;
  for (int i = 0; i < kPairs; ++i) positions.push_back(std::to_string(i));
  return "[" + Join(positions, ", ") + "]";
}

// Binds an intermediate value in CEL without `bind`: `let name = value in body`.
std::string Bound(std::string_view name, const std::string& value, const std::string& body) {
  return "[" + value + "].map(" + std::string(name) + ", " + body + ")[0]";
}

// Returns an expression for "; nearest: NAME", or '' if no name is similar to the value of `name`.
std::string NearestTo(const std::string& name) {
  const std::string likeness =
      "variables.names.map(known, 200 * pairs.filter(pair, "
      "known.lowerAscii().contains(pair)).size()"
      " / (word.size() + known.size() - 2 > 0 ? word.size() + known.size() - 2 : 1))";
  const std::string phrase =
      Bound("nearest", "variables.names[likeness.indexOf(likeness.max())]",
            "'; nearest: ' + nearest + (nearest in variables.unserved ? ' (" +
                std::string(kNotServed) + ")' : '')");
  return Bound(
      "word", name + ".lowerAscii()",
      Bound(
          "pairs",
          PositionsLiteral() + ".filter(i, i + 2 <= word.size()).map(i, word.substring(i, i + 2))",
          Bound("likeness", likeness,
                "likeness.max() < " + std::string(kLeastLikeness) + " ? '' : " + phrase)));
}

// Returns an expression that joins the messages of all entries of `list` ("enabled") at all points
// for which `wrong` holds. In `wrong` and `message`, `point` is the point's name and `entry` the
// entry.
std::string Joined(const std::string& list, const std::string& wrong, const std::string& message) {
  return "variables.points.filter(point, has(variables.plugins[point]." + list +
         ")).map(point, variables.plugins[point]." + list + ".filter(entry, " + wrong +
         ").map(entry, 'spec.plugins.' + point + '." + list + "[name=' + entry.name + ']: ' + " +
         message + ").join('; ')).filter(text, text != '').join('; ')";
}

// Returns an expression that is true if no entry is wrong; much cheaper than the messages.
std::string None(const std::string& list, const std::string& wrong) {
  return "variables.points.all(point, !has(variables.plugins[point]." + list +
         ") || !variables.plugins[point]." + list + ".exists(entry, " + wrong + "))";
}

api::Validation Rule(const std::string& list, const std::string& wrong, std::string fallback,
                     const std::string& message) {
  return {.expression = None(list, wrong),
          .message = std::move(fallback),
          .message_expression = Joined(list, wrong, message),
          .reason = "Invalid"};
}

constexpr char kIsUnknown[] = "!(entry.name in variables.implements)";
constexpr char kIsMisplaced[] =
    "point != 'multiPoint' && entry.name in variables.implements && !(point in "
    "variables.implements[entry.name])";
constexpr char kIsUnserved[] = "entry.name in variables.unserved";

std::vector<api::Validation> PolicyRules() {
  const std::string unknown = Literal(kUnknownPlugin) + " + " + NearestTo("entry.name");
  return {
      Rule("enabled", kIsUnknown, "spec.plugins enables an unknown plugin", unknown),
      Rule("disabled", std::string("entry.name != '*' && ") + kIsUnknown,
           "spec.plugins disables an unknown plugin", unknown),
      Rule("enabled", kIsMisplaced,
           "spec.plugins enables a plugin at a point it does not implement",
           "'does not implement ' + point + '; it implements ' + "
           "variables.implements[entry.name].join(', ')"),
      Rule("enabled", kIsUnserved,
           "spec.plugins enables a plugin that is " + std::string(kNotServed),
           "variables.unserved[entry.name]"),
      {.expression = std::string("!variables.configs.exists(entry, ") + kIsUnknown + ")",
       .message = "spec.pluginConfig names an unknown plugin",
       .message_expression = std::string("variables.configs.filter(entry, ") + kIsUnknown +
                             ").map(entry, 'spec.pluginConfig[name=' + entry.name + ']: ' + " +
                             unknown + ").join('; ')",
       .reason = "Invalid"},
  };
}

}  // namespace

api::ValidatingAdmissionPolicy PluginPolicy(const PluginCatalogueView& catalogue) {
  const api::ResourceInfo& resource = SchedulerProfile::kResource;
  api::ValidatingAdmissionPolicy policy{.metadata = InstalledMeta(kPluginPolicyName, "admission")};
  policy.spec.failure_policy = "Fail";
  policy.spec.match_constraints =
      api::MatchResources{.resource_rules = {{.api_groups = {std::string(resource.group)},
                                              .api_versions = {std::string(resource.version)},
                                              .operations = {"CREATE", "UPDATE"},
                                              .resources = {std::string(resource.plural)}}}};
  policy.spec.match_conditions = {
      {"plugins-are-known",
       "object.spec.engine.type == 'Berth' && (!has(object.spec.engine.image) || "
       "object.spec.engine.image == '')"},
      {"spec-changes", "request.operation == 'CREATE' || object.spec != oldObject.spec"},
  };
  policy.spec.variables = {
      {"implements", PointsLiteral(catalogue)},
      {"names", NamesLiteral(catalogue)},
      {"unserved", UnservedLiteral(catalogue)},
      {"plugins", "has(object.spec.plugins) ? dyn(object.spec.plugins) : dyn({})"},
      {"points", PointNamesLiteral() + ".filter(point, point in variables.plugins)"},
      {"configs", "has(object.spec.pluginConfig) ? object.spec.pluginConfig : []"},
  };
  for (api::AdmissionVariable& variable : ArgumentVariables(catalogue)) {
    policy.spec.variables.push_back(std::move(variable));
  }
  policy.spec.validations = PolicyRules();
  for (api::Validation& rule : ArgumentRules()) policy.spec.validations.push_back(std::move(rule));
  return policy;
}

api::ValidatingAdmissionPolicyBinding PluginPolicyBinding() {
  return {.metadata = InstalledMeta(kPluginPolicyName, "admission"),
          .spec = {.policy_name = std::string(kPluginPolicyName), .validation_actions = {"Deny"}}};
}

}  // namespace berth::crds
