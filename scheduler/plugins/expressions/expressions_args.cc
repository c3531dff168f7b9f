// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "scheduler/plugins/expressions/expressions.h"

namespace berth::scheduler {
namespace {

constexpr std::array<std::string_view, 4> kNormalizers = {"None", "Linear", "Reversed", "MinMax"};

void CheckExpression(const std::string& path, const std::string& text, Expression::ResultType gives,
                     std::vector<api::FieldError>& out) {
  const auto compiled = Expression::Create(text, gives);
  // The message quotes the wrong line, so the value is not repeated.
  if (!compiled) out.push_back(api::FieldError::InvalidJson(path, "", compiled.error().message()));
}

}  // namespace

std::vector<api::FieldError> ExpressionsArgs::Validate() const {
  std::vector<api::FieldError> errors;
  for (size_t i = 0; i < filters.size(); ++i) {
    const std::string path = api::Index("filters", i);
    CheckExpression(api::Child(path, "expression"), filters[i].expression,
                    Expression::ResultType::kBool, errors);
    const std::string& message = filters[i].message;
    if (const auto parsed = ExpressionMessage::Create(message); !parsed) {
      errors.push_back(
          api::FieldError::Invalid(api::Child(path, "message"), message, parsed.error().message()));
    }
  }
  for (size_t i = 0; i < scores.size(); ++i) {
    const std::string path = api::Index("scores", i);
    CheckExpression(api::Child(path, "expression"), scores[i].expression,
                    Expression::ResultType::kNumber, errors);
    if (scores[i].weight < 1 || scores[i].weight > 1000) {
      errors.push_back(api::FieldError::Invalid(api::Child(path, "weight"), scores[i].weight,
                                                "not in valid range [1-1000]"));
    }
  }
  if (std::ranges::find(kNormalizers, normalizer) == kNormalizers.end()) {
    errors.push_back(api::FieldError::NotSupported("normalizer", normalizer, kNormalizers));
  }
  return errors;
}

}  // namespace berth::scheduler
