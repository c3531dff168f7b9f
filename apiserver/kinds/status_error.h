// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "base/error.h"

namespace berth::apiserver {

// StatusCause is one entry of Status.details.causes: for a field what is wrong with it, else why a
// request was refused.
struct StatusCause {
  std::string reason;   // "FieldValueRequired", "DisruptionBudget"
  std::string message;  // "Required value"
  std::string field;    // "spec.replicas"; empty where none is meant
  bool operator==(const StatusCause&) const = default;
};

// StatusDetails says what the error is about. `kind` is the plural resource in most errors and the
// kind in those about its content, as upstream has it (apimachinery api/errors).
struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;
  std::string uid;
  std::vector<StatusCause> causes;
  int retry_after_seconds = 0;

  bool operator==(const StatusDetails&) const = default;
  bool empty() const { return *this == StatusDetails{}; }
};

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
using Refusal = tl::unexpected<StatusError>;

inline Refusal Refuse(StatusError error) { return Refusal(std::move(error)); }

// GroupResource is how errors name a resource: "pods", "deployments.apps".
struct GroupResource {
  std::string group;
  std::string resource;
  std::string ToString() const { return group.empty() ? resource : resource + "." + group; }
};

// FieldProblem is one finding about a field, of any validator: `reason` as in StatusCause, `text`
// without the path.
struct FieldProblem {
  std::string path;
  std::string reason;
  std::string text;
};

// Makers of findings as upstream's field.Error words them; `value` is JSON text.
FieldProblem RequiredField(std::string path, std::string_view detail = {});
FieldProblem InvalidField(std::string path, std::string_view value_json, std::string_view detail);
FieldProblem ForbiddenField(std::string path, std::string_view detail);
FieldProblem ImmutableField(std::string path, const nlohmann::json& value);

StatusError BadRequest(std::string message);
StatusError Unauthorized();
StatusError Forbidden(const GroupResource& resource, std::string_view name, std::string_view why);
StatusError NotFound(const GroupResource& resource, std::string_view name);
StatusError NotFoundPath();
StatusError NotAcceptable(std::string_view offered);
StatusError UnsupportedMediaType(std::string_view offered);
StatusError AlreadyExists(const GroupResource& resource, std::string_view name);
StatusError Conflict(const GroupResource& resource, std::string_view name, std::string_view why);
StatusError Invalid(std::string_view group, std::string_view kind, std::string_view name,
                    std::span<const FieldProblem> problems);
StatusError TooManyRequests(std::string message, int retry_after_seconds);
StatusError TooLargeResourceVersion(std::string_view asked, std::string_view current);
StatusError InternalError(std::string_view message);

// FromError gives an Error of base the Status it stands for.
StatusError FromError(const Error& error);

}  // namespace berth::apiserver
