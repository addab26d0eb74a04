// Numbers as people read them.

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
const PLAIN = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A value of a series. */
export function value(number) {
  if (number === null || number === undefined) return '–';
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return number.toExponential(4);
  return size >= 1e9 ? COMPACT.format(number) : PLAIN.format(number);
}

/** The units that values can be shown in: a name and its text. */
export const UNITS = [['', 'No unit'], ['bytes', 'Bytes'], ['bits', 'Bits'], ['percent', 'Percent'],
  ['ratio', 'Part of 1'], ['s', 'Seconds'], ['ms', 'Milliseconds']];

const SPANS = [[1, 'ms'], [1e3, 's'], [6e4, 'min'], [36e5, 'h'], [864e5, 'd']];

/** A value in a unit; `plain` formats a value without. */
export function inUnit(number, unit, plain = value) {
  if (number === null || number === undefined || !Number.isFinite(number) || unit === '') return plain(number);
  switch (unit) {
    case 'bytes': return scaled(number, 1024, ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB']);
    case 'bits': return scaled(number, 1000, ['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit']);
    case 'percent': return `${PLAIN.format(number)} %`;
    case 'ratio': return `${PLAIN.format(number * 100)} %`;
    case 's': return duration(number * 1000);
    case 'ms': return duration(number);
    default: return plain(number); // of another page
  }
}

function scaled(number, step, names) {
  let unit = 0;
  let left = number;
  while (Math.abs(left) >= step && unit < names.length - 1) {
    left /= step;
    unit++;
  }
  return `${SHORT.format(left)} ${names[unit]}`;
}

function duration(millis) {
  let [size, name] = SPANS[0];
  for (const [each, text] of SPANS) if (Math.abs(millis) >= each) [size, name] = [each, text];
  return `${SHORT.format(millis / size)} ${name}`;
}

/** A label of an axis whose labels are so far apart. */
export function axis(number, step) {
  if (number === null) return '';
  if (Math.abs(number) >= 1e4) return COMPACT.format(number);
  return step !== 0 && Math.abs(step) < 1e-4 ? number.toExponential(2) : PLAIN.format(number);
}

/** A number of things, with commas. */
export function count(number) {
  return WHOLE.format(number);
}

/** `1 series`, `2 queries`: a number with what is counted. */
export function counted(number, one, several = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : several}`;
}

/** A number of bytes. */
export function bytes(number) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  let left = number;
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${unit === 0 ? left : left.toFixed(left < 10 ? 1 : 0)} ${units[unit]}`;
}
