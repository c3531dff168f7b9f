// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/presenter.h"

#include <nlohmann/json.hpp>

#include "apiserver/kinds/event_conversion.h"
#include "apiserver/rest/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string Dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json PartialObject(const json& document) {
  return {{"kind", "PartialObjectMetadata"},
          {"apiVersion", "meta.k8s.io/v1"},
          {"metadata", document["metadata"]}};
}

json ColumnDefinitions(const KindInfo& kind) {
  json columns = json::array();
  for (const Column& column : ColumnsOf(kind)) {
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"format", column.format},
                       {"description", column.description},
                       {"priority", column.priority}});
  }
  return columns;
}

json Row(const KindInfo& kind, IncludeObject include, const json& document, Time now) {
  json row = {{"cells", CellsOf(kind, document, now)}};
  if (include == IncludeObject::kMetadata) row["object"] = PartialObject(document);
  if (include == IncludeObject::kObject) row["object"] = document;
  return row;
}

json TableHead(const std::string& version) {
  return {{"kind", "Table"},
          {"apiVersion", "meta.k8s.io/v1"},
          {"metadata", {{"resourceVersion", version}}}};
}

json BookmarkMetadata(uint64_t version, bool initial_events_end) {
  json metadata = {{"resourceVersion", std::to_string(version)}};
  if (initial_events_end) metadata["annotations"] = {{"k8s.io/initial-events-end", "true"}};
  return metadata;
}

class EventRepresentation final : public Representation {
 public:
  void AppendObject(const Object& object, std::string& out) const override {
    json event = json::parse(object.text);
    EventFromStored(event);
    out += Dump(event);
  }
  void AppendBookmark(uint64_t version, bool initial_events_end, std::string& out) const override {
    out += Dump({{"kind", "Event"},
                 {"apiVersion", "events.k8s.io/v1"},
                 {"metadata", BookmarkMetadata(version, initial_events_end)}});
  }
};

class MetadataRepresentation final : public Representation {
 public:
  void AppendObject(const Object& object, std::string& out) const override {
    out += Dump(PartialObject(json::parse(object.text)));
  }
  void AppendBookmark(uint64_t version, bool initial_events_end, std::string& out) const override {
    out += Dump({{"kind", "PartialObjectMetadata"},
                 {"apiVersion", "meta.k8s.io/v1"},
                 {"metadata", BookmarkMetadata(version, initial_events_end)}});
  }
};

class TableRepresentation final : public Representation {
 public:
  TableRepresentation(KindPtr kind, const Look& look, const Clock& clock)
      : kind_(std::move(kind)), look_(look), clock_(clock) {}

  void AppendObject(const Object& object, std::string& out) const override {
    json table = TableHead(std::to_string(object.version));
    table["columnDefinitions"] = look_.with_columns ? ColumnDefinitions(*kind_) : json();
    table["rows"] = {Row(*kind_, look_.include, json::parse(object.text), clock_.Wall())};
    out += Dump(table);
  }
  void AppendBookmark(uint64_t version, bool initial_events_end, std::string& out) const override {
    json table = TableHead(std::to_string(version));
    table["columnDefinitions"] = look_.with_columns ? ColumnDefinitions(*kind_) : json();
    json object = {{"kind", kind_->kind},
                   {"apiVersion", kind_->ApiVersion()},
                   {"metadata", BookmarkMetadata(version, initial_events_end)}};
    table["rows"] = {{{"cells", json::array()}, {"object", std::move(object)}}};
    out += Dump(table);
  }

 private:
  const KindPtr kind_;
  const Look look_;
  const Clock& clock_;
};

// The end of the JSON value that begins at `at`.
size_t EndOfValue(std::string_view text, size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        quoted = false;
      if (!quoted && depth == 0) return at + 1;
      continue;
    }
    if (c == '"')
      quoted = true;
    else if (c == '{' || c == '[')
      ++depth;
    else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return at;
}

json ListMeta(const ListPage& page) {
  json metadata = {{"resourceVersion", std::to_string(page.version)}};
  if (!page.continue_.empty()) metadata["continue"] = page.continue_;
  if (page.remaining_item_count) metadata["remainingItemCount"] = *page.remaining_item_count;
  return metadata;
}

}  // namespace

std::string WithoutTypeMeta(std::string_view object) {
  std::string out = "{";
  size_t at = 1;
  while (at < object.size() && object[at] == '"') {
    const size_t key_end = EndOfValue(object, at);
    const std::string_view key = object.substr(at, key_end - at);
    const size_t end = EndOfValue(object, key_end + 1);
    if (key != "\"apiVersion\"" && key != "\"kind\"") {
      if (out.size() > 1) out += ',';
      out += object.substr(at, end - at);
    }
    at = end + 1;
  }
  return out + "}";
}

std::shared_ptr<const Representation> Presenter::LookOf(const KindPtr& kind, const Look& look) {
  auto& kept = looks_[{kind.get(), look.shape, look.include, look.with_columns}];
  if (kept) return kept;
  if (look.shape == Shape::kTable)
    kept = std::make_shared<TableRepresentation>(kind, look, clock_);
  else if (look.shape == Shape::kMetadata)
    kept = std::make_shared<MetadataRepresentation>();
  else if (IsEventsV1(*kind))
    kept = std::make_shared<EventRepresentation>();
  else
    kept = std::make_shared<PlainRepresentation>(kind->ApiVersion(), kind->kind);
  return kept;
}

std::string Presenter::ObjectText(const KindPtr& kind, const Look& look, const Object& object) {
  std::string text;
  LookOf(kind, look)->AppendObject(object, text);
  return text;
}

std::string Presenter::ListText(const KindPtr& kind, const Look& look, const ListPage& page) {
  if (look.shape == Shape::kTable) {
    json table = {{"kind", "Table"},
                  {"apiVersion", "meta.k8s.io/v1"},
                  {"metadata", ListMeta(page)},
                  {"columnDefinitions", ColumnDefinitions(*kind)},
                  {"rows", json::array()}};
    for (const ObjectPtr& object : page.items) {
      table["rows"].push_back(Row(*kind, look.include, json::parse(object->text), clock_.Wall()));
    }
    return Dump(table);
  }
  const bool metadata = look.shape == Shape::kMetadata;
  const auto representation = LookOf(kind, look);
  std::string text = "{\"kind\":" + Dump(metadata ? "PartialObjectMetadataList" : kind->list_kind) +
                     ",\"apiVersion\":" + Dump(metadata ? "meta.k8s.io/v1" : kind->ApiVersion()) +
                     ",\"metadata\":" + Dump(ListMeta(page)) + ",\"items\":[";
  for (size_t i = 0; i < page.items.size(); ++i) {
    if (i > 0) text += ',';
    if (metadata || kind->custom) {
      representation->AppendObject(*page.items[i], text);
    } else if (IsEventsV1(*kind)) {
      std::string event;
      representation->AppendObject(*page.items[i], event);
      text += WithoutTypeMeta(event);
    } else {
      text += WithoutTypeMeta(page.items[i]->text);
    }
  }
  return text + "]}";
}

}  // namespace berth::apiserver
