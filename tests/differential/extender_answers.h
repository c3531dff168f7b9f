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

// What an extender of a scenario says. README.md explains the format.
namespace berth::differential {

using Json = nlohmann::json;

// ExtenderAnswer is what it says to the questions of one verb; empty, it is content with all.
struct ExtenderAnswer {
  // Of any verb. An answer that is not given, and one that is not made of the question.
  bool never = false;
  std::optional<int32_t> code;
  std::optional<std::string> text;
  std::string error;  // of filter and bind: the field Error

  // Of filter. Nodes that are refused, with the reason; that are left out without a word; that it
  // names though nobody asked about them.
  std::map<std::string, std::string> failed, unresolvable;
  std::vector<std::string> silent, adds;

  // Of prioritize: by node. One without a score is not named.
  std::map<std::string, int64_t> scores;

  // Of preempt, by node: which are not to be considered, whose victims are spared, and who has to
  // go whoever was proposed. Pods are named as in the scenario.
  std::vector<std::string> drops;
  std::map<std::string, std::vector<std::string>> spares, victims;

  // Of bind: whether it makes the binding; it does unless it has an error or a code to tell.
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

// ExtenderAnswers are those of one extender, by verb: filter, prioritize, preempt, bind.
using ExtenderAnswers = std::map<std::string, ExtenderAnswer>;

// ReadAnswers reads them. Errors (kConfig) name a verb that there is not, and a field of another
// verb.
Result<ExtenderAnswers> ReadAnswers(const Json& written);

// ExtenderReply is what goes back.
struct ExtenderReply {
  int code = 200;
  std::string body;
};

// ReplyTo says what the answer is to a question of that verb. `uids` are those of pods, by the names
// they have in the scenario.
ExtenderReply ReplyTo(const std::string& verb, const ExtenderAnswer& answer, const Json& question,
                      const std::map<std::string, std::string>& uids);

}  // namespace berth::differential
