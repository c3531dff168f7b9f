// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <utility>

#include "engine/api_writer.h"

namespace berth::engine {

// FakeServer holds the sent requests until the test answers them.
class FakeServer final : public RequestSender {
 public:
  struct Exchange {
    client::ApiRequest request;
    client::Callback<std::string> done;
  };

  void Send(client::ApiRequest request, client::Callback<std::string> done) override {
    pending_.push_back({std::move(request), std::move(done)});
  }

  Exchange TakeOldest() {
    Exchange exchange = std::move(pending_.front());
    pending_.pop_front();
    return exchange;
  }
  // Answers the oldest request and returns it.
  client::ApiRequest Answer(Result<std::string> body) {
    Exchange exchange = TakeOldest();
    exchange.done(std::move(body));
    return exchange.request;
  }
  size_t pending() const { return pending_.size(); }

 private:
  std::deque<Exchange> pending_;
};

}  // namespace berth::engine
