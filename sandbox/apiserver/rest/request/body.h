// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/rest/request/request_options.h"

namespace berth::apiserver {

// From says what a real server decodes: the text of a request, or a map it holds already.
enum class From { kText, kMap };

// DecodeDocument makes a document of a client into one of its kind: apiVersion and kind are checked
// or filled in, wrong types are refused, unknown fields go (with warnings, or refused), empty
// values and scalars take the form a real server writes, defaults are put in. Errors (kBadRequest)
// are a decoder's own words; that a custom resource is of another kind is none (ValidateContent).
// `findings` is what RequestBody has of the text it was.
Result<void> DecodeDocument(const KindInfo& kind, From from, FieldValidation validation,
                            std::vector<std::string>& warnings, nlohmann::json& document,
                            std::span<const std::string> findings = {});

// AdmitDocument is DecodeDocument for the body of a request: a failure is its refusal.
Answer<void> AdmitDocument(const KindInfo& kind, FieldValidation validation,
                           std::vector<std::string>& warnings, nlohmann::json& document,
                           std::span<const std::string> findings = {});

// CheckTypeMeta refuses (400) the body of a custom resource that does not say what it is. `text` is
// the body as it came.
Answer<void> CheckTypeMeta(const KindInfo& kind, const nlohmann::json& document,
                           std::string_view text);

// NotRegistered says that there is no such kind.
Error NotRegistered(const std::string& kind, const std::string& api_version);

// GoTypeOf is the type by which messages name an object of a kind, or a list of them:
// "core.ConfigMap", "unstructured.UnstructuredList".
enum class Form { kObject, kList };
std::string GoTypeOf(const KindInfo& kind, Form form);

// CheckShape refuses (400) a document whose values do not have the types of a built-in kind, so
// that it can be read without asking each time.
Answer<void> CheckShape(const GroupVersionKind& kind, const nlohmann::json& document);

// DefaultDocument is the last step alone.
void DefaultDocument(const KindInfo& kind, nlohmann::json& document);

}  // namespace berth::apiserver
