// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/libraries.h"
#include "cel/limits.h"

namespace berth::cel {
namespace {

// Maximum depth of lists concatenated by `+`; reading an element walks down the chain.
constexpr int kMaxConcatDepth = 500;

Value IntOverflow() { return Value::Error("integer overflow"); }
Value UintOverflow() { return Value::Error("unsigned integer overflow"); }

// Concatenation is a view of two concatenated lists.
class Concatenation final : public List {
 public:
  Concatenation(std::shared_ptr<const List> front, std::shared_ptr<const List> back, int depth)
      : front_(std::move(front)),
        back_(std::move(back)),
        front_size_(front_->Size()),
        size_(front_size_ + back_->Size()),
        depth_(depth) {}

  size_t Size() const override { return size_; }
  Value At(size_t index) const override {
    return index < front_size_ ? front_->At(index) : back_->At(index - front_size_);
  }
  int depth() const { return depth_; }

 private:
  std::shared_ptr<const List> front_;
  std::shared_ptr<const List> back_;
  size_t front_size_;
  size_t size_;
  int depth_;
};

int DepthOf(const List& list) {
  const auto* const chain = dynamic_cast<const Concatenation*>(&list);
  return chain == nullptr ? 0 : chain->depth();
}

Value AddLists(Arguments a) {
  auto front = a[0].SharedList();
  auto back = a[1].SharedList();
  if (front->Size() == 0) return a[1];
  if (back->Size() == 0) return a[0];
  const int depth = std::max(DepthOf(*front), DepthOf(*back)) + 1;
  if (depth > kMaxConcatDepth || front->Size() + back->Size() > kMaxListElements) {
    return Value::Error("list exceeds the size limit of " + std::to_string(kMaxListElements));
  }
  return Value::Of(std::shared_ptr<const List>(
      std::make_shared<Concatenation>(std::move(front), std::move(back), depth)));
}

Value AddInt(Arguments a) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a[0].AsInt(), a[1].AsInt(), &sum)) return IntOverflow();
  return Value::Int(sum);
}
Value AddUint(Arguments a) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a[0].AsUint(), a[1].AsUint(), &sum)) return UintOverflow();
  return Value::Uint(sum);
}
Value AddDouble(Arguments a) { return Value::Double(a[0].AsDouble() + a[1].AsDouble()); }

std::optional<std::string> Concatenate(std::string_view a, std::string_view b) {
  if (a.size() + b.size() > kMaxTextBytes) return std::nullopt;
  std::string text;
  text.reserve(a.size() + b.size());
  text += a;
  text += b;
  return text;
}
Value TooLong() {
  return Value::Error("string exceeds the size limit of " + std::to_string(kMaxTextBytes));
}
Value AddString(Arguments a) {
  auto text = Concatenate(a[0].AsString(), a[1].AsString());
  return text ? Value::String(std::move(*text)) : TooLong();
}
Value AddBytes(Arguments a) {
  auto text = Concatenate(a[0].AsBytes(), a[1].AsBytes());
  return text ? Value::Bytes(std::move(*text)) : TooLong();
}

Value AddDurations(Arguments a) {
  Duration sum;
  if (__builtin_add_overflow(a[0].AsDuration().nanos, a[1].AsDuration().nanos, &sum.nanos)) {
    return Value::Error("duration overflow");
  }
  return Value::Of(sum);
}
Value SubtractDurations(Arguments a) {
  Duration difference;
  if (__builtin_sub_overflow(a[0].AsDuration().nanos, a[1].AsDuration().nanos, &difference.nanos)) {
    return Value::Error("duration overflow");
  }
  return Value::Of(difference);
}

constexpr int64_t kNanosInASecond = 1'000'000'000;

Value Moved(Timestamp point, Duration by, int sign) {
  int64_t nanos = point.nanos + sign * (by.nanos % kNanosInASecond);
  point.seconds += sign * (by.nanos / kNanosInASecond);
  if (nanos < 0) {
    nanos += kNanosInASecond;
    --point.seconds;
  } else if (nanos >= kNanosInASecond) {
    nanos -= kNanosInASecond;
    ++point.seconds;
  }
  point.nanos = static_cast<int32_t>(nanos);
  if (point.seconds < kMinSeconds || point.seconds > kMaxSeconds) {
    return Value::Error("timestamp overflow");
  }
  return Value::Of(point);
}
Value AddTimestampDuration(Arguments a) { return Moved(a[0].AsTimestamp(), a[1].AsDuration(), 1); }
Value AddDurationTimestamp(Arguments a) { return Moved(a[1].AsTimestamp(), a[0].AsDuration(), 1); }
Value SubtractTimestampDuration(Arguments a) {
  return Moved(a[0].AsTimestamp(), a[1].AsDuration(), -1);
}
Value SubtractTimestamps(Arguments a) {
  const Timestamp x = a[0].AsTimestamp();
  const Timestamp y = a[1].AsTimestamp();
  Duration difference;
  if (__builtin_mul_overflow(x.seconds - y.seconds, kNanosInASecond, &difference.nanos) ||
      __builtin_add_overflow(difference.nanos, int64_t{x.nanos} - y.nanos, &difference.nanos)) {
    return Value::Error("duration overflow");
  }
  return Value::Of(difference);
}

Value SubtractInt(Arguments a) {
  int64_t difference = 0;
  if (__builtin_sub_overflow(a[0].AsInt(), a[1].AsInt(), &difference)) return IntOverflow();
  return Value::Int(difference);
}
Value SubtractUint(Arguments a) {
  if (a[0].AsUint() < a[1].AsUint()) return UintOverflow();
  return Value::Uint(a[0].AsUint() - a[1].AsUint());
}
Value SubtractDouble(Arguments a) { return Value::Double(a[0].AsDouble() - a[1].AsDouble()); }

Value MultiplyInt(Arguments a) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a[0].AsInt(), a[1].AsInt(), &product)) return IntOverflow();
  return Value::Int(product);
}
Value MultiplyUint(Arguments a) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a[0].AsUint(), a[1].AsUint(), &product)) return UintOverflow();
  return Value::Uint(product);
}
Value MultiplyDouble(Arguments a) { return Value::Double(a[0].AsDouble() * a[1].AsDouble()); }

Value DivideInt(Arguments a) {
  if (a[1].AsInt() == 0) return Value::Error("division by zero");
  if (a[0].AsInt() == std::numeric_limits<int64_t>::min() && a[1].AsInt() == -1) {
    return IntOverflow();
  }
  return Value::Int(a[0].AsInt() / a[1].AsInt());
}
Value DivideUint(Arguments a) {
  if (a[1].AsUint() == 0) return Value::Error("division by zero");
  return Value::Uint(a[0].AsUint() / a[1].AsUint());
}
Value DivideDouble(Arguments a) { return Value::Double(a[0].AsDouble() / a[1].AsDouble()); }

Value ModuloInt(Arguments a) {
  if (a[1].AsInt() == 0) return Value::Error("modulus by zero");
  if (a[0].AsInt() == std::numeric_limits<int64_t>::min() && a[1].AsInt() == -1) {
    return IntOverflow();
  }
  return Value::Int(a[0].AsInt() % a[1].AsInt());
}
Value ModuloUint(Arguments a) {
  if (a[1].AsUint() == 0) return Value::Error("modulus by zero");
  return Value::Uint(a[0].AsUint() % a[1].AsUint());
}

Value NegateInt(Arguments a) {
  if (a[0].AsInt() == std::numeric_limits<int64_t>::min()) return IntOverflow();
  return Value::Int(-a[0].AsInt());
}
Value NegateDouble(Arguments a) { return Value::Double(-a[0].AsDouble()); }
Value Not(Arguments a) { return Value::Bool(!a[0].AsBool()); }

uint64_t JoinedCost(Arguments a, const Value& /*result*/) {
  return TextCost(SizeOf(a[0]) + SizeOf(a[1]));
}

constexpr FunctionRow kArithmeticRows[] = {
    {"_+_(bytes, bytes) -> bytes", AddBytes, JoinedCost},
    {"_+_(double, double) -> double", AddDouble},
    {"_+_(duration, duration) -> duration", AddDurations},
    {"_+_(duration, timestamp) -> timestamp", AddDurationTimestamp},
    {"_+_(timestamp, duration) -> timestamp", AddTimestampDuration},
    {"_+_(int, int) -> int", AddInt},
    {"_+_(list(A), list(A)) -> list(A)", AddLists},
    {"_+_(string, string) -> string", AddString, JoinedCost},
    {"_+_(uint, uint) -> uint", AddUint},
    {"_-_(double, double) -> double", SubtractDouble},
    {"_-_(duration, duration) -> duration", SubtractDurations},
    {"_-_(int, int) -> int", SubtractInt},
    {"_-_(timestamp, duration) -> timestamp", SubtractTimestampDuration},
    {"_-_(timestamp, timestamp) -> duration", SubtractTimestamps},
    {"_-_(uint, uint) -> uint", SubtractUint},
    {"_*_(double, double) -> double", MultiplyDouble},
    {"_*_(int, int) -> int", MultiplyInt},
    {"_*_(uint, uint) -> uint", MultiplyUint},
    {"_/_(double, double) -> double", DivideDouble},
    {"_/_(int, int) -> int", DivideInt},
    {"_/_(uint, uint) -> uint", DivideUint},
    {"_%_(int, int) -> int", ModuloInt},
    {"_%_(uint, uint) -> uint", ModuloUint},
    {"-_(double) -> double", NegateDouble},
    {"-_(int) -> int", NegateInt},
    {"!_(bool) -> bool", Not},
};

}  // namespace

std::span<const FunctionRow> ArithmeticFunctions() { return kArithmeticRows; }

}  // namespace berth::cel
