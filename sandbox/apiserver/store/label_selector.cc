// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/names.h"
#include "base/strings.h"
#include "sandbox/apiserver/store/selector.h"

namespace berth::apiserver {
namespace {

struct Token {
  enum class Kind { kEnd, kWord, kSymbol, kError };

  Kind kind;
  std::string text;

  bool Is(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  bool IsWord() const { return kind == Kind::kWord; }
  bool IsEnd() const { return kind == Kind::kEnd; }
};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool IsSymbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

// Returns the longest symbol at the start of `text`. Requires: it begins with a symbol character.
Token ScanSymbol(std::string_view text) {
  for (const std::string_view symbol : {"==", "!=", "=", "!", "(", ")", ",", ">", "<"}) {
    if (text.starts_with(symbol)) return {Token::Kind::kSymbol, std::string(symbol)};
  }
  return {Token::Kind::kError, std::string(text.substr(0, 1))};
}

std::vector<Token> Scan(std::string_view text) {
  std::vector<Token> tokens;
  size_t at = 0;
  while (at < text.size()) {
    if (IsSpace(text[at])) {
      ++at;
    } else if (IsSymbol(text[at])) {
      tokens.push_back(ScanSymbol(text.substr(at)));
      at += tokens.back().text.size();
    } else {
      const size_t start = at;
      while (at < text.size() && !IsSpace(text[at]) && !IsSymbol(text[at])) ++at;
      tokens.push_back({Token::Kind::kWord, std::string(text.substr(start, at - start))});
    }
  }
  tokens.push_back({Token::Kind::kEnd, ""});
  return tokens;
}

Failure Found(const Token& token, std::string_view expected) {
  return Fail(Reason::kBadRequest,
              "found '" + token.text + "', expected: " + std::string(expected));
}

// Parser parses the grammar of k8s.io/apimachinery/pkg/labels:
//   selector    = [ requirement { "," requirement } ]
//   requirement = "!" key | key [ operator value | set ]
//   set         = ( "in" | "notin" ) "(" value { "," value } ")"
// Values may be empty.
class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(Scan(text)) {}

  Result<api::Selector> Parse() {
    api::Selector selector;
    while (!Peek().IsEnd()) {
      if (!BeginsRequirement(Peek())) {
        return Found(Peek(), "!, identifier, or 'end of string'");
      }
      auto requirement = ParseRequirement();
      if (!requirement) return Fail(requirement.error().With("unable to parse requirement"));
      selector.Add(std::move(*requirement));
      const Token& next = Take();
      if (next.IsEnd()) break;
      if (!next.Is(",")) return Found(next, "',' or 'end of string'");
      if (!BeginsRequirement(Peek())) return Found(Peek(), "identifier after ','");
    }
    return selector;
  }

 private:
  static bool BeginsRequirement(const Token& token) { return token.IsWord() || token.Is("!"); }

  const Token& Peek() const { return tokens_[at_]; }
  const Token& Take() {
    const Token& token = tokens_[at_];
    if (!token.IsEnd()) ++at_;
    return token;
  }

  Result<api::Requirement> ParseRequirement() {
    const bool negated = Peek().Is("!");
    if (negated) Take();
    const Token& key = Take();
    if (!key.IsWord()) return Found(key, "identifier");
    if (const auto errors = CheckQualifiedName(key.text); !errors.empty()) {
      return Fail(Reason::kBadRequest,
                  api::FieldError::Invalid("<nil>", key.text, Join(errors, "; ")).ToString());
    }
    api::NodeSelectorRequirement source{.key = key.text};
    if (negated || Peek().IsEnd() || Peek().Is(",")) {
      source.op = negated ? "DoesNotExist" : "Exists";
      return Compile(source);
    }
    BERTH_TRY(source.op, ParseOperator());
    BERTH_TRY(const std::set<std::string> values, is_set_ ? ParseSet() : ParseValue());
    source.values.assign(values.begin(), values.end());
    return Compile(source);
  }

  // Returns the API name of the operator; sets is_set_ if a set follows.
  Result<std::string> ParseOperator() {
    const Token& token = Take();
    is_set_ = token.IsWord() && (token.text == "in" || token.text == "notin");
    if (is_set_) return std::string(token.text == "in" ? "In" : "NotIn");
    if (token.Is("=") || token.Is("==")) return std::string("In");
    if (token.Is("!=")) return std::string("NotIn");
    if (token.Is(">")) return std::string("Gt");
    if (token.Is("<")) return std::string("Lt");
    return Found(token, "in, notin, =, ==, !=, gt, lt");
  }

  Result<std::set<std::string>> ParseValue() {
    if (Peek().IsEnd() || Peek().Is(",")) return std::set<std::string>{""};
    const Token& token = Take();
    if (!token.IsWord()) return Found(token, "identifier");
    return std::set<std::string>{token.text};
  }

  Result<std::set<std::string>> ParseSet() {
    if (const Token& open = Take(); !open.Is("(")) {
      return Fail(Reason::kBadRequest, "found '" + open.text + "' expected: '('");
    }
    std::set<std::string> values;
    while (true) {
      if (!Peek().IsWord() && !Peek().Is(",") && !Peek().Is(")")) {
        return Found(Peek(), "',', ')' or identifier");
      }
      values.insert(Peek().IsWord() ? Take().text : "");
      const Token& next = Take();
      if (next.Is(")")) return values;
      if (!next.Is(",")) return Found(next, "',' or ')'");
    }
  }

  static Result<api::Requirement> Compile(const api::NodeSelectorRequirement& source) {
    std::vector<api::Requirement> requirements;
    std::vector<api::FieldError> errors;
    api::Requirement::Parse(source, {}, requirements, errors);
    if (!errors.empty()) return Fail(Reason::kBadRequest, api::Aggregate(errors));
    return std::move(requirements.front());
  }

  const std::vector<Token> tokens_;
  size_t at_ = 0;
  bool is_set_ = false;
};

}  // namespace

Result<api::Selector> ParseLabelSelector(std::string_view text) { return Parser(text).Parse(); }

}  // namespace berth::apiserver
