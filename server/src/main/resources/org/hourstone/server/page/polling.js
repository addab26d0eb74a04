// What is asked for again and again, as long as its view is seen.

export class Polling {
  constructor(ask, milliseconds) {
    this.ask = ask;
    this.milliseconds = milliseconds;
    this.on = false;
    this.timer = 0;
    document.addEventListener('visibilitychange', () => { if (this.on && !document.hidden) this.now(); });
  }

  set(on) {
    this.on = on;
    clearTimeout(this.timer);
    if (on) this.now();
  }

  async now() {
    clearTimeout(this.timer);
    await this.ask();
    clearTimeout(this.timer);
    if (this.on && !document.hidden) this.timer = setTimeout(() => this.now(), this.milliseconds);
  }
}
