// The view of the store's state, from the server's statistics: totals, and their changes per second.

import { element } from './dom.js';
import { bytes, count } from './format.js';
import { failureMessage } from './message.js';
import { Plot, swatch } from './plot.js';
import { Polling } from './polling.js';
import { get } from './request.js';
import { span } from './times.js';

const PERIOD = 2000;
const HOUR = 36e5;
const NEWEST = 5; // the plots are read again after this number of readings of the statistics

export class StatusView {
  constructor() {
    this.before = null;
    this.readings = 0;
    this.tiles = element('div', { class: 'tiles' });
    this.problem = element('div');
    this.points = new Trend('Points per second', ['stored', 'refused'],
      ({ storedPerSecond, refusedPerSecond }) => [storedPerSecond, refusedPerSecond]);
    this.memory = new Trend('Heap and free disk', ['heap', 'free disk'],
      ({ heapBytes, freeDiskBytes }) => [heapBytes, freeDiskBytes], 'bytes', true);
    this.queries = new Trend('Running queries', ['queries'], ({ queries }) => [queries]);
    this.growth = element('div');
    this.root = element('div', { class: 'status' }, this.problem, this.tiles,
      this.points.root, this.queries.root, this.memory.root, this.growth);
    this.polling = new Polling(() => this.refresh(), PERIOD);
  }

  setVisible(visible) {
    this.readings = 0;
    this.polling.set(visible);
  }

  /** The last hour, which the server keeps. */
  async showHour() {
    const hour = await get('api/stats/recent');
    for (const trend of [this.points, this.queries, this.memory]) trend.show(hour);
    this.running = (await get('api/stats/jvm')).runtime.uptime;
    if (this.version === undefined) ({ version: this.version } = await get('api/version'));
  }

  async refresh() {
    try {
      if (this.readings++ % NEWEST === 0) await this.showHour();
      this.show(new Map((await get('api/stats')).map(({ metric, value: text, tags }) => {
        const { host, ...own } = tags;
        return [[metric, ...Object.values(own)].join(' '), Number(text)];
      })), performance.now());
      this.problem.replaceChildren();
    } catch (e) {
      this.problem.replaceChildren(failureMessage(e));
    }
  }

  show(stats, now) {
    const at = (name) => stats.get(`tsd.${name}`);
    const rate = this.rate(at('datapoints.added all'), now);
    const names = (kind) => count(at(`uid.ids-used ${kind}`));
    const tiles = [
      ['Points per second', rate === null ? '…' : count(rate)],
      ['Points written', count(at('datapoints.added all')), 'since the start'],
      ['Refused points', count(at('datapoints.failed')), refusals(stats), at('datapoints.failed') > 0],
      ['Points waiting', count(at('writer.waiting')), 'for the writing threads'],
      ['Writing threads', `${at('writer.threads alive')} of ${at('writer.threads started')}`, 'alive',
        at('writer.threads alive') < at('writer.threads started')],
      ['Rows to compact', count(at('compaction.queue.size')), `${count(at('compaction.writes'))} compacted`],
      ['Compaction errors', count(at('compaction.errors')), '', at('compaction.errors') > 0],
      ['Disk', at('store.disk_bytes') === undefined ? 'not known' : bytes(at('store.disk_bytes')),
        at('store.disk_bytes') === undefined ? 'by this store' : 'of the store’s files'],
      ['Free disk', at('store.disk_free_bytes') === undefined ? 'not known' : bytes(at('store.disk_free_bytes')),
        at('store.disk_reserve_bytes') > 0 ? `${bytes(at('store.disk_reserve_bytes'))} are kept free` : '',
        at('store.disk_free_bytes') < at('store.disk_reserve_bytes')],
      ['Connections', count(at('connectionmgr.connections open')),
        `${count(at('rpc.received telnet'))} lines, ${count(at('rpc.received http'))} requests`],
      ['Queries', count(at('query.running')), `${bytes(at('query.memory_bytes'))} held`],
      ['Journal', at('head.journal_bytes') === undefined ? 'none' : bytes(at('head.journal_bytes')),
        at('head.journal_age_seconds') > 0 ? `up to ${span(at('head.journal_age_seconds') * 1000)} old` : ''],
      ['Series', count(at('writer.series known')), at('index.series_created') === undefined ? 'active'
        : `active; ${count(at('index.series_created'))} new since the start`],
      ['Heap', bytes(at('jvm.ramused'))],
      ['Metrics', names('metrics'), `${names('tagk')} tags, ${names('tagv')} values`],
      ['Running for', span(this.running), `version ${this.version}`],
    ];
    this.tiles.replaceChildren(...tiles.map(([name, text, more, alarming]) =>
      element('div', { class: alarming ? 'tile alarming' : 'tile' }, element('h3', { text: name }),
        element('p', { class: 'big', text }), element('p', { class: 'muted', text: more ?? '' }))));
    this.growth.replaceChildren(...growth(stats));
  }

  /** Points per second since the last time; null at first, and after the server was restarted. */
  rate(written, now) {
    const { before } = this;
    this.before = { written, now };
    if (before === null || written < before.written || now <= before.now) return null;
    const perSecond = (1000 * (written - before.written)) / (now - before.now);
    return perSecond;
  }
}

/** The most frequent reasons of refusals. */
function refusals(stats) {
  return [...stats].filter(([name, number]) => name.startsWith('tsd.rpc.errors ') && number > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([name, number]) => `${count(number)} ${name.split(' ')[1].replaceAll('_', ' ')}`)
    .join(', ');
}

/** The metrics with most new series within the last hour; nothing if there are none. */
function growth(stats) {
  const prefix = 'tsd.index.new_series ';
  const top = [...stats].filter(([name]) => name.startsWith(prefix)).sort(([, a], [, b]) => b - a);
  return top.length === 0 ? [] : [element('div', { class: 'card growth' },
    element('h2', { text: 'New series within the last hour' }),
    element('table', {},
      element('thead', {}, element('tr', {}, element('th', { text: 'Metric' }),
        element('th', { class: 'number', text: 'New series' }))),
      element('tbody', {}, ...top.map(([name, number]) => element('tr', {},
        element('td', { text: name.slice(prefix.length) }), element('td', { class: 'number', text: count(number) }))))))];
}

/** A plot of figures of the last hour. */
class Trend {
  /** @param figures takes those of the plot from the response, a list for each name */
  constructor(title, names, figures, unit = '', logarithmic = false) {
    this.figures = figures;
    this.style = { unit, logarithmic };
    this.host = element('div', { class: 'plot' });
    this.plot = new Plot(this.host, { onZoom() {}, onReset() {}, onCursor() {} });
    this.root = element('div', { class: 'card trend' },
      element('h2', { text: title }),
      element('p', { class: 'muted' }, ...names.map((name, i) =>
        element('span', { class: 'key' }, swatch(i), element('span', { text: name })))), this.host);
  }

  show(hour) {
    const { times } = hour;
    if (times.length === 0) return;
    const last = times[times.length - 1];
    this.plot.show([times, ...this.figures(hour)], { from: last - HOUR, to: last }, 'local', new Set(), this.style);
  }
}
