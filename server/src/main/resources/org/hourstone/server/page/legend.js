// The table below the plot: the names of the series, and their values at the cursor.

import { element } from './dom.js';
import { value } from './format.js';
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

  show(series, data, zone, hidden) {
    this.data = data;
    this.zone = zone;
    this.series = series;
    const several = new Set(series.map(({ metric }) => metric)).size > 1;
    this.when = element('th', { class: 'number', scope: 'col', text: 'Last' });
    this.cells = series.map((each) => element('td', { class: 'number value', text: value(each.last) }));
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
      title: `${series.metric} {${series.tags}}${over}: show or hide`,
    }, swatch, element('span', { class: 'name', text: name }));
    button.addEventListener('click', () => {
      const visible = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(visible));
      this.listeners.onToggle(index, visible);
    });
    const hover = (at) => () => this.listeners.onHover(at);
    return element('tr', { on: { mouseenter: hover(index), mouseleave: hover(null) } },
      element('th', { scope: 'row' }, button),
      this.cells[index],
      ...[series.min, series.mean, series.max].map((number) =>
        element('td', { class: 'number more', text: value(number) })));
  }

  /** The values at a point of time, by its number; the last ones for null. */
  at(index) {
    if (this.cells.length === 0) return;
    this.when.textContent = index === null ? 'Last' : timeText(this.data[0][index], this.zone);
    this.cells.forEach((cell, i) => {
      cell.textContent = value(index === null ? this.series[i].last : this.data[i + 1][index]);
    });
  }
}
