// SPDX-License-Identifier: Apache-2.0
#include "http/client/cpprest_messages.h"

#include <openssl/err.h>

namespace berth::http {

Headers FromLibrary(const web::http::http_headers& headers) {
  Headers copy;
  for (const auto& [name, value] : headers) copy.Add(name, value);
  return copy;
}

Result<web::http::http_request> ToLibrary(const Request& request, const std::string& server_name) {
  web::http::http_request message(request.method);
  try {
    message.set_request_uri(web::uri(request.target));
  } catch (const std::exception& error) {
    return Fail(Reason::kBadRequest, "request path " + request.target + ": " + error.what());
  }
  for (const auto& [name, value] : request.headers) message.headers()[name] = value;
  // The library takes SNI and the verified name from the Host header; a port would become part of
  // the name.
  if (!server_name.empty()) message.headers()["Host"] = server_name;
  if (!request.body.empty()) {
    const std::string type(request.headers.Find("Content-Type").value_or("application/json"));
    message.set_body(request.body, type);
  }
  return message;
}

namespace {

Error HandshakeError(const web::http::http_exception& error, const std::string& url,
                     std::string why) {
  if (why.empty()) {
    const auto code = static_cast<unsigned long>(error.error_code().value());
    const char* reason = ERR_reason_error_string(code);
    why = reason != nullptr ? reason : error.error_code().message();
  }
  return {Reason::kUnavailable, "TLS handshake with " + url + " failed: " + why};
}

}  // namespace

Error FromFailure(std::exception_ptr failure, const std::string& url,
                  const std::string& tls_failure, std::chrono::milliseconds silence) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const TlsUnusable& error) {
    return error.error.With("TLS to " + url);
  } catch (const web::http::http_exception& error) {
    const std::string what = error.what();
    if (error.error_code() == std::errc::timed_out) {
      return {Reason::kTimeout,
              "no data from " + url + " for " + std::to_string(silence.count()) + " ms"};
    }
    if (what.find("SSL handshake") != std::string::npos) {
      return HandshakeError(error, url, tls_failure);
    }
    return {Reason::kUnavailable, "no answer from " + url + ": " + what};
  } catch (const std::exception& error) {
    return {Reason::kUnavailable, "no answer from " + url + ": " + error.what()};
  }
}

}  // namespace berth::http
