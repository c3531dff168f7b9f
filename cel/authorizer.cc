// SPDX-License-Identifier: Apache-2.0
#include "cel/authorizer.h"

#include <memory>
#include <utility>

namespace berth::cel {
namespace {

constexpr uint64_t kCheckCost = 350'000;

// The types of the chain: authorizer, group, resource, decision.
enum class Link : uint8_t { kAuthorizer, kGroup, kResource, kDecision };

const TypePtr& TypeOfLink(Link link) {
  static const TypePtr* const kTypes =
      new TypePtr[]{OpaqueOf("kubernetes.authorization.Authorizer"),
                    OpaqueOf("kubernetes.authorization.GroupCheck"),
                    OpaqueOf("kubernetes.authorization.ResourceCheck"),
                    OpaqueOf("kubernetes.authorization.Decision")};
  return kTypes[static_cast<size_t>(link)];
}

// AccessQuestion is a link of the chain, with the check as far as it is known.
class AccessQuestion final : public Opaque {
 public:
  AccessQuestion(Link link, std::shared_ptr<const AccessDecider> decide, AccessCheck check)
      : link_(link), decide_(std::move(decide)), check_(std::move(check)) {}

  const TypePtr& type() const override { return TypeOfLink(link_); }
  bool Equals(const Opaque& other) const override { return this == &other; }
  std::string ToString() const override { return type()->name(); }

  // Returns the next link, with one more member of the check.
  Value With(Link link, std::string AccessCheck::*member, const Value& value) const {
    AccessCheck check = check_;
    check.*member = value.AsString();
    return Value::Of(std::shared_ptr<const Opaque>(
        std::make_shared<AccessQuestion>(link, decide_, std::move(check))));
  }

  bool IsAllowed() const { return (*decide_)(check_); }

 private:
  Link link_;
  std::shared_ptr<const AccessDecider> decide_;
  AccessCheck check_;
};

const AccessQuestion& QuestionOf(const Value& value) {
  return static_cast<const AccessQuestion&>(value.AsOpaque());
}

template <Link kLink, std::string AccessCheck::*kMember>
Value Extend(Arguments a) {
  return QuestionOf(a[0]).With(kLink, kMember, a[1]);
}

Value Allowed(Arguments a) { return Value::Bool(QuestionOf(a[0]).IsAllowed()); }

uint64_t CheckCost(Arguments /*arguments*/, const Value& /*result*/) { return kCheckCost; }

constexpr FunctionRow kRows[] = {
    {"(kubernetes.authorization.Authorizer).group(string) -> kubernetes.authorization.GroupCheck",
     Extend<Link::kGroup, &AccessCheck::group>},
    {"(kubernetes.authorization.GroupCheck).resource(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Extend<Link::kResource, &AccessCheck::resource>},
    {"(kubernetes.authorization.ResourceCheck).namespace(string) -> "
     "kubernetes.authorization.ResourceCheck",
     Extend<Link::kResource, &AccessCheck::namespace_>},
    {"(kubernetes.authorization.ResourceCheck).check(string) -> kubernetes.authorization.Decision",
     Extend<Link::kDecision, &AccessCheck::verb>, CheckCost},
    {"(kubernetes.authorization.Decision).allowed() -> bool", Allowed},
};

}  // namespace

Value AuthorizerOf(AccessDecider decide) {
  return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<AccessQuestion>(
      Link::kAuthorizer, std::make_shared<const AccessDecider>(std::move(decide)), AccessCheck{})));
}

const TypePtr& AuthorizerType() { return TypeOfLink(Link::kAuthorizer); }

const FunctionTable& AuthorizerFunctions() {
  static const TypePtr kTypes[] = {TypeOfLink(Link::kAuthorizer), TypeOfLink(Link::kGroup),
                                   TypeOfLink(Link::kResource), TypeOfLink(Link::kDecision)};
  static const auto* const kTable = new FunctionTable(kRows, kTypes);
  return *kTable;
}

}  // namespace berth::cel
