// SPDX-License-Identifier: Apache-2.0
#include "bench/wire/http_connection.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/strings.h"

namespace berth::bench {
namespace {

constexpr size_t kReadBytes = 256 << 10;

// Returns the value of a header line; it begins after `name` and ": ".
std::string_view HeaderValue(std::string_view head, std::string_view name) {
  size_t at = head.find(name);
  if (at == std::string_view::npos) return {};
  at += name.size() + 2;
  return head.substr(at, head.find('\r', at) - at);
}

size_t Number(std::string_view digits, int base) {
  size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

}  // namespace

Result<HttpConnection> HttpConnection::Connect(const Options& options) {
  BERTH_TRY(std::unique_ptr<http::Wire> wire, http::Wire::Connect(options.port, options.tls));
  std::string head =
      " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: load/1\r\nAccept: application/json\r\n";
  if (!options.token.empty()) head += "Authorization: Bearer " + options.token + "\r\n";
  return HttpConnection(std::move(wire), std::move(head));
}

Result<void> HttpConnection::Send(const WireRequest& request) {
  out_.clear();
  out_.append(request.method).append(" ").append(request.target).append(common_head_);
  if (request.accepts_gzip) out_ += "Accept-Encoding: gzip\r\n";
  if (!request.body.empty()) {
    out_.append("Content-Type: ").append(request.content_type).append("\r\n");
    out_.append("Content-Length: ").append(std::to_string(request.body.size())).append("\r\n");
  }
  out_.append("\r\n").append(request.body);
  return wire_->Send(out_);
}

Result<void> HttpConnection::Receive() {
  if (at_ > 0) in_.erase(0, std::exchange(at_, 0));
  const size_t had = in_.size();
  in_.resize(had + kReadBytes);
  auto received = wire_->Receive(std::span(in_).subspan(had));
  in_.resize(had + received.value_or(0));
  if (!received) return Fail(std::move(received).error());
  if (*received == 0) return Fail(Reason::kUnavailable, "the server closed the connection");
  return {};
}

bool HttpConnection::ReadHead() {
  const std::string_view in = std::string_view(in_).substr(at_);
  const size_t end = in.find("\r\n\r\n");
  if (end == std::string_view::npos) return false;
  const std::string_view head = in.substr(0, end + 2);
  answer_ = {.code = static_cast<int>(Number(head.substr(std::min(head.find(' ') + 1, end)), 10)),
             .body = {}};
  chunked_ = HeaderValue(head, "Transfer-Encoding") == "chunked";
  left_ = Number(HeaderValue(head, "Content-Length"), 10);
  in_body_ = true;
  at_ += end + 4;
  return true;
}

// Returns true after the last chunk.
bool HttpConnection::ReadChunks(std::string& body) {
  static constexpr size_t kLineEnd = 2;
  while (true) {
    if (left_ == 0) {
      const size_t end = in_.find("\r\n", at_);
      if (end == std::string::npos) return false;
      const size_t size = Number(std::string_view(in_).substr(at_, end - at_), 16);
      if (size == 0 && in_.size() < end + 2 * kLineEnd) return false;
      at_ = end + kLineEnd;
      if (size == 0) {
        at_ += kLineEnd;
        return true;
      }
      left_ = size + kLineEnd;
    }
    const size_t come = std::min(left_, in_.size() - at_);
    const size_t of_body = std::min(come, left_ - std::min(left_, kLineEnd));
    body.append(in_, at_, of_body);
    at_ += come;
    left_ -= come;
    if (left_ > 0) return false;
  }
}

Result<std::optional<WireAnswer>> HttpConnection::Poll() {
  BERTH_TRY_VOID(Receive());
  if (!in_body_ && !ReadHead()) return std::nullopt;
  if (chunked_) {
    if (!ReadChunks(answer_.body)) return std::nullopt;
  } else {
    const size_t come = std::min(left_, in_.size() - at_);
    if (answer_.body.empty()) answer_.body.reserve(left_);
    answer_.body.append(in_, at_, come);
    at_ += come;
    left_ -= come;
    if (left_ > 0) return std::nullopt;
  }
  in_body_ = false;
  return std::move(answer_);
}

Result<WireAnswer> HttpConnection::Call(const WireRequest& request) {
  BERTH_TRY_VOID(Send(request));
  while (true) {
    BERTH_TRY(std::optional<WireAnswer> answer, Poll());
    if (answer) return std::move(*answer);
  }
}

Result<void> HttpConnection::Open(const WireRequest& request) {
  BERTH_TRY_VOID(Send(request));
  while (!in_body_) {
    BERTH_TRY_VOID(Receive());
    ReadHead();
  }
  if (answer_.code == 200 && chunked_) return {};
  return Fail(Reason::kUnavailable, "no stream: code " + std::to_string(answer_.code));
}

Result<bool> HttpConnection::Read(std::string& body) {
  const size_t before = at_;
  const bool over = ReadChunks(body);
  if (over || at_ > before) return !over;  // bytes that came with the head
  BERTH_TRY_VOID(Receive());
  return !ReadChunks(body);
}

}  // namespace berth::bench
