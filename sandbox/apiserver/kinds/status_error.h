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

// `kind` of the details is the plural resource in most errors and the kind in those about its
// content, as upstream has it (apimachinery api/errors).
using api::StatusCause;
using api::StatusDetails;

// StatusError is a refused request: what the client gets as a `Status` object. The words of the
// makers below are those of apimachinery's api/errors, which clients match on.
struct StatusError {
  int code = 500;
  std::string reason;  // metav1.StatusReason; may be empty
  std::string message;
  StatusDetails details;
  bool empty_details = false;      // "details": {}, as where the server's own errors are decorated
  std::string list_continue = {};  // metadata.continue: how an expired list may go on

  nlohmann::json ToJson() const;
};

// Answer is a value or the refusal that takes its place on the wire.
template <class T>
using Answer = tl::expected<T, StatusError>;
using Rejection = tl::unexpected<StatusError>;

inline Rejection Reject(StatusError error) { return Rejection(std::move(error)); }

// GroupResource is how errors name a resource: "pods", "deployments.apps".
struct GroupResource {
  std::string group;
  std::string resource;
  std::string ToString() const { return group.empty() ? resource : resource + "." + group; }
};

// Problems are what validators of all kinds find; those of whole documents use Field (field.h).
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
// NotImplemented (501) says that this server does not serve what a real API server does.
StatusError NotImplemented(std::string_view what);
// Unclassified is a failure to which upstream's code gives no reason: 500 and nothing but the text.
StatusError Unclassified(std::string message);

// FromError gives an Error of base the Status it stands for.
StatusError FromError(const Error& error);

}  // namespace berth::apiserver
