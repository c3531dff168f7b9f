// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/fake_clock.h"
#include "http/crypto/signing.h"
#include "sandbox/apiserver/rest/bootstrap.h"
#include "sandbox/apiserver/rest/handler.h"

namespace berth::apiserver {

// HandlerTest has a server without sockets and with a clock that stands still.
class HandlerTest : public testing::Test {
 protected:
  using json = nlohmann::json;

  HandlerTest() {
    Bootstrap(state_);
    state_.tokens.AddStatic("bob-token", {.name = "bob", .uid = {}, .groups = {}, .extra = {}});
    for (const char* name : {"default", "kube-system"}) {
      const auto made = Send("POST", "/api/v1/namespaces/" + std::string(name) + "/serviceaccounts",
                             {{"metadata", {{"name", "default"}}}});
      EXPECT_EQ(made.code, 201) << made.text;
    }
  }

  struct Answered {
    int code = 0;
    std::string text;
    json body;
    http::Headers headers;
    std::unique_ptr<Watcher> watcher;

    std::string message() const { return body.value("message", ""); }
  };

  // Sends as the admin, or as the owner of a token.
  Answered SendAs(const std::string& token, const std::string& method, const std::string& target,
                  const json& body = nullptr, const std::string& type = "application/json",
                  const std::string& accept = "application/json") {
    http::Request request;
    request.method = method;
    request.target = target;
    request.headers.Set("User-Agent", "test/1");
    request.headers.Set("Accept", accept);
    if (!token.empty()) request.headers.Set("Authorization", "Bearer " + token);
    if (!body.is_null()) {
      request.headers.Set("Content-Type", type);
      request.body = body.is_string() ? body.get<std::string>() : body.dump();
    }
    Reply reply = handler_.Handle(request, {});
    Answered answered{reply.response.code, reply.response.body,
                      json::parse(reply.response.body, nullptr, false), reply.response.headers,
                      std::move(reply.watcher)};
    return answered;
  }
  Answered Send(const std::string& method, const std::string& target, const json& body = nullptr,
                const std::string& type = "application/json",
                const std::string& accept = "application/json") {
    return SendAs("", method, target, body, type, accept);
  }

  static json Pod(const std::string& name) {
    return {{"apiVersion", "v1"},
            {"kind", "Pod"},
            {"metadata", {{"name", name}, {"labels", {{"app", "web"}}}}},
            {"spec", {{"containers", json::array({{{"name", "c"}, {"image", "nginx"}}})}}}};
  }

  static constexpr const char* kPods = "/api/v1/namespaces/default/pods";
  static constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
  static constexpr const char* kMerge = "application/merge-patch+json";

  FakeClock clock_;
  State state_{clock_, 7, TokenAuthority(std::move(*http::SigningKey::Generate()))};
  Handler handler_{
      state_, {.address = "127.0.0.1:1", .anonymous_masters = true, .stale_version = std::nullopt}};
};

}  // namespace berth::apiserver
