// SPDX-License-Identifier: Apache-2.0
#include "engine/api_writer.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"

namespace berth::engine {
namespace {

Failure Dropped(std::string why) {
  return Fail(Reason::kCanceled, "request not sent: " + std::move(why));
}

}  // namespace

std::string_view ToString(WriteClass write_class) {
  switch (write_class) {
    case WriteClass::kBinding:
      return "binding";
    case WriteClass::kEviction:
      return "eviction";
    case WriteClass::kStatus:
      return "status";
    case WriteClass::kEvent:
      return "event";
  }
  return "";
}

// State is shared by the writer and its running requests. The writer's destructor waits for threads
// of the sender inside it; later ones find `ended_`.
class ApiWriter::State : public std::enable_shared_from_this<State> {
 public:
  State(RequestSender& sender, ApiWriterOptions options)
      : sender_(sender), options_(std::move(options)) {}

  Ticket Send(ApiWrite write) {
    const Result<Ticket> ticket = Enqueue(write);
    if (!ticket) {
      write.done(Fail(ticket.error()));
      return {write.write_class, 0};
    }
    SendWhatMayLeave();
    return *ticket;
  }

  bool Replace(Ticket ticket, client::ApiRequest request) {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(ticket);
    if (found == waiting_.end()) return false;
    found->second.request = std::move(request);
    return true;
  }

  bool Withdraw(Ticket ticket) {
    const std::lock_guard lock(mutex_);
    return Take(waiting_.find(ticket)).has_value();
  }

  void Discard(WriteClass write_class) {
    std::vector<ApiWrite> dropped;
    {
      const std::lock_guard lock(mutex_);
      auto next = waiting_.lower_bound({write_class, 0});
      while (next != waiting_.end() && next->first.write_class == write_class) {
        dropped.push_back(*Take(next++));
      }
      statistics_.dropped[write_class] += dropped.size();
    }
    for (const ApiWrite& write : dropped) write.done(Dropped("the process ends"));
  }

  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    for (const WriteClass write_class : kWriteClasses) Discard(write_class);
  }

  ApiWriterStatistics Statistics() const {
    const std::lock_guard lock(mutex_);
    return statistics_;
  }

  // Waits until no thread is inside; later ones are rejected.
  void End() {
    Waiting unanswered;
    std::unique_lock lock(mutex_);
    ended_ = true;
    waiting_.swap(unanswered);
    left_.wait(lock, [this] { return inside_ == 0; });
  }

 private:
  // By class, then by age: the first is sent first.
  using Waiting = std::map<Ticket, ApiWrite>;

  // Queues the write, or leaves it untouched if the queue is full.
  Result<Ticket> Enqueue(ApiWrite& write) {
    const WriteClass write_class = write.write_class;
    const std::lock_guard lock(mutex_);
    size_t& waiting = statistics_.waiting[write_class];
    if (closed_) {
      ++statistics_.dropped[write_class];
      return Dropped("the process ends");
    }
    if (waiting >= options_.waiting[write_class]) {
      ++statistics_.dropped[write_class];
      if (!std::exchange(overflowing_[write_class], true)) {
        log::Warn("Too many requests are queued for the API server, dropping new ones",
                  {{"class", ToString(write_class)}, {"waiting", waiting}});
      }
      return Dropped("too many are queued");
    }
    ++waiting;
    const Ticket ticket{write_class, ++last_number_};
    waiting_.emplace(ticket, std::move(write));
    return ticket;
  }

  // Requires: mutex_ is held.
  std::optional<ApiWrite> Take(Waiting::iterator place) {
    if (place == waiting_.end()) return std::nullopt;
    ApiWrite write = std::move(place->second);
    waiting_.erase(place);
    if (--statistics_.waiting[write.write_class] == 0) overflowing_[write.write_class] = false;
    return write;
  }

  std::optional<ApiWrite> TakeNext() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return std::nullopt;
    // If the first may not be sent, no other may: the limits decrease from class to class.
    const auto first = waiting_.begin();
    if (in_flight_ >= options_.in_flight[first->first.write_class]) return std::nullopt;
    ++in_flight_;
    return Take(first);
  }

  void SendWhatMayLeave() {
    if (!Enter()) return;
    while (auto write = TakeNext()) HandOver(std::move(*write));
    Leave();
  }

  void HandOver(ApiWrite write) {
    if (write.fenced && !options_.may_write()) {
      Release();
      return write.done(Dropped("no longer the leader"));
    }
    sender_.Send(std::move(write.request),
                 [weak = weak_from_this(), done = std::move(write.done)](Result<std::string> body) {
                   if (const auto state = weak.lock()) state->OnAnswer(done, std::move(body));
                 });
  }

  void OnAnswer(const client::Callback<std::string>& done, Result<std::string> body) {
    if (!Enter()) return;
    Release();
    SendWhatMayLeave();
    done(std::move(body));
    Leave();
  }

  void Release() {
    const std::lock_guard lock(mutex_);
    --in_flight_;
  }

  // Enter and Leave bracket the code that End waits for. Enter returns false after End.
  bool Enter() {
    const std::lock_guard lock(mutex_);
    if (!ended_) ++inside_;
    return !ended_;
  }
  void Leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0) left_.notify_all();
  }

  RequestSender& sender_;
  const ApiWriterOptions options_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable left_;
  Waiting waiting_;
  size_t in_flight_ = 0;
  uint64_t last_number_ = 0;
  ApiWriterStatistics statistics_;
  ByWriteClass<bool> overflowing_;
  size_t inside_ = 0;  // threads inside, counted once for each nested call
  bool closed_ = false;
  bool ended_ = false;
};

ApiWriter::ApiWriter(RequestSender& sender, ApiWriterOptions options)
    : state_(std::make_shared<State>(sender, std::move(options))) {}

ApiWriter::~ApiWriter() { state_->End(); }

ApiWriter::Ticket ApiWriter::Send(ApiWrite write) { return state_->Send(std::move(write)); }

bool ApiWriter::Replace(Ticket ticket, client::ApiRequest request) {
  return state_->Replace(ticket, std::move(request));
}

bool ApiWriter::Withdraw(Ticket ticket) { return state_->Withdraw(ticket); }

void ApiWriter::Discard(WriteClass write_class) { state_->Discard(write_class); }

void ApiWriter::Close() { state_->Close(); }

ApiWriterStatistics ApiWriter::Statistics() const { return state_->Statistics(); }

}  // namespace berth::engine
