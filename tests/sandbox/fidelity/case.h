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

// A case is one YAML file: hand-written requests and, after a line "---", the responses of a real
// kube-apiserver, recorded by `fidelity --record`.
namespace berth::fidelity {

using Json = nlohmann::json;

// Account is a ServiceAccount in the case's namespace with the rules of a Role there and of a
// ClusterRole (PolicyRules as in RBAC).
struct Account {
  std::vector<json::Raw> rules;
  std::vector<json::Raw> cluster_rules;

  static auto Fields() {
    return json::Object(json::Field("rules", &Account::rules),
                        json::Field("clusterRules", &Account::cluster_rules));
  }
};

// Until repeats a step for some seconds until the response matches: for asynchronous work of a
// server (a CustomResourceDefinition becomes established, RBAC changes take effect).
struct Until {
  int code = 0;                          // 0: any
  std::map<std::string, json::Raw> has;  // value by path (select.h)
  std::string text;                      // contained in the response

  static auto Fields() {
    return json::Object(json::Field("code", &Until::code), json::Field("has", &Until::has),
                        json::Field("text", &Until::text));
  }
};

// Step is one request. Its texts may contain variables: ${ns} is the namespace of the case and the
// stem of unique names; ${step.path.to.value} a value of the response to an earlier step of that
// name; ${token:account} a token of an account; ${filler:N} N letters.
struct Step {
  std::string name;
  std::string as = "admin";  // admin, anonymous, or one of the accounts
  std::string send;          // "POST /api/v1/namespaces/${ns}/pods?dryRun=All"
  std::string type;          // Content-Type; application/json unless given
  std::string accept;        // Accept; application/json unless given
  std::map<std::string, std::string> headers;
  json::Raw body;             // sent as JSON
  std::string text;           // sent unchanged, instead of a body
  std::optional<int> events;  // a watch: collect this many events, fewer if it ends before
  std::optional<Until> until;
  // The paths (select.h) of the body to compare; absent: all of it. The code, the warnings and the
  // content type are always compared.
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
  Json recorded;  // a list with one response per step (exchange.h); null: not recorded
};

// Parses the text of a file. Errors name the field.
Result<Case> ParseCase(std::string_view text);

// Reads all cases below a folder whose name contains `filter`, in the order of names. Errors name
// the file.
Result<std::vector<Case>> ReadCases(const std::filesystem::path& folder, const std::string& filter);

// Returns the text of a case's file with new recorded responses; the hand-written part stays byte
// for byte.
std::string WithRecording(std::string_view text, const Json& answers);

}  // namespace berth::fidelity
