// SPDX-License-Identifier: Apache-2.0
#include "client/client.h"

#include <future>
#include <optional>

#include "base/check.h"
#include "base/log.h"
#include "client/status.h"
#include "http/client/transport.h"

namespace berth::client {
namespace {

constexpr int kMaxTries = 10;
constexpr size_t kMaxWarnings = 1000;

struct RawPage {
  api::ListMeta metadata;
  std::vector<json::Raw> items;
  static auto Fields() {
    return json::Object(json::Field("metadata", &RawPage::metadata),
                        json::Field("items", &RawPage::items));
  }
};

bool IsSuccess(int code) { return code >= 200 && code < 300; }

http::Headers CommonHeaders(const http::Headers& extra, const ClientOptions& options) {
  http::Headers headers = extra;
  headers.Set("User-Agent",
              "berth/" BERTH_VERSION " (linux/" BERTH_ARCHITECTURE ") " + options.component);
  headers.Set("Accept", "application/json");
  return headers;
}

// Returns the rest of a stream whose response is an error body.
std::string ReadRest(http::LineStream& stream) {
  constexpr size_t kEnough = 64 << 10;
  std::string body;
  while (body.size() < kEnough) {
    auto line = stream.Next();
    if (!line || !*line) break;
    body += **line;
  }
  return body;
}

}  // namespace

// RetriedCall is a call in progress, over all its attempts.
struct Client::RetriedCall {
  ApiRequest request;
  Callback<std::string> done;
  std::stop_source stop;  // requested by the caller or by ~Client
  std::string token_used;
  bool token_renewed = false;
  int tries = 0;
  std::chrono::milliseconds waited{0};
  bool waiting = false;  // for the next attempt; guarded by Client::mutex_
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
  std::optional<std::stop_callback<std::function<void()>>> on_closing;
};

Result<std::unique_ptr<Client>> Client::Create(const ClientConfig& config,
                                               const ClientOptions& options, const Clock& clock) {
  auto transport = http::CreateTransport({.url = config.server, .tls = config.tls});
  if (!transport) return Fail(transport.error().With(config.source));
  return std::make_unique<Client>(
      Parts{.timer = std::make_shared<http::ThreadTimer>(),
            .transport = std::move(*transport),
            .token = std::make_shared<TokenSource>(config.token, config.token_file, clock),
            .headers = config.impersonation},
      options);
}

Client::Client(Parts parts, const ClientOptions& options)
    : parts_(std::move(parts)), headers_(CommonHeaders(parts_.headers, options)) {}

Client::~Client() {
  BERTH_CHECK(http::BlockingAllowed(), "a client is destroyed on a thread that runs its callbacks");
  closing_.request_stop();
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return active_ == 0; });
}

void Client::Send(ApiRequest request, Callback<std::string> done) {
  auto exchange = std::make_shared<RetriedCall>();
  exchange->request = std::move(request);
  exchange->done = std::move(done);
  {
    std::lock_guard lock(mutex_);
    ++active_;
  }
  const auto stop = [this, weak = std::weak_ptr(exchange)] {
    const RetriedCallPtr target = weak.lock();
    if (!target) return;
    target->stop.request_stop();
    if (!TakeWaiting(target)) return;
    parts_.timer->After(std::chrono::milliseconds(0), [this, target] {
      Finish(target, Fail(Reason::kCanceled, "request canceled"));
    });
  };
  exchange->on_stop.emplace(exchange->request.options.stop, stop);
  exchange->on_closing.emplace(closing_.get_token(), stop);
  Try(exchange);
}

Result<std::string> Client::Call(ApiRequest request) {
  BERTH_CHECK(http::BlockingAllowed(), "Client::Call on a thread that runs callbacks");
  auto answer = std::make_shared<std::promise<Result<std::string>>>();
  auto arrived = answer->get_future();
  Send(std::move(request),
       [answer](Result<std::string> body) { answer->set_value(std::move(body)); });
  return arrived.get();
}

Result<http::Request> Client::ToHttp(const ApiRequest& request, std::string* token_used) {
  http::Request message{.method = request.method,
                        .target = request.target,
                        .headers = headers_,
                        .body = request.body,
                        .timeout = request.options.timeout,
                        .timeout_of = request.timeout_of,
                        .max_body_bytes = request.max_answer_bytes,
                        .lane = request.options.lane};
  if (!request.body.empty()) message.headers.Set("Content-Type", request.content_type);
  BERTH_TRY(*token_used, parts_.token->Get());
  if (!token_used->empty()) message.headers.Set("Authorization", "Bearer " + *token_used);
  return message;
}

void Client::Try(const RetriedCallPtr& exchange) {
  ++exchange->tries;
  auto message = ToHttp(exchange->request, &exchange->token_used);
  if (!message) {
    parts_.timer->After(
        std::chrono::milliseconds(0),
        [this, exchange, error = std::move(message).error()] { Finish(exchange, Fail(error)); });
    return;
  }
  parts_.transport->Send(
      std::move(*message),
      [this, exchange](Result<http::Response> response) { Judge(exchange, std::move(response)); },
      exchange->stop.get_token());
}

// Decides whether a response is the outcome or the call is retried.
void Client::Judge(const RetriedCallPtr& exchange, Result<http::Response> response) {
  if (!response) {
    RecordReachable(&response.error());
    return Finish(exchange, Fail(std::move(response).error()));
  }
  RecordReachable(nullptr);
  LogWarnings(response->headers);
  if (IsSuccess(response->code)) return Finish(exchange, std::move(response->body));

  const Error error = ErrorOf(*response);
  if (error.http_code() == 401 && !exchange->token_renewed &&
      parts_.token->Invalidate(exchange->token_used)) {
    exchange->token_renewed = true;
    return Try(exchange);
  }
  const bool rejected = error.http_code() == 429;
  const bool may_repeat =
      rejected || (error.http_code() >= 500 && exchange->request.retry == Retry::kOnRequest);
  if (error.retry_after() && may_repeat && exchange->tries < kMaxTries) {
    exchange->waited += *error.retry_after();
    const bool has_time = exchange->waited <= exchange->request.options.max_wait;
    if (has_time) return TryLater(exchange, *error.retry_after());
  }
  Finish(exchange, Fail(error));
}

void Client::TryLater(const RetriedCallPtr& exchange, std::chrono::milliseconds delay) {
  {
    std::lock_guard lock(mutex_);
    exchange->waiting = true;
  }
  parts_.timer->After(delay, [this, exchange] {
    if (TakeWaiting(exchange)) Try(exchange);
  });
  if (!exchange->stop.stop_requested() || !TakeWaiting(exchange)) return;
  Finish(exchange, Fail(Reason::kCanceled, "request canceled"));
}

// Reports whether the caller may end the wait of this call; true at most once per wait.
bool Client::TakeWaiting(const RetriedCallPtr& exchange) {
  std::lock_guard lock(mutex_);
  return std::exchange(exchange->waiting, false);
}

void Client::Finish(const RetriedCallPtr& exchange, Result<std::string> result) {
  exchange->on_stop.reset();
  exchange->on_closing.reset();
  exchange->done(std::move(result));
  exchange->done = nullptr;
  std::lock_guard lock(mutex_);
  if (--active_ == 0) idle_.notify_all();
}

Result<std::unique_ptr<WatchStream>> Client::Watch(const api::ResourceInfo& resource,
                                                   std::string_view ns, const WatchOptions& watch,
                                                   std::stop_token stop) {
  BERTH_TRY(auto lines, OpenOnce(WatchRequest(resource, ns, watch), true, std::move(stop)));
  return std::make_unique<WatchStream>(std::move(lines));
}

Result<std::unique_ptr<http::LineStream>> Client::OpenOnce(const ApiRequest& request,
                                                           bool may_renew, std::stop_token stop) {
  std::string token_used;
  BERTH_TRY(auto message, ToHttp(request, &token_used));
  auto stream = parts_.transport->Open(std::move(message), stop);
  if (!stream) {
    RecordReachable(&stream.error());
    return stream;
  }
  RecordReachable(nullptr);
  LogWarnings((*stream)->headers());
  const int code = (*stream)->code();
  if (IsSuccess(code)) return stream;
  if (code == 401 && may_renew && parts_.token->Invalidate(token_used)) {
    return OpenOnce(request, false, std::move(stop));
  }
  return Fail(ErrorOf({.code = code, .headers = (*stream)->headers(), .body = ReadRest(**stream)}));
}

Result<std::string> Client::ApplyRaw(const api::ResourceInfo& resource, std::string_view ns,
                                     std::string_view name, std::string json_body,
                                     std::string_view field_manager, bool force,
                                     CallOptions options) {
  ApiRequest request = PatchRequest(
      resource, ns, name, std::move(json_body),
      {.type = PatchType::kApply, .field_manager = std::string(field_manager), .force = force});
  request.options = std::move(options);
  return Call(std::move(request));
}

Result<void> Client::DeleteRaw(const api::ResourceInfo& resource, std::string_view ns,
                               std::string_view name, const api::DeleteOptions& what,
                               CallOptions options) {
  ApiRequest request = DeleteRequest(resource, ns, name, what);
  request.options = std::move(options);
  BERTH_TRY([[maybe_unused]] const std::string body, Call(std::move(request)));
  return {};
}

Result<std::string> Client::ListEach(const api::ResourceInfo& resource, std::string_view ns,
                                     ListOptions list,
                                     const std::function<void(std::string object)>& take,
                                     const CallOptions& options) {
  while (true) {
    ApiRequest request = ListRequest(resource, ns, list);
    request.options = options;
    auto body = Call(std::move(request));
    const bool too_large = !body && body.error().Is(Reason::kRequestEntityTooLarge);
    if (too_large && list.limit > 1) {
      list.limit /= 2;
      continue;
    }
    if (!body) return Fail(std::move(body).error());
    auto page = json::Decode<RawPage>(*body);
    body = std::string();  // the items are copies
    if (!page) return Fail(page.error().With("list of " + std::string(resource.plural)));
    for (json::Raw& item : page->items) take(std::move(item.text));
    if (page->metadata.continue_.empty()) return std::move(page->metadata.resource_version);
    list.continue_token = std::move(page->metadata.continue_);
  }
}

Result<RawList> Client::ListRaw(const api::ResourceInfo& resource, std::string_view ns,
                                const ListOptions& list, CallOptions options) {
  RawList objects;
  const auto list_all = [&] {
    return ListEach(
        resource, ns, list,
        [&objects](std::string object) { objects.items.push_back(std::move(object)); }, options);
  };
  auto version = list_all();
  const bool expired_later =
      !version && version.error().http_code() == 410 && !objects.items.empty();
  if (expired_later) {
    objects.items.clear();
    version = list_all();
  }
  if (!version) return Fail(std::move(version).error());
  objects.resource_version = std::move(*version);
  return objects;
}

void Client::LogWarnings(const http::Headers& headers) {
  for (const std::string_view line : headers.All("Warning")) {
    for (std::string& text : WarningTexts(line)) {
      {
        std::lock_guard lock(mutex_);
        if (warned_.size() >= kMaxWarnings || !warned_.insert(text).second) continue;
      }
      log::Warn("Received a warning from the API server", {{"warning", text}});
    }
  }
}

void Client::RecordReachable(const Error* failure) {
  const bool away =
      failure != nullptr && (failure->Is(Reason::kUnavailable) || failure->Is(Reason::kTimeout));
  if (failure != nullptr && !away) return;
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(unreachable_, away) == away) return;
  }
  if (away) {
    log::Warn("Lost the API server, retrying until it is back", {{"err", *failure}});
  } else {
    log::Info("Reached the API server again");
  }
}

}  // namespace berth::client
