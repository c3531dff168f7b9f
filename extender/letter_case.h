// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/extender.h"

namespace berth::extender {

// LetterCase is how the names in a message are written: as upstream's structs have them today, or as
// their JSON tags had them in older releases ("nodenames"). A question is read in any; an answer is
// written as the question was. Source: k8s.io/kube-scheduler extender/v1/types.go; in older releases
// kube-scheduler pkg/scheduler/api/v1/types.go.
enum class LetterCase { kCapitalised, kOld };

// LetterCaseOf looks at the first member of the question: a small letter begins the old form.
LetterCase LetterCaseOf(std::string_view question);

// Write gives the text of an answer.
std::string Write(const api::ExtenderFilterResult& answer, LetterCase letters);
std::string Write(const api::HostPriorityList& answer, LetterCase letters);
std::string Write(const api::ExtenderPreemptionResult& answer, LetterCase letters);
std::string Write(const api::ExtenderBindingResult& answer, LetterCase letters);

}  // namespace berth::extender
