// The table below the plot: the names of the series, and their values at the cursor.

import { element } from './dom.js';
import { inUnit } from './format.js';
import { colour } from './plot.js';
import { timeText } from './times.js';

/** The name of a series: its tags; its metric, too, where there are several. */
export function nameOf(series, severalMetrics) {
  if (series.tags === '') return series.metric;
  return severalMetrics ? `${series.metric} {${series.tags}}` : series.tags;
}

export class Legend {
  /** @param listeners `onToggle(index, visible)` and `onHover(index or null)` */
  constructor(listeners) {
    this.listeners = listeners;
    this.root = element('div', { class: 'legend' });
    this.cells = [];
  }

  clear() {
    this.root.replaceChildren();
    this.cells = [];
  }

  /** @param unitOf returns the unit of a series */
  show(series, data, zone, hidden, unitOf) {
    this.unitOf = unitOf;
    this.data = data;
    this.zone = zone;
    this.series = series;
    this.buttons = [];
    const several = new Set(series.map(({ metric }) => metric)).size > 1;
    this.when = element('th', { class: 'number', scope: 'col', text: 'Last' });
    this.cells = series.map((each) => element('td', { class: 'number value', text: inUnit(each.last, unitOf(each)) }));
    const heads = ['Min', 'Mean', 'Max'].map((text) =>
      element('th', { class: 'number more', scope: 'col', text }));
    const first = several ? 'Series' : series[0].metric;
    this.root.replaceChildren(element('table', {},
      element('caption', { class: 'unseen', text: 'Series with their values at the cursor' }),
      element('thead', {}, element('tr', {},
        element('th', { scope: 'col', text: first }), this.when, ...heads)),
      element('tbody', {}, ...series.map((each, i) => this.row(each, i, several, hidden)))));
  }

  row(series, index, several, hidden) {
    const swatch = element('span', { class: 'swatch' });
    swatch.style.backgroundColor = colour(index);
    const over = series.over.length > 0 ? `, over all ${series.over.join(', ')}` : '';
    const name = nameOf(series, several);
    const button = element('button', {
      type: 'button', class: 'series', 'aria-pressed': String(!hidden.has(index)),
      title: `${series.metric} {${series.tags}}${over}: click to show only this one, with Ctrl or Shift to show or hide it`,
    }, swatch, element('span', { class: 'name', text: name }),
      series.right ? element('small', { class: 'axis muted', text: 'right axis' }) : null);
    this.buttons.push(button);
    button.addEventListener('click', (event) => {
      const toggles = event.ctrlKey || event.metaKey || event.shiftKey;
      const visible = new Set([...this.buttons.keys()].filter((i) => this.isVisible(i)));
      if (toggles) {
        this.set(index, !visible.has(index));
      } else {
        const isAlone = visible.size === 1 && visible.has(index);
        this.buttons.forEach((each, i) => this.set(i, isAlone || i === index));
      }
    });
    const hover = (at) => () => this.listeners.onHover(at);
    return element('tr', { on: { mouseenter: hover(index), mouseleave: hover(null) } },
      element('th', { scope: 'row' }, button),
      this.cells[index],
      ...[series.min, series.mean, series.max].map((number) =>
        element('td', { class: 'number more', text: inUnit(number, this.unitOf(series)) })));
  }

  isVisible(index) {
    return this.buttons[index].getAttribute('aria-pressed') === 'true';
  }

  set(index, visible) {
    if (visible === this.isVisible(index)) return;
    this.buttons[index].setAttribute('aria-pressed', String(visible));
    this.listeners.onToggle(index, visible);
  }

  /** The values at a point of time, by its number; the last ones for null. */
  at(index) {
    if (this.cells.length === 0) return;
    this.when.textContent = index === null ? 'Last' : timeText(this.data[0][index], this.zone);
    this.cells.forEach((cell, i) => {
      const series = this.series[i];
      cell.textContent = inUnit(index === null ? series.last : this.data[i + 1][index], this.unitOf(series));
    });
  }
}
