// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/protobuf/protobuf.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/strings.h"
#include "base/time.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/protobuf/protobuf_table.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 100;

struct Field {
  std::string name, type;
  bool repeated = false, map = false;
};
using Message = std::map<uint64_t, Field>;

const std::map<std::string, Message, std::less<>>& Messages() {
  static const auto kMessages = [] {
    std::map<std::string, Message, std::less<>> messages;
    for (const std::string_view line : ProtobufTable()) {
      const size_t colon = line.find(':');
      Message& message = messages[std::string(line.substr(0, colon))];
      for (const std::string_view entry : Split(line.substr(colon + 1), ' ')) {
        if (entry.empty()) continue;
        const size_t equals = entry.find('=');
        const size_t separator = entry.find(':', equals);
        uint64_t number = 0;
        std::from_chars(entry.data(), entry.data() + equals, number);
        std::string_view type = entry.substr(separator + 1);
        Field field{std::string(entry.substr(equals + 1, separator - equals - 1)),
                    {},
                    type.starts_with("[]"),
                    type.starts_with("{}")};
        if (field.repeated || field.map) type.remove_prefix(2);
        field.type = type;
        message.emplace(number, std::move(field));
      }
    }
    return messages;
  }();
  return kMessages;
}

// Wire is one encoded field.
struct Wire {
  uint64_t number = 0;
  uint64_t value = 0;      // of varints and fixed widths
  std::string_view bytes;  // of length-delimited fields
};

// Reader iterates over the fields of a message; `broken` after malformed bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  bool broken() const { return broken_; }

  std::optional<Wire> Next() {
    if (left_.empty() || broken_) return std::nullopt;
    const uint64_t tag = Varint();
    Wire wire{.number = tag >> 3, .value = 0, .bytes = {}};
    switch (tag & 7) {
      case 0:
        wire.value = Varint();
        break;
      case 1:
        wire.value = Fixed(8);
        break;
      case 2:
        wire.bytes = Take(Varint());
        break;
      case 5:
        wire.value = Fixed(4);
        break;
      default:
        broken_ = true;
    }
    if (broken_) return std::nullopt;
    return wire;
  }

 private:
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    broken_ = true;
    return 0;
  }
  uint64_t Fixed(size_t size) {
    const std::string_view bytes = Take(size);
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view Take(uint64_t size) {
    if (size > left_.size()) {
      broken_ = true;
      return {};
    }
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }

  std::string_view left_;
  bool broken_ = false;
};

// Structs embedded in Go have their fields in the outer object.
bool IsInline(std::string_view field) {
  return field == "volumeSource" || field == "handler" || field == "localObjectReference" ||
         field == "persistentVolumeSource" || field == "ephemeralContainerCommon" ||
         field == "ingressRuleValue";
}

class Decoder {
 public:
  std::optional<StatusError> error;

  json Message(std::string_view name, std::string_view bytes, int depth = 0) {
    json object = json::object();
    const auto message = Messages().find(name);
    if (message == Messages().end() || depth > kMaxDepth) {
      error = UnsupportedMediaType("application/json, application/yaml");
      return object;
    }
    Reader reader(bytes);
    while (const auto wire = reader.Next()) {
      const auto field = message->second.find(wire->number);
      if (field == message->second.end()) {
        error = UnsupportedMediaType("application/json, application/yaml");
        return object;
      }
      Put(field->second, *wire, depth, object);
    }
    if (reader.broken())
      error = BadRequest("the protobuf body ends within a field of " + std::string(name));
    return object;
  }

 private:
  void Put(const Field& field, const Wire& wire, int depth, json& object) {
    if (field.map) {
      Reader entry(wire.bytes);
      std::string key;
      json value = field.type == "string" || field.type == "bytes" ? json("") : json::object();
      while (const auto part = entry.Next()) {
        if (part->number == 1)
          key = part->bytes;
        else
          value = Value(field.type, *part, depth);
      }
      object[field.name][key] = std::move(value);
    } else if (field.repeated) {
      object[field.name].push_back(Value(field.type, wire, depth));
    } else if (IsInline(field.name)) {
      object.update(Value(field.type, wire, depth));
    } else {
      object[field.name] = Value(field.type, wire, depth);
    }
  }

  json Value(const std::string& type, const Wire& wire, int depth) {
    if (type == "string") return std::string(wire.bytes);
    if (type == "bool") return wire.value != 0;
    if (type == "int32") return static_cast<int32_t>(wire.value);
    if (type == "int64") return static_cast<int64_t>(wire.value);
    if (type == "uint32" || type == "uint64") return wire.value;
    if (type == "bytes") return EncodeBase64(wire.bytes);
    if (type == "double") {
      double number = 0;
      std::memcpy(&number, &wire.value, sizeof number);
      return number;
    }
    if (type == "time" || type == "microtime") return TimeValue(type == "microtime", wire.bytes);
    if (type == "quantity") return First(wire.bytes);
    if (type == "rawjson") return ReadDocument(First(wire.bytes));
    if (type == "intstr") return IntOrString(wire.bytes);
    if (type == "strings") {
      json list = json::array();
      Reader reader(wire.bytes);
      while (const auto part = reader.Next()) list.push_back(std::string(part->bytes));
      return list;
    }
    return Message(type, wire.bytes, depth + 1);
  }

  static std::string First(std::string_view bytes) {
    Reader reader(bytes);
    const auto part = reader.Next();
    return part ? std::string(part->bytes) : std::string();
  }

  static json TimeValue(bool micro, std::string_view bytes) {
    int64_t seconds = 0;
    int64_t nanos = 0;
    Reader reader(bytes);
    while (const auto part = reader.Next())
      (part->number == 1 ? seconds : nanos) = static_cast<int64_t>(part->value);
    if (bytes.empty()) return nullptr;
    const Time time = Time::FromUnixSeconds(seconds) + std::chrono::nanoseconds(nanos);
    return micro ? time.ToMicroString() : time.ToString();
  }

  static json IntOrString(std::string_view bytes) {
    int64_t kind = 0;
    int64_t number = 0;
    std::string text;
    Reader reader(bytes);
    while (const auto part = reader.Next()) {
      if (part->number == 1)
        kind = static_cast<int64_t>(part->value);
      else if (part->number == 2)
        number = static_cast<int32_t>(part->value);
      else
        text = part->bytes;
    }
    return kind == 0 ? json(number) : json(text);
  }
};

// "rbac.authorization.k8s.io/v1" and "Role" become "rbac/Role".
std::string MessageName(std::string_view api_version, std::string_view kind) {
  if (kind == "DeleteOptions") return "meta/DeleteOptions";
  const size_t slash = api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? "core" : api_version.substr(0, slash);
  return std::string(group.substr(0, group.find('.'))) + "/" + std::string(kind);
}

}  // namespace

Answer<json> DecodeProtobuf(std::string_view body) {
  static constexpr std::string_view kMagic{"k8s\0", 4};
  if (!body.starts_with(kMagic))
    return Reject(BadRequest("the body is not protobuf: it does not begin with \"k8s\""));
  Reader envelope(body.substr(kMagic.size()));
  std::string api_version, kind;
  std::string_view raw;
  while (const auto part = envelope.Next()) {
    if (part->number == 2) raw = part->bytes;
    if (part->number != 1) continue;
    Reader type(part->bytes);
    while (const auto field = type.Next()) (field->number == 1 ? api_version : kind) = field->bytes;
  }
  if (envelope.broken()) return Reject(BadRequest("the protobuf body ends within its envelope"));
  Decoder decoder;
  json document = decoder.Message(MessageName(api_version, kind), raw);
  if (decoder.error) return Reject(*decoder.error);
  document["apiVersion"] = api_version;
  document["kind"] = kind;
  return document;
}

}  // namespace berth::apiserver
