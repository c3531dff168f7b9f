// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/authorizer_functions.h"

#include <memory>
#include <string>
#include <utility>

#include "cel/function.h"
#include "sandbox/apiserver/auth/tokens.h"

namespace berth::apiserver {
namespace {

using cel::Arguments;
using cel::Value;

constexpr uint64_t kCheckCost = 350'000;

// The types are steps of one question: what is known of it so far.
const cel::TypePtr& StepType(const char* name) {
  static const std::map<std::string, cel::TypePtr> kTypes = [] {
    std::map<std::string, cel::TypePtr> types;
    for (const char* step : {"Authorizer", "PathCheck", "GroupCheck", "ResourceCheck", "Decision"})
      types[step] = cel::OpaqueOf(std::string("kubernetes.authorization.") + step);
    return types;
  }();
  return kTypes.at(name);
}

class Step final : public cel::Opaque {
 public:
  struct Question {
    Authorizer* authorizer = nullptr;
    UserInfo user;
    Attributes attributes;
    Decision decision;
  };

  Step(const char* name, Question question) : name_(name), question_(std::move(question)) {}

  const cel::TypePtr& type() const override { return StepType(name_); }
  // Questions are not compared; each is itself.
  bool Equals(const cel::Opaque& other) const override { return this == &other; }
  std::string ToString() const override { return type()->name(); }
  const Question& question() const { return question_; }

 private:
  const char* name_;
  Question question_;
};

Value Make(const char* name, Step::Question question) {
  return Value::Of(
      std::shared_ptr<const cel::Opaque>(std::make_shared<Step>(name, std::move(question))));
}

const Step::Question& Get(const Value& value) {
  return static_cast<const Step&>(value.AsOpaque()).question();
}

std::string Text(const Value& value) { return std::string(value.AsString()); }

Value Path(Arguments a) {
  if (a[1].AsString().empty()) return Value::Error("path must not be empty");
  Step::Question question = Get(a[0]);
  question.attributes.is_resource = false;
  question.attributes.path = Text(a[1]);
  return Make("PathCheck", std::move(question));
}

Value Group(Arguments a) {
  Step::Question question = Get(a[0]);
  question.attributes.group = Text(a[1]);
  return Make("GroupCheck", std::move(question));
}

Value Resource(Arguments a) {
  if (a[1].AsString().empty()) return Value::Error("resource must not be empty");
  Step::Question question = Get(a[0]);
  question.attributes.resource = Text(a[1]);
  return Make("ResourceCheck", std::move(question));
}

Value ServiceAccount(Arguments a) {
  Step::Question question = Get(a[0]);
  question.user = AccountUser(a[1].AsString(), a[2].AsString(), "");
  return Make("Authorizer", std::move(question));
}

template <std::string Attributes::*kField>
Value Narrow(Arguments a) {
  Step::Question question = Get(a[0]);
  question.attributes.*kField = Text(a[1]);
  return Make("ResourceCheck", std::move(question));
}

// RBAC knows no selectors: one asks for no more than all.
Value Select(Arguments a) { return a[0]; }

Value Check(Arguments a) {
  Step::Question question = Get(a[0]);
  question.attributes.verb = Text(a[1]);
  question.decision = question.authorizer->Authorize(question.user, question.attributes);
  return Make("Decision", std::move(question));
}

Value Allowed(Arguments a) { return Value::Bool(Get(a[0]).decision.allowed); }
Value ReasonOf(Arguments a) { return Value::String(Get(a[0]).decision.reason); }
Value Errored(Arguments /*a*/) { return Value::Bool(false); }
Value ErrorOf(Arguments /*a*/) { return Value::String(""); }

uint64_t CheckCost(Arguments /*arguments*/, const Value& /*result*/) { return kCheckCost; }

constexpr cel::FunctionRow kRows[] = {
    {"(kubernetes.authorization.Authorizer).path(string) -> kubernetes.authorization.PathCheck",
     Path},
    {"(kubernetes.authorization.Authorizer).group(string) -> kubernetes.authorization.GroupCheck",
     Group},
    {"(kubernetes.authorization.Authorizer).serviceAccount(string, string) -> "
     "kubernetes.authorization.Authorizer",
     ServiceAccount},
    {"(kubernetes.authorization.GroupCheck).resource(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Resource},
    {"(kubernetes.authorization.ResourceCheck).subresource(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Narrow<&Attributes::subresource>},
    {"(kubernetes.authorization.ResourceCheck).namespace(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Narrow<&Attributes::namespace_>},
    {"(kubernetes.authorization.ResourceCheck).name(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Narrow<&Attributes::name>},
    {"(kubernetes.authorization.ResourceCheck).fieldSelector(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Select},
    {"(kubernetes.authorization.ResourceCheck).labelSelector(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Select},
    {"(kubernetes.authorization.ResourceCheck).check(string) -> "
     "kubernetes.authorization.Decision",
     Check, CheckCost, true},
    {"(kubernetes.authorization.PathCheck).check(string) -> kubernetes.authorization.Decision",
     Check, CheckCost, true},
    {"(kubernetes.authorization.Decision).allowed() -> bool", Allowed},
    {"(kubernetes.authorization.Decision).reason() -> string", ReasonOf},
    {"(kubernetes.authorization.Decision).errored() -> bool", Errored},
    {"(kubernetes.authorization.Decision).error() -> string", ErrorOf},
};

const cel::FunctionTable& Functions() {
  static const cel::TypePtr kTypes[] = {StepType("Authorizer"), StepType("PathCheck"),
                                        StepType("GroupCheck"), StepType("ResourceCheck"),
                                        StepType("Decision")};
  static const cel::FunctionTable kFunctions(kRows, kTypes);
  return kFunctions;
}

}  // namespace

void UseAuthorizerFunctions(cel::Environment& environment) { environment.Use(Functions()); }

void DeclareAuthorizer(cel::Environment& environment) {
  UseAuthorizerFunctions(environment);
  environment.Declare(kAuthorizerVariable, StepType("Authorizer"))
      .Declare(kRequestResourceVariable, StepType("ResourceCheck"));
}

Value AuthorizerValue(Authorizer& authorizer, const UserInfo& user) {
  return Make("Authorizer", {&authorizer, user, {.verb = {}, .is_resource = true}, {}});
}

Value RequestResourceValue(Authorizer& authorizer, const UserInfo& user, Attributes request) {
  return Make("ResourceCheck", {&authorizer, user, std::move(request), {}});
}

}  // namespace berth::apiserver
