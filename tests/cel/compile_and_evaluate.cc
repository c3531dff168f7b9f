// SPDX-License-Identifier: Apache-2.0
#include "tests/cel/compile_and_evaluate.h"

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "cel/convert.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "cel/program.h"

namespace berth::cel {
namespace {

constexpr uint64_t kFuzzLimit = 20'000;
// maximum cost of one operation, charged afterwards
constexpr uint64_t kDearestStep = 1'000'000'000;

}  // namespace

void CompileAndEvaluate(std::string_view text) {
  static const nlohmann::json* const kDocument = new nlohmann::json(nlohmann::json::parse(
      R"({"a": [1, 2, 3], "s": "hello world", "m": {"k": 1, "j": {"z": [1]}}, "d": 1.5, "n": null,
          "b": true})"));
  static const Environment* const kEnvironment =
      new Environment(RuleEnvironment(Basic(Kind::kDyn)));
  const auto program = Compile(text, *kEnvironment);
  if (!program) {
    BERTH_CHECK(!program.error().message().empty(), "an issue without a text");
    return;
  }
  Activation activation;
  activation.Bind("self", ViewOf(*kDocument));
  Budget budget(kFuzzLimit, kFuzzLimit);
  const auto value = program->Evaluate(activation, budget);
  BERTH_CHECK(budget.spent() < kDearestStep, "the limit on cost has not ended the evaluation");
  if (value) ToText(*value);
}

}  // namespace berth::cel
