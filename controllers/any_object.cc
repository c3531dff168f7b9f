// SPDX-License-Identifier: Apache-2.0
#include "controllers/any_object.h"

namespace berth::controllers {

std::string AnyObject::Json() const {
  std::string text;
  json::EncodeTo(type(), data(), text);
  return text;
}

const std::string& AnyObject::text() const {
  static const std::string none;
  return text_ ? *text_ : none;
}

}  // namespace berth::controllers
