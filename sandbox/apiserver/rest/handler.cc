// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/handler.h"

#include <exception>
#include <map>

#include "base/log.h"
#include "base/strings.h"
#include "sandbox/apiserver/auth/impersonation.h"
#include "sandbox/apiserver/rest/replies.h"
#include "sandbox/apiserver/rest/routes.h"

namespace berth::apiserver {
namespace {

Attributes AttributesOf(const RequestInfo& info) {
  return {.verb = info.verb,
          .is_resource = info.is_resource,
          .namespace_ = info.namespace_,
          .group = info.group,
          .resource = info.resource,
          .subresource = info.subresource,
          .name = info.name,
          .path = info.path};
}

Answer<Look> LookOf(const MediaType& media, const Query& query) {
  static const std::map<std::string, IncludeObject> kIncludes = {
      {"", IncludeObject::kMetadata},
      {"Metadata", IncludeObject::kMetadata},
      {"None", IncludeObject::kNone},
      {"Object", IncludeObject::kObject}};
  Look look{.shape = media.shape, .include = IncludeObject::kMetadata, .with_columns = true};
  if (media.shape != Shape::kTable) return look;
  const std::string asked = query.Get("includeObject");
  const auto include = kIncludes.find(asked);
  if (include == kIncludes.end()) {
    return Reject(BadRequest("Unable to convert to Table as requested: " +
                             FieldError::Invalid("includeObject", asked,
                                                 "must be 'Metadata', 'Object', 'None', or empty")
                                 .ToString()));
  }
  look.include = include->second;
  return look;
}

// Parses Impersonate-User, -Uid, -Group (several) and -Extra-KEY; returns nullopt if the request
// does not impersonate.
Answer<std::optional<UserInfo>> WantedUser(const http::Headers& headers) {
  static constexpr std::string_view kExtra = "impersonate-extra-";
  UserInfo user;
  user.name = headers.Find("Impersonate-User").value_or("");
  user.uid = headers.Find("Impersonate-Uid").value_or("");
  for (const std::string_view group : headers.All("Impersonate-Group"))
    user.groups.emplace_back(group);
  for (const auto& [name, value] : headers) {
    const std::string key = ToLower(name);
    if (key.starts_with(kExtra))
      user.extra[PercentDecode(key.substr(kExtra.size()))].push_back(value);
  }
  if (!user.name.empty()) return user;
  if (user.uid.empty() && user.groups.empty() && user.extra.empty()) return std::nullopt;
  return Reject(BadRequest("groups, a uid or extras are to be impersonated, and no user"));
}

}  // namespace

Handler::Handler(State& state, HandlerOptions options)
    : state_(state), options_(std::move(options)), presenter_(state.clock) {}

Reply Handler::Handle(const http::Request& request, const Caller& caller) {
  Exchange exchange{
      request, RequestInfo::Parse(request.method, request.target), {}, {}, {}, nullptr, {}};
  Answer<Reply> reply;
  try {
    reply = Serve(exchange, caller);
  } catch (const std::exception& error) {
    log::Error("Request failed with an internal error",
               {{"method", request.method}, {"target", request.target}, {"err", error.what()}});
    reply =
        Reject(InternalError("the request failed with an internal error; see the server's log"));
  }
  if (!reply) reply = ErrorReply(reply.error());
  AddWarnings(exchange.warnings, *reply);
  return std::move(*reply);
}

Answer<Reply> Handler::Serve(Exchange& exchange, const Caller& caller) {
  auto user = Authenticate(exchange.request, caller);
  if (!user) return Reject(std::move(user).error());
  exchange.user = std::move(*user);
  if (const auto became = Impersonate(exchange); !became) return Reject(became.error());
  if (const auto allowed = Authorize(exchange); !allowed) return Reject(allowed.error());
  return exchange.info.is_resource ? ServeResource(exchange) : ServePath(exchange);
}

Answer<void> Handler::ReadAccept(Exchange& exchange) {
  const auto media = Negotiate(exchange.Header("Accept"));
  if (!media) return Reject(media.error());
  exchange.media = *media;
  const auto look = LookOf(*media, exchange.info.query);
  if (!look) return Reject(look.error());
  exchange.look = *look;
  return {};
}

Answer<UserInfo> Handler::Authenticate(const http::Request& request, const Caller& caller) {
  static constexpr std::string_view kBearer = "Bearer ";
  UserInfo user;
  const std::string authorization = std::string(request.headers.Find("Authorization").value_or(""));
  if (!caller.common_name.empty()) {
    user = {.name = caller.common_name, .uid = {}, .groups = caller.organizations, .extra = {}};
  } else if (authorization.starts_with(kBearer)) {
    const auto checked =
        state_.tokens.Check(std::string_view(authorization).substr(kBearer.size()),
                            {std::string(kIssuer)}, state_.store, state_.clock.Wall());
    if (!checked) return Reject(Unauthorized());
    user = checked->user;
  } else if (options_.anonymous_masters) {
    user = {.name = "admin", .uid = {}, .groups = {std::string(kMastersGroup)}, .extra = {}};
  } else {
    return UserInfo{.name = std::string(kAnonymousUser),
                    .uid = {},
                    .groups = {std::string(kUnauthenticatedGroup)},
                    .extra = {}};
  }
  user.groups.emplace_back(kAuthenticatedGroup);
  return user;
}

Answer<void> Handler::Impersonate(Exchange& exchange) {
  const auto wanted = WantedUser(exchange.request.headers);
  if (!wanted) return Reject(wanted.error());
  if (!*wanted) return {};
  auto user = apiserver::Impersonate(state_.authorizer, exchange.user, **wanted);
  if (!user) return Reject(std::move(user).error());
  exchange.user = std::move(*user);
  return {};
}

Answer<void> Handler::Authorize(const Exchange& exchange) {
  const Attributes attributes = AttributesOf(exchange.info);
  const Decision decision = state_.authorizer.Authorize(exchange.user, attributes);
  if (decision.allowed) return {};
  return Reject(ForbiddenError(exchange.user, attributes, decision.reason));
}

Answer<Reply> Handler::ServeResource(Exchange& exchange) {
  RequestInfo& info = exchange.info;
  exchange.kind = state_.kinds.Find(info.group, info.version, info.resource);
  if (auto lost = RouteError(state_.kinds, exchange.kind.get(), info, exchange.request.method))
    return std::move(*lost);
  if (const auto accepted = ReadAccept(exchange); !accepted) return Reject(accepted.error());
  if (exchange.request.body.size() > options_.max_body_bytes)
    return Reject(RequestTooLarge(options_.max_body_bytes));
  const KindInfo& kind = *exchange.kind;
  if (!kind.namespaced) info.namespace_.clear();
  if (!info.subresource.empty()) return ServeSubresource(exchange);
  if (!kind.stored) return ServeReview(exchange);
  if (info.verb == "get") return Get(exchange);
  if (info.verb == "list") return List(exchange);
  if (info.verb == "watch") return Watch(exchange);
  if (info.verb == "delete") return Delete(exchange);
  return Write(exchange);
}

}  // namespace berth::apiserver
