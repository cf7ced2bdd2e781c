#pragma once
// Contact points and surfaces as a recording sees them.

#include "dynamics/record.h"
#include "ground/contact.h"
#include "ground/medium.h"

namespace legwork {

Contacts<Trace> record(const Contacts<double>& contacts, const NumberOf& number);
Skin<Trace> record(const Skin<double>& skin, const NumberOf& number);
std::vector<DragBox<Trace>> record(const std::vector<DragBox<double>>& boxes, const NumberOf& number);

}  // namespace legwork
