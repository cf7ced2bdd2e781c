// Play, scrub, speed and what is shown; and the keyboard.

import { element, icons, seconds } from "./dom.js";

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export function startTransport(player, stage) {
  const play = element("button", { class: "icon play", type: "button", id: "play", onclick: () => player.toggle() });
  const slider = element("input", { type: "range", id: "scrub", min: 0, max: 1, step: "any", "aria-label": "Time" });
  const clock = element("output", { class: "clock", id: "clock" });
  const speed = element("select", { id: "speed", title: "Speed of the film", "aria-label": "Speed of the film" },
    ...speeds.map((s) => element("option", { value: s, selected: s === 1 }, `${s}×`)));

  slider.addEventListener("input", () => {
    player.pause();
    player.seek(Number(slider.value));
  });
  speed.addEventListener("change", () => (player.speed = Number(speed.value)));

  const toggles = !stage ? [] : [
    toggle("follow", "Follow", "The camera goes along (F)", stage.following, (on) => stage.setFollowing(on)),
    toggle("forces", "Forces", "Forces of the ground on the creature (C)", stage.show.forces, (on) => stage.setShown("forces", on)),
    toggle("trackway", "Trackway", "Where the feet landed (T)", stage.show.trackway, (on) => stage.setShown("trackway", on)),
    element("button", { class: "pill", type: "button", id: "camera", title: "The first view again (double click)", onclick: () => stage.resetCamera() },
      element("span", { html: icons.camera }), "Reset view"),
  ];
  document.getElementById("transport").append(play, slider, clock, speed, ...toggles);

  player.onChange(() => {
    const state = player.playing ? "pause" : "play";
    if (play.dataset.state !== state) {
      play.dataset.state = state;
      play.innerHTML = icons[state];
      play.title = play.ariaLabel = player.playing ? "Pause (space)" : "Play (space)";
    }
    slider.min = player.start;
    slider.max = player.end;
    slider.value = player.time;
    const share = (player.time - player.start) / (player.end - player.start || 1);
    slider.style.setProperty("--share", `${100 * share}%`);
    clock.textContent = `${seconds(player.time)} / ${seconds(player.end)} s`;
  });
  startKeys(player, Object.fromEntries(toggles.map((button) => [button.id, button])));
}

function toggle(id, label, title, on, act) {
  const button = element("button", { class: "pill", type: "button", id, title, "aria-pressed": on },
    element("span", { html: icons[id] }), label);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", now);
    act(now);
  });
  return button;
}

function startKeys(player, buttons) {
  const acts = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(player.start),
    End: () => player.seek(player.end),
    f: () => buttons.follow?.click(),
    c: () => buttons.forces?.click(),
    t: () => buttons.trackway?.click(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, textarea, input:not([type=range])")) return;
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
