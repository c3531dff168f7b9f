// SPDX-License-Identifier: Apache-2.0
#include "cel/kubernetes.h"

#include <initializer_list>
#include <string>

#include "cel/authorizer.h"

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

TypePtr NamespaceType() {
  const TypePtr& text = Basic(Kind::kString);
  const TypePtr& number = Basic(Kind::kInt);
  const TypePtr& time = Basic(Kind::kTimestamp);
  const TypePtr texts = ListOf(text);
  const TypePtr condition = ObjectOf("kubernetes.NamespaceCondition",
                                     {{"status", {"status", text}},
                                      {"type", {"type", text}},
                                      {"lastTransitionTime", {"lastTransitionTime", time}},
                                      {"message", {"message", text}},
                                      {"reason", {"reason", text}}});
  const TypePtr metadata =
      ObjectOf("kubernetes.NamespaceMetadata",
               {{"name", {"name", text}},
                {"generateName", {"generateName", text}},
                {"namespace", {"namespace", text}},
                {"labels", {"labels", MapOf(text, text)}},
                {"annotations", {"annotations", MapOf(text, text)}},
                {"UID", {"uid", text}},
                {"creationTimestamp", {"creationTimestamp", time}},
                {"deletionGracePeriodSeconds", {"deletionGracePeriodSeconds", number}},
                {"deletionTimestamp", {"deletionTimestamp", time}},
                {"generation", {"generation", number}},
                {"resourceVersion", {"resourceVersion", text}},
                {"finalizers", {"finalizers", texts}}});
  return ObjectOf(
      "kubernetes.Namespace",
      {{"metadata", {"metadata", metadata}},
       {"spec",
        {"spec", ObjectOf("kubernetes.NamespaceSpec", {{"finalizers", {"finalizers", texts}}})}},
       {"status",
        {"status",
         ObjectOf("kubernetes.NamespaceStatus", {{"conditions", {"conditions", ListOf(condition)}},
                                                 {"phase", {"phase", text}}})}}});
}

Environment RuleEnvironment(const TypePtr& self, bool is_old_optional) {
  Environment environment;
  environment.Declare("self", self);
  environment.Declare("oldSelf", is_old_optional ? OptionalOf(self) : self);
  return environment;
}

Environment PolicyEnvironment() {
  Environment environment = PolicyMessageEnvironment();
  environment.Declare("authorizer", AuthorizerType());
  environment.Use(AuthorizerFunctions());
  return environment;
}

Environment PolicyMessageEnvironment() {
  Environment environment;
  for (const char* name : {"object", "oldObject"}) {
    environment.Declare(name, Basic(Kind::kDyn));
  }
  environment.Declare("request", RequestType());
  environment.Declare("namespaceObject", NamespaceType());
  return environment;
}

}  // namespace berth::cel
