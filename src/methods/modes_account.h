#pragma once

#include <legwork/methods.h>
#include "modes/modes.h"

namespace legwork {

// What was found of a body's modes, and how the motion made of them went.
Account modes_account(const ModalResult& found, const ModesOptions& options);

}  // namespace legwork
