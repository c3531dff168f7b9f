// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "http/server/server.h"
#include "tests/http/server/raw_client.h"

// Robustness of the health and metrics endpoints against malicious clients, with the options that
// the operator and schedulers use.
namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::steady_clock;

constexpr size_t kMaxGrowth = 16 << 20;
constexpr std::chrono::seconds kEnough{5};

// Sanitizers keep freed memory and shadow memory, and take ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasures = false;
#else
constexpr bool kMeasures = true;
#endif

size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// Crowd holds many connections to one server until it is destroyed.
class Crowd {
 public:
  explicit Crowd(uint16_t port) : server_(asio::ip::make_address("127.0.0.1"), port) {}

  tcp::socket& Join() {
    tcp::socket& socket = sockets_.emplace_back(io_, tcp::v4());
    // Unread data should wait in the server, not in the kernel.
    socket.set_option(asio::socket_base::receive_buffer_size(4096));
    boost::system::error_code error;
    socket.connect(server_, error);
    EXPECT_FALSE(error) << error.message() << " with " << sockets_.size() << " connections";
    return socket;
  }
  // Connects `count` clients, each of which sends `text`.
  void JoinAll(int count, const std::string& text) {
    for (int i = 0; i < count; ++i) Say(Join(), text);
  }
  // Returns false if the server has closed the connection.
  static bool Say(tcp::socket& socket, const std::string& text) {
    boost::system::error_code error;
    asio::write(socket, asio::buffer(text), error);
    return !error;
  }

 private:
  asio::io_context io_;
  const tcp::endpoint server_;
  std::deque<tcp::socket> sockets_;
};

// A server with typical options, and a kubelet that probes it continuously.
class Flood : public ::testing::Test {
 protected:
  static constexpr size_t kMetricsBytes = 1 << 20;
  static constexpr int kCrowd = 1000;
  // A client and a server in one process need two descriptors per connection.
  static constexpr rlim_t kDescriptors = 2200;

  void SetUp() override {
    rlimit limit = {};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max < kDescriptors) {
      GTEST_SKIP() << "a crowd of connections needs " << kDescriptors
                   << " open files; ulimit -Hn is " << limit.rlim_max;
    }
    limit.rlim_cur = std::max(limit.rlim_cur, kDescriptors);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    ASSERT_EQ(Probe(), "ok");
    before_ = ResidentBytes();
    kubelet_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) ProbeInTime();
    });
  }

  // Ends the probes first, so that each is evaluated.
  void TearDown() override {
    if (IsSkipped()) return;
    kubelet_ = {};
    ProbeInTime();
    EXPECT_GT(probes_, 1);
    EXPECT_EQ(unanswered_, 0);
    RecordProperty("slowest_probe_ms", static_cast<int>(slowest_ / std::chrono::milliseconds(1)));
    RecordProperty("most_requests_ahead", most_ahead_);
    RecordProperty("grown_kib", static_cast<int>((most_ - std::min(most_, before_)) >> 10));
    // In requests instead of seconds: the same on a slow machine. Each asking connection ahead of a
    // probe in the kernel's queue is accepted after one turn, in which each accepted connection is
    // served once.
    EXPECT_LE(most_ahead_, 1 + asking_ * static_cast<int>(ServerOptions{}.max_connections));
    if (kMeasures) {
      EXPECT_LT(slowest_, kEnough);
      EXPECT_LT(most_ - std::min(most_, before_), kMaxGrowth);
    }
  }

  uint16_t port() const { return server_->port(); }

  // Connects clients with complete requests.
  void Ask(Crowd& crowd, int count, const std::string& requests) {
    asking_ = count;
    crowd.JoinAll(count, requests);
  }

  // Sends `text` repeatedly on one connection until the server closes it.
  void ExpectCutOff(const std::string& begin, const std::string& text) {
    Crowd crowd(port());
    tcp::socket& socket = crowd.Join();
    Crowd::Say(socket, begin);
    const auto end = steady_clock::now() + kEnough;
    bool open = true;
    while (open && steady_clock::now() < end) open = Crowd::Say(socket, text);
    EXPECT_FALSE(open);
  }
  void WaitForProbes(int count) {
    for (const int until = probes_ + count; probes_ < until;) std::this_thread::yield();
  }

 private:
  Response Serve(const Request& request) {
    ++served_;
    if (request.target == "/metrics") {
      return {.code = 200, .body = std::string(kMetricsBytes, 'm')};
    }
    return {.code = 200, .body = "ok"};
  }
  std::string Probe() {
    RawClient client(port());
    client.Send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const std::string answer = client.ReadAll();
    return answer.substr(answer.size() - std::min<size_t>(answer.size(), 2));
  }
  void ProbeInTime() {
    const auto begun = steady_clock::now();
    const int served_before = served_;
    if (Probe() != "ok") ++unanswered_;
    slowest_ = std::max(slowest_, steady_clock::now() - begun);
    most_ahead_ = std::max(most_ahead_, served_ - served_before);
    most_ = std::max(most_, ResidentBytes());
    ++probes_;
  }

  int asking_ = 0;  // clients with complete requests
  std::atomic<int> served_ = 0;
  const std::unique_ptr<Server> server_ =
      std::move(*Server::Start({}, [this](const Request& request) { return Serve(request); }));
  size_t before_ = 0;
  // Written by the probing thread, read after its end.
  size_t most_ = 0;
  steady_clock::duration slowest_{0};
  int most_ahead_ = 0;
  int unanswered_ = 0;
  std::atomic<int> probes_ = 0;
  std::jthread kubelet_;
};

const std::string kChunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST_F(Flood, ClosesOnEndlessChunkSizeLine) { ExpectCutOff(kChunked, std::string(64 << 10, '0')); }

TEST_F(Flood, ClosesOnEndlessChunkExtension) {
  ExpectCutOff(kChunked + "1;", std::string(64 << 10, 'e'));
}

TEST_F(Flood, ClosesOnEndlessTrailer) {
  ExpectCutOff(kChunked + "0\r\n", "Trailer: " + std::string(64 << 10, 't') + "\r\n");
}

TEST_F(Flood, ClosesOnEndlessHeader) {
  ExpectCutOff("GET / HTTP/1.1\r\n", "X: " + std::string(64 << 10, 'h') + "\r\n");
}

TEST_F(Flood, UnexpectedBodiesUseNoMemory) {
  Crowd crowd(port());
  crowd.JoinAll(64, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n" +
                        std::string((1 << 20) - 1, 'b'));
}

TEST_F(Flood, ProbesSurviveThousandSilentConnections) {
  Crowd crowd(port());
  crowd.JoinAll(kCrowd, "");
  WaitForProbes(20);
}

TEST_F(Flood, ProbesSurviveThousandPartialRequests) {
  Crowd crowd(port());
  crowd.JoinAll(kCrowd, "GET / HTTP/1.1\r\nX: " + std::string(8 << 10, 'x'));
  WaitForProbes(20);
}

TEST_F(Flood, ProbesSurviveClientsThatNeverRead) {
  Crowd crowd(port());
  Ask(crowd, 200, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  WaitForProbes(20);
}

TEST_F(Flood, ProbesSurviveThousandBusyConnections) {
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  Crowd crowd(port());
  Ask(crowd, kCrowd, requests);
  WaitForProbes(20);
}

TEST_F(Flood, PipelinedRequestsWaitOutsideProcess) {
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
  Crowd crowd(port());
  Ask(crowd, 1, requests);
  WaitForProbes(20);
}

}  // namespace
}  // namespace berth::http
