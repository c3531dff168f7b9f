// SPDX-License-Identifier: Apache-2.0
#include "http/client/transport.h"

#include <future>
#include <utility>

#include "base/check.h"
#include "http/callback_scope.h"

namespace berth::http {
namespace {

thread_local bool runs_callbacks = false;

}  // namespace

CallbackScope::CallbackScope() : outer_(std::exchange(runs_callbacks, true)) {}
CallbackScope::~CallbackScope() { runs_callbacks = outer_; }

bool BlockingAllowed() { return !runs_callbacks; }

Result<Response> Transport::Call(Request request, std::stop_token stop) {
  BERTH_CHECK(BlockingAllowed(), "Transport::Call on a thread that runs callbacks");
  auto answer = std::make_shared<std::promise<Result<Response>>>();
  auto arrived = answer->get_future();
  Send(
      std::move(request),
      [answer](Result<Response> response) { answer->set_value(std::move(response)); },
      std::move(stop));
  return arrived.get();
}

}  // namespace berth::http
