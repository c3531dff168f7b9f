// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/typed_document.h"

#include <sstream>

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

// A command starts kubectl, which costs a third of a second of CPU.
constexpr std::chrono::milliseconds kPause(300);

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string Lasting(std::string line) {
  static constexpr std::pair<const char*, const char*> kPassing[] = {
      {R"(\s+)", " "},
      {R"( $)", ""},
      {R"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)", "UID"},
      {R"(\b\d{4}-\d\d-\d\dT[0-9:.]+Z)", "TIME"},
      {R"(-[a-z0-9]{8,10}-[a-z0-9]{5}(\b|_))", "-POD\\1"},
      {R"(\b\d+(\.\d+){3}\b)", "ADDRESS"},
      {R"(\b(\d+d)?(\d+h)?(\d+m)?(\d+s)\b|\b\d+[dhm]\b|\b\d+ ms\b)", "AGE"},
      {R"(\b[0-9a-f]{16}\b)", "HASH"},
      // Kubectl before 1.34 prints no namespace.
      {R"(" deleted from \S+ namespace$)", "\" deleted"},
  };
  for (const auto& [pattern, stand_in] : kPassing) RE2::GlobalReplace(&line, pattern, stand_in);
  return line;
}

}  // namespace

std::string Disagreement(const std::vector<std::string>& shown, const std::string& printed) {
  const std::vector<std::string> lines = LinesOf(printed);
  size_t at = 0;
  bool skips = false;
  for (const std::string& expected : shown) {
    if (expected == "...") {
      skips = true;
      continue;
    }
    const size_t from = at;
    while (skips && at < lines.size() && Lasting(lines[at]) != Lasting(expected)) ++at;
    if (at >= lines.size()) return "not printed: " + expected;
    if (Lasting(lines[at]) != Lasting(expected)) {
      return "shown:   " + expected + "\nprinted: " + lines[from];
    }
    ++at;
    skips = false;
  }
  return at == lines.size() || skips ? "" : "printed, but not shown: " + lines[at];
}

bool OnlyLooks(const std::string& line) {
  static const RE2 kKubectl(R"(kubectl (\S+(?: status)?))");
  static const RE2 kLook("get|describe|wait|events|logs|rollout status");
  bool looks = line.starts_with("curl ");
  std::string verb;
  for (re2::StringPiece rest(line); RE2::FindAndConsume(&rest, kKubectl, &verb); looks = true) {
    if (!RE2::FullMatch(verb, kLook)) return false;
  }
  return looks;
}

void TypeBlock(const std::vector<TypedCommand>& block,
               const std::function<ProcessOutcome(const std::string& line)>& type,
               std::chrono::seconds patience) {
  for (const TypedCommand& command : block) {
    const auto attempt = [&]() -> std::string {
      const ProcessOutcome outcome = type(command.line);
      if (outcome.exit_code != 0) {
        return "exit code " + std::to_string(outcome.exit_code) + "\n" + outcome.err + outcome.out;
      }
      const std::string difference = Disagreement(command.output, outcome.out);
      return difference.empty() ? "" : difference + "\nall of it:\n" + outcome.out + outcome.err;
    };
    const auto limit = OnlyLooks(command.line) ? patience : std::chrono::seconds(0);
    ASSERT_TRUE(Eventually("$ " + command.line, limit, attempt, kPause));
  }
}

}  // namespace berth::integration
