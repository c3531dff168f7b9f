// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/extender.h"

namespace berth::extender {

// LetterCase is the spelling of field names in a message: as upstream's structs have them today, or
// as the JSON tags of older releases ("nodenames"). Requests are accepted in both spellings; a
// response uses the spelling of its request. Source: k8s.io/kube-scheduler extender/v1/types.go; in
// older releases kube-scheduler pkg/scheduler/api/v1/types.go.
enum class LetterCase { kCapitalised, kOld };

// Detects the spelling by the first field of the request: a lower-case letter is the old form.
LetterCase LetterCaseOf(std::string_view question);

// Returns the text of a response.
std::string Write(const api::ExtenderFilterResult& answer, LetterCase letters);
std::string Write(const api::HostPriorityList& answer, LetterCase letters);
std::string Write(const api::ExtenderPreemptionResult& answer, LetterCase letters);
std::string Write(const api::ExtenderBindingResult& answer, LetterCase letters);

}  // namespace berth::extender
