// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "api/field_error.h"
#include "api/meta.h"
#include "base/error.h"

namespace berth::apiserver {

// `kind` of the details is the plural resource in most errors, and the kind in errors about the
// content, as upstream (apimachinery api/errors).
using api::StatusCause;
using api::StatusDetails;

// StatusError is a failed request: the client receives it as a `Status` object. The functions below
// use the texts of apimachinery's api/errors, which clients match on.
struct StatusError {
  int code = 500;
  std::string reason;  // metav1.StatusReason; may be empty
  std::string message;
  StatusDetails details;
  bool empty_details = false;  // "details": {}, where upstream decorates the server's own errors
  std::string list_continue = {};  // metadata.continue: continues an expired list

  nlohmann::json ToJson() const;
};

// Answer is a value, or the error to send instead.
template <class T>
using Answer = tl::expected<T, StatusError>;
using Rejection = tl::unexpected<StatusError>;

inline Rejection Reject(StatusError error) { return Rejection(std::move(error)); }

// GroupResource is a resource in error messages: "pods", "deployments.apps".
struct GroupResource {
  std::string group;
  std::string resource;
  std::string ToString() const { return group.empty() ? resource : resource + "." + group; }
};

// Constructors of the errors. Validators of whole documents use Field (field.h).
using api::FieldError;
using Errors = std::vector<FieldError>;

StatusError BadRequest(std::string message);
StatusError Unauthorized();
StatusError Forbidden(const GroupResource& resource, std::string_view name, std::string_view why);
StatusError NotFound(const GroupResource& resource, std::string_view name);
StatusError NotFoundPath();
StatusError NotAcceptable(std::string_view offered);
StatusError UnsupportedMediaType(std::string_view offered);
StatusError RequestTooLarge(size_t limit_bytes);
StatusError AlreadyExists(const GroupResource& resource, std::string_view name);
StatusError Conflict(const GroupResource& resource, std::string_view name, std::string_view why);
StatusError Invalid(std::string_view group, std::string_view kind, std::string_view name,
                    std::span<const FieldError> errors);
StatusError TooManyRequests(std::string message, int retry_after_seconds);
StatusError TooLargeResourceVersion(std::string_view asked, std::string_view current);
StatusError InternalError(std::string_view message);
// Returns a 501 for a feature that a real API server has and this one lacks.
StatusError NotImplemented(std::string_view what);
// Returns an error without a reason, as upstream does in some places: code 500 and the text only.
StatusError Unclassified(std::string message);

// Converts an Error of base to its Status.
StatusError FromError(const Error& error);

}  // namespace berth::apiserver
