// SPDX-License-Identifier: Apache-2.0
#include "cel/url.h"

#include <algorithm>

#include "base/strings.h"

namespace berth::cel {
namespace {

constexpr size_t kNone = std::string_view::npos;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// BadEscape gives the first malformed %XX, or an empty text.
std::string_view BadEscape(std::string_view text) {
  for (size_t at = text.find('%'); at != kNone; at = text.find('%', at + 1)) {
    const std::string_view escape = text.substr(at, 3);
    if (escape.size() < 3 || HexDigit(escape[1]) < 0 || HexDigit(escape[2]) < 0) return escape;
  }
  return {};
}

// Go writes a path back as it stood if that is a valid encoding, and else encodes what must be.
std::string EscapePath(std::string_view path) {
  constexpr std::string_view kPlain = "-_.~$&+,/:;=@!'()*[]%";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    if (IsLetter(c) || IsDigit(c) || kPlain.find(c) != kNone) {
      out += c;
    } else {
      out += '%';
      out += kDigits[static_cast<uint8_t>(c) >> 4];
      out += kDigits[static_cast<uint8_t>(c) & 0xF];
    }
  }
  return out;
}

// SplitScheme moves "scheme:" from the front of `rest` into `scheme`. Gives an error text.
std::string SplitScheme(std::string_view& rest, std::string& scheme) {
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (IsLetter(c)) continue;
    if (c == ':') {
      if (i == 0) return "missing protocol scheme";
      scheme = ToLower(rest.substr(0, i));
      rest.remove_prefix(i + 1);
      return "";
    }
    if (i == 0 || !(IsDigit(c) || c == '+' || c == '-' || c == '.')) return "";
  }
  return "";
}

std::string CheckHost(std::string_view host) {
  constexpr std::string_view kAllowed = "-_.~!$&'()*+,;=:[]<>\"%";
  for (const char c : host) {
    const bool is_ascii = static_cast<uint8_t>(c) < 0x80;
    if (is_ascii && !IsLetter(c) && !IsDigit(c) && kAllowed.find(c) == kNone) {
      return std::string("invalid character \"") + c + "\" in host name";
    }
  }
  const size_t bracket = host.rfind(']');
  if (host.starts_with('[') && bracket == kNone) return "missing ']' in host";
  const size_t colon = host.find(':', bracket == kNone ? 0 : bracket);
  if (colon == kNone) return "";
  const std::string_view port = host.substr(colon);
  if (std::all_of(port.begin() + 1, port.end(), IsDigit)) return "";
  return "invalid port \"" + std::string(port) + "\" after host";
}

// ReadParts fills the parts of `url`, or says what is wrong.
std::string ReadParts(std::string_view text, Url& url) {
  if (text.empty()) return "empty url";
  if (std::any_of(text.begin(), text.end(),
                  [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; })) {
    return "net/url: invalid control character in URL";
  }
  if (text == "*") {
    url.path = "*";
    return "";
  }
  std::string_view rest = text;
  if (std::string error = SplitScheme(rest, url.scheme); !error.empty()) return error;
  if (url.scheme.empty() && !rest.starts_with('/')) return "invalid URI for request";
  // ParseRequestURI takes no fragment, but the parts are read as if it did.
  rest = rest.substr(0, rest.find('#'));
  const size_t question = rest.find('?');
  if (question != kNone) url.query = rest.substr(question + 1);
  rest = rest.substr(0, question);
  if (!rest.starts_with('/')) return "";  // "mailto:a@b" has no parts
  if (rest.starts_with("//") && (!url.scheme.empty() || !rest.starts_with("///"))) {
    rest.remove_prefix(2);
    const size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view host = rest.substr(0, slash);
    rest.remove_prefix(slash);
    if (const size_t at = host.rfind('@'); at != kNone) host.remove_prefix(at + 1);
    if (std::string error = CheckHost(host); !error.empty()) return error;
    url.host = host;
  }
  const std::string_view escape = BadEscape(rest);
  if (!escape.empty()) return "invalid URL escape \"" + std::string(escape) + "\"";
  url.path = EscapePath(rest);
  return "";
}

}  // namespace

std::string Url::Hostname() const {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.rfind(':'));
}

std::string Url::Port() const {
  const size_t bracket = host.rfind(']');
  const size_t colon = host.rfind(':');
  if (colon == kNone || (bracket != kNone && colon < bracket)) return "";
  return host.substr(colon + 1);
}

Result<Url> ParseUrl(std::string_view text) {
  Url url;
  url.text = text;
  const std::string error = ReadParts(text, url);
  if (error.empty()) return url;
  return Fail(Reason::kInvalid, error == "empty url" ? "parse \"\": empty url"
                                                     : "parse \"" + url.text + "\": " + error);
}

bool DecodeQueryPart(std::string_view text, std::string& out) {
  if (!BadEscape(text).empty()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      out += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return true;
}

}  // namespace berth::cel
