// The view of queries that run, each of which can be cancelled, of those that have ended, and of jobs.

import { element, select } from './dom.js';
import { bytes, count } from './format.js';
import { failureMessage, note } from './message.js';
import { Polling } from './polling.js';
import { get, remove } from './request.js';
import { span, timeText } from './times.js';

const PATH = 'api/query/running';
const ENDED = 'api/stats/query';
const JOBS = 'api/admin/jobs';
const PERIOD = 2000;
const MOST_ENDED = 100;

export class RunningView {
  constructor() {
    this.body = element('div', { class: 'scroll' });
    this.problem = element('div');
    this.ended = element('div', { class: 'scroll' });
    this.slowest = select({ 'aria-label': 'Order' }, [['latest', 'The latest first'], ['slowest', 'The slowest first']], 'latest');
    this.slowest.addEventListener('change', () => this.polling.now());
    this.jobs = element('div', { class: 'scroll' });
    this.jobsCard = element('div', { class: 'card jobs', hidden: true }, element('h2', { text: 'Jobs' }), this.jobs);
    this.root = element('div', {},
      element('div', { class: 'card running' }, element('h2', { text: 'Running queries' }), this.problem, this.body),
      this.jobsCard,
      element('div', { class: 'card ended' },
        element('div', { class: 'row' }, element('h2', { text: 'Finished queries' }), this.slowest), this.ended));
    this.polling = new Polling(() => this.refresh(), PERIOD);
  }

  setVisible(visible) {
    this.polling.set(visible);
  }

  async refresh() {
    try {
      this.show(await get(PATH));
      this.showEnded((await get(ENDED)).completed);
    } catch (e) {
      this.body.replaceChildren(failureMessage(e));
    }
    if (this.mayNotSeeJobs) return;
    try {
      this.showJobs((await get(JOBS)).jobs);
    } catch (e) {
      this.mayNotSeeJobs = e.status === 403 || e.status === 404; // else they are shown the next time
      this.jobsCard.hidden = true;
    }
  }

  showJobs(jobs) {
    this.jobsCard.hidden = jobs.length === 0;
    const heads = ['Job', 'State', 'Started', 'Took', 'Rows'];
    this.jobs.replaceChildren(element('table', { class: 'wide' },
      head(heads, 2),
      element('tbody', {}, ...jobs.map((job) => {
        const runs = job.state === 'running';
        const state = runs && job.percent !== undefined ? `${job.percent} %` : job.cancelled ? 'being cancelled' : job.state;
        return line(heads,
          element('td', {}, element('div', { class: 'expression', text: job.command }),
            element('small', { class: 'muted', text: job.line })),
          element('td', { class: job.state === 'failed' ? 'bad' : '', text: state }),
          element('td', { class: 'number', text: timeText(job.started, 'local') }),
          element('td', { class: 'number', text: span((job.ended ?? Date.now()) - job.started) }),
          element('td', { class: 'number', text: job.rows === undefined ? '–' : count(job.rows) }),
          element('td', {}, runs && !job.cancelled ? element('button', {
            type: 'button', text: 'Cancel', 'aria-label': `Cancel ${job.command}`,
            on: { click: () => this.cancelJob(job.id) },
          }) : null));
      }))));
  }

  async cancelJob(id) {
    try {
      await remove(`${JOBS}?id=${encodeURIComponent(id)}`);
    } catch (e) {
      if (e.status !== 409) this.problem.replaceChildren(failureMessage(e)); // else it has just ended
    }
    this.polling.now();
  }

  showEnded(queries) {
    const took = ({ stats }) => stats.totalTime;
    const sorted = this.slowest.value === 'slowest' ? [...queries].sort((a, b) => took(b) - took(a)) : queries;
    if (sorted.length === 0) {
      this.ended.replaceChildren(note('No query has ended since the server was started.'));
      return;
    }
    const heads = ['Query', 'Ended', 'Took', 'Status', 'From'];
    this.ended.replaceChildren(element('table', { class: 'wide' },
      head(heads, 1),
      element('tbody', {}, ...sorted.slice(0, MOST_ENDED).map((each) => line(heads,
        element('td', { class: 'expression', text: each.query }),
        element('td', { class: 'number', text: timeText(each.queryCompletedTimestamp, 'local') }),
        element('td', { class: 'number', text: `${count(took(each))} ms` }),
        element('td', { class: isWell(each) ? 'number' : 'number bad', title: each.exception, text: String(each.httpResponse.code) }),
        element('td', { class: 'number', text: each.client }),
        element('td'))))));
  }

  show(queries) {
    if (queries.length === 0) {
      this.body.replaceChildren(note('No queries are running.'));
      return;
    }
    const heads = ['Query', 'Running', 'Rows', 'Points', 'Series', 'Read', 'In memory'];
    this.body.replaceChildren(element('table', { class: 'wide' },
      head(heads, 1),
      element('tbody', {}, ...queries.map((query) => this.row(heads, query)))));
  }

  row(heads, query) {
    const numbers = [span(Date.now() - query.started), count(query.rows), count(query.points),
      count(query.series), bytes(query.bytes), bytes(query.memoryBytes)];
    return line(heads, element('td', { class: 'expression', text: query.query }),
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

function isWell({ httpResponse, sentToClient }) {
  return httpResponse.code < 400 && sentToClient;
}

/** The heads of a table; those from a number on are of numbers, and one is empty. */
function head(texts, numbersFrom) {
  return element('thead', {}, element('tr', {}, ...texts.map((text, i) =>
    element('th', { scope: 'col', class: i < numbersFrom ? '' : 'number', text })), element('td')));
}

/** A line of a table; on a phone each value has its head before it. */
function line(heads, ...cells) {
  heads.forEach((text, i) => { cells[i].dataset.head = text; });
  return element('tr', {}, ...cells);
}
