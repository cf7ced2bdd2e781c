#pragma once
// Errors thrown again with more around them; their parts stay data.

#include <legwork/error.h>

namespace legwork {

// An error met while reading what stands at `where` and belongs to `who`: a base inside a creature file, a
// body inside a world. The problem then begins with the inner place and who; the advice stays.
Error within(const Where& where, const std::string& who, const Error& inner);

// The same error with one more thing to try.
Error with_advice(const Error& error, const std::string& more);

}  // namespace legwork
