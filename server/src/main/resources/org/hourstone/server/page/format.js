// Numbers as people read them.

const COMPACT = rounded(4, { notation: 'compact' });
const PLAIN = rounded(6);
const SHORT = rounded(4);
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

function rounded(digits, more = {}) {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: digits, ...more });
}

/** A value of a series: all its digits before the point, or so that one sees that there are more. */
export function value(number) {
  if (number === null || number === undefined) return '–';
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return number.toExponential(4);
  if (size >= 1e9) return COMPACT.format(number);
  return size >= 1e6 ? WHOLE.format(number) : PLAIN.format(number); // 1,234,567 is not 1,234,570
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
    case 'percent': return `${value(number)} %`;
    case 'ratio': return `${value(number * 100)} %`;
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
  return `${short(left)} ${names[unit]}`;
}

function duration(millis) {
  let [size, name] = SPANS[0];
  for (const [each, text] of SPANS) if (Math.abs(millis) >= each) [size, name] = [each, text];
  return `${short(millis / size)} ${name}`;
}

function short(number) {
  return Math.abs(number) < 1e4 ? SHORT.format(number) : value(number);
}

/** A label of an axis whose labels are so far apart: with more digits than others where those would be alike. */
export function axis(number, step) {
  if (number === null) return '';
  const least = step > 0 && number !== 0
    ? Math.min(21, 2 + Math.floor(Math.log10(Math.abs(number))) - Math.floor(Math.log10(step))) : 1;
  if (Math.abs(number) >= 1e15 || (step > 0 && step < 1e-4)) {
    return number === 0 ? '0' : number.toExponential(Math.max(3, least) - 1).replace(/\.?0*e/, 'e');
  }
  if (Math.abs(number) >= 1e4) return (least > 4 ? rounded(least, { notation: 'compact' }) : COMPACT).format(number);
  return (least > 6 ? rounded(least) : PLAIN).format(number);
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
