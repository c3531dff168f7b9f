// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::scheduler {

// Code is a plugin's answer, in kube-scheduler's words. An answer is never an Error of ours: a pod
// that does not fit is no failure.
enum class Code : uint8_t {
  kSuccess,
  kError,                         // the plugin could not tell; the cycle ends
  kUnschedulable,                 // does not fit now; removing pods might help
  kUnschedulableAndUnresolvable,  // does not fit, and removing pods from the node cannot help
  kWait,                          // Permit only: hold the pod
  kSkip,                          // the plugin has nothing to say about this pod
  kPending,                       // waits for something outside; retried at once when it comes
};

std::string_view ToString(Code code);

// IsRejected holds for the three codes that say "not here".
constexpr bool IsRejected(Code code) {
  return code == Code::kUnschedulable || code == Code::kUnschedulableAndUnresolvable ||
         code == Code::kPending;
}

class ReasonTable;

namespace internal {
struct Reasons;
}

// VerdictReason is a sentence such as "node(s) were unschedulable": a pointer to compare instead of
// a string, because one is given for each node of each pod. It lives in a ReasonTable: that of the
// process, or that of one attempt.
class VerdictReason {
 public:
  // Intern gives a reason that lasts as long as the process, for constants and names that recur
  // (resources). After kMaxInterned texts, further ones are all the same sentence that says so.
  // Thread safe. Any other text is CycleState::reasons' to hold.
  static constexpr size_t kMaxInterned = size_t{1} << 16;
  static VerdictReason Intern(std::string_view text);

  std::string_view text() const;
  bool operator==(const VerdictReason&) const = default;

 private:
  friend class Verdict;
  friend class ReasonTable;
  friend struct internal::Reasons;
  explicit VerdictReason(const internal::Reasons* reasons) : reasons_(reasons) {}
  const internal::Reasons* reasons_;  // this one alone
};

// Verdict is what a plugin says about one pod on one node: a code and a list of reasons, eight
// bytes, so that a column of them is cheap to keep. Text is made only for a FitError. Good as long
// as the tables of its reasons are.
class Verdict {
 public:
  constexpr Verdict() = default;  // fits
  static constexpr Verdict Fits() { return {}; }
  static Verdict Unschedulable(VerdictReason reason) { return {Code::kUnschedulable, reason}; }
  static Verdict UnschedulableAndUnresolvable(VerdictReason reason) {
    return {Code::kUnschedulableAndUnresolvable, reason};
  }
  static Verdict Failed(VerdictReason reason) { return {Code::kError, reason}; }
  // Of takes any number of reasons, in the order they are shown. One costs nothing, more a look-up.
  static Verdict Of(Code code, std::span<const VerdictReason> reasons);

  Code code() const { return answer_ == nullptr ? Code::kSuccess : answer_->code; }
  bool fits() const { return answer_ == nullptr; }
  std::span<const VerdictReason> reasons() const;
  // IsLasting says that no reason is of one attempt only, with whose end the verdict ends.
  bool IsLasting() const;
  bool operator==(const Verdict&) const = default;

 private:
  friend struct internal::Reasons;
  // Answer is a code with its reasons. Each list of reasons has one for each code, so that equal
  // verdicts are equal pointers.
  struct Answer {
    Code code;
    const internal::Reasons* reasons;
  };
  explicit Verdict(const Answer* answer) : answer_(answer) {}
  Verdict(Code code, VerdictReason reason);

  const Answer* answer_ = nullptr;  // null: fits
};

// Status is an answer with its text and its author, for the points that are asked once a pod.
struct Status {
  Code code = Code::kSuccess;
  std::vector<std::string> reasons;
  std::string plugin;  // who said so; set by the framework

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
