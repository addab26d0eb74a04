// The range of time: counted from now, or from one moment to another, in the browser's time zone or UTC.

import { element, labelled, select, setOptions } from './dom.js';
import { UTC, fieldValue, isRelative, millis } from './times.js';

const ABSOLUTE = 'absolute';
const RELATIVE = [['5m-ago', 'Last 5 minutes'], ['15m-ago', 'Last 15 minutes'], ['30m-ago', 'Last 30 minutes'],
  ['1h-ago', 'Last hour'], ['3h-ago', 'Last 3 hours'], ['6h-ago', 'Last 6 hours'], ['12h-ago', 'Last 12 hours'],
  ['1d-ago', 'Last day'], ['2d-ago', 'Last 2 days'], ['7d-ago', 'Last 7 days'], ['30d-ago', 'Last 30 days'],
  ['90d-ago', 'Last 90 days'], ['365d-ago', 'Last year'], ['1825d-ago', 'Last 5 years'],
  [ABSOLUTE, 'From … to …']];
const REFRESH = [['0', 'Off'], ['5', '5 s'], ['15', '15 s'], ['30', '30 s'], ['60', '1 min'], ['300', '5 min']];

export class RangeBar {
  /** @param onChange is called after the state was changed */
  constructor(state, onChange) {
    this.state = state;
    this.onChange = onChange;
    this.preset = select({ 'data-name': 'range', 'aria-label': 'Time range' }, RELATIVE);
    this.from = this.moment('From', 'start');
    this.to = this.moment('To', 'end');
    this.zone = select({ 'data-name': 'zone', 'aria-label': 'Time zone' }, [['local', 'Local time'], [UTC, 'UTC']]);
    this.refresh = select({ 'data-name': 'refresh' }, REFRESH);
    this.preset.addEventListener('change', () => this.chosen());
    this.zone.addEventListener('change', () => { state.zone = this.zone.value; this.changed(); });
    this.refresh.addEventListener('change', () => { state.refresh = Number(this.refresh.value); this.changed(); });
    this.root = element('div', { class: 'row range' },
      this.preset, this.from.root, this.to.root, this.zone, labelled('Refresh', this.refresh));
    this.show();
  }

  moment(text, field) {
    const input = element('input', { type: 'datetime-local', step: '1', 'data-name': field, 'aria-label': text });
    input.addEventListener('change', () => {
      const time = millis(input.value, this.state.zone);
      if (Number.isFinite(time)) this.state[field] = String(time);
      this.changed();
    });
    return { input, root: input };
  }

  chosen() {
    if (this.preset.value === ABSOLUTE) {
      const { start, end, zone } = this.state;
      this.state.start = String(millis(start, zone));
      this.state.end = String(millis(end, zone));
    } else {
      this.state.start = this.preset.value;
      this.state.end = '';
    }
    this.changed();
  }

  changed() {
    this.show();
    this.onChange();
  }

  /** Shows the state, after it was changed elsewhere. */
  show() {
    const { start, end, zone, refresh } = this.state;
    const relative = isRelative(start) && isRelative(end);
    const known = RELATIVE.some(([value]) => value === start) && (end === '' || end === 'now');
    const chosen = relative && (end === '' || end === 'now') ? start : relative ? `${start} to ${end}` : ABSOLUTE;
    setOptions(this.preset, known || !relative ? RELATIVE : [[chosen, `Last ${chosen.replaceAll('-ago', '')}`], ...RELATIVE],
      chosen);
    for (const [moment, text] of [[this.from, start], [this.to, end]]) {
      const time = millis(text, zone);
      moment.root.hidden = relative;
      moment.input.value = Number.isFinite(time) ? fieldValue(Math.floor(time / 1000) * 1000, zone) : '';
    }
    this.zone.value = zone;
    setOptions(this.refresh, REFRESH.some(([value]) => value === String(refresh)) ? REFRESH
      : [...REFRESH, [String(refresh), `${refresh} s`]], String(refresh));
  }
}
