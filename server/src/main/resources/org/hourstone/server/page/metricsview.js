// The view of metrics: how many series each has, and which tags make them.

import { element } from './dom.js';
import { emptyQuery } from './expression.js';
import { count, counted } from './format.js';
import { initialState, writeLink } from './link.js';
import { failureMessage, note } from './message.js';
import { suggest } from './names.js';
import { get } from './request.js';

const PATH = 'api/cardinality';
const MOST = 200;
const PAUSE = 200;

export class MetricsView {
  constructor() {
    this.asking = null;
    this.chosen = '';
    this.search = element('input', {
      type: 'search', placeholder: 'metrics that begin with …', 'aria-label': 'Metrics that begin with',
      on: { input: () => this.searchSoon() },
    });
    this.total = element('p', { class: 'muted', 'aria-live': 'polite' });
    this.list = element('div', { class: 'list' });
    this.details = element('div', { class: 'card details' });
    this.root = element('div', { class: 'metrics' },
      element('div', { class: 'card' }, element('h2', { text: 'Metrics' }), this.search, this.total, this.list),
      this.details);
  }

  setVisible(visible) {
    if (visible) {
      this.showList();
      this.showDetails();
    } else {
      this.asking?.abort();
    }
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showList(), PAUSE);
  }

  async showList() {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const prefix = this.search.value.trim();
    try {
      const found = await this.find(prefix, asking.signal);
      if (asking.signal.aborted) return;
      this.total.textContent = found.text;
      const most = Math.max(1, ...found.metrics.map(({ series }) => series ?? 0));
      this.list.replaceChildren(...found.metrics.map((each) => bar(
        each.metric, each.series, most, () => this.choose(each.metric))));
    } catch (e) {
      if (asking.signal.aborted) return;
      this.total.textContent = '';
      this.list.replaceChildren(failureMessage(e));
    }
  }

  /** With numbers of series from the index; names alone where it can't be used. */
  async find(prefix, signal) {
    try {
      const { metrics, series, results } =
        await get(PATH, [['q', prefix], ['max', String(MOST)]], signal);
      const shown = results.length < metrics ? `; the ${count(results.length)} with the most are shown` : '';
      return { metrics: results,
        text: `${counted(metrics, 'metric')}, ${counted(series, 'series', 'series')}${shown}` };
    } catch (e) {
      if (signal.aborted || e.status !== 400) throw e;
      const names = await suggest('metrics', prefix, signal);
      return { metrics: names.map((metric) => ({ metric })), text: e.message };
    }
  }

  async choose(metric) {
    this.chosen = metric;
    await this.showDetails();
    this.details.scrollIntoView({ block: 'nearest' });
  }

  async showDetails() {
    const metric = this.chosen;
    if (metric === '') {
      this.details.replaceChildren(note('Choose a metric to see its tags.'));
      return;
    }
    const query = { ...emptyQuery(), metric };
    const heading = [element('h2', { text: metric }), element('p', {}, element('a', {
      class: 'button primary', href: writeLink({ ...initialState(), queries: [query] }), text: 'Plot',
    }))];
    try {
      const { series, tags } = await get(PATH, [['metric', metric]]);
      if (metric !== this.chosen) return;
      this.details.replaceChildren(...heading,
        element('p', { class: 'muted', text: counted(series, 'series', 'series') }),
        ...tags.map((tag) => this.tag(metric, tag)));
    } catch (e) {
      if (metric !== this.chosen) return;
      const told = e.status === 400 ? element('p', { class: 'muted', text: e.message }) : failureMessage(e);
      this.details.replaceChildren(...heading, told); // 400: there is no index, as the list says, too
    }
  }

  /** A tag name, and on demand its values. */
  tag(metric, { tagk, series, values }) {
    const inner = element('div', { class: 'list' });
    const show = async () => {
      try {
        const { results } = await get(PATH, [['metric', metric], ['tagk', tagk], ['max', String(MOST)]]);
        const most = Math.max(1, ...results.map((each) => each.series));
        const more = values > results.length ? [element('p', { class: 'muted',
          text: `and ${count(values - results.length)} more` })] : [];
        inner.replaceChildren(...results.map((each) => bar(each.tagv, each.series, most, null)), ...more);
      } catch (e) {
        inner.replaceChildren(failureMessage(e));
      }
    };
    return element('details', { class: 'tag', on: { toggle: (event) => { if (event.target.open) show(); } } },
      element('summary', {}, element('strong', { text: tagk }), element('span', { class: 'muted',
        text: ` ${counted(values, 'value')} in ${counted(series, 'series', 'series')}` })),
      inner);
  }
}

/** A name with its number of series, as a bar of that length. */
function bar(name, series, most, choose) {
  const filled = element('span', { class: 'filled' });
  filled.style.width = `${(100 * (series ?? 0)) / most}%`;
  const parts = [filled, element('span', { class: 'name', text: name }),
    element('span', { class: 'number', text: series === undefined ? '' : count(series) })];
  return choose === null
    ? element('div', { class: 'bar' }, ...parts)
    : element('button', { type: 'button', class: 'bar', on: { click: choose } }, ...parts);
}
