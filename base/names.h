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

using NameProblems = std::vector<std::string>;

NameProblems CheckDnsLabel(
    std::string_view text);  // RFC 1123 label, at most 63: "my-name", "123-abc"
NameProblems CheckDns1035Label(
    std::string_view text);  // RFC 1035 label: begins with a letter; Services
NameProblems CheckDnsSubdomain(
    std::string_view text);  // labels joined by dots, at most 253: "example.com"
NameProblems CheckQualifiedName(
    std::string_view text);                           // label and taint keys: "example.com/MyName"
NameProblems CheckLabelValue(std::string_view text);  // at most 63, may be empty

// Fnv1a64 is a fast hash with the same value on every machine. No security measure: anyone can make
// two texts with one hash.
uint64_t Fnv1a64(std::string_view text);

// HashHex is Fnv1a64 in 16 hexadecimal digits; NameHash is 10 characters that are safe in any name,
// with neither vowels nor digits that look like them, so that no word comes out by accident.
std::string HashHex(std::string_view text);
std::string NameHash(std::string_view text);

}  // namespace berth
