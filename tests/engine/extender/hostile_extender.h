// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/engine/python_server.h"

namespace berth::engine {

// HostileExtender runs hostile_extender.py.
class HostileExtender : public PythonServer {
 public:
  explicit HostileExtender(const Identity* identity = nullptr)
      : PythonServer("tests/engine/extender/hostile_extender.py", identity) {}

  std::string UrlPrefix(const std::string& mode, const std::string& host = "127.0.0.1") const {
    return Url(mode, host);
  }
};

}  // namespace berth::engine
