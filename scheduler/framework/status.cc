// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/status.h"

#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace berth::scheduler {

std::string_view ToString(Code code) {
  switch (code) {
    case Code::kSuccess:
      return "Success";
    case Code::kError:
      return "Error";
    case Code::kUnschedulable:
      return "Unschedulable";
    case Code::kUnschedulableAndUnresolvable:
      return "UnschedulableAndUnresolvable";
    case Code::kWait:
      return "Wait";
    case Code::kSkip:
      return "Skip";
    case Code::kPending:
      return "Pending";
  }
  return "Error";
}

// ReasonTable holds the text of every reason and every list of several reasons. Entries keep their
// addresses, so that what was handed out stays valid without the lock.
class ReasonTable {
 public:
  static ReasonTable& Instance() {
    static auto* const table = new ReasonTable();  // outlives every static Verdict
    return *table;
  }

  VerdictReason Intern(std::string_view text) {
    {
      std::shared_lock lock(mutex_);
      if (const auto found = ids_.find(text); found != ids_.end())
        return VerdictReason(found->second);
    }
    std::unique_lock lock(mutex_);
    return VerdictReason(InternLocked(text));
  }

  std::string_view Text(uint32_t id) const {
    std::shared_lock lock(mutex_);
    return reasons_[id].text;
  }
  std::span<const VerdictReason> Single(uint32_t id) const {
    std::shared_lock lock(mutex_);
    return {&reasons_[id].self, 1};
  }
  std::span<const VerdictReason> List(uint32_t index) const {
    std::shared_lock lock(mutex_);
    return lists_[index];
  }

  uint32_t InternList(std::span<const VerdictReason> reasons) {
    // The key is the bytes of the ids.
    const std::string_view key(reinterpret_cast<const char*>(reasons.data()), reasons.size_bytes());
    {
      std::shared_lock lock(mutex_);
      if (const auto found = list_ids_.find(key); found != list_ids_.end()) return found->second;
    }
    std::unique_lock lock(mutex_);
    if (const auto found = list_ids_.find(key); found != list_ids_.end()) return found->second;
    lists_.emplace_back(reasons.begin(), reasons.end());
    const auto& stored = lists_.back();
    const std::string_view stored_key(reinterpret_cast<const char*>(stored.data()),
                                      reasons.size_bytes());
    const auto index = static_cast<uint32_t>(lists_.size() - 1);
    list_ids_.emplace(stored_key, index);
    return index;
  }

 private:
  struct Entry {
    std::string text;
    VerdictReason self;
  };
  static_assert(sizeof(VerdictReason) == sizeof(uint32_t));

  ReasonTable() {
    InternLocked("too many distinct reasons; this one was not kept");
    lists_.emplace_back();  // index 0: no reasons
  }

  uint32_t InternLocked(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
    if (reasons_.size() >= VerdictReason::kMaxReasons) return 0;
    const auto id = static_cast<uint32_t>(reasons_.size());
    reasons_.push_back({std::string(text), VerdictReason(id)});
    ids_.emplace(reasons_.back().text, id);
    return id;
  }

  mutable std::shared_mutex mutex_;  // guards all below
  std::deque<Entry> reasons_;
  std::unordered_map<std::string_view, uint32_t> ids_;
  std::deque<std::vector<VerdictReason>> lists_;
  std::unordered_map<std::string_view, uint32_t> list_ids_;
};

VerdictReason VerdictReason::Intern(std::string_view text) {
  return ReasonTable::Instance().Intern(text);
}

std::string_view VerdictReason::text() const { return ReasonTable::Instance().Text(id_); }

Verdict Verdict::Of(Code code, std::span<const VerdictReason> reasons) {
  if (reasons.empty()) return {code, uint32_t{0}};
  if (reasons.size() == 1) return {code, reasons.front()};
  return {code, ReasonTable::Instance().InternList(reasons) << 1};
}

std::span<const VerdictReason> Verdict::reasons() const {
  if (reasons_ == 0) return {};
  if ((reasons_ & 1) != 0) return ReasonTable::Instance().Single(reasons_ >> 1);
  return ReasonTable::Instance().List(reasons_ >> 1);
}

Status Status::FromVerdict(Verdict verdict, std::string_view plugin) {
  Status status{verdict.code(), {}, std::string(plugin)};
  for (const VerdictReason reason : verdict.reasons()) status.reasons.emplace_back(reason.text());
  return status;
}

std::string Status::Message() const {
  std::string message;
  for (const std::string& reason : reasons) {
    if (!message.empty()) message += ", ";
    message += reason;
  }
  return message;
}

}  // namespace berth::scheduler
