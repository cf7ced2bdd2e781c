#include "formats/xml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <pugixml.hpp>

#include "base/text.h"
#include "formats/file.h"

namespace legwork {

namespace {

// Lines of byte offsets, for offsets that only grow.
class Lines {
 public:
  explicit Lines(const std::string& text) : text_(text) {}
  int line(std::size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset < at_) at_ = 0, line_ = 1;
    line_ +=
        int(std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(offset), '\n'));
    at_ = offset;
    return line_;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

XmlElement copy_element(const pugi::xml_node& node, const std::shared_ptr<const std::string>& file,
                        Lines& lines) {
  XmlElement e;
  e.name = node.name();
  e.file = file;
  e.line = lines.line(std::size_t(node.offset_debug()));
  for (const pugi::xml_attribute& a : node.attributes()) {
    if (e.attribute(a.name()))
      e.fail("attribute '" + std::string(a.name()) + "' is given twice", "remove one");
    e.attributes.push_back({a.name(), a.value()});
  }
  return e;
}

// Depth first with a stack of our own: a hostile file must not exhaust the machine's.
XmlElement copy_tree(const pugi::xml_node& root, const std::shared_ptr<const std::string>& file,
                     Lines& lines) {
  struct Open {
    pugi::xml_node next;  // child to copy next
    XmlElement element;
  };
  std::vector<Open> open;
  open.push_back({root.first_child(), copy_element(root, file, lines)});
  for (;;) {
    pugi::xml_node& next = open.back().next;
    while (next && next.type() != pugi::node_element) next = next.next_sibling();
    if (next) {
      const pugi::xml_node child = next;
      next = next.next_sibling();
      Open inner{child.first_child(), copy_element(child, file, lines)};
      if (int(open.size()) >= xml_depth_limit)
        inner.element.fail("elements are nested more than " + std::to_string(xml_depth_limit) + " deep",
                           "is the file damaged?");
      open.push_back(std::move(inner));
      continue;
    }
    XmlElement done = std::move(open.back().element);
    open.pop_back();
    if (open.empty()) return done;
    open.back().element.children.push_back(std::move(done));
  }
}

}  // namespace

std::string XmlElement::who() const {
  const std::string* own = attribute("name");
  return own ? name + " '" + *own + "'" : name;
}

const std::string* XmlElement::attribute(std::string_view wanted) const {
  for (const XmlAttribute& a : attributes)
    if (a.name == wanted) return &a.value;
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& c : children)
    if (c.name == wanted) return &c;
  return nullptr;
}

void XmlElement::fail(const std::string& problem, const std::string& advice) const {
  throw Error(where(), who(), problem, advice);
}

XmlElement parse_xml(const std::string& text, const std::string& file) {
  Lines lines(text);
  // some writers end a file with the zero of its text
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos && text.find_first_not_of('\0', nul) != std::string::npos)
    throw Error({file, lines.line(nul)}, "", "binary data where XML should be", "is this the right file?");
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), std::min(nul, text.size()), pugi::parse_default, pugi::encoding_utf8);
  if (result.status == pugi::status_no_document_element)
    throw Error({file, 0}, "", "there is no XML element in it", "is this the right file?");
  if (!result)
    throw Error({file, lines.line(std::size_t(result.offset))}, "",
                "not well-formed XML (" + std::string(result.description()) + ")",
                "mend what stands just before");
  return copy_tree(document.document_element(), std::make_shared<const std::string>(file), lines);
}

XmlElement read_xml(const std::string& path) { return parse_xml(read_file(path, xml_file_limit), path); }

std::vector<double> parse_numbers(const XmlElement& element, const std::string& what,
                                  const std::string& text) {
  std::vector<double> values;
  const char* p = text.data();
  const char* const end = p + text.size();
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  for (;;) {
    while (p != end && blank(*p)) ++p;
    if (p == end) return values;
    const char* stop = std::find_if(p, end, blank);
    const std::string word(p, stop);
    if (*p == '+') ++p;
    double x = 0;
    const auto [rest, fault] = std::from_chars(p, stop, x);
    if (fault == std::errc::result_out_of_range)
      element.fail(what + " has " + word + ", which no double can hold");
    if (fault != std::errc() || rest != stop)
      element.fail(what + " has '" + word + "' where a number should be");
    if (!std::isfinite(x)) element.fail(what + " has " + word, "numbers must be finite");
    values.push_back(x);
    p = stop;
  }
}

void check_attributes(const XmlElement& element, std::string_view known) {
  std::vector<std::string> words;
  for (const XmlAttribute& a : element.attributes) {
    bool found = false;
    for (std::size_t at = known.find(a.name); at != std::string_view::npos && !found;
         at = known.find(a.name, at + 1)) {
      const std::size_t end = at + a.name.size();
      found = (at == 0 || known[at - 1] == ' ') && (end == known.size() || known[end] == ' ');
    }
    if (found) continue;
    for (std::size_t at = 0; at < known.size();) {
      const std::size_t end = std::min(known.find(' ', at), known.size());
      if (end > at) words.emplace_back(known.substr(at, end - at));
      at = end + 1;
    }
    element.fail("unknown attribute '" + a.name + "'", did_you_mean(a.name, words));
  }
}

}  // namespace legwork
