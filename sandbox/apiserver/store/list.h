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

// What a list is asked and what it answers. Source: "Semantics for get and list" of the Kubernetes
// API concepts, and k8s.io/apiserver/pkg/storage.
namespace berth::apiserver {

// VersionMatch is resourceVersionMatch. Which combinations are allowed is checked by the caller.
enum class VersionMatch { kUnset, kExact, kNotOlderThan };

struct ListOptions {
  Selection selection;
  int64_t limit = 0;             // objects per page; 0: all
  std::string continue_;         // the token of the page before
  std::string resource_version;  // as in the query
  VersionMatch match = VersionMatch::kUnset;
};

struct ListPage {
  std::vector<ObjectPtr> items;
  uint64_t version = 0;                         // the state that all pages show
  std::string continue_;                        // empty on the last page
  std::optional<int64_t> remaining_item_count;  // only for a list without selectors, as upstream
};

// ListFailure is an Error with what its Status says besides the message.
struct ListFailure {
  Error error;
  std::string continue_;           // metadata.continue: the rest of the list, inconsistently
  bool version_too_large = false;  // details.causes: ResourceVersionTooLarge
};
using ListResult = tl::expected<ListPage, ListFailure>;

// ParseVersion reads a resourceVersion; "" and "0" are 0. The error (kInvalid) has the text of
// upstream's field error.
Result<uint64_t> ParseVersion(std::string_view text);

// TooLargeVersion is the answer to a version that the server has not reached yet.
Error TooLargeVersion(uint64_t requested, uint64_t current);

// ContinueToken is where the next page begins. Its text is the real server's: base64url of a JSON
// object.
struct ContinueToken {
  int64_t version = 0;  // of the list; negative: go on with the current state
  std::string start;    // the first key of the page, behind the namespace if the list is of one

  std::string Encode() const;
  // Errors: kBadRequest, with upstream's text.
  static Result<ContinueToken> Decode(std::string_view text);
};

}  // namespace berth::apiserver
