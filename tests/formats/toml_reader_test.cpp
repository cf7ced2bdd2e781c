#include "formats/toml/toml_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "base/random.h"
#include "base/text.h"
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

std::string parse_error(const std::string& text) {
  return error_of([&] { parse_toml(text, "x.toml"); });
}

std::string table_error(const std::string& text, const std::function<void(TomlTable&)>& ask) {
  return error_of([&] {
    const TomlNode root = parse_toml(text, "x.toml");
    TomlTable table(root, "x.toml", "cart");
    ask(table);
    table.finish();
  });
}

TEST(TomlReader, EveryValueKnowsItsLine) {
  const TomlNode root = parse_toml("a = 1\n\n[b]\nc = [1,\n 2.5]\n[[d]]\n[[d]]\ne = \"x\"\n", "x.toml");
  EXPECT_EQ(root.find("a")->line, 1);
  EXPECT_EQ(root.find("b")->line, 3);
  EXPECT_EQ(root.find("b")->find("c")->line, 4);
  EXPECT_EQ(root.find("b")->find("c")->items[1].line, 5);
  EXPECT_EQ(root.find("b")->find("c")->items[1].number, 2.5);
  EXPECT_EQ(root.find("d")->items[1].line, 7);
  EXPECT_EQ(root.find("d")->items[1].find("e")->text, "x");
}

TEST(TomlReader, KeysKeepTheOrderOfTheFile) {
  const TomlNode root = parse_toml("zebra = 1\nant = 2\nmole = 3\n", "x.toml");
  ASSERT_EQ(root.fields.size(), 3u);
  EXPECT_EQ(root.fields[0].key, "zebra");
  EXPECT_EQ(root.fields[1].key, "ant");
  EXPECT_EQ(root.fields[2].key, "mole");
}

TEST(TomlReader, AKeyThatNobodyAskedForIsAnErrorWithASuggestion) {
  EXPECT_EQ(table_error("length = 1\nwieght = 2\n",
                        [](TomlTable& t) {
                          t.number("length");
                          t.number("weight");
                        }),
            "x.toml:2: cart: unknown key 'wieght'; did you mean 'weight'?");
}

TEST(TomlReader, WrongTypesSayWhatWasExpectedAndFound) {
  EXPECT_EQ(table_error("a = \"600\"", [](TomlTable& t) { t.number("a"); }),
            "x.toml:1: cart: 'a' must be a number, not the text \"600\"");
  EXPECT_EQ(table_error("a = 1", [](TomlTable& t) { t.text("a"); }),
            "x.toml:1: cart: 'a' must be a text in quotes, not the number 1");
  EXPECT_EQ(table_error("a = [1, 2]", [](TomlTable& t) { t.vec3("a"); }),
            "x.toml:1: cart: 'a' must be 3 numbers [x, y, z], not an array of 2 values");
  EXPECT_EQ(table_error("a = [1, 2, true]", [](TomlTable& t) { t.vec3("a"); }),
            "x.toml:1: cart: an entry of 'a' must be a number, not true");
  EXPECT_EQ(table_error("a = 1979-05-27", [](TomlTable& t) { t.boolean("a"); }),
            "x.toml:1: cart: 'a' must be true or false, not a date");
  EXPECT_EQ(table_error("a = 3", [](TomlTable& t) { t.table("a"); }),
            "x.toml:1: cart: 'a' must be a table, not the number 3");
  EXPECT_EQ(table_error("a = 3", [](TomlTable& t) { t.tables("a"); }),
            "x.toml:1: cart: 'a' must be a list of tables ([[a]]), not the number 3");
  EXPECT_EQ(table_error("a = \"blue\"",
                        [](TomlTable& t) {
                          t.choice("a", {"green", "bleu"});
                        }),
            "x.toml:1: cart: unknown a 'blue'; did you mean 'bleu'?");
  EXPECT_EQ(table_error("", [](TomlTable& t) { t.required_text("name"); }),
            "x.toml:1: cart: has no 'name'; add name = \"...\"");
}

TEST(TomlReader, NumbersMustBeFiniteUnlessAskedOtherwise) {
  EXPECT_EQ(table_error("a = nan", [](TomlTable& t) { t.number("a"); }),
            "x.toml:1: cart: 'a' is nan; a number is needed");
  EXPECT_EQ(table_error("a = nan", [](TomlTable& t) { t.unbounded("a"); }),
            "x.toml:1: cart: 'a' is nan; a number is needed");
  EXPECT_EQ(table_error("a = -inf", [](TomlTable& t) { t.number("a"); }),
            "x.toml:1: cart: 'a' is infinite; a finite number is needed");
  EXPECT_EQ(table_error("a = -inf", [](TomlTable& t) { EXPECT_EQ(t.unbounded("a"), -INFINITY); }), "");
}

TEST(TomlReader, TwoKeysThatExcludeEachOtherAreAnError) {
  EXPECT_EQ(table_error("a = 1\nb = 2\n",
                        [](TomlTable& t) {
                          t.only_one_of({"a", "b", "c"});
                        }),
            "x.toml:2: cart: both 'a' and 'b'; keep one of them");
}

TEST(TomlReader, WhatIsNotTomlIsRefusedWithItsLine) {
  EXPECT_EQ(parse_error("a = 1\nb = \n"),
            "x.toml:2: not valid TOML: Error while parsing key-value pair: expected value, saw '\\n'");
  EXPECT_EQ(
      parse_error("a = 1e999\n"),
      "x.toml:1: not valid TOML: Error while parsing floating-point: '1e999' could not be interpreted as a "
      "value");
  EXPECT_EQ(parse_error("a = 99999999999999999999\n"),
            "x.toml:1: not valid TOML: Error while parsing decimal integer: '99999999999999999999' is not "
            "representable in 64 bits");
  EXPECT_EQ(parse_error("a = \"\xff\xfe\"\n"),
            "x.toml:1: not valid TOML: Encountered invalid utf-8 sequence");
}

TEST(TomlReader, BinaryGarbageIsNamedAsSuch) {
  EXPECT_EQ(parse_error(std::string("a = 1\n\0b", 8)),
            "x.toml:2: not a text file: it holds the control byte 0; a TOML file is needed");
  EXPECT_EQ(parse_error(std::string("\x7f"
                                    "ELF\x02\x01",
                                    6)),
            "x.toml:1: not a text file: it holds the control byte 2; a TOML file is needed");
}

TEST(TomlReader, RandomBytesNeverCrash) {
  Random random(7);
  for (int k = 0; k < 2000; ++k) {
    std::string text;
    const int n = random.index(200);
    const std::string alphabet = "[]{}=\"'.,#\n ab1-+e\\_:T";
    for (int i = 0; i < n; ++i)
      text += k % 2 == 0 ? char(random.index(256)) : alphabet[size_t(random.index(int(alphabet.size())))];
    error_of([&] { parse_toml(text, "x.toml"); });
  }
}

TEST(TomlReader, DeepNestingIsRefusedNotFollowed) {
  const auto repeat = [](const std::string& piece, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += piece;
    return out;
  };
  EXPECT_EQ(parse_error("a = " + repeat("[", 300'000)),
            "x.toml:1: not valid TOML: Error while parsing value: exceeded maximum nested value depth of 256 "
            "(TOML_MAX_NESTED_VALUES)");
  EXPECT_NE(parse_error("a = " + repeat("{a=", 100'000)).find("exceeded maximum nested value depth"),
            std::string::npos);
  const std::string too_deep = "x.toml:1: nested too deeply: a key of more than 17 parts";
  EXPECT_EQ(parse_error("a" + repeat(".a", 1'000'000) + " = 1"), too_deep);
  EXPECT_EQ(parse_error("[a" + repeat(".\"a\"", 1'000'000) + "]"), too_deep);
  EXPECT_EQ(parse_error("a = {" + repeat("a.", 1'000'000) + "a = 1}"), too_deep);
  // dots in texts, comments and rows of numbers do not separate keys
  EXPECT_EQ(parse_error("# " + repeat(".", 100) + "\na = \"" + repeat(".", 100) + "\"\nb = '''\n" +
                        repeat(".", 100) + "'''\nc = [" + repeat("0.5, ", 100) + "]\n"),
            "");
}

TEST(TomlReader, TooManyValuesAreRefused) {
  std::string text = "a = [";
  for (int i = 0; i < 1'000'000; ++i) text += "1,";
  EXPECT_EQ(parse_error(text + "]"),
            "x.toml:1: more than 500000 values; keep large data such as meshes in files of their own");
}

TEST(TomlReader, TooManyTablesOfOneKindAreRefused) {
  std::string text;
  for (int i = 0; i < 10'001; ++i) text += "[[a]]\n";
  EXPECT_EQ(table_error(text, [](TomlTable& t) { t.tables("a"); }),
            "x.toml:1: cart: more than 10000 entries of 'a'");
}

TEST(TomlReader, EveryDoubleSurvivesText) {
  Random random(3);
  std::vector<double> values = {
      0.1, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 123456.789};
  for (int i = 0; i < 2000; ++i) {
    const double x = std::bit_cast<double>(random.bits());
    if (std::isfinite(x) && (std::abs(x) >= 1e15 ? to_text(x).find('e') != std::string::npos : true))
      values.push_back(x);
  }
  for (const double x : values) {
    const TomlNode root = parse_toml("x = " + to_text(x), "x.toml");
    EXPECT_EQ(root.find("x")->number, x) << to_text(x);
  }
}

class TomlFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("legwork_toml_" + std::to_string(::getpid()));
};

TEST_F(TomlFiles, AMissingFileAndAFolderAreNamed) {
  EXPECT_EQ(error_of([&] { read_toml(path("none.toml")); }).find(path("none.toml") + ": "), 0u);
  EXPECT_NE(error_of([&] { read_toml(path("")); }).find("folder"), std::string::npos);
}

TEST_F(TomlFiles, AHundredMegabytesAreRefused) {
  {
    std::ofstream file(path("large.toml"), std::ios::binary);
    const std::string line(1 << 20, '#');
    for (int i = 0; i < 100; ++i) file << line << "\n";
  }
  EXPECT_EQ(
      error_of([&] { read_toml(path("large.toml")); }),
      path("large.toml") + ": the file has more than the 16777216 bytes that are read; is it the right one?");
}

}  // namespace
}  // namespace legwork
