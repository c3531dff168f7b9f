// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "scheduler/model/label_matcher.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// LabelPin is a label key with the few values that a node may have, "" excluded.
struct LabelPin {
  std::string key;
  std::vector<std::string> values;  // sorted, each once
};
// Returns a pin that all nodes admitted by the requirements meet; the one of the hostname if there
// are several. Nullopt without such a pin.
std::optional<LabelPin> PinOf(std::span<const api::Requirement> requirements);

// VolumeAffinity is the compiled node affinity of a volume: the labels of the nodes that can reach
// it. Node names (matchFields) are ignored, and a term that does not parse matches no node. Source:
// component-helpers storage/volume/helpers.go, CheckNodeAffinity, which is called with a node
// without a name.
class VolumeAffinity {
 public:
  // Lasting returns an affinity that holds its strings; it must stay on the vocabulary's thread.
  // Passing returns one that is valid for the current cycle only.
  static VolumeAffinity Lasting(const api::PersistentVolume& volume, Vocabulary& words);
  static VolumeAffinity Passing(const api::PersistentVolume& volume, const Vocabulary& words);

  bool Matches(const NodeInfo& node) const;

  // A text that determines the results: equal texts, equal results.
  const std::string& text() const { return text_; }
  static std::string TextOf(const api::PersistentVolume& volume);
  // A pin that all nodes with access to the volume meet, if there is one.
  const std::optional<LabelPin>& pin() const { return pin_; }

 private:
  explicit VolumeAffinity(const api::PersistentVolume& volume);

  std::string text_;
  bool anywhere_;
  std::vector<LabelMatcher> terms_;
  std::optional<LabelPin> pin_;
};

}  // namespace berth::scheduler
