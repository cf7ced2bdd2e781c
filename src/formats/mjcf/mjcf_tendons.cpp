// Tendons, and equations between joints and between tendons.
//
// MuJoCo's equality holds  q1 - q1_ref = p0 + p1 y + ... + p4 y^4,  y = q2 - q2_ref,  and the same of the
// lengths of tendons beside their lengths in the reference pose.

#include "base/text.h"
#include "creature/place.h"
#include "formats/mjcf/mjcf_reader.h"

namespace legwork::mjcf {

void Reader::read_tendons() {
  for (const XmlElement& section : root_.children) {
    if (section.name != "tendon") continue;
    for (const XmlElement& element : section.children) read_tendon(element);
  }
  finish_names(creature_.tendons);
}

void Reader::read_fixed_tendon(const XmlElement& element, Tendon& tendon) {
  for (const XmlElement& child : element.children) {
    if (child.name != "joint") child.fail("is not known in <fixed>", "a fixed tendon has <joint> elements");
    check_element(child, "fixed/joint");
    const Item it(child, nullptr);
    const JointPlace& place = joint_of(child, it.required("joint"));
    if (creature_.links[std::size_t(place.link)].joints[std::size_t(place.joint)].dofs.size() != 1)
      child.fail("a tendon runs over hinges and slides only", "name one of those");
    it.required("coef");
    if (const double coefficient = it.number("coef", 0); coefficient != 0)
      tendon.terms.push_back({place.dof, coefficient});
    else
      leave_out("tendon joint of coefficient 0");
  }
  if (tendon.terms.empty()) element.fail("runs over nothing", "give it a <joint> element");
}

void Reader::read_spatial_tendon(const XmlElement& element, Tendon& tendon) const {
  double divisor = 1;
  bool starts = true;
  std::string before;
  for (const XmlElement& child : element.children) {
    if (child.name == "geom")
      child.fail("a tendon that winds around a geom is not supported",
                 "lead it through sites beside the geom");
    if (child.name == "pulley") {
      check_element(child, "pulley");
      const Item it(child, nullptr);
      it.required("divisor");
      divisor = it.number("divisor", 1);
      if (!(divisor > 0)) child.fail("divisor must be positive");
      starts = true;
      continue;
    }
    if (child.name != "site") child.fail("is not known in <spatial>");
    check_element(child, "spatial/site");
    const std::string name = Item(child, nullptr).required("site");
    const Site& site = site_of(child, name);
    if (!starts && name == before)
      child.fail("site '" + name + "' is repeated", "lead the tendon to another");
    before = name;
    tendon.points.push_back({site.link, site.pos, starts, divisor});
    starts = false;
  }
  if (tendon.points.size() < 2) element.fail("runs around nothing", "give it two <site> elements or more");
  if (starts) element.fail("ends with a pulley", "lead it on to a <site>, or remove the pulley");
}

void Reader::read_tendon(const XmlElement& element) {
  if (element.name != "spatial" && element.name != "fixed") element.fail("is not known in <tendon>");
  check_element(element, element.name);
  const Item it = item(element, "main", "tendon");
  note_solver_attributes(it);
  Tendon tendon;
  tendon.name = name_of(it, creature_.tendons.size(), "tendon" + std::to_string(creature_.tendons.size()));
  tendon.where = element.where();
  if (element.name == "fixed")
    read_fixed_tendon(element, tendon);
  else
    read_spatial_tendon(element, tendon);

  for (const char* force : {"stiffness", "damping", "frictionloss", "armature"})
    if (it.has(force) && it.numbers(force, 1, 3)->at(0) < 0)
      element.fail(std::string(force) + " is negative");
  for (const char* force : {"frictionloss", "armature"})
    if (it.number(force, 0) != 0)
      element.fail(std::string("a tendon with ") + force + " is not supported", "give it to the joints");
  const auto range = it.numbers("range", 2, 2);
  const std::string limited = it.choice("limited", "auto", {"true", "false", "auto"});
  const bool automatic = settings_.autolimits.value_or(true);
  if ((limited == "true" || (limited == "auto" && automatic && range)) && settings_.limits) {
    if (!range) element.fail("is limited but has no range");
    if (!((*range)[0] < (*range)[1])) element.fail("range is upside down or empty");
    tendon.lower = (*range)[0], tendon.upper = (*range)[1];
  }
  if (settings_.dampers) tendon.damper = it.number("damping", 0);
  if (settings_.springs) {
    tendon.stiffness = it.number("stiffness", 0);
    const auto rest = it.numbers("springlength", 1, 2);
    if (rest && (*rest)[0] != -1)
      tendon.rest_lower = rest->front(), tendon.rest_upper = rest->back();
    else
      tendon.rest_lower = tendon.rest_upper = tendon_length(tendon, true);
    if (tendon.rest_lower > tendon.rest_upper) element.fail("springlength is upside down");
  }
  if (const auto force = force_bound(it)) tendon_forces_[int(creature_.tendons.size())] = *force;
  if (!tendon.name.empty() && !tendons_.emplace(tendon.name, int(creature_.tendons.size())).second)
    element.fail("two tendons of this name", "rename one");
  creature_.tendons.push_back(std::move(tendon));
}

// at_rest: where the springs of the joints rest (springref), as MuJoCo counts lengths at which tendons do not
// pull.
double Reader::tendon_length(const Tendon& tendon, bool at_rest) const {
  double sum = 0;
  if (!tendon.terms.empty()) {
    std::vector<double> zero;
    for (const Link& link : creature_.links)
      for (const Joint& joint : link.joints) zero.insert(zero.end(), joint.dofs.size(), joint.q_zero);
    const std::vector<double>& x = at_rest ? spring_refs_ : zero;
    for (const DofTerm& t : tendon.terms) sum += t.factor * x[std::size_t(t.dof)];
    return sum;
  }
  std::vector<double> q = creature_.pose("");
  std::size_t at_q = 0, at_v = 0;
  for (const Link& link : creature_.links)
    for (const Joint& joint : link.joints) {
      if (at_rest && nq(joint) == nv(joint)) q[at_q] = spring_refs_[at_v];
      at_q += std::size_t(nq(joint)), at_v += joint.dofs.size();
    }
  const std::vector<LinkFrame> frames = place(creature_, q);
  const auto at = [&](const TendonPoint& p) {
    return p.link < 0 ? p.pos : frames[std::size_t(p.link)] * p.pos;
  };
  for (std::size_t i = 1; i < tendon.points.size(); ++i)
    if (!tendon.points[i].starts)
      sum += norm(at(tendon.points[i]) - at(tendon.points[i - 1])) / tendon.points[i].divisor;
  return sum;
}

// The first joint that a tendon moves: of its terms, or above one of its points.
int Reader::first_dof(const Tendon& tendon) const {
  if (!tendon.terms.empty()) return tendon.terms[0].dof;
  std::vector<int> begin;
  int dof = 0;
  for (const Link& link : creature_.links) {
    begin.push_back(dof);
    for (const Joint& joint : link.joints) dof += int(joint.dofs.size());
  }
  int found = -1;
  for (const TendonPoint& p : tendon.points)
    for (int link = p.link; link >= 0; link = creature_.links[std::size_t(link)].parent)
      if (const auto& joints = creature_.links[std::size_t(link)].joints;
          found < 0 && joints.size() == 1 && joints[0].dofs.size() == 1)
        found = begin[std::size_t(link)];
  return found;
}

namespace {

std::array<double, 5> read_polynomial(const Item& it) {
  std::array<double, 5> p{0, 1, 0, 0, 0};
  if (const auto given = it.numbers("polycoef", 1, 5)) std::copy(given->begin(), given->end(), p.begin());
  return p;
}

}  // namespace

void Reader::read_joint_equality(const XmlElement& element, const Item& it) {
  check_element(element, "equality/joint");
  note_solver_attributes(it);
  Coupling c;
  c.where = element.where();
  c.polynomial = read_polynomial(it);
  const auto term = [&](const std::string& name, double& zero) {
    const JointPlace& place = joint_of(element, name);
    const Joint& joint = creature_.links[std::size_t(place.link)].joints[std::size_t(place.joint)];
    if (joint.dofs.size() != 1)
      element.fail("joint '" + name + "' is no hinge and no slide", "couple those only");
    zero = joint.q_zero;
    return DofTerm{place.dof, 1};
  };
  const std::string first = it.required("joint1");
  c.name = name_of(it, creature_.couplings.size(), first);
  c.terms = {term(first, c.zero)};
  if (const std::string* second = it.find("joint2"))
    c.drivers = {term(*second, c.driver_zero)};
  else
    c.polynomial = {c.polynomial[0], 0, 0, 0, 0};
  creature_.couplings.push_back(std::move(c));
}

void Reader::read_tendon_equality(const XmlElement& element, const Item& it) {
  check_element(element, "equality/tendon");
  note_solver_attributes(it);
  Coupling c;
  c.where = element.where();
  c.polynomial = read_polynomial(it);
  const auto terms = [&](const std::string& name, double& zero) {
    const auto found = tendons_.find(name);
    if (found == tendons_.end())
      element.fail("unknown tendon '" + name + "'", did_you_mean(name, names_of(tendons_)));
    const Tendon& tendon = creature_.tendons[std::size_t(found->second)];
    if (tendon.terms.empty())
      element.fail("an equality of spatial tendons is not supported", "limit the tendon, or use <connect>");
    zero = tendon_length(tendon);
    return tendon.terms;
  };
  const std::string first = it.required("tendon1");
  c.name = name_of(it, creature_.couplings.size(), first);
  c.terms = terms(first, c.zero);
  if (const std::string* second = it.find("tendon2"))
    c.drivers = terms(*second, c.driver_zero);
  else
    c.polynomial = {c.polynomial[0], 0, 0, 0, 0};
  creature_.couplings.push_back(std::move(c));
}

}  // namespace legwork::mjcf
