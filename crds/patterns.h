// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace berth::crds {

// Characters of image references. Only the node can tell which images exist.
inline constexpr const char* kImagePattern = R"(^[-A-Za-z0-9._:/@+\[\]]*$)";

}  // namespace berth::crds
