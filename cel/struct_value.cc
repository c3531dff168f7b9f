// SPDX-License-Identifier: Apache-2.0
#include "cel/struct_value.h"

#include <charconv>
#include <map>
#include <vector>

#include "base/quantity.h"
#include "cel/convert.h"
#include "cel/libraries.h"
#include "cel/schema_type.h"

namespace berth::cel {
namespace {

using JsonKind = json::Type::Kind;

bool IsPlain(const json::Type& type) {
  switch (type.kind) {
    case JsonKind::kBool:
    case JsonKind::kInt32:
    case JsonKind::kInt64:
    case JsonKind::kDouble:
    case JsonKind::kString:
    case JsonKind::kScalar:
      return true;
    default:
      return false;
  }
}

// TypeMaker creates one type per struct, so that its lists have the same type everywhere.
class TypeMaker {
 public:
  TypePtr Make(const json::Type& type, const std::string& name) {
    Name(type, name);
    return Of(type);
  }

 private:
  // Finds the shortest path to each struct; the struct gets its name from it.
  void Name(const json::Type& type, const std::string& name) {
    switch (type.kind) {
      case JsonKind::kOptional:
        return Name(type.element(), name);
      case JsonKind::kList:
      case JsonKind::kMap:
        return Name(type.element(), name + "[]");
      case JsonKind::kObject:
        break;
      default:
        return;
    }
    std::string& known = names_[&type];
    if (!known.empty() && known.size() <= name.size()) return;
    known = name;
    for (const json::Type::Field& field : type.fields) {
      Name(field.type(), name + "." + std::string(field.name));
    }
  }

  TypePtr Of(const json::Type& type) {
    switch (type.kind) {
      case JsonKind::kBool:
        return Basic(Kind::kBool);
      case JsonKind::kInt32:
      case JsonKind::kInt64:
        return Basic(Kind::kInt);
      case JsonKind::kDouble:
        return Basic(Kind::kDouble);
      case JsonKind::kString:
        return Basic(Kind::kString);
      case JsonKind::kScalar:
        return ScalarType(type.format);
      case JsonKind::kOptional:
        return Of(type.element());
      case JsonKind::kList:
        return ListOf(Of(type.element()));
      case JsonKind::kMap:
        return MapOf(Basic(Kind::kString), Of(type.element()));
      case JsonKind::kObject:
        return ObjectType(type);
      case JsonKind::kRaw:
        break;
    }
    return nullptr;
  }

  static TypePtr ScalarType(json::ScalarFormat format) {
    switch (format) {
      case json::ScalarFormat::kQuantity:
        return QuantityType();
      case json::ScalarFormat::kDateTime:
        return Basic(Kind::kTimestamp);
      case json::ScalarFormat::kDuration:
        return Basic(Kind::kDuration);
      case json::ScalarFormat::kIntOrString:
        return Basic(Kind::kDyn);
      case json::ScalarFormat::kString:
        break;
    }
    return Basic(Kind::kString);
  }

  TypePtr ObjectType(const json::Type& type) {
    TypePtr& made = made_[&type];
    if (made != nullptr) return made;
    Fields fields;
    for (const json::Type::Field& field : type.fields) {
      const auto escaped = EscapeFieldName(field.name);
      TypePtr of_field = Of(field.type());
      if (!escaped || of_field == nullptr) continue;
      fields[*escaped] = {std::string(field.name), std::move(of_field)};
    }
    return made_[&type] = ObjectOf(names_[&type], std::move(fields));
  }

  std::map<const json::Type*, std::string> names_;
  std::map<const json::Type*, TypePtr> made_;
};

Value ViewOfElement(const json::Type& type, const void* value) {
  return ReadStruct(type, value).value_or(Value());
}

class StructList final : public List {
 public:
  StructList(const json::Type& type, const void* list) : type_(type), list_(list) {}
  size_t Size() const override { return list_ == nullptr ? 0 : type_.size(list_); }
  Value At(size_t index) const override {
    return ViewOfElement(type_.element(), type_.at(list_, index));
  }

 private:
  const json::Type& type_;
  const void* list_;
};

class StructMap final : public Map {
 public:
  StructMap(const json::Type& type, const void* map) : type_(type), map_(map) {}
  size_t Size() const override { return Keys().size(); }
  std::optional<Value> Find(const Value& key) const override {
    if (!key.Is(Kind::kString)) return std::nullopt;
    return FindStructEntry(type_, map_, std::string(key.AsString()));
  }
  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    if (map_ == nullptr) return keys;
    type_.each(map_, &keys, [](void* context, const std::string& key, const void*) {
      static_cast<std::vector<Value>*>(context)->push_back(Value::BorrowedString(key));
    });
    return keys;
  }

 private:
  const json::Type& type_;
  const void* map_;
};

}  // namespace

namespace internal {

// StructObject contains the fields by their escaped names.
class StructObject : public Map {
 public:
  StructObject(const json::Type& type, const void* object) : object_(object), type_(type) {}

  const void* object() const { return object_; }

  size_t Size() const override { return Keys().size(); }
  std::optional<Value> Find(const Value& key) const override {
    const json::Type::Field* field = FieldOf(key);
    if (field == nullptr) return std::nullopt;
    return ReadStruct(field->type(), object_ == nullptr ? nullptr : field->In(object_));
  }
  bool IsUnset(const Value& key) const override {
    const json::Type::Field* field = FieldOf(key);
    return field != nullptr && (object_ == nullptr || field->type().empty(field->In(object_)));
  }
  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    if (object_ == nullptr) return keys;
    for (const json::Type::Field& field : type_.fields) {
      if (field.type().kind == JsonKind::kRaw || field.type().empty(field.In(object_))) continue;
      if (auto name = EscapeFieldName(field.name)) keys.push_back(Value::String(std::move(*name)));
    }
    return keys;
  }

 protected:
  const void* object_;  // null: absent, all fields read as empty

 private:
  const json::Type::Field* FieldOf(const Value& key) const {
    return key.Is(Kind::kString) ? FindStructField(type_, key.AsString()) : nullptr;
  }

  const json::Type& type_;
};

}  // namespace internal

namespace {

template <class T>
T PlainOrZero(const void* value) {
  return value == nullptr ? T{} : *static_cast<const T*>(value);
}

std::optional<Value> ReadScalar(const json::Type& type, const void* value) {
  if (type.format == json::ScalarFormat::kQuantity) {
    return QuantityOf(PlainOrZero<Quantity>(value));
  }
  const bool is_empty = value == nullptr || type.empty(value);
  if (type.format == json::ScalarFormat::kDateTime) {
    const auto point = is_empty ? std::nullopt : ParseTimestamp(type.print(value));
    return point ? std::optional(Value::Of(*point)) : std::nullopt;
  }
  std::string text = is_empty ? "" : type.print(value);
  if (type.format == json::ScalarFormat::kDuration) {
    return Value::Of(ParseDuration(text).value_or(Duration()));
  }
  if (type.format == json::ScalarFormat::kIntOrString) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return Value::Int(number);
    if (is_empty) return Value::Int(0);
  }
  return Value::String(std::move(text));
}

template <class T>
const T* EntryOf(const void* map, const std::string& key) {
  const auto& entries = *static_cast<const std::map<std::string, T>*>(map);
  const auto found = entries.find(key);
  return found == entries.end() ? nullptr : &found->second;
}

}  // namespace

TypePtr TypeOfStruct(const json::Type& type, const std::string& name) {
  return TypeMaker().Make(type, name);
}

const json::Type::Field* FindStructField(const json::Type& type, std::string_view name) {
  if (const json::Type::Field* field = type.FindField(name)) return field;
  if (!name.starts_with("__")) return nullptr;
  for (const json::Type::Field& field : type.fields) {
    if (EscapeFieldName(field.name) == name) return &field;
  }
  return nullptr;
}

std::optional<Value> ReadStruct(const json::Type& type, const void* value) {
  switch (type.kind) {
    case JsonKind::kBool:
      return Value::Bool(PlainOrZero<bool>(value));
    case JsonKind::kInt32:
      return Value::Int(PlainOrZero<int32_t>(value));
    case JsonKind::kInt64:
      return Value::Int(PlainOrZero<int64_t>(value));
    case JsonKind::kDouble:
      return Value::Double(PlainOrZero<double>(value));
    case JsonKind::kString:
      return Value::BorrowedString(value == nullptr ? std::string_view()
                                                    : *static_cast<const std::string*>(value));
    case JsonKind::kScalar:
      return ReadScalar(type, value);
    case JsonKind::kOptional: {
      const void* content = value == nullptr ? nullptr : type.get(value);
      if (content == nullptr && IsPlain(type.element())) return std::nullopt;
      return ReadStruct(type.element(), content);
    }
    case JsonKind::kList:
      return Value::Of(std::shared_ptr<const List>(std::make_shared<StructList>(type, value)));
    case JsonKind::kMap:
      return Value::Of(std::shared_ptr<const Map>(std::make_shared<StructMap>(type, value)));
    case JsonKind::kObject:
      return Value::Of(
          std::shared_ptr<const Map>(std::make_shared<internal::StructObject>(type, value)));
    case JsonKind::kRaw:
      break;
  }
  return std::nullopt;
}

// Looks up the most common map types directly and iterates over others.
std::optional<Value> FindStructEntry(const json::Type& type, const void* map,
                                     const std::string& key) {
  if (map == nullptr) return std::nullopt;
  const json::Type& element = type.element();
  if (element.kind == JsonKind::kString) {
    const std::string* text = EntryOf<std::string>(map, key);
    return text == nullptr ? std::nullopt : std::optional(Value::BorrowedString(*text));
  }
  if (&element == &json::TypeOf<Quantity>()) {
    const Quantity* amount = EntryOf<Quantity>(map, key);
    return amount == nullptr ? std::nullopt : std::optional(QuantityOf(*amount));
  }
  struct Search {
    const std::string& key;
    const void* found;
  } search{key, nullptr};
  type.each(map, &search, [](void* context, const std::string& at, const void* value) {
    auto& wanted = *static_cast<Search*>(context);
    if (at == wanted.key) wanted.found = value;
  });
  if (search.found == nullptr) return std::nullopt;
  return ViewOfElement(element, search.found);
}

Value ViewOf(const json::Type& type, const void* value) { return ViewOfElement(type, value); }

const void* StructOf(const Value& value) {
  return static_cast<const internal::StructObject&>(value.AsMap()).object();
}

class StructVariable::Root final : public internal::StructObject {
 public:
  explicit Root(const json::Type& type) : internal::StructObject(type, nullptr) {}
  void PointAt(const void* object) { object_ = object; }
};

StructVariable::StructVariable(const json::Type& type)
    : root_(std::make_shared<Root>(type)), value_(Value::Of(std::shared_ptr<const Map>(root_))) {}

void StructVariable::PointAt(const void* value) { root_->PointAt(value); }

const FunctionTable& StructFunctions() {
  static const auto* const kFunctions = [] {
    const Overload& of_text = FindFunction("quantity").front();
    const FunctionRow rows[] = {
        {"quantity(string) -> quantity", of_text.call, of_text.cost, of_text.costs_always},
        {"quantity(quantity) -> quantity", [](Arguments a) { return a[0]; }},
    };
    return new FunctionTable(rows, {});
  }();
  return *kFunctions;
}

}  // namespace berth::cel
