// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>

// Paths of fields in messages: "spec.deployment.env[name=A].value". Names that come from a document
// may have any characters. Those that would make the path ambiguous or end its line are written as
// JSON strings.
namespace berth::json {

// PathStep is a member's name or a list item's index.
using PathStep = std::variant<std::string, size_t>;

// Returns a name as it is written between brackets: a.b/c. A name that is empty or has spaces,
// brackets, quotes or control characters is a JSON string: "a\nb".
std::string PathName(std::string_view name);

// Return the path of a member, of a map's entry and of a list's entry with a key: "spec.replicas",
// or "spec[a.b]" for a name that is not plain; "podLabels[app]"; "env[name=A]".
std::string MemberPath(std::string_view path, std::string_view name);
std::string MapEntryPath(std::string_view path, std::string_view key);
std::string ListEntryPath(std::string_view path, std::string_view key, std::string_view value);

// Returns a text with its control characters escaped as in JSON, so that it stays in its line.
std::string OneLine(std::string_view text);

// Returns the path from the document's root: "spec.deployment.env[0].value".
std::string PathText(std::span<const PathStep> steps);

}  // namespace berth::json
