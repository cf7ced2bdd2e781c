#pragma once
// Between Legwork's axes (Z up, X forward) and glTF's (Y up, Z forward): x to z, y to x, z to y.

#include "math/vec.h"

namespace legwork::gltf {

inline Vec3d y_up(const Vec3d& v) { return {v.y, v.z, v.x}; }
inline Quatd y_up(const Quatd& q) { return {q.w, q.y, q.z, q.x}; }
inline Vec3d z_up(const Vec3d& v) { return {v.z, v.x, v.y}; }
inline Quatd z_up(const Quatd& q) { return {q.w, q.z, q.x, q.y}; }

}  // namespace legwork::gltf
