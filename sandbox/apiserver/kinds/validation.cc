// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/validation.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/custom/custom_rules.h"
#include "sandbox/apiserver/kinds/strategy.h"
#include "sandbox/apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void CheckTypeMeta(const KindInfo& kind, const json& object, Errors& errors) {
  const std::string name = TextAt(object, "kind");
  const std::string version = TextAt(object, "apiVersion");
  if (name != kind.kind)
    errors.push_back(FieldError::Invalid("kind", name, "must be " + kind.kind));
  if (version != kind.ApiVersion())
    errors.push_back(FieldError::Invalid("apiVersion", version, "must be " + kind.ApiVersion()));
}

// Reports whether an error prevents the rules from running: they require values of the right shape.
bool BlocksRules(const FieldError& error) {
  using Type = FieldError::Type;
  static constexpr Type kTypes[] = {Type::kRequired, Type::kTooLong, Type::kTooMany,
                                    Type::kNotSupported, Type::kTypeInvalid};
  return std::find(std::begin(kTypes), std::end(kTypes), error.type) != std::end(kTypes);
}

void CheckCustom(const KindInfo& kind, const json& object, const json* old, Errors& errors) {
  if (kind.schema == nullptr) return;
  for (FieldError& error : Validate(*kind.schema, object, old)) errors.push_back(std::move(error));
  if (!kind.rules || kind.rules->empty()) return;
  if (std::none_of(errors.begin(), errors.end(), BlocksRules))
    return kind.rules->Check(object, old, errors);
  errors.push_back(FieldError::InvalidJson(
      "<nil>", "null",
      "some validation rules were not checked because the object was invalid; "
      "correct the existing errors to complete validation"));
}

}  // namespace

Errors ValidateDocument(const KindInfo& kind, std::string_view subresource, const json& object,
                        const json* old) {
  Errors errors;
  if (kind.custom) CheckTypeMeta(kind, object, errors);
  if (!errors.empty()) return errors;
  errors = old == nullptr ? ValidateCreate(kind, object)
                          : ValidateUpdate(kind, subresource, object, *old);
  if (kind.custom) CheckCustom(kind, object, old, errors);
  return errors;
}

StatusError InvalidDocument(const KindInfo& kind, std::string_view name, const json& document,
                            const Errors& errors) {
  return Invalid(kind.InternalGroup(), kind.custom ? TextAt(document, "kind") : kind.kind, name,
                 errors);
}

}  // namespace berth::apiserver
