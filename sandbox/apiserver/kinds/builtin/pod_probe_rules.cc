// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

// What a kubelet does to a container: handlers of its lifecycle, probes.
namespace berth::apiserver {
namespace {

void CheckCommand(const Field& exec) { exec["command"].Require(); }

void CheckHttp(const Field& get) {
  get["path"].Require();
  CheckPortNameOrNumber(get["port"]);
  get["scheme"].OneOf({"HTTP", "HTTPS"});
}

void CheckTcp(const Field& socket) { CheckPortNameOrNumber(socket["port"]); }

void CheckGrpc(const Field& grpc) { grpc["port"].InRange(1, 65535); }

struct Way {
  const char* name;
  void (*check)(const Field& way);
};
constexpr Way kWays[] = {
    {"exec", CheckCommand}, {"httpGet", CheckHttp}, {"tcpSocket", CheckTcp}, {"grpc", CheckGrpc}};

void CheckSleep(const Field& sleep, int64_t grace_seconds) {
  const int64_t seconds = sleep["seconds"].Number();
  if (seconds >= 0 && seconds <= grace_seconds) return;
  sleep.Invalid(std::to_string(seconds),
                "must be non-negative and less than terminationGracePeriodSeconds (" +
                    std::to_string(grace_seconds) + ")");
}

void CheckHandler(const Field& handler, int64_t grace_seconds) {
  size_t count = 0;
  const auto is_first = [&count](const Field& way) {
    if (count++ == 0) return true;
    way.Forbidden("may not specify more than 1 handler type");
    return false;
  };
  for (const Way& way : kWays) {
    const Field given = handler[way.name];
    if (given.IsSet() && is_first(given)) way.check(given);
  }
  const Field sleep = handler["sleep"];
  if (sleep.IsSet() && is_first(sleep)) CheckSleep(sleep, grace_seconds);
  if (count == 0) handler.Required("must specify a handler type");
}

void CheckProbe(const Field& probe, bool must_succeed_once, int64_t grace_seconds) {
  if (!probe.IsSet()) return;
  CheckHandler(probe, grace_seconds);
  for (const char* field : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                            "successThreshold", "failureThreshold"}) {
    probe[field].AtLeast(0, kNotNegative);
  }
  probe["terminationGracePeriodSeconds"].AtLeast(1, kPositive);
  if (must_succeed_once && probe["successThreshold"].Number(1) != 1)
    probe["successThreshold"].Invalid("must be 1");
}

}  // namespace

void CheckLifecycleAndProbes(const Field& container, int64_t grace_seconds) {
  for (const char* field : {"postStart", "preStop"}) {
    const Field handler = container["lifecycle"][field];
    if (handler.IsSet()) CheckHandler(handler, grace_seconds);
  }
  CheckProbe(container["livenessProbe"], true, grace_seconds);
  CheckProbe(container["readinessProbe"], false, grace_seconds);
  CheckProbe(container["startupProbe"], true, grace_seconds);
}

}  // namespace berth::apiserver
