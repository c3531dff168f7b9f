// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include <cpprest/astreambuf.h>

namespace berth::http {

// SinkStreambuf passes a response body of cpprestsdk to a function. The library reads no more from
// the connection until the function's task completes. Write only.
class SinkStreambuf final : public concurrency::streams::details::streambuf_state_manager<uint8_t> {
  using Base = concurrency::streams::details::streambuf_state_manager<uint8_t>;
  using Int = Base::int_type;
  using Pos = Base::pos_type;
  using Off = Base::off_type;
  using Mode = std::ios_base::openmode;

 public:
  // Sink receives bytes that are valid during the call, and returns their number.
  using Sink = std::function<pplx::task<size_t>(std::string_view bytes)>;

  explicit SinkStreambuf(Sink sink) : Base(std::ios_base::out), sink_(std::move(sink)) {}

  bool can_seek() const override { return false; }
  bool has_size() const override { return false; }
  size_t buffer_size(Mode) const override { return 0; }
  void set_buffer_size(size_t, Mode) override {}
  size_t in_avail() const override { return 0; }
  Pos getpos(Mode) const override { return static_cast<Pos>(Traits::eof()); }
  Pos seekpos(Pos, Mode) override { return static_cast<Pos>(Traits::eof()); }
  Pos seekoff(Off, std::ios_base::seekdir, Mode) override {
    return static_cast<Pos>(Traits::eof());
  }
  bool acquire(uint8_t*&, size_t&) override { return false; }
  void release(uint8_t*, size_t) override {}

 protected:
  pplx::task<size_t> _putn(const uint8_t* data, size_t size) override {
    return sink_(std::string_view(reinterpret_cast<const char*>(data), size));
  }
  pplx::task<Int> _putc(uint8_t byte) override {
    return _putn(&byte, 1).then([byte](size_t) { return static_cast<Int>(byte); });
  }
  pplx::task<bool> _sync() override { return pplx::task_from_result(true); }

  // Unreachable, because the buffer is not readable.
  pplx::task<Int> _bumpc() override { return End(); }
  Int _sbumpc() override { return Traits::eof(); }
  pplx::task<Int> _getc() override { return End(); }
  Int _sgetc() override { return Traits::eof(); }
  pplx::task<Int> _nextc() override { return End(); }
  pplx::task<Int> _ungetc() override { return End(); }
  pplx::task<size_t> _getn(uint8_t*, size_t) override { return pplx::task_from_result<size_t>(0); }
  size_t _scopy(uint8_t*, size_t) override { return 0; }
  uint8_t* _alloc(size_t) override { return nullptr; }
  void _commit(size_t) override {}

 private:
  using Traits = Base::traits;

  static pplx::task<Int> End() { return pplx::task_from_result<Int>(Traits::eof()); }

  const Sink sink_;
};

// Returns a sink as an ostream for the library's set_response_stream.
inline concurrency::streams::ostream BodyStream(SinkStreambuf::Sink sink) {
  return concurrency::streams::ostream(
      concurrency::streams::streambuf<uint8_t>(std::make_shared<SinkStreambuf>(std::move(sink))));
}

}  // namespace berth::http
