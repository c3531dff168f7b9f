// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/path_element.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kLetters = "fkvi";

// Splits one scalar off canonical JSON text.
std::string_view TakeScalar(std::string_view* text) {
  size_t end = 0;
  if (!text->empty() && text->front() == '"') {
    for (end = 1; end < text->size() && (*text)[end] != '"'; ++end)
      if ((*text)[end] == '\\') ++end;
    ++end;
  } else {
    end = text->find_first_of(",:}");
  }
  const std::string_view scalar = text->substr(0, end);
  text->remove_prefix(scalar.size());
  return scalar;
}

int Rank(std::string_view scalar) {
  if (scalar.empty()) return 4;
  switch (scalar.front()) {
    case '"':
      return 1;
    case 't':
    case 'f':
      return 2;
    case 'n':
      return 3;
    default:
      return 0;
  }
}

// Compares the escaped strings; the order differs from the unescaped one only at escaped
// characters.
std::weak_ordering CompareScalars(std::string_view a, std::string_view b) {
  if (const auto order = Rank(a) <=> Rank(b); order != 0) return order;
  if (Rank(a) != 0) return a <=> b;
  const double left = std::strtod(std::string(a).c_str(), nullptr);
  const double right = std::strtod(std::string(b).c_str(), nullptr);
  return left < right
             ? std::weak_ordering::less
             : (left > right ? std::weak_ordering::greater : std::weak_ordering::equivalent);
}

// Both are {"name":scalar,...} with sorted names.
std::weak_ordering CompareKeys(std::string_view a, std::string_view b) {
  while (a.size() > 1 && b.size() > 1) {
    a.remove_prefix(1);  // { or ,
    b.remove_prefix(1);
    if (const auto order = TakeScalar(&a) <=> TakeScalar(&b); order != 0) return order;
    if (!a.empty()) a.remove_prefix(1);  // :
    if (!b.empty()) b.remove_prefix(1);
    if (const auto order = CompareScalars(TakeScalar(&a), TakeScalar(&b)); order != 0) return order;
  }
  return a.size() <=> b.size();
}

// Reports whether a key has the form of Key(); all keys created here have it.
bool IsCanonicalKey(std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return false;
  std::string_view previous;
  while (text.size() > 1) {
    text.remove_prefix(1);
    const std::string_view name = TakeScalar(&text);
    if (name.size() < 2 || name.front() != '"' || name <= previous || text.empty() ||
        text.front() != ':')
      return false;
    previous = name;
    text.remove_prefix(1);
    const std::string_view value = TakeScalar(&text);
    if (text.empty() || (text.front() != ',' && text.front() != '}')) return false;
    const bool is_number = !value.empty() && value.find_first_not_of("-0123456789") == value.npos;
    const bool is_text = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    if (!is_number && !is_text && value != "true" && value != "false") return false;
  }
  return text == "}";
}

}  // namespace

PathElement PathElement::Key(const json& keys) { return {Kind::kKey, DocumentText(keys)}; }
PathElement PathElement::Value(const json& value) { return {Kind::kValue, DocumentText(value)}; }

std::optional<PathElement> PathElement::Parse(std::string_view wire) {
  if (wire.size() < 2 || wire[1] != ':') return std::nullopt;
  const size_t kind = kLetters.find(wire[0]);
  if (kind == std::string_view::npos) return std::nullopt;
  std::string text(wire.substr(2));
  if (const char first = wire[0]; (first == 'k' && !IsCanonicalKey(text)) || first == 'v') {
    const json value = ReadDocument(text);
    if (value.is_discarded() || (first == 'k' && !value.is_object())) return std::nullopt;
    text = DocumentText(value);
  } else if (first == 'i' && text.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return PathElement(static_cast<Kind>(kind), std::move(text));
}

std::string PathElement::Wire() const {
  std::string wire;
  wire.reserve(text_.size() + 2);
  wire += kLetters[static_cast<size_t>(kind_)];
  wire += ':';
  return wire += text_;
}

std::string PathElement::ToString() const {
  switch (kind_) {
    case Kind::kField:
      return "." + text_;
    case Kind::kValue:
      return "[=" + text_ + "]";
    case Kind::kIndex:
      return "[" + text_ + "]";
    case Kind::kKey:
      break;
  }
  std::string text = "[";
  const json keys = ReadDocument(text_);
  for (const auto& [name, value] : keys.items()) {
    if (text.size() > 1) text += ',';
    text += name + "=" + DocumentText(value);
  }
  return text + "]";
}

std::weak_ordering PathElement::operator<=>(const PathElement& other) const {
  if (const auto order = kind_ <=> other.kind_; order != 0) return order;
  switch (kind_) {
    case Kind::kField:
      return text_ <=> other.text_;
    case Kind::kKey:
      return CompareKeys(text_, other.text_);
    case Kind::kValue:
    case Kind::kIndex:
      break;
  }
  return CompareScalars(text_, other.text_);
}

std::string ToString(const FieldPath& path) {
  std::string text;
  for (const PathElement& element : path) text += element.ToString();
  return text;
}

}  // namespace berth::apiserver
