// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json/type.h"

// The configured responses of a scenario's extender. README.md explains the format.
namespace berth::differential {

using Json = nlohmann::json;

// ExtenderAnswer is the response to the requests of one verb; an empty one accepts everything.
struct ExtenderAnswer {
  // For any verb: no response, or one that does not depend on the request.
  bool never = false;
  std::optional<int32_t> code;
  std::optional<std::string> text;
  std::string error;  // for filter and bind: the field Error

  // For filter: rejected nodes with reasons; nodes left out without a reason; nodes added although
  // they were not requested.
  std::map<std::string, std::string> failed, unresolvable;
  std::vector<std::string> silent, adds;

  // For prioritize: scores by node. Nodes without a score are left out.
  std::map<std::string, int64_t> scores;

  // For preempt, by node: nodes to drop, victims to spare, and victims to set regardless of the
  // proposal. Pods have their scenario names.
  std::vector<std::string> drops;
  std::map<std::string, std::vector<std::string>> spares, victims;

  // For bind: whether the extender creates the binding; by default it does unless it has an error
  // or a code.
  std::optional<bool> binds;

  static auto Fields() {
    using A = ExtenderAnswer;
    return json::Object(json::Field("never", &A::never), json::Field("code", &A::code),
                        json::Field("text", &A::text), json::Field("error", &A::error),
                        json::Field("failed", &A::failed),
                        json::Field("unresolvable", &A::unresolvable),
                        json::Field("silent", &A::silent), json::Field("adds", &A::adds),
                        json::Field("scores", &A::scores), json::Field("drops", &A::drops),
                        json::Field("spares", &A::spares), json::Field("victims", &A::victims),
                        json::Field("binds", &A::binds));
  }

  bool Binds() const { return binds.value_or(error.empty() && !code); }
};

// ExtenderAnswers are the responses of one extender, by verb: filter, prioritize, preempt, bind.
using ExtenderAnswers = std::map<std::string, ExtenderAnswer>;

// Reads the responses. Errors (kConfig) name an unknown verb, or a field of another verb.
Result<ExtenderAnswers> ReadAnswers(const Json& written);

// ExtenderReply is the HTTP response.
struct ExtenderReply {
  int code = 200;
  std::string body;
};

// Returns the response to a request of that verb. `uids` has the UIDs of pods by their scenario
// names.
ExtenderReply ReplyTo(const std::string& verb, const ExtenderAnswer& answer, const Json& question,
                      const std::map<std::string, std::string>& uids);

}  // namespace berth::differential
