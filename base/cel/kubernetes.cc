// SPDX-License-Identifier: Apache-2.0
#include "base/cel/kubernetes.h"

#include <initializer_list>
#include <string>

namespace berth::cel {
namespace {

TypePtr TextObject(const std::string& name, std::initializer_list<const char*> names) {
  Fields fields;
  for (const char* field : names) fields[field] = {field, Basic(Kind::kString)};
  return ObjectOf(name, std::move(fields));
}

}  // namespace

TypePtr RequestType() {
  const TypePtr& text = Basic(Kind::kString);
  const TypePtr kind = TextObject("kubernetes.GroupVersionKind", {"group", "version", "kind"});
  const TypePtr resource =
      TextObject("kubernetes.GroupVersionResource", {"group", "version", "resource"});
  const TypePtr user =
      ObjectOf("kubernetes.UserInfo", {{"username", {"username", text}},
                                       {"uid", {"uid", text}},
                                       {"groups", {"groups", ListOf(text)}},
                                       {"extra", {"extra", MapOf(text, ListOf(text))}}});
  return ObjectOf("kubernetes.AdmissionRequest",
                  {{"kind", {"kind", kind}},
                   {"resource", {"resource", resource}},
                   {"subResource", {"subResource", text}},
                   {"requestKind", {"requestKind", kind}},
                   {"requestResource", {"requestResource", resource}},
                   {"requestSubResource", {"requestSubResource", text}},
                   {"name", {"name", text}},
                   {"namespace", {"namespace", text}},
                   {"operation", {"operation", text}},
                   {"userInfo", {"userInfo", user}},
                   {"dryRun", {"dryRun", Basic(Kind::kBool)}},
                   {"options", {"options", Basic(Kind::kDyn)}}});
}

Environment RuleEnvironment(const TypePtr& self, bool is_old_optional) {
  Environment environment;
  environment.Declare("self", self);
  environment.Declare("oldSelf", is_old_optional ? OptionalOf(self) : self);
  return environment;
}

Environment PolicyEnvironment() {
  Environment environment;
  for (const char* name : {"object", "oldObject", "params", "namespaceObject"}) {
    environment.Declare(name, Basic(Kind::kDyn));
  }
  environment.Declare("request", RequestType());
  return environment;
}

}  // namespace berth::cel
