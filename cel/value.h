// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cel/type.h"

namespace berth::cel {

class Value;

// Timestamp is a point in UTC between the years 1 and 9999; 0 <= nanos < 1e9.
struct Timestamp {
  int64_t seconds = 0;  // since 1970
  int32_t nanos = 0;
  auto operator<=>(const Timestamp&) const = default;
};

struct Duration {
  int64_t nanos = 0;
  auto operator<=>(const Duration&) const = default;
};

// List and Map are the interfaces of collections, so that a document can be read in place.
// Implementations are immutable. A view of a document (json_value.h) must not outlive it.
class List {
 public:
  virtual ~List() = default;
  virtual size_t Size() const = 0;
  virtual Value At(size_t index) const = 0;  // Requires: index < Size()
};

class Map {
 public:
  virtual ~Map() = default;
  virtual size_t Size() const = 0;
  virtual std::optional<Value> Find(const Value& key) const = 0;
  // Reports whether a key that Find returns has no value set. It reads as the empty value, like a
  // message field; `has` is false, and `?` returns none.
  virtual bool IsUnset(const Value& /*key*/) const { return false; }
  // Returns the keys in a stable order.
  virtual std::vector<Value> Keys() const = 0;
};

// Opaque is a value of a library's type; the library implements its equality and size.
class Opaque {
 public:
  virtual ~Opaque() = default;
  virtual const TypePtr& type() const = 0;
  virtual bool Equals(const Opaque& other) const = 0;  // Requires: the same type
  virtual size_t Size() const { return 1; }            // cost of operations on it
  virtual std::string ToString() const = 0;
};

// Value is any value of the language, or an error. Evaluation passes errors as values, because `||`
// and `&&` may absorb them. Cheap to copy; any thread may use it. Accessors require the matching
// kind.
class Value {
 public:
  struct Failed {
    std::string message;
    bool is_final;  // ends evaluation: `||` and `&&` do not absorb it
  };

  Value() : data_(NullValue{}) {}
  static Value Null() { return {}; }
  static Value Error(std::string message);
  static Value FinalError(std::string message);
  static Value Bool(bool value) { return Value(value); }
  static Value Int(int64_t value) { return Value(value); }
  static Value Uint(uint64_t value) { return Value(value); }
  static Value Double(double value) { return Value(value); }
  static Value String(std::string text);
  // A string inside a document; it must not outlive the document.
  static Value BorrowedString(std::string_view text) { return Value(Text{nullptr, text}); }
  static Value Bytes(std::string bytes);
  static Value Of(Timestamp point) { return Value(point); }
  static Value Of(Duration length) { return Value(length); }
  static Value Of(std::shared_ptr<const List> list) { return Value(std::move(list)); }
  static Value Of(std::shared_ptr<const Map> map) { return Value(std::move(map)); }
  static Value Of(TypePtr type) { return Value(std::move(type)); }
  static Value Of(std::shared_ptr<const Opaque> opaque) { return Value(std::move(opaque)); }
  static Value ListOf(std::vector<Value> elements);
  // The last of equal keys wins.
  static Value MapOf(std::vector<std::pair<Value, Value>> entries);
  static Value Some(Value held);
  static Value None() { return Value(Optional{}); }

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool Is(Kind wanted) const { return kind() == wanted; }
  bool IsError() const { return Is(Kind::kError); }
  bool IsTrue() const { return Is(Kind::kBool) && AsBool(); }

  const Failed& AsError() const { return **std::get_if<std::shared_ptr<const Failed>>(&data_); }
  bool AsBool() const { return *std::get_if<bool>(&data_); }
  int64_t AsInt() const { return *std::get_if<int64_t>(&data_); }
  uint64_t AsUint() const { return *std::get_if<uint64_t>(&data_); }
  double AsDouble() const { return *std::get_if<double>(&data_); }
  std::string_view AsString() const { return std::get_if<Text>(&data_)->view; }
  std::string_view AsBytes() const { return std::get_if<Octets>(&data_)->text.view; }
  Timestamp AsTimestamp() const { return *std::get_if<Timestamp>(&data_); }
  Duration AsDuration() const { return *std::get_if<Duration>(&data_); }
  const List& AsList() const { return **std::get_if<std::shared_ptr<const List>>(&data_); }
  std::shared_ptr<const List> SharedList() const {
    return *std::get_if<std::shared_ptr<const List>>(&data_);
  }
  const Map& AsMap() const { return **std::get_if<std::shared_ptr<const Map>>(&data_); }
  const TypePtr& AsType() const { return *std::get_if<TypePtr>(&data_); }
  // Returns the held value of an optional, or null if it has none.
  const Value* AsOptional() const { return std::get_if<Optional>(&data_)->held.get(); }
  const Opaque& AsOpaque() const { return **std::get_if<std::shared_ptr<const Opaque>>(&data_); }

 private:
  struct NullValue {};
  struct Text {
    std::shared_ptr<const std::string> owner;  // null: the text belongs to a document
    std::string_view view;
  };
  struct Octets {
    Text text;
  };
  struct Optional {
    std::shared_ptr<const Value> held;
  };
  // Invariant: alternatives are in the order of Kind.
  using Data =
      std::variant<std::shared_ptr<const Failed>, NullValue, bool, int64_t, uint64_t, double, Text,
                   Octets, Timestamp, Duration, std::shared_ptr<const List>,
                   std::shared_ptr<const Map>, TypePtr, Optional, std::shared_ptr<const Opaque>>;

  template <class T>
  explicit Value(T data) : data_(std::move(data)) {}

  Data data_;
};

// Returns the type of a value as `type()` reports it.
TypePtr TypeOfValue(const Value& value);

// Returns the size used for costs: code points, bytes, elements, entries; 1 for other values.
uint64_t SizeOf(const Value& value);

// Reports whether a value is the zero value of its type, for optional.ofNonZeroValue.
bool IsZero(const Value& value);

}  // namespace berth::cel
