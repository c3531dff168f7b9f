// SPDX-License-Identifier: Apache-2.0
#include "cel/json_value.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "cel/convert.h"

namespace berth::cel {
namespace {

using Json = nlohmann::json;

class JsonList final : public List {
 public:
  JsonList(const Json& document, TypePtr element)
      : document_(document), element_(std::move(element)) {}
  size_t Size() const override { return document_.size(); }
  Value At(size_t index) const override { return ViewOf(document_[index], element_); }

 private:
  const Json& document_;
  TypePtr element_;
};

class JsonMap final : public Map {
 public:
  JsonMap(const Json& document, TypePtr value) : document_(document), value_(std::move(value)) {}
  size_t Size() const override { return document_.size(); }
  std::optional<Value> Find(const Value& key) const override {
    if (!key.Is(Kind::kString)) return std::nullopt;
    const auto found = document_.find(std::string(key.AsString()));
    if (found == document_.end()) return std::nullopt;
    return ViewOf(*found, value_);
  }
  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    keys.reserve(document_.size());
    for (const auto& entry : document_.items()) keys.push_back(Value::BorrowedString(entry.key()));
    return keys;
  }

 private:
  const Json& document_;
  TypePtr value_;
};

// JsonObject contains the fields of the type by their escaped names.
class JsonObject final : public Map {
 public:
  JsonObject(const Json& document, TypePtr type) : document_(document), type_(std::move(type)) {}
  size_t Size() const override { return Keys().size(); }
  std::optional<Value> Find(const Value& key) const override {
    if (!key.Is(Kind::kString)) return std::nullopt;
    const auto field = type_->fields().find(key.AsString());
    if (field == type_->fields().end()) return std::nullopt;
    const auto found = document_.find(field->second.name);
    if (found == document_.end()) return std::nullopt;
    return ViewOf(*found, field->second.type);
  }
  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    for (const auto& [name, field] : type_->fields()) {
      if (document_.contains(field.name)) keys.push_back(Value::String(name));
    }
    return keys;
  }

 private:
  const Json& document_;
  TypePtr type_;
};

Value ViewOfText(const std::string& text, Kind wanted) {
  const auto malformed = [&](const char* what) {
    return Value::Error(std::string("invalid ") + what + " \"" + text + "\"");
  };
  if (wanted == Kind::kTimestamp) {
    auto point = ParseTimestamp(text);
    if (!point && text.size() == 10) point = ParseTimestamp(text + "T00:00:00Z");
    return point ? Value::Of(*point) : malformed("timestamp");
  }
  if (wanted == Kind::kDuration) {
    const auto length = ParseDuration(text);
    return length ? Value::Of(*length) : malformed("duration");
  }
  if (wanted == Kind::kBytes) {
    auto bytes = DecodeBase64(text);
    return bytes ? Value::Bytes(std::move(*bytes)) : malformed("base64");
  }
  return Value::BorrowedString(text);
}

Value ViewOfNumber(const Json& document, Kind wanted) {
  if (document.is_number_float()) {
    const double number = document.get<double>();
    const bool is_whole = wanted == Kind::kInt && number > -9e15 && number < 9e15 &&
                          static_cast<double>(static_cast<int64_t>(number)) == number;
    return is_whole ? Value::Int(static_cast<int64_t>(number)) : Value::Double(number);
  }
  const bool is_beyond =
      document.is_number_unsigned() && document.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  if (wanted == Kind::kDouble || is_beyond) return Value::Double(document.get<double>());
  return Value::Int(document.get<int64_t>());
}

Value ViewOfObject(const Json& document, const TypePtr& type) {
  if (type->kind() == Kind::kObject) {
    return Value::Of(std::shared_ptr<const Map>(std::make_shared<JsonObject>(document, type)));
  }
  const TypePtr value = type->kind() == Kind::kMap ? type->parameters()[1] : Basic(Kind::kDyn);
  return Value::Of(std::shared_ptr<const Map>(std::make_shared<JsonMap>(document, value)));
}

}  // namespace

Value ViewOf(const Json& document, const TypePtr& type) {
  switch (document.type()) {
    case Json::value_t::boolean:
      return Value::Bool(document.get<bool>());
    case Json::value_t::string:
      return ViewOfText(document.get_ref<const std::string&>(), type->kind());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return ViewOfNumber(document, type->kind());
    case Json::value_t::array: {
      const TypePtr element =
          type->kind() == Kind::kList ? type->parameters()[0] : Basic(Kind::kDyn);
      return Value::Of(std::shared_ptr<const List>(std::make_shared<JsonList>(document, element)));
    }
    case Json::value_t::object:
      return ViewOfObject(document, type);
    default:
      return Value::Null();
  }
}

}  // namespace berth::cel
