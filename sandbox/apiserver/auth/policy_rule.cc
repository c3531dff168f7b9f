// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/policy_rule.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/auth/authorizer.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

bool Has(const std::vector<std::string>& list, std::string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool HasOrAll(const std::vector<std::string>& list, std::string_view value) {
  return Has(list, "*") || Has(list, value);
}

// A resource is allowed by its name or by "*", a subresource also by "*/scale".
bool AllowsResource(const std::vector<std::string>& list, std::string_view resource) {
  if (HasOrAll(list, resource)) return true;
  const size_t slash = resource.find('/');
  return slash != std::string_view::npos && Has(list, "*" + std::string(resource.substr(slash)));
}

// A path is allowed by itself, or by a prefix with "*" behind it.
bool AllowsUrl(const std::vector<std::string>& list, std::string_view path) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view url) {
    if (url == path) return true;
    // For "*" alone the prefix is empty: npos + 1 is 0.
    return url.ends_with('*') && path.starts_with(url.substr(0, url.find_last_not_of('*') + 1));
  });
}

std::vector<std::string> ListOf(const json& rule, const char* field) {
  std::vector<std::string> list;
  const auto found = rule.find(field);
  if (found == rule.end() || !found->is_array()) return list;
  for (const json& entry : *found) {
    if (entry.is_string()) list.push_back(entry.get<std::string>());
  }
  return list;
}

// Splits a rule into rules with one verb and one resource or path each.
std::vector<PolicyRule> BreakDown(const PolicyRule& rule) {
  std::vector<PolicyRule> simple;
  for (const std::string& group : rule.groups) {
    for (const std::string& resource : rule.resources) {
      for (const std::string& verb : rule.verbs) {
        if (rule.names.empty()) simple.push_back({{verb}, {group}, {resource}, {}, {}});
        for (const std::string& name : rule.names) {
          simple.push_back({{verb}, {group}, {resource}, {name}, {}});
        }
      }
    }
  }
  for (const std::string& url : rule.urls) {
    for (const std::string& verb : rule.verbs) simple.push_back({{verb}, {}, {}, {}, {url}});
  }
  return simple;
}

bool Covers(const PolicyRule& owner, const PolicyRule& one) {
  if (!HasOrAll(owner.verbs, one.verbs[0])) return false;
  if (!one.urls.empty()) return AllowsUrl(owner.urls, one.urls[0]);
  if (!HasOrAll(owner.groups, one.groups[0]) ||
      !AllowsResource(owner.resources, one.resources[0])) {
    return false;
  }
  return owner.names.empty() || (!one.names.empty() && Has(owner.names, one.names[0]));
}

}  // namespace

bool PolicyRule::Allows(const Attributes& attributes) const {
  if (!HasOrAll(verbs, attributes.verb)) return false;
  if (!attributes.is_resource) return AllowsUrl(urls, attributes.path);
  return HasOrAll(groups, attributes.group) &&
         AllowsResource(resources, attributes.FullResource()) &&
         (names.empty() || Has(names, attributes.name));
}

json PolicyRule::ToJson() const {
  json out = {{"verbs", verbs}};
  if (!groups.empty()) out["apiGroups"] = groups;
  if (!resources.empty()) out["resources"] = resources;
  if (!names.empty()) out["resourceNames"] = names;
  if (!urls.empty()) out["nonResourceURLs"] = urls;
  return out;
}

std::string PolicyRule::ToString() const {
  std::string text = "{";
  const auto add = [&text](const char* name, const std::vector<std::string>& list) {
    if (list.empty()) return;
    text += (text.size() > 1 ? ", " : "") + std::string(name) + ":" + QuotedList(list);
  };
  add("APIGroups", groups);
  add("Resources", resources);
  add("NonResourceURLs", urls);
  add("ResourceNames", names);
  add("Verbs", verbs);
  return text + "}";
}

std::vector<PolicyRule> ReadRules(const json& role) {
  std::vector<PolicyRule> rules;
  const auto found = role.find("rules");
  if (found == role.end() || !found->is_array()) return rules;
  for (const json& rule : *found) {
    if (!rule.is_object()) continue;
    rules.push_back({ListOf(rule, "verbs"), ListOf(rule, "apiGroups"), ListOf(rule, "resources"),
                     ListOf(rule, "resourceNames"), ListOf(rule, "nonResourceURLs")});
  }
  return rules;
}

std::vector<PolicyRule> Uncovered(std::span<const PolicyRule> owned,
                                  std::span<const PolicyRule> wanted) {
  std::vector<PolicyRule> missing;
  for (const PolicyRule& rule : wanted) {
    for (PolicyRule& one : BreakDown(rule)) {
      const bool covered = std::any_of(owned.begin(), owned.end(),
                                       [&](const PolicyRule& owner) { return Covers(owner, one); });
      if (!covered) missing.push_back(std::move(one));
    }
  }
  return missing;
}

std::string QuotedList(const std::vector<std::string>& list) {
  std::string text = "[";
  for (const std::string& entry : list) {
    if (text.size() > 1) text += " ";
    text += Quoted(entry);
  }
  return text + "]";
}

}  // namespace berth::apiserver
