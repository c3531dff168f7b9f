// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/error.h"
#include "sandbox/apiserver/store/object.h"
#include "sandbox/apiserver/store/selector.h"

// Options and result of a list. Source: "Semantics for get and list" of the Kubernetes API
// concepts, and k8s.io/apiserver/pkg/storage.
namespace berth::apiserver {

// VersionMatch is resourceVersionMatch. The caller checks that the combination is allowed.
enum class VersionMatch { kUnset, kExact, kNotOlderThan };

struct ListOptions {
  Selection selection;
  int64_t limit = 0;             // objects per page; 0: all
  std::string continue_;         // the previous page's token
  std::string resource_version;  // as in the query
  VersionMatch match = VersionMatch::kUnset;
};

struct ListPage {
  std::vector<ObjectPtr> items;
  uint64_t version = 0;                         // the version of all pages
  std::string continue_;                        // empty on the last page
  std::optional<int64_t> remaining_item_count;  // only for a list without selectors, as upstream
};

// ListFailure is an Error with the further parts of its Status.
struct ListFailure {
  Error error;
  std::string continue_;           // metadata.continue: the rest of the list, inconsistently
  bool version_too_large = false;  // details.causes: ResourceVersionTooLarge
};
using ListResult = tl::expected<ListPage, ListFailure>;

// Parses a resourceVersion; "" and "0" are 0. The error (kInvalid) has the text of upstream's field
// error.
Result<uint64_t> ParseVersion(std::string_view text);

// Returns the error for a version that the server has not reached yet.
Error TooLargeVersion(uint64_t requested, uint64_t current);

// ContinueToken is the start of the next page. Its encoding is the real server's: base64url of a
// JSON object.
struct ContinueToken {
  int64_t version = 0;  // of the list; negative: continue with the current state
  std::string start;    // the first key of the page, without the namespace if the list has one

  std::string Encode() const;
  // Errors: kBadRequest, with upstream's text.
  static Result<ContinueToken> Decode(std::string_view text);
};

}  // namespace berth::apiserver
