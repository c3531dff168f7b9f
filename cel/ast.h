// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cel/source.h"
#include "cel/type.h"
#include "cel/value.h"

namespace berth {
class Regex;
}

namespace berth::cel {

struct Overload;

enum class ExprKind {
  kLiteral,
  kIdentifier,
  kSelect,          // args: operand; name: field
  kOptionalSelect,  // operand.?field
  kHas,             // has(operand.field)
  kIndex,           // args: operand, key
  kOptionalIndex,   // operand[?key]
  kCall,            // args: receiver first if is_member
  kAnd,             // args: two or more
  kOr,
  kConditional,  // args: condition, then, else
  kList,
  kMap,            // args: key, value, key, value ...
  kStruct,         // name { field: value }; the checker rejects it, no such type can be created
  kComprehension,  // args: range, [filter,] body; see Macro
};

// Macro selects how a kComprehension uses its body for each element. The names are those of the
// language, except for kEach: map().
enum class Macro {
  kAll,
  kExists,
  kExistsOne,
  kEach,
  kFilter,
  kTransformList,
  kTransformMap,
  kTransformMapEntry,
  kSortBy,
  kOptMap,
  kOptFlatMap,
};

// Shortcut evaluates an expression that begins at a variable in one step: a path of fields and
// constant keys, or a comparison of the path's value. Result, cost and errors equal those of the
// single steps. Immutable; any thread may use it.
class Shortcut {
 public:
  virtual ~Shortcut() = default;
  // Adds the cost of the single steps to `cost`.
  virtual Value Evaluate(const Value& variable, uint64_t& cost) const = 0;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// Expr is a node of an expression. The parser fills the first group of members, the checker the
// second. The height of a tree is limited (kMaxHeight), so walks may recurse.
struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  Position position;
  int height = 1;
  Value literal;
  std::string name;  // identifier, field or function
  bool is_member = false;
  std::vector<ExprPtr> args;
  std::vector<bool> optional;  // kList, kMap: elements or entries marked with `?`
  Macro macro = Macro::kAll;
  std::string variable;   // kComprehension: element; key or index if there is a second variable
  std::string variable2;  // element if there are two variables, or empty

  TypePtr type;
  std::vector<const Overload*> overloads;    // kCall and indexes: possible overloads
  int slot = -1;                             // of `variable`, or of the local kIdentifier
  int slot2 = -1;                            // of `variable2`
  std::shared_ptr<const Regex> regex;        // kCall with a literal pattern
  std::shared_ptr<const Shortcut> shortcut;  // kSelect, kIndex, kCall; null: step by step
  std::string root;                          // the variable of the shortcut
};

// Copies a tree.
ExprPtr Copy(const Expr& expr);

// Maximum height of a tree.
inline constexpr int kMaxHeight = 250;

}  // namespace berth::cel
