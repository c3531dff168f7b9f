// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/status.h"

#include <algorithm>
#include <mutex>
#include <utility>

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

internal::Reasons::Reasons(ReasonTable* table, std::string text)
    : table(table), text(std::move(text)), list{VerdictReason(this)} {
  for (size_t code = 0; code < kCodes; ++code) answers[code] = {static_cast<Code>(code), this};
}

internal::Reasons::Reasons(ReasonTable* table, std::span<const VerdictReason> list)
    : table(table), list(list.begin(), list.end()) {
  for (size_t code = 0; code < kCodes; ++code) answers[code] = {static_cast<Code>(code), this};
}

VerdictReason ReasonTable::Add(std::string_view text) {
  if (const auto found = by_text_.find(text); found != by_text_.end()) {
    return VerdictReason(found->second);
  }
  const internal::Reasons& added = all_.emplace_back(owner_, std::string(text));
  by_text_.emplace(added.text, &added);
  return VerdictReason(&added);
}

const internal::Reasons& ReasonTable::ListOf(std::span<const VerdictReason> reasons) {
  // The key is the bytes of the pointers.
  const auto bytes_of = [](std::span<const VerdictReason> list) {
    return std::string_view(reinterpret_cast<const char*>(list.data()), list.size_bytes());
  };
  if (const auto found = by_list_.find(bytes_of(reasons)); found != by_list_.end()) {
    return *found->second;
  }
  const internal::Reasons& added = all_.emplace_back(owner_, reasons);
  by_list_.emplace(bytes_of(added.list), &added);
  return added;
}

// InternedReasons is the table of the process. Only adding takes the lock: reasons have stable
// addresses and never change.
class InternedReasons {
 public:
  static InternedReasons& Instance() {
    static auto* const reasons = new InternedReasons();  // outlives every static Verdict
    return *reasons;
  }

  VerdictReason Intern(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const bool is_full = table_.size() > VerdictReason::kMaxInterned;
    return is_full && !table_.by_text_.contains(text) ? full_ : table_.Add(text);
  }
  const internal::Reasons& ListOf(std::span<const VerdictReason> reasons) {
    const std::lock_guard lock(mutex_);
    return table_.ListOf(reasons);
  }

 private:
  std::mutex mutex_;  // guards table_
  ReasonTable table_{nullptr};
  const VerdictReason full_ = table_.Add("too many distinct reasons; this one was dropped");
};

VerdictReason VerdictReason::Intern(std::string_view text) {
  return InternedReasons::Instance().Intern(text);
}

std::string_view VerdictReason::text() const { return reasons_->text; }

Verdict::Verdict(Code code, VerdictReason reason)
    : answer_(&reason.reasons_->answers[static_cast<size_t>(code)]) {}

Verdict Verdict::Of(Code code, std::span<const VerdictReason> reasons) {
  if (code == Code::kSuccess) return Fits();
  if (reasons.size() == 1) return {code, reasons.front()};
  const auto of_attempt = std::find_if(reasons.begin(), reasons.end(), [](VerdictReason reason) {
    return reason.reasons_->table != nullptr;
  });
  const internal::Reasons& list = of_attempt == reasons.end()
                                      ? InternedReasons::Instance().ListOf(reasons)
                                      : of_attempt->reasons_->table->ListOf(reasons);
  return Verdict(&list.answers[static_cast<size_t>(code)]);
}

std::span<const VerdictReason> Verdict::reasons() const {
  if (answer_ == nullptr) return {};
  return answer_->reasons->list;
}

bool Verdict::IsLasting() const { return answer_ == nullptr || answer_->reasons->table == nullptr; }

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
