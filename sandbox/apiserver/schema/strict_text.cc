// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/strict_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/prune.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Place is what is known of a value before it is read.
struct Place {
  const Schema* schema = nullptr;  // null: any field may occur
  bool skipped = false;
};

class StrictReader final : public nlohmann::json_sax<json> {
 public:
  explicit StrictReader(const Schema* schema) : next_{.schema = schema} {}

  std::vector<std::string> TakeFindings() { return std::move(findings_); }

  bool null() override { return Scalar(); }
  bool boolean(bool) override { return Scalar(); }
  bool number_integer(number_integer_t) override { return Scalar(); }
  bool number_unsigned(number_unsigned_t) override { return Scalar(); }
  bool number_float(number_float_t, const string_t&) override { return Scalar(); }
  bool string(string_t&) override { return Scalar(); }
  bool binary(binary_t&) override { return Scalar(); }
  bool start_object(std::size_t) override { return Open(false); }
  bool start_array(std::size_t) override { return Open(true); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

  bool key(string_t& key) override {
    Level& level = levels_.back();
    path_.resize(level.path_length);
    if (!path_.empty()) path_ += '.';
    path_ += key;
    next_ = {.schema = nullptr, .skipped = level.place.skipped};
    if (next_.skipped) return true;
    if (const Schema* schema = level.place.schema) {
      if (const Slot* slot = schema->SlotOf(key)) {
        next_.schema = slot->schema;
      } else {
        next_.skipped = true;
        if (!KeepsUnknownFields(*schema)) Note(UnknownFieldText(path_));
        return true;
      }
    }
    if (std::find(level.keys.begin(), level.keys.end(), key) != level.keys.end())
      Note("duplicate field \"" + path_ + '"');
    else
      level.keys.push_back(key);
    return true;
  }

 private:
  // Level is an object or list that is open.
  struct Level {
    Place place;
    bool is_list = false;
    size_t path_length = 0;
    size_t index = 0;  // of the next item
    std::vector<std::string> keys;
  };

  void Note(std::string finding) {
    if (std::find(findings_.begin(), findings_.end(), finding) == findings_.end())
      findings_.push_back(std::move(finding));
  }

  // A value begins: an item of a list learns its path here, that of a field stands already.
  void Enter() {
    if (levels_.empty() || !levels_.back().is_list) return;
    Level& list = levels_.back();
    path_.resize(list.path_length);
    path_ += '[' + std::to_string(list.index++) + ']';
    const Schema* schema = list.place.schema;
    next_ = {.schema = schema != nullptr ? schema->items.schema : nullptr,
             .skipped = list.place.skipped};
  }

  bool Scalar() {
    Enter();
    return true;
  }

  bool Open(bool is_list) {
    Enter();
    levels_.push_back({.place = next_, .is_list = is_list, .path_length = path_.size()});
    return true;
  }

  bool Close() {
    levels_.pop_back();
    return true;
  }

  std::vector<Level> levels_;
  Place next_;  // of the value that comes
  std::string path_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> StrictFindings(const Schema* schema, std::string_view text) {
  StrictReader reader(schema);
  json::sax_parse(text, &reader);
  return reader.TakeFindings();
}

bool KnowsAllFields(const Schema& schema, const json& document) {
  if (document.is_array()) {
    const Schema* item = schema.items.schema;
    return item == nullptr || std::all_of(document.begin(), document.end(), [&](const json& each) {
             return KnowsAllFields(*item, each);
           });
  }
  if (!document.is_object()) return true;
  const auto& members = document.get_ref<const json::object_t&>();
  return std::all_of(members.begin(), members.end(), [&](const auto& member) {
    const Slot* slot = schema.SlotOf(member.first);
    if (slot == nullptr) return KeepsUnknownFields(schema);
    return slot->schema == nullptr || KnowsAllFields(*slot->schema, member.second);
  });
}

}  // namespace berth::apiserver
