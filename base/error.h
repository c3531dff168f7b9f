// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace berth {

// Reason says why an operation failed, in the words of a Kubernetes `Status` object
// (metav1.StatusReason), so that an error of the API server and one of ours are told apart by the
// same switch. The last group has no wire form.
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
  kUnavailable,  // no answer: refused, reset, name not found, TLS failed; what the request did is
                 // unknown
  kCanceled,     // we gave it up ourselves
  kConfig,       // a file, a flag or a field of configuration is wrong; trying again does not help
};

// ToString gives the wire word ("NotFound"); kUnknown is "Unknown". The last group has words too,
// for logs.
std::string_view ToString(Reason reason);

// ParseReason is the inverse for words from the wire; a word we do not know is kUnknown.
Reason ParseReason(std::string_view word);

// ReasonForHttpCode is the reason a bare HTTP status code stands for when the body holds no Status
// object.
Reason ReasonForHttpCode(int code);

// Error is a failed operation. The message is a sentence for users without a trailing full stop;
// context is put in front once per layer: `With("read kubeconfig /a/b")` makes "read kubeconfig
// /a/b: no such file".
class Error {
 public:
  Error(Reason reason, std::string message) : reason_(reason), message_(std::move(message)) {}

  Reason reason() const { return reason_; }
  const std::string& message() const { return message_; }

  // The HTTP status code of the answer, or 0 where there was none.
  int http_code() const { return http_code_; }
  Error& set_http_code(int code) {
    http_code_ = code;
    return *this;
  }

  // How long the server asked us to wait (Retry-After), if it did.
  std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }
  Error& set_retry_after(std::chrono::milliseconds wait) {
    retry_after_ = wait;
    return *this;
  }

  bool Is(Reason reason) const { return reason_ == reason; }

  // IsTransient says that the same request may succeed later without anybody changing anything.
  bool IsTransient() const;

  Error With(std::string_view context) const;

 private:
  Reason reason_;
  std::string message_;
  int http_code_ = 0;
  std::optional<std::chrono::milliseconds> retry_after_;
};

// Result is a value or the Error that prevented it.
template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure Fail(Reason reason, std::string message) {
  return Failure(Error(reason, std::move(message)));
}
inline Failure Fail(Error error) { return Failure(std::move(error)); }

// ConfigError is a mistake in what a user wrote: a file, a flag or a field.
inline Failure ConfigError(std::string message) {
  return Fail(Reason::kConfig, std::move(message));
}

}  // namespace berth

// BERTH_TRY evaluates an expression of type Result<T>, returns its error from the enclosing
// function, or defines `var`.
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
