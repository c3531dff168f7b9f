// SPDX-License-Identifier: Apache-2.0
#include "http/client/curl_carrier.h"

#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "http/callback_scope.h"
#include "http/client/curl_transfer.h"

namespace berth::http {
namespace {

constexpr int kLongPoll = 60'000;      // ms; Post ends it
constexpr long kKeptConnections = 32;  // idle ones

// CurlCarrier runs libcurl on one thread; all uses of handles are posted to it.
class CurlCarrier final : public Carrier, public std::enable_shared_from_this<CurlCarrier> {
 public:
  CurlCarrier(const TransportOptions& options, std::shared_ptr<TlsContext> tls, Guard guard)
      : server_(options, std::move(tls), std::move(guard)) {
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kKeptConnections);
  }
  ~CurlCarrier() override {
    BERTH_CHECK(!thread_.joinable(), "a carrier of libcurl is destroyed without Stop");
  }

  void Carry(const Request& request, std::shared_ptr<Receiver> receiver,
             std::stop_token give_up) override {
    Post([this, request = Request(request), receiver = std::move(receiver),
          give_up = std::move(give_up)]() mutable {
      Begin(std::move(request), std::move(receiver), std::move(give_up));
    });
  }
  void Post(std::function<void()> function) override;
  void Stop() override;

  void Start() {
    thread_ = std::thread([this] { Run(); });
  }

 private:
  using Id = uint64_t;

  void Begin(Request request, std::shared_ptr<Receiver> receiver, std::stop_token give_up);
  void Abort(Id id);
  // Returns a callback for `act` that may run on any thread, even after the transfer has ended.
  std::function<void()> Later(Id id, void (CurlCarrier::*act)(Id));
  void Resume(Id id);
  void Run();
  bool RunPosted();
  void EndFinished();
  std::unique_ptr<CurlTransfer> Take(Id id);

  const CurlServer server_;
  std::thread thread_;

  std::mutex mutex_;  // guards the members below
  std::vector<std::function<void()>> posted_;
  bool stopping_ = false;

  // Used on the thread only, except for curl_multi_wakeup.
  const std::unique_ptr<CURLM, CurlFreer<curl_multi_cleanup>> multi_{curl_multi_init()};
  Id next_id_ = 1;
  std::unordered_map<Id, std::unique_ptr<CurlTransfer>> transfers_;
  std::unordered_map<CURL*, Id> ids_;
};

void CurlCarrier::Post(std::function<void()> function) {
  std::lock_guard lock(mutex_);
  if (stopping_) return;
  posted_.push_back(std::move(function));
  curl_multi_wakeup(multi_.get());
}

void CurlCarrier::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    curl_multi_wakeup(multi_.get());
  }
  thread_.join();
}

void CurlCarrier::Run() {
  CallbackScope no_blocking;
  while (RunPosted()) {
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    EndFinished();
    curl_multi_poll(multi_.get(), nullptr, 0, kLongPoll, nullptr);
  }
}

// Returns false when the carrier stops.
bool CurlCarrier::RunPosted() {
  std::vector<std::function<void()>> posted;
  {
    std::lock_guard lock(mutex_);
    posted.swap(posted_);
    if (stopping_) return false;
  }
  for (const auto& function : posted) function();
  return true;
}

void CurlCarrier::Begin(Request request, std::shared_ptr<Receiver> receiver,
                        std::stop_token give_up) {
  const Id id = next_id_++;
  auto transfer = std::make_unique<CurlTransfer>(
      server_, std::move(request), std::move(receiver),
      CurlTransfer::Controls{.resume = Later(id, &CurlCarrier::Resume),
                             .abort = Later(id, &CurlCarrier::Abort)},
      std::move(give_up));
  if (auto prepared = transfer->Prepare(); !prepared) {
    return transfer->End(std::move(prepared).error());
  }
  curl_multi_add_handle(multi_.get(), transfer->handle());
  ids_.emplace(transfer->handle(), id);
  transfers_.emplace(id, std::move(transfer));
}

std::function<void()> CurlCarrier::Later(Id id, void (CurlCarrier::*act)(Id)) {
  return [weak = weak_from_this(), id, act] {
    const auto self = weak.lock();
    if (self) self->Post([carrier = self.get(), id, act] { (carrier->*act)(id); });
  };
}

void CurlCarrier::Resume(Id id) {
  if (const auto found = transfers_.find(id); found != transfers_.end()) found->second->Resume();
}

void CurlCarrier::Abort(Id id) {
  if (const auto transfer = Take(id)) transfer->End(CURLE_ABORTED_BY_CALLBACK);
}

void CurlCarrier::EndFinished() {
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
    const CURLcode code = message->data.result;
    const auto transfer = Take(ids_.at(message->easy_handle));
    transfer->End(code);
  }
}

// Removing an unfinished handle closes its connection.
std::unique_ptr<CurlTransfer> CurlCarrier::Take(Id id) {
  auto node = transfers_.extract(id);
  if (node.empty()) return nullptr;
  curl_multi_remove_handle(multi_.get(), node.mapped()->handle());
  ids_.erase(node.mapped()->handle());
  return std::move(node.mapped());
}

}  // namespace

std::shared_ptr<Carrier> MakeCurlCarrier(const TransportOptions& options,
                                         std::shared_ptr<TlsContext> tls, Guard guard) {
  static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
  BERTH_CHECK(initialized == CURLE_OK, "libcurl cannot be initialized");
  auto carrier = std::make_shared<CurlCarrier>(options, std::move(tls), std::move(guard));
  carrier->Start();
  return carrier;
}

}  // namespace berth::http
