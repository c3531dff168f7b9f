// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/args_text.h"

#include "base/strings.h"

namespace berth::operator_ {
namespace {

using controllers::ArgumentReference;

std::string Bounds(const ArgumentReference& argument) {
  std::string text;
  if (!argument.one_of.empty()) text += " One of: " + Join(argument.one_of, " ") + ".";
  if (argument.minimum) text += " At least " + std::to_string(*argument.minimum) + ".";
  if (argument.maximum) text += " At most " + std::to_string(*argument.maximum) + ".";
  if (!argument.default_.text.empty()) text += " Default: " + argument.default_.text + ".";
  return text;
}

void AddFields(const std::vector<ArgumentReference>& arguments, int depth, std::string& text) {
  for (const ArgumentReference& argument : arguments) {
    text += std::string(static_cast<size_t>(2 * depth), ' ') + argument.name + "  <" +
            argument.type + ">";
    if (!argument.description.empty()) text += "  " + argument.description;
    text += Bounds(argument) + "\n";
    AddFields(argument.fields, depth + 1, text);
  }
}

}  // namespace

std::string ArgsText(const std::vector<ArgumentReference>& arguments) {
  std::string text;
  AddFields(arguments, 1, text);
  return text.empty() ? "  none\n" : text;
}

std::string Indented(std::string_view text) {
  std::string indented;
  for (const std::string_view line : Split(text, '\n')) {
    if (!indented.empty()) indented += "\n";
    if (!line.empty()) indented += "  " + std::string(line);
  }
  return indented;
}

}  // namespace berth::operator_
