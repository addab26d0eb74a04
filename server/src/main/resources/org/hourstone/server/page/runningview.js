// The view of running queries, each of which can be cancelled.

import { element } from './dom.js';
import { bytes, count } from './format.js';
import { failureMessage, note } from './message.js';
import { Polling } from './polling.js';
import { get, remove } from './request.js';
import { span } from './times.js';

const PATH = 'api/query/running';
const PERIOD = 2000;

export class RunningView {
  constructor() {
    this.body = element('div', { class: 'scroll' });
    this.problem = element('div');
    this.root = element('div', { class: 'card' }, element('h2', { text: 'Running queries' }),
      this.problem, this.body);
    this.polling = new Polling(() => this.refresh(), PERIOD);
  }

  setVisible(visible) {
    this.polling.set(visible);
  }

  async refresh() {
    try {
      this.show(await get(PATH));
    } catch (e) {
      this.body.replaceChildren(failureMessage(e));
    }
  }

  show(queries) {
    if (queries.length === 0) {
      this.body.replaceChildren(note('No queries are running.'));
      return;
    }
    const heads = ['Query', 'Running', 'Rows', 'Points', 'Series', 'Read', 'In memory'];
    this.body.replaceChildren(element('table', { class: 'wide' },
      element('thead', {}, element('tr', {}, ...heads.map((text, i) =>
        element('th', { scope: 'col', class: i === 0 ? '' : 'number', text })), element('td'))),
      element('tbody', {}, ...queries.map((query) => this.row(query)))));
  }

  row(query) {
    const numbers = [span(Date.now() - query.started), count(query.rows), count(query.points),
      count(query.series), bytes(query.bytes), bytes(query.memoryBytes)];
    return element('tr', {}, element('td', { class: 'expression', text: query.query }),
      ...numbers.map((text) => element('td', { class: 'number', text })),
      element('td', {}, element('button', {
        type: 'button', text: 'Cancel', 'aria-label': `Cancel ${query.query}`,
        on: { click: () => this.cancel(query.id) },
      })));
  }

  async cancel(id) {
    try {
      await remove(`${PATH}?id=${encodeURIComponent(id)}`);
      this.problem.replaceChildren();
    } catch (e) {
      if (e.status !== 404) this.problem.replaceChildren(failureMessage(e)); // else it has just ended
    }
    this.polling.now();
  }
}
