// SPDX-License-Identifier: Apache-2.0
#include "cel/source.h"

#include "base/strings.h"

namespace berth::cel {
namespace {

void AppendIssue(const std::vector<std::string_view>& lines, const Issue& issue, std::string& out) {
  const auto& [position, message] = issue;
  out += "ERROR: <input>:" + std::to_string(position.line) + ":" + std::to_string(position.column) +
         ": " + message;
  const auto index = static_cast<size_t>(position.line) - 1;
  if (index >= lines.size()) return;
  out += "\n | " + std::string(lines[index]) + "\n | ";
  out.append(static_cast<size_t>(position.column) - 1, '.');
  out += '^';
}

}  // namespace

Error ToError(std::string_view text, const std::vector<Issue>& issues) {
  const std::vector<std::string_view> lines = Split(text, '\n');
  std::string message;
  for (const Issue& issue : issues) {
    if (!message.empty()) message += '\n';
    AppendIssue(lines, issue, message);
  }
  return {Reason::kInvalid, std::move(message)};
}

}  // namespace berth::cel
