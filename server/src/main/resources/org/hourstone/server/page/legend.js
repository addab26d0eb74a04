// The table below the plot: the names of the series, and their values at the cursor.

import { element } from './dom.js';
import { inUnit } from './format.js';
import { swatch } from './plot.js';
import { timeText } from './times.js';

/** The names of series: their tags; with the metric where there are several, and with the row where names are alike. */
function namesOf(all) {
  const several = new Set(all.map(({ metric }) => metric)).size > 1;
  const names = all.map(({ metric, tags }) => {
    if (tags === '') return metric;
    return several ? `${metric} {${tags}}` : tags;
  });
  const counts = new Map();
  names.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return names.map((name, i) => (counts.get(name) > 1 ? `${name} – ${all[i].row}` : name));
}

export class Legend {
  /** @param listeners `onChoose(index, beside)`, beside others if a key is held, and `onHover(index or null)` */
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
    const names = namesOf(series);
    const first = several ? 'Series' : series[0].metric;
    this.root.replaceChildren(element('table', {},
      element('caption', { class: 'unseen', text: 'Series with their values at the cursor' }),
      element('thead', {}, element('tr', {},
        element('th', { scope: 'col', text: first }), this.when, ...heads)),
      element('tbody', {}, ...series.map((each, i) => this.row(each, i, names[i], hidden)))));
  }

  row(series, index, name, hidden) {
    const over = series.over.length > 0 ? `, over all ${series.over.join(', ')}` : '';
    const button = element('button', {
      type: 'button', class: 'series', 'aria-pressed': String(!hidden.has(index)),
      title: `${series.metric} {${series.tags}}${over}: click to show only this one, with Ctrl or Shift to show or hide it`,
    }, swatch(index), element('span', { class: 'name', text: name }),
      series.right ? element('small', { class: 'axis muted', text: 'right axis' }) : null);
    this.buttons.push(button);
    button.addEventListener('click', (event) =>
      this.listeners.onChoose(index, event.ctrlKey || event.metaKey || event.shiftKey));
    const hover = (at) => () => this.listeners.onHover(at);
    return element('tr', { on: { mouseenter: hover(index), mouseleave: hover(null) } },
      element('th', { scope: 'row' }, button),
      this.cells[index],
      ...[series.min, series.mean, series.max].map((number) =>
        element('td', { class: 'number more', text: inUnit(number, this.unitOf(series)) })));
  }

  /** Marks the series that are not plotted, by their numbers. */
  setHidden(hidden) {
    this.buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(!hidden.has(i))));
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
