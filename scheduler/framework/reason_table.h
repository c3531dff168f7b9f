// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/framework/status.h"

namespace berth::scheduler {

namespace internal {

// Reasons is one text, or a group of reasons, with its verdicts, one per code. Its address is its
// identity.
struct Reasons {
  static constexpr size_t kCodes = static_cast<size_t>(Code::kPending) + 1;

  Reasons(bool is_lasting, std::string_view text);
  Reasons(bool is_lasting, std::span<const VerdictReason> group);
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;

  void AppendTexts(std::vector<std::string_view>& out) const;
  size_t bytes() const;

  bool is_lasting;  // owned by the process
  bool is_group;
  std::string text;                             // empty for a group
  std::vector<VerdictReason> group;             // empty for a text
  std::array<Verdict::Answer, kCodes> answers;  // by code

 private:
  Reasons(bool is_lasting, bool is_group);
};

// ReasonStore holds each text and each group once, with a stable address.
class ReasonStore {
 public:
  explicit ReasonStore(bool is_lasting) : is_lasting_(is_lasting) {}

  // Return the known text or group, or add it. Null: it is new, and the store has about max_bytes.
  static constexpr size_t kUnlimited = std::numeric_limits<size_t>::max();
  const Reasons* Add(std::string_view text, size_t max_bytes = kUnlimited);
  const Reasons* Add(std::span<const VerdictReason> group, size_t max_bytes = kUnlimited);
  size_t texts() const { return by_text_.size(); }

 private:
  using Index = std::unordered_map<std::string_view, const Reasons*>;

  template <class Content>
  const Reasons* AddTo(Index& index, Content content, size_t max_bytes);

  bool is_lasting_;
  size_t bytes_ = 0;
  std::deque<Reasons> all_;
  Index by_text_;
  Index by_group_;  // by the bytes of its pointers
};

}  // namespace internal

// ReasonTable holds the reasons, and groups of them, of one attempt: texts made for it, such as
// errors or names of volumes. Verdicts with these reasons must not outlive the table and are not
// cached (Verdict::IsLasting). Owned by the scheduling thread.
class ReasonTable {
 public:
  // Limit of the process-wide store for recurring texts from API objects, and for groups: some
  // 60,000 names of resources.
  static constexpr size_t kMaxLastingBytes = size_t{16} << 20;

  ReasonTable() = default;
  ReasonTable(const ReasonTable&) = delete;
  ReasonTable& operator=(const ReasonTable&) = delete;

  // Returns the same reason for the same text, owned by this table.
  VerdictReason Add(std::string_view text);
  // Returns the same reason for the same text. It is process-wide, so that verdicts with it can be
  // cached; if that store is full, it is owned by this table. For texts that recur, such as names
  // of resources.
  VerdictReason AddRecurring(std::string_view text);
  // Returns one reason that stands for all of these, in this order; for a single reason, that
  // reason. A verdict with thousands of reasons costs as much per node as one with one reason. The
  // group is process-wide if all of these are and the store is not full, else owned by this table.
  VerdictReason GroupOf(std::span<const VerdictReason> reasons);
  size_t size() const { return own_.texts(); }

 private:
  internal::ReasonStore own_{/*is_lasting=*/false};
};

}  // namespace berth::scheduler
