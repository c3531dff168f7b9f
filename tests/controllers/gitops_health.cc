// SPDX-License-Identifier: Apache-2.0
#include "tests/controllers/gitops_health.h"

#include <lua.hpp>
#include <map>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json/document.h"
#include "base/yaml/yaml.h"
#include "cel/json_value.h"
#include "cel/program.h"
#include "tests/controllers/kstatus.h"

namespace berth::controllers {
namespace {

using Document = nlohmann::json;

Document ShippedFile(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) throw std::runtime_error(text.error().message());
  return json::ReadDocument(yaml::ToJson(*text).value());
}

// ---- Argo CD

void Push(lua_State* lua, const Document& value) {
  if (value.is_object()) {
    lua_newtable(lua);
    for (const auto& [key, below] : value.items()) {
      Push(lua, below);
      lua_setfield(lua, -2, key.c_str());
    }
  } else if (value.is_array()) {
    lua_newtable(lua);
    for (size_t i = 0; i < value.size(); ++i) {
      Push(lua, value[i]);
      lua_seti(lua, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else if (value.is_string()) {
    lua_pushstring(lua, value.get_ref<const std::string&>().c_str());
  } else if (value.is_boolean()) {
    lua_pushboolean(lua, value.get<bool>());
  } else if (value.is_number()) {
    lua_pushnumber(lua, value.get<double>());
  } else {
    lua_pushnil(lua);
  }
}

std::string FieldOf(lua_State* lua, const char* name) {
  lua_getfield(lua, -1, name);
  const char* text = lua_tostring(lua, -1);
  std::string value = text == nullptr ? "" : text;
  lua_pop(lua, 1);
  return value;
}

// Runs the script as Argo CD does: `obj` is the object; the result has `status` and `message`.
std::string ArgoHealth(const Document& object) {
  static const std::string script =
      ShippedFile("deploy/gitops/argocd-cm.yaml")
          .at("data")
          .at("resource.customizations.health.berth.dev_SchedulerProfile");
  const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
  lua_State* const lua = state.get();
  luaL_requiref(lua, "_G", luaopen_base, 1);
  Push(lua, object);
  lua_setglobal(lua, "obj");
  if (luaL_dostring(lua, script.c_str()) != LUA_OK) return lua_tostring(lua, -1);
  if (!lua_istable(lua, -1)) return "no table";
  return FieldOf(lua, "message").empty() ? "no message" : FieldOf(lua, "status");
}

// ---- Flux

class FluxExpressions {
 public:
  FluxExpressions() {
    for (const char* name : {"metadata", "spec", "status"}) {
      environment_.Declare(name, cel::Basic(cel::Kind::kDyn));
    }
    const Document file = ShippedFile("deploy/gitops/flux-kustomization.yaml");
    const Document& texts = file.at("spec").at("healthCheckExprs").at(0);
    for (const auto& [field, status] :
         {std::pair{"inProgress", "InProgress"}, {"failed", "Failed"}, {"current", "Current"}}) {
      steps_.emplace_back(status, cel::Compile(texts.at(field).get<std::string>(), environment_,
                                               cel::Basic(cel::Kind::kBool))
                                      .value());
    }
  }

  // Returns the status of the first expression that is true; Flux waits if none is.
  std::string Evaluate(const Document& object) const {
    cel::Activation activation;
    for (const char* name : {"metadata", "spec", "status"}) {
      activation.Bind(name, cel::ViewOf(object.at(name)));
    }
    for (const auto& [status, program] : steps_) {
      cel::Budget budget;
      const auto holds = program.Evaluate(activation, budget);
      if (!holds) return holds.error().message();
      if (holds->IsTrue()) return status;
    }
    return "InProgress";
  }

 private:
  cel::Environment environment_;
  std::vector<std::pair<std::string, cel::Program>> steps_;
};

}  // namespace

void ExpectGitOpsToolsAgree(const crds::SchedulerProfile& profile) {
  static const FluxExpressions flux;
  static const std::map<std::string, std::string> in_words_of_argo = {
      {"InProgress", "Progressing"}, {"Failed", "Degraded"}, {"Current", "Healthy"}};
  const std::string kstatus = KstatusOf(profile);
  // Argo CD does not run its script on an object that is being deleted, and Flux waits until the
  // object is gone. Source: argo-cd gitops-engine pkg/health/health.go, GetResourceHealth.
  if (profile.metadata.deletion_timestamp) return;
  const std::string text = json::Encode(profile);
  const Document object = json::ReadDocument(text);
  EXPECT_EQ(flux.Evaluate(object), kstatus) << text;
  EXPECT_EQ(ArgoHealth(object), in_words_of_argo.at(kstatus)) << text;
}

}  // namespace berth::controllers
