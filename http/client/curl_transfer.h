// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/client/carrier.h"
#include "http/client/give_up.h"
#include "http/client/guarded_transport.h"
#include "http/client/tls_context.h"
#include "http/client/transport.h"

namespace berth::http {

template <auto Free>
struct CurlFreer {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

// CurlServer holds the address of a server and its TLS settings, for libcurl.
struct CurlServer {
  CurlServer(const TransportOptions& options, std::shared_ptr<TlsContext> tls_context,
             Guard guard_options);

  std::string url;   // as in the options, for messages
  std::string base;  // scheme, expected name, port and prefix: the prefix of targets
  std::string name;  // expected in the certificate; sent as SNI unless an address
  // Set if the expected name is not the host: CURLOPT_CONNECT_TO.
  std::unique_ptr<curl_slist, CurlFreer<curl_slist_free_all>> connect_to;
  bool insecure_skip_verify;
  std::shared_ptr<TlsContext> tls;  // null for http
  Guard guard;
};

// CurlTransfer is one exchange of libcurl. Used only on the carrier's thread.
class CurlTransfer {
 public:
  // Callable from any thread, also after the transfer has ended.
  struct Controls {
    std::function<void()> resume;
    std::function<void()> abort;
  };

  // Requires: the server outlives this.
  CurlTransfer(const CurlServer& server, Request request,
               std::shared_ptr<Carrier::Receiver> receiver, Controls controls,
               std::stop_token give_up);

  // Configures the handle. Errors (kBadRequest): the target is not encoded.
  Result<void> Prepare();

  CURL* handle() const { return handle_.get(); }

  void Resume() { curl_easy_pause(handle(), CURLPAUSE_CONT); }

  // Notifies the receiver. Requires: the handle was removed from the carrier's multi handle.
  void End(CURLcode code) { receiver_->OnEnd(Judge(code)); }
  void End(Error why) { receiver_->OnEnd(Fail(std::move(why))); }

 private:
  void SetMethod();
  void SetHeaders();
  void SetTls();
  void SetGuard();
  void AddHeader(const std::string& line);
  void OnHeaderLine(std::string_view line);
  CURLcode OnTlsContext(SSL_CTX* context);
  curl_socket_t OpenSocket(const curl_sockaddr& address);
  Result<void> Judge(CURLcode code);

  const CurlServer& server_;
  const Request request_;
  const std::shared_ptr<Carrier::Receiver> receiver_;
  const Controls controls_;

  std::unique_ptr<CURL, CurlFreer<curl_easy_cleanup>> handle_{curl_easy_init()};
  std::unique_ptr<curl_slist, CurlFreer<curl_slist_free_all>> headers_;
  std::array<char, CURL_ERROR_SIZE> why_{};
  std::optional<Error> tls_error_;  // of the CA, certificate or key files
  std::string rejected_;            // the guard's reason for the last rejected address
  Headers answer_headers_;
  bool head_told_ = false;
  StopCallback on_give_up_;
};

}  // namespace berth::http
