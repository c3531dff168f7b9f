// SPDX-License-Identifier: Apache-2.0
#include "base/json/document.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "base/json/json.h"

namespace berth::json {
namespace {

using Json = nlohmann::json;
namespace dom = simdjson::dom;

Json Build(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::OBJECT: {
      Json object(Json::value_t::object);
      auto& entries = object.get_ref<Json::object_t&>();
      // Text of ours has its keys in order, so the end is the place for the next.
      for (const auto& [key, value] : dom::object(element)) {
        entries.insert_or_assign(entries.end(), std::string(key), Build(value));
      }
      return object;
    }
    case dom::element_type::ARRAY: {
      const dom::array items(element);
      Json array(Json::value_t::array);
      auto& values = array.get_ref<Json::array_t&>();
      values.reserve(items.size());
      for (const dom::element& item : items) values.push_back(Build(item));
      return array;
    }
    case dom::element_type::STRING:
      return std::string_view(element);
    case dom::element_type::INT64: {
      const int64_t number(element);
      return number < 0 ? Json(number) : Json(static_cast<uint64_t>(number));
    }
    case dom::element_type::UINT64:
      return uint64_t(element);
    case dom::element_type::DOUBLE:
      return double(element);
    case dom::element_type::BOOL:
      return bool(element);
    case dom::element_type::NULL_VALUE:
      break;
  }
  return nullptr;
}

void AppendByLibrary(const Json& value, std::string& out) {
  out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool IsPlain(char c) { return c >= 0x20 && c != '"' && c != '\\'; }
// Needs no more than what AppendQuoted does: not another control character, not another alphabet.
bool IsCommon(char c) { return c >= 0x20 || c == '\n' || c == '\r' || c == '\t'; }

void AppendText(const std::string& text, std::string& out) {
  if (std::all_of(text.begin(), text.end(), IsPlain)) {
    out += '"';
    out += text;
    out += '"';
  } else if (std::all_of(text.begin(), text.end(), IsCommon)) {
    AppendQuoted(text, out);
  } else {
    AppendByLibrary(text, out);
  }
}

template <class Number>
void AppendNumber(Number number, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

Json ReadDocument(std::string_view text) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) return Build(root);
  // What the faster reader does not take, such as integers beyond 64 bits, the other may.
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

void AppendDocument(const Json& document, std::string& out) {
  switch (document.type()) {
    case Json::value_t::object: {
      out += '{';
      bool first = true;
      for (const auto& [key, value] : document.get_ref<const Json::object_t&>()) {
        if (!std::exchange(first, false)) out += ',';
        AppendText(key, out);
        out += ':';
        AppendDocument(value, out);
      }
      out += '}';
      return;
    }
    case Json::value_t::array: {
      out += '[';
      bool first = true;
      for (const Json& item : document) {
        if (!std::exchange(first, false)) out += ',';
        AppendDocument(item, out);
      }
      out += ']';
      return;
    }
    case Json::value_t::string:
      return AppendText(document.get_ref<const std::string&>(), out);
    case Json::value_t::boolean:
      out += document.get<bool>() ? "true" : "false";
      return;
    case Json::value_t::number_integer:
      return AppendNumber(document.get<int64_t>(), out);
    case Json::value_t::number_unsigned:
      return AppendNumber(document.get<uint64_t>(), out);
    case Json::value_t::null:
      out += "null";
      return;
    default:
      return AppendByLibrary(document, out);
  }
}

std::string DocumentText(const Json& document) {
  std::string text;
  AppendDocument(document, text);
  return text;
}

}  // namespace berth::json
