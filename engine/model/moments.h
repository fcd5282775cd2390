// The flame at the moments of a frame, one after the other: a thousand genomes in the memory of
// one, and each is compiled while it is in the cache. Whoever makes them also says what they can
// hold, so that the structure of the program is known before the first of them.
#pragma once

#include <functional>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

class MomentSource {
 public:
  virtual ~MomentSource() = default;

  /// Flames which, taken together, have every xform, variation, post affine and xaos that any
  /// moment has. They live as long as this.
  virtual std::vector<const Flame*> bounds() = 0;

  /// Calls `see` with every moment in the order of time; the flame is another one afterwards. The
  /// same flames every time it is called.
  virtual void visit(const std::function<void(const Flame&)>& see) = 0;
};

}  // namespace kiln
