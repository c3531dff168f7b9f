// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/handler.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/auth/reviews.h"
#include "apiserver/kinds/event_conversion.h"
#include "apiserver/rest/body.h"
#include "apiserver/rest/replies.h"
#include "apiserver/rest/subresources.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string HeaderOf(const http::Request& request, std::string_view name) {
  return std::string(request.headers.Find(name).value_or(""));
}

Look LookOf(const MediaType& media, const Query& query) {
  Look look{.shape = media.shape, .include = IncludeObject::kMetadata, .with_columns = true};
  const std::string include = query.Get("includeObject");
  if (include == "None") look.include = IncludeObject::kNone;
  if (include == "Object") look.include = IncludeObject::kObject;
  return look;
}

}  // namespace

Handler::Handler(State& state, HandlerOptions options)
    : state_(state), options_(std::move(options)), presenter_(state.clock) {}

Reply Handler::Handle(const http::Request& request, const Caller& caller) {
  Exchange exchange{
      request, RequestInfo::Parse(request.method, request.target), {}, {}, {}, nullptr, {}};
  Answer<Reply> reply = Serve(exchange, caller);
  if (!reply) reply = ErrorReply(reply.error());
  AddWarnings(exchange.warnings, *reply);
  if (exchange.media.yaml) ToYaml(*reply);
  return std::move(*reply);
}

Answer<Reply> Handler::Serve(Exchange& exchange, const Caller& caller) {
  auto user = Authenticate(exchange.request, caller);
  if (!user) return Refuse(std::move(user).error());
  exchange.user = std::move(*user);
  if (const auto allowed = Authorize(exchange); !allowed) return Refuse(allowed.error());
  // Text documents are served whatever is accepted.
  if (!exchange.info.is_resource && !exchange.info.path.starts_with("/api"))
    return ServePath(exchange);
  const auto media = Negotiate(HeaderOf(exchange.request, "Accept"));
  if (!media) return Refuse(media.error());
  exchange.media = *media;
  exchange.look = LookOf(*media, exchange.info.query);
  return exchange.info.is_resource ? ServeResource(exchange) : ServePath(exchange);
}

Answer<UserInfo> Handler::Authenticate(const http::Request& request, const Caller& caller) {
  static constexpr std::string_view kBearer = "Bearer ";
  UserInfo user;
  const std::string authorization = HeaderOf(request, "Authorization");
  if (!caller.common_name.empty()) {
    user = {.name = caller.common_name, .uid = {}, .groups = caller.organizations, .extra = {}};
  } else if (authorization.starts_with(kBearer)) {
    const auto checked =
        state_.tokens.Check(std::string_view(authorization).substr(kBearer.size()),
                            {std::string(kIssuer)}, state_.store, state_.clock.Wall());
    if (!checked) return Refuse(Unauthorized());
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
  return Impersonate(request, std::move(user));
}

Answer<UserInfo> Handler::Impersonate(const http::Request& request, UserInfo user) {
  const std::string name = HeaderOf(request, "Impersonate-User");
  if (name.empty()) return user;
  UserInfo other{.name = name, .uid = {}, .groups = {}, .extra = {}};
  for (const std::string_view group : request.headers.All("Impersonate-Group"))
    other.groups.emplace_back(group);
  const auto require = [&](const char* resource, const std::string& named,
                           const std::string& name_space) -> Answer<void> {
    const Attributes wanted{.verb = "impersonate",
                            .is_resource = true,
                            .namespace_ = name_space,
                            .group = {},
                            .resource = resource,
                            .subresource = {},
                            .name = named,
                            .path = {}};
    const Decision decision = state_.authorizer.Authorize(user, wanted);
    return decision.allowed ? Answer<void>{}
                            : Answer<void>(Refuse(ForbiddenError(user, wanted, decision.reason)));
  };
  const auto parts = Split(name, ':');
  const bool account = parts.size() == 4 && name.starts_with("system:serviceaccount:");
  const auto may = account
                       ? require("serviceaccounts", std::string(parts[3]), std::string(parts[2]))
                       : require("users", name, "");
  if (!may) return Refuse(may.error());
  for (const std::string& group : other.groups) {
    if (const auto also = require("groups", group, ""); !also) return Refuse(also.error());
  }
  if (account && other.groups.empty()) other = AccountUser(parts[2], parts[3], "");
  other.groups.emplace_back(name == kAnonymousUser ? kUnauthenticatedGroup : kAuthenticatedGroup);
  return other;
}

Answer<void> Handler::Authorize(const Exchange& exchange) {
  const RequestInfo& info = exchange.info;
  Attributes attributes{.verb = info.verb,
                        .is_resource = info.is_resource,
                        .namespace_ = info.namespace_,
                        .group = info.group,
                        .resource = info.resource,
                        .subresource = info.subresource,
                        .name = info.name,
                        .path = info.path};
  const Decision decision = state_.authorizer.Authorize(exchange.user, attributes);
  if (decision.allowed) return {};
  return Refuse(ForbiddenError(exchange.user, attributes, decision.reason));
}

Answer<Reply> Handler::ServeResource(Exchange& exchange) {
  RequestInfo& info = exchange.info;
  exchange.kind = state_.kinds.Find(info.group, info.version, info.resource);
  if (exchange.kind == nullptr) {
    if (state_.kinds.FindGroup(info.group) == nullptr)
      return TextReply(404, "404 page not found\n");
    return Refuse(NotFoundPath());
  }
  const KindInfo& kind = *exchange.kind;
  if (!kind.namespaced && !info.namespace_.empty() && info.resource != "namespaces")
    return Refuse(NotFoundPath());
  if (!kind.namespaced) info.namespace_.clear();
  if (!info.subresource.empty()) return ServeSubresource(exchange);
  const bool across =
      kind.namespaced && info.namespace_.empty() && info.verb != "list" && info.verb != "watch";
  const bool misplaced = info.verb == "create" && !info.name.empty();
  if (across || misplaced || !kind.HasVerb(info.verb)) return Refuse(MethodNotAllowed());
  if (!kind.stored) return ServeReview(exchange);
  if (info.verb == "get") return Get(exchange);
  if (info.verb == "list") return List(exchange);
  if (info.verb == "watch") return Watch(exchange);
  if (info.verb == "delete") return Delete(exchange);
  if (info.verb == "deletecollection") return DeleteCollection(exchange);
  return Write(exchange);
}

Answer<ObjectPtr> Handler::Find(const Exchange& exchange) {
  const RequestInfo& info = exchange.info;
  const Collection& collection = state_.CollectionOf(*exchange.kind);
  const auto version = ParseVersion(info.query.Get("resourceVersion"));
  if (!version)
    return Refuse({.code = 500, .reason = {}, .message = version.error().message(), .details = {}});
  if (*version > state_.store.version()) {
    return Refuse(
        TooLargeResourceVersion(std::to_string(*version), std::to_string(state_.store.version())));
  }
  if (options_.stale_version) {
    if (const auto old = collection.GetAt(info.namespace_, info.name, *options_.stale_version))
      return *old;
    return Refuse(NotFound(exchange.kind->Resource(), info.name));
  }
  const ObjectPtr object = collection.Find(info.namespace_, info.name);
  if (object == nullptr) return Refuse(NotFound(exchange.kind->Resource(), info.name));
  return object;
}

Answer<Reply> Handler::Get(Exchange& exchange) {
  const auto object = Find(exchange);
  if (!object) return Refuse(object.error());
  return JsonReply(200, presenter_.ObjectText(exchange.kind, exchange.look, **object));
}

Answer<Reply> Handler::List(Exchange& exchange) {
  const Collection& collection = state_.CollectionOf(*exchange.kind);
  auto options = ReadListOptions(exchange.info, exchange.kind->selectable);
  if (!options) return Refuse(std::move(options).error());
  if (options_.stale_version && options->continue_.empty()) {
    options->resource_version = std::to_string(*options_.stale_version);
    options->match = VersionMatch::kExact;
  }
  const ListResult page = collection.List(*options);
  if (page) return JsonReply(200, presenter_.ListText(exchange.kind, exchange.look, *page));
  const ListFailure& failure = page.error();
  StatusError error = FromError(failure.error);
  if (failure.error.Is(Reason::kInvalid))
    error = BadRequest("invalid resource version: " + failure.error.message());
  error.list_continue = failure.continue_;
  if (failure.version_too_large) {
    error.details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
    error.details.retry_after_seconds = 1;
  }
  return Refuse(std::move(error));
}

Answer<Reply> Handler::Watch(Exchange& exchange) {
  RequestInfo info = exchange.info;
  if (!info.name.empty() && info.query.Get("fieldSelector").empty()) {
    info.query.Set("fieldSelector", "metadata.name=" + info.name);
  }
  auto options = ReadWatchOptions(info, exchange.kind->selectable);
  if (!options) return Refuse(std::move(options).error());
  options->representation = presenter_.LookOf(exchange.kind, exchange.look);
  auto watcher = state_.CollectionOf(*exchange.kind).Watch(std::move(*options));
  if (!watcher) {
    // A version that is no number is an error nobody gave a reason, as in the real server.
    return Refuse({.code = 500, .reason = {}, .message = watcher.error().message(), .details = {}});
  }
  Reply reply = JsonReply(200, {});
  reply.watcher = std::move(*watcher);
  const std::string seconds = info.query.Get("timeoutSeconds");
  const int64_t asked = seconds.empty() ? 0 : std::atoll(seconds.c_str());
  reply.watch_for = std::chrono::seconds(
      asked > 0 ? asked : 1800 + static_cast<int64_t>(state_.random.Below(1800)));
  if (exchange.look.shape == Shape::kTable) {
    Look later = exchange.look;
    later.with_columns = false;
    reply.later = presenter_.LookOf(exchange.kind, later);
  }
  return reply;
}

Answer<json> Handler::BodyOf(const Exchange& exchange, const std::string& kind) const {
  const std::string type = HeaderOf(exchange.request, "Content-Type");
  return ParseBody(type, exchange.request.body, kind);
}

Answer<WriteCall> Handler::CallOf(Exchange& exchange, const char* options_type) {
  const RequestInfo& info = exchange.info;
  auto options =
      ReadWriteOptions(info.query, options_type, HeaderOf(exchange.request, "User-Agent"));
  if (!options) return Refuse(std::move(options).error());
  return WriteCall{exchange.kind,  info.namespace_,     info.name,         info.subresource,
                   &exchange.user, std::move(*options), &exchange.warnings};
}

Reply Handler::WrittenReply(Exchange& exchange, const Written& written) {
  const int code = written.created ? 201 : 200;
  const json document = exchange.look.shape == Shape::kObject ? json() : json::parse(written.text);
  if (document.is_null() || document.value("kind", "") == "Status")
    return JsonReply(code, written.text);
  const ObjectPtr object =
      MakeObject(MakeDraft(document, {}),
                 std::stoull("0" + document["metadata"].value("resourceVersion", "")));
  return JsonReply(code, presenter_.ObjectText(exchange.kind, exchange.look, *object));
}

Answer<Reply> Handler::Write(Exchange& exchange) {
  const std::string& verb = exchange.info.verb;
  const auto call = CallOf(exchange, verb == "create"   ? "CreateOptions"
                                     : verb == "update" ? "UpdateOptions"
                                                        : "PatchOptions");
  if (!call) return Refuse(call.error());
  Writer writer(state_);
  Answer<Written> written;
  if (verb == "patch") {
    written = writer.Patch(*call, BaseType(HeaderOf(exchange.request, "Content-Type")),
                           exchange.request.body);
  } else {
    auto body = BodyOf(exchange, exchange.kind->kind);
    if (!body) return Refuse(std::move(body).error());
    written = verb == "create" ? writer.Create(*call, std::move(*body))
                               : writer.Update(*call, std::move(*body));
  }
  if (!written) return Refuse(std::move(written).error());
  return WrittenReply(exchange, *written);
}

Answer<DeleteOptions> Handler::DeleteOptionsIn(const Exchange& exchange) const {
  if (exchange.request.body.empty()) return ReadDeleteOptions(exchange.info.query);
  const auto body = BodyOf(exchange, "DeleteOptions");
  if (!body) return Refuse(body.error());
  if (const auto fits = CheckShape({"", "v1", "DeleteOptions"}, *body); !fits) {
    return Refuse(fits.error());
  }
  return DeleteOptionsOf(*body);
}

Answer<Reply> Handler::Delete(Exchange& exchange) {
  const auto options = DeleteOptionsIn(exchange);
  if (!options) return Refuse(options.error());
  auto call = CallOf(exchange, "DeleteOptions");
  if (!call) return Refuse(std::move(call).error());
  const auto written = Writer(state_).Delete(*call, *options);
  if (!written) return Refuse(written.error());
  return WrittenReply(exchange, *written);
}

Answer<Reply> Handler::DeleteCollection(Exchange& exchange) {
  const auto options = DeleteOptionsIn(exchange);
  if (!options) return Refuse(options.error());
  const auto list = ReadListOptions(exchange.info, exchange.kind->selectable);
  if (!list) return Refuse(list.error());
  const ListResult page = state_.CollectionOf(*exchange.kind).List(*list);
  if (!page) return Refuse(FromError(page.error().error));
  auto call = CallOf(exchange, "DeleteOptions");
  if (!call) return Refuse(std::move(call).error());
  for (const ObjectPtr& object : page->items) {
    call->namespace_ = object->metadata.namespace_;
    call->name = object->metadata.name;
    const auto deleted = Writer(state_).Delete(*call, *options);
    // Who was faster has done what was asked.
    if (!deleted && deleted.error().reason != "NotFound") return Refuse(deleted.error());
  }
  return JsonReply(200, presenter_.ListText(exchange.kind, exchange.look, *page));
}

Answer<Reply> Handler::ServeReview(Exchange& exchange) {
  auto body = BodyOf(exchange, exchange.kind->kind);
  if (!body) return Refuse(std::move(body).error());
  if (exchange.kind->kind == "Binding") {
    if (const auto fits = CheckShape(exchange.kind->Gvk(), *body); !fits) {
      return Refuse(fits.error());
    }
    auto call = CallOf(exchange, "CreateOptions");
    if (!call) return Refuse(std::move(call).error());
    call->kind = state_.kinds.Find("", "v1", "pods");
    call->name = body->value("/metadata/name"_json_pointer, "");
    call->subresource = "binding";
    const auto bound = BindPod(state_, *call, *body);
    if (!bound) return Refuse(bound.error());
    return JsonReply(201, bound->text);
  }
  const auto call = CallOf(exchange, "CreateOptions");
  if (!call) return Refuse(call.error());
  const auto admitted =
      AdmitDocument(*exchange.kind, call->options.validation, exchange.warnings, *body);
  if (!admitted) return Refuse(admitted.error());
  RecordUpdate(FieldWriteOf(*call, state_.clock.Wall(), true), json::object(), &*body);
  const auto answer =
      Review(state_, *exchange.kind, exchange.user, exchange.info.namespace_, std::move(*body));
  if (!answer) return Refuse(answer.error());
  return JsonReply(201, answer->dump());
}

}  // namespace berth::apiserver
