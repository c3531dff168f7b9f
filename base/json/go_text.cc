// SPDX-License-Identifier: Apache-2.0
#include "base/json/go_text.h"

#include <utility>

#include "base/check.h"
#include "base/json/json.h"

namespace berth::json {
namespace {

class Commas {
 public:
  explicit Commas(std::string& out) : out_(out) {}
  void Next() {
    if (!std::exchange(first_, false)) out_ += ',';
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void WriteObject(const Type& type, const void* value, std::string& out) {
  out += '{';
  Commas commas(out);
  for (const Type::Field& field : type.fields) {
    commas.Next();
    AppendQuoted(field.name, out);
    out += ':';
    EncodeGoTo(field.type(), field.In(value), out);
  }
  out += '}';
}

void WriteList(const Type& type, const void* value, std::string& out) {
  out += '[';
  Commas commas(out);
  for (size_t i = 0; i < type.size(value); ++i) {
    commas.Next();
    EncodeGoTo(type.element(), type.at(value, i), out);
  }
  out += ']';
}

void WriteMap(const Type& type, const void* value, std::string& out) {
  struct Context {
    const Type& element;
    std::string& out;
    Commas commas;
  } context{type.element(), out, Commas(out)};
  out += '{';
  type.each(value, &context, [](void* raw, const std::string& key, const void* element) {
    auto& at = *static_cast<Context*>(raw);
    at.commas.Next();
    AppendQuoted(key, at.out);
    at.out += ':';
    EncodeGoTo(at.element, element, at.out);
  });
  out += '}';
}

}  // namespace

void EncodeGoTo(const Type& type, const void* value, std::string& out) {
  switch (type.kind) {
    case Type::Kind::kObject:
      return WriteObject(type, value, out);
    case Type::Kind::kList:
      return WriteList(type, value, out);
    case Type::Kind::kMap:
      if (type.empty(value)) break;
      return WriteMap(type, value, out);
    case Type::Kind::kOptional: {
      const void* content = type.get(value);
      if (content == nullptr) break;
      // An existing map is not nil, even if it is empty.
      if (type.element().kind == Type::Kind::kMap) return WriteMap(type.element(), content, out);
      return EncodeGoTo(type.element(), content, out);
    }
    case Type::Kind::kRaw: {
      const std::string& text = static_cast<const Raw*>(value)->text;
      if (text.empty()) break;
      out += text;
      return;
    }
    case Type::Kind::kBool:
    case Type::Kind::kInt32:
    case Type::Kind::kInt64:
    case Type::Kind::kString:
      return EncodeTo(type, value, out);
    case Type::Kind::kScalar:
    case Type::Kind::kDouble:
      BERTH_CHECK(false, "EncodeGoTo does not support this type");
  }
  out += "null";
}

}  // namespace berth::json
