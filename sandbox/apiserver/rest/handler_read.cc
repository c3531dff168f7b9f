// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/replies.h"

// The reading verbs: get, list and watch.
namespace berth::apiserver {
Answer<ObjectPtr> Handler::Find(const Exchange& exchange) {
  const RequestInfo& info = exchange.info;
  const Collection& collection = state_.CollectionOf(*exchange.kind);
  const auto version = ParseVersion(info.query.Get("resourceVersion"));
  if (!version) return Reject(Unclassified(version.error().message()));
  if (*version > state_.store.version()) {
    return Reject(
        TooLargeResourceVersion(std::to_string(*version), std::to_string(state_.store.version())));
  }
  if (options_.stale_version) {
    if (const auto old = collection.GetAt(info.namespace_, info.name, *options_.stale_version))
      return *old;
    return Reject(NotFound(exchange.kind->Resource(), info.name));
  }
  const ObjectPtr object = collection.Find(info.namespace_, info.name);
  if (object == nullptr) return Reject(NotFound(exchange.kind->Resource(), info.name));
  return object;
}

Answer<Reply> Handler::Get(Exchange& exchange) {
  const auto object = Find(exchange);
  if (!object) return Reject(object.error());
  return JsonReply(200, presenter_.ObjectText(exchange.kind, exchange.look, **object));
}

Answer<Reply> Handler::List(Exchange& exchange) {
  const Collection& collection = state_.CollectionOf(*exchange.kind);
  auto options = ReadListOptions(exchange.info, *exchange.kind);
  if (!options) return Reject(std::move(options).error());
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
  return Reject(std::move(error));
}

Answer<Reply> Handler::Watch(Exchange& exchange) {
  RequestInfo info = exchange.info;
  if (!info.name.empty() && info.query.Get("fieldSelector").empty()) {
    info.query.Set("fieldSelector", "metadata.name=" + info.name);
  }
  auto asked = ReadWatchRequest(info, *exchange.kind, options_.watch_list);
  if (!asked) return Reject(std::move(asked).error());
  asked->options.representation = presenter_.LookOf(exchange.kind, exchange.look);
  auto watcher = state_.CollectionOf(*exchange.kind).Watch(std::move(asked->options));
  if (!watcher) {
    // A malformed version is an error without a reason, as in the real server.
    return Reject(Unclassified(watcher.error().message()));
  }
  Reply reply = JsonReply(200, {});
  reply.watcher = std::move(*watcher);
  reply.watch_for =
      asked->timeout.count() > 0
          ? asked->timeout
          : std::chrono::seconds(1800 + static_cast<int64_t>(state_.random.Below(1800)));
  if (exchange.look.shape == Shape::kTable) {
    Look later = exchange.look;
    later.with_columns = false;
    reply.later = presenter_.LookOf(exchange.kind, later);
  }
  return reply;
}

}  // namespace berth::apiserver
