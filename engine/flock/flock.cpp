// SPDX-License-Identifier: MIT
// Drafts until one is worth a look, for one flame and for many (flock.h). Every place of a flock has
// seeds of its own, so its flame does not depend on how many threads there are; only the distance from
// those before is looked at in order, when a round of places is done.
#include "engine/flock/flock.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/thread_pool.h"
#include "engine/flock/chance.h"
#include "engine/flock/previews.h"

namespace kiln {
namespace {

constexpr std::uint64_t most_drafts = 100;  // of one place
constexpr std::string_view like_another = "like another";

struct Seen {
  Flame flame;
  Look look;
};

/// `seeks`: by a camera of its own; else only where nothing is seen by the flame's, unless that is locked.
Seen seen(Flame flame, bool seeks, bool is_locked, PreviewRenderer& renderer, const Taste& taste) {
  if (!seeks) {
    const Look at_once = look(flame, renderer);
    if (is_locked || dull(at_once, taste).empty()) return {std::move(flame), at_once};
  }
  if (!frame_by_light(flame, renderer)) return {std::move(flame), {}};
  const Look exposed = expose(flame, renderer);
  return {std::move(flame), exposed};
}

/// The better of two that are both dull.
bool is_better(const Look& a, const Look& b, const Taste& taste) {
  const bool a_is_lost = a.bad > taste.most_bad, b_is_lost = b.bad > taste.most_bad;
  if (a_is_lost != b_is_lost) return b_is_lost;
  return a.detail > b.detail;
}

}  // namespace

struct Flock::Plan {
  std::function<Flame(std::uint64_t seed, int place)> draft;
  bool seeks_camera = true, camera_is_locked = false;
  std::uint64_t seed = 0, most_drafts = kiln::most_drafts;
  std::vector<Look> others = {};  // that no member is like
};

/// The search for one member.
struct Flock::Place {
  std::uint64_t attempt = 0;
  std::optional<Member> best;
  Reasons reasons;

  /// Goes on to the next draft that is worth a look, or to the best of all.
  void go_on(const Plan& plan, int place, const Taste& taste, PreviewRenderer& renderer) {
    while (attempt < plan.most_drafts) {
      const std::uint64_t seed = (plan.seed + std::uint64_t(place)) * most_drafts + attempt++;
      Seen now =
          seen(plan.draft(seed, place), plan.seeks_camera, plan.camera_is_locked, renderer, taste);
      const std::string_view why = dull(now.look, taste);
      if (!why.empty()) ++reasons[why];
      const bool is_first = !best;
      if (why.empty() || is_first || is_better(now.look, best->look, taste))
        best = Member{std::move(now.flame), now.look, 0, why};
      if (why.empty()) break;
    }
    best->tried = int(attempt);
  }
  bool is_over(const Plan& plan) const { return attempt >= plan.most_drafts; }
};

Flock::Flock(const RenderOptions& options, const Taste& taste) : taste_(taste) {
  RenderOptions own = options;
  own.bits = 8;
  own.linear = false;
  own.crop.reset();
  own.crop_marks = 0;
  own.on_progress = nullptr;
  options_ = options_of_many(own);
  renderers_.push_back(std::make_unique<PreviewRenderer>(options_[0]));
}

Flock::~Flock() = default;

std::vector<Flock::Member> Flock::fill(const Plan& plan, int count,
                                       const std::function<void(int)>& progress) {
  constexpr int round = 64;
  while (renderers_.size() < std::min(options_.size(), std::size_t(std::min(round, count))))
    renderers_.push_back(std::make_unique<PreviewRenderer>(options_[renderers_.size()]));
  ThreadPool pool(int(renderers_.size()));
  std::vector<Member> members;
  std::vector<Look> looks = plan.others;
  for (int begin = 0; begin < count; begin += round) {
    std::vector<Place> places(std::size_t(std::min(round, count - begin)));
    std::vector<std::size_t> open(places.size());
    for (std::size_t p = 0; p < open.size(); ++p) open[p] = p;
    const std::size_t before = looks.size();
    while (!open.empty()) {
      pool.run(int(open.size()), [&](int piece, int worker) {
        const std::size_t p = open[std::size_t(piece)];
        places[p].go_on(plan, begin + int(p), taste_, *renderers_[std::size_t(worker)]);
      });
      looks.resize(before);
      open.clear();
      for (std::size_t p = 0; p < places.size(); ++p) {
        const Look& mine = places[p].best->look;
        const bool is_new = std::all_of(looks.begin(), looks.end(), [&](const Look& other) {
          return distance(mine, other) >= taste_.least_distance;
        });
        if (!is_new && !places[p].is_over(plan)) {
          ++reasons_[like_another];
          places[p].best.reset();
          open.push_back(p);
        } else {
          if (!is_new) places[p].best->dull_by = like_another;
          looks.push_back(mine);
        }
      }
    }
    for (Place& place : places) {
      for (const auto& [why, times] : place.reasons) reasons_[why] += times;
      members.push_back(std::move(*place.best));
    }
    if (progress) progress(int(members.size()));
  }
  return members;
}

std::string name_of_random(std::uint64_t seed, int place) {
  return "random-" + std::to_string(seed + std::uint64_t(place));
}

std::string name_of_mutant(const Flame& parent, int place) {
  return fmt::format("{}{}mutant-{}", parent.name, parent.name.empty() ? "" : "-", place);
}

std::string name_of_child(const Flame& first, const Flame& second, int place) {
  return fmt::format("{}-{}-{}", first.name, second.name, place);
}

std::array<std::size_t, 2> parents_of_child(std::size_t flames, std::uint64_t seed, int place) {
  Chance chance(seed + std::uint64_t(place));
  const std::size_t first = chance.below(flames);
  return {first, (first + 1 + chance.below(flames - 1)) % flames};
}

std::vector<Flock::Member> Flock::random(const Flame& like, std::uint64_t seed, int count,
                                         const Wishes& wishes,
                                         const std::function<void(int)>& progress) {
  Plan plan;
  plan.seed = seed;
  plan.draft = [&](std::uint64_t draft_seed, int place) {
    Flame flame = random_draft(like, draft_seed, wishes);
    flame.name = name_of_random(seed, place);
    flame.source = "";
    return flame;
  };
  std::vector<Member> members = fill(plan, count, progress);
  for (Member& member : members) note_edit(member.flame, "random", {});
  return members;
}

std::vector<Flock::Member> Flock::mutations(const Flame& parent, const Mutation& mutation,
                                            std::uint64_t seed, int count,
                                            const std::function<void(int)>& progress) {
  Plan plan;
  plan.seed = seed;
  plan.most_drafts = 12;  // what is dull in the parent is so in all
  plan.seeks_camera = false;
  plan.camera_is_locked = mutation.locks.camera;
  plan.draft = [&](std::uint64_t draft_seed, int) { return mutated(parent, mutation, draft_seed); };
  if (mutation.strength > 0) plan.others.push_back(look(parent, *renderers_[0]));
  std::vector<Member> members = fill(plan, count, progress);
  for (std::size_t m = 0; m < members.size(); ++m) {
    Flame& child = members[m].flame;
    child.name = name_of_mutant(parent, int(m));
    note_edit(child,
              fmt::format("mutate {} {} seed {}", direction_names[std::size_t(mutation.direction)],
                          shortest(mutation.strength), seed + m),
              {{parent, parent.source}});
  }
  return members;
}

std::vector<Flock::Member> Flock::children(const std::vector<Flame>& parents, Breeding how,
                                           std::uint64_t seed, int count,
                                           const std::function<void(int)>& progress) {
  KILN_CHECK(parents.size() > 1, "{} parents", parents.size());
  const auto pair_of = [&](int place) { return parents_of_child(parents.size(), seed, place); };
  Plan plan;
  plan.seed = seed;
  plan.most_drafts = 24;
  plan.draft = [&](std::uint64_t draft_seed, int place) {
    const auto [first, second] = pair_of(place);
    return bred(parents[first], parents[second], how, draft_seed);
  };
  std::vector<Member> members = fill(plan, count, progress);
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto [first, second] = pair_of(int(m));
    const Flame &a = parents[first], &b = parents[second];
    members[m].flame.name = name_of_child(a, b, int(m));
    note_edit(members[m].flame,
              fmt::format("cross {} seed {}", breeding_names[std::size_t(how)], seed + m),
              {{a, a.source}, {b, b.source}});
  }
  return members;
}

Flame random_flame(const Flame& like, std::uint64_t seed, PreviewRenderer& renderer,
                   const Wishes& wishes, const Taste& taste) {
  std::optional<Seen> best;
  for (std::uint64_t attempt = 0; attempt < most_drafts; ++attempt) {
    Flame draft = random_draft(like, seed * most_drafts + attempt, wishes);
    draft.name = name_of_random(seed, 0);
    Seen now = seen(std::move(draft), true, false, renderer, taste);
    if (dull(now.look, taste).empty()) return now.flame;
    if (!best || is_better(now.look, best->look, taste)) best = std::move(now);
  }
  return best->flame;
}

}  // namespace kiln
