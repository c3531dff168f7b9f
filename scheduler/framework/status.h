// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
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

class ReasonTable;

namespace internal {
struct Reasons;
}

// VerdictReason is a text such as "node(s) were unschedulable", as a pointer: there is one for each
// node of each pod, and pointers are cheap to compare. It is owned by a ReasonTable: that of the
// process or that of one attempt.
class VerdictReason {
 public:
  // Returns a reason that lives as long as the process, for constants and recurring names
  // (resources). After kMaxInterned texts, all further ones share one reason with a text about
  // that. Other texts belong to CycleState::reasons. Thread-safe.
  static constexpr size_t kMaxInterned = size_t{1} << 16;
  static VerdictReason Intern(std::string_view text);

  std::string_view text() const;
  bool operator==(const VerdictReason&) const = default;

 private:
  friend class Verdict;
  friend class ReasonTable;
  friend struct internal::Reasons;
  explicit VerdictReason(const internal::Reasons* reasons) : reasons_(reasons) {}
  const internal::Reasons* reasons_;  // a list of this reason only
};

// Verdict is a plugin's result for one pod on one node: a code and a list of reasons, in eight
// bytes, so that a column of them is cheap. The text is only built for a FitError. Valid as long as
// the tables of its reasons.
class Verdict {
 public:
  constexpr Verdict() = default;  // fits
  static constexpr Verdict Fits() { return {}; }
  static Verdict Unschedulable(VerdictReason reason) { return {Code::kUnschedulable, reason}; }
  static Verdict UnschedulableAndUnresolvable(VerdictReason reason) {
    return {Code::kUnschedulableAndUnresolvable, reason};
  }
  static Verdict Failed(VerdictReason reason) { return {Code::kError, reason}; }
  // Takes any number of reasons, in display order. One reason costs nothing, several cost a
  // look-up.
  static Verdict Of(Code code, std::span<const VerdictReason> reasons);

  Code code() const { return answer_ == nullptr ? Code::kSuccess : answer_->code; }
  bool fits() const { return answer_ == nullptr; }
  std::span<const VerdictReason> reasons() const;
  // Reports whether the verdict outlives the attempt: none of its reasons belongs to one attempt.
  bool IsLasting() const;
  bool operator==(const Verdict&) const = default;

 private:
  friend struct internal::Reasons;
  // Answer is a code with its reasons. Each list of reasons has one Answer per code, so that equal
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
