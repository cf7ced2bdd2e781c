#include "base/within.h"

namespace legwork {

Error within(const Where& where, const std::string& who, const Error& inner) {
  const Error unadvised(inner.where(), inner.who(), inner.problem());
  return Error(where, who, unadvised.what(), inner.advice());
}

Error with_advice(const Error& error, const std::string& more) {
  const std::string advice = error.advice().empty() ? more : error.advice() + "; " + more;
  return Error(error.where(), error.who(), error.problem(), advice);
}

}  // namespace legwork
