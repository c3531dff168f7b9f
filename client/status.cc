// SPDX-License-Identifier: Apache-2.0
#include "client/status.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "api/meta.h"
#include "base/json/json.h"

namespace berth::client {
namespace {

constexpr size_t kShownBody = 200;

std::chrono::seconds Wait(int64_t seconds) {
  return std::min(std::chrono::seconds(seconds), kLongestWait);
}

std::optional<std::chrono::seconds> RetryAfter(const http::Response& response) {
  const auto header = response.headers.Find("Retry-After");
  if (!header) return std::nullopt;
  int64_t seconds = 0;
  const auto [end, error] =
      std::from_chars(header->data(), header->data() + header->size(), seconds);
  if (error != std::errc() || end != header->data() + header->size() || seconds < 0) {
    return std::nullopt;
  }
  return Wait(seconds);
}

Error FromStatus(const api::Status& status, int code) {
  Reason reason = ParseReason(status.reason);
  if (reason == Reason::kUnknown) reason = ReasonForHttpCode(code);
  Error error(reason, status.message.empty() ? "the API server answered " + std::to_string(code)
                                             : status.message);
  error.set_http_code(code);
  if (status.details && status.details->retry_after_seconds > 0) {
    error.set_retry_after(Wait(status.details->retry_after_seconds));
  }
  return error;
}

}  // namespace

Error ErrorOf(const http::Response& response) {
  const auto status = json::Decode<api::Status>(response.body);
  const bool is_status = status && status->status == "Failure";
  Error error =
      is_status
          ? FromStatus(*status, response.code)
          : Error(ReasonForHttpCode(response.code),
                  "the server answered " + std::to_string(response.code) +
                      (response.body.empty() ? "" : ": " + response.body.substr(0, kShownBody)))
                .set_http_code(response.code);
  if (const auto wait = RetryAfter(response)) error.set_retry_after(*wait);
  return error;
}

Error ErrorOfStatus(std::string_view status_json) {
  const auto status = json::Decode<api::Status>(status_json);
  if (!status) {
    return {Reason::kInternalError, "Status object not understood: " + status.error().message()};
  }
  return FromStatus(*status, status->code);
}

std::vector<std::string> WarningTexts(std::string_view header) {
  std::vector<std::string> texts;
  std::string* open = nullptr;  // the current text, until its closing quote
  for (size_t i = 0; i < header.size(); ++i) {
    const char c = header[i];
    if (c == '"') {
      open = open == nullptr ? &texts.emplace_back() : nullptr;
    } else if (open != nullptr) {
      const bool escaped = c == '\\' && i + 1 < header.size();
      *open += escaped ? header[++i] : c;
    }
  }
  return texts;
}

}  // namespace berth::client
