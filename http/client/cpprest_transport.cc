// SPDX-License-Identifier: Apache-2.0
#include "http/client/cpprest_transport.h"

#include <mutex>
#include <utility>

#define _TURN_OFF_PLATFORM_STRING
#include <cpprest/base_uri.h>
#include <openssl/ssl.h>
#include <pplx/threadpool.h>

#include "base/check.h"
#include "http/client/cpprest_core.h"
#include "http/client/cpprest_stream.h"
#include "http/client/tls_context.h"
#include "http/timer.h"

namespace berth::http {

namespace {

class CpprestTransport final : public Transport {
 public:
  CpprestTransport(TransportOptions options, std::shared_ptr<TlsContext> tls)
      : core_(std::make_shared<Core>(std::move(options), std::move(tls), timer_)) {}
  ~CpprestTransport() override { core_->Shutdown(); }

  void Send(Request request, Done done, std::stop_token stop) override {
    core_->Send(std::move(request), std::move(done), std::move(stop));
  }
  Result<std::unique_ptr<LineStream>> Open(Request request, std::stop_token stop) override {
    BERTH_CHECK(BlockingAllowed(), "Transport::Open on a thread that runs callbacks");
    auto stream = std::make_unique<CpprestStream>(core_, std::move(stop));
    BERTH_TRY_VOID(stream->Start(request));
    return stream;
  }

 private:
  ThreadTimer timer_;  // before core_, whose last holder may be a task or a callback of this timer
  const std::shared_ptr<Core> core_;
};

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
  if (parsed.host().front() == '[') {
    return ConfigError("server " + url +
                       ": an IPv6 address as host is not supported by this version; use a name "
                       "that resolves to it");
  }
  return parsed;
}

}  // namespace

void InitializeThreads() {
  static std::once_flag once;
  std::call_once(once, [] {
    HideSystemRoots();
    // At exit what was made last ends first. A thread that ends after OpenSSL has cleaned up cannot
    // free what OpenSSL keeps for it, and one that runs on meanwhile may still use what is gone.
    OPENSSL_init_ssl(0, nullptr);
    crossplat::threadpool::initialize_with_threads(2);
  });
}

Result<std::unique_ptr<Transport>> CreateTransport(TransportOptions options) {
  InitializeThreads();
  BERTH_TRY(const web::uri url, ParseUrl(options.url));
  std::shared_ptr<TlsContext> tls;
  if (url.scheme() == "https") {
    BERTH_TRY(tls, TlsContext::Create(options.tls));
  }
  return std::make_unique<CpprestTransport>(std::move(options), std::move(tls));
}

}  // namespace berth::http
