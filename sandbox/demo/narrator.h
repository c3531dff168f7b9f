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

// Narrator prints the demo's progress and waits for its steps. On a terminal, headings are bold and
// a transient line shows the pending step.
class Narrator {
 public:
  // Requires: all references outlive this.
  Narrator(std::ostream& out, operator_::TerminationSignal& signal, const Clock& clock,
           bool is_terminal);

  void Heading(std::string_view text);
  void Line(std::string_view text);
  void Detail(std::string_view text);  // indented

  // Calls `check` every 50 ms until it returns "" (done); any other text is the missing part.
  // Errors: kTimeout names `what` and the missing part; kCanceled after Ctrl-C; those of `check`.
  Result<void> Await(std::string_view what, std::chrono::seconds limit,
                     const std::function<Result<std::string>()>& check);

  // Returns after Ctrl-C or SIGTERM.
  void WaitForInterrupt();

  SteadyTime Now() const { return clock_.Now(); }
  // Since returns the time since `then`, "12.3 s"; Elapsed the time since the start.
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
