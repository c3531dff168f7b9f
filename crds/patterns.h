// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace berth::crds {

// What references of images are made of; which of them a node can fetch, only it knows.
inline constexpr const char* kImagePattern = R"(^[-A-Za-z0-9._:/@+\[\]]*$)";

}  // namespace berth::crds
