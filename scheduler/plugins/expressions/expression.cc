// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expression.h"

#include <algorithm>
#include <array>

#include "cel/convert.h"
#include "cel/estimate.h"
#include "cel/source.h"

namespace berth::scheduler {
namespace {

const std::string kPodVariable = "pod";
const std::string kNodeVariable = "node";
// Variables for the values of parts. A '$' cannot occur in a user's identifier.
constexpr std::string_view kOfPod = "$pod";
constexpr std::string_view kOfNode = "$node";

// The fields covered by Epoch::kNodeObject (scheduler/cache/cache.cc), and immutable fields.
constexpr std::array<std::string_view, 10> kTrackedFields = {
    "metadata.name",          "metadata.uid",         "metadata.creationTimestamp",
    "metadata.labels",        "metadata.annotations", "spec",
    "status.allocatable",     "status.capacity",      "status.nodeInfo",
    "status.declaredFeatures"};

bool IsTrackedField(std::string_view path) {
  return std::ranges::any_of(kTrackedFields, [path](std::string_view tracked) {
    return path.starts_with(tracked) &&
           (path.size() == tracked.size() || path[tracked.size()] == '.');
  });
}

std::string_view Wanted(Expression::ResultType gives) {
  return gives == Expression::ResultType::kBool ? "bool" : "int or double";
}

bool IsWanted(cel::Kind kind, Expression::ResultType gives) {
  if (gives == Expression::ResultType::kAnything || kind == cel::Kind::kDyn) return true;
  if (gives == Expression::ResultType::kBool) return kind == cel::Kind::kBool;
  return kind == cel::Kind::kInt || kind == cel::Kind::kDouble;
}

}  // namespace

void AddValue(const cel::Value& value, KeyText& key) {
  key.Add(static_cast<int>(value.kind()));
  switch (value.kind()) {
    case cel::Kind::kError:
      key.Add(value.AsError().message);
      return;
    case cel::Kind::kList:
      key.Add(value.AsList().Size());
      for (size_t i = 0; i < value.AsList().Size(); ++i) AddValue(value.AsList().At(i), key);
      return;
    case cel::Kind::kMap: {
      const std::vector<cel::Value> names = value.AsMap().Keys();
      key.AddCount(names);
      for (const cel::Value& name : names) {
        AddValue(name, key);
        AddValue(value.AsMap().Find(name).value_or(cel::Value()), key);
      }
      return;
    }
    case cel::Kind::kOptional: {
      const cel::Value* held = value.AsOptional();
      key.Add(held != nullptr);
      if (held != nullptr) AddValue(*held, key);
      return;
    }
    default:
      key.Add(cel::ToText(value));
  }
}

const cel::Environment& ExpressionEnvironment() {
  static const auto* const kEnvironment = [] {
    auto* environment = new cel::Environment;
    environment->DeclareStruct(kPodVariable, json::TypeOf<api::Pod>());
    environment->DeclareStruct(kNodeVariable, json::TypeOf<api::Node>());
    return environment;
  }();
  return *kEnvironment;
}

Result<Expression> Expression::Create(std::string_view text, ResultType gives) {
  BERTH_TRY(const cel::Program program, cel::Compile(text, ExpressionEnvironment()));
  if (!IsWanted(program.type()->kind(), gives)) {
    return Fail(cel::ToError(text, {{program.root().position,
                                     "must evaluate to " + std::string(Wanted(gives)) +
                                         ", but evaluates to " + cel::ToString(*program.type())}}));
  }
  BERTH_TRY_VOID(cel::RejectCostly(text, program, kEvaluationLimit));
  return Expression(text, program);
}

Expression::Expression(std::string_view text, const cel::Program& program)
    : text_(text),
      by_pod_(cel::Divide(program, {&kNodeVariable, 1}, kOfPod)),
      by_node_(cel::Divide(by_pod_.rest, by_pod_.names, kOfNode)),
      reads_node_(program.Names(kNodeVariable)),
      gives_fractions_(program.type()->kind() != cel::Kind::kInt),
      is_tracked_(
          std::ranges::all_of(cel::FieldsRead(program.root(), kNodeVariable), IsTrackedField)) {}

std::vector<cel::Value> Expression::ValuesOf(const api::Node& node, cel::Budget& budget) const {
  cel::StructVariable variable(json::TypeOf<api::Node>());
  variable.PointAt(&node);
  cel::Activation activation;
  activation.Bind(kNodeVariable, variable.value());
  std::vector<cel::Value> values;
  values.reserve(by_node_.parts.size());
  for (const cel::Program& part : by_node_.parts) values.push_back(part.Run(activation, budget));
  return values;
}

BoundExpression::BoundExpression(const Expression& expression, const api::Pod& pod,
                                 cel::Budget& budget)
    : expression_(&expression) {
  cel::StructVariable of_pod(json::TypeOf<api::Pod>());
  of_pod.PointAt(&pod);
  cel::Activation once;
  once.Bind(kPodVariable, of_pod.value());
  const cel::SplitExpression& by_pod = expression.by_pod_;
  for (size_t i = 0; i < by_pod.parts.size(); ++i) {
    parts_.push_back(by_pod.parts[i].Run(once, budget));
    activation_.Bind(by_pod.names[i], parts_.back());
  }
  for (const std::string& name : expression.by_node_.names) activation_.Bind(name, cel::Value());
  if (!expression.reads_node()) fixed_ = by_pod.rest.Run(activation_, budget);
}

cel::Value BoundExpression::For(std::span<const cel::Value> of_node, cel::Budget& budget) {
  if (fixed_) return *fixed_;
  for (size_t i = 0; i < of_node.size(); ++i) activation_.Rebind(parts_.size() + i, of_node[i]);
  return expression_->by_node_.rest.Run(activation_, budget);
}

cel::Value BoundExpression::For(const api::Node& node, cel::Budget& budget) {
  return fixed_ ? *fixed_ : For(expression_->ValuesOf(node, budget), budget);
}

void BoundExpression::AddTo(KeyText& key) const {
  for (const cel::Value& part : parts_) AddValue(part, key);
}

}  // namespace berth::scheduler
