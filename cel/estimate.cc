// SPDX-License-Identifier: Apache-2.0
#include "cel/estimate.h"

#include <algorithm>
#include <limits>
#include <string>

#include "cel/cost.h"
#include "cel/source.h"

namespace berth::cel {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
// Cost per iteration: reading, testing and extending a macro's accumulator.
constexpr uint64_t kTurn = 4;

uint64_t Plus(uint64_t a, uint64_t b) { return a > kMost - b ? kMost : a + b; }
uint64_t Times(uint64_t a, uint64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }

uint64_t SizeEstimate(const Expr& expr) {
  if (expr.kind == ExprKind::kLiteral) return SizeOf(expr.literal);
  if (expr.kind == ExprKind::kList) return expr.args.size();
  if (expr.kind == ExprKind::kMap) return expr.optional.size();
  switch (expr.type->kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return kAssumedCharacters;
    case Kind::kList:
    case Kind::kMap:
    case Kind::kDyn:
      return kAssumedElements;
    default:
      return 1;
  }
}

bool IsText(const Expr& expr) {
  return expr.type->kind() == Kind::kString || expr.type->kind() == Kind::kBytes;
}

bool IsPriced(const Expr& expr) {
  return std::any_of(expr.overloads.begin(), expr.overloads.end(),
                     [](const Overload* overload) { return overload->cost != nullptr; });
}

// Returns the estimated cost of a call without its arguments: one walk over each string and
// collection. For sets, each element is compared with each.
uint64_t CallEstimate(const Expr& expr) {
  if (!IsPriced(expr)) return 1;
  const bool compares_pairs = expr.name.starts_with("sets.");
  uint64_t cost = 1;
  for (const ExprPtr& arg : expr.args) {
    const uint64_t size = IsText(*arg) ? TextCost(SizeEstimate(*arg)) : SizeEstimate(*arg);
    cost = compares_pairs ? Times(cost, size) : Plus(cost, size);
  }
  return cost;
}

}  // namespace

uint64_t EstimateCost(const Expr& expr) {
  // Estimate each argument only once; otherwise chains of macros take exponential time.
  const uint64_t first = expr.args.empty() ? 0 : EstimateCost(*expr.args[0]);
  uint64_t others = 0;
  for (size_t i = 1; i < expr.args.size(); ++i) {
    others = Plus(others, EstimateCost(*expr.args[i]));
  }
  const uint64_t args = Plus(first, others);
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return 0;
    case ExprKind::kCall:
      return Plus(args, CallEstimate(expr));
    case ExprKind::kList:
      return Plus(args, kListCost);
    case ExprKind::kMap:
      return Plus(args, kMapCost);
    case ExprKind::kComprehension: {
      const bool is_loop = expr.macro != Macro::kOptMap && expr.macro != Macro::kOptFlatMap;
      const uint64_t turns = is_loop ? SizeEstimate(*expr.args[0]) : 1;
      return Plus(first, Times(turns, Plus(others, kTurn)));
    }
    default:
      return Plus(args, 1);
  }
}

Result<void> RejectCostly(std::string_view text, const Program& program, uint64_t limit) {
  if (EstimateCost(program.root()) <= limit) return {};
  const Expr* at = &program.root();
  for (bool descends = true; descends;) {
    descends = false;
    for (const ExprPtr& arg : at->args) {
      if (EstimateCost(*arg) <= limit) continue;
      at = arg.get();
      descends = true;
      break;
    }
  }
  const uint64_t cost = EstimateCost(*at);
  return Fail(ToError(
      text, {{at->position,
              "estimated to cost " + std::to_string(cost) + " units, " + std::to_string(limit) +
                  " are allowed; lists and maps are assumed to have " +
                  std::to_string(kAssumedElements) + " elements, so nested loops cost most"}}));
}

}  // namespace berth::cel
