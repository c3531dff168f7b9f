// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "client/client.h"
#include "http/client/transport.h"
#include "tests/support/http/stub_server.h"

namespace berth::client {

// ImpatientTimer runs callbacks at once and records the requested delays.
class ImpatientTimer final : public http::Timer {
 public:
  Id After(std::chrono::milliseconds delay, std::function<void()> callback) override {
    {
      std::lock_guard lock(mutex_);
      if (delay.count() > 0) delays_.push_back(delay);
    }
    return real_.After(std::chrono::milliseconds(0), std::move(callback));
  }
  void Cancel(Id id) override { real_.Cancel(id); }

  std::vector<std::chrono::milliseconds> delays() const {
    std::lock_guard lock(mutex_);
    return delays_;
  }

 private:
  mutable std::mutex mutex_;  // guards delays_
  std::vector<std::chrono::milliseconds> delays_;
  http::ThreadTimer real_;
};

// StubClient is a client of a stub server.
struct StubClient {
  explicit StubClient(http::StubServer::Handler handler, std::string token_file = "",
                      http::TransportOptions options = {})
      : server(std::move(handler)) {
    options.url = server.url();
    auto transport = http::CreateTransport(std::move(options));
    EXPECT_TRUE(transport) << transport.error().message();
    client = std::make_unique<Client>(
        Client::Parts{.timer = timer,
                      .transport = std::move(*transport),
                      .token = std::make_shared<TokenSource>("", std::move(token_file), clock)},
        ClientOptions{.component = "test"});
  }

  SystemClock clock;
  http::StubServer server;
  std::shared_ptr<ImpatientTimer> timer = std::make_shared<ImpatientTimer>();
  std::unique_ptr<Client> client;
};

inline std::string StatusJson(int code, const std::string& reason, const std::string& message) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + message +
         R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}

// Returns a pod as JSON text, for lists and watch frames.
inline std::string PodJson(const std::string& name, const std::string& version,
                           const std::string& uid = "") {
  return R"({"metadata":{"namespace":"default","name":")" + name + R"(","uid":")" +
         (uid.empty() ? "uid-" + name : uid) + R"(","resourceVersion":")" + version + R"("}})";
}

inline std::string ListJson(const std::string& version, const std::vector<std::string>& items,
                            const std::string& continue_token = "") {
  std::string text = R"({"metadata":{"resourceVersion":")" + version + R"(","continue":")" +
                     continue_token + R"("},"items":[)";
  for (size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ",") + items[i];
  return text + "]}";
}

inline std::string Frame(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

}  // namespace berth::client
