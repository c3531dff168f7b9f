// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expression_message.h"

#include "base/strings.h"
#include "cel/convert.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

// Returns the position of the end of the placeholder that begins at `from`, or npos.
size_t EndOfHole(std::string_view text, size_t from) {
  char quote = 0;
  for (size_t i = from; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == quote) {
        quote = 0;
      }
    } else if (text[i] == '\'' || text[i] == '"') {
      quote = text[i];
    } else if (text.substr(i).starts_with(kClose)) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Result<ExpressionMessage> ExpressionMessage::Create(std::string_view text) {
  ExpressionMessage message;
  size_t at = 0;
  for (size_t open = text.find(kOpen); open != std::string_view::npos;
       open = text.find(kOpen, at)) {
    const size_t begin = open + kOpen.size();
    const size_t end = EndOfHole(text, begin);
    if (end == std::string_view::npos) {
      return Fail(Reason::kInvalid, "missing }} after {{ in: " + std::string(text.substr(open)));
    }
    const std::string_view expression = TrimSpace(text.substr(begin, end - begin));
    BERTH_TRY(auto hole, Expression::Create(expression, Expression::ResultType::kAnything));
    if (hole.reads_node()) {
      return Fail(
          Reason::kInvalid,
          "{{ " + hole.text() +
              " }} reads node; a message may only read pod, because nodes are counted by message");
    }
    message.texts_.emplace_back(text.substr(at, open - at));
    message.holes_.push_back(std::move(hole));
    at = end + kClose.size();
  }
  message.texts_.emplace_back(text.substr(at));
  return message;
}

std::string ExpressionMessage::For(const api::Pod& pod) const {
  std::string text = texts_.front();
  cel::Budget budget = ExpressionBudget();
  for (size_t i = 0; i < holes_.size(); ++i) {
    const BoundExpression hole(holes_[i], pod, budget);
    const cel::Value& value = *hole.fixed();
    text += value.IsError() ? "(" + value.AsError().message + ")" : cel::ToText(value);
    text += texts_[i + 1];
  }
  return text;
}

}  // namespace berth::scheduler
