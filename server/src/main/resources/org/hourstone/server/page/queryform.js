// The form of one query: metric, filters, aggregation, downsampling and rate.

import { checkbox, element, iconButton, labelled, select, setOptions } from './dom.js';
import { completing } from './completion.js';
import { emptyRate, format, parse } from './expression.js';
import { emptyFilter, filterRow } from './filterrow.js';
import { count } from './format.js';
import { aggregators, suggest, tagsOf } from './names.js';
import { placeSelect } from './place.js';

const INTERVALS = [{ value: 'auto', note: 'by the width of the plot' }, { value: '', note: 'none: all points' },
  '10s', '1m', '5m', '10m', '1h', '6h', '1d', '7d', { value: '1dc', note: 'calendar day' },
  { value: '1nc', note: 'calendar month' }, { value: '0all', note: 'the whole range' }];
const FILLS = [['none', 'no fill'], ['nan', 'fill NaN'], ['null', 'fill null'], ['zero', 'fill 0']];

/** The controls of a query, which they change. */
export class QueryForm {
  /** @param listeners `onChange()`, `onCopy()`, `onRemove()` and `onReplace(query)` */
  constructor(query, listeners) {
    this.query = query;
    this.listeners = listeners;
    this.asked = null;
    this.metric = completing((prefix, signal) => suggest('metrics', prefix, signal), {
      label: 'Metric', name: 'metric', placeholder: 'metric', value: query.metric,
      onChoose: (metric) => { query.metric = metric.trim(); this.showTags(); this.changed(); },
    });
    this.filters = element('div', { class: 'filters' });
    this.tags = element('div', { class: 'chips' });
    this.rate = element('div', { class: 'row rate' });
    this.root = element('fieldset', { class: 'card query', 'aria-label': `Query ${query.letter}` },
      element('div', { class: 'row' },
        element('span', { class: 'letter', title: 'Its name in formulas', text: query.letter }), this.metric.root,
        iconButton('copy', 'Copy this query', listeners.onCopy),
        iconButton('close', 'Remove this query', listeners.onRemove)),
      this.filters,
      this.tags,
      this.aggregation(),
      this.downsampling(),
      this.rate,
      this.asText());
    this.showFilters();
    this.showRate();
    this.showTags();
  }

  changed() {
    this.listeners.onChange();
  }

  aggregator(name, owner, field) {
    const made = select({ 'data-name': name }, [owner[field]], owner[field]);
    const fitting = (names) => (name === 'aggregator' ? names : names.filter((each) => each !== 'none'));
    aggregators().then((names) => setOptions(made, fitting(names))).catch(() => {});
    made.addEventListener('change', () => { owner[field] = made.value; this.changed(); });
    return made;
  }

  aggregation() {
    const by = this.aggregator('aggregator', this.query, 'aggregator');
    by.setAttribute('aria-label', 'Aggregate');
    return element('div', { class: 'field line' }, element('span', { text: 'Aggregate' }), by,
      placeSelect(this.query, () => this.changed()));
  }

  downsampling() {
    const { downsample } = this.query;
    const interval = completing(
      (prefix) => (prefix === downsample.interval ? INTERVALS
        : INTERVALS.filter((each) => (each.value ?? each).startsWith(prefix))), {
        label: 'Downsampling interval', name: 'interval', placeholder: 'none', value: downsample.interval,
        onChoose: (text) => {
          downsample.interval = text.trim();
          showUse();
          this.changed();
        },
      });
    const by = this.aggregator('downsampler', downsample, 'aggregator');
    by.setAttribute('aria-label', 'Downsampling function');
    const fill = select({ 'aria-label': 'Value of empty intervals' }, FILLS, downsample.fill);
    fill.addEventListener('change', () => { downsample.fill = fill.value; this.changed(); });
    const showUse = () => { by.disabled = fill.disabled = downsample.interval === ''; };
    showUse();
    return element('div', { class: 'field line' }, element('span', { text: 'Downsample' }), interval.root, by, fill);
  }

  /** The query as text, which can be edited, too. */
  asText() {
    const input = element('input', { type: 'text', class: 'code', spellcheck: 'false', autocomplete: 'off',
      'data-name': 'text', 'aria-label': 'The query as text', placeholder: 'sum:1m-avg:metric{tag=*}' });
    const details = element('details', { class: 'text' }, element('summary', { text: 'As text' }), input);
    details.addEventListener('toggle', () => { input.value = this.query.metric === '' ? '' : format(this.query); });
    input.addEventListener('change', () => {
      if (input.value.trim() !== '') this.listeners.onReplace(parse(input.value.trim()));
    });
    return details;
  }

  showFilters() {
    const { filters } = this.query;
    const metric = () => this.query.metric;
    this.filters.replaceChildren(...filters.map((filter, i) =>
      filterRow(filter, metric, () => this.changed(), () => {
        filters.splice(i, 1);
        this.showFilters();
        this.showTags();
        this.changed();
      })));
  }

  addFilter(tagk) {
    this.query.filters.push(emptyFilter(tagk));
    this.showFilters();
    this.showTags();
    if (tagk === '') {
      this.filters.lastElementChild.querySelector('input').focus();
    } else {
      this.changed();
    }
  }

  /** The metric's tags that no filter names yet, each a button that adds one. */
  async showTags() {
    const add = element('button', {
      type: 'button', class: 'chip', text: '+ Filter', on: { click: () => this.addFilter('') },
    });
    this.tags.replaceChildren(add);
    this.asked?.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    let tags;
    try {
      tags = await tagsOf(this.query.metric, signal);
    } catch {
      return; // another metric was chosen
    }
    const used = new Set(this.query.filters.map(({ tagk }) => tagk));
    const left = tags.filter(({ tagk }) => !used.has(tagk));
    if (signal.aborted) return;
    this.tags.replaceChildren(...left.map(({ tagk, values }) => element('button', {
      type: 'button', class: 'chip', title: `Group by ${tagk}`, on: { click: () => this.addFilter(tagk) },
    }, element('span', { text: `+ ${tagk}` }), element('small', { text: count(values) }))), add);
  }

  showRate() {
    const { query } = this;
    const again = () => { this.showRate(); this.changed(); };
    const parts = [checkbox('Rate', query.rate !== null, (on) => {
      query.rate = on ? emptyRate() : null;
      again();
    }, { 'data-name': 'rate' })];
    if (query.rate !== null) {
      const { rate } = query;
      parts.push(checkbox('counter', rate.counter, (on) => { rate.counter = on; again(); }));
      if (rate.counter) {
        parts.push(checkbox('drop resets', rate.drop, (on) => { rate.drop = on; this.changed(); }),
          this.number('Max', rate, 'max'), this.number('Reset', rate, 'reset'));
      }
    }
    parts.push(checkbox('only these tags', query.explicitTags, (on) => {
      query.explicitTags = on;
      this.changed();
    }, { title: 'Leaves out series with tags that no filter names (explicit_tags)' }));
    this.rate.replaceChildren(...parts);
  }

  number(text, owner, field) {
    const input = element('input', { type: 'text', inputmode: 'numeric', class: 'short', value: owner[field] });
    input.addEventListener('change', () => { owner[field] = input.value.trim(); this.changed(); });
    return labelled(text, input);
  }
}
