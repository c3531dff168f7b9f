// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <array>

namespace berth {
namespace {

struct Word {
  Reason reason;
  std::string_view text;
};

constexpr std::array kWords = {
    Word{Reason::kUnknown, "Unknown"},
    Word{Reason::kBadRequest, "BadRequest"},
    Word{Reason::kUnauthorized, "Unauthorized"},
    Word{Reason::kForbidden, "Forbidden"},
    Word{Reason::kNotFound, "NotFound"},
    Word{Reason::kMethodNotAllowed, "MethodNotAllowed"},
    Word{Reason::kNotAcceptable, "NotAcceptable"},
    Word{Reason::kAlreadyExists, "AlreadyExists"},
    Word{Reason::kConflict, "Conflict"},
    Word{Reason::kGone, "Gone"},
    Word{Reason::kExpired, "Expired"},
    Word{Reason::kRequestEntityTooLarge, "RequestEntityTooLarge"},
    Word{Reason::kUnsupportedMediaType, "UnsupportedMediaType"},
    Word{Reason::kInvalid, "Invalid"},
    Word{Reason::kTooManyRequests, "TooManyRequests"},
    Word{Reason::kServerTimeout, "ServerTimeout"},
    Word{Reason::kInternalError, "InternalError"},
    Word{Reason::kServiceUnavailable, "ServiceUnavailable"},
    Word{Reason::kTimeout, "Timeout"},
    Word{Reason::kUnavailable, "Unavailable"},
    Word{Reason::kCanceled, "Canceled"},
    Word{Reason::kConfig, "Config"},
};

}  // namespace

std::string_view ToString(Reason reason) {
  for (const Word& word : kWords) {
    if (word.reason == reason) return word.text;
  }
  return "Unknown";
}

Reason ParseReason(std::string_view word) {
  for (const Word& known : kWords) {
    if (known.reason >= Reason::kUnavailable) break;
    if (known.text == word) return known.reason;
  }
  return Reason::kUnknown;
}

Reason ReasonForHttpCode(int code) {
  switch (code) {
    case 400:
      return Reason::kBadRequest;
    case 401:
      return Reason::kUnauthorized;
    case 403:
      return Reason::kForbidden;
    case 404:
      return Reason::kNotFound;
    case 405:
      return Reason::kMethodNotAllowed;
    case 406:
      return Reason::kNotAcceptable;
    case 409:
      return Reason::kConflict;
    case 410:
      return Reason::kGone;
    case 413:
      return Reason::kRequestEntityTooLarge;
    case 415:
      return Reason::kUnsupportedMediaType;
    case 422:
      return Reason::kInvalid;
    case 429:
      return Reason::kTooManyRequests;
    case 500:
      return Reason::kInternalError;
    case 503:
      return Reason::kServiceUnavailable;
    case 504:
      return Reason::kTimeout;
    default:
      return Reason::kUnknown;
  }
}

bool Error::IsTransient() const {
  switch (reason_) {
    case Reason::kTooManyRequests:
    case Reason::kServerTimeout:
    case Reason::kInternalError:
    case Reason::kServiceUnavailable:
    case Reason::kTimeout:
    case Reason::kUnavailable:
      return true;
    default:
      return http_code_ >= 500;
  }
}

Error Error::With(std::string_view context) const {
  Error error = *this;
  error.message_ = std::string(context) + ": " + message_;
  return error;
}

}  // namespace berth
