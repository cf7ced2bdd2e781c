// A stranger's program: only the installed headers and the library.
#include <legwork/error.h>
#include <legwork/gait.h>
#include <legwork/world.h>

#include <cstdio>
#include <string>

int main() {
  const legwork::ContactOptions contact = legwork::parse_contact("linear:friction=0.7");
  std::printf("contact: %s\n", to_text(contact).c_str());
  try {
    legwork::parse_terrain("steeps:0.1,0.3");
  } catch (const legwork::Error& e) {
    std::printf("as it should be: %s\n", e.what());
    return contact.friction == 0.7 ? 0 : 1;
  }
  return 1;
}
