// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/json_patch.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/merge_patch.h"

namespace berth::apiserver {
namespace {

constexpr const char* kRejected = "the server rejected our request due to an error in our request";

}  // namespace

Result<nlohmann::json> ApplyJsonPatch(nlohmann::json document, std::string_view patch) {
  BERTH_TRY(const nlohmann::json operations, DecodePatch(patch));
  if (!operations.is_array())
    return Fail(Reason::kBadRequest, "error decoding patch: the body is not a list");
  try {
    document.patch_inplace(operations);
  } catch (const nlohmann::json::exception&) {  // upstream's message is the same for all
    return Fail(Error(Reason::kInvalid, kRejected).set_http_code(422));
  }
  return document;
}

}  // namespace berth::apiserver
