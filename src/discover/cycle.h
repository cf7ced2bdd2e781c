#pragma once
// Whether a motion repeats itself: code that runs here and, as text, on a graphics processor.

#include "math/batch.h"

namespace legwork {

// Defines functions, and keeps their text beside them: C without comments or directives.
#define LEGWORK_CODE_AND_TEXT(text, ...) \
  __VA_ARGS__                            \
  inline constexpr const char* text = #__VA_ARGS__;

// The parts of find_cycle (descriptor.h). Value k of a signal that moves is x[k * step].
//   legwork_center     centres n values and scales them to unit variance; false: the signal does not move
//   legwork_add_likeness  adds to sum[lag * step], for every lag, how like the signal is to itself a lag
//                      later: four lags at a time, each sum in its own order
//   legwork_find_peak  of the likenesses of lags 1 .. longest: the lag, 0 where there is none; best: how like
// And the whole: signal s at frame i is x[s * signal_step + i * frame_step].
LEGWORK_CODE_AND_TEXT(
    cycle_text,
    static inline bool legwork_center(double* x, long n, long step) {
      const double still = 1e-6; /* variance of a signal that does not move */
      double mean = 0, variance = 0;
      for (long i = 0; i < n; ++i) mean += x[i * step];
      mean /= (double)n;
      for (long i = 0; i < n; ++i) {
        const double value = x[i * step] - mean;
        x[i * step] = value;
        variance += value * value;
      }
      variance /= (double)n;
      if (variance < still) return false;
      const double scale = 1 / sqrt(variance);
      for (long i = 0; i < n; ++i) x[i * step] *= scale;
      return true;
    }

    static inline void legwork_add_likeness(const double* x, long n, long step, long longest, double* sum,
                                            long sum_step) {
      for (long lag = 1; lag <= longest; lag += 4) {
        double a = 0, b = 0, c = 0, d = 0;
        long i = 0;
        for (; i + lag + 3 < n; ++i) {
          const double now = x[i * step];
          const double* later = x + (i + lag) * step;
          const double da = later[0] - now, db = later[step] - now;
          const double dc = later[2 * step] - now, dd = later[3 * step] - now;
          a += da * da;
          b += db * db;
          c += dc * dc;
          d += dd * dd;
        }
        for (; i + lag < n; ++i) {
          const double now = x[i * step];
          const double* later = x + (i + lag) * step;
          const double da = later[0] - now;
          a += da * da;
          const double db = i + lag + 1 < n ? later[step] - now : 0;
          b += db * db;
          const double dc = i + lag + 2 < n ? later[2 * step] - now : 0;
          c += dc * dc;
        }
        sum[lag * sum_step] += 1 - a / (double)(2 * (n - lag));
        if (lag + 1 <= longest) sum[(lag + 1) * sum_step] += 1 - b / (double)(2 * (n - lag - 1));
        if (lag + 2 <= longest) sum[(lag + 2) * sum_step] += 1 - c / (double)(2 * (n - lag - 2));
        if (lag + 3 <= longest) sum[(lag + 3) * sum_step] += 1 - d / (double)(2 * (n - lag - 3));
      }
    }

    static inline long legwork_find_peak(const double* likeness, long longest, long shortest, long step,
                                         double* best) {
      const double repeats = 0.5;     /* least likeness that counts as a cycle */
      const double nearly_best = 0.9; /* the shortest lag this good beside the best is the period */
      long first = 1;
      while (first < longest && likeness[(first + 1) * step] <= likeness[first * step]) ++first;
      if (first < shortest) first = shortest;
      *best = likeness[first * step];
      for (long lag = first; lag <= longest; ++lag)
        if (*best < likeness[lag * step]) *best = likeness[lag * step];
      if (*best < repeats) return 0;
      for (long lag = first; lag <= longest; ++lag) {
        const double here = likeness[lag * step];
        const bool peak =
            here >= likeness[(lag - 1) * step] && (lag == longest || here >= likeness[(lag + 1) * step]);
        if (peak && here >= nearly_best * *best) {
          *best = here;
          return lag;
        }
      }
      return 0;
    }

    static inline long legwork_find_cycle(double* x, long n, int signals, long frame_step, long signal_step,
                                          long shortest, double* likeness, long step, double* like) {
      const long longest = n / 2;
      *like = -1;
      if (longest <= shortest) return 0;
      for (long lag = 0; lag <= longest; ++lag) likeness[lag * step] = 0;
      int moving = 0;
      for (int s = 0; s < signals; ++s)
        if (legwork_center(x + s * signal_step, n, frame_step)) {
          ++moving;
          legwork_add_likeness(x + s * signal_step, n, frame_step, longest, likeness, step);
        }
      *like = 0;
      if (moving == 0) return 0;
      for (long lag = 1; lag <= longest; ++lag) likeness[lag * step] /= (double)moving;
      return legwork_find_peak(likeness, longest, shortest, step, like);
    })

}  // namespace legwork
