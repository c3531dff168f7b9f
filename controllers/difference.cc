// SPDX-License-Identifier: Apache-2.0
#include "controllers/difference.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/json/json.h"
#include "base/strings.h"

namespace berth::controllers {
namespace {

using json::Type;
using Kind = json::Type::Kind;

using Entries = std::map<std::string_view, const void*>;

Entries EntriesOf(const Type& map, const void* value) {
  Entries entries;
  map.each(value, &entries, [](void* context, const std::string& key, const void* entry) {
    static_cast<Entries*>(context)->emplace(key, entry);
  });
  return entries;
}

// ---- equal values

bool SameValue(const Type& type, const void* a, const void* b);

bool SameOptional(const Type& type, const void* a, const void* b) {
  const void* in_a = type.get(a);
  const void* in_b = type.get(b);
  if (!in_a || !in_b) return in_a == in_b;
  return SameValue(type.element(), in_a, in_b);
}

bool SameList(const Type& type, const void* a, const void* b) {
  if (type.size(a) != type.size(b)) return false;
  for (size_t i = 0; i < type.size(a); ++i) {
    if (!SameValue(type.element(), type.at(a, i), type.at(b, i))) return false;
  }
  return true;
}

bool SameMap(const Type& type, const void* a, const void* b) {
  return std::ranges::equal(
      EntriesOf(type, a), EntriesOf(type, b), [&type](const auto& one, const auto& other) {
        return one.first == other.first && SameValue(type.element(), one.second, other.second);
      });
}

bool SameObject(const Type& type, const void* a, const void* b) {
  return std::ranges::all_of(type.fields, [a, b](const Type::Field& field) {
    if (!field.IsWritten(a) || !field.IsWritten(b)) return field.IsWritten(a) == field.IsWritten(b);
    return SameValue(field.type(), field.In(a), field.In(b));
  });
}

template <class T>
bool SamePlain(const void* a, const void* b) {
  return *static_cast<const T*>(a) == *static_cast<const T*>(b);
}

std::string TextOf(const Type& type, const void* value) {
  std::string text;
  json::EncodeTo(type, value, text);
  return text;
}

bool SameValue(const Type& type, const void* a, const void* b) {
  switch (type.kind) {
    case Kind::kBool:
      return SamePlain<bool>(a, b);
    case Kind::kInt32:
      return SamePlain<int32_t>(a, b);
    case Kind::kInt64:
      return SamePlain<int64_t>(a, b);
    case Kind::kDouble:
      return SamePlain<double>(a, b);
    case Kind::kString:
      return SamePlain<std::string>(a, b);
    case Kind::kScalar:
      return type.print(a) == type.print(b);
    case Kind::kOptional:
      return SameOptional(type, a, b);
    case Kind::kList:
      return SameList(type, a, b);
    case Kind::kMap:
      return SameMap(type, a, b);
    case Kind::kObject:
      return SameObject(type, a, b);
    case Kind::kRaw:
      return TextOf(type, a) == TextOf(type, b);
  }
  return false;
}

// ---- differences of a live value from the wanted one

using DifferingFields = std::vector<Difference>;

void Compare(const Type& type, const json::FieldOptions& options, const void* wanted,
             const void* live, const std::string& path, DifferingFields& found);

void CompareWhole(const Type& type, const void* wanted, const void* live, const std::string& path,
                  DifferingFields& found) {
  if (!SameValue(type, wanted, live)) found.push_back({path, TextOf(type, live)});
}

std::string Below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

std::string Below(const std::string& path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

void CompareObjects(const Type& type, const void* wanted, const void* live, const std::string& path,
                    DifferingFields& found) {
  for (const Type::Field& field : type.fields) {
    if (!field.IsWritten(wanted)) continue;
    const std::string below = Below(path, field.name);
    if (!field.IsWritten(live)) {
      found.push_back({below, ""});
    } else {
      Compare(field.type(), field.options, field.In(wanted), field.In(live), below, found);
    }
  }
}

void CompareMaps(const Type& type, const void* wanted, const void* live, const std::string& path,
                 DifferingFields& found) {
  const Entries there = EntriesOf(type, live);
  for (const auto& [key, value] : EntriesOf(type, wanted)) {
    const std::string below = Below(path, key);
    const auto entry = there.find(key);
    if (entry == there.end()) {
      found.push_back({below, ""});
    } else {
      Compare(type.element(), {}, value, entry->second, below, found);
    }
  }
}

// Compares the keys of two entries. The server may fill in a key that we leave out.
bool SameKeys(const Type& type, std::string_view keys, const void* wanted, const void* live) {
  return std::ranges::all_of(Split(keys, ','), [&](std::string_view key) {
    const Type::Field* field = type.FindField(key);
    if (!field || !field->IsWritten(wanted)) return true;
    return field->IsWritten(live) && SameValue(field->type(), field->In(wanted), field->In(live));
  });
}

bool SameEntry(const Type& element, const json::FieldOptions& options, const void* wanted,
               const void* live) {
  if (options.list_type == json::ListType::kSet) return SameValue(element, wanted, live);
  return SameKeys(element, options.map_keys, wanted, live);
}

void CompareMergedLists(const Type& type, const json::FieldOptions& options, const void* wanted,
                        const void* live, const std::string& path, DifferingFields& found) {
  const Type& element = type.element();
  for (size_t i = 0; i < type.size(wanted); ++i) {
    const void* entry = type.at(wanted, i);
    size_t at = 0;
    while (at < type.size(live) && !SameEntry(element, options, entry, type.at(live, at))) ++at;
    const std::string below = Below(path, i);
    if (at == type.size(live)) {
      found.push_back({below, ""});
    } else {
      Compare(element, {}, entry, type.at(live, at), below, found);
    }
  }
}

void CompareLists(const Type& type, const void* wanted, const void* live, const std::string& path,
                  DifferingFields& found) {
  if (type.size(wanted) != type.size(live)) {
    found.push_back({path, TextOf(type, live)});
    return;
  }
  for (size_t i = 0; i < type.size(wanted); ++i) {
    Compare(type.element(), {}, type.at(wanted, i), type.at(live, i), Below(path, i), found);
  }
}

void CompareOptionals(const Type& type, const json::FieldOptions& options, const void* wanted,
                      const void* live, const std::string& path, DifferingFields& found) {
  const void* content = type.get(wanted);
  const void* there = type.get(live);
  if (content && there) return Compare(type.element(), options, content, there, path, found);
  if (content != there) found.push_back({path, TextOf(type, live)});
}

void Compare(const Type& type, const json::FieldOptions& options, const void* wanted,
             const void* live, const std::string& path, DifferingFields& found) {
  switch (type.kind) {
    case Kind::kOptional:
      return CompareOptionals(type, options, wanted, live, path, found);
    case Kind::kObject:
      if (type.atomic || options.atomic) return CompareWhole(type, wanted, live, path, found);
      return CompareObjects(type, wanted, live, path, found);
    case Kind::kMap:
      if (options.atomic) return CompareWhole(type, wanted, live, path, found);
      return CompareMaps(type, wanted, live, path, found);
    case Kind::kList:
      if (options.list_type == json::ListType::kAtomic) {
        return CompareLists(type, wanted, live, path, found);
      }
      return CompareMergedLists(type, options, wanted, live, path, found);
    default:
      return CompareWhole(type, wanted, live, path, found);
  }
}

// ---- patches

// PatchText builds a JSON object.
class PatchText {
 public:
  void Add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += ',';
    json::AppendQuoted(name, text_);
    text_ += ':';
    text_ += value;
  }

  // Adds the change from one value to the other, if they differ.
  void AddChange(std::string_view name, const Type& type, const void* from, const void* to);

  std::string Text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string ObjectPatch(const Type& type, const void* from, const void* to) {
  PatchText patch;
  for (const Type::Field& field : type.fields) {
    if (!field.IsWritten(to)) {
      if (field.IsWritten(from)) patch.Add(field.name, "null");
    } else if (!field.IsWritten(from)) {
      patch.Add(field.name, TextOf(field.type(), field.In(to)));
    } else {
      patch.AddChange(field.name, field.type(), field.In(from), field.In(to));
    }
  }
  return patch.Text();
}

std::string MapPatch(const Type& type, const void* from, const void* to) {
  PatchText patch;
  const Entries before = EntriesOf(type, from);
  const Entries after = EntriesOf(type, to);
  for (const auto& [key, value] : before) {
    if (!after.contains(key)) patch.Add(key, "null");
  }
  for (const auto& [key, value] : after) {
    const auto old = before.find(key);
    if (old == before.end()) {
      patch.Add(key, TextOf(type.element(), value));
    } else {
      patch.AddChange(key, type.element(), old->second, value);
    }
  }
  return patch.Text();
}

void PatchText::AddChange(std::string_view name, const Type& type, const void* from,
                          const void* to) {
  if (SameValue(type, from, to)) return;
  switch (type.kind) {
    case Kind::kOptional:
      if (!type.get(from) || !type.get(to)) return Add(name, TextOf(type, to));
      return AddChange(name, type.element(), type.get(from), type.get(to));
    case Kind::kObject:
      return Add(name, ObjectPatch(type, from, to));
    case Kind::kMap:
      return Add(name, MapPatch(type, from, to));
    default:
      return Add(name, TextOf(type, to));
  }
}

}  // namespace

std::vector<Difference> Differences(const json::Type& type, const void* wanted, const void* live) {
  DifferingFields found;
  Compare(type, {}, wanted, live, "", found);
  return found;
}

std::string MergePatch(const json::Type& type, const void* from, const void* to) {
  return ObjectPatch(type, from, to);
}

}  // namespace berth::controllers
