#include "formats/mjcf/mjcf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "creature/complete.h"
#include "formats/mjcf/mjcf_write.h"
#include "formats/xml.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

std::string error(const std::string& text) {
  return error_of([&] { parse_mjcf(text, "a.xml"); });
}
// One body with a joint and a ball of mass, and something around it.
std::string body_with(const std::string& inside, const std::string& after = "",
                      const std::string& before = "") {
  return "<mujoco>" + before + "<worldbody><body name='b'>" + inside + "</body></worldbody>" + after +
         "</mujoco>";
}
Creature good(const std::string& text) { return parse_mjcf(text, "a.xml"); }

TEST(Mjcf, TheKeyframeHomeIsThePoseInWhichItStands) {
  const std::string body =
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/></body></worldbody>";
  const Creature home =
      parse_mjcf(body + "<keyframe><key name='home' qpos='0.5'/></keyframe></mujoco>", "a.xml");
  EXPECT_EQ(home.pose("stand"), std::vector<double>{0.5});
  const Creature both = parse_mjcf(
      body + "<keyframe><key name='home' qpos='0.5'/><key name='stand' qpos='0.2'/></keyframe></mujoco>",
      "a.xml");
  EXPECT_EQ(both.pose("stand"), std::vector<double>{0.2});
}

TEST(Mjcf, AMeshThatIsOnlyDrawnMayBeMissing) {
  const auto text = [](const std::string& inertial, const std::string& contact) {
    return "<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody><body name='b'><joint/>" +
           inertial + "<geom type='mesh' mesh='m' " + contact + "/></body></worldbody></mujoco>";
  };
  const std::string inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>",
                    drawn = "contype='0' conaffinity='0'",
                    missing = "a.xml:1: geom: none.stl: there is no such file; check the path";
  const Creature body = parse_mjcf(text(inertial, drawn), "a.xml");
  EXPECT_TRUE(body.links[0].shapes.empty());
  ASSERT_EQ(body.warnings.size(), 1u);
  EXPECT_EQ(
      body.warnings[0],
      "a.xml:1: mesh 'm': cannot be read; geoms which only draw such meshes are left out: none.stl: there "
      "is no such file; check the path");
  EXPECT_EQ(error(text("", drawn)), missing);  // it weighs
  // it touches: the box of the body's inertia, I = m (a^2 + b^2) / 12
  const Creature box = parse_mjcf(text(inertial, ""), "a.xml");
  ASSERT_EQ(box.links[0].shapes.size(), 1u);
  EXPECT_EQ(box.links[0].shapes[0].type, ShapeType::box);
  EXPECT_NEAR(box.links[0].shapes[0].size.x, std::sqrt(6.0), 1e-12);
  EXPECT_EQ(
      box.warnings.back(),
      "a.xml:1: geom: touches as the box of its body's inertia: none.stl: there is no such file; check the "
      "path");
  const Creature boxes = parse_mjcf(text(inertial, "/><geom type='mesh' mesh='m'"), "a.xml");
  EXPECT_EQ(boxes.warnings.size(), box.warnings.size() + 1);
  EXPECT_EQ(boxes.warnings.back(), "a.xml: 2 geoms in all touch as such boxes; the first is named above");
  const std::string point = "<inertial pos='0 0 0' mass='1' diaginertia='0 0 0'/>";
  EXPECT_EQ(error(text(point, "")), missing);  // that box has no size
}

TEST(Mjcf, WhatIsNotXmlIsSaidWithItsLine) {
  EXPECT_EQ(error(""), "a.xml: there is no XML element in it; is this the right file?");
  EXPECT_EQ(error("q = 3\n"), "a.xml: there is no XML element in it; is this the right file?");
  EXPECT_EQ(error("<mujoco>\n<worldbody>\n<body>"),
            "a.xml:3: not well-formed XML (Start-end tags mismatch); mend what stands just before");
  EXPECT_EQ(error("<mujoco>\n<worldbody>\n</mujoco>"),
            "a.xml:3: not well-formed XML (Start-end tags mismatch); mend what stands just before");
  EXPECT_EQ(error("<mujoco>\n <option gravity='0 0"),
            "a.xml:2: not well-formed XML (Error parsing element attribute); mend what stands just before");
  EXPECT_EQ(error(std::string("<mujoco>\n\0garbage", 17)),
            "a.xml:2: binary data where XML should be; is this the right file?");
  EXPECT_EQ(error("<html/>"), "a.xml:1: html: an MJCF file starts with <mujoco>, this one with <html>");
}

TEST(Mjcf, MissingFilesAreSaid) {
  EXPECT_EQ(error_of([] { read_mjcf("/nowhere/a.xml"); }),
            "/nowhere/a.xml: there is no such file; check the path");
}

TEST(Mjcf, EntitiesAreNotExpanded) {
  // the "billion laughs" attack does not expand
  const std::string text =
      "<?xml version='1.0'?><!DOCTYPE m [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'>]>"
      "<mujoco model='&b;'><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
  EXPECT_EQ(good(text).name, "&b;");
}

TEST(Mjcf, DeepNestingIsRefusedNotCrashed) {
  std::string text = "<mujoco><worldbody>";
  for (int i = 0; i < 100'000; ++i) text += "<body>";
  for (int i = 0; i < 100'000; ++i) text += "</body>";
  EXPECT_EQ(error(text + "</worldbody></mujoco>"),
            "a.xml:1: body: elements are nested more than 1000 deep; is the file damaged?");
}

TEST(Mjcf, HugeFilesAreRefusedAtOnce) {
  const Scratch scratch;
  const std::string path = scratch / "huge.xml";
  std::ofstream(path).put('<');
  std::filesystem::resize_file(path, 100'000'000);
  const std::string text = error_of([&] { read_mjcf(path); });
  EXPECT_NE(text.find("huge.xml"), std::string::npos) << text;
  EXPECT_NE(text.find("64"), std::string::npos) << text;
}

TEST(Mjcf, ErrorsSayWhereWhoWhatAndWhatToTry) {
  const std::string geom = "<geom size='1'/>";
  const struct {
    std::string text, error;
  } cases[] = {
      {"<mujoco/>", "a.xml:1: mujoco: has no <worldbody>, so no bodies"},
      {"<mujoco><worldbody/></mujoco>", "a.xml:1: mujoco: has no bodies"},
      {"<mujoco><worldbdy/></mujoco>",
       "a.xml:1: worldbdy: is not known in <mujoco>; did you mean 'worldbody'?"},
      {body_with("<joint name='j' type='hing'/>"),
       "a.xml:1: joint 'j': unknown type 'hing'; did you mean 'hinge'?"},
      {body_with("<joint axes='1 0 0'/>"), "a.xml:1: joint: unknown attribute 'axes'; did you mean 'axis'?"},
      {body_with("<joint axis='0 0 0'/>"), "a.xml:1: joint: axis [0, 0, 0] has no direction; try [0, 0, 1]"},
      {body_with("<joint axis='0 0'/>"), "a.xml:1: joint: 'axis' has 2 numbers; 3 are needed"},
      {body_with("<joint axis='0 0 1,0'/>"), "a.xml:1: joint: 'axis' has '1,0' where a number should be"},
      {body_with("<joint axis='0 nan 1'/>"), "a.xml:1: joint: 'axis' has nan; numbers must be finite"},
      {body_with("<joint axis='0 1e999 1'/>"), "a.xml:1: joint: 'axis' has 1e999, which no double can hold"},
      {body_with("<joint pos='0 0 0' pos='1 0 0'/>"),
       "a.xml:1: joint: attribute 'pos' is given twice; remove one"},
      {body_with("<joint range='30 -30'/>"), "a.xml:1: joint: range [30, -30] is upside down or empty"},
      {body_with("<joint frictionloss='-0.1'/>"), "a.xml:1: joint: frictionloss is negative"},
      {body_with("<joint damping='-1'/>"), "a.xml:1: joint: damping is negative"},
      {body_with("<joint type='ball' range='0 30'/>"),
       "a.xml:1: joint: a limited ball joint is not supported; use three hinges, or remove the range"},
      {body_with("<joint name='j'/><joint name='j'/>"),
       "a.xml:1: joint 'j': two joints of this name; rename one"},
      {body_with("<body><freejoint/></body>"),
       "a.xml:1: freejoint: a free joint must be on a body of the world itself"},
      {body_with("<inertial pos='0 0 0' mass='-2'/>"), "a.xml:1: inertial: mass -2 is negative"},
      {body_with("<inertial pos='0 0 0'/>"), "a.xml:1: inertial: attribute 'mass' is missing"},
      {body_with("<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' diaginertia='1 1 1'/>"),
       "a.xml:1: inertial: fullinertia and diaginertia exclude each other; keep one"},
      {body_with("<geom name='g' size='1' mass='-1'/>"), "a.xml:1: geom 'g': mass -1 is negative"},
      {body_with("<geom type='box' size='1 1'/>"),
       "a.xml:1: geom: size has too few positive numbers; a box needs 3"},
      {body_with("<geom type='capsule'/>"), "a.xml:1: geom: size has no numbers; a capsule needs 2"},
      {body_with("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"),
       "a.xml:1: geom: has several orientations; keep one of quat, axisangle, xyaxes, zaxis, euler"},
      {body_with("<geom type='mesh' mesh='m'/>"), "a.xml:1: geom: unknown mesh 'm'"},
      {body_with("<geom class='legs' size='1'/>", "", "<default><default class='leg'/></default>"),
       "a.xml:1: geom: unknown default class 'legs'; did you mean 'leg'?"},
      {body_with("<composite type='rope'/>"),
       "a.xml:1: composite: is not supported; let MuJoCo write the model out in full (mj_saveLastXML)"},
      {body_with("<body name='b'/>"), "a.xml:1: body 'b': two bodies of this name; rename one"},
      {body_with("<gom/>"), "a.xml:1: gom: is not known in <body>; did you mean 'geom'?"},
      {"<mujoco><worldbody><joint/></worldbody></mujoco>",
       "a.xml:1: joint: the world itself can have no joint; put it into a body"},
      {body_with("<freejoint/>" + geom, "", "<compiler coordinate='global'/>"),
       "a.xml:1: freejoint: a free joint in global coordinates is not supported; let MuJoCo save the file in "
       "local ones"},
      {body_with("<joint name='j'/>" + geom, "", "<compiler coordinate='global'/>"),
       "a.xml:1: joint 'j': attribute 'pos' is missing"},
      {body_with(geom, "<equality><connect body1='b' anchor='0 0 0'/></equality>",
                 "<compiler coordinate='global'/>"),
       "a.xml:1: connect: is not supported in global coordinates; let MuJoCo save the file in local ones"},
      {body_with(
           "<joint/><geom name='g' type='mesh' mesh='m'/>", "",
           "<asset><mesh name='m' inertia='exact' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 "
           "2'/></asset>"),
       "a.xml:1: geom 'g': its mesh has holes that leave 33.3 % of the volume open, so that mass and inertia "
       "are not "
       "known; close them, let the hull or the surface weigh (inertia=\"convex\", inertia=\"shell\"), or "
       "give the body an "
       "inertial"},
      {body_with("<joint/><geom name='g' type='mesh' mesh='m'/>", "",
                 "<asset><mesh name='m' inertia='exact' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 0 3 1 0 "
                 "2 3 1 3 "
                 "2'/></asset>"),
       "a.xml:1: geom 'g': its mesh encloses no volume, so that its mass and inertia are not known; are its "
       "faces turned "
       "inside out? Give the body an inertial"},
      {body_with(geom, "", "<option density='-1'/>"), "a.xml:1: option: density is negative"},
      {body_with("<geom size='1' fluidshape='ellipsoid'/>", "", "<option density='1.2'/>"),
       "a.xml:1: geom: fluidshape is not supported in a fluid; remove it: the box of the body's inertia "
       "feels "
       "the drag then"},
      {body_with(geom, "<equality><flex flex='f'/></equality>"),
       "a.xml:1: flex: an equality of this kind is not supported; remove it or set active=\"false\""},
      {body_with("<joint name='j'/>" + geom, "<equality><joint joint1='jj'/></equality>"),
       "a.xml:1: joint: unknown joint 'jj'; did you mean 'j'?"},
      {body_with("<joint name='j' type='ball'/>" + geom, "<equality><joint joint1='j'/></equality>"),
       "a.xml:1: joint: joint 'j' is no hinge and no slide; couple those only"},
      {body_with("<joint name='j'/>" + geom, "<equality><tendon tendon1='t'/></equality>"),
       "a.xml:1: tendon: unknown tendon 't'"},
      {body_with("<joint name='j'/>" + geom, "<equality><connect site1='s' site2='t'/></equality>"),
       "a.xml:1: connect: unknown site 's'"},
      {body_with(geom, "<equality><connect body1='c' anchor='0 0 0'/></equality>"),
       "a.xml:1: connect: unknown body 'c'; did you mean 'b'?"},
      {body_with(geom, "<tendon><spatial name='t' stiffness='3'/></tendon>"),
       "a.xml:1: spatial 't': runs around nothing; give it two <site> elements or more"},
      {body_with("<site name='s'/>" + geom,
                 "<tendon><spatial name='t'><site site='s'/><site site='s'/></spatial></tendon>"),
       "a.xml:1: site: site 's' is repeated; lead the tendon to another"},
      {body_with("<site name='s'/><site name='r'/>" + geom,
                 "<tendon><spatial name='t'><site site='s'/><site site='r'/><pulley "
                 "divisor='2'/></spatial></tendon>"),
       "a.xml:1: spatial 't': ends with a pulley; lead it on to a <site>, or remove the pulley"},
      {body_with("<joint name='j'/>" + geom, "<actuator><dcmotor joint='j'/></actuator>"),
       "a.xml:1: dcmotor: an actuator of this kind is not supported; write a <position> or <motor>"},
      {body_with(geom, "<tendon><fixed name='t'/></tendon>"),
       "a.xml:1: fixed 't': runs over nothing; give it a <joint> element"},
      {body_with("<site name='s'/>" + geom,
                 "<tendon><spatial name='t'><site site='s'/><geom geom='g'/></spatial></tendon>"),
       "a.xml:1: geom: a tendon that winds around a geom is not supported; lead it through sites beside the "
       "geom"},
      {body_with("<joint name='j'/>" + geom,
                 "<tendon><fixed name='t' frictionloss='1'><joint joint='j' coef='1'/></fixed></tendon>"),
       "a.xml:1: fixed 't': a tendon with frictionloss is not supported; give it to the joints"},
      {body_with("<joint name='j'/>" + geom, "<actuator><motor tendon='t'/></actuator>"),
       "a.xml:1: motor: unknown tendon 't'"},
      {body_with("<joint name='j'/>" + geom,
                 "<actuator><position joint='j' kp='5' kv='1' dampratio='1'/></actuator>"),
       "a.xml:1: position: kv and dampratio exclude each other; keep one"},
      {body_with(geom, "<actuator><motor/></actuator>"),
       "a.xml:1: motor: drives nothing; name a joint or a tendon"},
      {body_with(geom, "<contact><pair geom1='x' geom2='y'/></contact>"), "a.xml:1: pair: unknown geom 'x'"},
      {body_with("<joint name='j'/>" + geom, "<actuator><motor joint='k'/></actuator>"),
       "a.xml:1: motor: unknown joint 'k'; did you mean 'j'?"},
      {body_with("<joint name='j'/>" + geom,
                 "<actuator><general name='i' joint='j' dyntype='muscle' gaintype='muscle' "
                 "biastype='muscle'/></actuator>"),
       "a.xml:1: general 'i': has dynamics of its own (dyntype muscle), which are not supported, and it acts "
       "even without a command; remove it"},
      {body_with("<joint name='j'/>" + geom, "<keyframe><key qpos='1 2'/></keyframe>"),
       "a.xml:1: key: 'qpos' has 2 numbers; the body has 1"},
      {body_with("<include file='no.xml'/>"),
       "a.xml:1: include: no.xml: there is no such file; check the path"},
      {body_with("<include file='a.xml'/>"),
       "a.xml:1: include: file 'a.xml' is included twice; a file can be included once"},
      {body_with(geom, "", "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 9'/></asset>"),
       "a.xml:1: mesh 'm': 'face' has vertex 9 of 4"},
  };
  for (const auto& c : cases) EXPECT_EQ(error(c.text), c.error) << c.text;
}

TEST(Mjcf, LinesAreCountedThroughCommentsAndAttributes) {
  EXPECT_EQ(error("<mujoco>\n<!-- one\ntwo -->\n<worldbody>\n<body\n name='b'>\n<joint\n "
                  "type='no'/></body></worldbody></mujoco>"),
            "a.xml:7: joint: unknown type 'no'; one of: hinge, slide, ball, free");
}

// A cube, its faces one after another in two triangles each, without the first `missing` triangles.
std::string cube_without(int missing, const std::string& mode, const std::string& inertial = "") {
  const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                           {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  std::string text;
  for (int t = missing; t < 12; ++t) {
    const int* f = faces[t / 2];
    for (const int v : {f[0], f[t % 2 + 1], f[t % 2 + 2]}) text += std::to_string(v) + " ";
  }
  return "<mujoco><asset><mesh name='m' vertex='0 0 0 0 0 1 0 1 0 0 1 1 1 0 0 1 0 1 1 1 0 1 1 1' face='" +
         text + "' " + mode + "/></asset><worldbody><body name='b'><joint/>" + inertial +
         "<geom name='g' type='mesh' mesh='m' density='2'/></body></worldbody></mujoco>";
}

TEST(Mjcf, AMeshWithHolesWeighsOnlyWhatDoesNotNeedItsVolume) {
  const std::string advice =
      " % of the volume open, so that mass and inertia are not known; close them, let the hull or the "
      "surface weigh "
      "(inertia=\"convex\", inertia=\"shell\"), or give the body an inertial";
  for (const std::string mode : {"", "inertia='legacy'", "inertia='exact'"}) {
    EXPECT_NEAR(good(cube_without(0, mode)).links[0].mass, 2, 1e-12) << mode;
    EXPECT_EQ(error(cube_without(1, mode)), "a.xml:1: geom 'g': its mesh has holes that leave 9.1" + advice)
        << mode;
    EXPECT_EQ(error(cube_without(2, mode)), "a.xml:1: geom 'g': its mesh has holes that leave 20" + advice)
        << mode;
  }
  for (const int missing : {0, 1, 2}) {
    EXPECT_NEAR(good(cube_without(missing, "inertia='convex'")).links[0].mass, 2, 1e-12);
    EXPECT_NEAR(good(cube_without(missing, "inertia='shell'")).links[0].mass, 2 * (6 - missing / 2.0), 1e-12);
    const std::string inertial = "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>";
    EXPECT_EQ(good(cube_without(missing, "inertia='exact'", inertial)).links[0].mass, 3);
  }
}

TEST(Mjcf, AMassWithoutInertiaIsAPointWhateverItsGeoms) {
  Creature c = good(
      "<mujoco><worldbody><body><freejoint/><geom size='1'/><body><inertial pos='0 1 0' mass='2' "
      "diaginertia='0 0 "
      "0'/><geom type='box' size='1 2 3'/></body></body></worldbody></mujoco>");
  complete(c);
  EXPECT_EQ(c.links[1].mass, 2);
  EXPECT_EQ(c.links[1].com, Vec3d(0, 1, 0));
  EXPECT_EQ(c.links[1].inertia.xx + c.links[1].inertia.yy + c.links[1].inertia.zz, 0);
}

// Two halves of a tetrahedron's surface.
TEST(Mjcf, MeshesOfOneBodyCloseEachOther) {
  const auto halves = [](const std::string& second) {
    return "<mujoco><asset><mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3'/>"
           "<mesh name='b' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 3 2 1 2 "
           "3'/></asset><worldbody><body><joint/>"
           "<geom name='g' type='mesh' mesh='a'/>" +
           second + "</body></worldbody></mujoco>";
  };
  EXPECT_GT(good(halves("<geom type='mesh' mesh='b'/>")).links[0].mass, 0);
  EXPECT_TRUE(good(halves("<geom type='mesh' mesh='b'/>")).warnings.empty());
  EXPECT_NE(error(halves("")).find("geom 'g': its mesh has holes"), std::string::npos);
  EXPECT_NE(
      error(halves("<geom type='mesh' mesh='b' pos='0.1 0 0'/>")).find("the meshes of its body have holes"),
      std::string::npos);
}

TEST(Mjcf, AMeshThatIsThereTwiceHasTheSameHoles) {
  std::string text = cube_without(1, "");
  const std::string geom = "<geom name='g' type='mesh' mesh='m' density='2'/>";
  text.insert(text.find(geom), "<geom type='mesh' mesh='m'/>");
  EXPECT_NE(error(text).find("the meshes of its body have holes that leave 9.1 %"), std::string::npos)
      << error(text);
}

TEST(Mjcf, ASmallHoleIsToldAndWeighsAsInMujoco) {
  // the lower face of a tetrahedron in three triangles about a point near a corner, the smallest of them
  // missing
  const Creature c = good(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 0.05 0.05 0' face='0 1 3 0 3 2 1 2 3 2 "
      "1 4 0 2 "
      "4'/></asset><worldbody><body><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  EXPECT_NEAR(c.links[0].mass, 164.562736432, 1e-8);  // MuJoCo 3.14
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_EQ(c.warnings[0],
            "a.xml: bodies whose meshes have holes (1) weigh as MuJoCo has it; up to 1.3 % of their volume "
            "is open");
}

TEST(Mjcf, WhatHasNoNameGetsOneOfItsOwn) {
  const Creature c = good(
      "<mujoco><worldbody><body><joint name='a'/><geom size='1'/><site name='s'/><body><joint "
      "name='b'/><geom "
      "size='1'/><body><joint name='c'/><geom size='1'/></body></body></body></worldbody>"
      "<tendon><fixed><joint joint='a' coef='1'/></fixed><fixed name='tendon0'><joint joint='b' "
      "coef='1'/></fixed>"
      "</tendon>"
      "<equality><joint joint1='a' joint2='b'/><joint joint1='a' joint2='c'/><joint name='a' "
      "joint1='b'/></equality>"
      "<actuator><motor joint='a'/><position joint='a'/><motor name='a' joint='b'/></actuator>"
      "<sensor><jointpos joint='a'/><jointpos name='jointpos0' joint='b'/></sensor>"
      "<keyframe><key qpos='0 0 0'/><key name='key0' qpos='1 1 1'/></keyframe></mujoco>");
  const auto names = [](const auto& things) {
    std::vector<std::string> names;
    for (const auto& thing : things) names.push_back(thing.name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(c.tendons), (Names{"tendon0_", "tendon0"}));
  EXPECT_EQ(names(c.couplings), (Names{"a_", "a__", "a"}));
  EXPECT_EQ(names(c.actuators), (Names{"a_", "a__", "a"}));
  EXPECT_EQ(names(c.sensors), (Names{"jointpos0_", "jointpos0"}));
  EXPECT_EQ(names(c.poses), (Names{"key0_", "key0"}));
}

TEST(Mjcf, ErrorsInIncludedFilesNameThatFile) {
  const Scratch scratch;
  std::ofstream(scratch / "main.xml")
      << "<mujoco>\n<worldbody><include file='part.xml'/></worldbody></mujoco>";
  std::ofstream(scratch / "part.xml") << "<mujocoinclude>\n\n<body><joint type='no'/></body></mujocoinclude>";
  EXPECT_EQ(error_of([&] { read_mjcf(scratch / "main.xml"); }),
            scratch / "part.xml" + ":3: joint: unknown type 'no'; one of: hinge, slide, ball, free");
}

TEST(Mjcf, HarmlessThingsAreNamedInWarnings) {
  const Creature c = good(
      "<mujoco><visual/><statistic/><size njmax='5'/><option timestep='0.01' gravity='0 0 -1.6'/><custom/>"
      "<worldbody><light/><light/><camera/>\n<geom name='floor' type='plane' size='1 1 1'/>"
      "<body><geom size='1' condim='4' friction='1 1 1'/></body></worldbody>"
      "<sensor><gyro site='s'/></sensor></mujoco>");
  EXPECT_EQ(c.gravity, (Vec3d{0, 0, -1.6}));
  ASSERT_EQ(c.warnings.size(), 4u);
  EXPECT_EQ(c.warnings[0],
            "a.xml:2: geom 'floor': the ground is the world's, not the creature's; left out, see --terrain");
  EXPECT_EQ(c.warnings[1], "a.xml: gravity 0 0 -1.6 is not the earth's, which --gravity 9.81 would be");
  EXPECT_EQ(
      c.warnings[2],
      "a.xml: has no meaning here and was left out: camera, custom, light (2), option timestep, sensor gyro, "
      "size, statistic, visual");
  EXPECT_EQ(c.warnings[3], "a.xml: parameters of MuJoCo's contact solver were left out: condim, friction");
}

TEST(Mjcf, UnnamedThingsGetNames) {
  const Creature c = good(
      "<mujoco><worldbody><body><freejoint/><geom size='1'/><body><joint/><joint axis='1 0 0'/><geom "
      "size='1'/>"
      "</body></body></worldbody></mujoco>");
  EXPECT_EQ(c.name, "a");
  EXPECT_EQ(c.links[0].name, "body_1");
  EXPECT_EQ(c.links[1].name, "body_2");
  std::vector<std::string> names;
  for (const Dof* dof : c.dofs()) names.push_back(dof->name);
  EXPECT_EQ(names, (std::vector<std::string>{"body_1.tx", "body_1.ty", "body_1.tz", "body_1.rx", "body_1.ry",
                                             "body_1.rz", "body_2.1", "body_2.2"}));
}

TEST(Mjcf, GivenNamesComeBeforeMadeOnes) {
  const Creature c = good(
      "<mujoco><worldbody><body name='knee'><joint/><geom size='1'/><body name='body_1'><joint name='knee'/>"
      "<geom size='1'/><body><joint name='x'/><geom size='1'/></body></body></body></worldbody></mujoco>");
  EXPECT_EQ(c.links[2].name, "body_3");
  EXPECT_EQ(c.dof("knee_"), 0);
  EXPECT_EQ(c.dof("knee"), 1);
}

TEST(Mjcf, ShapesCarryTheirGeometry) {
  const Creature c = good(
      "<mujoco><asset><material name='red' rgba='1 0 0 1'/></asset><worldbody><body>"
      "<geom type='box' size='1 2 3' material='red'/><geom type='capsule' size='0.1' fromto='0 0 0 0 0 2'/>"
      "<geom type='sphere' size='0.5' contype='0' conaffinity='0' rgba='0 1 0 1'/>"
      "</body></worldbody></mujoco>");
  const std::vector<Shape>& s = c.links[0].shapes;
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].size, (Vec3d{2, 4, 6}));
  EXPECT_EQ(s[0].color, (std::array<double, 3>{1, 0, 0}));
  EXPECT_EQ(s[1].size, (Vec3d{0.1, 2, 0}));
  EXPECT_EQ(s[1].pos, (Vec3d{0, 0, 1}));
  EXPECT_TRUE(s[1].touches);
  EXPECT_FALSE(s[2].touches);
  EXPECT_EQ(s[2].color, (std::array<double, 3>{0, 1, 0}));
}

// <frame> of later versions only places what is inside.
TEST(Mjcf, WhatBulletWritesAndWhatCountsForNothingIsToldInOneLine) {
  const Creature c = good(
      "<mujoco><compiler inertiafromgeom='true'/><worldbody><body><joint name='r' type='fixed'/><geom "
      "size='1'/><body><joint name='j'/><geom size='1'/><inertial "
      "mass='9'/></body></body></worldbody><tendon><fixed name='t'><joint joint='j' coef='2'/><joint "
      "joint='j' coef='0'/></fixed></tendon></mujoco>");
  EXPECT_TRUE(c.links[0].joints.empty());
  EXPECT_NEAR(c.links[1].mass, 4000 * std::numbers::pi / 3, 1e-9);
  ASSERT_EQ(c.tendons[0].terms.size(), 1u);
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_EQ(c.warnings[0],
            "a.xml: has no meaning here and was left out: inertial without a place, since geoms weigh, joint "
            "of type fixed, tendon joint of coefficient 0");
}

TEST(Mjcf, ForcesOfActuatorsAreBoundByTheirTendon) {
  const std::string body =
      "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><tendon><fixed name='t' "
      "actuatorfrcrange='-6 6'><joint joint='j' coef='2'/></fixed></tendon><actuator><motor tendon='t' "
      "gear='3'/><motor joint='j'/>";
  const Creature c = good(body + "</actuator></mujoco>");
  EXPECT_EQ(c.actuators[0].strength, 2);
  EXPECT_EQ(c.actuators[1].strength, unlimited);
  EXPECT_TRUE(c.warnings.empty());
  EXPECT_EQ(good(body + "<motor tendon='t'/></actuator></mujoco>").warnings.size(), 1u);
}

TEST(Mjcf, FramesPlaceWhatIsInside) {
  const Creature framed = good(
      "<mujoco><worldbody><frame pos='0 0 1' euler='0 0 90'><body name='a' pos='1 0 0'><joint axis='1 0 0'/>"
      "<frame pos='0 0 2' euler='0 90 0'><geom type='capsule' size='0.1 1' pos='1 0 0'/><site name='s' "
      "pos='0 0 1'/>"
      "<body name='b' pos='0 0 1'><joint axis='0 0 1'/><geom "
      "size='1'/></body></frame></body></frame></worldbody>"
      "</mujoco>");
  EXPECT_LT(norm(framed.links[0].pos - Vec3d{0, 1, 1}), 1e-15);
  EXPECT_LT(norm(framed.links[0].com - Vec3d{0, 0, 1}), 1e-15);
  EXPECT_LT(norm(framed.links[1].pos - Vec3d{1, 0, 2}), 1e-15);
  EXPECT_LT(norm(framed.labels[0].pos - Vec3d{1, 0, 2}), 1e-15);
  EXPECT_NEAR(framed.links[1].rot.y, std::sqrt(0.5), 1e-15);
}

TEST(Mjcf, PosesLabelsAndSensorsAreKept) {
  const Creature c = read_mjcf(std::string(LEGWORK_SOURCE_DIR) + "/tests/data/mjcf/planar.xml");
  ASSERT_EQ(c.poses.size(), 2u);
  EXPECT_EQ(c.poses[0].name, "stand");
  EXPECT_EQ(c.pose("stand"), (std::vector<double>{0, 0.7, 0, 0.3, -0.6}));
  EXPECT_EQ(c.poses[1].name, "key1");
  ASSERT_EQ(c.labels.size(), 2u);
  EXPECT_EQ(c.labels[1].name, "sole");
  EXPECT_EQ(c.labels[1].link, c.link("shin"));
  ASSERT_EQ(c.sensors.size(), 2u);
  EXPECT_EQ(c.sensors[0].type, SensorType::touch);
  EXPECT_EQ(c.sensors[0].pos, (Vec3d{0, 0, -0.3}));
  EXPECT_EQ(c.sensors[1].type, SensorType::angle);
  EXPECT_EQ(c.sensors[1].dof, c.dof("knee"));
}

TEST(MjcfWrite, WhatMjcfCannotSayIsAnErrorOrAComment) {
  Creature c = good(body_with("<joint name='j'/><geom size='1'/>"));
  Dof& dof = c.links[0].joints[0].dofs[0];
  dof.spring = {SpringType::exponential, 2, 3, 0.5};
  EXPECT_NE(
      mjcf_text(c).find("<!-- the exponential spring of 'j' (stiffness 2, sharpness 3, rest 0.5) has no "
                        "counterpart in MJCF -->"),
      std::string::npos);
  c.links[0].joints[0].type = JointType::keyframed;
  c.links[0].joints[0].paths.resize(1);
  const Scratch scratch;
  EXPECT_EQ(error_of([&] { write_mjcf(c, scratch / "out.xml"); }),
            "a.xml:1: link 'b': a keyframed joint has no counterpart in MJCF; export the motion instead");
  EXPECT_TRUE(scratch.names().empty());
}

TEST(MjcfWrite, NamesAreEscaped) {
  Creature c = good(body_with("<joint name='j'/><geom size='1'/>"));
  c.links[0].name = "a<\"b\">&c";
  c.about = "half--way";
  EXPECT_EQ(good(mjcf_text(c)).links[0].name, c.links[0].name);
}

}  // namespace
}  // namespace legwork
