// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json/json.h"

// A case is one YAML file: what to send, written by a person, and after a line "---" what a real
// kube-apiserver answered, written by `fidelity --record`.
namespace berth::fidelity {

using Json = nlohmann::json;

// Account is a ServiceAccount of the case's namespace with the rules of a Role there and of a
// ClusterRole (PolicyRules as in RBAC).
struct Account {
  std::vector<json::Raw> rules;
  std::vector<json::Raw> cluster_rules;

  static auto Fields() {
    return json::Object(json::Field("rules", &Account::rules),
                        json::Field("clusterRules", &Account::cluster_rules));
  }
};

// Until has a step sent again, for some seconds, until its answer is that: for what a server does
// in its own time (a CustomResourceDefinition becomes established, RBAC is noticed).
struct Until {
  int code = 0;                          // 0: any
  std::map<std::string, json::Raw> has;  // value by path (select.h)
  std::string text;                      // somewhere in the answer

  static auto Fields() {
    return json::Object(json::Field("code", &Until::code), json::Field("has", &Until::has),
                        json::Field("text", &Until::text));
  }
};

// Step is one request. Its texts may hold variables: ${ns} is the namespace of the case and the
// stem of unique names; ${step.path.to.value} a value of the answer of an earlier step of that
// name; ${token:account} a token of an account; ${filler:N} N letters.
struct Step {
  std::string name;
  std::string as = "admin";  // admin, anonymous, or one of the accounts
  std::string send;          // "POST /api/v1/namespaces/${ns}/pods?dryRun=All"
  std::string type;          // Content-Type; application/json unless given
  std::string accept;        // Accept; application/json unless given
  std::map<std::string, std::string> headers;
  json::Raw body;             // sent as JSON
  std::string text;           // sent as it is, instead of a body
  std::optional<int> events;  // a watch: so many events are collected, fewer if it ends before
  std::optional<Until> until;
  // The paths (select.h) of the body that are compared; all of it unless given. The code, the
  // warnings and the content type always are.
  std::optional<std::vector<std::string>> see;

  static auto Fields() {
    return json::Object(json::Field("name", &Step::name), json::Field("as", &Step::as),
                        json::Field("send", &Step::send), json::Field("type", &Step::type),
                        json::Field("accept", &Step::accept),
                        json::Field("headers", &Step::headers), json::Field("body", &Step::body),
                        json::Field("text", &Step::text), json::Field("events", &Step::events),
                        json::Field("until", &Step::until), json::Field("see", &Step::see));
  }
};

struct Script {
  std::string summary;
  std::map<std::string, Account> accounts;
  std::vector<Step> steps;

  static auto Fields() {
    return json::Object(json::Field("summary", &Script::summary),
                        json::Field("accounts", &Script::accounts),
                        json::Field("steps", &Script::steps));
  }
};

struct Case {
  std::string name;  // path below the folder of cases without .yaml: "create/pod-defaults"
  std::filesystem::path file;
  Script script;
  Json recorded;  // a list with one answer a step (exchange.h); null: not recorded yet
};

// ParseCase reads the text of a file. Errors name the field.
Result<Case> ParseCase(std::string_view text);

// ReadCases reads all cases below a folder whose name contains `filter`, in the order of names.
// Errors name the file.
Result<std::vector<Case>> ReadCases(const std::filesystem::path& folder, const std::string& filter);

// WithRecording gives the text of a file of a case with other recorded answers; what a person wrote
// stays byte for byte.
std::string WithRecording(std::string_view text, const Json& answers);

}  // namespace berth::fidelity
