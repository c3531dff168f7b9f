// SPDX-License-Identifier: Apache-2.0
#include "http/server/health.h"

#include <algorithm>

#include "base/strings.h"

namespace berth::http {
namespace {

Response Text(int code, std::string body) { return {.code = code, .body = std::move(body)}; }

// Reports whether a parameter is present, alone or with a value: "verbose", "verbose=true".
bool HasFlag(const std::string& query, std::string_view name) {
  const auto parts = Split(query, '&');
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return part.substr(0, part.find('=')) == name; });
}

bool IsExcluded(const std::string& query, const std::string& check) {
  const auto parts = Split(query, '&');
  return std::find(parts.begin(), parts.end(), "exclude=" + check) != parts.end();
}

}  // namespace

std::optional<Response> HealthEndpoint::Handle(const Request& request) const {
  const size_t mark = request.target.find('?');
  const std::string path = request.target.substr(0, mark);
  const std::string query = mark == std::string::npos ? "" : request.target.substr(mark + 1);
  if (path == path_ || path == path_ + "/") return All(query);
  if (path.starts_with(path_ + "/")) return One(path.substr(path_.size() + 1));
  return std::nullopt;
}

Response HealthEndpoint::All(const std::string& query) const {
  std::string lines;
  bool healthy = true;
  for (const HealthCheck& check : checks_) {
    if (IsExcluded(query, check.name)) {
      lines += "[+]" + check.name + " excluded: ok\n";
      continue;
    }
    const bool ok = !check.error().has_value();
    healthy = healthy && ok;
    lines += ok ? "[+]" + check.name + " ok\n" : "[-]" + check.name + " failed: reason withheld\n";
  }
  const std::string name = path_.substr(1);
  if (!healthy) return Text(500, lines + name + " check failed\n");
  if (HasFlag(query, "verbose")) return Text(200, lines + name + " check passed\n");
  return Text(200, "ok");
}

Response HealthEndpoint::One(const std::string& name) const {
  for (const HealthCheck& check : checks_) {
    if (check.name != name) continue;
    if (!check.error()) return Text(200, "ok");
    return Text(500, "internal server error: reason withheld\n");
  }
  return Text(404, "404 page not found\n");
}

}  // namespace berth::http
