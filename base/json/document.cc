// SPDX-License-Identifier: Apache-2.0
#include "base/json/document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "base/json/json.h"
#include "base/strings.h"

namespace berth::json {
namespace {

using Json = nlohmann::json;
namespace dom = simdjson::dom;

// Reader is simdjson's parser with its buffers. One per thread keeps the large buffers between
// documents, because allocating them takes longer than parsing most documents.
class Reader {
 public:
  static Reader& OfThread() {
    thread_local Reader reader;
    return reader;
  }

  // Returns false for invalid JSON. The root is valid until the next call.
  bool Read(std::string_view text, dom::element& root) {
    if (parser_.capacity() < text.size() &&
        parser_.allocate(text.size(), kPlainDepth) != simdjson::SUCCESS) {
      return false;
    }
    padded_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    padded_ = text;
    constexpr bool kHasPadding = true;
    return parser_.parse(padded_.data(), padded_.size(), !kHasPadding).get(root) ==
           simdjson::SUCCESS;
  }

 private:
  dom::parser parser_;
  std::string padded_;
};

class Builder {
 public:
  Json Build(const dom::element& element) {
    switch (element.type()) {
      case dom::element_type::OBJECT:
        return Object(dom::object(element));
      case dom::element_type::ARRAY:
        return Array(dom::array(element));
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

  // Reports whether any object had a duplicate key.
  bool has_duplicates() const { return has_duplicates_; }

 private:
  Json Object(const dom::object& members) {
    Json object(Json::value_t::object);
    auto& entries = object.get_ref<Json::object_t&>();
    size_t count = 0;
    // Our own JSON has sorted keys, so the end is the right insertion hint.
    for (const auto& [key, value] : members) {
      entries.insert_or_assign(entries.end(), std::string(key), Build(value));
      ++count;
    }
    has_duplicates_ |= entries.size() < count;
    return object;
  }

  Json Array(const dom::array& items) {
    Json array(Json::value_t::array);
    auto& values = array.get_ref<Json::array_t&>();
    values.reserve(items.size());
    for (const dom::element& item : items) values.push_back(Build(item));
    return array;
  }

  bool has_duplicates_ = false;
};

// Characters that need no escape in a string and are not part of a UTF-8 sequence.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// Writer collects text in a small buffer, since most writes are a few bytes long.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  ~Writer() { Flush(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void Write(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
        return Object(value.get_ref<const Json::object_t&>());
      case Json::value_t::array:
        return Array(value.get_ref<const Json::array_t&>());
      case Json::value_t::string:
        return Text(value.get_ref<const std::string&>());
      case Json::value_t::boolean:
        return value.get<bool>() ? Put("true") : Put("false");
      case Json::value_t::number_integer:
        return Number(value.get<int64_t>());
      case Json::value_t::number_unsigned:
        return Number(value.get<uint64_t>());
      case Json::value_t::null:
        return Put("null");
      default:
        return ByLibrary(value);
    }
  }

 private:
  void Object(const Json::object_t& members) {
    Put('{');
    bool first = true;
    for (const auto& [key, value] : members) {
      if (!std::exchange(first, false)) Put(',');
      Text(key);
      Put(':');
      Write(value);
    }
    Put('}');
  }

  void Array(const Json::array_t& items) {
    Put('[');
    bool first = true;
    for (const Json& item : items) {
      if (!std::exchange(first, false)) Put(',');
      Write(item);
    }
    Put(']');
  }

  void Text(const std::string& text) {
    if (text.size() + 2 > buffer_.size()) return LongText(text);
    char* at = Room(text.size() + 2);
    *at++ = '"';
    for (const char c : text) {
      if (!kPlain[static_cast<unsigned char>(c)]) return LongText(text);
      *at++ = c;
    }
    *at = '"';
    used_ += text.size() + 2;
  }

  // Writes strings that are long or need escapes. Delegates control characters without a short
  // escape, and non-ASCII text, to nlohmann::json.
  void LongText(const std::string& text) {
    const bool common = std::all_of(text.begin(), text.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte >= 0x20 && byte < 0x80) || c == '\n' || c == '\r' || c == '\t';
    });
    if (!common) return ByLibrary(text);
    Flush();
    AppendQuoted(text, out_);
  }

  void ByLibrary(const Json& value) {
    Flush();
    out_ += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  template <class N>
  void Number(N number) {
    constexpr size_t kMaxDigits = 24;
    char* const at = Room(kMaxDigits);
    used_ += static_cast<size_t>(std::to_chars(at, at + kMaxDigits, number).ptr - at);
  }

  void Put(char c) {
    *Room(1) = c;
    ++used_;
  }
  void Put(std::string_view word) {
    std::memcpy(Room(word.size()), word.data(), word.size());
    used_ += word.size();
  }

  // Returns the position of the next bytes.
  char* Room(size_t size) {
    if (buffer_.size() - used_ < size) Flush();
    return buffer_.data() + used_;
  }
  void Flush() { out_.append(buffer_.data(), std::exchange(used_, 0)); }

  std::string& out_;
  std::array<char, 1024> buffer_;
  size_t used_ = 0;
};

}  // namespace

Json ReadDocument(std::string_view text) {
  dom::element root;
  if (Reader::OfThread().Read(text, root)) return Builder().Build(root);
  // nlohmann::json may accept text that simdjson rejects, such as integers beyond 64 bits.
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::optional<Json> ReadPlainDocument(std::string_view text) {
  dom::element root;
  if (!Reader::OfThread().Read(text, root)) return std::nullopt;
  Builder builder;
  Json document = builder.Build(root);
  if (builder.has_duplicates()) return std::nullopt;
  return document;
}

void AppendDocument(const Json& document, std::string& out) { Writer(out).Write(document); }

std::string DocumentText(const Json& document) {
  std::string text;
  AppendDocument(document, text);
  return text;
}

std::string ShownText(std::string_view value) {
  constexpr size_t kMostShown = 200;
  constexpr size_t kShown = 40;
  if (value.size() <= kMostShown) return std::string(value);
  const Json document = ReadDocument(value);
  if (!document.is_string()) return "";
  const std::string text = document.get<std::string>().substr(0, kShown);
  return Quoted(ReplaceInvalidUtf8(text) + "...");
}

}  // namespace berth::json
