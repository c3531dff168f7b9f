// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/metric_source.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "api/outbound_address.h"
#include "base/doubling.h"
#include "engine/outside_text.h"
#include "http/client/guarded_transport.h"
#include "http/encoding.h"

namespace berth::engine {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::optional<std::string> WhyForbidden(std::string_view address, uint16_t) {
  const auto what = api::ForbiddenReason(address);
  if (!what) return std::nullopt;
  return std::string(*what);
}

http::Request QuestionOf(const scheduler::MetricQuery& query, const std::string& token) {
  http::Request request{
      .method = "GET",
      .target = "/api/v1/query" + http::QueryBuilder().Add("query", query.query).text(),
      .headers = {},
      .body = "",
      .timeout = std::max(duration_cast<milliseconds>(query.timeout), milliseconds(1)),
      .max_body_bytes = MetricSource::kMaxAnswer};
  request.headers.Set("Accept", "application/json");
  if (!token.empty()) request.headers.Set("Authorization", "Bearer " + token);
  return request;
}

}  // namespace

void PauseFor(nanoseconds length, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, length, [] { return false; });
}

void MetricSource::Run(const std::stop_token& stop) {
  const nanoseconds longest = std::max<nanoseconds>(kLongestPause, query_.refresh_interval);
  nanoseconds pause{0};
  for (int failures = 0;;) {
    parts_.pause(pause, stop);
    if (stop.stop_requested()) return;
    const SteadyTime asked = parts_.clock.Now();
    auto answer = Ask(stop);
    if (stop.stop_requested()) return;
    failures = answer ? 0 : failures + 1;
    pause = Doubled(query_.refresh_interval, std::max(0, failures - 1), longest);
    if (!answer) {
      answer = Fail(answer.error().reason(), OutsideText(answer.error().message()));
    }
    parts_.tell(std::move(answer), parts_.clock.Now() - asked);
  }
}

// Creates a transport for each query, so that the current content of the Secret is used.
Result<PrometheusAnswer> MetricSource::Ask(const std::stop_token& stop) const {
  Credentials credentials;
  if (!query_.secret_name.empty()) {
    BERTH_TRY(credentials, ReadCredentials(query_.secret_name, parts_.file_of));
  }
  http::Guard guard;
  if (parts_.is_guarded) guard.reject = WhyForbidden;
  BERTH_TRY(
      const auto transport,
      http::CreateGuardedTransport({.url = query_.url, .tls = std::move(credentials.tls)}, guard));
  BERTH_TRY(const http::Response response,
            transport->Call(QuestionOf(query_, credentials.token), stop));
  return ReadPrometheusAnswer(response, query_.label);
}

}  // namespace berth::engine
