// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Validation of DNS and Kubernetes names, and short hashes to make names unique.
//
// Each check returns the validation errors in the words of Kubernetes (apimachinery
// util/validation), so that offline validation and the API server report the same text. Empty means
// valid.
namespace berth {

using NameErrors = std::vector<std::string>;

// RFC 1123 label, at most 63 characters: "my-name", "123-abc".
NameErrors CheckDnsLabel(std::string_view text);
// Labels joined by dots, at most 253 characters: "example.com".
NameErrors CheckDnsSubdomain(std::string_view text);
// Label and taint keys: "example.com/MyName".
NameErrors CheckQualifiedName(std::string_view text);
NameErrors CheckLabelValue(std::string_view text);  // at most 63 characters, may be empty

// Returns a fast hash that is equal on every machine. Not for security: collisions are easy to
// make.
uint64_t Fnv1a64(std::string_view text);

// HashHex returns Fnv1a64 as 16 hexadecimal digits. NameHash returns it as 10 lower-case letters
// and digits without vowels, y, 0, 1 and 3, so that it is valid in any name and forms no word.
std::string HashHex(std::string_view text);
std::string NameHash(std::string_view text);

}  // namespace berth
