// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/prune.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Pruner {
 public:
  void Walk(const Schema& schema, json* value) {
    const size_t length = path_.size();
    if (value->is_object()) {
      WalkObject(schema, value);
    } else if (value->is_array() && schema.items) {
      for (size_t i = 0; i < value->size(); ++i) {
        path_ += '[';
        path_ += std::to_string(i);
        path_ += ']';
        Walk(*schema.items.schema, &(*value)[i]);
        path_.resize(length);
      }
    }
  }

  std::vector<std::string> Take() {
    std::sort(unknown_.begin(), unknown_.end());
    return std::move(unknown_);
  }

 private:
  void WalkObject(const Schema& schema, json* value) {
    const size_t length = path_.size();
    for (auto at = value->begin(); at != value->end();) {
      if (!path_.empty()) path_ += '.';
      path_ += at.key();
      if (const Slot* slot = schema.SlotOf(at.key())) {
        Walk(*slot->schema, &*at);
        ++at;
      } else if (KeepsUnknownFields(schema)) {
        ++at;
      } else {
        unknown_.push_back(path_);
        at = value->erase(at);
      }
      path_.resize(length);
    }
  }

  std::string path_;
  std::vector<std::string> unknown_;
};

}  // namespace

std::vector<std::string> Prune(const Schema& schema, json* document) {
  Pruner pruner;
  pruner.Walk(schema, document);
  return pruner.Take();
}

std::string UnknownFieldText(const std::string& path) { return "unknown field \"" + path + '"'; }

std::string StrictDecodingError(const std::vector<std::string>& findings) {
  return "strict decoding error: " + Join(findings, ", ");
}

// A value of any type is kept unchanged.
bool KeepsUnknownFields(const Schema& schema) {
  return schema.preserve_unknown || (schema.type == ValueType::kAny && !schema.int_or_string);
}

}  // namespace berth::apiserver
