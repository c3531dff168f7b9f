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

// Return the key of a text or group in its index.
std::string_view KeyOf(std::string_view text) { return text; }

std::string_view KeyOf(std::span<const VerdictReason> group) {
  return {reinterpret_cast<const char*>(group.data()), group.size_bytes()};
}

// LastingReasons is the store of the process. Only finding and adding take the lock: reasons have
// stable addresses and never change.
class LastingReasons {
 public:
  static LastingReasons& Instance() {
    static auto* const reasons = new LastingReasons();  // outlives every static Verdict
    return *reasons;
  }

  template <class Content>
  const Reasons* Add(Content content, size_t max_bytes) {
    const std::lock_guard lock(mutex_);
    return store_.Add(content, max_bytes);
  }

 private:
  std::mutex mutex_;  // guards store_
  ReasonStore store_{/*is_lasting=*/true};
};

}  // namespace

template <class Content>
const Reasons* ReasonStore::AddTo(Index& index, Content content, size_t max_bytes) {
  if (const auto found = index.find(KeyOf(content)); found != index.end()) return found->second;
  if (bytes_ >= max_bytes) return nullptr;
  const Reasons& added = all_.emplace_back(is_lasting_, content);
  index.emplace(added.is_group ? KeyOf(added.group) : KeyOf(added.text), &added);
  bytes_ += added.bytes();
  return &added;
}

const Reasons* ReasonStore::Add(std::string_view text, size_t max_bytes) {
  return AddTo(by_text_, text, max_bytes);
}

const Reasons* ReasonStore::Add(std::span<const VerdictReason> group, size_t max_bytes) {
  return AddTo(by_group_, group, max_bytes);
}

}  // namespace internal

VerdictReason ReasonTable::Add(std::string_view text) { return VerdictReason(own_.Add(text)); }

VerdictReason ReasonTable::AddRecurring(std::string_view text) {
  const auto* const lasting = internal::LastingReasons::Instance().Add(text, kMaxLastingBytes);
  return lasting != nullptr ? VerdictReason(lasting) : Add(text);
}

VerdictReason ReasonTable::GroupOf(std::span<const VerdictReason> reasons) {
  if (reasons.size() == 1) return reasons.front();
  const bool all_last = std::all_of(reasons.begin(), reasons.end(), [](VerdictReason reason) {
    return reason.reasons_->is_lasting;
  });
  const auto* const lasting =
      all_last ? internal::LastingReasons::Instance().Add(reasons, kMaxLastingBytes) : nullptr;
  return VerdictReason(lasting != nullptr ? lasting : own_.Add(reasons));
}

VerdictReason VerdictReason::Intern(std::string_view text) {
  return VerdictReason(
      internal::LastingReasons::Instance().Add(text, internal::ReasonStore::kUnlimited));
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
