// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/policy_expressions.h"

#include <set>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cel/kubernetes.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Compiles the expression of a field; adds an error for the field if that fails.
std::optional<cel::Program> CompileAt(const Field& field, const std::string& text,
                                      const cel::Environment& environment, cel::Kind wanted) {
  auto program = cel::Compile(text, environment);
  if (!program) {
    field.Invalid(Quoted(text), "compilation failed: " + program.error().message());
    return std::nullopt;
  }
  if (program->type()->kind() == wanted) return std::move(*program);
  field.Invalid(Quoted(text), "must evaluate to " + cel::ToString(*cel::Basic(wanted)) +
                                  " but got " + cel::ToString(*program->type()));
  return std::nullopt;
}

void CompileConditions(const Field& spec, const cel::Environment& environment,
                       PolicyExpressions& expressions) {
  std::set<std::string> names;
  for (const Field& condition : spec["matchConditions"].Items()) {
    const Field name = condition["name"];
    const std::string text(TrimSpace(condition["expression"].Text()));
    if (text.empty()) {
      condition["expression"].Required();
    } else if (auto program =
                   CompileAt(condition["expression"], text, environment, cel::Kind::kBool)) {
      expressions.conditions.push_back({name.Text(), std::move(*program)});
    }
    if (!name.Require()) continue;
    name.Named(CheckQualifiedName);
    if (!names.insert(name.Text()).second) name.Duplicate();
  }
}

// Each variable may use the earlier ones: the environment grows.
void CompileVariables(const Field& spec, cel::Environment& environment,
                      cel::Environment& for_messages, PolicyExpressions& expressions) {
  for (const Field& variable : spec["variables"].Items()) {
    const std::string name = variable["name"].Text(), text = variable["expression"].Text();
    if (TrimSpace(name).empty()) variable["name"].Required("name is not specified");
    if (TrimSpace(text).empty()) {
      variable["expression"].Required("expression is not specified");
      continue;
    }
    if (const auto added = expressions.variables.Add(name, text, environment); !added)
      variable["expression"].Invalid("compilation failed: " + added.error().message());
  }
  if (const cel::TypePtr type = environment.Find("variables"))
    for_messages.Declare("variables", type);
}

std::optional<cel::Program> CompileExpression(const Field& expression,
                                              const cel::Environment& environment) {
  const std::string text = expression.Text();
  if (!TrimSpace(text).empty()) return CompileAt(expression, text, environment, cel::Kind::kBool);
  expression.Required("expression is not specified");
  return std::nullopt;
}

std::optional<cel::Program> CompileMessage(const Field& expression,
                                           const cel::Environment& environment) {
  const std::string text = expression.Text();
  if (text.empty()) return std::nullopt;
  if (!TrimSpace(text).empty()) return CompileAt(expression, text, environment, cel::Kind::kString);
  expression.Invalid("must be non-empty if specified");
  return std::nullopt;
}

void CheckTexts(const Field& validation) {
  const Field message = validation["message"];
  const std::string text = message.Text();
  const std::string_view trimmed = TrimSpace(text);
  if (!text.empty() && trimmed.empty())
    message.Invalid("must be non-empty if specified");
  else if (trimmed.find_first_of("\r\n") != trimmed.npos)
    message.Invalid("must not contain line breaks");
  if (validation["reason"].IsSet())
    validation["reason"].OneOf({"Forbidden", "Invalid", "RequestEntityTooLarge"});
}

void CompileValidations(const Field& spec, const cel::Environment& environment,
                        const cel::Environment& for_messages, PolicyExpressions& expressions) {
  for (const Field& validation : spec["validations"].Items()) {
    auto program = CompileExpression(validation["expression"], environment);
    auto message = CompileMessage(validation["messageExpression"], for_messages);
    CheckTexts(validation);
    if (!program) continue;
    const std::string reason = validation["reason"].Text();
    expressions.validations.push_back({std::move(*program), std::move(message),
                                       std::string(TrimSpace(validation["expression"].Text())),
                                       std::string(TrimSpace(validation["message"].Text())),
                                       reason.empty() ? "Invalid" : reason});
  }
}

}  // namespace

PolicyExpressions CompilePolicy(const json& document, Errors& errors) {
  const Field spec = Field(document, errors).At("spec");
  PolicyExpressions expressions;
  cel::Environment for_messages = cel::PolicyMessageEnvironment();
  cel::Environment environment = cel::PolicyEnvironment();
  CompileConditions(spec, environment, expressions);
  CompileVariables(spec, environment, for_messages, expressions);
  CompileValidations(spec, environment, for_messages, expressions);
  return expressions;
}

}  // namespace berth::apiserver
