#include "compile/emit_c.h"

#include <array>
#include <charconv>
#include <cmath>

#include "compile/code_plan.h"

namespace legwork {

namespace {

using Node = Tape::Node;
using Step = CodePlan::Step;

// What numbers and masks are, and what is done with them, for one body and for lanes.
const char* const arithmetic = R"(
#include <math.h>
#include <string.h>

#ifdef __CUDACC__
#define restrict __restrict__
#endif

#ifdef LEGWORK_LANES
typedef long long legwork_mask __attribute__((vector_size(8 * LEGWORK_LANES)));
#define ZERO {0}
#define NUMBER(x) ((x) - (legwork_number)ZERO)
#define MASK(x) ((legwork_mask)ZERO - (x))
#define LESS(a, b) ((legwork_mask)((a) < (b)))
#define LESS_OR_EQUAL(a, b) ((legwork_mask)((a) <= (b)))
#define NOT(m) (~(m))
#define CHOOSE(m, a, b) ((legwork_number)(((legwork_mask)(a) & (m)) | ((legwork_mask)(b) & ~(m))))
#define MAGNITUDE(a) ((legwork_number)((legwork_mask)(a) & 0x7fffffffffffffffLL))
#define LEGWORK_HELPER static inline __attribute__((unused))
#if LEGWORK_LANES == 4 && defined(__AVX__)
#include <immintrin.h>
#define ANY(m) (_mm256_movemask_pd((__m256d)(m)) != 0)
#define ROOT(a) ((legwork_number)_mm256_sqrt_pd((__m256d)(a)))
#elif LEGWORK_LANES == 8 && defined(__AVX512DQ__)
#include <immintrin.h>
#define ANY(m) (_mm512_movepi64_mask((__m512i)(m)) != 0)
#define ROOT(a) ((legwork_number)_mm512_sqrt_pd((__m512d)(a)))
#else
LEGWORK_HELPER int legwork_any(legwork_mask m) {
  long long bits = 0;
  for (int i = 0; i < LEGWORK_LANES; ++i) bits |= m[i];
  return bits != 0;
}
#define ANY(m) legwork_any(m)
LEGWORK_HELPER legwork_number legwork_root(legwork_number a) {
  legwork_number r = a;
  for (int i = 0; i < LEGWORK_LANES; ++i) r[i] = sqrt(a[i]);
  return r;
}
#define ROOT(a) legwork_root(a)
#endif
LEGWORK_HELPER legwork_number legwork_power_of_two(legwork_number k) {
  return (legwork_number)(((legwork_mask)(k + 0x1.8p52) + 1023) << 52);
}
#define POWER_OF_TWO(k) legwork_power_of_two(k)
#define FIRST(x) ((x)[0])
#else
typedef int legwork_mask;
#define NUMBER(x) (x)
#define MASK(x) (x)
#define LESS(a, b) ((a) < (b))
#define LESS_OR_EQUAL(a, b) ((a) <= (b))
#define NOT(m) (!(m))
#define CHOOSE(m, a, b) ((m) ? (a) : (b))
#define MAGNITUDE(a) fabs(a)
#define ANY(m) (m)
#define ROOT(a) sqrt(a)
#ifdef LEGWORK_HELPER
#elif defined(__GNUC__)
#define LEGWORK_HELPER static inline __attribute__((unused))
#else
#define LEGWORK_HELPER static inline
#endif
/* 2 to the power of a whole number: its integer sits in the low bits of k + 1.5 * 2^52 */
LEGWORK_HELPER LEGWORK_DEVICE double legwork_power_of_two(double k) {
  const double shifted = k + 0x1.8p52;
  unsigned long long bits;
  double power;
  memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  memcpy(&power, &bits, sizeof power);
  return power;
}
#define POWER_OF_TWO(k) legwork_power_of_two(k)
#define FIRST(x) (x)
#endif
)";

// One function, or several pieces and the one that calls them.
class Writer {
 public:
  Writer(const CFunction& f, int longest)
      : function_(f), tape_(*f.tape), plan_(make_code_plan(tape_, longest)), in_pieces_(plan_.pieces > 1) {}

  std::string write() {
    const std::string io = function_.name + "_io";
    for (const Step& step : plan_.steps) write(step);
    std::string text;
    if (in_pieces_) text += pieces_;
    text += "LEGWORK_DEVICE void " + function_.name + "(" + io + "* x) {\n";
    if (in_pieces_ && plan_.slots > 0) text += "  legwork_number w[" + std::to_string(plan_.slots) + "];\n";
    if (in_pieces_ && plan_.mask_slots > 0)
      text += "  legwork_mask m[" + std::to_string(plan_.mask_slots) + "];\n";
    text += main_;
    piece_ = in_pieces_ ? -1 : 0;
    text += outputs() + "}\n";
    return text;
  }

 private:
  const Node& node(int i) const { return tape_.nodes()[std::size_t(i)]; }
  const Tape::Block& block(int i) const { return tape_.blocks()[std::size_t(i)]; }
  std::string& out() { return in_pieces_ && piece_ >= 0 ? pieces_ : main_; }
  void line(const std::string& text) { out() += std::string(std::size_t(2 * indent_), ' ') + text + "\n"; }

  std::string local(int i) const { return (node(i).is_mask ? "b" : "t") + std::to_string(i); }
  std::string slot(int i) const {
    return std::string(node(i).is_mask ? "m[" : "w[") + std::to_string(plan_.slot[std::size_t(i)]) + "]";
  }
  bool is_here(int i) const { return plan_.piece[std::size_t(i)] == piece_ && piece_ >= 0; }
  // A value where it is used.
  std::string value(int i) const {
    const Node& n = node(i);
    if (n.op == Op::constant)
      return n.is_mask ? (n.value != 0 ? "MASK(1)" : "MASK(0)") : "NUMBER(" + c_number(n.value) + ")";
    if (n.op == Op::input) {
      return "x->" + tape_.arrays()[std::size_t(n.a)].name + "[" + std::to_string(n.b) + "]";
    }
    return is_here(i) ? local(i) : slot(i);
  }
  const char* type(int i) const { return node(i).is_mask ? "legwork_mask" : "legwork_number"; }

  std::string expression(const Node& n) const {
    const auto both = [&](const char* sign) { return value(n.a) + " " + sign + " " + value(n.b); };
    const auto call = [&](const char* name) { return std::string(name) + "(" + value(n.a) + ")"; };
    const auto call2 = [&](const char* name) {
      return std::string(name) + "(" + value(n.a) + ", " + value(n.b) + ")";
    };
    switch (n.op) {
      case Op::add:
        return both("+");
      case Op::subtract:
        return both("-");
      case Op::multiply:
        return both("*");
      case Op::divide:
        return both("/");
      case Op::negate:
        return "-" + value(n.a);
      case Op::square_root:
        return call("ROOT");
      case Op::magnitude:
        return call("MAGNITUDE");
      case Op::power_of_two:
        return call("POWER_OF_TWO");
      case Op::less:
        return call2("LESS");
      case Op::less_or_equal:
        return call2("LESS_OR_EQUAL");
      case Op::both:
        return both("&");
      case Op::either:
        return both("|");
      case Op::negation:
        return call("NOT");
      case Op::table:
        return "NUMBER(x->" + tape_.arrays()[std::size_t(n.c)].name + "[" + place(n) + "])";
      case Op::choose:
        return "CHOOSE(" + value(n.a) + ", " + value(n.b) + ", " + value(n.c) + ")";
      default:
        return "";
    }
  }

  // Where in a table or a list.
  std::string place(const Node& n) const {
    const std::string offset = std::to_string(long(n.value));
    const Node& start = node(n.a);
    if (start.op == Op::constant) return std::to_string(long(start.value + n.value));
    return "(long)FIRST(" + value(n.a) + ") + " + offset;
  }

  void write(const Step& step) {
    switch (step.kind) {
      case Step::Kind::piece_begins:
        begin_piece(step.index);
        break;
      case Step::Kind::piece_ends:
        end_piece();
        break;
      case Step::Kind::node:
        if (const Node& n = node(step.index); n.op == Op::store) {
          const std::string& list = tape_.arrays()[std::size_t(n.c)].name;
          line("x->" + list + "[(" + place(n) + ") * x->" + list + "_stride] = " + value(n.b) + ";");
          break;
        }
        line(std::string("const ") + type(step.index) + " " + local(step.index) + " = " +
             expression(node(step.index)) + ";");
        keep(step.index);
        break;
      case Step::Kind::open:
        open(step.index);
        break;
      case Step::Kind::ask:
        line("if (!ANY(" + value(block(step.index).mask) + ")) break;");
        break;
      case Step::Kind::close:
        close(step.index);
        break;
    }
  }

  void begin_piece(int index) {
    piece_ = index;
    if (!in_pieces_) return;
    const std::string name = function_.name + "_" + std::to_string(index);
    std::string arguments = "const " + function_.name + "_io* x", given = "x";
    if (plan_.slots > 0) arguments += ", legwork_number* restrict w", given += ", w";
    if (plan_.mask_slots > 0) arguments += ", legwork_mask* restrict m", given += ", m";
    main_ += std::string(std::size_t(2 * indent_), ' ') + name + "(" + given + ");\n";
    outer_indent_ = indent_, indent_ = 1;
    pieces_ += "static LEGWORK_DEVICE void " + name + "(" + arguments + ") {\n";
    for (const char* unused : {"x", "w", "m"})
      if ((*unused == 'x') || (*unused == 'w' && plan_.slots > 0) || (*unused == 'm' && plan_.mask_slots > 0))
        pieces_ += std::string("  (void)") + unused + ";\n";
  }
  void end_piece() {
    if (in_pieces_) pieces_ += "}\n\n", indent_ = outer_indent_;
    piece_ = -1;
  }

  void keep(int i) {
    if (in_pieces_ && plan_.slot[std::size_t(i)] >= 0) line(slot(i) + " = " + local(i) + ";");
  }

  bool is_needed(int result) const { return plan_.piece[std::size_t(result)] != -1; }

  // Where a result of a block is kept while the block runs.
  std::string variable(int result) const { return is_here(result) ? local(result) : slot(result); }

  void open(int index) {
    const Tape::Block& b = block(index);
    for (const int r : b.results) {
      if (!is_needed(r)) continue;
      const int before = b.is_loop ? node(r).a : node(r).b;
      line((is_here(r) ? std::string(type(r)) + " " : std::string()) + variable(r) + " = " + value(before) +
           ";");
    }
    if (b.is_loop)
      line("for (long n" + std::to_string(index) + " = 0; n" + std::to_string(index) + " < " + rounds(b) +
           "; ++n" + std::to_string(index) + ") {");
    else
      line("if (ANY(" + value(b.mask) + ")) {");
    ++indent_;
  }
  std::string rounds(const Tape::Block& b) const {
    if (b.rounds >= 0) return std::to_string(b.rounds);
    return "(long)FIRST(x->" + tape_.arrays()[std::size_t(-1 - b.rounds)].name + "[0])";
  }

  void close(int index) {
    const Tape::Block& b = block(index);
    // all are read before any is set
    std::vector<std::pair<int, std::string>> set;
    for (const int r : b.results) {
      if (!is_needed(r)) continue;
      const int after = b.is_loop ? node(r).b : node(r).a;
      if (after == r) continue;
      std::string text = value(after);
      const Op op = node(after).op;
      if (op == Op::carried || op == Op::branched || !is_here(after)) {
        if (op != Op::constant && op != Op::input) {
          const std::string copy = "c" + std::to_string(r);
          line(std::string("const ") + type(r) + " " + copy + " = " + text + ";");
          text = copy;
        }
      }
      set.push_back({r, text});
    }
    for (const auto& [r, text] : set) line(variable(r) + " = " + text + ";");
    --indent_;
    line("}");
    if (piece_ >= 0)
      for (const int r : b.results)
        if (is_needed(r)) keep(r);
  }

  // Outputs that are inputs as they came are read before any is written.
  std::string outputs() const {
    std::string early, text;
    int copies = 0;
    for (const Tape::Output& o : tape_.outputs()) {
      const Node& n = node(o.node);
      const std::string to =
          "  x->" + tape_.arrays()[std::size_t(o.array)].name + "[" + std::to_string(o.index) + "] = ";
      if (n.op == Op::input) {
        if (n.a == o.array && n.b == o.index) continue;
        const std::string copy = "o" + std::to_string(copies++);
        early += "  const legwork_number " + copy + " = " + value(o.node) + ";\n";
        text += to + copy + ";\n";
      } else if (n.is_mask) {
        text += to + "CHOOSE(" + value(o.node) + ", NUMBER(1.0), NUMBER(0.0));\n";
      } else {
        text += to + value(o.node) + ";\n";
      }
    }
    return early + text;
  }

  const CFunction& function_;
  const Tape& tape_;
  const CodePlan plan_;
  const bool in_pieces_;
  std::string pieces_, main_;
  int piece_ = -1, indent_ = 1, outer_indent_ = 1;
};

std::string upper(std::string text) {
  for (char& c : text) c = char(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

const TapeArray* find_array(const CFunction& f, const std::string& name) {
  for (const TapeArray& a : f.tape->arrays())
    if (a.name == name && a.kind == TapeArray::Kind::values && a.size > 0 && (a.read || a.written)) return &a;
  return nullptr;
}

std::string start_of(const CFunction& f) {
  std::string text =
      "LEGWORK_DEVICE void " + f.name + "_start(" + f.name + "_io* x) {\n  memset(x, 0, sizeof *x);\n";
  for (const auto& [name, values] : f.start) {
    const TapeArray* array = find_array(f, name);
    if (!array || !array->read) continue;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != 0)
        text += "  x->" + name + "[" + std::to_string(i) + "] = NUMBER(" + c_number(values[i]) + ");\n";
  }
  return text + "}\n\n";
}

// Calls each function once, a function with a state a hundred times, and prints what it writes.
std::string example_of(const CFile& file) {
  std::string text =
      "#ifdef LEGWORK_EXAMPLE\n#include <stdio.h>\n\n"
      "static void print(const char* name, const legwork_number* x, int n) {\n"
      "  printf(\"%s\", name);\n"
      "  for (int i = 0; i < n; ++i) printf(\" %.9g\", FIRST(x[i]));\n"
      "  printf(\"\\n\");\n}\n\nint main(void) {\n";
  for (const CFunction& f : file.functions) {
    bool has_state = false;
    for (const TapeArray& a : f.tape->arrays()) has_state = has_state || (a.read && a.written);
    text += "  static " + f.name + "_io " + f.name + "_x;\n  " + f.name + "_start(&" + f.name + "_x);\n  " +
            (has_state ? "for (int i = 0; i < 100; ++i) " : "") + f.name + "(&" + f.name + "_x);\n";
    for (const TapeArray& a : f.tape->arrays())
      if (a.written && a.size > 0)
        text += "  print(\"" + f.name + " " + a.name + "\", " + f.name + "_x." + a.name + ", " +
                std::to_string(a.size) + ");\n";
  }
  return text + "  return 0;\n}\n#endif\n";
}

std::string struct_of(const CFunction& f) {
  std::string text = "typedef struct {\n";
  const std::array<const char*, 3> heading = {"read", "read and written", "written"};
  for (int kind = 0; kind < 3; ++kind) {
    bool first = true;
    for (const TapeArray& a : f.tape->arrays()) {
      if ((a.read ? (a.written ? 1 : 0) : 2) != kind || a.size == 0 || !(a.read || a.written)) continue;
      if (a.kind != TapeArray::Kind::values) continue;
      if (first) text += std::string("  /* ") + heading[std::size_t(kind)] + " */\n";
      first = false;
      text += "  legwork_number " + a.name + "[" + std::to_string(a.size) + "]; /* " + a.about + " */\n";
    }
  }
  for (const TapeArray& a : f.tape->arrays())
    if (a.kind == TapeArray::Kind::table)
      text += "  const double* " + a.name + "; /* " + a.about + " */\n";
    else if (a.kind == TapeArray::Kind::list)
      text += "  legwork_number* " + a.name + "; /* " + a.about + " */\n  long " + a.name + "_stride;\n";
  return text + "} " + f.name + "_io;\n";
}

}  // namespace

std::string c_comment(const std::string& text) {
  std::string comment = "/* ";
  for (std::size_t i = 0; i < text.size(); ++i)
    comment += text[i] != '\n'                              ? std::string(1, text[i])
               : i + 1 < text.size() && text[i + 1] == '\n' ? "\n *"
                                                            : "\n * ";
  return comment + " */\n";
}

std::string c_number(double x) {
  if (x != x) return "NAN";
  if (std::isinf(x)) return x > 0 ? "INFINITY" : "(-INFINITY)";
  std::array<char, 40> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text[0] == '-' ? "(" + text + ")" : text;
}

std::string c_header(const CFile& file) {
  const std::string guard = upper(file.name) + "_H";
  std::string text = c_comment(file.about) + "#ifndef " + guard + "\n#define " + guard + "\n\n";
  text +=
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      "#ifndef LEGWORK_NUMBER\n#define LEGWORK_NUMBER\n"
      "#ifdef LEGWORK_LANES /* so many bodies at once, in vector lanes of GCC and Clang */\n"
      "typedef double legwork_number __attribute__((vector_size(8 * LEGWORK_LANES)));\n"
      "#else\ntypedef double legwork_number;\n#endif\n"
      "#ifdef LEGWORK_DEVICE\n#elif defined(__CUDACC__)\n#define LEGWORK_DEVICE __host__ __device__\n#else\n"
      "#define LEGWORK_DEVICE\n#endif\n"
      "#endif\n\n";
  if (!file.constants.empty()) {
    text += "enum {\n";
    for (const auto& [name, value] : file.constants)
      text += "  " + upper(file.name) + "_" + name + " = " + std::to_string(value) + ",\n";
    text += "};\n\n";
  }
  for (const CFunction& f : file.functions)
    text += struct_of(f) + "/* Where the body stands, at rest. */\nLEGWORK_DEVICE void " + f.name +
            "_start(" + f.name + "_io* x);\n" + c_comment(f.about) + "LEGWORK_DEVICE void " + f.name + "(" +
            f.name + "_io* x);\n\n";
  return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

namespace {

std::string c_functions(const CFile& file, int longest) {
  std::string text = arithmetic + std::string("\n");
  for (const CFunction& f : file.functions) text += Writer(f, longest).write() + "\n" + start_of(f);
  return text;
}

}  // namespace

std::string c_source(const CFile& file, int longest) {
  return c_comment(file.about) + "#include \"" + (file.header.empty() ? file.name + ".h" : file.header) +
         "\"\n" + c_functions(file, longest) + example_of(file);
}

std::string c_text(const CFile& file, int longest) { return c_header(file) + c_functions(file, longest); }

}  // namespace legwork
