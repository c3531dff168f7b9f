// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/image_locality.h"

#include <algorithm>

#include "scheduler/model/key_text.h"

namespace berth::scheduler {
namespace {

constexpr int64_t kMebibyte = 1024 * 1024;
constexpr int64_t kLeast = 23 * kMebibyte;
constexpr int64_t kMostOfAnImage = 1000 * kMebibyte;

// HeldImage is an image of the pod that some nodes have, and its value for these nodes in all
// containers that use it.
struct HeldImage {
  std::span<const Slot> slots;
  int64_t worth;
};

// Reports whether an image reference has a tag or digest. The colon of a registry's port is before
// the last slash.
bool HasTag(std::string_view image) {
  constexpr size_t kNone = std::string_view::npos;
  const size_t colon = image.rfind(':');
  const size_t slash = image.rfind('/');
  return colon != kNone && (slash == kNone || colon > slash);
}

// Returns the name under which nodes list an image: ":latest" is added if there is neither tag nor
// digest.
std::string Normalized(std::string_view image) {
  std::string name(image);
  if (!HasTag(image)) name += ":latest";
  return name;
}

// Returns the snapshot's state of the image with the normalized name.
ImageState StateOf(std::string_view image, const Snapshot& snapshot) {
  const Vocabulary& words = snapshot.Words();
  const Symbol name = HasTag(image) ? words.Find(image) : words.Find(Normalized(image));
  return name == kNoSymbol ? ImageState() : snapshot.Image(name);
}

template <class Visit>
void ForEachImage(const api::PodSpec& spec, Visit&& visit) {
  for (const api::Container& container : spec.init_containers) visit(container.image);
  for (const api::Container& container : spec.containers) visit(container.image);
  for (const api::Volume& volume : spec.volumes) {
    if (volume.image.has_value()) visit(volume.image->reference);
  }
}

int64_t ImageCountOf(const PendingPod& pod) {
  int64_t count = 0;
  ForEachImage(pod.pod().spec, [&count](std::string_view) { ++count; });
  return count;
}

// Merges the entries of an image: thousands of containers may use it, and each entry costs a walk
// over the nodes.
void MergeEqual(std::vector<HeldImage>& held) {
  std::ranges::sort(held, {}, [](const HeldImage& image) { return image.slots.data(); });
  size_t kept = 0;
  for (size_t i = 1; i < held.size(); ++i) {
    if (held[i].slots.data() == held[kept].slots.data()) {
      held[kept].worth = SaturatingAdd(held[kept].worth, held[i].worth);
    } else {
      held[++kept] = held[i];
    }
  }
  if (!held.empty()) held.resize(kept + 1);
}

std::vector<HeldImage> HeldImagesOf(const CycleContext& cycle) {
  // Caps absurd image sizes, so that sums do not overflow.
  constexpr double kHighest = 0x1p62;
  const auto nodes = static_cast<double>(cycle.snapshot.NodeCount());
  std::vector<HeldImage> held;
  ForEachImage(cycle.pod.pod().spec, [&](std::string_view image) {
    const ImageState state = StateOf(image, cycle.snapshot);
    if (state.slots.empty()) return;
    const double spread = static_cast<double>(state.slots.size()) / nodes;
    const double worth = static_cast<double>(state.size) * spread;
    held.push_back({state.slots, static_cast<int64_t>(std::min(worth, kHighest))});
  });
  MergeEqual(held);
  return held;
}

int64_t WorthOn(Slot slot, std::span<const HeldImage> held) {
  int64_t worth = 0;
  for (const HeldImage& image : held) {
    if (std::binary_search(image.slots.begin(), image.slots.end(), slot)) {
      worth = SaturatingAdd(worth, image.worth);
    }
  }
  return worth;
}

// Sums over the node lists of the images. For many slots this is cheaper than searching the lists.
std::vector<int64_t> WorthOfAll(size_t slots, std::span<const HeldImage> held) {
  std::vector<int64_t> worth(slots);
  for (const HeldImage& image : held) {
    for (const Slot slot : image.slots) worth[slot] = SaturatingAdd(worth[slot], image.worth);
  }
  return worth;
}

int64_t ScoreOf(int64_t worth, int64_t images) {
  const int64_t most = kMostOfAnImage * images;
  if (worth < kLeast) {
    worth = kLeast;
  } else if (worth > most) {
    worth = most;
  }
  return kMaxNodeScore * (worth - kLeast) / (most - kLeast);
}

}  // namespace

PluginDescriptor ImageLocality::Descriptor() {
  return Describe<ImageLocality>({
      .name = "ImageLocality",
      .summary = "Prefers nodes that already have the pod's container images.",
      .depends_on = {Epoch::kNodeObject},
      .default_weight = 1,
      .example =
          R"(# For clusters with large images: prefer their nodes, even at the cost of balance.
plugins:
  score:
    enabled: [{name: ImageLocality, weight: 5}])",
  });
}

ResultKey ImageLocality::KeyOf(const CycleContext& cycle) const {
  std::vector<std::string> images;
  size_t bytes = 0;
  ForEachImage(cycle.pod.pod().spec, [&](std::string_view image) {
    images.push_back(Normalized(image));
    bytes += KeyText::kNumber + images.back().size();
  });
  std::sort(images.begin(), images.end());
  KeyText text(bytes);
  for (const std::string& image : images) text.Add(image);
  return ResultKey::Of(text.Take());
}

// Sorted, because the key does not depend on the order of images. The node count matters only if
// some node has one of the images.
Versions ImageLocality::VersionsOf(const CycleContext& cycle) const {
  Versions versions;
  versions.reserve(4);  // most pods have few images
  ForEachImage(cycle.pod.pod().spec, [&](std::string_view image) {
    versions.push_back(StateOf(image, cycle.snapshot).version);
  });
  std::sort(versions.begin(), versions.end());
  if (!versions.empty() && versions.back() != 0) versions.push_back(cycle.snapshot.NodeCount());
  return versions;
}

int64_t ImageLocality::Score(const CycleContext& cycle, const NodeView& node) const {
  return ScoreOf(WorthOn(node.slot(), HeldImagesOf(cycle)), ImageCountOf(cycle.pod));
}

void ImageLocality::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                               std::span<int64_t> out) const {
  constexpr size_t kFewSlots = 64;
  const int64_t images = ImageCountOf(cycle.pod);
  const std::vector<HeldImage> held = HeldImagesOf(cycle);
  if (held.empty()) {
    std::fill(out.begin(), out.end(), ScoreOf(0, images));
  } else if (slots.size() <= kFewSlots) {
    for (size_t i = 0; i < slots.size(); ++i) out[i] = ScoreOf(WorthOn(slots[i], held), images);
  } else {
    const auto worth = WorthOfAll(cycle.snapshot.Columns().slots(), held);
    for (size_t i = 0; i < slots.size(); ++i) out[i] = ScoreOf(worth[slots[i]], images);
  }
}

}  // namespace berth::scheduler
