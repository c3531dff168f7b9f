// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace berth::operator_ {
class TerminationSignal;
}

namespace berth::sandbox {

// Narrator tells the demo's story, and waits for its turns. On a terminal headings are bold and
// what is waited for is shown in a line that goes away again; elsewhere there is neither.
class Narrator {
 public:
  // Requires: all references outlive this.
  Narrator(std::ostream& out, operator_::TerminationSignal& signal, const Clock& clock,
           bool is_terminal);

  void Heading(std::string_view text);
  void Line(std::string_view text);
  void Detail(std::string_view text);  // indented

  // Await asks `check` every 50 ms until it says that it is done: "" is done, anything else is what
  // is still missing. Errors: kTimeout names `what` and what was missing; kCanceled after Ctrl-C;
  // those of `check`.
  Result<void> Await(std::string_view what, std::chrono::seconds limit,
                     const std::function<Result<std::string>()>& check);

  // WaitForInterrupt returns after Ctrl-C or SIGTERM.
  void WaitForInterrupt();

  SteadyTime Now() const { return clock_.Now(); }
  // Since is the time since then, "12.3 s"; Elapsed that since the beginning.
  std::string Since(SteadyTime then) const;
  std::string Elapsed() const { return Since(began_); }

 private:
  void ShowProgress(std::string_view text);
  void ClearProgress();

  std::ostream& out_;
  operator_::TerminationSignal& signal_;
  const Clock& clock_;
  const bool is_terminal_;
  const SteadyTime began_;
  bool progress_shown_ = false;
};

}  // namespace berth::sandbox
