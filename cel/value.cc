// SPDX-License-Identifier: Apache-2.0
#include "cel/value.h"

#include <algorithm>
#include <unordered_map>

#include "cel/compare.h"
#include "cel/unicode.h"

namespace berth::cel {
namespace {

class OwnedList final : public List {
 public:
  explicit OwnedList(std::vector<Value> elements) : elements_(std::move(elements)) {}
  size_t Size() const override { return elements_.size(); }
  Value At(size_t index) const override { return elements_[index]; }

 private:
  std::vector<Value> elements_;
};

class OwnedMap final : public Map {
 public:
  explicit OwnedMap(std::vector<std::pair<Value, Value>> entries) {
    for (auto& [key, value] : entries) {
      const auto [at, is_new] = index_.try_emplace(MapKey(key).value_or(""), entries_.size());
      if (is_new) {
        entries_.emplace_back(std::move(key), std::move(value));
      } else {
        entries_[at->second].second = std::move(value);
      }
    }
  }

  size_t Size() const override { return entries_.size(); }

  std::optional<Value> Find(const Value& key) const override {
    const auto wanted = MapKey(key);
    const auto found = wanted ? index_.find(*wanted) : index_.end();
    if (found == index_.end()) return std::nullopt;
    return entries_[found->second].second;
  }

  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    keys.reserve(entries_.size());
    for (const auto& entry : entries_) keys.push_back(entry.first);
    return keys;
  }

 private:
  std::vector<std::pair<Value, Value>> entries_;
  std::unordered_map<std::string, size_t> index_;  // MapKey of the key: index in entries_
};

}  // namespace

Value Value::Error(std::string message) {
  return Value(std::make_shared<const Failed>(Failed{std::move(message), false}));
}

Value Value::FinalError(std::string message) {
  return Value(std::make_shared<const Failed>(Failed{std::move(message), true}));
}

Value Value::String(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  const std::string_view view = *owner;
  return Value(Text{std::move(owner), view});
}

Value Value::Bytes(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view view = *owner;
  return Value(Octets{{std::move(owner), view}});
}

Value Value::ListOf(std::vector<Value> elements) {
  return Of(std::shared_ptr<const List>(std::make_shared<OwnedList>(std::move(elements))));
}

Value Value::MapOf(std::vector<std::pair<Value, Value>> entries) {
  return Of(std::shared_ptr<const Map>(std::make_shared<OwnedMap>(std::move(entries))));
}

Value Value::Some(Value held) {
  return Value(Optional{std::make_shared<const Value>(std::move(held))});
}

TypePtr TypeOfValue(const Value& value) {
  return value.Is(Kind::kOpaque) ? value.AsOpaque().type() : Basic(value.kind());
}

uint64_t SizeOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return CountCodePoints(value.AsString());
    case Kind::kBytes:
      return value.AsBytes().size();
    case Kind::kList:
      return value.AsList().Size();
    case Kind::kMap:
      return value.AsMap().Size();
    case Kind::kOpaque:
      return value.AsOpaque().Size();
    case Kind::kOptional:
      return value.AsOptional() == nullptr ? 1 : SizeOf(*value.AsOptional());
    default:
      return 1;
  }
}

bool IsZero(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return !value.AsBool();
    case Kind::kInt:
      return value.AsInt() == 0;
    case Kind::kUint:
      return value.AsUint() == 0;
    case Kind::kDouble:
      return value.AsDouble() == 0;
    case Kind::kDuration:
      return value.AsDuration().nanos == 0;
    case Kind::kOptional:
      return value.AsOptional() == nullptr || IsZero(*value.AsOptional());
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return SizeOf(value) == 0;
    default:
      return false;
  }
}

}  // namespace berth::cel
