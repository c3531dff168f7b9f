// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/framework/status.h"

namespace berth::scheduler {

namespace internal {

// Reasons is a list of reasons and its verdicts, one per code. Its address is its identity.
struct Reasons {
  static constexpr size_t kCodes = static_cast<size_t>(Code::kPending) + 1;

  Reasons(ReasonTable* table, std::string text);                     // one
  Reasons(ReasonTable* table, std::span<const VerdictReason> list);  // none, or several
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;

  ReasonTable* table;  // the owner; null: the table of the process
  std::string text;    // of a single reason
  std::vector<VerdictReason> list;
  std::array<Verdict::Answer, kCodes> answers;  // by code
};

}  // namespace internal

// ReasonTable holds the reasons, and lists of them, of one attempt: texts made for it, such as
// errors or names of volumes. Verdicts with these reasons must not outlive the table and are not
// cached (Verdict::IsLasting). Owned by the scheduling thread.
class ReasonTable {
 public:
  ReasonTable() = default;
  ReasonTable(const ReasonTable&) = delete;
  ReasonTable& operator=(const ReasonTable&) = delete;

  // Returns the same reason for the same text.
  VerdictReason Add(std::string_view text);
  size_t size() const { return by_text_.size(); }

 private:
  friend class Verdict;
  friend class InternedReasons;
  explicit ReasonTable(ReasonTable* owner) : owner_(owner) {}
  const internal::Reasons& ListOf(std::span<const VerdictReason> reasons);

  ReasonTable* owner_ = this;          // the value of Reasons::table
  std::deque<internal::Reasons> all_;  // stable addresses
  std::unordered_map<std::string_view, const internal::Reasons*> by_text_;
  std::unordered_map<std::string_view, const internal::Reasons*> by_list_;  // by the list's bytes
};

}  // namespace berth::scheduler
