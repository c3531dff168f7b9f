// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/status.h"

#include <algorithm>
#include <mutex>

#include "scheduler/framework/reason_table.h"

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

namespace internal {

Reasons::Reasons(bool is_lasting, bool is_group) : is_lasting(is_lasting), is_group(is_group) {
  for (size_t code = 0; code < kCodes; ++code) answers[code] = {static_cast<Code>(code), this};
}

Reasons::Reasons(bool is_lasting, std::string_view text) : Reasons(is_lasting, false) {
  this->text = text;
}

Reasons::Reasons(bool is_lasting, std::span<const VerdictReason> group)
    : Reasons(is_lasting, true) {
  this->group.assign(group.begin(), group.end());
}

void Reasons::AppendTexts(std::vector<std::string_view>& out) const {
  if (!is_group) out.push_back(text);
  for (const VerdictReason reason : group) reason.reasons_->AppendTexts(out);
}

size_t Reasons::bytes() const {
  constexpr size_t kMapEntry = 64;
  return sizeof(*this) + kMapEntry + text.capacity() + group.capacity() * sizeof(VerdictReason);
}

namespace {

std::string_view BytesOf(std::span<const VerdictReason> group) {
  return {reinterpret_cast<const char*>(group.data()), group.size_bytes()};
}

const Reasons* FindIn(const std::unordered_map<std::string_view, const Reasons*>& map,
                      std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

// LastingReasons is the store of the process. Only finding and adding take the lock: reasons have
// stable addresses and never change.
class LastingReasons {
 public:
  static LastingReasons& Instance() {
    static auto* const reasons = new LastingReasons();  // outlives every static Verdict
    return *reasons;
  }

  const Reasons& Add(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return store_.Add(text);
  }
  // Returns null if the text or group is new and there is no room for it.
  template <class Content>
  const Reasons* AddIfRoom(const Content& content) {
    const std::lock_guard lock(mutex_);
    if (const Reasons* const found = store_.Find(content)) return found;
    return store_.bytes() < ReasonTable::kMaxLastingBytes ? &store_.Add(content) : nullptr;
  }

 private:
  std::mutex mutex_;  // guards store_
  ReasonStore store_{/*is_lasting=*/true};
};

}  // namespace

const Reasons* ReasonStore::Find(std::string_view text) const { return FindIn(by_text_, text); }

const Reasons* ReasonStore::Find(std::span<const VerdictReason> group) const {
  return FindIn(by_group_, BytesOf(group));
}

const Reasons& ReasonStore::Add(std::string_view text) {
  if (const Reasons* const found = Find(text)) return *found;
  const Reasons& added = all_.emplace_back(is_lasting_, text);
  by_text_.emplace(added.text, &added);
  bytes_ += added.bytes();
  return added;
}

const Reasons& ReasonStore::Add(std::span<const VerdictReason> group) {
  if (const Reasons* const found = Find(group)) return *found;
  const Reasons& added = all_.emplace_back(is_lasting_, group);
  by_group_.emplace(BytesOf(added.group), &added);
  bytes_ += added.bytes();
  return added;
}

}  // namespace internal

VerdictReason ReasonTable::Add(std::string_view text) { return VerdictReason(&own_.Add(text)); }

VerdictReason ReasonTable::AddRecurring(std::string_view text) {
  const internal::Reasons* const lasting = internal::LastingReasons::Instance().AddIfRoom(text);
  return lasting != nullptr ? VerdictReason(lasting) : Add(text);
}

VerdictReason ReasonTable::GroupOf(std::span<const VerdictReason> reasons) {
  if (reasons.size() == 1) return reasons.front();
  const bool all_last = std::all_of(reasons.begin(), reasons.end(), [](VerdictReason reason) {
    return reason.reasons_->is_lasting;
  });
  const internal::Reasons* const lasting =
      all_last ? internal::LastingReasons::Instance().AddIfRoom(reasons) : nullptr;
  return VerdictReason(lasting != nullptr ? lasting : &own_.Add(reasons));
}

VerdictReason VerdictReason::Intern(std::string_view text) {
  return VerdictReason(&internal::LastingReasons::Instance().Add(text));
}

std::string_view VerdictReason::text() const { return reasons_->text; }

Verdict::Verdict(Code code, VerdictReason reason)
    : answer_(&reason.reasons_->answers[static_cast<size_t>(code)]) {}

std::vector<std::string_view> Verdict::Texts() const {
  std::vector<std::string_view> texts;
  if (answer_ != nullptr) answer_->reasons->AppendTexts(texts);
  return texts;
}

bool Verdict::IsLasting() const { return answer_ == nullptr || answer_->reasons->is_lasting; }

Status Status::FromVerdict(Verdict verdict, std::string_view plugin) {
  Status status{verdict.code(), {}, std::string(plugin)};
  for (const std::string_view text : verdict.Texts()) status.reasons.emplace_back(text);
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
