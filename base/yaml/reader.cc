// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include <nlohmann/json.hpp>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/file.h"
#include "base/json/document.h"
#include "base/json/syntax.h"
#include "base/strings.h"
#include "base/yaml/scalar.h"
#include "base/yaml/yaml.h"

namespace berth::yaml {
namespace {

using berth::json::DocumentText;
using berth::json::ReadPlainDocument;
using nlohmann::json;
using YAML::Mark;

// of all scalars of a document, including expanded aliases
constexpr size_t kMaxBytes = kMaxFileBytes;
constexpr std::string_view kTab =
    "found a tab, expected spaces: YAML allows only spaces for indentation";
constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

// Documents holds the parsed documents of a text, or its error.
using Documents = tl::expected<std::vector<json>, TextError>;

// Rejected is thrown to stop yaml-cpp's parser, which has no other way to stop. It is caught in
// this file.
struct Rejected {
  Mark mark;
  std::string message;
};

tl::unexpected<TextError> At(int line, int column, std::string message) {
  return tl::unexpected(TextError{line, column, std::move(message)});
}

tl::unexpected<TextError> OfAll(std::string message) { return At(0, 0, std::move(message)); }

// Weight is the cost of a node when an alias repeats it.
struct Weight {
  size_t nodes = 0;
  size_t bytes = 0;
  int depth = 0;
};

// Builder converts the events of one document to JSON.
class Builder final : public YAML::EventHandler {
 public:
  json TakeRoot() { return std::move(root_); }
  Mark start() const { return start_; }

  void OnDocumentStart(const Mark& mark) override { start_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const Mark& mark, YAML::anchor_t anchor) override {
    Place(nullptr, {.nodes = 1}, mark, anchor);
  }
  void OnAlias(const Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { Close(); }

 private:
  // Frame is a collection being read.
  struct Frame {
    json value;
    Mark mark;
    YAML::anchor_t anchor;
    Weight weight;
    std::optional<std::string> key;  // mapping: key read, its value comes next
    bool key_is_merge = false;
    std::optional<json> merged;  // mapping: content of `<<`
  };
  struct Anchored {
    json value;
    Weight weight;
  };

  void Open(json empty, std::string_view kind, const Mark& mark, const std::string& tag,
            YAML::anchor_t anchor);
  void Close();
  // Weighs a finished node, stores it if it has an anchor, and adds it to the enclosing collection.
  void Place(json value, Weight weight, const Mark& mark, YAML::anchor_t anchor,
             bool is_merge_key = false);
  void Weigh(const Weight& weight, const Mark& mark);
  void Deliver(json value, const Weight& weight, const Mark& mark, bool is_merge_key);
  void PlaceInMapping(Frame& frame, json value, const Mark& mark, bool is_merge_key);
  static std::string KeyText(const json& key, const Mark& mark);
  static json Merge(const json& source, const Mark& mark);

  json root_;
  Mark start_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  size_t nodes_ = 0;
  size_t bytes_ = 0;
};

// Applies an explicit core tag to a scalar.
json TypedScalar(std::string_view type, const std::string& text, const Mark& mark) {
  if (type == "str" || type == "timestamp") return text;
  json value = ResolvePlain(text);
  const bool fits = (type == "int" && value.is_number_integer()) ||
                    (type == "float" && value.is_number()) ||
                    (type == "bool" && value.is_boolean()) || (type == "null" && value.is_null());
  if (!fits) throw Rejected{mark, "\"" + text + "\" is not of type !!" + std::string(type)};
  return value;
}

json ScalarValue(const std::string& tag, const std::string& text, const Mark& mark) {
  if (tag == "?") return ResolvePlain(text);
  if (tag == "!") return text;
  for (const std::string_view type : {"str", "int", "float", "bool", "null", "timestamp"}) {
    if (tag == std::string(kCoreTag) + std::string(type)) return TypedScalar(type, text, mark);
  }
  throw Rejected{mark, "unknown tag \"" + tag +
                           "\", allowed: !!str, !!int, !!float, !!bool, !!null, !!map, !!seq"};
}

void Builder::OnScalar(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       const std::string& text) {
  const bool is_merge_key = tag == "?" && text == "<<";
  json value = ScalarValue(tag, text, mark);
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    throw Rejected{mark, text + " cannot be represented in JSON"};
  }
  Place(std::move(value), {.nodes = 1, .bytes = text.size()}, mark, anchor, is_merge_key);
}

void Builder::OnAlias(const Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) throw Rejected{mark, "the alias refers to a node that contains it"};
  // Weigh before copying, so that an alias bomb is stopped early.
  Weigh(found->second.weight, mark);
  Deliver(found->second.value, found->second.weight, mark, false);
}

void Builder::OnSequenceStart(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                              YAML::EmitterStyle::value) {
  Open(json::array(), "seq", mark, tag, anchor);
}

void Builder::OnMapStart(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) {
  Open(json::object(), "map", mark, tag, anchor);
}

void Builder::Open(json empty, std::string_view kind, const Mark& mark, const std::string& tag,
                   YAML::anchor_t anchor) {
  if (tag != "?" && tag != "!" && tag != std::string(kCoreTag) + std::string(kind)) {
    throw Rejected{mark, "unknown tag \"" + tag + "\", allowed here: !!" + std::string(kind)};
  }
  if (frames_.size() >= static_cast<size_t>(kMaxDepth)) {
    throw Rejected{mark, "more than " + std::to_string(kMaxDepth) + " levels"};
  }
  frames_.push_back({.value = std::move(empty), .mark = mark, .anchor = anchor});
}

void Builder::Close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.merged) frame.value.insert(frame.merged->begin(), frame.merged->end());
  Weight weight = frame.weight;
  nodes_ -= weight.nodes;  // Place counts the whole subtree
  bytes_ -= weight.bytes;
  ++weight.nodes;
  ++weight.depth;
  Place(std::move(frame.value), weight, frame.mark, frame.anchor);
}

void Builder::Place(json value, Weight weight, const Mark& mark, YAML::anchor_t anchor,
                    bool is_merge_key) {
  Weigh(weight, mark);
  if (anchor != YAML::NullAnchor) anchors_[anchor] = {value, weight};
  Deliver(std::move(value), weight, mark, is_merge_key);
}

void Builder::Weigh(const Weight& weight, const Mark& mark) {
  nodes_ += weight.nodes;
  bytes_ += weight.bytes;
  if (nodes_ > static_cast<size_t>(kMaxNodes) || bytes_ > kMaxBytes) {
    throw Rejected{mark, "the document has more than " + std::to_string(kMaxNodes) + " nodes or " +
                             std::to_string(kMaxBytes >> 20) + " MiB, counting expanded aliases"};
  }
  if (frames_.size() + static_cast<size_t>(weight.depth) > static_cast<size_t>(kMaxDepth)) {
    throw Rejected{mark, "more than " + std::to_string(kMaxDepth) + " levels"};
  }
}

void Builder::Deliver(json value, const Weight& weight, const Mark& mark, bool is_merge_key) {
  if (frames_.empty()) {
    root_ = std::move(value);
    return;
  }
  Frame& frame = frames_.back();
  frame.weight.nodes += weight.nodes;
  frame.weight.bytes += weight.bytes;
  frame.weight.depth = std::max(frame.weight.depth, weight.depth);
  if (frame.value.is_array()) {
    frame.value.push_back(std::move(value));
  } else {
    PlaceInMapping(frame, std::move(value), mark, is_merge_key);
  }
}

void Builder::PlaceInMapping(Frame& frame, json value, const Mark& mark, bool is_merge_key) {
  if (!frame.key) {
    frame.key = is_merge_key ? "<<" : KeyText(value, mark);
    frame.key_is_merge = is_merge_key;
    if (is_merge_key ? frame.merged.has_value() : frame.value.contains(*frame.key)) {
      throw Rejected{mark, "duplicate key \"" + *frame.key + "\""};
    }
    return;
  }
  if (frame.key_is_merge) {
    frame.merged = Merge(value, mark);
  } else {
    frame.value[*frame.key] = std::move(value);
  }
  frame.key.reset();
}

std::string Builder::KeyText(const json& key, const Mark& mark) {
  if (key.is_string()) return key.get<std::string>();
  if (key.is_number() || key.is_boolean()) return DocumentText(key);
  throw Rejected{mark,
                 std::string("a key must be a string, found ") + (key.is_null()    ? "null"
                                                                  : key.is_array() ? "a list"
                                                                                   : "a mapping")};
}

// Merges the content of "<<". Own keys win regardless of their position, as specified for YAML's
// merge type. Deviation: in kubectl's reader "<<" overrides the keys above it.
json Builder::Merge(const json& source, const Mark& mark) {
  if (source.is_object()) return source;
  const auto is_object = [](const json& item) { return item.is_object(); };
  if (!source.is_array() || !std::all_of(source.begin(), source.end(), is_object)) {
    throw Rejected{mark, "\"<<\" takes a mapping or a list of mappings"};
  }
  json merged = json::object();
  for (const json& item : source) merged.insert(item.begin(), item.end());
  return merged;
}

// Rejects text that yaml-cpp would silently truncate or change: invalid UTF-8 and control
// characters.
tl::expected<void, TextError> CheckText(std::string_view text) {
  int line = 1;
  size_t line_start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      ++line;
      line_start = i + 1;
    } else if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7F) {
      return At(line, static_cast<int>(i - line_start) + 1,
                "control character " + std::to_string(c));
    }
  }
  if (!IsValidUtf8(text)) return OfAll("the text is not valid UTF-8");
  return {};
}

// Translates yaml-cpp's message into one that names what was expected.
std::string Expectation(const std::string& message) {
  static const std::pair<std::string_view, std::string_view> kWords[] = {
      {YAML::ErrorMsg::END_OF_MAP_FLOW, R"(expected "," or "}")"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, R"(expected "," or "]")"},
      {YAML::ErrorMsg::END_OF_MAP,
       "expected a key at the indentation of the keys above, or the end of the mapping"},
      {YAML::ErrorMsg::END_OF_SEQ,
       R"(expected "- " at the indentation of the items above, or the end of the list)"},
      {YAML::ErrorMsg::MAP_VALUE,
       R"(expected no ":" here: fix the indentation, or put the text in quotes)"},
      {YAML::ErrorMsg::TAB_IN_INDENTATION, kTab}};
  for (const auto& [theirs, ours] : kWords) {
    if (message == theirs) return std::string(ours);
  }
  return message;
}

// Reports a tab in the line's indentation as the error, regardless of yaml-cpp's message.
TextError WithTab(std::string_view text, TextError error) {
  const auto lines = Split(text, '\n');
  if (error.line < 1 || static_cast<size_t>(error.line) > lines.size()) return error;
  const std::string_view line = lines[static_cast<size_t>(error.line) - 1];
  const size_t tab = line.find('\t');
  const size_t content = line.find_first_not_of(" \t");
  if (tab == line.npos || tab > content) return error;
  return {error.line, static_cast<int>(tab) + 1, std::string(kTab)};
}

int LevelsOf(const json& value) {
  int below = 0;
  for (const json& child : value) {
    if (child.is_structured()) below = std::max(below, LevelsOf(child));
  }
  return below + 1;
}

// Counts the values and keys of a JSON text before parsing. A parsed document takes many times the
// memory of its text.
size_t NodesIn(std::string_view json_text) {
  size_t nodes = 1;
  bool in_string = false;
  for (size_t i = 0; i < json_text.size(); ++i) {
    const char c = json_text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;
    if (!in_string && std::string_view("[{,:").find(c) != std::string_view::npos) ++nodes;
  }
  return nodes;
}

// Returns nullopt for text that is not JSON, has duplicate keys, or is too deep or too large. The
// YAML reader then reports the position.
std::optional<json> ParseJson(std::string_view text) {
  if (NodesIn(text) > static_cast<size_t>(kMaxNodes)) return std::nullopt;
  std::optional<json> document = ReadPlainDocument(text);
  if (!document || (document->is_structured() && LevelsOf(*document) > kMaxDepth)) {
    return std::nullopt;
  }
  return document;
}

Documents ParseYaml(const std::string& text) {
  std::istringstream stream(text);
  std::vector<json> documents;
  try {
    YAML::Parser parser(stream);
    bool first = true;
    while (true) {
      Builder builder;
      if (!parser.HandleNextDocument(builder)) return documents;
      // yaml-cpp treats text after the end of a document as another document.
      const auto position = static_cast<size_t>(std::max(builder.start().pos, 0));
      if (!first && text.compare(std::min(position, text.size()), 3, "---") != 0) {
        throw Rejected{builder.start(), "expected the end or \"---\", found more text"};
      }
      first = false;
      documents.push_back(builder.TakeRoot());
    }
  } catch (const Rejected& rejected) {
    return At(rejected.mark.line + 1, rejected.mark.column + 1, rejected.message);
  } catch (const YAML::Exception& error) {
    return tl::unexpected(
        WithTab(text, {error.mark.line + 1, error.mark.column + 1, Expectation(error.msg)}));
  }
}

Documents ParseDocuments(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string_view trimmed = TrimSpace(text);
  if (trimmed.starts_with('{') || trimmed.starts_with('[')) {
    if (auto document = ParseJson(trimmed)) return std::vector<json>{*std::move(document)};
  }
  if (text.size() > kMaxYamlBytes) {
    return OfAll("the text has more than " + std::to_string(kMaxYamlBytes >> 20) +
                 " MiB and is not JSON with at most " + std::to_string(kMaxNodes) + " nodes");
  }
  if (auto checked = CheckText(text); !checked) return tl::unexpected(std::move(checked).error());
  Documents documents = ParseYaml(std::string(text));
  if (documents || !berth::json::IsMeantAsJson(text)) return documents;
  if (auto error = berth::json::SyntaxErrorIn(text)) return tl::unexpected(*std::move(error));
  return documents;
}

Result<std::vector<json>> ReadDocuments(std::string_view text) {
  Documents documents = ParseDocuments(text);
  if (!documents) return ConfigError(documents.error().ToString());
  return *std::move(documents);
}

}  // namespace

Result<std::string> ToJson(std::string_view text) {
  BERTH_TRY(const std::vector<json> documents, ReadDocuments(text));
  if (documents.empty()) return std::string("null");
  if (documents.size() > 1) {
    return ConfigError("expected one document, found " + std::to_string(documents.size()));
  }
  return DocumentText(documents[0]);
}

std::optional<TextError> ErrorIn(std::string_view text) {
  if (Documents documents = ParseDocuments(text); !documents) return documents.error();
  return std::nullopt;
}

Result<std::vector<std::string>> DocumentsToJson(std::string_view text) {
  BERTH_TRY(const std::vector<json> documents, ReadDocuments(text));
  std::vector<std::string> texts;
  for (const json& document : documents) {
    if (!document.is_null()) texts.push_back(DocumentText(document));
  }
  return texts;
}

}  // namespace berth::yaml
