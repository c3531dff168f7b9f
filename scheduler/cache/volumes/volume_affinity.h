// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "scheduler/model/label_matcher.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// LabelPin is a label of which a node must have one of a few values, "" not among them.
struct LabelPin {
  std::string key;
  std::vector<std::string> values;  // sorted, each once
};
// PinOf gives a pin that all nodes meet which these requirements admit: that of the host's name where
// there are several. Nothing: there is none.
std::optional<LabelPin> PinOf(std::span<const api::Requirement> requirements);

// VolumeAffinity is from where a volume can be reached, by the labels of nodes: its node affinity,
// compiled. Names of nodes (matchFields) are not looked at, and a term that does not parse holds
// nowhere. Source: component-helpers storage/volume/helpers.go, CheckNodeAffinity, which asks about a
// node without a name.
class VolumeAffinity {
 public:
  // Lasting makes one that holds its strings, and lives and dies on the vocabulary's thread. Passing
  // makes one that is good for the cycle it was made in and no longer.
  static VolumeAffinity Lasting(const api::PersistentVolume& volume, Vocabulary& words);
  static VolumeAffinity Passing(const api::PersistentVolume& volume, const Vocabulary& words);

  bool Matches(const NodeInfo& node) const;

  // text is what the answers depend on: equal texts, equal answers.
  const std::string& text() const { return text_; }
  static std::string TextOf(const api::PersistentVolume& volume);
  // pin is one that all nodes meet where the volume can be reached, if there is one.
  const std::optional<LabelPin>& pin() const { return pin_; }

 private:
  explicit VolumeAffinity(const api::PersistentVolume& volume);

  std::string text_;
  bool anywhere_;
  std::vector<LabelMatcher> terms_;
  std::optional<LabelPin> pin_;
};

}  // namespace berth::scheduler
