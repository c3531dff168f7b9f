// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/presenter.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/event_conversion.h"
#include "sandbox/apiserver/rest/tables/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

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

json TableRow(const KindInfo& kind, IncludeObject include, const json& document, Time now) {
  json row = {{"cells", CellsOf(kind, document, now)}};
  row["object"] = include == IncludeObject::kMetadata ? PartialObject(document)
                  : include == IncludeObject::kObject ? document
                                                      : json();
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
    json event = ReadDocument(object.text);
    EventFromStored(event);
    AppendDocument(event, out);
  }
  void AppendBookmark(uint64_t version, bool initial_events_end, std::string& out) const override {
    out += DocumentText({{"kind", "Event"},
                         {"apiVersion", "events.k8s.io/v1"},
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
    table["rows"] = {TableRow(*kind_, look_.include, ReadDocument(object.text), clock_.Wall())};
    AppendDocument(table, out);
  }
  void AppendBookmark(uint64_t version, bool initial_events_end, std::string& out) const override {
    json table = TableHead(std::to_string(version));
    table["columnDefinitions"] = look_.with_columns ? ColumnDefinitions(*kind_) : json();
    json object = {{"kind", kind_->kind},
                   {"apiVersion", kind_->ApiVersion()},
                   {"metadata", BookmarkMetadata(version, initial_events_end)}};
    table["rows"] = {{{"cells", json::array()}, {"object", std::move(object)}}};
    AppendDocument(table, out);
  }

 private:
  const KindPtr kind_;
  const Look look_;
  const Clock& clock_;
};

void AppendEventItem(const Object& object, std::string& out) {
  json event = ReadDocument(object.text);
  EventFromStored(event);
  event.erase("apiVersion");
  event.erase("kind");
  AppendDocument(event, out);
}

size_t SizeOf(const ListPage& page) {
  size_t size = 0;
  for (const ObjectPtr& object : page.items) size += object->text.size() + 1;
  return size;
}

// Lists of custom kinds have an empty `continue`; lists of Go's types omit it.
json ListMeta(const KindInfo& kind, const ListPage& page) {
  json metadata = {{"resourceVersion", std::to_string(page.version)}};
  if (!page.continue_.empty() || kind.custom) metadata["continue"] = page.continue_;
  if (page.remaining_item_count) metadata["remainingItemCount"] = *page.remaining_item_count;
  return metadata;
}

}  // namespace

std::shared_ptr<const Representation> Presenter::LookOf(const KindPtr& kind, const Look& look) {
  Kept& kept = looks_[{kind.get(), look.shape, look.include, look.with_columns}];
  if (kept.look != nullptr && kept.kind.lock() == kind) return kept.look;
  kept = {kind, MakeLook(kind, look)};
  return kept.look;
}

std::shared_ptr<const Representation> Presenter::MakeLook(const KindPtr& kind,
                                                          const Look& look) const {
  if (look.shape == Shape::kTable) return std::make_shared<TableRepresentation>(kind, look, clock_);
  if (IsEventsV1(*kind)) return std::make_shared<EventRepresentation>();
  return std::make_shared<PlainRepresentation>(kind->ApiVersion(), kind->kind);
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
                  {"metadata", ListMeta(*kind, page)},
                  {"columnDefinitions", ColumnDefinitions(*kind)},
                  {"rows", json::array()}};
    for (const ObjectPtr& object : page.items) {
      table["rows"].push_back(
          TableRow(*kind, look.include, ReadDocument(object->text), clock_.Wall()));
    }
    return DocumentText(table);
  }
  const auto representation = LookOf(kind, look);
  std::string text = "{\"kind\":" + DocumentText(kind->list_kind) +
                     ",\"apiVersion\":" + DocumentText(kind->ApiVersion()) +
                     ",\"metadata\":" + DocumentText(ListMeta(*kind, page)) + ",\"items\":[";
  text.reserve(text.size() + SizeOf(page) + 2);
  for (size_t i = 0; i < page.items.size(); ++i) {
    if (i > 0) text += ',';
    if (kind->custom) {
      representation->AppendObject(*page.items[i], text);
    } else if (IsEventsV1(*kind)) {
      AppendEventItem(*page.items[i], text);
    } else {
      AppendItem(*page.items[i], text);
    }
  }
  text += "]}";
  return text;
}

}  // namespace berth::apiserver
