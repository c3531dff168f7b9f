// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace berth {

// Reason classifies a failure with the reasons of a Kubernetes Status object (metav1.StatusReason).
// The same switch therefore handles errors of the API server and our own. The last group has no
// wire form.
enum class Reason {
  kUnknown,
  kBadRequest,
  kUnauthorized,
  kForbidden,
  kNotFound,
  kMethodNotAllowed,
  kNotAcceptable,
  kAlreadyExists,
  kConflict,
  kGone,
  kExpired,
  kRequestEntityTooLarge,
  kUnsupportedMediaType,
  kInvalid,
  kTooManyRequests,
  kServerTimeout,
  kInternalError,
  kServiceUnavailable,
  kTimeout,
  // Not from a server:
  kUnavailable,  // no response: refused, reset, DNS or TLS failure; the request may have taken
                 // effect
  kCanceled,     // canceled on our side
  kConfig,       // wrong file, flag or configuration field; a retry does not help
};

// Returns the wire form ("NotFound"); "Unknown" for kUnknown. The last group also has names, for
// logs.
std::string_view ToString(Reason reason);

// Parses the wire form. Unknown reasons become kUnknown.
Reason ParseReason(std::string_view word);

// Returns the reason for an HTTP status code, for responses without a Status object.
Reason ReasonForHttpCode(int code);

// Error describes a failed operation. The message is a user-readable sentence without a full stop.
// Each layer prefixes its context: `With("read kubeconfig /a/b")` makes "read kubeconfig /a/b: no
// such file".
class Error {
 public:
  Error(Reason reason, std::string message) : reason_(reason), message_(std::move(message)) {}

  Reason reason() const { return reason_; }
  const std::string& message() const { return message_; }

  // Returns the HTTP status code of the response, or 0 if there was none.
  int http_code() const { return http_code_; }
  Error& set_http_code(int code) {
    http_code_ = code;
    return *this;
  }

  // Returns the delay the server requested (Retry-After), if any.
  std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }
  Error& set_retry_after(std::chrono::milliseconds wait) {
    retry_after_ = wait;
    return *this;
  }

  bool Is(Reason reason) const { return reason_ == reason; }

  // Reports whether a retry of the same request may succeed without any change.
  bool IsTransient() const;

  Error With(std::string_view context) const;

 private:
  Reason reason_;
  std::string message_;
  int http_code_ = 0;
  std::optional<std::chrono::milliseconds> retry_after_;
};

// Result holds a value or the Error that prevented it.
template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure Fail(Reason reason, std::string message) {
  return Failure(Error(reason, std::move(message)));
}
inline Failure Fail(Error error) { return Failure(std::move(error)); }

// Returns an error about user input: a file, a flag or a field.
inline Failure ConfigError(std::string message) {
  return Fail(Reason::kConfig, std::move(message));
}

}  // namespace berth

// BERTH_TRY evaluates an expression of type Result<T>. It returns the error from the enclosing
// function, or defines `var` with the value.
#define BERTH_CONCAT_INNER(a, b) a##b
#define BERTH_CONCAT(a, b) BERTH_CONCAT_INNER(a, b)
#define BERTH_TRY_IMPL(result, var, expression)                    \
  auto result = (expression);                                      \
  if (!result) return ::berth::Failure(std::move(result).error()); \
  var = std::move(*result)
#define BERTH_TRY(var, expression) \
  BERTH_TRY_IMPL(BERTH_CONCAT(berth_result_, __LINE__), var, expression)
// BERTH_TRY_VOID is BERTH_TRY for Result<void>.
#define BERTH_TRY_VOID(expression)                              \
  do {                                                          \
    if (auto berth_result = (expression); !berth_result)        \
      return ::berth::Failure(std::move(berth_result).error()); \
  } while (false)
