// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/custom_rules.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "api/field_error.h"
#include "base/strings.h"
#include "cel/json_value.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Returns the error of a violated rule. Its message does not show objects and lists.
FieldError Failed(const std::string& path, const std::string& type, const json& value,
                  const std::string& message) {
  const std::string shown =
      type == "object" || type == "array" ? std::string() : DocumentText(value);
  return FieldError::InvalidJson(path, shown, message);
}

// Returns the item of an old list with the same keys.
const json* Correlated(const json* old, const json& item, const std::vector<std::string>& keys) {
  if (old == nullptr || !old->is_array() || keys.empty() || !item.is_object()) return nullptr;
  for (const json& candidate : *old) {
    const bool same =
        candidate.is_object() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
          return candidate.value(key, json()) == item.value(key, json());
        });
    if (same) return &candidate;
  }
  return nullptr;
}

const json* OldMember(const json* old, const std::string& name) {
  if (old == nullptr || !old->is_object()) return nullptr;
  const auto found = old->find(name);
  return found == old->end() ? nullptr : &*found;
}

}  // namespace

// Evaluation runs the rules of one document on one cost budget.
class CustomRules::Evaluation {
 public:
  explicit Evaluation(Errors& errors) : errors_(errors) {}

  // Returns false if no further rule may run.
  bool Check(const Place& place) {
    if (place.value.is_null()) return true;
    for (const Rule& rule : place.node.rules)
      if (!CheckRule(place, rule)) return false;
    return place.value.is_object() ? CheckMembers(place) : CheckItems(place);
  }

 private:
  bool CheckMembers(const Place& place) {
    for (const auto& [name, child] : place.value.items()) {
      const auto found = place.node.properties.find(name);
      const bool is_property = found != place.node.properties.end();
      if (!is_property && !place.node.additional) continue;
      const bool go_on = Check(
          {is_property ? found->second : *place.node.additional, child, OldMember(place.old, name),
           is_property ? api::Child(place.path, name) : place.path + "[" + name + "]"});
      if (!go_on) return false;
    }
    return true;
  }

  bool CheckItems(const Place& place) {
    if (!place.value.is_array() || !place.node.items) return true;
    for (size_t i = 0; i < place.value.size(); ++i) {
      const json* old = Correlated(place.old, place.value[i], place.node.list_keys);
      if (!Check({*place.node.items, place.value[i], old, api::Index(place.path, i)})) return false;
    }
    return true;
  }

  bool CheckRule(const Place& place, const Rule& rule) {
    if (rule.is_transition && place.old == nullptr) return true;
    cel::Activation activation;
    activation.Bind("self", cel::ViewOf(place.value, place.node.cel_type));
    if (place.old != nullptr)
      activation.Bind("oldSelf", cel::ViewOf(*place.old, place.node.cel_type));
    const auto result = rule.program.Evaluate(activation, budget_);
    if (!result) return RecordFailure(place, rule, result.error().message());
    if (result->IsTrue()) return true;
    errors_.push_back(Failed(PathText(place.path), place.node.type, place.value,
                             rule.message.empty() ? "failed rule: " + rule.text : rule.message));
    return true;
  }

  // Records a rule that could not be evaluated. The message shows the type of the value.
  bool RecordFailure(const Place& place, const Rule& rule, const std::string& why) {
    const std::string shown = rule.message.empty() ? rule.text : rule.message;
    const std::string text = why + " evaluating rule: " + shown;
    const bool go_on = !why.starts_with("validation failed due to running out of cost budget") &&
                       !why.starts_with("operation cancelled: actual cost limit exceeded");
    errors_.push_back(FieldError::Invalid(PathText(place.path), place.node.type, text));
    return go_on;
  }

  static std::string PathText(const std::string& path) { return path.empty() ? "<nil>" : path; }

  cel::Budget budget_;
  Errors& errors_;
};

void CustomRules::Check(const json& object, const json* old, Errors& errors) const {
  Evaluation(errors).Check({root_, object, old, ""});
}

}  // namespace berth::apiserver
