// SPDX-License-Identifier: Apache-2.0
#include "http/client/cpprest_carrier.h"

#include <chrono>
#include <exception>
#include <mutex>
#include <utility>

#include <cpprest/http_client.h>
#include <openssl/ssl.h>
#include <pplx/threadpool.h>

#include "http/client/cpprest_messages.h"
#include "http/client/give_up.h"
#include "http/client/sink_streambuf.h"

namespace berth::http {
namespace {

using web::http::http_response;

// The library's own timer restarts with each piece of a body; our timers fire much earlier. The
// library interprets zero as "at once".
constexpr std::chrono::hours kNoTimeout{24 * 365};

// Cancellation adapts a stop token to the library.
class Cancellation {
 public:
  explicit Cancellation(std::stop_token stop)
      : on_stop_(std::move(stop), [source = source_] { source.cancel(); }) {}
  pplx::cancellation_token token() const { return source_.get_token(); }

 private:
  const pplx::cancellation_token_source source_;
  const StopCallback on_stop_;
};

class CpprestCarrier final : public Carrier {
 public:
  CpprestCarrier(const TransportOptions& options, std::shared_ptr<TlsContext> tls)
      : url_(options.url),
        server_name_(options.tls.server_name),
        tls_(std::move(tls)),
        client_(options.url, Config(options)) {}

  void Carry(const Request& request, std::shared_ptr<Receiver> receiver,
             std::stop_token give_up) override;
  void Post(std::function<void()> function) override { pplx::create_task(std::move(function)); }

 private:
  web::http::client::http_client_config Config(const TransportOptions& options) const;
  Error WhyFailed(std::exception_ptr failure) const {
    return FromFailure(std::move(failure), url_, tls_ ? tls_->LastFailure() : "", kNoTimeout);
  }
  void EndSoon(std::shared_ptr<Receiver> receiver, Error why) {
    Post([receiver = std::move(receiver), why = std::move(why)] { receiver->OnEnd(Fail(why)); });
  }

  const std::string url_;
  const std::string server_name_;
  const std::shared_ptr<TlsContext> tls_;
  web::http::client::http_client client_;
};

web::http::client::http_client_config CpprestCarrier::Config(
    const TransportOptions& options) const {
  web::http::client::http_client_config config;
  config.set_timeout(kNoTimeout);
  config.set_max_redirects(0);
  if (!tls_) return config;
  config.set_validate_certificates(!options.tls.insecure_skip_verify);
  config.set_ssl_context_callback([tls = tls_](boost::asio::ssl::context& context) {
    auto configured = tls->Configure(context.native_handle());
    if (!configured) throw TlsUnusable(std::move(configured).error());
  });
  return config;
}

// The library's task for written bytes completes when the receiver can accept more.
concurrency::streams::ostream BodyTo(const std::shared_ptr<Carrier::Receiver>& receiver) {
  return BodyStream([receiver](std::string_view bytes) {
    const pplx::task_completion_event<size_t> taken;
    const size_t size = bytes.size();
    if (receiver->OnBody(bytes, [taken, size] { taken.set(size); })) {
      return pplx::task_from_result(size);
    }
    return pplx::create_task(taken);
  });
}

void CpprestCarrier::Carry(const Request& request, std::shared_ptr<Receiver> receiver,
                           std::stop_token give_up) {
  auto message = ToLibrary(request, server_name_);
  if (!message) return EndSoon(std::move(receiver), std::move(message).error());
  message->set_response_stream(BodyTo(receiver));
  const auto cancellation = std::make_shared<Cancellation>(std::move(give_up));
  try {
    client_.request(*message, cancellation->token())
        .then([receiver](http_response answer) {
          receiver->OnHead(answer.status_code(), FromLibrary(answer.headers()));
          return answer.content_ready();
        })
        .then([this, receiver, cancellation](pplx::task<http_response> task) {
          Result<void> how;
          try {
            task.get();
          } catch (...) {
            how = Fail(WhyFailed(std::current_exception()));
          }
          receiver->OnEnd(std::move(how));
        });
  } catch (...) {
    EndSoon(std::move(receiver), WhyFailed(std::current_exception()));
  }
}

}  // namespace

void InitializeThreads() {
  static std::once_flag once;
  std::call_once(once, [] {
    HideSystemRoots();
    // Objects created last are destroyed first at exit. A thread that ends after OpenSSL's cleanup
    // could not free its OpenSSL state, and a running one could use freed state.
    OPENSSL_init_ssl(0, nullptr);
    crossplat::threadpool::initialize_with_threads(2);
  });
}

std::shared_ptr<Carrier> MakeCpprestCarrier(const TransportOptions& options,
                                            std::shared_ptr<TlsContext> tls) {
  return std::make_shared<CpprestCarrier>(options, std::move(tls));
}

}  // namespace berth::http
