// The clock of the page: one time for the film, the gait diagram, the plots and the slider.

export class Player {
  time = 0;
  start = 0;
  end = 0;
  frameTime = 1 / 60;
  playing = false;
  speed = 1;
  loop = true;
  #listeners = [];
  #last = 0;

  // fn(player) after every change of time or state.
  onChange(fn) {
    this.#listeners.push(fn);
  }

  // Another motion from its start; it goes on playing if one did.
  open({ start, end, frameTime }) {
    Object.assign(this, { start, end, frameTime });
    if (end <= start) this.pause();
    this.seek(start);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.#tell();
  }

  // To the nth frame from here, on the grid of frames; stops the film.
  step(n) {
    this.pause();
    const frame = Math.round((this.time - this.start) / this.frameTime) + n;
    this.seek(this.start + frame * this.frameTime);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.#last = performance.now();
    requestAnimationFrame((now) => this.#tick(now));
    this.#tell();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#tell();
  }

  #tick(now) {
    if (!this.playing) return;
    const passed = Math.max(0, Math.min((now - this.#last) / 1000, 0.1)) * this.speed;
    this.#last = now;
    let time = this.time + passed;
    if (time >= this.end) {
      if (this.loop) time = this.start;
      else this.playing = false;
    }
    this.seek(time);
    if (this.playing) requestAnimationFrame((next) => this.#tick(next));
  }

  #tell() {
    for (const listener of this.#listeners) listener(this);
  }
}
