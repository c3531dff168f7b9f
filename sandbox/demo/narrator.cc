// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/narrator.h"

#include <cstdio>
#include <ostream>

#include "operator/commands/signals.h"

namespace berth::sandbox {
namespace {

constexpr std::chrono::milliseconds kPoll(50);
constexpr std::chrono::seconds kInterruptPoll(1);
constexpr size_t kProgressWidth = 100;  // of the transient line

std::string Seconds(SteadyTime from, SteadyTime to) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(to - from).count());
  return text;
}

}  // namespace

Narrator::Narrator(std::ostream& out, operator_::TerminationSignal& signal, const Clock& clock,
                   bool is_terminal)
    : out_(out), signal_(signal), clock_(clock), is_terminal_(is_terminal), began_(clock.Now()) {}

void Narrator::Heading(std::string_view text) {
  ClearProgress();
  if (is_terminal_) {
    out_ << "\n\033[1m" << text << "\033[0m\n" << std::flush;
  } else {
    out_ << "\n" << text << "\n" << std::flush;
  }
}

void Narrator::Line(std::string_view text) {
  ClearProgress();
  out_ << "  " << text << "\n" << std::flush;
}

void Narrator::Detail(std::string_view text) {
  ClearProgress();
  out_ << "    " << text << "\n" << std::flush;
}

void Narrator::ShowProgress(std::string_view text) {
  if (!is_terminal_) return;
  out_ << "\r\033[K  … " << text.substr(0, kProgressWidth) << std::flush;
  progress_shown_ = true;
}

void Narrator::ClearProgress() {
  if (progress_shown_) out_ << "\r\033[K" << std::flush;
  progress_shown_ = false;
}

std::string Narrator::Since(SteadyTime then) const { return Seconds(then, clock_.Now()); }

Result<void> Narrator::Await(std::string_view what, std::chrono::seconds limit,
                             const std::function<Result<std::string>()>& check) {
  const SteadyTime began = clock_.Now();
  while (true) {
    BERTH_TRY(const std::string missing, check());
    if (missing.empty()) break;
    if (clock_.Now() - began >= limit) {
      ClearProgress();
      return Fail(Reason::kTimeout, std::string(what) + ": not within " +
                                        std::to_string(limit.count()) + " s: " + missing);
    }
    ShowProgress(std::string(what) + ": " + missing + " (" + Seconds(began, clock_.Now()) + ")");
    if (signal_.WaitFor(kPoll) != 0) {
      ClearProgress();
      return Fail(Reason::kCanceled, "interrupted");
    }
  }
  ClearProgress();
  return {};
}

void Narrator::WaitForInterrupt() {
  while (signal_.WaitFor(kInterruptPoll) == 0) {
  }
}

}  // namespace berth::sandbox
