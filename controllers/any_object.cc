// SPDX-License-Identifier: Apache-2.0
#include "controllers/any_object.h"

namespace berth::controllers {

std::string AnyObject::Json() const {
  std::string text;
  json::EncodeTo(type(), data(), text);
  return text;
}

}  // namespace berth::controllers
