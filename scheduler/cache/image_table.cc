// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/image_table.h"

#include <algorithm>

namespace berth::scheduler {

ImageTable::Sized ImageTable::NamesOf(const api::Node* node) {
  Sized names;
  if (node == nullptr) return names;
  for (const api::ContainerImage& image : node->status.images) {
    for (const std::string& name : image.names) {
      names.emplace_back(words_.Intern(name), image.size_bytes);
    }
  }
  const auto by_symbol = [](const auto& a, const auto& b) {
    return a.first.symbol() < b.first.symbol();
  };
  std::stable_sort(names.begin(), names.end(), by_symbol);
  const auto same_symbol = [](const auto& a, const auto& b) { return a.first == b.first; };
  names.erase(std::unique(names.begin(), names.end(), same_symbol), names.end());
  return names;
}

void ImageTable::Replace(Slot slot, const api::Node* old_node, const api::Node* new_node) {
  const Sized gone = NamesOf(old_node);
  const Sized come = NamesOf(new_node);
  auto old_name = gone.begin();
  auto new_name = come.begin();
  // Both lists are sorted, so common images are found in one pass. So an image that all nodes have
  // is not removed from its long list and inserted again with each node status update.
  while (old_name != gone.end() || new_name != come.end()) {
    if (new_name == come.end() || (old_name != gone.end() && old_name->first < new_name->first)) {
      Remove(slot, (old_name++)->first);
    } else if (old_name == gone.end() || new_name->first < old_name->first) {
      Add(slot, new_name->first, new_name->second);
      ++new_name;
    } else {
      Resize(new_name->first, new_name->second);
      ++old_name;
      ++new_name;
    }
  }
}

void ImageTable::Add(Slot slot, const Word& name, int64_t size) {
  const auto [found, is_new] = images_.try_emplace(name);
  Image& image = found->second;
  if (is_new) image = {.name = name, .size = size};
  image.slots.insert(std::lower_bound(image.slots.begin(), image.slots.end(), slot), slot);
  image.version = ++last_version_;
}

void ImageTable::Remove(Slot slot, Symbol name) {
  const auto found = images_.find(name);
  Image& image = found->second;
  image.slots.erase(std::lower_bound(image.slots.begin(), image.slots.end(), slot));
  image.version = ++last_version_;
  if (image.slots.empty()) images_.erase(found);
}

// Applies the size reported by a node that already had the image. The size only counts if this is
// the only node, as if the image had been removed and added again.
void ImageTable::Resize(Symbol name, int64_t size) {
  Image& image = images_.find(name)->second;
  if (image.slots.size() > 1 || image.size == size) return;
  image.size = size;
  image.version = ++last_version_;
}

ImageState ImageTable::Find(Symbol name) const {
  const auto found = images_.find(name);
  if (found == images_.end()) return {};
  const Image& image = found->second;
  return {image.size, image.slots, image.version};
}

}  // namespace berth::scheduler
