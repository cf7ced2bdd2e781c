#pragma once
// A gait as JSON, in the vocabulary that every verb's --json shares (SI units; null = unknown).

#include <string>

#include <legwork/gait.h>

namespace legwork {

std::string gait_json(const Gait& gait);

}  // namespace legwork
