// SPDX-License-Identifier: Apache-2.0
#include "base/json/syntax.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::json {
namespace {

using Json = nlohmann::json;

// Listener accepts all events and records the first error.
class Listener final : public Json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const Json::exception& error) override {
    end = position;
    token = last_token;
    words = error.what();
    return false;
  }

  size_t end = 0;     // bytes read, including the bad token
  std::string token;  // its text, for a string or a number
  std::string words;
};

bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

// Words are the parts of the library's message: "... while parsing CONTEXT - unexpected FOUND;
// expected ...". Instead of "unexpected FOUND" it may describe an error in the token.
struct Words {
  std::string_view context;
  std::string_view found;
  std::string_view wrong;
};

std::string_view Between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t begin = text.find(before);
  if (begin == text.npos) return {};
  text.remove_prefix(begin + before.size());
  return text.substr(0, std::min(text.find(after), text.size()));
}

Words WordsOf(std::string_view text) {
  Words words{.context = Between(text, "while parsing ", " - ")};
  const size_t cut = std::min(text.find("; last read: "), text.find("; expected "));
  const std::string_view detail = Between(text.substr(0, std::min(cut, text.size())), " - ", "\n");
  constexpr std::string_view kUnexpected = "unexpected ";
  if (detail.starts_with(kUnexpected)) {
    words.found = detail.substr(kUnexpected.size());
  } else {
    words.wrong = detail;
  }
  return words;
}

// Returns the start of the bad token. The library reports its end.
size_t BeginOf(std::string_view text, const Listener& heard, const Words& words) {
  if (words.found == "end of input") return text.find_last_not_of(" \t\r\n") + 1;
  const size_t end = std::min(heard.end, text.size());
  if (words.found == "string literal" || words.found == "number literal") {
    return end - std::min(heard.token.size(), end);
  }
  size_t begin = end == 0 ? 0 : end - 1;
  if (words.found.ends_with(" literal") || words.wrong == "invalid literal") {
    while (begin > 0 && IsWordCharacter(text[begin - 1])) --begin;
  }
  return begin;
}

std::string Expected(std::string_view context, std::string_view words) {
  if (words.ends_with("expected end of input")) return "the end of the text";
  if (context == "object") return R"("," or "}")";
  if (context == "array") return R"("," or "]")";
  if (context == "object separator") return R"(":")";
  if (context == "object key") return "a name in double quotes";
  return "a value";
}

std::string Found(std::string_view text, size_t begin, const Words& words) {
  if (words.found == "end of input") return "the end of the text";
  size_t end = begin + 1;
  if (words.found == "string literal" && text[begin] == '"') {
    while (end < text.size() && (text[end] != '"' || text[end - 1] == '\\')) ++end;
    ++end;
  } else {
    while (end < text.size() && IsWordCharacter(text[begin]) && IsWordCharacter(text[end])) ++end;
  }
  constexpr size_t kMost = 60;
  std::string found(text.substr(begin, std::min(end - begin, kMost)));
  return found.starts_with('"') ? found : "\"" + found + "\"";
}

}  // namespace

std::optional<TextError> SyntaxErrorIn(std::string_view text) {
  Listener heard;
  if (Json::sax_parse(text.begin(), text.end(), &heard)) return std::nullopt;
  const Words words = WordsOf(heard.words);
  size_t begin = BeginOf(text, heard, words);
  TextError error;
  if (!words.wrong.empty() && words.wrong != "invalid literal") {
    error.message = std::string(words.wrong);
  } else {
    error.message =
        "expected " + Expected(words.context, heard.words) + ", found " + Found(text, begin, words);
    const std::string_view before = TrimSpace(text.substr(0, begin));
    if ((words.found == "']'" || words.found == "'}'") && before.ends_with(',')) {
      begin = static_cast<size_t>(before.data() - text.data()) + before.size() - 1;
      error.message += ": this comma is one too many";
    }
  }
  const std::string_view until = text.substr(0, begin);
  error.line = 1 + static_cast<int>(std::count(until.begin(), until.end(), '\n'));
  const size_t line_start = until.rfind('\n') == until.npos ? 0 : until.rfind('\n') + 1;
  error.column = static_cast<int>(begin - line_start) + 1;
  return error;
}

bool IsMeantAsJson(std::string_view text) {
  if (text.find("\n---") != text.npos) return false;
  text = TrimSpace(text);
  while (text.starts_with('[')) text = TrimSpace(text.substr(1));
  return text.starts_with('{') && TrimSpace(text.substr(1)).starts_with('"');
}

}  // namespace berth::json
