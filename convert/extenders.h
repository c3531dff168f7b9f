// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/legacy_policy.h"
#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// TimeoutForm is the form of httpTimeout: an integer of nanoseconds in a Policy and in v1alpha2
// (Go's time.Duration), text such as "30s" in later versions (metav1.Duration). The decoders of
// both reject the other form. Source: k8s.io/kube-scheduler config/v1/types.go, Extender, at v0.18;
// config/v1beta1/types.go, Extender, at v0.19.
enum class TimeoutForm { kNanoseconds, kText };

// Adds the extenders of a source to the draft. Errors (kConfig): a timeout of another form, or an
// invalid one.
Result<void> AddExtenders(const std::vector<api::LegacyExtender>& extenders, TimeoutForm form,
                          const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
