// SPDX-License-Identifier: Apache-2.0
#include "http/client/transport.h"

#include <algorithm>
#include <future>
#include <utility>

#include <cpprest/base_uri.h>

#include "base/check.h"
#include "http/callback_scope.h"
#include "http/client/body_lines.h"
#include "http/client/core.h"
#include "http/client/cpprest_carrier.h"
#include "http/client/curl_carrier.h"
#include "http/client/guarded_transport.h"
#include "http/client/tls_context.h"
#include "http/timer.h"

namespace berth::http {
namespace {

thread_local bool runs_callbacks = false;

class CarriedTransport final : public Transport {
 public:
  CarriedTransport(TransportOptions options, const std::shared_ptr<Carrier>& carrier)
      : core_(std::make_shared<Core>(std::move(options), carrier, timer_)) {}
  ~CarriedTransport() override { core_->Shutdown(); }

  void Send(Request request, Done done, std::stop_token stop) override {
    core_->Send(std::move(request), std::move(done), std::move(stop));
  }
  Result<std::unique_ptr<LineStream>> Open(Request request, std::stop_token stop) override {
    BERTH_CHECK(BlockingAllowed(), "Transport::Open on a thread that runs callbacks");
    auto lines = std::make_unique<BodyLines>(core_, std::move(request), std::move(stop));
    BERTH_TRY_VOID(lines->Start());
    return lines;
  }

 private:
  ThreadTimer timer_;  // before core_: a task or a callback of this timer may hold it last
  const std::shared_ptr<Core> core_;
};

// Reports whether the host is an IPv6 address without brackets, which the library would misread: it
// takes the first colon for the port's.
bool LacksBrackets(const std::string& url) {
  const size_t begin = url.find("://") + 3;
  const std::string authority = url.substr(begin, url.find('/', begin) - begin);
  if (authority.starts_with('[')) return authority.find(']') == std::string::npos;
  return std::count(authority.begin(), authority.end(), ':') > 1;
}

Result<web::uri> ParseUrl(const std::string& url) {
  web::uri parsed;
  try {
    parsed = web::uri(url);
  } catch (const std::exception& error) {
    return ConfigError("server " + url + ": not a URL: " + error.what());
  }
  if (parsed.scheme() != "https" && parsed.scheme() != "http") {
    return ConfigError("server " + url + ": the scheme is \"" + parsed.scheme() +
                       "\"; allowed: https, http");
  }
  if (parsed.host().empty()) return ConfigError("server " + url + ": has no host");
  if (LacksBrackets(url)) {
    return ConfigError("server " + url + ": an IPv6 address must be enclosed in brackets, as in " +
                       "https://[fd00::1]:6443");
  }
  return parsed;
}

Result<web::uri> Prepare(const std::string& url) {
  InitializeThreads();
  return ParseUrl(url);
}

// Returns null for http.
Result<std::shared_ptr<TlsContext>> TlsFor(const web::uri& url, const TlsOptions& options) {
  if (url.scheme() != "https") return nullptr;
  return TlsContext::Create(options);
}

bool IsIpv6Literal(const web::uri& url) { return url.host().front() == '['; }

}  // namespace

CallbackScope::CallbackScope() : outer_(std::exchange(runs_callbacks, true)) {}
CallbackScope::~CallbackScope() { runs_callbacks = outer_; }

bool BlockingAllowed() { return !runs_callbacks; }

Result<Response> Transport::Call(Request request, std::stop_token stop) {
  BERTH_CHECK(BlockingAllowed(), "Transport::Call on a thread that runs callbacks");
  auto answer = std::make_shared<std::promise<Result<Response>>>();
  auto arrived = answer->get_future();
  Send(
      std::move(request),
      [answer](Result<Response> response) { answer->set_value(std::move(response)); },
      std::move(stop));
  return arrived.get();
}

Result<std::unique_ptr<Transport>> CreateTransport(TransportOptions options) {
  BERTH_TRY(const web::uri url, Prepare(options.url));
  BERTH_TRY(std::shared_ptr<TlsContext> tls, TlsFor(url, options.tls));
  const Library library =
      options.library.value_or(IsIpv6Literal(url) ? Library::kCurl : Library::kCpprest);
  std::shared_ptr<Carrier> carrier = library == Library::kCurl
                                         ? MakeCurlCarrier(options, std::move(tls))
                                         : MakeCpprestCarrier(options, std::move(tls));
  return std::make_unique<CarriedTransport>(std::move(options), carrier);
}

Result<std::unique_ptr<Transport>> CreateGuardedTransport(TransportOptions options, Guard guard) {
  BERTH_TRY(const web::uri url, Prepare(options.url));
  BERTH_TRY(std::shared_ptr<TlsContext> tls, TlsFor(url, options.tls));
  const auto carrier = MakeCurlCarrier(options, std::move(tls), std::move(guard));
  return std::make_unique<CarriedTransport>(std::move(options), carrier);
}

}  // namespace berth::http
