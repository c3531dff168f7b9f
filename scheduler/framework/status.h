// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::scheduler {

// Code is the status code of a plugin, with kube-scheduler's names. A rejected pod is not an Error.
enum class Code : uint8_t {
  kSuccess,
  kError,                         // the plugin failed; the cycle ends
  kUnschedulable,                 // does not fit now; removing pods might help
  kUnschedulableAndUnresolvable,  // does not fit, and removing pods from the node cannot help
  kWait,                          // Permit only: the pod waits
  kSkip,                          // the plugin does not apply to this pod
  kPending,                       // waits for an external event; retried as soon as it occurs
};

std::string_view ToString(Code code);

// Reports whether the code is one of the three rejections.
constexpr bool IsRejected(Code code) {
  return code == Code::kUnschedulable || code == Code::kUnschedulableAndUnresolvable ||
         code == Code::kPending;
}

namespace internal {
struct Reasons;
}

// VerdictReason is a pointer to a text such as "node(s) were unschedulable". Verdicts have one per
// pod and node, so it is small and cheap to compare. The text is owned by the process or by the
// ReasonTable of one attempt. A group of reasons is a VerdictReason, too (ReasonTable::GroupOf).
class VerdictReason {
 public:
  // Returns a reason that lives as long as the process. Only for constants and texts of the
  // configuration: texts from API objects go through a ReasonTable, which frees them after the
  // attempt or limits them. Thread-safe.
  static VerdictReason Intern(std::string_view text);

  // Returns the text. A group has none.
  std::string_view text() const;
  bool operator==(const VerdictReason&) const = default;

 private:
  friend class Verdict;
  friend class ReasonTable;
  friend struct internal::Reasons;
  explicit VerdictReason(const internal::Reasons* reasons) : reasons_(reasons) {}
  const internal::Reasons* reasons_;
};

// Verdict is a plugin's result for one pod on one node: a code and a reason or a group of them, in
// eight bytes, so that a column of them is cheap. The text is only built for a FitError. Valid as
// long as the tables of its reasons.
class Verdict {
 public:
  constexpr Verdict() = default;  // fits
  static constexpr Verdict Fits() { return {}; }
  static Verdict Unschedulable(VerdictReason reason) { return {Code::kUnschedulable, reason}; }
  static Verdict UnschedulableAndUnresolvable(VerdictReason reason) {
    return {Code::kUnschedulableAndUnresolvable, reason};
  }
  static Verdict Failed(VerdictReason reason) { return {Code::kError, reason}; }
  // The code may be kSuccess: then the reason is not kept.
  static Verdict Of(Code code, VerdictReason reason) {
    return code == Code::kSuccess ? Fits() : Verdict(code, reason);
  }

  Code code() const { return answer_ == nullptr ? Code::kSuccess : answer_->code; }
  bool fits() const { return answer_ == nullptr; }
  // Returns the texts of all reasons, those of groups included, in the order they were added.
  std::vector<std::string_view> Texts() const;
  // Reports whether the verdict outlives the attempt: none of its reasons belongs to one attempt.
  bool IsLasting() const;
  bool operator==(const Verdict&) const = default;

 private:
  friend struct internal::Reasons;
  // Answer is a code with its reasons. Each group of reasons has one Answer per code, so that equal
  // verdicts are equal pointers.
  struct Answer {
    Code code;
    const internal::Reasons* reasons;
  };
  explicit Verdict(const Answer* answer) : answer_(answer) {}
  Verdict(Code code, VerdictReason reason);

  const Answer* answer_ = nullptr;  // null: fits
};

// Status is the result of a point that is called once per pod, with its text and its plugin.
struct Status {
  Code code = Code::kSuccess;
  std::vector<std::string> reasons;
  std::string plugin;  // the plugin that returned it; set by the framework

  static Status Success() { return {}; }
  static Status Skip() { return {Code::kSkip, {}, {}}; }
  static Status Wait() { return {Code::kWait, {}, {}}; }
  static Status Pending(std::string reason) { return {Code::kPending, {std::move(reason)}, {}}; }
  static Status Unschedulable(std::string reason) {
    return {Code::kUnschedulable, {std::move(reason)}, {}};
  }
  static Status UnschedulableAndUnresolvable(std::string reason) {
    return {Code::kUnschedulableAndUnresolvable, {std::move(reason)}, {}};
  }
  static Status Failed(std::string text) { return {Code::kError, {std::move(text)}, {}}; }
  static Status FromVerdict(Verdict verdict, std::string_view plugin);

  bool ok() const { return code == Code::kSuccess; }
  bool rejected() const { return IsRejected(code); }
  // Message joins the reasons with ", ".
  std::string Message() const;
  bool operator==(const Status&) const = default;
};

}  // namespace berth::scheduler
