// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "api/node.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// ImageTable lists which nodes have each image name. The size is the one that the first of them
// reported; it stays when that node goes and others remain, and is read again when there was none
// left. Source: kube-scheduler pkg/scheduler/backend/cache/cache.go, addNodeImageStates. Owned by
// the cache. Invariants: each name has at least one slot; the slots of a name are sorted; no version
// is given twice, because all come from one counter: an image that went and came again has another.
class ImageTable {
 public:
  explicit ImageTable(Vocabulary& words) : words_(words) {}

  // Replace takes the old images of the node at `slot` out and its new ones in; null stands for
  // none. Only images whose state changes by that get another version.
  void Replace(Slot slot, const api::Node* old_node, const api::Node* new_node);
  ImageState Find(Symbol name) const;  // empty when no node has it
  size_t size() const { return images_.size(); }

 private:
  struct Image {
    Word name;  // keeps the symbol by which the image is found
    int64_t size = 0;
    std::vector<Slot> slots;
    uint64_t version = 0;
  };
  using Sized = std::vector<std::pair<Word, int64_t>>;

  // NamesOf gives each name once, sorted, with the size it is listed with first.
  Sized NamesOf(const api::Node* node);
  void Add(Slot slot, const Word& name, int64_t size);
  void Remove(Slot slot, Symbol name);
  void Resize(Symbol name, int64_t size);

  Vocabulary& words_;
  std::unordered_map<Symbol, Image> images_;
  uint64_t last_version_ = 0;
};

}  // namespace berth::scheduler
