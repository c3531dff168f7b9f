// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "base/clock.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/request/media_type.h"
#include "sandbox/apiserver/store/frame.h"
#include "sandbox/apiserver/store/list.h"

namespace berth::apiserver {

// IncludeObject selects the part of each object that a table includes beside its cells.
enum class IncludeObject { kNone, kMetadata, kObject };

// Look is the requested representation of objects.
struct Look {
  Shape shape = Shape::kObject;
  IncludeObject include = IncludeObject::kMetadata;
  bool with_columns = true;  // of tables: false for later frames of a watch
};

// Presenter renders objects of the store: as they are or as tables. It caches representations, so
// that watchers of the same resource share frames.
class Presenter {
 public:
  explicit Presenter(const Clock& clock) : clock_(clock) {}

  std::shared_ptr<const Representation> LookOf(const KindPtr& kind, const Look& look);

  // Render one object, and a list of objects.
  std::string ObjectText(const KindPtr& kind, const Look& look, const Object& object);
  std::string ListText(const KindPtr& kind, const Look& look, const ListPage& page);

 private:
  std::shared_ptr<const Representation> MakeLook(const KindPtr& kind, const Look& look) const;

  const Clock& clock_;
  // The address of a removed kind can be reused, hence the weak pointer.
  struct Kept {
    std::weak_ptr<const KindInfo> kind;
    std::shared_ptr<const Representation> look;
  };
  std::map<std::tuple<const KindInfo*, Shape, IncludeObject, bool>, Kept> looks_;
};

}  // namespace berth::apiserver
