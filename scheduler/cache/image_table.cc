// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/image_table.h"

#include <algorithm>

namespace berth::scheduler {

ImageTable::Sized ImageTable::NamesOf(const api::Node* node) {
  Sized names;
  if (node == nullptr) return names;
  for (const api::ContainerImage& image : node->status.images) {
    for (const std::string& name : image.names)
      names.emplace_back(words_.Intern(name), image.size_bytes);
  }
  const auto by_symbol = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(names.begin(), names.end(), by_symbol);
  const auto same_symbol = [](const auto& a, const auto& b) { return a.first == b.first; };
  names.erase(std::unique(names.begin(), names.end(), same_symbol), names.end());
  return names;
}

bool ImageTable::Replace(const api::Node* old_node, const api::Node* new_node) {
  const Sized gone = NamesOf(old_node);
  const Sized come = NamesOf(new_node);
  bool changed = gone != come;
  for (const auto& [name, size] : gone) {
    // An image that only this node has is forgotten with its size, also when the node brings it
    // again below.
    if (const auto found = images_.find(name); --found->second.nodes == 0) {
      changed |= found->second.size != size;
      images_.erase(found);
    }
  }
  for (const auto& [name, size] : come) {
    const auto [found, is_new] = images_.try_emplace(name);
    if (is_new) found->second.size = size;
    ++found->second.nodes;
  }
  return changed;
}

ImageState ImageTable::Find(Symbol name) const {
  const auto found = images_.find(name);
  return found == images_.end() ? ImageState{} : found->second;
}

}  // namespace berth::scheduler
