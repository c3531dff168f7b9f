// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "client/status.h"
#include "http/headers.h"
#include "http/server/gzip.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

std::string_view TakeLine(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

}  // namespace

// The values of three headers, one per line, and a body: the client's interpretation of a response
// that cpprestsdk has parsed. The target `transport` includes cpprestsdk's parsing.
void HttpAnswer(std::string_view input) {
  http::Response response{.code = input.size() % 2 == 0 ? 429 : 503};
  response.headers.Add("Retry-After", TakeLine(input));
  response.headers.Add("Warning", TakeLine(input));
  http::AcceptsGzip(TakeLine(input));
  response.body = input;
  const Error error = client::ErrorOf(response);
  BERTH_CHECK(!error.message().empty(), "an error without a message");
  BERTH_CHECK(error.http_code() == response.code, "the error has another status code");
  BERTH_CHECK(error.retry_after().value_or(std::chrono::seconds(0)).count() >= 0,
              "a negative "
              "retry delay");
  client::ErrorOfStatus(input);
  for (const std::string_view warning : response.headers.All("warning")) {
    client::WarningTexts(warning);
  }
}

}  // namespace berth::fuzz
