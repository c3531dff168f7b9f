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

// IncludeObject is what a table has of each object beside its cells.
enum class IncludeObject { kNone, kMetadata, kObject };

// Look says how objects are to be shown.
struct Look {
  Shape shape = Shape::kObject;
  IncludeObject include = IncludeObject::kMetadata;
  bool with_columns = true;  // of tables: later frames of a watch leave them out
};

// Presenter shows objects of the store to clients: as they are or as tables. Looks are kept, so
// that those who watch the same thing share frames.
class Presenter {
 public:
  explicit Presenter(const Clock& clock) : clock_(clock) {}

  std::shared_ptr<const Representation> LookOf(const KindPtr& kind, const Look& look);

  // One object, and a list of them.
  std::string ObjectText(const KindPtr& kind, const Look& look, const Object& object);
  std::string ListText(const KindPtr& kind, const Look& look, const ListPage& page);

 private:
  std::shared_ptr<const Representation> MakeLook(const KindPtr& kind, const Look& look) const;

  const Clock& clock_;
  // A kind that is gone leaves its address to others.
  struct Kept {
    std::weak_ptr<const KindInfo> kind;
    std::shared_ptr<const Representation> look;
  };
  std::map<std::tuple<const KindInfo*, Shape, IncludeObject, bool>, Kept> looks_;
};

}  // namespace berth::apiserver
