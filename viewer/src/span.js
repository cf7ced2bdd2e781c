// The stretch of time that the gait diagram and all plots show; dragging over one of them narrows it for all.

export class Span {
  from = 0;
  to = 1;
  #whole = [0, 1];
  #listeners = [];

  onChange(fn) {
    this.#listeners.push(fn);
  }

  open(from, to) {
    this.#listeners = [];
    this.#whole = [from, to];
    [this.from, this.to] = this.#whole;
  }

  set(from, to) {
    if (from === this.from && to === this.to) return;
    [this.from, this.to] = [from, to];
    for (const listener of this.#listeners) listener(this);
  }

  reset() {
    this.set(...this.#whole);
  }
}
