// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/api.h"

#include <utility>

namespace berth::differential {
namespace {

std::string PathOf(const ObjectName& name) {
  return integration::ApiAccess::PathOf(name.kind, name.name, name.ns);
}

constexpr const char* kStrict = "?fieldValidation=Strict";

}  // namespace

Result<Json> Api::Send(const std::string& method, const std::string& path, const Json& body) const {
  const integration::ApiAnswer answer = access_.Send(method, path, body);
  Json content = Json::parse(answer.body, nullptr, false);
  if (answer.code >= 200 && answer.code < 300 && !content.is_discarded()) return content;
  const std::string said = content.is_object() ? content.value("message", "") : answer.body;
  constexpr size_t kLongest = 400;
  return Fail(ReasonForHttpCode(answer.code),
              method + " " + path + ": " + said.substr(0, kLongest));
}

Result<Json> Api::Do(const Operation& operation) const {
  const ObjectName& target = operation.target;
  switch (operation.verb) {
    case Operation::Verb::kCreate: {
      const std::string collection = integration::ApiAccess::PathOf(target.kind, "", target.ns);
      auto made = Send("POST", collection + kStrict, operation.body);
      if (!made || operation.status.is_null()) return made;
      return Do({Operation::Verb::kPatch, target, {{"status", operation.status}}, "status"});
    }
    case Operation::Verb::kPatch: {
      const std::string part = operation.subresource.empty() ? "" : "/" + operation.subresource;
      return Send("PATCH", PathOf(target) + part + kStrict, operation.body);
    }
    case Operation::Verb::kDelete:
      break;
  }
  return Send("DELETE", PathOf(target));
}

Result<Json> Api::Get(const ObjectName& name) const {
  auto found = Send("GET", PathOf(name));
  if (!found && found.error().Is(Reason::kNotFound)) return Json();
  return found;
}

Result<Json> Api::List(const std::string& kind, const std::string& ns,
                       const std::string& query) const {
  BERTH_TRY(Json list, Send("GET", integration::ApiAccess::PathOf(kind, "", ns) + query));
  return std::move(list["items"]);
}

Result<void> Api::Remove(const ObjectName& name) const {
  const auto removed = Send("DELETE", PathOf(name), {{"gracePeriodSeconds", 0}});
  if (!removed && !removed.error().Is(Reason::kNotFound)) return Fail(removed.error());
  return {};
}

Result<void> Api::RemoveAll(const std::string& kind, const std::string& ns) const {
  BERTH_TRY(const Json removed, Send("DELETE", integration::ApiAccess::PathOf(kind, "", ns),
                                     {{"gracePeriodSeconds", 0}}));
  return {};
}

Result<void> Api::RemoveNamespace(const std::string& name) const {
  const ObjectName ns{"namespace", "", name};
  BERTH_TRY_VOID(Remove(ns));
  BERTH_TRY(Json left, Get(ns));
  if (left.is_null()) return {};
  left["spec"]["finalizers"] = Json::array();
  BERTH_TRY(const Json finalized, Send("PUT", PathOf(ns) + "/finalize", left));
  return {};
}

}  // namespace berth::differential
