// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/json/document.h"
#include "base/strings.h"
#include "base/yaml/scalar.h"
#include "base/yaml/yaml.h"

namespace berth::yaml {
namespace {

using berth::json::DocumentText;
using berth::json::ReadDocument;
using nlohmann::json;

// Parsers look for the ':' of a key on one line and within 1024 characters. Longer keys are written
// as "? key".
constexpr size_t kMaxSimpleKey = 1000;

// Returns the length of the first character of `text` if YAML considers it unprintable or some
// parsers treat it as a line end; 0 otherwise. Requires: valid UTF-8.
size_t UnprintableLength(std::string_view text) {
  const auto c = static_cast<unsigned char>(text[0]);
  if (c == 0x7F || (c < 0x20 && c != '\n' && c != '\t')) return 1;
  if (c == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) return 2;  // U+0080 to U+009F
  for (const std::string_view mark :
       {"\u2028", "\u2029", "\ufeff", "\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

// Appends such a character as \uXXXX.
void AppendEscaped(std::string_view character, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = [&](size_t i) {
    return static_cast<unsigned>(static_cast<uint8_t>(character[i]));
  };
  unsigned code = byte(0);
  if (character.size() == 2) code = (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  if (character.size() == 3) {
    code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  }
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[code >> shift & 15];
}

void AppendQuoted(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const size_t unprintable = UnprintableLength(text);
    const char c = text[0];
    if (unprintable > 0) {
      AppendEscaped(text.substr(0, unprintable), out);
    } else if (c == '"' || c == '\\') {
      out.append("\\").append(1, c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
    text.remove_prefix(std::max<size_t>(unprintable, 1));
  }
  out += '"';
}

// Reports whether a block scalar keeps every byte of `text` in all parsers.
bool CanBeLiteral(std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return false;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(1)) {
    if (UnprintableLength(rest) > 0) return false;
  }
  const auto lines = Split(text, '\n');
  if (lines[0].empty() || lines[0][0] == ' ') return false;  // would need an indentation indicator
  return std::none_of(lines.begin(), lines.end(), [](std::string_view line) {
    const size_t first = line.find_first_not_of(' ');
    return !line.empty() && (first == std::string_view::npos || line[first] == '\t');
  });
}

class Writer {
 public:
  std::string Document(const json& value) {
    if (IsBlock(value)) {
      Collection(value, 0, false);
    } else {
      Scalar(value, 0);
      out_ += '\n';
    }
    return std::move(out_);
  }

 private:
  // Reports whether a collection is written over several lines.
  static bool IsBlock(const json& value) { return value.is_structured() && !value.empty(); }

  void Indent(int indent) { out_.append(static_cast<size_t>(indent), ' '); }

  // Writes one entry per line at `indent`. The first entry continues the current line if a "- " has
  // begun it.
  void Collection(const json& value, int indent, bool line_is_begun) {
    for (auto entry = value.begin(); entry != value.end(); ++entry) {
      if (!std::exchange(line_is_begun, false)) Indent(indent);
      if (value.is_array()) {
        Item(*entry, indent);
      } else {
        Entry(entry.key(), *entry, indent);
      }
    }
  }

  void Item(const json& value, int indent) {
    out_ += '-';
    if (IsBlock(value)) {
      out_ += ' ';
      Collection(value, indent + 2, true);
    } else {
      out_ += ' ';
      Scalar(value, indent + 2);
      out_ += '\n';
    }
  }

  void Entry(const std::string& key, const json& value, int indent) {
    std::string text;
    if (IsPlainWord(key) && key.find(':') == std::string::npos) {
      text = key;
    } else {
      AppendQuoted(key, text);
    }
    if (text.size() > kMaxSimpleKey) {
      out_.append("? ").append(text).append("\n");
      Indent(indent);
    } else {
      out_ += text;
    }
    out_ += ':';
    if (IsBlock(value)) {
      out_ += '\n';
      Collection(value, value.is_array() ? indent : indent + 2, false);
    } else {
      out_ += ' ';
      Scalar(value, indent + 2);
      out_ += '\n';
    }
  }

  // Writes a value on the line of its key; lines of a literal block at `indent`.
  void Scalar(const json& value, int indent) {
    if (!value.is_string()) {
      // Apply the reader's scalar rules, so that 1.0 is written as the value it is read back as.
      out_ += value.is_number_float() ? DocumentText(ResolvePlain(DocumentText(value)))
                                      : DocumentText(value);
      return;
    }
    const auto& text = value.get_ref<const std::string&>();
    if (IsPlainWord(text)) {
      out_ += text;
    } else if (CanBeLiteral(text)) {
      Literal(text, std::max(indent, 2));
    } else {
      AppendQuoted(text, out_);
    }
  }

  // Writes a block without the line end of its last line.
  void Literal(std::string_view text, int indent) {
    out_ += '|';
    if (!text.ends_with('\n')) {
      out_ += '-';
    } else {
      if (text.ends_with("\n\n")) out_ += '+';
      text.remove_suffix(1);
    }
    for (const std::string_view line : Split(text, '\n')) {
      out_ += '\n';
      if (line.empty()) continue;
      Indent(indent);
      out_ += line;
    }
  }

  std::string out_;
};

}  // namespace

std::string FromJson(std::string_view json_text) {
  const json document = ReadDocument(ReplaceInvalidUtf8(json_text));
  BERTH_CHECK(!document.is_discarded(), "yaml::FromJson requires valid JSON");
  return Writer().Document(document);
}

}  // namespace berth::yaml
