// SPDX-License-Identifier: Apache-2.0
#include "operator/process.h"

#include <unistd.h>

#include "base/file.h"
#include "base/strings.h"

namespace berth::operator_ {

std::string HostName() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "localhost";
  return name;
}

Result<std::string> NewIdentity() {
  BERTH_TRY(const std::string uuid, ReadFile("/proc/sys/kernel/random/uuid"));
  return HostName() + "_" + std::string(TrimSpace(uuid));
}

std::vector<Flag> FlagsOf(LogFlags& flags) {
  return {{.name = "-v,--v", .target = &flags.verbosity, .help = "Log verbosity, 0 to 10"},
          {.name = "--logging-format",
           .target = &flags.format,
           .help = "Log format",
           .one_of = {"text", "json"}}};
}

void ConfigureLog(const LogFlags& flags, const std::string& component, log::TimeUnit json_time) {
  log::Configure({.format = flags.format == "json" ? log::Format::kJson : log::Format::kText,
                  .verbosity = flags.verbosity,
                  .json_time = json_time,
                  .component = component});
}

http::Response Endpoints::operator()(const http::Request& request) const {
  for (const http::HealthEndpoint& endpoint : health) {
    if (auto response = endpoint.Handle(request)) return *response;
  }
  if (metrics && request.target == "/metrics") {
    return {.code = 200,
            .headers = {{"Content-Type", MetricsRegistry::kTextContentType}},
            .body = metrics->Text()};
  }
  if (more) {
    if (auto response = more(request)) return *response;
  }
  return {.code = 404, .headers = {}, .body = "404 page not found\n"};
}

}  // namespace berth::operator_
