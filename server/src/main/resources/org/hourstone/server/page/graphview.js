// The view of queries and their plot.

import { autoInterval } from './autointerval.js';
import { Choice } from './choice.js';
import { copy } from './clipboard.js';
import { element, iconButton } from './dom.js';
import { AUTO, emptyQuery, format, isComplete } from './expression.js';
import { aboutCsv, saveCsv, savePicture } from './download.js';
import { count, counted } from './format.js';
import { historyCard, remember } from './history.js';
import { Legend } from './legend.js';
import { giveLetters } from './letters.js';
import { writeLink } from './link.js';
import { failureMessage, hint, note } from './message.js';
import { Plot, plotHost } from './plot.js';
import { plotOptions } from './plotoptions.js';
import { plotRequests } from './plotrequests.js';
import { QueryForm } from './queryform.js';
import { RangeBar } from './rangebar.js';
import { get } from './request.js';
import { seriesOf, table } from './results.js';
import { emptyText, FORMULA, FUNCTION, textForm } from './textform.js';
import { millis } from './times.js';

const PATH = 'api/query';
const MOST_SERIES = 200;
const DAY = 864e5;

export class GraphView {
  /** @param onState is called when what a link holds has changed */
  constructor(state, onState) {
    this.state = state;
    this.onState = onState;
    this.ranges = []; // those before each zoom
    this.running = null;
    this.timer = 0;
    this.visible = false;

    this.range = new RangeBar(state, () => { this.ranges = []; this.changed(); });
    this.queries = element('div', { class: 'queries' });
    this.host = plotHost();
    this.outcome = element('div', { class: 'outcome', 'aria-live': 'polite' });
    this.problem = element('div', { class: 'problem' });
    this.legend = new Legend({
      onChoose: (index, beside) => this.choose(index, beside),
      onHover: (index) => this.plot.focus(index),
    });
    this.plot = new Plot(this.host, {
      onZoom: (from, to) => this.zoom(from, to),
      onReset: () => this.reset(),
      onCursor: (index) => this.legend.at(index),
    });
    this.series = []; // all of them, and the drawn ones
    this.drawn = null;
    this.options = plotOptions(state, {
      onChange: () => this.restyle(),
      onCsv: () => saveCsv(this.series),
      onPicture: () => { if (this.plot.canvas !== null) savePicture(this.plot.canvas); },
    });
    this.stop = this.button('Cancel', 'Ends the query', () => this.running?.abort());
    this.back = this.button('Reset zoom', 'Back to the range before zooming', () => this.reset());
    this.root = element('form', { class: 'graph', on: { submit: (event) => this.submitted(event) } },
      element('div', { class: 'editor' }, this.queries,
        element('div', { class: 'row' },
          this.button('+ Query', 'Adds another query to the plot', () => this.add(emptyQuery())),
          this.button('+ Function', 'Adds a function of queries to the plot', () => this.addFunction()),
          this.button('+ Formula', 'Adds a formula over the queries to the plot', () => this.addFormula()),
          element('button', { class: 'primary', text: 'Run' }))),
      element('div', { class: 'display' },
        element('div', { class: 'card' }, this.range.root,
          element('div', { class: 'row tools' }, this.outcome, this.stop, this.back,
            iconButton('earlier', 'Earlier', () => this.shift(-0.5)), iconButton('later', 'Later', () => this.shift(0.5)),
            iconButton('wider', 'Zoom out', () => this.scale(2)), iconButton('narrower', 'Zoom in', () => this.scale(0.5))),
          this.problem, this.host, this.legend.root, this.options),
        this.requestCard(), historyCard()));
    this.showQueries();
    document.addEventListener('visibilitychange', () => this.schedule());
  }

  button(text, title, click) {
    return element('button', { type: 'button', text, title, on: { click } });
  }

  requestCard() {
    this.command = element('pre', { tabindex: '0', 'aria-label': 'The request as a command' });
    const button = this.button('Copy', 'Copies the command', () => copy(this.command.textContent, button));
    this.json = element('a', { text: 'Open as JSON', target: '_blank', rel: 'noopener' });
    return element('details', { class: 'card request' }, element('summary', { text: 'Request' }),
      this.command, element('div', { class: 'row' }, button, this.json));
  }

  /** Shows or leaves this view. */
  setVisible(visible) {
    this.visible = visible;
    if (visible) {
      this.run();
    } else {
      clearTimeout(this.timer); // but a running query may be looked at among those that run
    }
  }

  /** Ends for good: another link was opened. */
  remove() {
    this.setVisible(false);
    this.running?.abort();
    this.root.remove();
  }

  showQueries() {
    const { queries, functions, formulas } = this.state;
    if (queries.length + functions.length === 0) queries.push(emptyQuery());
    giveLetters(queries);
    this.queries.replaceChildren(...queries.map((query, i) => new QueryForm(query, {
      onChange: () => this.edited(),
      onCopy: () => this.add(structuredClone(query), i + 1),
      onRemove: () => { queries.splice(i, 1); this.showQueries(); this.edited(); },
      onReplace: (other) => {
        queries[i] = { ...other, letter: query.letter, place: query.place };
        this.showQueries();
        this.edited();
      },
    }).root), ...this.textForms(functions, FUNCTION), ...this.textForms(formulas, FORMULA));
  }

  textForms(rows, kind) {
    return rows.map((row, i) => textForm(row, kind, {
      onChange: () => this.edited(),
      onRemove: () => { rows.splice(i, 1); this.showQueries(); this.edited(); },
    }));
  }

  addFunction() {
    const { queries, functions } = this.state;
    if (queries.length === 1 && queries[0].metric === '') queries.pop();
    functions.push(emptyText());
    this.showQueries();
    this.queries.children[queries.length + functions.length - 1].querySelector('input').focus();
  }

  addFormula() {
    this.state.formulas.push(emptyText());
    this.showQueries();
    this.queries.lastElementChild.querySelector('input').focus();
  }

  /** How values are drawn, as the state has it. */
  style() {
    const { unit, unitRight, stacked, logarithmic } = this.state;
    return { unit, unitRight, stacked, logarithmic };
  }

  showLegend() {
    const { zone, unit, unitRight } = this.state;
    this.legend.show(this.drawn, this.data, zone, this.hidden(), ({ right }) => (right ? unitRight : unit));
  }

  /** The plot is drawn in another way. */
  restyle() {
    this.onState();
    this.plot.restyle(this.style());
    if (this.drawn) this.showLegend();
  }

  add(query, at = this.state.queries.length) {
    this.state.queries.splice(at, 0, query);
    this.showQueries();
    if (isComplete(query)) {
      this.edited();
    } else {
      this.queries.children[at].querySelector('input').focus();
    }
  }

  submitted(event) {
    event.preventDefault();
    this.run();
  }

  /** There are other series now, and all are shown. */
  edited() {
    this.state.choice = new Choice();
    this.changed();
  }

  changed() {
    this.onState();
    if (this.state.queries.every((query) => query.metric === '' || isComplete(query))) this.run();
  }

  /** A series is shown alone, or if it is alone already, all are; `beside` others it is hidden or shown. */
  choose(index, beside) {
    const { state, drawn } = this;
    const { name } = drawn[index];
    if (beside) {
      state.choice.toggle(name);
    } else {
      const isAlone = drawn.every((each) => state.choice.has(each.name) === (each.name === name));
      state.choice = isAlone ? new Choice() : new Choice(true, [name]);
    }
    const hidden = this.hidden();
    this.legend.setHidden(hidden);
    this.plot.setHidden(hidden);
    this.onState();
  }

  /** The numbers of the drawn series that are not shown. */
  hidden() {
    return new Set([...this.drawn.keys()].filter((i) => !this.state.choice.has(this.drawn[i].name)));
  }

  /** The range in milliseconds. */
  bounds() {
    const { start, end, zone } = this.state;
    const now = Date.now();
    return { from: millis(start, zone, now), to: millis(end, zone, now) };
  }

  move(from, to) {
    this.state.start = String(Math.max(0, Math.round(from)));
    this.state.end = String(Math.max(1, Math.round(to)));
    this.range.show();
    this.onState();
    this.run();
  }

  zoom(from, to) {
    this.ranges.push({ start: this.state.start, end: this.state.end });
    this.move(from, Math.max(to, from + 1));
  }

  reset() {
    if (this.ranges.length === 0) return;
    Object.assign(this.state, this.ranges[0]);
    this.ranges = [];
    this.range.show();
    this.onState();
    this.run();
  }

  scale(factor) {
    const { from, to } = this.bounds();
    const half = (to - from) * factor / 2;
    const middle = (from + to) / 2;
    this.zoom(middle - half, middle + half);
  }

  shift(part) {
    const { from, to } = this.bounds();
    this.zoom(from + (to - from) * part, to + (to - from) * part);
  }

  async run() {
    this.running?.abort();
    this.running = null;
    clearTimeout(this.timer);
    const queries = this.state.queries.filter(isComplete);
    const [functions, formulas] = [this.state.functions, this.state.formulas].map((rows) =>
      rows.filter(({ text }) => text !== ''));
    const isEmpty = queries.length + functions.length + formulas.length === 0;
    this.root.classList.toggle('empty', isEmpty);
    if (isEmpty) {
      this.showNothing(note('Choose a metric to see its points.',
        element('p', {}, 'Or look at ', element('a', { href: '#metrics', text: 'the metrics there are' }), '.')));
      return;
    }
    const bounds = this.bounds();
    if (Number.isNaN(bounds.from) || Number.isNaN(bounds.to)) {
      this.showNothing(note('The time range can’t be read.'));
      return;
    }
    let requests;
    const interval = autoInterval(bounds.to - bounds.from, this.plot.width);
    this.interval = queries.some(({ downsample }) => downsample.interval === AUTO) ? `, one in ${interval}` : '';
    try {
      requests = plotRequests(this.state, bounds, interval, { queries, functions, formulas });
    } catch (e) {
      this.showNothing(failureMessage(e));
      return;
    }
    if (requests.length === 0) {
      this.showNothing(note('All queries are hidden.'));
      return;
    }
    this.command.textContent = requests.map(({ command }) => command).join('\n');
    this.json.hidden = requests[0].uri === undefined; // a link can't post
    if (!this.json.hidden) this.json.href = requests[0].uri;
    const running = new AbortController();
    this.running = running;
    this.setBusy(true);
    const begun = performance.now();
    try {
      const results = await Promise.all(requests.map(({ send }) => send(running.signal)));
      if (this.running !== running) return;
      const series = results.flatMap((each, i) => each.map((one) => ({ ...one, right: requests[i].place === 'right' })));
      this.show(series, requests.flatMap(({ hints }, i) => hints(results[i])), bounds, performance.now() - begun);
      remember(writeLink({ ...this.state, choice: new Choice() }),
        [...queries.map((query) => format(query)), ...[...functions, ...formulas].map(({ text }) => text)].join(', '));
    } catch (e) {
      if (this.running !== running) return; // by a later run
      running.abort(); // the others
      this.showNothing(e.name === 'AbortError' ? note('Cancelled.') : failureMessage(e));
    } finally {
      if (this.running === running) {
        this.running = null;
        this.setBusy(false);
        this.schedule();
      }
    }
  }

  setBusy(busy) {
    this.root.classList.toggle('busy', busy);
    this.root.setAttribute('aria-busy', String(busy));
    this.stop.hidden = !busy;
    this.back.hidden = this.ranges.length === 0;
  }

  schedule() {
    clearTimeout(this.timer);
    if (this.state.refresh > 0 && this.visible && !document.hidden && this.running === null) {
      this.timer = setTimeout(() => this.run(), this.state.refresh * 1000);
    }
  }

  show(all, hints, bounds, took) {
    const series = all.filter(({ points }) => points > 0);
    if (series.length === 0) {
      this.showNothing(note('No points in this range.', element('p', { text: 'Widen it, or check the filters.' }),
        this.state.queries.some(isComplete)
          ? this.button('Find points', 'Searches for points at any time', () => this.find()) : null), ...hints.map(hint));
      return;
    }
    const drawn = series.slice(0, MOST_SERIES);
    const points = series.reduce((sum, each) => sum + each.points, 0);
    const more = series.length > drawn.length ? `; the first ${count(drawn.length)} are shown` : '';
    this.outcome.textContent =
      `${counted(series.length, 'series', 'series')}, ${counted(points, 'point')}${this.interval}${more};`
      + ` took ${Math.round(took)} ms`;
    this.problem.replaceChildren(...hints.map(hint));
    this.host.hidden = this.legend.root.hidden = this.options.hidden = false;
    const data = table(drawn);
    const right = new Set([...drawn.keys()].filter((i) => drawn[i].right));
    this.root.classList.toggle('two-axes', right.size > 0);
    this.series = series;
    this.drawn = drawn;
    this.data = data;
    this.options.querySelector('[data-name=csv]').title = aboutCsv(series);
    this.plot.show(data, bounds, this.state.zone, this.hidden(), { ...this.style(), right });
    this.showLegend();
  }

  showNothing(...messages) {
    this.outcome.textContent = '';
    this.plot.clear();
    this.legend.clear();
    this.host.hidden = this.legend.root.hidden = this.options.hidden = true;
    this.series = [];
    this.drawn = null;
    this.problem.replaceChildren(...messages);
    this.setBusy(false);
  }

  /** Shows the days in which the queries have points. */
  async find() {
    const queries = this.state.queries.filter(isComplete).map((query) => ({
      ...query, rate: null, aggregator: 'sum', downsample: { interval: '1d', aggregator: 'count', fill: 'none' },
    }));
    const running = new AbortController();
    this.running = running;
    this.setBusy(true);
    try {
      const parameters = [['start', '0'], ...queries.map((query) => ['m', format(query)]), ['ms', ''], ['arrays', '']];
      const times = seriesOf(await get(PATH, parameters, running.signal)).flatMap((series) => series.times);
      this.running = null;
      if (times.length === 0) {
        this.showNothing(note('There are no points at all.'));
      } else {
        const [first, last] = times.reduce(([a, b], time) => [Math.min(a, time), Math.max(b, time)], [Infinity, 0]);
        this.zoom(first, last + DAY);
      }
    } catch (e) {
      this.running = null;
      this.showNothing(e.name === 'AbortError' ? note('Cancelled.') : failureMessage(e));
    }
  }
}
