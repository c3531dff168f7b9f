// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace berth {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr size_t kLettersInGroup = 4;  // encode three bytes

std::string Encode(std::string_view bytes, std::string_view alphabet, bool pad) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * kLettersInGroup);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const auto at = [&](size_t k) {
      return k < left ? static_cast<uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0U;
    };
    const uint32_t group = at(0) << 16 | at(1) << 8 | at(2);
    for (size_t k = 0; k < kLettersInGroup; ++k) {
      if (k <= left) {
        out += alphabet[group >> (18 - 6 * k) & 63];
      } else if (pad) {
        out += '=';
      }
    }
  }
  return out;
}

// Base64Decoder decodes letters one by one.
class Base64Decoder {
 public:
  explicit Base64Decoder(std::string_view alphabet) {
    values_.fill(kNone);
    for (size_t i = 0; i < alphabet.size(); ++i) {
      values_[static_cast<unsigned char>(alphabet[i])] = static_cast<uint8_t>(i);
    }
  }

  bool Take(char letter) {
    const uint8_t value = values_[static_cast<unsigned char>(letter)];
    if (value == kNone) return false;
    bits_ = bits_ << 6 | value;
    if (letters_++ % kLettersInGroup != 0) {
      bytes_ += static_cast<char>(bits_ >> (6 - 2 * ((letters_ - 1) % kLettersInGroup)) & 0xFF);
    }
    return true;
  }

  // Returns the number of letters in the current group.
  size_t letters() const { return letters_ % kLettersInGroup; }
  std::string TakeBytes() { return std::move(bytes_); }

 private:
  static constexpr uint8_t kNone = 0xFF;

  std::array<uint8_t, 256> values_;
  uint32_t bits_ = 0;
  size_t letters_ = 0;
  std::string bytes_;
};

// PaddedText is the decoded prefix of a text with padding: all of it, or up to `bad`.
struct PaddedText {
  std::string bytes;
  std::optional<size_t> bad;
  bool is_cut_off = false;  // `bad` is the end of the text: more letters are expected
};

PaddedText ReadPadded(std::string_view text, std::string_view skipped) {
  const auto next = [&](size_t at) {
    return std::min(text.find_first_not_of(skipped, at), text.size());
  };
  Base64Decoder decoder(kStandard);
  size_t at = next(0);
  while (at < text.size() && decoder.Take(text[at])) at = next(at + 1);
  if (at == text.size()) {
    if (decoder.letters() == 0) return {.bytes = decoder.TakeBytes(), .bad = {}};
    return {.bytes = {}, .bad = text.size() - decoder.letters(), .is_cut_off = true};
  }
  if (text[at] != '=' || decoder.letters() < 2) return {.bytes = {}, .bad = at};
  size_t end = next(at + 1);
  if (decoder.letters() == 2) {
    if (end == text.size()) return {.bytes = {}, .bad = end, .is_cut_off = true};
    if (text[end] != '=') return {.bytes = {}, .bad = end - 1};
    end = next(end + 1);
  }
  if (end < text.size()) return {.bytes = {}, .bad = end};
  return {.bytes = decoder.TakeBytes(), .bad = {}};
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) { return Encode(bytes, kStandard, true); }

Result<std::string> DecodeBase64(std::string_view text, Whitespace whitespace) {
  PaddedText read = ReadPadded(text, whitespace == Whitespace::kSkipped ? " \t\r\n" : "");
  if (!read.bad) return std::move(read.bytes);
  if (read.is_cut_off) return ConfigError("not base64: the text is cut off");
  return ConfigError("not base64: unexpected character at position " +
                     std::to_string(*read.bad + 1));
}

std::string EncodeBase64Url(std::string_view bytes) { return Encode(bytes, kUrl, false); }

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  Base64Decoder decoder(kUrl);
  for (const char letter : text) {
    if (!decoder.Take(letter)) return std::nullopt;
  }
  if (decoder.letters() == 1) return std::nullopt;
  return decoder.TakeBytes();
}

}  // namespace berth
