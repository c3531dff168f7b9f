// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "api/node.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// ImageTable lists the nodes that have an image, by image name. The size is the one that the first
// node reported. It stays when that node is removed while others have the image; it is read again
// when no node had it. Source: kube-scheduler pkg/scheduler/backend/cache/cache.go,
// addNodeImageStates. Owned by the cache.
//
// Invariants: each name has at least one slot; the slots of a name are sorted; no version is used
// twice, because all versions come from one counter. So an image that was removed and added again
// has a new version.
class ImageTable {
 public:
  explicit ImageTable(Vocabulary& words) : words_(words) {}

  // Replaces the images of the node at `slot`; null stands for no images. Only images with a
  // changed state get a new version.
  void Replace(Slot slot, const api::Node* old_node, const api::Node* new_node);
  ImageState Find(Symbol name) const;  // empty if no node has it
  size_t size() const { return images_.size(); }

 private:
  struct Image {
    Word name;  // keeps the symbol alive
    int64_t size = 0;
    std::vector<Slot> slots;
    uint64_t version = 0;
  };
  using Sized = std::vector<std::pair<Word, int64_t>>;

  // Returns each name once, sorted, with the size at its first occurrence.
  Sized NamesOf(const api::Node* node);
  void Add(Slot slot, const Word& name, int64_t size);
  void Remove(Slot slot, Symbol name);
  void Resize(Symbol name, int64_t size);

  Vocabulary& words_;
  std::unordered_map<Symbol, Image> images_;
  uint64_t last_version_ = 0;
};

}  // namespace berth::scheduler
