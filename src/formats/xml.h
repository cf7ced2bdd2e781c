#pragma once
// XML as a plain tree in which every element knows its file and line.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <legwork/error.h>
#include "math/vec.h"

namespace legwork {

struct XmlAttribute {
  std::string name, value;
};

struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;  // comments, text and declarations are left out
  std::shared_ptr<const std::string> file;
  int line = 0;

  Where where() const { return {*file, line}; }
  // "joint 'knee'", or "joint" for one without a name.
  std::string who() const;
  const std::string* attribute(std::string_view wanted) const;  // or null
  const XmlElement* child(std::string_view wanted) const;       // the first of that name, or null
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const;
};

inline constexpr std::size_t xml_file_limit = std::size_t(64) << 20;  // bytes
inline constexpr int xml_depth_limit = 1000;                          // elements inside each other

// The root element; file names the text in messages. Two attributes of one name, more than the limits above,
// and whatever is not well-formed are errors.
XmlElement parse_xml(const std::string& text, const std::string& file);
XmlElement read_xml(const std::string& path);

// Numbers separated by blanks; anything else, NaN and infinity are errors of the element. what names the
// value in the message: "'pos'".
std::vector<double> parse_numbers(const XmlElement& element, const std::string& what,
                                  const std::string& text);

// Every attribute must be one of these, separated by blanks; the error suggests the closest.
void check_attributes(const XmlElement& element, std::string_view known);

}  // namespace legwork
