// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/output.h"

#include "base/yaml/yaml.h"

namespace berth::operator_ {

std::string FormattedJson(std::string_view json_text, std::string_view format) {
  if (format == kYaml) return yaml::FromJson(json_text);
  return json::Pretty(json_text).value() + "\n";
}

}  // namespace berth::operator_
