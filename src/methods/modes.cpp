// modes: natural vibrations of a body, and gaits made of them.

#include "base/text.h"
#include "methods/finish.h"
#include "methods/method_of.h"
#include "methods/modes_account.h"

namespace legwork {

Result modes(const World& given, const ModesOptions& asked, const Run& run) {
  const World world = for_batches(given);
  const Call call("modes", world, asked, run);
  const ModesOptions& options = call.options;
  check_frames(world, options.seconds);

  ModalResult found = make_modes_motion(world, options, run);
  Result result;
  result.account = modes_account(found, options);
  result.motion = std::move(found.motion);
  result.effort.statements = {"modal analysis in " + with_unit(found.analysis_seconds, "s")};
  result.effort.values = {{"analysis_seconds", found.analysis_seconds}};
  call.finish(result, in_words(world, found.step));
  return result;
}

std::unique_ptr<Method> modes_method() {
  return std::make_unique<MethodOf<ModesOptions>>(
      MethodText{"modes", "find the natural vibrations of a body, and make gaits of them",
                 "legwork modes dog --report dog.html\n"
                 "legwork modes dog --action trot --stiffness 20 --spine 5 --hz 2 --out trot.glb\n"
                 "legwork modes human --action walk --terrain slope:5deg --turn 10 --report walk.html\n"
                 "legwork modes human --action run --hold head --joint-stiffness 'r_*=x4'\n"
                 "legwork modes dog --action trot --balance --seconds 10 --out trot.glb\n"
                 "legwork modes loop_creature --dynamic --mode 6=1 --mode 7=1,90 --hz 5.26 --out roll.glb"},
      modes);
}

}  // namespace legwork
