// The plot, drawn by uPlot. Dragging selects a range of time; the arrow keys move the cursor.

import { element } from './dom.js';
import { axis, inUnit } from './format.js';
import { UTC } from './times.js';

const COLOURS = 8;
const HEIGHT = 380;
const LEAST_DRAG = 5; // pixels
const ROOM_FOR_DATE = 40; // half of the first label, where no axis is below it
const LEFT = 'values'; // the names of the axes' scales
const RIGHT = 'right';
const DAY = 864e5;

// uPlot's templates of dates: the least step, the label, and what is added where a year or a day begins.
const DATES = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [6e4, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1e3, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{ss}.{fff}', '\n{YYYY}-{MM}-{DD} {HH}:{mm}', null, '\n{MM}-{DD} {HH}:{mm}', null, '\n{HH}:{mm}', null, 1],
];

const PLAIN = { unit: '', unitRight: '', stacked: false, logarithmic: false, right: new Set() };

/** A square in the colour of a series, which follows the system as the plot does. */
export function swatch(index) {
  const made = element('span', { class: 'swatch' });
  made.style.backgroundColor = colour(index, (name) => `var(${name})`);
  return made;
}

/** The colour of a series: those of the style sheet first, then others that differ from their neighbours. */
function colour(index, read = property) {
  return index < COLOURS
    ? read(`--series-${index}`)
    : `hsl(${Math.round(index * 137.5) % 360} 60% ${read('--series-lightness')})`;
}

/** A property of the style sheet as it is now: a canvas knows no variables. */
function property(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export class Plot {
  /** @param listeners `onZoom(from, to)`, `onReset()` and `onCursor(index or null)` */
  constructor(host, listeners) {
    this.host = host;
    this.listeners = listeners;
    this.drawn = null;
    this.shown = null;
    new ResizeObserver(() => this.resize()).observe(host);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
    host.addEventListener('keydown', (event) => this.key(event));
  }

  get width() {
    return Math.max(200, this.host.clientWidth);
  }

  /**
   * Draws a table of values; `hidden` are the numbers of series that are not drawn.
   *
   * @param style `unit`, `unitRight`, `stacked`, `logarithmic`, and `right`: the numbers of series on the right axis
   */
  show(data, range, zone, hidden, style = {}) {
    this.shown = { data, range, zone, hidden, style: { ...PLAIN, ...style } };
    this.redraw();
  }

  /** Draws the same in another style. */
  restyle(style) {
    if (this.shown === null) return;
    Object.assign(this.shown.style, style);
    this.redraw();
  }

  /** Where it is drawn; null if it is not. */
  get canvas() {
    return this.drawn?.ctx.canvas ?? null;
  }

  clear() {
    this.shown = null;
    this.drawn?.destroy();
    this.drawn = null;
  }

  redraw() {
    if (this.shown === null) return;
    const options = this.options(); // whose width is that beside the scroll bar, which may go with the plot
    this.drawn?.destroy();
    this.drawn = new window.uPlot(options, drawnValues(this.shown), this.host);
  }

  /** Hides these series, by their numbers, and shows all others; the axis of the values follows. */
  setHidden(hidden) {
    if (this.shown === null) return;
    this.shown.hidden = hidden;
    if (this.shown.style.stacked) {
      this.redraw(); // series stand on each other
      return;
    }
    this.drawn.series.slice(1).forEach(({ show }, i) => {
      if (show === hidden.has(i)) this.drawn.setSeries(i + 1, { show: !show });
    });
  }

  /** Brings out one series; none for null. */
  focus(index) {
    this.drawn?.setSeries(index === null ? null : index + 1, { focus: true });
  }

  resize() {
    if (this.drawn !== null && this.host.clientWidth > 0) {
      this.drawn.setSize({ width: this.width, height: this.height });
    }
  }

  get height() {
    return Math.max(240, Math.min(HEIGHT, Math.round(this.width * 0.62)));
  }

  options() {
    const { data, range, zone, hidden, style: { unit, unitRight, stacked, logarithmic, right } } = this.shown;
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--muted').trim();
    const grid = { stroke: style.getPropertyValue('--grid').trim(), width: 1 };
    const axes = { stroke: ink, grid, ticks: grid, font: `12px ${style.getPropertyValue('--font')}` };
    const dots = data[0].length === 1;
    const values = (scale, side, of, more = {}) => ({
      ...axes, ...(of === 'bytes' && !logarithmic ? { incrs: byteSteps } : {}),
      scale, side, size: (u, labels) => widest(u, labels), ...more, values: (u, splits, i, space, step) =>
        splits.map((split) => (split === null ? '' : inUnit(split, of, (plain) => axis(plain, step)))),
    });
    const hasLeft = right.size < data.length - 1;
    const distribution = (of) => (logarithmic ? { distr: 3, log: of === 'bytes' ? 2 : 10 } : {});
    return {
      width: this.width,
      height: this.height,
      padding: [null, null, null, (u, side, [, , , isLeftDrawn]) => (isLeftDrawn ? 0 : ROOM_FOR_DATE)],
      ms: 1,
      tzDate: (time) => (zone === UTC ? window.uPlot.tzDate(new Date(time), 'Etc/UTC') : new Date(time)),
      legend: { show: false },
      focus: { alpha: 0.25 },
      cursor: {
        focus: { prox: 24 },
        points: { size: 7 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => this.listeners.onReset() },
      },
      scales: { x: { time: true, range: () => [range.from, range.to] }, [LEFT]: distribution(unit), [RIGHT]: distribution(unitRight) },
      axes: [
        { ...axes, space: 70, values: DATES },
        ...(hasLeft ? [values(LEFT, 3, unit)] : []),
        ...(right.size > 0 ? [values(RIGHT, 1, unitRight, hasLeft ? { grid: { show: false } } : {})] : []),
      ],
      series: [{}, ...data.slice(1).map((values, i) => ({
        show: !hidden.has(i),
        scale: right.has(i) ? RIGHT : LEFT,
        stroke: colour(i),
        width: 1.5,
        points: dots ? { show: true, size: 6 } : {},
        ...(stacked ? { fill: `color-mix(in srgb, ${colour(i)} 45%, transparent)` } : {}),
      }))],
      bands: stacked ? stacks(data.length - 1, this.shown).flatMap(bands) : [],
      hooks: {
        setSelect: [(u) => this.selected(u)],
        setScale: [(u, key) => { if (key !== 'x') this.host.dataset[key] = `${u.scales[key].min} ${u.scales[key].max}`; }],
        setCursor: [(u) => this.listeners.onCursor(u.cursor.idx ?? null)],
      },
    };
  }

  selected(u) {
    const { left, width } = u.select;
    if (width >= LEAST_DRAG) {
      this.listeners.onZoom(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
    }
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || this.drawn === null) return;
    event.preventDefault();
    const times = this.drawn.data[0];
    const from = this.drawn.cursor.idx ?? (step > 0 ? -1 : times.length);
    const index = Math.max(0, Math.min(times.length - 1, from + step));
    this.drawn.setCursor({ left: this.drawn.valToPos(times[index], 'x'), top: 10 });
  }
}

/** What is drawn for values: on a logarithmic scale nothing for those that are not positive. */
function drawnValues(shown) {
  const { data, style: { stacked, logarithmic } } = shown;
  let values = data.slice(1);
  for (const stack of stacked ? stacks(values.length, shown) : []) {
    const sums = new Array(data[0].length).fill(0);
    for (const i of stack) {
      values[i] = values[i].map((value, at) => {
        if (value !== null && value !== undefined) sums[at] += value;
        return value === null || value === undefined ? value : sums[at];
      });
    }
  }
  if (logarithmic) values = values.map((each) => each.map((value) => (value > 0 ? value : null)));
  return [data[0], ...values];
}

/** The numbers of the series that stand on each other: those of each axis that are not hidden. */
function stacks(count, { hidden, style: { right } }) {
  const shown = [...Array(count).keys()].filter((i) => !hidden.has(i));
  return [shown.filter((i) => !right.has(i)), shown.filter((i) => right.has(i))];
}

/** Between each series of a stack and the one that it stands on: the number of the upper, then of the lower. */
function bands(stack) {
  return stack.slice(1).map((upper, i) => ({ series: [upper + 1, stack[i] + 1] }));
}

/** The steps of an axis of bytes: powers of 2 from a KB on, in which their units are, else of 10. */
function byteSteps(u, axis, least, most) {
  return Math.max(-least, most) >= 1024
    ? Array.from({ length: 60 }, (_, i) => 2 ** i)
    : Array.from({ length: 12 }, (_, i) => 10 ** (i - 8)).flatMap((power) => [power, 2 * power, 5 * power]);
}

/** The room for an axis' labels. */
function widest(u, labels) {
  const longest = (labels ?? []).reduce((a, b) => (b.length > a.length ? b : a), '');
  return Math.max(40, 18 + String(longest).length * 7);
}

/** Where the plot is drawn. */
export function plotHost() {
  return element('div', {
    class: 'plot', tabindex: '0', role: 'group',
    'aria-label': 'Plot. Left and right arrow keys move the cursor; the table below has the values.',
  });
}
