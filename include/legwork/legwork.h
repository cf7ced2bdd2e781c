#pragma once
// All of Legwork:
//
//   #include <legwork/legwork.h>
//   using namespace legwork;
//
//   int main() {
//     const World world = load_world("dog", {.terrain = "slope:2deg"});
//     const Result result = walk(world, {.seconds = 4});
//     if (result.gait) std::printf("%s: %.2f m/s\n", result.gait->name.c_str(), result.gait->speed);
//     save(result, "dog.glb");           // `legwork rerun dog.glb` makes the same bits again
//     write_report(result, "dog.html");  // a page to look at, offline
//     write_bvh(result.motion, "dog.bvh");
//     return result.motion.status == Status::ok ? 0 : 3;
//   }
//
// Bad input throws Error. Units are SI, angles radians, Z up, X forward, Y left, quaternions w x y z.

#include <legwork/archive.h>
#include <legwork/carriage.h>
#include <legwork/compile.h>
#include <legwork/creature.h>
#include <legwork/dynamics.h>
#include <legwork/environment.h>
#include <legwork/error.h>
#include <legwork/files.h>
#include <legwork/gait.h>
#include <legwork/methods.h>
#include <legwork/motion.h>
#include <legwork/options.h>
#include <legwork/physics.h>
#include <legwork/report.h>
#include <legwork/result.h>
#include <legwork/run.h>
#include <legwork/study.h>
#include <legwork/vector.h>
#include <legwork/world.h>
