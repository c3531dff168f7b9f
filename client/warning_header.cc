// SPDX-License-Identifier: Apache-2.0
#include "client/warning_header.h"

namespace berth::client {

std::vector<std::string> WarningTexts(std::string_view header) {
  std::vector<std::string> texts;
  std::string* open = nullptr;  // the text whose closing quote has not come
  for (size_t i = 0; i < header.size(); ++i) {
    const char c = header[i];
    if (c == '"') {
      open = open == nullptr ? &texts.emplace_back() : nullptr;
    } else if (open != nullptr) {
      const bool escaped = c == '\\' && i + 1 < header.size();
      *open += escaped ? header[++i] : c;
    }
  }
  return texts;
}

}  // namespace berth::client
