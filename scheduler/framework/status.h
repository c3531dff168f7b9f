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

// VerdictReason is an interned sentence such as "node(s) were unschedulable": two bytes to compare
// instead of a string, because one is given for each node of each pod. The table only grows: intern
// constants and names that recur (resources), not free text. After kMaxReasons texts, further ones
// are all the same sentence that says so. Thread safe.
class VerdictReason {
 public:
  static constexpr uint32_t kMaxReasons = 1u << 16;

  static VerdictReason Intern(std::string_view text);
  std::string_view text() const;
  bool operator==(const VerdictReason&) const = default;

 private:
  friend class Verdict;
  friend class ReasonTable;
  explicit VerdictReason(uint32_t id) : id_(id) {}
  uint32_t id_;
};

// Verdict is what a plugin says about one pod on one node: a code and an interned list of reasons,
// eight bytes, so that a column of them is cheap to keep. Text is made only for a FitError.
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

  Code code() const { return code_; }
  bool fits() const { return code_ == Code::kSuccess; }
  std::span<const VerdictReason> reasons() const;
  bool operator==(const Verdict&) const = default;

 private:
  Verdict(Code code, VerdictReason reason) : code_(code), reasons_(reason.id_ << 1 | 1) {}
  Verdict(Code code, uint32_t list) : code_(code), reasons_(list) {}

  Code code_ = Code::kSuccess;
  // 0 = none; odd: one reason, its id above the low bit; even: an interned list.
  uint32_t reasons_ = 0;
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
