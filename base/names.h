// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Names of the kinds that DNS and Kubernetes allow, and short hashes to make names unique.
//
// A check gives the reasons why the text is refused, in the words of Kubernetes' own validation
// (apimachinery util/validation), so that our offline answer and the API server's are the same;
// empty means the text is fine.
namespace berth {

using NameErrors = std::vector<std::string>;

// An RFC 1123 label, at most 63: "my-name", "123-abc".
NameErrors CheckDnsLabel(std::string_view text);
// An RFC 1035 label, which begins with a letter: names of Services.
NameErrors CheckDns1035Label(std::string_view text);
// Labels joined by dots, at most 253: "example.com".
NameErrors CheckDnsSubdomain(std::string_view text);
// Label and taint keys: "example.com/MyName".
NameErrors CheckQualifiedName(std::string_view text);
NameErrors CheckLabelValue(std::string_view text);  // at most 63, may be empty

// Fnv1a64 is a fast hash with the same value on every machine. No security measure: anyone can make
// two texts with one hash.
uint64_t Fnv1a64(std::string_view text);

// HashHex is Fnv1a64 in 16 hexadecimal digits; NameHash is 10 characters that are safe in any name,
// with neither vowels nor digits that look like them, so that no word comes out by accident.
std::string HashHex(std::string_view text);
std::string NameHash(std::string_view text);

}  // namespace berth
