// SPDX-License-Identifier: Apache-2.0
#include "http/client/curl_transfer.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/strings.h"

namespace berth::http {
namespace {

using Url = std::unique_ptr<CURLU, CurlFreer<curl_url_cleanup>>;

std::string PartOf(const Url& url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return "";
  std::string copy(text);
  curl_free(text);
  return copy;
}

std::string WithoutBrackets(std::string host) {
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

std::string WithBrackets(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

// libcurl would send an unencoded target unchanged.
bool IsEncoded(std::string_view target) {
  return target.starts_with('/') && std::all_of(target.begin(), target.end(), [](char c) {
           return c > ' ' && c < 0x7f && c != '#' && c != '"' && c != '<' && c != '>' && c != '\\';
         });
}

bool HasBody(const Request& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT" ||
         request.method == "PATCH";
}

struct Endpoint {
  std::string address;
  uint16_t port = 0;
};

// Returns an empty address for families other than IPv4 and IPv6.
Endpoint EndpointOf(const curl_sockaddr& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.family == AF_INET) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, &address.addr, sizeof ipv4);
    inet_ntop(AF_INET, &ipv4.sin_addr, text, sizeof text);
    return {text, ntohs(ipv4.sin_port)};
  }
  if (address.family == AF_INET6) {
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, &address.addr, sizeof ipv6);
    inet_ntop(AF_INET6, &ipv6.sin6_addr, text, sizeof text);
    return {text, ntohs(ipv6.sin6_port)};
  }
  return {};
}

}  // namespace

CurlServer::CurlServer(const TransportOptions& options, std::shared_ptr<TlsContext> tls_context,
                       Guard guard_options)
    : url(options.url),
      insecure_skip_verify(options.tls.insecure_skip_verify),
      tls(std::move(tls_context)),
      guard(std::move(guard_options)) {
  const Url parsed(curl_url());
  curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0);
  const std::string host = PartOf(parsed, CURLUPART_HOST);
  const std::string port = PartOf(parsed, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  std::string prefix = PartOf(parsed, CURLUPART_PATH);
  if (prefix.ends_with('/')) prefix.pop_back();
  name = options.tls.server_name.empty() ? WithoutBrackets(host) : options.tls.server_name;
  base = PartOf(parsed, CURLUPART_SCHEME) + "://" + WithBrackets(name) + ":" + port + prefix;
  if (!options.tls.server_name.empty()) {
    connect_to.reset(curl_slist_append(nullptr, ("::" + host + ":" + port).c_str()));
  }
}

CurlTransfer::CurlTransfer(const CurlServer& server, Request request,
                           std::shared_ptr<Carrier::Receiver> receiver, Controls controls,
                           std::stop_token give_up)
    : server_(server),
      request_(std::move(request)),
      receiver_(std::move(receiver)),
      controls_(std::move(controls)),
      on_give_up_(std::move(give_up), controls_.abort) {}

Result<void> CurlTransfer::Prepare() {
  if (!IsEncoded(request_.target)) {
    return Fail(Reason::kBadRequest, "request path " + request_.target + ": is not encoded");
  }
  CURL* const curl = handle();
  curl_easy_setopt(curl, CURLOPT_URL, (server_.base + request_.target).c_str());
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECT_TO, server_.connect_to.get());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(curl, CURLOPT_PROXY, "");  // ignores the environment's proxy
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why_.data());
  SetMethod();
  SetHeaders();
  if (server_.tls) SetTls();
  SetGuard();

  using Write = size_t (*)(char*, size_t, size_t, void*);
  const Write on_header = [](char* bytes, size_t, size_t size, void* self) {
    static_cast<CurlTransfer*>(self)->OnHeaderLine({bytes, size});
    return size;
  };
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
  const Write on_body = [](char* bytes, size_t, size_t size, void* target) {
    const auto* self = static_cast<CurlTransfer*>(target);
    const bool goes_on = self->receiver_->OnBody({bytes, size}, self->controls_.resume);
    if (!goes_on) curl_easy_pause(self->handle(), CURLPAUSE_RECV);
    return size;
  };
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  return {};
}

void CurlTransfer::SetMethod() {
  CURL* const curl = handle();
  if (HasBody(request_)) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request_.body.c_str());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request_.body.size()));
  }
  if (request_.method == "HEAD") {
    curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  } else {
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
}

void CurlTransfer::SetHeaders() {
  for (const auto& [name, value] : request_.headers) {
    AddHeader(value.empty() ? name + ";" : name + ": " + value);
  }
  // A name without a value removes a header that libcurl would add.
  if (!request_.headers.Find("Content-Type")) {
    AddHeader(request_.body.empty() ? "Content-Type:" : "Content-Type: application/json");
  }
  AddHeader("Expect:");
  curl_easy_setopt(handle(), CURLOPT_HTTPHEADER, headers_.get());
}

void CurlTransfer::AddHeader(const std::string& line) {
  headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
}

// Sessions are not resumed: the server must see the current client certificate, not an old one.
void CurlTransfer::SetTls() {
  CURL* const curl = handle();
  const long verifies = server_.insecure_skip_verify ? 0 : 1;
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, verifies);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, verifies * 2);
  curl_easy_setopt(curl, CURLOPT_CAINFO, nullptr);  // trust comes from our own store
  curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
  curl_easy_setopt(curl, CURLOPT_SSL_SESSIONID_CACHE, 0L);
  const curl_ssl_ctx_callback on_context = [](CURL*, void* context, void* self) {
    return static_cast<CurlTransfer*>(self)->OnTlsContext(static_cast<SSL_CTX*>(context));
  };
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, on_context);
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_DATA, this);
}

void CurlTransfer::SetGuard() {
  CURL* const curl = handle();
  if (!server_.guard.keeps_connections) {
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
  }
  if (!server_.guard.reject) return;
  const curl_opensocket_callback on_open = [](void* self, curlsocktype, curl_sockaddr* address) {
    return static_cast<CurlTransfer*>(self)->OpenSocket(*address);
  };
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_open);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, this);
}

// libcurl connects the socket to exactly this address.
curl_socket_t CurlTransfer::OpenSocket(const curl_sockaddr& address) {
  const auto [numbers, port] = EndpointOf(address);
  if (auto why = server_.guard.reject(numbers, port)) {
    rejected_ = numbers + ": " + *why;
    return CURL_SOCKET_BAD;
  }
  return socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
}

CURLcode CurlTransfer::OnTlsContext(SSL_CTX* context) {
  auto configured = server_.tls->Configure(context);
  if (!configured) {
    tls_error_ = configured.error().With("TLS to " + server_.url);
    return CURLE_SSL_CERTPROBLEM;
  }
  server_.tls->ExpectName(context, server_.name);
  return CURLE_OK;
}

// libcurl passes each header line, including those of interim responses and trailers.
void CurlTransfer::OnHeaderLine(std::string_view line) {
  if (head_told_) return;
  if (line.starts_with("HTTP/")) answer_headers_ = {};
  if (const size_t colon = line.find(':'); colon != std::string_view::npos) {
    answer_headers_.Add(std::string(line.substr(0, colon)),
                        std::string(TrimSpace(line.substr(colon + 1))));
  }
  if (!TrimSpace(line).empty()) return;
  long code = 0;
  curl_easy_getinfo(handle(), CURLINFO_RESPONSE_CODE, &code);
  if (code < 200) return;
  head_told_ = true;
  receiver_->OnHead(static_cast<int>(code), std::move(answer_headers_));
}

Result<void> CurlTransfer::Judge(CURLcode code) {
  if (code == CURLE_OK && head_told_) return {};
  if (tls_error_) return Fail(*tls_error_);
  if (code == CURLE_COULDNT_CONNECT && !rejected_.empty()) {
    return Fail(Reason::kUnavailable, server_.url + " must not be connected to " + rejected_);
  }
  if (code == CURLE_OK) {  // libcurl treats truncated headers as complete
    return Fail(Reason::kUnavailable,
                "no answer from " + server_.url + ": the response ends within its headers");
  }
  const std::string why = why_.front() == '\0' ? curl_easy_strerror(code) : why_.data();
  if (code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION) {
    const std::string reason = server_.tls->LastFailure();
    return Fail(Reason::kUnavailable, "TLS handshake with " + server_.url +
                                          " failed: " + (reason.empty() ? why : reason));
  }
  return Fail(Reason::kUnavailable, "no answer from " + server_.url + ": " + why);
}

}  // namespace berth::http
