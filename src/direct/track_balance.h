#pragma once
// A motion performed by the controller of control/: its footfalls are the controller's, the rest is its
// style.

#include "base/meter.h"
#include "control/footfalls.h"
#include "control/legged_body.h"
#include "control/style.h"
#include "direct/track.h"

namespace legwork {

// Whether the controller can perform it: one body that moves freely on legs, without loops, on some ground.
bool performs_by_balance(const World& world, const TrackSource& source);

class SourceFootfalls : public Footfalls {
 public:
  SourceFootfalls(const TrackSource& source, const LeggedBody& body);

  bool stands(size_t leg, double time) const override;
  double next_change(size_t leg, double time) const override;
  Vec2 place(size_t leg, double time) const override;
  Vec2 path(double time) const override;
  double heading(double time) const override;

 private:
  struct Stand {
    double from, to;
    Vec2 at;
  };
  const TrackSource* source_;
  std::vector<std::vector<Stand>> stands_;  // of each leg, in order of time
  std::vector<double> headings_;            // of each frame, unwrapped
};

class SourceStyle : public Style {
 public:
  SourceStyle(const TrackSource& source, const LeggedBody& body, const SourceFootfalls& footfalls);

  void body(double clock, BodyLook& look) const override;
  void swing(size_t leg, double clock, double share, SwingLook& look) const override;

 private:
  struct Swing {
    double to;          // s: when it ends
    double high, peak;  // m over where it stands; share of its time
  };
  Swing swing_between(size_t leg, double from, double to) const;

  const TrackSource* source_;
  const LeggedBody* body_;
  const SourceFootfalls* footfalls_;
  std::vector<std::vector<Swing>> swings_;  // of each leg, in order of time
  mutable Workspace<double> w_;
  mutable std::vector<double> q_, v_, a_;
};

// Performs the source; fills motion, deviations and step of `out`, which has its demands already.
void perform_by_balance(const World& world, const TrackSource& source, double seconds, Meter& meter,
                        Tracked& out);

}  // namespace legwork
