// SPDX-License-Identifier: Apache-2.0
#include "cel/parser.h"

#include <algorithm>
#include <array>

#include "cel/lexer.h"
#include "cel/literal.h"
#include "cel/macros.h"
#include "cel/unicode.h"

namespace berth::cel {
namespace {

constexpr std::string_view kOperand =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, IDENTIFIER}";

struct BinaryOperator {
  std::string_view symbol;
  int precedence;  // higher binds tighter; all are left associative
  std::string_view function;
};

constexpr std::array kBinaryOperators = {
    BinaryOperator{"<", 1, "_<_"},   BinaryOperator{"<=", 1, "_<=_"},
    BinaryOperator{">", 1, "_>_"},   BinaryOperator{">=", 1, "_>=_"},
    BinaryOperator{"==", 1, "_==_"}, BinaryOperator{"!=", 1, "_!=_"},
    BinaryOperator{"in", 1, "@in"},  BinaryOperator{"+", 2, "_+_"},
    BinaryOperator{"-", 2, "_-_"},   BinaryOperator{"*", 3, "_*_"},
    BinaryOperator{"/", 3, "_/_"},   BinaryOperator{"%", 3, "_%_"},
};

// Parser is a recursive descent parser over the tokens. Every function returns null after an issue
// was recorded.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Parsed Run() {
    ExprPtr root = ParseExpr();
    if (!issue_ && Peek().kind != TokenKind::kEnd) {
      SyntaxError("extraneous input " + Quoted(Peek()) + " expecting <EOF>");
    }
    if (issue_) return {nullptr, std::move(issue_)};
    return {std::move(root), std::nullopt};
  }

 private:
  const Token& Peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool At(std::string_view symbol, size_t ahead = 0) const {
    return Peek(ahead).kind == TokenKind::kSymbol && Peek(ahead).text == symbol;
  }
  const Token& Take() {
    const Token& token = Peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool TakeIf(std::string_view symbol) {
    if (!At(symbol)) return false;
    Take();
    return true;
  }

  static std::string Quoted(const Token& token) {
    return token.kind == TokenKind::kEnd ? "'<EOF>'" : "'" + std::string(token.text) + "'";
  }

  ExprPtr Fail(Position position, std::string message) {
    if (!issue_) issue_ = Issue{position, std::move(message)};
    return nullptr;
  }
  ExprPtr SyntaxError(const std::string& message) {
    return Fail(Peek().position, "Syntax error: " + message);
  }
  ExprPtr Mismatch(std::string_view expected) {
    return SyntaxError("mismatched input " + Quoted(Peek()) + " expecting " +
                       std::string(expected));
  }

  static ExprPtr New(ExprKind kind, Position position) {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->position = position;
    return expr;
  }

  // Sets the height of a node with complete arguments.
  ExprPtr Finish(ExprPtr expr) {
    for (const ExprPtr& arg : expr->args) expr->height = std::max(expr->height, arg->height + 1);
    if (expr->height > kMaxHeight) return Fail(expr->position, "max recursion depth exceeded");
    return expr;
  }

  ExprPtr NewCall(std::string_view function, Position position, ExprPtr a, ExprPtr b = nullptr) {
    ExprPtr call = New(ExprKind::kCall, position);
    call->name = function;
    call->args.push_back(std::move(a));
    if (b != nullptr) call->args.push_back(std::move(b));
    return Finish(std::move(call));
  }

  // Runs a parse one nesting level deeper.
  template <class Parse>
  ExprPtr Nested(Parse parse) {
    if (++nesting_ > kMaxNesting) {
      return Fail(Peek().position,
                  "expression recursion limit exceeded: " + std::to_string(kMaxNesting));
    }
    ExprPtr expr = parse();
    --nesting_;
    return expr;
  }

  ExprPtr ParseExpr() {
    return Nested([this]() -> ExprPtr {
      ExprPtr condition = ParseLogic(ExprKind::kOr);
      if (condition == nullptr || !At("?")) return condition;
      ExprPtr expr = New(ExprKind::kConditional, Take().position);
      ExprPtr then = ParseLogic(ExprKind::kOr);
      if (then == nullptr) return nullptr;
      if (!TakeIf(":")) return Mismatch("':'");
      ExprPtr otherwise = ParseExpr();
      if (otherwise == nullptr) return nullptr;
      expr->args.push_back(std::move(condition));
      expr->args.push_back(std::move(then));
      expr->args.push_back(std::move(otherwise));
      return Finish(std::move(expr));
    });
  }

  // A chain of one logical operator becomes one node, regardless of its length.
  ExprPtr ParseLogic(ExprKind kind) {
    const std::string_view symbol = kind == ExprKind::kOr ? "||" : "&&";
    const auto operand = [&] {
      return kind == ExprKind::kOr ? ParseLogic(ExprKind::kAnd) : ParseBinary(1);
    };
    ExprPtr first = operand();
    if (first == nullptr || !At(symbol)) return first;
    ExprPtr expr = New(kind, Peek().position);
    expr->args.push_back(std::move(first));
    while (TakeIf(symbol)) {
      ExprPtr next = operand();
      if (next == nullptr) return nullptr;
      expr->args.push_back(std::move(next));
    }
    return Finish(std::move(expr));
  }

  ExprPtr ParseBinary(int precedence) {
    if (precedence > 3) return ParseUnary();
    ExprPtr left = ParseBinary(precedence + 1);
    while (left != nullptr && Peek().kind == TokenKind::kSymbol) {
      const auto* const op =
          std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(), [&](const auto& known) {
            return known.precedence == precedence && known.symbol == Peek().text;
          });
      if (op == kBinaryOperators.end()) break;
      const Position position = Take().position;
      ExprPtr right = ParseBinary(precedence + 1);
      if (right == nullptr) return nullptr;
      left = NewCall(op->function, position, std::move(left), std::move(right));
    }
    return left;
  }

  // Two equal leading signs cancel each other. A minus sign before a number is part of the number,
  // so that the smallest int can be written.
  ExprPtr ParseUnary() {
    for (const std::string_view symbol : {"!", "-"}) {
      if (!At(symbol)) continue;
      const Position position = Peek().position;
      bool is_odd = false;
      for (; At(symbol); is_odd = !is_odd) {
        if (symbol == "-" && !is_odd && IsNumber(Peek(1))) return ParseMember();
        Take();
      }
      ExprPtr operand = ParseMember();
      if (operand == nullptr || !is_odd) return operand;
      return NewCall(symbol == "!" ? "!_" : "-_", position, std::move(operand));
    }
    return ParseMember();
  }

  static bool IsNumber(const Token& token) {
    return token.kind == TokenKind::kInt || token.kind == TokenKind::kDouble;
  }

  ExprPtr ParseMember() {
    ExprPtr expr = ParsePrimary();
    while (expr != nullptr) {
      if (At(".")) {
        expr = ParseDot(std::move(expr));
      } else if (At("[")) {
        expr = ParseIndex(std::move(expr));
      } else {
        return expr;
      }
    }
    return nullptr;
  }

  ExprPtr ParseDot(ExprPtr operand) {
    const Position dot = Take().position;
    const bool is_optional = TakeIf("?");
    if (Peek().kind != TokenKind::kIdentifier) {
      return SyntaxError("no viable alternative at input '." + std::string(Peek().text) + "'");
    }
    const Token name = Take();
    if (!is_optional && At("(")) {
      ExprPtr call = New(ExprKind::kCall, Peek().position);
      call->name = name.text;
      call->is_member = true;
      call->args.push_back(std::move(operand));
      return ParseCall(std::move(call));
    }
    ExprPtr select = New(is_optional ? ExprKind::kOptionalSelect : ExprKind::kSelect, dot);
    select->name = name.text;
    select->args.push_back(std::move(operand));
    return Finish(std::move(select));
  }

  ExprPtr ParseIndex(ExprPtr operand) {
    ExprPtr index = New(ExprKind::kIndex, Take().position);
    index->name = "_[_]";
    if (TakeIf("?")) {
      index->kind = ExprKind::kOptionalIndex;
      index->name = "_[?_]";
    }
    ExprPtr key = ParseExpr();
    if (key == nullptr) return nullptr;
    if (!TakeIf("]")) return Mismatch("']'");
    index->args.push_back(std::move(operand));
    index->args.push_back(std::move(key));
    return Finish(std::move(index));
  }

  // Parses the arguments; the opening bracket is next.
  ExprPtr ParseCall(ExprPtr call) {
    Take();
    while (!TakeIf(")")) {
      ExprPtr argument = ParseExpr();
      if (argument == nullptr) return nullptr;
      call->args.push_back(std::move(argument));
      if (!At(")") && !TakeIf(",")) return Mismatch("{')', ','}");
      if (At(")") && tokens_[at_ - 1].text == ",") return Mismatch(kOperand);
    }
    call = Finish(std::move(call));
    if (call == nullptr) return nullptr;
    if (auto issue = ExpandMacro(*call)) return Fail(issue->position, std::move(issue->message));
    return call;
  }

  ExprPtr ParsePrimary() {
    const Token& token = Peek();
    switch (token.kind) {
      case TokenKind::kIdentifier:
        return ParseName();
      case TokenKind::kInt:
      case TokenKind::kUint:
      case TokenKind::kDouble:
      case TokenKind::kString:
      case TokenKind::kBytes:
        return ParseLiteral(false);
      case TokenKind::kEnd:
        return Mismatch(kOperand);
      case TokenKind::kSymbol:
        break;
    }
    if (At("-") && IsNumber(Peek(1))) return ParseLiteral(true);
    if (At("(")) return ParseBracketed();
    if (At("[")) return ParseList();
    if (At("{")) return ParseMap();
    if (At(".") && Peek(1).kind == TokenKind::kIdentifier) {
      Take();
      return ParseName();
    }
    if (At("true") || At("false") || At("null")) {
      ExprPtr literal = New(ExprKind::kLiteral, token.position);
      if (token.text != "null") literal->literal = Value::Bool(token.text == "true");
      Take();
      return literal;
    }
    return Mismatch(kOperand);
  }

  ExprPtr ParseLiteral(bool is_negative) {
    ExprPtr literal = New(ExprKind::kLiteral, Peek().position);
    if (is_negative) Take();
    literal->literal = LiteralValue(Take(), is_negative);
    if (literal->literal.IsError()) {
      return Fail(literal->position, literal->literal.AsError().message);
    }
    return literal;
  }

  ExprPtr ParseBracketed() {
    Take();
    ExprPtr expr = ParseExpr();
    if (expr != nullptr && !TakeIf(")")) return SyntaxError("missing ')' at " + Quoted(Peek()));
    return expr;
  }

  ExprPtr ParseName() {
    if (IsStruct()) return ParseStruct();
    const Token name = Take();
    if (IsReservedWord(name.text)) {
      return Fail(name.position, "reserved identifier: " + std::string(name.text));
    }
    if (At("(")) {
      ExprPtr call = New(ExprKind::kCall, Peek().position);
      call->name = name.text;
      return ParseCall(std::move(call));
    }
    ExprPtr identifier = New(ExprKind::kIdentifier, name.position);
    identifier->name = name.text;
    return identifier;
  }

  // Reports whether a dotted type name and a brace follow.
  bool IsStruct() const {
    size_t ahead = 1;
    while (At(".", ahead) && Peek(ahead + 1).kind == TokenKind::kIdentifier) ahead += 2;
    return At("{", ahead);
  }

  ExprPtr ParseStruct() {
    std::string name;
    while (!At("{")) name += Take().text;
    ExprPtr expr = New(ExprKind::kStruct, Take().position);
    expr->name = std::move(name);
    while (!TakeIf("}")) {
      TakeIf("?");
      if (Peek().kind != TokenKind::kIdentifier) return Mismatch("{'}', IDENTIFIER}");
      Take();
      if (!TakeIf(":")) return Mismatch("':'");
      ExprPtr value = ParseExpr();
      if (value == nullptr) return nullptr;
      expr->args.push_back(std::move(value));
      if (!At("}") && !TakeIf(",")) return Mismatch("{'}', ','}");
    }
    return Finish(std::move(expr));
  }

  ExprPtr ParseList() {
    ExprPtr list = New(ExprKind::kList, Take().position);
    while (!TakeIf("]")) {
      list->optional.push_back(TakeIf("?"));
      ExprPtr element = ParseExpr();
      if (element == nullptr) return nullptr;
      list->args.push_back(std::move(element));
      if (!At("]") && !TakeIf(",")) return Mismatch("{']', ','}");
    }
    return Finish(std::move(list));
  }

  ExprPtr ParseMap() {
    ExprPtr map = New(ExprKind::kMap, Take().position);
    while (!TakeIf("}")) {
      map->optional.push_back(TakeIf("?"));
      ExprPtr key = ParseExpr();
      if (key == nullptr) return nullptr;
      if (!TakeIf(":")) return Mismatch("':'");
      ExprPtr value = ParseExpr();
      if (value == nullptr) return nullptr;
      map->args.push_back(std::move(key));
      map->args.push_back(std::move(value));
      if (!At("}") && !TakeIf(",")) return Mismatch("{'}', ','}");
    }
    return Finish(std::move(map));
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nesting_ = 0;
  std::optional<Issue> issue_;
};

}  // namespace

Parsed Parse(std::string_view text) {
  const size_t size = CountCodePoints(text);
  if (size > kMaxExpressionCodePoints) {
    return {nullptr,
            Issue{{},
                  "expression code point size exceeds limit: size: " + std::to_string(size) +
                      ", limit " + std::to_string(kMaxExpressionCodePoints)}};
  }
  Tokens tokens = Tokenize(text);
  if (tokens.issue) return {nullptr, std::move(tokens.issue)};
  return Parser(std::move(tokens.tokens)).Run();
}

}  // namespace berth::cel
