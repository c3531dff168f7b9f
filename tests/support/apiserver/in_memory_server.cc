// SPDX-License-Identifier: Apache-2.0
#include "tests/support/apiserver/in_memory_server.h"

#include <stdexcept>
#include <utility>

namespace berth::apiserver {
namespace {

template <class T>
T Must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

}  // namespace

InMemoryServer::InMemoryServer(ServerOptions options) {
  options.anonymous_admin = true;
  server_ = Must(Server::Start(std::move(options), clock_));
  client::ClientConfig config;
  config.server = server_->url();
  client_ = Must(client::Client::Create(config, {.component = "test"}, clock_));
}

void InMemoryServer::Inject(std::string_view rule) {
  server_->AddFault(Must(FaultRule::Parse(rule)));
}

}  // namespace berth::apiserver
