// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <simdjson.h>

#include "base/json/decode_problems.h"
#include "base/json/field_path.h"
#include "base/json/go_text.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "base/strings.h"

namespace berth::json {
namespace {

namespace od = simdjson::ondemand;

constexpr int kMaxDepth = 128;
constexpr size_t kMaxErrors = 10;

// Path is a chain of stack frames from the root to the current value. It becomes text only for an
// error message.
struct Path {
  const Path* parent = nullptr;
  std::string_view key;         // of a field or a map entry
  std::optional<size_t> index;  // of a list item
  int depth = 0;

  Path Field(std::string_view name) const { return {this, name, std::nullopt, depth + 1}; }
  Path Item(size_t i) const { return {this, {}, i, depth + 1}; }

  std::vector<PathStep> Steps() const {
    if (parent == nullptr) return {};
    std::vector<PathStep> steps = parent->Steps();
    steps.push_back(index ? PathStep(*index) : PathStep(std::string(key)));
    return steps;
  }

  std::string ToString() const { return PathText(Steps()); }
};

std::string_view NameOf(od::json_type type) {
  switch (type) {
    case od::json_type::array:
      return "a list";
    case od::json_type::object:
      return "an object";
    case od::json_type::number:
      return "a number";
    case od::json_type::string:
      return "a string";
    case od::json_type::boolean:
      return "a boolean";
    case od::json_type::null:
      return "null";
  }
  return "something else";
}

// Dialect selects between our decoding rules and those of Go's encoding/json.
enum class Dialect : uint8_t { kOurs, kGo };

const Type::Field* FindInAnyCase(const Type& type, std::string_view name) {
  const std::string lower = ToLower(name);
  const auto found = std::find_if(type.fields.begin(), type.fields.end(),
                                  [&](const auto& field) { return ToLower(field.name) == lower; });
  return found == type.fields.end() ? nullptr : &*found;
}

// Decoder walks one document. On-demand parsing reads each value once, in order, so every branch
// must consume the value it inspects.
class Decoder {
 public:
  explicit Decoder(Mode mode, Dialect manner = Dialect::kOurs) : mode_(mode), dialect_(manner) {}
  // Adds all mistakes to `problems` instead of ending at one.
  explicit Decoder(std::vector<DecodeProblem>& problems)
      : mode_(Mode::kStrict), dialect_(Dialect::kOurs), problems_(&problems) {}

  Result<void> Document(std::string_view text, const Type& type, void* value);

 private:
  Result<void> Value(od::value source, const Type& type, void* value, const Path& path) {
    if (problems_ == nullptr) return ValueOfType(source, type, value, path);
    return CheckedValue(source, type, value, path);
  }
  Result<void> CheckedValue(od::value source, const Type& type, void* value, const Path& path);
  Result<void> ValueOfType(od::value source, const Type& type, void* value, const Path& path);
  Result<void> Object(od::value source, const Type& type, void* value, const Path& path);
  Result<void> List(od::value source, const Type& type, void* value, const Path& path);
  Result<void> Map(od::value source, const Type& type, void* value, const Path& path);
  Result<void> Integer(od::value source, int64_t low, int64_t high, int64_t& out, const Path& path);
  Result<void> Text(od::value source, std::string_view& out, const Path& path);
  Result<void> Scalar(od::value source, const Type& type, void* value, const Path& path);
  Result<void> Unknown(std::string_view name, const Type& type, const Path& path);
  Result<void> CheckConstant(od::value source, const ConstantSpec& constant, const Path& path);
  void Duplicate(const Path& path);
  Result<void> CollectedErrors() const;

  // Returns the error for a value at the path; `message` is without path and value.
  Failure WrongValue(const Path& path, std::string value, std::string message);
  // Returns the error for a value of the wrong type.
  Failure Wrong(od::value source, std::string_view wanted, const Path& path);
  static Failure Broken(simdjson::error_code code, const Path& path);

  const Mode mode_;
  const Dialect dialect_;
  std::vector<std::string> errors_;  // strict mode: unknown and duplicate fields
  std::vector<DecodeProblem>* problems_ = nullptr;
  // The wrong value of the current error; unset if the text is malformed.
  std::optional<DecodeProblem> wrong_;
};

Failure Decoder::WrongValue(const Path& path, std::string value, std::string message) {
  const std::string where = path.ToString();
  std::string text = (where.empty() ? "document" : where) + ": " + message;
  if (!value.empty()) text += " (" + value + ")";
  wrong_ = {DecodeProblem::Kind::kWrongValue, path.Steps(), std::move(value), std::move(message)};
  return ConfigError(std::move(text));
}

Failure Decoder::Broken(simdjson::error_code code, const Path& path) {
  const std::string where = path.ToString();
  return ConfigError(
      (where.empty() ? std::string("malformed JSON: ") : where + ": malformed JSON: ") +
      simdjson::error_message(code));
}

Failure Decoder::Wrong(od::value source, std::string_view wanted, const Path& path) {
  od::json_type found;
  if (auto code = source.type().get(found)) return Broken(code, path);
  std::string value;
  if (found != od::json_type::array && found != od::json_type::object) {
    std::string_view token = source.raw_json_token();
    while (!token.empty() && (token.back() == ' ' || token.back() == '\n')) token.remove_suffix(1);
    value = token.substr(0, 80);
  }
  return WrongValue(path, std::move(value),
                    "expected " + std::string(wanted) + ", found " + std::string(NameOf(found)));
}

Result<void> Decoder::Document(std::string_view text, const Type& type, void* value) {
  // A parser keeps its buffers between documents. One parser per thread avoids locks and
  // allocations.
  thread_local od::parser parser;
  const simdjson::padded_string padded(text);
  od::document document;
  if (auto code = parser.iterate(padded).get(document)) return Broken(code, Path{});
  od::value root;
  if (auto code = document.get_value().get(root)) {
    if (code == simdjson::SCALAR_DOCUMENT_AS_VALUE) {
      return ConfigError("document: expected an object, found a single value");
    }
    return Broken(code, Path{});
  }
  BERTH_TRY_VOID(Value(root, type, value, Path{}));
  if (dialect_ == Dialect::kGo) return {};
  // current_location only succeeds if text is left.
  const char* rest = nullptr;
  if (document.current_location().get(rest) == simdjson::SUCCESS) {
    return ConfigError("malformed JSON: more text after the document's end");
  }
  return CollectedErrors();
}

void Decoder::Duplicate(const Path& path) {
  if (problems_ == nullptr) {
    errors_.push_back("duplicate field \"" + path.ToString() + "\"");
  } else {
    problems_->push_back(
        {DecodeProblem::Kind::kDuplicateField, path.Steps(), {}, "the field is set twice"});
  }
}

Result<void> Decoder::CollectedErrors() const {
  if (errors_.empty()) return {};
  return ConfigError(Join(errors_, "; "));
}

// Decodes a value and records its mistake.
Result<void> Decoder::CheckedValue(od::value source, const Type& type, void* value,
                                   const Path& path) {
  Result<void> result = ValueOfType(source, type, value, path);
  if (result || !wrong_) return result;
  problems_->push_back(std::move(*wrong_));
  wrong_.reset();
  return {};
}

Result<void> Decoder::ValueOfType(od::value source, const Type& type, void* value,
                                  const Path& path) {
  if (path.depth > kMaxDepth) return WrongValue(path, {}, "nested too deeply");
  if (path.depth > 0) {  // the root is a list or an object, and may not be asked
    bool null = false;
    if (auto code = source.is_null().get(null)) return Broken(code, path);
    if (null) return {};
  }
  switch (type.kind) {
    case Type::Kind::kBool:
      if (source.get_bool().get(*static_cast<bool*>(value)))
        return Wrong(source, "a boolean", path);
      return {};
    case Type::Kind::kInt32: {
      int64_t wide = 0;
      BERTH_TRY_VOID(Integer(source, std::numeric_limits<int32_t>::min(),
                             std::numeric_limits<int32_t>::max(), wide, path));
      *static_cast<int32_t*>(value) = static_cast<int32_t>(wide);
      return {};
    }
    case Type::Kind::kInt64:
      return Integer(source, std::numeric_limits<int64_t>::min(),
                     std::numeric_limits<int64_t>::max(), *static_cast<int64_t*>(value), path);
    case Type::Kind::kDouble:
      if (source.get_double().get(*static_cast<double*>(value))) {
        return Wrong(source, "a number", path);
      }
      return {};
    case Type::Kind::kString: {
      std::string_view text;
      BERTH_TRY_VOID(Text(source, text, path));
      static_cast<std::string*>(value)->assign(text);
      return {};
    }
    case Type::Kind::kScalar:
      return Scalar(source, type, value, path);
    case Type::Kind::kOptional:
      return Value(source, type.element(), type.add(value, {}), path);
    case Type::Kind::kList:
      return List(source, type, value, path);
    case Type::Kind::kMap:
      return Map(source, type, value, path);
    case Type::Kind::kObject:
      return Object(source, type, value, path);
    case Type::Kind::kRaw: {
      std::string_view text;
      if (auto code = simdjson::to_json_string(source).get(text)) return Broken(code, path);
      // Skipping a value does not validate it. JSON from the API server is well formed; a user's
      // may not be.
      if (mode_ == Mode::kStrict) {
        if (auto canonical = Canonical(text); !canonical) {
          return WrongValue(path, {}, canonical.error().message());
        }
      }
      static_cast<Raw*>(value)->text.assign(text);
      return {};
    }
  }
  return {};
}

Result<void> Decoder::Integer(od::value source, int64_t low, int64_t high, int64_t& out,
                              const Path& path) {
  const auto out_of_range = [&](std::string_view found) {
    return WrongValue(path, {},
                      std::string(found) + " is out of range [" + std::to_string(low) + ", " +
                          std::to_string(high) + "]");
  };
  int64_t number = 0;
  if (source.get_int64().get(number)) {
    // Go writes whole floating-point numbers as 1e+06; Go programs then decode these as integers.
    double real = 0;
    if (dialect_ == Dialect::kGo || source.get_double().get(real) || real != std::trunc(real)) {
      return Wrong(source, "an integer", path);
    }
    constexpr double kTwoTo63 = 9223372036854775808.0;
    if (real < -kTwoTo63 || real >= kTwoTo63)
      return out_of_range(TrimSpace(source.raw_json_token()));
    number = static_cast<int64_t>(real);
  }
  if (number < low || number > high) return out_of_range(std::to_string(number));
  out = number;
  return {};
}

Result<void> Decoder::Text(od::value source, std::string_view& out, const Path& path) {
  const auto code = source.get_string().get(out);
  if (code == simdjson::INCORRECT_TYPE) return Wrong(source, "a string", path);
  if (code) return Broken(code, path);  // a bad escape
  return {};
}

Result<void> Decoder::Scalar(od::value source, const Type& type, void* value, const Path& path) {
  od::json_type found;
  if (auto code = source.type().get(found)) return Broken(code, path);
  std::string_view text;
  const bool takes_number =
      type.format == ScalarFormat::kQuantity || type.format == ScalarFormat::kIntOrString;
  if (found == od::json_type::string) {
    if (auto code = source.get_string().get(text)) return Broken(code, path);
  } else if (found == od::json_type::number && takes_number) {
    text = TrimSpace(source.raw_json_token());
  } else {
    return Wrong(source, takes_number ? "a string or a number" : "a string", path);
  }
  if (auto parsed = type.parse(text, value); !parsed) {
    Failure failure = WrongValue(path, {}, parsed.error().message());
    // The message of the failure has the value already.
    wrong_->value = found == od::json_type::string ? Quoted(text) : std::string(text);
    return failure;
  }
  return {};
}

Result<void> Decoder::List(od::value source, const Type& type, void* value, const Path& path) {
  od::array array;
  if (source.get_array().get(array)) return Wrong(source, "a list", path);
  const Type& element = type.element();
  type.clear(value);
  size_t i = 0;
  for (auto item : array) {
    od::value content;
    if (auto code = item.get(content)) return Broken(code, path.Item(i));
    bool null = false;
    if (auto code = content.is_null().get(null)) return Broken(code, path.Item(i));
    if (null && element.kind == Type::Kind::kOptional) {
      return WrongValue(path.Item(i), {}, "a list item cannot be null");
    }
    BERTH_TRY_VOID(Value(content, element, type.add(value, {}), path.Item(i)));
    ++i;
  }
  return {};
}

Result<void> Decoder::Map(od::value source, const Type& type, void* value, const Path& path) {
  od::object object;
  if (source.get_object().get(object)) return Wrong(source, "an object", path);
  const Type& element = type.element();
  type.clear(value);
  std::set<std::string> seen;  // strict mode
  for (auto entry : object) {
    std::string_view key;
    if (auto code = entry.unescaped_key().get(key)) return Broken(code, path);
    std::string owned(key);
    const Path inner = path.Field(owned);
    od::value content;
    if (auto code = entry.value().get(content)) return Broken(code, inner);
    if (mode_ == Mode::kStrict && !seen.insert(owned).second) {
      Duplicate(inner);
      continue;
    }
    BERTH_TRY_VOID(Value(content, element, type.add(value, std::string(owned)), inner));
  }
  return {};
}

Result<void> Decoder::CheckConstant(od::value source, const ConstantSpec& constant,
                                    const Path& path) {
  std::string_view text;
  BERTH_TRY_VOID(Text(source, text, path));
  if (text == constant.value || mode_ == Mode::kLenient) return {};
  return WrongValue(path, {},
                    "expected \"" + std::string(constant.value) + "\", found " + Quoted(text));
}

Result<void> Decoder::Object(od::value source, const Type& type, void* value, const Path& path) {
  od::object object;
  if (source.get_object().get(object)) return Wrong(source, "an object", path);
  std::vector<const Type::Field*> seen;
  size_t hint = 0;
  for (auto entry : object) {
    std::string_view name;
    if (auto code = entry.unescaped_key().get(name)) return Broken(code, path);
    const Type::Field* field = type.FindField(name, hint);
    if (field == nullptr && dialect_ == Dialect::kGo) field = FindInAnyCase(type, name);
    od::value content;
    if (field == nullptr) {
      // The name is in the parser's string buffer, which decoding the value may overwrite.
      const std::string owned(name);
      const auto constant = std::find_if(type.constants.begin(), type.constants.end(),
                                         [&](const auto& c) { return c.name == owned; });
      if (auto code = entry.value().get(content)) return Broken(code, path);
      if (constant != type.constants.end()) {
        BERTH_TRY_VOID(CheckConstant(content, *constant, path.Field(constant->name)));
      } else {
        BERTH_TRY_VOID(Unknown(owned, type, path));
      }
      continue;
    }
    const Path inner = path.Field(field->name);
    if (auto code = entry.value().get(content)) return Broken(code, inner);
    if (mode_ == Mode::kStrict) {
      if (std::find(seen.begin(), seen.end(), field) != seen.end()) {
        Duplicate(inner);
        continue;
      }
      seen.push_back(field);
    }
    BERTH_TRY_VOID(Value(content, field->type(), field->In(value), inner));
  }
  return {};
}

Result<void> Decoder::Unknown(std::string_view name, const Type& type, const Path& path) {
  if (mode_ == Mode::kLenient) return {};
  const Path inner = path.Field(name);
  const std::vector<std::string> names = type.FieldNames();
  const std::string allowed = names.size() <= 12 ? "; allowed: " + Join(names, ", ") : "";
  const std::string hint = NearestHint(NearestName(name, names), allowed);
  if (problems_ != nullptr) {
    problems_->push_back(
        {DecodeProblem::Kind::kUnknownField, inner.Steps(), {}, "unknown field" + hint});
    return {};
  }
  errors_.push_back("unknown field \"" + inner.ToString() + "\"" + hint);
  if (errors_.size() >= kMaxErrors) return CollectedErrors();
  return {};
}

}  // namespace

Result<std::vector<DecodeProblem>> DecodeWithProblems(std::string_view text, const Type& type,
                                                      void* value) {
  Result<std::vector<DecodeProblem>> problems;
  BERTH_TRY_VOID(Decoder(*problems).Document(text, type, value));
  return problems;
}

Result<void> DecodeInto(std::string_view text, const Type& type, void* value, Mode mode) {
  return Decoder(mode).Document(text, type, value);
}

Result<void> DecodeGoInto(std::string_view text, const Type& type, void* value) {
  if (TrimSpace(text) == "null") return {};
  if (!IsValidUtf8(text)) return DecodeGoInto(ReplaceInvalidUtf8(text), type, value);
  return Decoder(Mode::kLenient, Dialect::kGo).Document(text, type, value);
}

}  // namespace berth::json
