// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/random.h"

#include <string_view>

namespace berth::apiserver {

std::string Random::Uid() {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  for (char& digit : text) {
    if (digit == 'x') digit = kHex[engine_() % 16];
    if (digit == 'y') digit = kHex[8 + engine_() % 4];
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
