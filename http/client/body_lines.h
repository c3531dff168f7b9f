// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "http/client/core.h"
#include "http/client/give_up.h"
#include "http/client/transport.h"

namespace berth::http {

// BodyLines is a response body that is read line by line.
class BodyLines final : public LineStream {
 public:
  BodyLines(std::shared_ptr<Core> core, Request request, std::stop_token stop);
  ~BodyLines() override;

  // Blocks until the headers have arrived.
  Result<void> Start();

  int code() const override { return head_.code; }
  const Headers& headers() const override { return head_.headers; }
  Result<std::optional<std::string>> Next() override;

 private:
  class Inflow;

  const std::shared_ptr<Core> core_;
  const std::shared_ptr<Inflow> inflow_;
  Response head_;
  StopCallback on_stop_;
  StopCallback on_closing_;
};

}  // namespace berth::http
