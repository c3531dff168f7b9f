// SPDX-License-Identifier: Apache-2.0
#include "engine/settings.h"

#include <string_view>

#include <fmt/format.h>

#include "api/start_settings.h"

namespace berth::engine {
namespace {

using Config = api::KubeSchedulerConfiguration;

struct NotActedOn {
  std::string_view path;
  std::string_view why;
  bool (*is_set)(const Config& config, const Config& defaults);
};

constexpr std::string_view kNoRateOfOurOwn =
    "requests are limited by the number in flight, and by the API server's priority and fairness";
constexpr std::string_view kJsonOnly = "requests and responses are JSON";
constexpr std::string_view kOneThread = "one thread evaluates all nodes";

constexpr NotActedOn kNotActedOn[] = {
    {"parallelism", kOneThread,
     [](const Config& c, const Config& d) { return c.parallelism != d.parallelism; }},
    {"clientConnection.qps", kNoRateOfOurOwn,
     [](const Config& c, const Config& d) {
       return c.client_connection.qps != d.client_connection.qps;
     }},
    {"clientConnection.burst", kNoRateOfOurOwn,
     [](const Config& c, const Config& d) {
       return c.client_connection.burst != d.client_connection.burst;
     }},
    {"clientConnection.contentType", kJsonOnly,
     [](const Config& c, const Config& d) {
       return c.client_connection.content_type != d.client_connection.content_type &&
              c.client_connection.content_type != "application/json";
     }},
    {"clientConnection.acceptContentTypes", kJsonOnly,
     [](const Config& c, const Config& d) {
       return c.client_connection.accept_content_types != d.client_connection.accept_content_types;
     }},
    {"delayCacheUntilActive", "a standby keeps its cache warm",
     [](const Config& c, const Config&) { return c.delay_cache_until_active; }},
};

}  // namespace

std::vector<std::string> NeedsRestart(const Config& started, const Config& wanted) {
  std::vector<std::string> settings;
  for (const api::StartSetting& setting : api::StartSettings()) {
    const std::string running = setting.show(started);
    const std::string asked = setting.show(wanted);
    if (running == asked) continue;
    settings.push_back(
        fmt::format(R"({} ("{}" runs, "{}" is asked for))", setting.path, running, asked));
  }
  return settings;
}

void KeepFromStart(Config& config, const Config& started) {
  for (const api::StartSetting& setting : api::StartSettings()) setting.copy(started, config);
}

std::vector<std::string> WithoutEffect(const Config& config) {
  static const Config kDefaults;
  std::vector<std::string> settings;
  for (const NotActedOn& setting : kNotActedOn) {
    if (!setting.is_set(config, kDefaults)) continue;
    settings.push_back(std::string(setting.path) + ": " + std::string(setting.why));
  }
  return settings;
}

}  // namespace berth::engine
