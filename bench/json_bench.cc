// SPDX-License-Identifier: Apache-2.0
// Decoding of objects by the watch threads, and encoding of a binding.
#include <fmt/format.h>

#include "api/events.h"
#include "base/check.h"
#include "base/json/json.h"
#include "bench/cases.h"
#include "bench/fixtures.h"

namespace berth::bench {
namespace {

template <class T>
Repeat::Operation DecodeAgain(std::string text) {
  return [text = std::move(text)](size_t) {
    const Result<T> decoded = json::Decode<T>(text);
    BERTH_CHECK(decoded.has_value(), "fixtures can be decoded");
    Keep(*decoded);
  };
}

template <class T>
Repeat::Operation EncodeAgain(T object) {
  return [object = std::move(object)](size_t) { Keep(json::Encode(object)); };
}

api::Binding TypicalBinding() {
  const auto pod = MakePod(kFirstFreeSerial, PlainShape());
  api::Binding binding;
  binding.metadata.name = pod->metadata.name;
  binding.metadata.namespace_ = pod->metadata.namespace_;
  binding.metadata.uid = pod->metadata.uid;
  binding.target.kind = "Node";
  binding.target.name = NodeName(0);
  return binding;
}

api::events::Event TypicalEvent() {
  const auto pod = MakePod(kFirstFreeSerial, PlainShape());
  const std::string key = KeyOf(pod->metadata);
  api::events::Event event;
  event.metadata.name = pod->metadata.name + ".187a5c1f0b1d2e3f";
  event.metadata.namespace_ = pod->metadata.namespace_;
  event.event_time = MicroTime(pod->metadata.creation_timestamp);
  event.reporting_controller = "default-scheduler";
  event.reporting_instance = "default-scheduler-berth-0";
  event.action = "Binding";
  event.reason = "Scheduled";
  event.regarding = {.api_version = "v1",
                     .kind = "Pod",
                     .namespace_ = pod->metadata.namespace_,
                     .name = pod->metadata.name,
                     .uid = pod->metadata.uid,
                     .resource_version = pod->metadata.resource_version};
  event.note = fmt::format("Successfully assigned {} to {}", key, NodeName(0));
  event.type = "Normal";
  return event;
}

Case Repeated(std::string name, size_t operations, Repeat::Operation operation) {
  return {std::move(name), [operations, operation = std::move(operation)] {
            return std::make_unique<Repeat>(operations, operation);
          }};
}

}  // namespace

std::vector<Case> JsonCases(const Scale& scale) {
  const PodShape shape = PlainShape();
  return {Repeated("json/decode_pending_pod", scale.round,
                   DecodeAgain<api::Pod>(PodText(kFirstFreeSerial, shape))),
          Repeated("json/decode_running_pod", scale.round,
                   DecodeAgain<api::Pod>(PodText(kFirstFreeSerial, shape, NodeName(0)))),
          Repeated("json/decode_node", scale.round, DecodeAgain<api::Node>(NodeText(0))),
          Repeated(fmt::format("json/decode_list/nodes:{}", scale.listed_nodes), 1,
                   DecodeAgain<api::List<api::Node>>(NodeListText(scale.listed_nodes))),
          Repeated("json/encode_binding", scale.round, EncodeAgain(TypicalBinding())),
          Repeated("json/encode_event", scale.round, EncodeAgain(TypicalEvent()))};
}

}  // namespace berth::bench
