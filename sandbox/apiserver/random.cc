// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/random.h"

#include <string_view>

namespace berth::apiserver {

std::string Random::Uid() {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < 36; ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23)
      text += '-';
    else if (i == 14)
      text += '4';
    else if (i == 19)
      text += kHex[8 + engine_() % 4];
    else
      text += kHex[engine_() % 16];
  }
  return text;
}

std::string Random::Suffix(size_t length) {
  static constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string text;
  for (size_t i = 0; i < length; ++i) text += kLetters[engine_() % kLetters.size()];
  return text;
}

}  // namespace berth::apiserver
