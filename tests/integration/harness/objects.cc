// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/objects.h"

#include <utility>

#include <gtest/gtest.h>

namespace berth::integration {
namespace {

ApiAnswer Accepted(const std::string& what, ApiAnswer answer) {
  if (answer.code < 200 || answer.code > 299) {
    ADD_FAILURE() << what << ": " << answer.code << " " << answer.body;
  }
  return answer;
}

}  // namespace

Json At(const Json& object, const std::string& pointer) {
  const Json::json_pointer path(pointer);
  return object.contains(path) ? object.at(path) : Json();
}

Json Condition(const Json& object, const std::string& type) {
  for (const Json& condition : At(object, "/status/conditions")) {
    if (condition.value("type", "") == type) return condition;
  }
  return Json::object();
}

std::string TextAt(const Json& object, const std::string& pointer) {
  const Json text = At(object, pointer);
  return text.is_string() ? text.get<std::string>() : "";
}

ApiAnswer Objects::Send(const std::string& method, const std::string& path, const Json& body) {
  ApiAnswer answer = api_.Send(method, path, body);
  if (answer.code == 404 && (method == "GET" || method == "DELETE")) return answer;
  return Accepted(method + " " + path, std::move(answer));
}

void Objects::Apply(const Json& object) { Accepted("apply " + object.dump(), api_.Apply(object)); }

void Objects::Create(const std::string& kind, const std::string& ns, const Json& object) {
  Send("POST", ApiAccess::PathOf(kind, "", ns), object);
}

void Objects::Patch(const std::string& kind, const std::string& name, const std::string& ns,
                    const Json& patch, const std::string& subresource) {
  const std::string path = ApiAccess::PathOf(kind, name, ns);
  Send("PATCH", subresource.empty() ? path : path + "/" + subresource, patch);
}

void Objects::PatchIfPresent(const std::string& kind, const std::string& name,
                             const std::string& ns, const Json& patch,
                             const std::string& subresource) {
  const std::string path = ApiAccess::PathOf(kind, name, ns) + "/" + subresource;
  ApiAnswer answer = api_.Send("PATCH", path, patch);
  if (answer.code != 404) Accepted("PATCH " + path, std::move(answer));
}

void Objects::Delete(const std::string& kind, const std::string& name, const std::string& ns) {
  Json options = {{"propagationPolicy", "Background"}};
  if (kind == "pod") options["gracePeriodSeconds"] = 0;
  Send("DELETE", ApiAccess::PathOf(kind, name, ns), options);
}

Json Objects::Get(const std::string& kind, const std::string& name, const std::string& ns) {
  const ApiAnswer answer = Send("GET", ApiAccess::PathOf(kind, name, ns));
  return answer.code == 200 ? Json::parse(answer.body) : Json();
}

Json Objects::List(const std::string& kind, const std::string& ns, const std::string& selector) {
  std::string path = ApiAccess::PathOf(kind, "", ns);
  if (!selector.empty()) path += "?labelSelector=" + selector;
  const ApiAnswer answer = Send("GET", path);
  return answer.code == 200 ? Json::parse(answer.body).at("items") : Json::array();
}

}  // namespace berth::integration
