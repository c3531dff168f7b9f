// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <utility>

#include <cpprest/http_msg.h>

#include "base/error.h"
#include "http/headers.h"
#include "http/message.h"

// Converts between our messages and errors and those of cpprestsdk.
namespace berth::http {

// TlsUnusable carries an error of the TLS setup through the library's tasks.
struct TlsUnusable : std::exception {
  explicit TlsUnusable(Error why) : error(std::move(why)) {}
  const char* what() const noexcept override { return error.message().c_str(); }
  Error error;
};

// server_name: TlsOptions::server_name. Errors (kBadRequest): the target is not encoded.
Result<web::http::http_request> ToLibrary(const Request& request, const std::string& server_name);

Headers FromLibrary(const web::http::http_headers& headers);

// Returns the Error for an exception of a library task. `tls_failure` is the reason of the last
// failed verification of this server, `silence` the timeout of the library's client.
Error FromFailure(std::exception_ptr failure, const std::string& url,
                  const std::string& tls_failure, std::chrono::milliseconds silence);

}  // namespace berth::http
