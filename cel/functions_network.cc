// SPDX-License-Identifier: Apache-2.0
// IP addresses and CIDR blocks, as Kubernetes' ip and cidr libraries have them: no zones, no
// IPv4-mapped IPv6 addresses, no leading zeros.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>

#include "cel/cost.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

// Address is 4 or 16 bytes in network order.
struct Address {
  std::array<uint8_t, 16> bytes{};
  size_t size = 0;

  bool operator==(const Address&) const = default;
  bool IsV4() const { return size == 4; }
};

bool IsMapped(const Address& address) {
  return !address.IsV4() &&
         std::all_of(address.bytes.begin(), address.bytes.begin() + 10,
                     [](uint8_t byte) { return byte == 0; }) &&
         address.bytes[10] == 0xFF && address.bytes[11] == 0xFF;
}

std::optional<Address> ReadAddress(std::string_view text) {
  const std::string terminated(text);
  if (terminated.find('\0') != std::string::npos) return std::nullopt;
  Address address;
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes.data()) == 1) {
    address.size = 4;
    return address;
  }
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) != 1) return std::nullopt;
  address.size = 16;
  return address;
}

// The text of RFC 5952: the longest run of two or more zero groups is left out.
std::string V6Text(const Address& address) {
  std::array<unsigned, 8> groups{};
  for (size_t i = 0; i < 8; ++i) {
    groups[i] = static_cast<unsigned>(address.bytes[2 * i]) << 8 | address.bytes[2 * i + 1];
  }
  size_t run_begin = 8;
  size_t run_size = 1;
  for (size_t i = 0; i < 8; ++i) {
    size_t end = i;
    while (end < 8 && groups[end] == 0) ++end;
    if (end - i > run_size) {
      run_begin = i;
      run_size = end - i;
    }
  }
  std::string out;
  for (size_t i = 0; i < 8; ++i) {
    if (i == run_begin) {
      out += "::";
      i += run_size - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    std::array<char, 8> group{};
    std::snprintf(group.data(), group.size(), "%x", groups[i]);
    out += group.data();
  }
  return out;
}

std::string AddressText(const Address& address) {
  if (!address.IsV4()) return V6Text(address);
  std::string out;
  for (size_t i = 0; i < 4; ++i) {
    if (i > 0) out += '.';
    out += std::to_string(address.bytes[i]);
  }
  return out;
}

class IpValue final : public Opaque {
 public:
  explicit IpValue(Address address) : address_(address) {}
  const TypePtr& type() const override { return IpType(); }
  bool Equals(const Opaque& other) const override {
    return address_ == static_cast<const IpValue&>(other).address_;
  }
  size_t Size() const override { return address_.size; }
  std::string ToString() const override { return AddressText(address_); }
  const Address& address() const { return address_; }

 private:
  Address address_;
};

struct Block {
  Address address;
  size_t bits = 0;
  bool operator==(const Block&) const = default;
};

class CidrValue final : public Opaque {
 public:
  explicit CidrValue(Block block) : block_(block) {}
  const TypePtr& type() const override { return CidrType(); }
  bool Equals(const Opaque& other) const override {
    return block_ == static_cast<const CidrValue&>(other).block_;
  }
  size_t Size() const override { return (block_.bits + 7) / 8; }
  std::string ToString() const override {
    return AddressText(block_.address) + "/" + std::to_string(block_.bits);
  }
  const Block& block() const { return block_; }

 private:
  Block block_;
};

const Address& AddressOf(const Value& value) {
  return static_cast<const IpValue&>(value.AsOpaque()).address();
}
const Block& BlockOf(const Value& value) {
  return static_cast<const CidrValue&>(value.AsOpaque()).block();
}
Value Wrap(Address address) {
  return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<IpValue>(address)));
}
Value Wrap(Block block) {
  return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<CidrValue>(block)));
}

// ParseIp gives an address, or the error that says why the text is none.
Value ParseIp(std::string_view text) {
  const std::string quoted = "\"" + std::string(text) + "\"";
  const size_t zone = text.find('%');
  if (zone != std::string_view::npos && zone > 0 && ReadAddress(text.substr(0, zone))) {
    return Value::Error("IP address " + quoted + " with zone value is not allowed");
  }
  const auto address = ReadAddress(text);
  if (!address) {
    return Value::Error("IP Address " + quoted +
                        " parse error during conversion from string: ParseAddr(" + quoted +
                        "): unable to parse IP");
  }
  if (IsMapped(*address)) {
    return Value::Error("IPv4-mapped IPv6 address " + quoted + " is not allowed");
  }
  return Wrap(*address);
}

Value ParseCidr(std::string_view text) {
  const std::string quoted = "\"" + std::string(text) + "\"";
  const auto fail = [&](const std::string& why) {
    return Value::Error(
        "network address parse error during conversion from string: netip.ParsePrefix(" + quoted +
        "): " + why);
  };
  const size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  const auto address = ReadAddress(text.substr(0, slash));
  if (!address) return fail("ParseAddr: unable to parse IP");
  const std::string_view digits = text.substr(slash + 1);
  Block block{*address, 0};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), block.bits);
  if (error != std::errc() || end != digits.data() + digits.size() ||
      (digits.size() > 1 && digits[0] == '0')) {
    return fail("bad bits after slash: \"" + std::string(digits) + "\"");
  }
  if (block.bits > address->size * 8) return fail("prefix length out of range");
  if (IsMapped(*address)) {
    return Value::Error("IPv4-mapped IPv6 address " + quoted + " is not allowed");
  }
  return Wrap(block);
}

Address Masked(Address address, size_t bits) {
  for (size_t i = 0; i < address.size; ++i) {
    const size_t kept = std::min<size_t>(bits > 8 * i ? bits - 8 * i : 0, 8);
    address.bytes[i] &= static_cast<uint8_t>(0xFF00 >> kept);
  }
  return address;
}

bool Holds(const Block& block, const Address& address) {
  return block.address.size == address.size &&
         Masked(block.address, block.bits) == Masked(address, block.bits);
}

bool IsLinkLocalUnicast(const Address& address) {
  return address.IsV4() ? address.bytes[0] == 169 && address.bytes[1] == 254
                        : address.bytes[0] == 0xFE && (address.bytes[1] & 0xC0) == 0x80;
}
bool IsMulticast(const Address& address) {
  return address.IsV4() ? (address.bytes[0] & 0xF0) == 0xE0 : address.bytes[0] == 0xFF;
}
bool IsLinkLocalMulticast(const Address& address) {
  return address.IsV4() ? address.bytes[0] == 224 && address.bytes[1] == 0 && address.bytes[2] == 0
                        : address.bytes[0] == 0xFF && (address.bytes[1] & 0x0F) == 0x02;
}
bool IsUnspecified(const Address& address) { return address == Address{{}, address.size}; }
bool IsLoopback(const Address& address) {
  if (address.IsV4()) return address.bytes[0] == 127;
  Address one{{}, 16};
  one.bytes[15] = 1;
  return address == one;
}
bool IsGlobalUnicast(const Address& address) {
  const bool is_broadcast =
      address.IsV4() && std::all_of(address.bytes.begin(), address.bytes.begin() + 4,
                                    [](uint8_t byte) { return byte == 0xFF; });
  return !is_broadcast && !IsUnspecified(address) && !IsLoopback(address) &&
         !IsMulticast(address) && !IsLinkLocalUnicast(address);
}

template <bool (*predicate)(const Address&)>
Value Test(Arguments a) {
  return Value::Bool(predicate(AddressOf(a[0])));
}

Value Ip(Arguments a) { return ParseIp(a[0].AsString()); }
Value IsIp(Arguments a) { return Value::Bool(!ParseIp(a[0].AsString()).IsError()); }
Value Family(Arguments a) { return Value::Int(AddressOf(a[0]).IsV4() ? 4 : 6); }
Value IsCanonical(Arguments a) {
  Value parsed = ParseIp(a[0].AsString());
  if (parsed.IsError()) return parsed;
  return Value::Bool(AddressText(AddressOf(parsed)) == a[0].AsString());
}

Value Cidr(Arguments a) {
  Value parsed = ParseCidr(a[0].AsString());
  if (!parsed.IsError()) return parsed;
  return Value::Error("network address parse error during conversion from string: " +
                      parsed.AsError().message);
}
Value IsCidr(Arguments a) { return Value::Bool(!ParseCidr(a[0].AsString()).IsError()); }
Value ContainsIp(Arguments a) {
  Value other = a[1].Is(Kind::kString) ? ParseIp(a[1].AsString()) : a[1];
  if (other.IsError()) return other;
  return Value::Bool(Holds(BlockOf(a[0]), AddressOf(other)));
}
Value ContainsCidr(Arguments a) {
  Value other = a[1];
  if (other.Is(Kind::kString)) other = Cidr({a.values.subspan(1)});
  if (other.IsError()) return other;
  const Block& inner = BlockOf(other);
  return Value::Bool(BlockOf(a[0]).bits <= inner.bits && Holds(BlockOf(a[0]), inner.address));
}
Value IpOfCidr(Arguments a) { return Wrap(BlockOf(a[0]).address); }
Value PrefixLength(Arguments a) { return Value::Int(static_cast<int64_t>(BlockOf(a[0]).bits)); }
Value MaskedCidr(Arguments a) {
  const Block& block = BlockOf(a[0]);
  return Wrap(Block{Masked(block.address, block.bits), block.bits});
}

// The bytes under the mask are compared on both sides; a text is read before.
uint64_t ContainsIpCost(Arguments a, const Value& /*result*/) {
  const uint64_t reading = a[1].Is(Kind::kString) ? TextCost(SizeOf(a[1])) : 0;
  return TextCost(SizeOf(a[0]), 2) + reading;
}
uint64_t ContainsCidrCost(Arguments a, const Value& result) {
  return ContainsIpCost(a, result) + TextCost(SizeOf(a[0])) + 1;
}

constexpr FunctionRow kRows[] = {
    {"ip(string) -> ip", Ip, TraversalCost},
    {"isIP(string) -> bool", IsIp, TraversalCost},
    {"ip.isCanonical(string) -> bool", IsCanonical, TwiceTraversalCost},
    {"(ip).family() -> int", Family},
    {"(ip).isUnspecified() -> bool", Test<IsUnspecified>},
    {"(ip).isLoopback() -> bool", Test<IsLoopback>},
    {"(ip).isLinkLocalMulticast() -> bool", Test<IsLinkLocalMulticast>},
    {"(ip).isLinkLocalUnicast() -> bool", Test<IsLinkLocalUnicast>},
    {"(ip).isGlobalUnicast() -> bool", Test<IsGlobalUnicast>},
    {"cidr(string) -> cidr", Cidr, TraversalCost},
    {"isCIDR(string) -> bool", IsCidr, TraversalCost},
    {"(cidr).containsIP(string) -> bool", ContainsIp, ContainsIpCost, true},
    {"(cidr).containsIP(ip) -> bool", ContainsIp, ContainsIpCost, true},
    {"(cidr).containsCIDR(string) -> bool", ContainsCidr, ContainsCidrCost, true},
    {"(cidr).containsCIDR(cidr) -> bool", ContainsCidr, ContainsCidrCost, true},
    {"(cidr).ip() -> ip", IpOfCidr},
    {"(cidr).prefixLength() -> int", PrefixLength},
    {"(cidr).masked() -> cidr", MaskedCidr},
};

}  // namespace

const TypePtr& IpType() {
  static const TypePtr* const kType = new TypePtr(OpaqueOf("net.IP"));
  return *kType;
}
const TypePtr& CidrType() {
  static const TypePtr* const kType = new TypePtr(OpaqueOf("net.CIDR"));
  return *kType;
}

std::span<const FunctionRow> NetworkFunctions() { return kRows; }

}  // namespace berth::cel
